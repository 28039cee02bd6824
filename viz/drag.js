/**
 * Leading an arrow elsewhere with the mouse: its head, or the mark at a pointer's cell, is dragged to a node or to the
 * null target.  Escape leaves everything as it was.
 *
 * @typedef {import("./heap.js").HeapView} HeapView
 * @typedef {import("./types.js").HeapNode} HeapNode
 * @typedef {import("./types.js").Point} Point
 */
import { byId, svg } from "./dom.js";
import { contains, headPath, linePath } from "./geometry.js";

const GRIP = 13; // pixels of the screen around the head of an arrow
const START = 4; // pixels that the mouse has to move

/**
 * @typedef {{from: string, start: Point, element: Element | null, atom: import("./atoms.js").Atom | null}} Grip
 */

export class Dragger {
  /**
   * @param {HeapView} heap
   * @param {() => boolean} mayEdit
   * @param {(place: string, value: string) => void} change
   * @param {(atom: import("./atoms.js").Atom) => void} press  a pointer's cell was clicked, not dragged
   */
  constructor(heap, mayEdit, change, press) {
    this.heap = heap;
    this.mayEdit = mayEdit;
    this.change = change;
    this.press = press;
    this.zone = byId("null-target");
    this.line = svg("path", { class: "drag-line" });
    this.head = svg("path", { class: "drag-head" });
    /** @type {Grip | null} */
    this.grip = null;
    this.moving = false;
    /** @type {Point} */
    this.origin = [0, 0];
    /** @type {string | null} the value that would be written if the mouse were let go now */
    this.value = null;
    const { pane } = heap;
    pane.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    pane.addEventListener("pointermove", (event) => this.move(event));
    pane.addEventListener("pointerup", (event) => this.up(event));
    pane.addEventListener("pointercancel", () => this.end());
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || this.grip === null) return;
        event.stopPropagation();
        event.preventDefault();
        this.end();
      },
      { capture: true },
    );
  }

  /**
   * What can be dragged at a spot: the head of an arrow, or the value of a pointer's cell.
   * @param {PointerEvent} event
   * @returns {Grip | null}
   */
  gripAt(event) {
    if (!this.mayEdit()) return null;
    const [x, y] = this.heap.camera.toPicture(event);
    const reach = GRIP / this.heap.camera.view.scale;
    let least = reach;
    /** @type {Grip | null} */
    let found = null;
    for (const { element, data } of this.heap.arrows.values()) {
      if (!data.editable) continue;
      const tip = data.points[data.points.length - 1];
      const distance = Math.hypot(tip[0] - x, tip[1] - y);
      if (distance < least) [least, found] = [distance, { from: data.from, start: data.points[0], element, atom: null }];
    }
    if (found !== null) return found;
    const atom = this.heap.atomAt(event.target);
    const cell = atom?.cell;
    if (!atom || !cell || !cell.pointer || !cell.editable) return null;
    const arrow = this.heap.arrows.get(cell.place);
    const side = x > cell.x + cell.width / 2 ? cell.x + cell.width : cell.x;
    const start = /** @type {Point} */ (arrow?.data.points[0] ?? [side, cell.y + cell.height / 2]);
    return { from: cell.place, start, element: arrow?.element ?? null, atom };
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest(".editor, button") !== null)) return;
    const grip = this.gripAt(event);
    if (grip === null) return;
    event.preventDefault();
    this.grip = grip;
    this.moving = false;
    this.origin = [event.clientX, event.clientY];
    this.heap.pane.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (this.grip === null) {
      const atArrow = event.buttons === 0 && this.gripAt(event) !== null;
      this.heap.pane.classList.toggle("grip", atArrow);
      return;
    }
    if (!this.moving) {
      if (Math.hypot(event.clientX - this.origin[0], event.clientY - this.origin[1]) < START) return;
      this.begin();
    }
    this.aim(event);
  }

  begin() {
    this.moving = true;
    const { heap, zone, grip } = this;
    heap.pane.classList.add("dragging");
    zone.hidden = false;
    grip?.element?.classList.add("lifted");
    heap.layers.over.append(this.line, this.head);
    for (const { element, data } of heap.nodes.values()) element.classList.toggle("target", data.value !== "");
  }

  /** @param {PointerEvent} event */
  aim(event) {
    const { heap, zone, grip } = this;
    if (grip === null) return;
    const spot = heap.camera.toPicture(event);
    const box = zone.getBoundingClientRect();
    const overNull = contains(box, [event.clientX, event.clientY], 6);
    const node = overNull ? null : this.nodeAt(spot);
    this.value = overNull ? "null" : (node?.value ?? null);
    zone.classList.toggle("aimed", overNull);
    for (const { element, data } of heap.nodes.values()) element.classList.toggle("aimed", data === node);
    const points = /** @type {Point[]} */ ([grip.start, spot]);
    this.line.setAttribute("d", linePath(points));
    this.head.setAttribute("d", headPath(points));
  }

  /** @param {Point} spot @returns {HeapNode | null} */
  nodeAt(spot) {
    for (const { data } of this.heap.nodes.values()) if (data.value !== "" && contains(data, spot, 3)) return data;
    return null;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { grip, moving } = this;
    if (grip === null) return;
    if (moving) this.aim(event);
    const { value } = this;
    this.end();
    if (moving && value !== null && this.mayEdit()) this.change(grip.from, value);
    else if (!moving && grip.atom !== null) this.press(grip.atom);
  }

  /** Nothing is dragged any more; nothing is changed. */
  end() {
    if (this.grip === null) return;
    this.grip.element?.classList.remove("lifted");
    this.grip = null;
    this.moving = false;
    this.value = null;
    this.heap.pane.classList.remove("dragging");
    this.zone.hidden = true;
    this.zone.classList.remove("aimed");
    this.line.remove();
    this.head.remove();
    for (const { element } of this.heap.nodes.values()) element.classList.remove("target", "aimed");
  }
}
