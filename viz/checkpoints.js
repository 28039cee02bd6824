/** What is asserted, and the tree of checkpoints. */
import { byId, el } from "./dom.js";
import { mayCommand, viewedMoment } from "./state.js";

/**
 * @typedef {import("./types.js").Checkpoint} Checkpoint
 * @typedef {import("./types.js").Session} Session
 */

export class CheckpointsView {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.box = byId("panel-checkpoints");
    this.shown = "";
  }

  /** @param {Session} session */
  update(session) {
    const moment = viewedMoment(session);
    const assertions = moment?.assertions ?? [];
    const acts = mayCommand(session);
    const key = JSON.stringify([session.checkpoints, assertions, moment?.number, acts, session.here]);
    if (key === this.shown) return;
    this.shown = key;
    const asserted = el("ul", { class: "assertions" }, ...assertions.map((text) => el("li", {}, text)));
    this.box.replaceChildren(
      el("h3", {}, "Asserted at this stop"),
      assertions.length > 0 ? asserted : el("p", { class: "empty" }, "Nothing yet: spec says that the state is right here."),
      el("h3", {}, "Checkpoints"),
      this.tree(session, acts) ?? el("p", { class: "empty" }, "None yet."),
    );
  }

  /**
   * @param {Session} session
   * @param {boolean} acts
   * @returns {HTMLElement | null}
   */
  tree(session, acts) {
    const known = new Set(session.checkpoints.map((one) => one.checkpoint));
    const below = (/** @type {number | null} */ parent) =>
      session.checkpoints.filter((one) => (one.parent !== null && known.has(one.parent) ? one.parent : null) === parent);
    const level = (/** @type {number | null} */ parent) => {
      const children = below(parent);
      if (children.length === 0) return null;
      // A chain without branches is listed flat: only where paths part does the tree grow to the right.
      const list = el("ul", { class: "tree" });
      let row = children;
      while (row.length === 1) {
        list.append(el("li", {}, this.item(row[0], session, acts)));
        row = below(row[0].checkpoint);
      }
      for (const one of row) {
        list.append(el("li", { class: "branch" }, this.item(one, session, acts), level(one.checkpoint)));
      }
      return list;
    };
    return level(null);
  }

  /**
   * @param {Checkpoint} checkpoint
   * @param {Session} session
   * @param {boolean} acts
   */
  item(checkpoint, session, acts) {
    const { moment, dropped } = checkpoint;
    const viewed = viewedMoment(session);
    const here = moment !== null && viewed?.number === moment;
    const where = `${checkpoint.function}:${checkpoint.line}`;
    const look = el(
      "button",
      { type: "button", class: "quiet look", disabled: moment === null || !session.moments.has(moment), "aria-current": here ? "true" : null },
      el("span", { class: "diamond", "aria-hidden": "true" }, dropped ? "◇" : "◆"),
      el("b", {}, ` ${checkpoint.checkpoint} `),
      where,
      dropped ? el("span", { class: "note" }, " withdrawn") : null,
    );
    look.addEventListener("click", () => this.app.look(moment));
    const row = el("div", { class: `checkpoint${dropped ? " dropped" : ""}${here ? " viewed" : ""}` }, look);
    if (acts) {
      const line = `resume ${checkpoint.checkpoint}`;
      const resume = el("button", { type: "button", class: "quiet acts", title: line }, "resume");
      resume.addEventListener("click", () => this.app.command(line));
      row.append(resume);
    }
    return row;
  }
}
