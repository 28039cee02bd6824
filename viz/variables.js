/** The variables of the frames and the globals, as a list; values can be typed over. */
import { baseName, byId, el } from "./dom.js";
import { mayAct, viewedMoment } from "./state.js";

/**
 * @typedef {import("./types.js").FrameVariable} FrameVariable
 * @typedef {(anchor: HTMLElement, variable: FrameVariable) => void} Edit
 */

export class VariablesView {
  /** @param {Edit} edit */
  constructor(edit) {
    this.box = byId("panel-variables");
    this.edit = edit;
    this.shown = /** @type {any[]} */ ([]);
  }

  /** @param {import("./types.js").Session} session */
  update(session) {
    const moment = viewedMoment(session);
    const editable = mayAct(session);
    if (this.shown[0] === moment && this.shown[1] === editable) return;
    this.shown = [moment, editable];
    if (moment === null) {
      this.box.replaceChildren(el("p", { class: "empty" }, "The program has not stopped yet."));
      return;
    }
    const parts = moment.frames.map((frame, index) =>
      this.group(frame.function, `${baseName(frame.file)}:${frame.line}`, frame.variables, editable, index === 0),
    );
    if (moment.hidden_frames > 0) parts.push(el("p", { class: "empty" }, `${moment.hidden_frames} more frames`));
    if (moment.globals.length > 0) parts.push(this.group("globals", "", moment.globals, editable, true));
    this.box.replaceChildren(...parts);
  }

  /**
   * @param {string} title
   * @param {string} place
   * @param {FrameVariable[]} variables
   * @param {boolean} editable
   * @param {boolean} open
   */
  group(title, place, variables, editable, open) {
    const table = el("table", { class: "variables" }, el("caption", { class: "unseen" }, `Variables of ${title}`));
    const body = el("tbody");
    for (const variable of variables) body.append(this.row(variable, editable));
    table.append(body);
    const summary = el("summary", {}, el("b", {}, title), " ", el("span", { class: "note" }, place));
    const inside = variables.length > 0 ? table : el("p", { class: "empty" }, "no variables");
    return el("details", { open }, summary, inside);
  }

  /**
   * @param {FrameVariable} variable
   * @param {boolean} editable
   */
  row(variable, editable) {
    const value = el("td", { class: "value" });
    if (editable && variable.editable) {
      const button = el("button", { type: "button", class: "value-button", title: `change ${variable.place}` }, variable.text);
      button.addEventListener("click", () => this.edit(button, variable));
      value.append(button);
    } else value.append(variable.text);
    if (variable.changed) value.append(el("span", { class: "changed-sign", title: "changed since the stop before" }, "changed"));
    return el(
      "tr",
      { class: variable.changed ? "changed" : null, "data-place": variable.place },
      el("th", { scope: "row" }, variable.name),
      value,
      el("td", { class: "type" }, variable.type),
    );
  }
}
