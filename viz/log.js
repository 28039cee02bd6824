/** What the program printed, what was commanded and answered, and the field for commands. */
import { byId, el } from "./dom.js";
import { askedWords, mayCommand } from "./state.js";
import { announcePanel, showPanel } from "./tabs.js";

/** @typedef {import("./types.js").Session} Session */

const MOST_OUTPUT = 200_000; // characters
const MOST_ENTRIES = 500;

export class LogView {
  constructor() {
    this.log = byId("panel-log");
    this.output = byId("panel-output");
    this.answer = byId("answer");
    /** @type {import("./types.js").Entry[]} */
    this.entries = [];
    /** @type {string | null} */
    this.printed = null;
    this.answer.addEventListener("click", () => this.answer.replaceChildren());
  }

  /** @param {Session} session */
  update(session) {
    if (session.entries !== this.entries) this.showEntries(session.entries);
    if (session.output !== this.printed) this.showOutput(session.output);
  }

  /** @param {import("./types.js").Entry[]} entries */
  showEntries(entries) {
    const goesOn = this.entries.length > 0 && entries[this.entries.length - 1] === this.entries[this.entries.length - 1];
    const fresh = (goesOn ? entries.slice(this.entries.length) : entries).slice(-MOST_ENTRIES);
    if (!goesOn) this.log.replaceChildren();
    for (const entry of fresh) {
      const rows = [el("div", { class: "command" }, el("span", { class: "note" }, "(wolverine) "), entry.command)];
      for (const text of entry.texts) rows.push(el("pre", { class: text.includes("┌") ? "drawn" : null }, text));
      if (entry.error !== null) rows.push(el("pre", { class: "error" }, entry.error));
      this.log.append(el("div", { class: "entry" }, ...rows));
    }
    while (this.log.childElementCount > MOST_ENTRIES) this.log.firstElementChild?.remove();
    this.entries = entries;
    const last = entries[entries.length - 1];
    const error = last?.error ?? null;
    this.answer.textContent = error === null ? "" : error;
    this.answer.classList.toggle("error", error !== null);
    this.log.scrollTop = this.log.scrollHeight; // last: what the answer takes is no longer there for the log
  }

  /** @param {string} output */
  showOutput(output) {
    const before = this.printed;
    this.printed = output;
    if (before !== null) announcePanel("output");
    if (output === "") {
      this.output.replaceChildren(el("p", { class: "empty" }, "The program has printed nothing yet."));
      return;
    }
    const pre = this.output.querySelector("pre");
    if (before && pre !== null && output.length <= MOST_OUTPUT && output.startsWith(before)) pre.append(output.slice(before.length));
    else {
      const note = output.length > MOST_OUTPUT ? [el("p", { class: "empty" }, "… the beginning is left out")] : [];
      this.output.replaceChildren(...note, el("pre", { class: "output" }, output.slice(-MOST_OUTPUT)));
    }
    this.output.scrollTop = this.output.scrollHeight;
  }
}

/**
 * The field for commands: Enter sends, the up and down keys go through what was sent.  While the program waits for
 * input it is the field for that.
 * @param {import("./app.js").App} app
 */
export function buildPrompt(app) {
  const form = byId("prompt");
  const input = /** @type {HTMLInputElement} */ (byId("command-line"));
  /** @type {string[]} */
  const history = [];
  let at = 0;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (app.session.asked) {
      if (app.type(input.value)) input.value = "";
      return;
    }
    const line = input.value.trim();
    if (line === "" || !app.command(line)) return;
    if (history[history.length - 1] !== line) history.push(line);
    at = history.length;
    input.value = "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.blur();
    if (app.session.asked && event.ctrlKey && event.key === "d" && input.value === "") {
      app.endInput();
      event.preventDefault();
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    at = Math.min(history.length, Math.max(0, at + step));
    input.value = history[at] ?? "";
    event.preventDefault();
  });
  const name = /** @type {HTMLElement} */ (form.querySelector("label"));
  const asks = byId("asks");
  const end = el("button", { type: "button", title: "There is no more input (Ctrl-D)", onclick: () => app.endInput() }, "end of input");
  let mine = false; // whether what runs was begun here
  let asked = false;
  app.show((session) => {
    const may = mayCommand(session);
    mine = app.pending.length > 0 || (mine && session.busy !== null);
    input.disabled = !may;
    form.hidden = !session.live || !session.drives;
    form.classList.toggle("asked", session.asked);
    name.textContent = session.asked ? "input" : "(wolverine)";
    const what = session.asked ? "a line for the program" : "a command, as in the terminal";
    input.placeholder = session.link === "open" ? what : "not connected";
    const words = session.asked ? askedWords(session) : "";
    if (!session.waits) asks.replaceChildren();
    else asks.replaceChildren(el("span", {}, "The program waits for input", words === "" ? "." : ":"), ...(words === "" ? [] : [el("pre", {}, words)]), end);
    if (session.waits) byId("panel-output").scrollTop = byId("panel-output").scrollHeight;
    if (session.asked && !asked && may) {
      showPanel("output");
      const taken = document.activeElement instanceof HTMLInputElement || document.querySelector("dialog[open]") !== null;
      if (mine && !taken) input.focus();
    }
    asked = session.asked;
  });
}
