/** The source as given, the patch inline, and the line before which the program stands. */
import { baseName, byId, el } from "./dom.js";
import { currentIndex, parsePatch, patchedLines, sameFile } from "./diff.js";
import { colourLine } from "./highlight.js";
import { isPast, viewedMoment } from "./state.js";

/** @typedef {import("./diff.js").DiffLine} DiffLine */

/**
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function codeNodes(text, state = { inComment: false }) {
  const { tokens, inComment } = colourLine(text, state.inComment);
  state.inComment = inComment;
  return tokens.map((token) => (token.look === "" ? token.text : el("span", { class: `c-${token.look}` }, token.text)));
}

const KEPT = 6; // drawn sources
const DIFF_SIGNS = { same: "", removed: "−", added: "+" };
const DIFF_WORDS = { same: "", removed: "removed: ", added: "added: " };

/**
 * @param {DiffLine} line
 * @param {{inComment: boolean}} state
 */
function lineRow(line, state) {
  const said = DIFF_WORDS[line.kind];
  return el(
    "div",
    { class: `line ${line.kind}`, "data-line": line.line },
    el("span", { class: "number" }, line.line === null ? "" : String(line.line)),
    el("span", { class: "sign", "aria-hidden": "true" }, DIFF_SIGNS[line.kind]),
    said === "" ? null : el("span", { class: "unseen" }, said),
    el("code", {}, ...codeNodes(line.text, state)),
  );
}

/**
 * A patch on its own, as its hunks.
 * @param {string} patch
 * @returns {HTMLElement}
 */
export function drawDiff(patch) {
  const whole = el("div", { class: "diff", role: "group", "aria-label": "Difference" });
  for (const hunk of parsePatch(patch)) {
    whole.append(el("div", { class: "hunk" }, hunk.heading));
    const state = { inComment: false };
    for (const line of hunk.lines) whole.append(lineRow(line, state));
  }
  return whole;
}

export class SourceView {
  constructor() {
    this.box = byId("source");
    this.note = byId("source-note");
    this.shownKey = "";
    /** @type {Map<string, {lines: DiffLine[], rows: HTMLElement[]}>} the last few, so that going to and fro is quick */
    this.drawn = new Map();
    /** @type {DiffLine[]} */
    this.lines = [];
    /** @type {Element | null} */
    this.current = null;
    /** @type {import("./types.js").Repair | null} */
    this.repair = null;
    new ResizeObserver(() => {
      if (this.current !== null) reveal(this.box, /** @type {HTMLElement} */ (this.current));
    }).observe(this.box);
  }

  /** @param {import("./types.js").Session} session */
  update(session) {
    const moment = viewedMoment(session);
    const file = moment?.file || session.sources[0]?.file || "";
    const source = session.sources.find((one) => one.file === file) ?? session.sources.find((one) => sameFile(one.file, file));
    const patch = moment?.patch ?? "";
    const key = JSON.stringify([source?.file, source?.text.length, patch]);
    if (key !== this.shownKey) this.draw(key, source, patch);
    this.shownKey = key;
    this.note.replaceChildren(baseName(file));
    this.note.title = file;
    if (patch !== "") this.note.append(" ", el("span", { class: "badge patched" }, "± patched"));
    this.mark(moment !== null && moment.file !== "" && source !== undefined ? currentIndex(this.lines, moment.line) : -1, isPast(session), moment?.signal ?? "");
    if (session.repair !== this.repair && session.repair?.moment === moment?.number) this.revealEdits();
    this.repair = session.repair;
    if (moment !== null && source === undefined && file !== "") this.box.replaceChildren(el("p", { class: "empty" }, `The text of ${file} is not at hand.`));
  }

  /** A repair has come: the edited line that is nearest to the program's place is to be seen. */
  revealEdits() {
    const at = [...this.box.children].findIndex((row) => row === this.current);
    const edited = this.lines.flatMap((line, index) => (line.kind === "same" ? [] : [index]));
    edited.sort((one, two) => Math.abs(one - at) - Math.abs(two - at));
    if (edited.length > 0) reveal(this.box, /** @type {HTMLElement} */ (this.box.children[edited[0]]));
  }

  /**
   * @param {string} key
   * @param {import("./types.js").Source | undefined} source
   * @param {string} patch
   */
  draw(key, source, patch) {
    this.mark(-1, false, "");
    let drawn = this.drawn.get(key);
    if (drawn === undefined) {
      const state = { inComment: false };
      const lines = source === undefined ? [] : patchedLines(source.file, source.text, patch);
      drawn = { lines, rows: lines.map((line) => lineRow(line, state)) };
      if (this.drawn.size >= KEPT) this.drawn.delete(this.drawn.keys().next().value ?? "");
      this.drawn.set(key, drawn);
    }
    this.lines = drawn.lines;
    this.box.replaceChildren(...drawn.rows);
  }

  /**
   * @param {number} index
   * @param {boolean} past
   * @param {string} signal  that stopped the program here, or ""
   */
  mark(index, past, signal) {
    const row = index < 0 ? null : (this.box.children[index] ?? null);
    if (this.current !== null && this.current !== row) {
      this.current.classList.remove("current", "over", "crashed");
      this.current.removeAttribute("aria-current");
    }
    row?.classList.add("current");
    row?.classList.toggle("over", past);
    row?.classList.toggle("crashed", signal !== "");
    row?.setAttribute("aria-current", "true");
    if (row !== null && row !== this.current) reveal(this.box, /** @type {HTMLElement} */ (row));
    this.current = row;
  }
}

/**
 * Scroll only as far as needed for a row to be well in sight.
 * @param {HTMLElement} box
 * @param {HTMLElement} row
 */
function reveal(box, row) {
  const [frame, spot] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
  const margin = Math.min(72, frame.height / 3);
  if (spot.top < frame.top + margin || spot.bottom > frame.bottom - margin) {
    box.scrollTop += spot.top - frame.top - frame.height * 0.4;
  }
}
