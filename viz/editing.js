/** Editing the picture: which cells open a field, what is offered, and the command that comes of it. */
import { Dragger } from "./drag.js";
import { closeEditor, openEditor } from "./editor.js";
import { byId } from "./dom.js";
import { mayAct, viewedMoment } from "./state.js";

/**
 * @typedef {import("./app.js").App} App
 * @typedef {import("./heap.js").HeapView} HeapView
 * @typedef {import("./atoms.js").Atom} Atom
 */

export class Editing {
  /**
   * @param {App} app
   * @param {HeapView} heap
   */
  constructor(app, heap) {
    this.app = app;
    this.heap = heap;
    const mayEdit = () => mayAct(app.session);
    const change = (/** @type {string} */ place, /** @type {string} */ value) => app.command(`change ${place} ${value}`);
    this.dragger = new Dragger(heap, mayEdit, change, (atom) => this.open(atom));
    this.change = change;
    heap.root.addEventListener("click", (event) => {
      const atom = heap.atomAt(event.target);
      if (atom !== null && atom.cell !== null) this.open(atom);
    });
    heap.root.addEventListener("keydown", (event) => this.onKey(/** @type {KeyboardEvent} */ (event)), { capture: true });
    let shown = viewedMoment(app.session);
    app.show((session) => {
      const moment = viewedMoment(session);
      heap.pane.classList.toggle("editable", mayAct(session));
      if (!mayAct(session)) closeEditor();
      if (moment !== shown || !mayAct(session)) this.dragger.end(); // what was dragged belongs to a picture that is gone
      shown = moment;
    });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const atom = this.heap.atomAt(event.target);
    if (atom === null || atom.cell === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const digit = /^[-\d]$/.test(event.key) && !atom.cell.pointer;
    if (event.key !== "Enter" && event.key !== "F2" && !digit) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(atom, digit ? event.key : undefined);
  }

  /**
   * @param {Atom} atom
   * @param {string} [typed]
   */
  open(atom, typed) {
    const { cell } = atom;
    if (cell === null || !cell.editable || !mayAct(this.app.session)) return;
    this.field(atom.element, this.heap.pane, { place: cell.place, text: cell.text, type: cell.type, pointer: cell.pointer }, typed);
  }

  /**
   * A variable in the list is changed in the same way.
   * @param {HTMLElement} anchor
   * @param {import("./types.js").FrameVariable} variable
   */
  openVariable(anchor, variable) {
    const pointer = variable.type.trimEnd().endsWith("*");
    this.field(anchor, byId("panel-variables"), { ...variable, pointer }, undefined);
  }

  /**
   * @param {Element} anchor
   * @param {HTMLElement} pane
   * @param {{place: string, text: string, type: string, pointer: boolean}} cell
   * @param {string | undefined} typed
   */
  field(anchor, pane, cell, typed) {
    const choices = cell.pointer ? this.choices(cell.type) : null;
    openEditor({
      anchor,
      pane,
      place: cell.place,
      text: cell.text,
      choices,
      typed,
      commit: (value) => this.change(cell.place, value),
      point: (name) => {
        for (const { element, data } of this.heap.nodes.values()) element.classList.toggle("aimed", name !== null && data.name === name);
      },
    });
  }

  /**
   * Null and the nodes, those of the pointer's own type first.
   * @param {string} type  of the pointer
   * @returns {import("./editor.js").Choice[]}
   */
  choices(type) {
    const target = type.replace(/\s*\*\s*$/, "");
    const nodes = (viewedMoment(this.app.session)?.picture.nodes ?? []).filter((node) => node.value !== "");
    const fits = (/** @type {{type: string}} */ node) => (node.type === target || node.type.startsWith(`${target} [`) ? 0 : 1);
    const sorted = [...nodes].sort((a, b) => fits(a) - fits(b));
    return [
      { value: "null", note: "", node: "" },
      ...sorted.map((node) => ({ value: node.value, note: [node.type, node.state === "live" ? "" : node.state].filter(Boolean).join(", "), node: node.name })),
    ];
  }
}
