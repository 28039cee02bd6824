/** All stops on a line: a slider, its keys, and the marks of checkpoints and of the present. */
import { byId, el, svg } from "./dom.js";
import { isPast, resumeCommand, mayCommand, pathToRoot, viewedMoment, viewedRank } from "./state.js";

const PLAY_PAUSE = 1100; // milliseconds a stop is shown while playing
const MOST_TICKS = 400;

const ICONS = {
  first: "M2 2h2v10H2zM12.5 2v10L5 7z",
  before: "M10 2v10L3 7z",
  play: "M7 .8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 7 .8zM5.5 4v6l5-3z",
  pause: "M3 2h3v10H3zM8 2h3v10H8z",
  after: "M4 2v10l7-5z",
  last: "M10 2h2v10h-2zM1.5 2v10L9 7z",
};

/** @param {string} path */
function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 14 14", "aria-hidden": "true" }, svg("path", { d: path, "fill-rule": "evenodd" }));
}

/**
 * A stop in words.
 * @param {import("./types.js").Moment} moment
 */
export function momentWords(moment) {
  if (!moment.alive) return moment.text || moment.reason;
  const why = moment.signal || (moment.reason === "step" ? "" : moment.reason);
  return [why, `${moment.function}:${moment.line}`].filter((part) => part !== "").join(" ");
}

export class TimelineView {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.slider = /** @type {HTMLInputElement} */ (el("input", { type: "range", min: 1, max: 1, step: 1, id: "slider" }));
    this.slider.setAttribute("aria-label", "Stop");
    this.ticks = el("div", { class: "ticks", "aria-hidden": "true" });
    this.count = el("span", { class: "count" });
    this.playing = 0;
    /** @type {any[]} */
    this.drawn = [];
    this.play = this.button(ICONS.play, "Play", "Play (space)", () => this.togglePlay());
    byId("timeline").append(
      this.button(ICONS.first, "First stop", "First stop (Home)", () => this.move(-Infinity)),
      this.button(ICONS.before, "Stop before", "Stop before (left arrow)", () => this.move(-1)),
      this.play,
      this.button(ICONS.after, "Stop after", "Stop after (right arrow)", () => this.move(1)),
      this.button(ICONS.last, "Last stop", "The present (End)", () => this.toEnd()),
      el("div", { class: "track" }, this.ticks, this.slider),
      this.count,
    );
    this.slider.addEventListener("input", () => {
      this.stop();
      const number = this.app.session.order[Number(this.slider.value) - 1];
      if (number !== undefined) this.app.look(number);
    });
  }

  /**
   * @param {string} sign  path data
   * @param {string} label
   * @param {string} title
   * @param {() => void} act
   */
  button(sign, label, title, act) {
    return el("button", { type: "button", class: "quiet", "aria-label": label, title, onclick: act }, icon(sign));
  }

  /** @param {number} steps */
  move(steps) {
    this.stop();
    this.app.lookAlong(steps);
  }

  /** The present in a running session, else the last stop. */
  toEnd() {
    this.stop();
    if (this.app.session.live) this.app.look(null);
    else this.app.lookAlong(Infinity);
  }

  togglePlay() {
    if (this.playing !== 0) return this.stop();
    const { order } = this.app.session;
    if (viewedRank(this.app.session) === order.length) this.app.look(order[0] ?? null);
    this.playing = window.setInterval(() => {
      if (viewedRank(this.app.session) >= this.app.session.order.length) this.stop();
      else this.app.lookAlong(1);
    }, PLAY_PAUSE);
    return this.showPlay();
  }

  stop() {
    window.clearInterval(this.playing);
    this.playing = 0;
    this.showPlay();
  }

  showPlay() {
    this.play.replaceChildren(icon(this.playing === 0 ? ICONS.play : ICONS.pause));
    this.play.setAttribute("aria-label", this.playing === 0 ? "Play" : "Pause");
  }

  /** @param {import("./types.js").Session} session */
  update(session) {
    const rank = viewedRank(session);
    const moment = viewedMoment(session);
    this.slider.max = String(Math.max(1, session.order.length));
    this.slider.value = String(Math.max(1, rank));
    this.slider.disabled = session.order.length < 2;
    this.slider.setAttribute("aria-valuetext", moment === null ? "no stop" : `stop ${rank} of ${session.order.length}, ${momentWords(moment)}`);
    this.count.textContent = `${rank} / ${session.order.length}`;
    const key = [session.order, session.here, session.checkpoints, session.moments.size];
    if (key.some((one, index) => one !== this.drawn[index])) this.drawTicks(session);
    this.drawn = key;
    this.showPlay();
  }

  /** @param {import("./types.js").Session} session */
  drawTicks(session) {
    const { order } = session;
    const path = new Set(pathToRoot(session));
    const asserted = new Map(session.checkpoints.filter((one) => !one.dropped).map((one) => [one.moment, one.checkpoint]));
    const span = Math.max(1, order.length - 1);
    const marks = document.createDocumentFragment();
    order.forEach((number, index) => {
      const moment = session.moments.get(number);
      const checkpoint = asserted.get(number);
      const here = number === session.here && session.live;
      const left = moment !== undefined && !path.has(number) ? " off" : "";
      const plain = checkpoint === undefined && !here;
      if (plain && order.length > MOST_TICKS) return;
      const tick = el("span", { class: `tick${left}${here ? " here" : ""}${checkpoint === undefined ? "" : " checkpoint"}` });
      if (checkpoint !== undefined) tick.append(el("span", { class: "diamond" }, "◆"));
      tick.style.left = `${(index / span) * 100}%`;
      marks.append(tick);
    });
    this.ticks.replaceChildren(marks);
  }
}

/** The banner over the heap while an old stop is looked at, with the way to make it the present. */
export class PastView {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.box = byId("past");
    this.shown = "";
  }

  /** @param {import("./types.js").Session} session */
  update(session) {
    const past = isPast(session);
    document.body.classList.toggle("in-past", past);
    const moment = viewedMoment(session);
    const line = moment === null || !mayCommand(session) ? null : resumeCommand(session, moment.number);
    const here = session.here === null ? 0 : session.order.indexOf(session.here) + 1;
    const key = past ? JSON.stringify([moment?.number, here, line]) : "";
    this.box.hidden = !past;
    if (key === this.shown || !past) {
      this.shown = key;
      return;
    }
    this.shown = key;
    const title = `Stop ${viewedRank(session)}${moment === null ? "" : ` (${momentWords(moment)})`} is over`;
    const words = el("span", { class: "past-words" }, el("b", {}, title), `; the process stands at stop ${here}. Nothing can be edited.`);
    const back = el("button", { type: "button", id: "to-present", title: "(End or Escape)", onclick: () => this.app.look(null) }, "Back to the present");
    const resume = el("button", { type: "button", id: "resume", class: "strong", title: line, onclick: () => this.app.resume() }, "Resume here");
    this.box.replaceChildren(words, ...(line === null ? [] : [resume]), back);
  }
}
