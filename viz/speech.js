/** The session in words: the description panel, and what screen readers are told as it goes on. */
import { byId, el } from "./dom.js";
import { isPast, viewedMoment, viewedRank } from "./state.js";
import { momentWords } from "./timeline.js";

const MOST_SAID = 6;

/** @typedef {import("./types.js").Session} Session */

export class SpeechView {
  constructor() {
    this.box = byId("panel-words");
    this.voice = byId("speech");
    /** @type {import("./types.js").Moment | null} */
    this.shown = null;
    /** @type {import("./types.js").Entry | null} */
    this.entry = null;
  }

  /** @param {Session} session */
  update(session) {
    const moment = viewedMoment(session);
    const last = session.entries[session.entries.length - 1] ?? null;
    const error = last !== this.entry && this.entry !== null ? (last?.error ?? null) : null;
    this.entry = last;
    if (error !== null) this.say(`Error: ${error}`);
    if (moment === this.shown) return;
    const before = this.shown;
    this.shown = moment;
    if (moment === null) return;
    this.box.replaceChildren(
      el("p", {}, this.place(session, moment)),
      el("ul", { class: "words" }, ...moment.description.map((text) => el("li", {}, text))),
    );
    if (before === null) return;
    const known = new Set(before.description);
    const news = moment.description.filter((text) => !known.has(text));
    const rest = news.length > MOST_SAID ? [`and ${news.length - MOST_SAID} more changes`] : [];
    this.say([this.place(session, moment), ...news.slice(0, MOST_SAID), ...rest].join(". "));
  }

  /**
   * @param {Session} session
   * @param {import("./types.js").Moment} moment
   */
  place(session, moment) {
    const past = isPast(session) ? "Old stop" : "Stop";
    return `${past} ${viewedRank(session)} of ${session.order.length}, ${momentWords(moment)}: ${moment.text.trim()}`;
  }

  /** @param {string} text */
  say(text) {
    this.voice.textContent = text;
  }
}
