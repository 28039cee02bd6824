/** What a repair has found, to be compared and chosen from; and the question where repairs would differ. */
import { byId, counted, el, unbroken } from "./dom.js";
import { drawStill } from "./scene.js";
import { drawDiff } from "./source.js";
import { isPast, mayCommand, pathToRoot, viewedMoment } from "./state.js";

/**
 * @typedef {import("./types.js").Repair} Repair
 * @typedef {import("./types.js").Question} Question
 * @typedef {import("./types.js").Alternative} Alternative
 * @typedef {import("./types.js").Picture} Picture
 */

/**
 * An edit in words: `temp1 != NULL` becomes `current != NULL`.
 * @param {import("./types.js").Edit} edit
 */
function editRow(edit) {
  const row = el("li", {}, el("span", { class: "edit-line" }, `line ${edit.line}`));
  if (edit.before !== "") row.append(" ", el("del", {}, ...unbroken(edit.before)));
  if (edit.before !== "" && edit.after !== "") row.append(el("span", { class: "becomes" }, " becomes "));
  if (edit.after !== "") row.append(edit.before === "" ? " insert " : "", el("ins", {}, ...unbroken(edit.after)));
  if (edit.after === "") row.append(" is deleted");
  return row;
}

/**
 * @param {Picture | null} picture
 * @param {string} caption
 * @param {string} [crash]
 */
function figure(picture, caption, crash = "") {
  const inside =
    crash !== "" ? el("p", { class: "crash" }, `crashes: ${crash}`)
      : picture === null ? el("p", { class: "empty" }, "cannot be foretold")
        : drawStill(picture, caption);
  const whole = el("figure", {}, el("figcaption", {}, caption), inside);
  if (picture !== null && crash === "") {
    whole.style.flexBasis = `${Math.min(WIDEST, picture.width * LEGIBLE)}px`;
    whole.style.maxWidth = `min(100%, ${picture.width * LARGEST}px)`;
  }
  return whole;
}

const LEGIBLE = 0.55; // of the size in the heap: text of 7 pixels; with less room pictures stand below each other
const LARGEST = 0.8;
const WIDEST = 520; // pixels
const WIDE = 450; // pixels from which the answers to a question stand beside and below it in two columns
const BRIEF = 2; // parts of a repair that come before a question: what was found, and the edits

export class DockView {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.box = byId("dock");
    /** @type {Repair | null} */
    this.closed = null;
    /** @type {any[]} */
    this.shown = [];
  }

  /** @param {import("./types.js").Session} session */
  update(session) {
    const { question, here } = session;
    const moment = viewedMoment(session);
    const path = pathToRoot(session, moment?.number ?? null);
    const made = session.repair !== null && path.includes(session.repair.moment) ? session.repair : null;
    const over = made !== null && made.patch !== "" && moment?.patch === "";
    const repair = over ? null : made;
    const key = [question, repair, here, this.closed, mayCommand(session), isPast(session)];
    if (key.every((one, index) => one === this.shown[index]) && this.shown.length > 0) return;
    const fresh = this.shown.length > 0 && (question !== this.shown[0] || repair !== this.shown[1]);
    this.shown = key;
    const asked = question === null || isPast(session) ? [] : this.question(question);
    const found = repair === null || repair === this.closed ? [] : this.repair(repair, asked.length > 0);
    const parts = asked.length > 0 ? [...found.slice(0, BRIEF), ...asked, ...found.slice(BRIEF)] : found;
    this.box.hidden = parts.length === 0;
    const top = fresh ? 0 : (this.box.firstElementChild?.scrollTop ?? 0);
    this.box.replaceChildren(el("div", { class: "dock-scroll" }, ...parts));
    if (this.box.firstElementChild !== null) this.box.firstElementChild.scrollTop = top;
  }

  /**
   * @param {string} title
   * @param {(Node | string)[]} notes
   * @param {() => void} [close]
   */
  heading(title, notes, close) {
    const head = el("div", { class: "pane-head" }, el("h2", {}, title), el("span", { class: "note" }, ...notes));
    if (close !== undefined) {
      head.append(el("button", { type: "button", class: "quiet close", "aria-label": "Close", title: "Close", onclick: close }, "✕"));
    }
    return head;
  }

  /**
   * @param {Repair} repair
   * @param {boolean} asked  whether a question stands below the edits
   */
  repair(repair, asked) {
    const seconds = repair.seconds < 1 ? `${Math.round(repair.seconds * 1000)} ms` : `${repair.seconds.toFixed(1)} s`;
    const note = `${seconds} · ${counted(repair.total, "candidate")} with ${counted(repair.behaviours, "behaviour")}`;
    const close = () => {
      this.closed = repair;
      this.app.refresh();
    };
    const edits = el("ul", { class: "edits" }, ...repair.edits.map(editRow));
    const summary = el(
      "div",
      { class: "repair-summary" },
      ...(asked ? [] : [edits]),
      ...repair.doubts.map((doubt) => el("p", { class: "doubt" }, el("b", {}, "doubt "), doubt)),
      ...repair.notes.map((note) => el("p", { class: "remark" }, note)),
      drawDiff(repair.patch),
    );
    const title = repair.edits.length === 0 ? "No edit is needed" : `Repaired by ${counted(repair.edits.length, "edit")}`;
    const body = el("div", { class: "dock-body" }, summary, this.alternatives(repair));
    const heading = this.heading(title, [note], close);
    if (!asked) return [heading, body];
    return [heading, el("div", { class: "dock-body brief" }, edits), this.heading("Difference and alternatives", []), body];
  }

  /** @param {Repair} repair */
  alternatives(repair) {
    const list = el("ol", { class: "alternatives", "aria-label": "Alternatives" });
    /** @type {Map<number, number>} the first alternative of each behaviour */
    const first = new Map();
    for (const alternative of repair.alternatives) {
      list.append(this.alternative(alternative, repair, first.get(alternative.behaviour) ?? null));
      if (!first.has(alternative.behaviour)) first.set(alternative.behaviour, alternative.rank);
    }
    const more = repair.total - repair.alternatives.length;
    if (more > 0 && repair.alternatives.length > 0) list.append(el("li", { class: "note" }, `${more} more: see candidates`));
    return list;
  }

  /**
   * @param {Alternative} alternative
   * @param {Repair} repair
   * @param {number | null} alike  the one before it that does the same, whose pictures tell of both
   */
  alternative(alternative, repair, alike) {
    const { session } = this.app;
    const open = mayCommand(session) && !isPast(session) && session.here === repair.moment && !alternative.accepted;
    const line = `accept ${alternative.rank}`;
    const button = el(
      "button",
      { type: "button", class: "card", disabled: !open, title: open ? line : null, "data-rank": alternative.rank, onclick: () => this.app.command(line) },
      el(
        "span",
        { class: "card-head" },
        el("b", {}, `${alternative.rank}`),
        el("span", { class: "note" }, alike === null ? `behaviour ${alternative.behaviour}` : `does the same as ${alike}`),
        alternative.accepted ? el("span", { class: "badge in-force" }, "✓ in force") : open ? el("span", { class: "badge choose" }, "accept") : null,
      ),
      el("ul", { class: "edits" }, ...alternative.edits.map(editRow)),
      alike !== null ? null : el("span", { class: "pair" }, figure(alternative.before, "before"), el("span", { class: "turns", "aria-hidden": "true" }, "→"), figure(alternative.after, "after", alternative.crash)),
    );
    return el("li", { class: alternative.accepted ? "accepted" : null }, button);
  }

  /** @param {Question} question */
  question(question) {
    const acts = mayCommand(this.app.session);
    const note = "Repairs that fit differ on another heap. Click what should come out.";
    const results = question.results.map((result, index) => {
      const line = `repair --answer ${index + 1}`;
      const does = [result.unchanged ? "nothing changes" : "", result.output === "" ? "" : `prints ${JSON.stringify(result.output)}`];
      const caption = [`result ${index + 1}`, does.filter((words) => words !== "").join(", ")].filter((words) => words !== "").join(": ");
      const card = el("button", { type: "button", class: "card answer-card", disabled: !acts, title: line, "data-answer": index + 1, onclick: () => this.app.command(line) });
      card.append(figure(result.picture, caption, result.crash));
      return el("li", {}, card);
    });
    const neither = el("button", { type: "button", disabled: !acts, title: "repair --answer 0", "data-answer": 0, onclick: () => this.app.command("repair --answer 0") }, "None of these");
    const wide = [question.input, ...question.results.map((result) => result.picture)].some((picture) => picture.width > WIDE);
    const name = question.function === "" ? "it" : `${question.function}()`;
    const heading = this.heading(`What should ${name} make of this?`, [note]);
    heading.append(neither);
    return [
      heading,
      el(
        "div",
        { class: wide ? "dock-body question wide" : "dock-body question" },
        figure(question.input, "given"),
        el("span", { class: "turns", "aria-hidden": "true" }, "→"),
        el("ol", { class: "answers" }, ...results),
      ),
    ];
  }
}
