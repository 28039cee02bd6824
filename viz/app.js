/**
 * The page as a whole: the session that it shows, what may be done with it, and who wants to know.
 *
 * @typedef {import("./types.js").Session} Session
 */
import { applyMessage, emptySession, mayCommand, resumeCommand } from "./state.js";

export class App {
  constructor() {
    /** @type {Session} */
    this.session = emptySession();
    /** @type {((session: Session) => void)[]} */
    this.views = [];
    /** @type {((message: object) => boolean) | null} */
    this.sender = null;
    /** @type {string[]} commands sent from here that have not been answered yet */
    this.pending = [];
    this.motionWanted = false;
  }

  /** @param {(session: Session) => void} view  called now and after every change */
  show(view) {
    this.views.push(view);
    view(this.session);
  }

  refresh() {
    for (const view of this.views) view(this.session);
  }

  /** @param {any} message  from the server */
  receive(message) {
    if (message.kind === "entry") {
      const index = this.pending.indexOf(message.entry.command);
      if (index >= 0) this.pending.splice(index, 1);
    }
    if (message.kind === "hello") this.pending = [];
    this.motionWanted = message.kind !== "hello";
    applyMessage(this.session, message);
    this.refresh();
    this.motionWanted = false;
  }

  /** @param {Session["link"]} link */
  connect(link) {
    this.session.link = link;
    this.refresh();
  }

  /**
   * Give a command, as if it were typed at the prompt; the page looks at the present again.
   * @param {string} line
   * @returns {boolean} whether it went out
   */
  command(line) {
    const one = line.replace(/[\r\n]+/g, " ").trim();
    if (one === "" || !mayCommand(this.session) || this.sender === null) return false;
    if (!this.sender({ kind: "command", line: one })) return false;
    this.pending.push(one);
    this.session.pinned = null;
    this.refresh();
    return true;
  }

  /**
   * Give the program a line of input; it is echoed in the output when the program is given it.
   * @param {string} line
   * @returns {boolean} whether it went out
   */
  type(line) {
    return this.session.asked && mayCommand(this.session) && (this.sender?.({ kind: "input", line }) ?? false);
  }

  endInput() {
    if (this.session.asked && mayCommand(this.session)) this.sender?.({ kind: "end-of-input" });
  }

  interrupt() {
    this.sender?.({ kind: "interrupt" });
  }

  /** @param {number | null} number  the stop to look at; null or the present: follow the process */
  look(number) {
    this.session.pinned = number === this.session.here && this.session.live ? null : number;
    this.refresh();
  }

  /**
   * Look at the stop so many further on in the order of numbers.
   * @param {number} steps
   */
  lookAlong(steps) {
    const { order, pinned, here } = this.session;
    const at = order.indexOf(pinned ?? here ?? -1);
    const next = order[Math.min(order.length - 1, Math.max(0, at + steps))];
    if (next !== undefined) this.look(next);
  }

  /** Bring the process to the stop that is looked at. */
  resume() {
    const { pinned } = this.session;
    const line = pinned === null ? null : resumeCommand(this.session, pinned);
    if (line !== null) this.command(line);
  }
}
