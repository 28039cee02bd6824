/** Buttons and keys for what is done most. */
import { closeEditor } from "./editor.js";
import { byId, el, isTyping } from "./dom.js";
import { isPast, mayAct, mayCommand, viewedMoment } from "./state.js";

/** Command, key, what it does; a gap follows where `gap` stands. */
const COMMANDS = [
  ["start", "", "Run the program anew, to main"],
  ["run", "", "Run the program anew, to the first breakpoint, a fault or the end"],
  ["next", "n", "Execute the statement"],
  ["step", "s", "Execute, into calls"],
  ["finish", "f", "Run to the end of the function"],
  ["continue", "c", "Run to the next breakpoint or to the end"],
  ["back", "b", "Undo what led to this stop"],
  ["gap", "", ""],
  ["enter", "e", "Go into the loop or branch, whatever its condition says"],
  ["leave", "l", "Leave the loop or branch, whatever its condition says"],
  ["gap", "", ""],
  ["spec", "a", "Say that the state is right here"],
  ["undo", "u", "Take the last change back"],
  ["repair", "r", "Find the smallest edits that meet all that was said"],
];

/** What works without a process, and what does once it has ended. */
const WITHOUT = new Set(["start", "run"]);
const AFTERWARDS = new Set(["start", "run", "back", "repair"]);

/**
 * Why a command cannot be given now; "" when it can.
 * @param {import("./types.js").Session} session
 * @param {string} name
 */
function refusal(session, name) {
  if (isPast(session)) return "an old stop is shown: go back to the present first";
  const moment = viewedMoment(session);
  if (moment === null) return WITHOUT.has(name) ? "" : "the program has not been started";
  return moment.alive || AFTERWARDS.has(name) ? "" : "the program has ended";
}

/**
 * @param {import("./app.js").App} app
 */
export function buildControls(app) {
  const bar = byId("controls");
  /** @type {HTMLButtonElement[]} */
  const buttons = [];
  for (const [name, key, words] of COMMANDS) {
    if (name === "gap") {
      bar.append(el("span", { class: "gap" }));
      continue;
    }
    const button = el("button", { type: "button", "data-command": name, "aria-keyshortcuts": key || null });
    button.append(name, ...(key === "" ? [] : [el("kbd", { "aria-hidden": "true" }, key)]));
    button.addEventListener("click", () => app.command(name));
    buttons.push(/** @type {HTMLButtonElement} */ (button));
    bar.append(button);
  }
  const stop = el("button", { type: "button", id: "interrupt", class: "danger", title: "Stop the program or the search (i)", "aria-keyshortcuts": "i" });
  stop.append("interrupt", el("kbd", { "aria-hidden": "true" }, "i"));
  stop.addEventListener("click", () => app.interrupt());
  bar.append(stop);

  app.show((session) => {
    const [drives, acts] = [session.live && session.drives, mayAct(session)];
    bar.hidden = !drives;
    const working = session.busy !== null || app.pending.length > 0;
    for (const button of buttons) {
      const why = refusal(session, button.dataset.command ?? "");
      button.disabled = !acts || why !== "";
      const [, key, words] = COMMANDS.find(([name]) => name === button.dataset.command) ?? ["", "", ""];
      button.title = why || (key === "" ? words : `${words} (${key})`);
    }
    /** @type {HTMLButtonElement} */ (stop).disabled = !mayCommand(session) || !working;
    stop.classList.toggle("live", working);
    document.body.classList.toggle("busy", working);
    document.body.classList.toggle("exported", !session.live);
  });
}

/**
 * Keys that work wherever no text is being typed.
 * @param {import("./app.js").App} app
 * @param {Record<string, () => void>} others  key -> action
 */
export function listenToKeys(app, others) {
  const actions = /** @type {Record<string, () => void>} */ ({ ...others, i: () => mayCommand(app.session) && app.interrupt() });
  for (const [name, key] of COMMANDS) {
    if (key !== "") actions[key] = () => (mayAct(app.session) ? app.command(name) : others[key]?.());
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") !== null) return;
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    const onButton = event.target instanceof Element && event.target.closest("button, summary, [role=tab]") !== null;
    if (onButton && (event.key === " " || event.key === "Enter")) return;
    if (event.target instanceof HTMLInputElement && event.target.type === "range" && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (event.key !== "Escape") closeEditor();
    action();
  });
}

/** The keys, for the page that explains them. */
export function commandKeys() {
  return COMMANDS.filter(([, key]) => key !== "").map(([name, key, words]) => [key, `${name}: ${words.toLowerCase()}`]);
}
