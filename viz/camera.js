/**
 * Which part of a picture is seen, and how large: zoom, pan, fit.
 *
 * @typedef {{x: number, y: number, scale: number}} View  screen = picture * scale + (x, y)
 */
import { Motion } from "./motion.js";

const LEAST = 0.04;
const MOST = 4;
const LARGEST_FIT = 1.15;
const SMALLEST_FIRST = 0.42; // below this nothing can be read: a large heap is better begun at its first nodes
const MARGIN = 18;
const NEAR = 200; // pixels beyond the pane that count as seen
const FAR = 0.38; // below this scale texts are not drawn, only names in large letters
const FARTHER = 0.16;

export class Camera {
  /**
   * @param {HTMLElement} pane
   * @param {SVGElement} stage  the group that moves
   */
  constructor(pane, stage) {
    this.pane = pane;
    this.stage = stage;
    /** @type {View} */
    this.view = { x: 0, y: 0, scale: 1 };
    this.size = { x: 0, y: 0, width: 0, height: 0 };
    this.first = 0; // the middle of the first node, from the left of the picture
    this.touched = false;
    this.seen = false;
    this.motion = new Motion();
    /** Called when another part is seen. */
    this.onMove = () => {};
    this.paneSize = { width: pane.clientWidth, height: pane.clientHeight };
    new ResizeObserver(() => {
      this.paneSize = { width: pane.clientWidth, height: pane.clientHeight };
      if (!this.touched && this.seen) this.moveTo(this.fitting(), false);
    }).observe(pane);
  }

  /**
   * A picture of this extent is shown: keep the view when it still shows it well, else fit.
   * @param {{x: number, y: number, width: number, height: number, nodes: {x: number, width: number}[]}} picture
   * @param {boolean} animate
   */
  settle({ x, y, width, height, nodes }, animate) {
    this.size = { x, y, width, height };
    this.first = nodes.length > 0 ? nodes[0].x + nodes[0].width / 2 - x : 0;
    if (width <= 0 || height <= 0 || this.paneSize.width === 0) return;
    const first = !this.seen;
    this.seen = true;
    if (this.touched && this.somethingSeen()) return;
    const best = this.fitting();
    if (!first && !this.touched && this.allSeen() && this.view.scale > best.scale * 0.68) return;
    this.touched = false;
    this.moveTo(best, animate && !first);
  }

  /** Show all of it; what was zoomed or panned by hand is forgotten. */
  fit() {
    this.touched = false;
    this.moveTo(this.fitting(true), true);
  }

  /**
   * @param {boolean} all  however small it gets
   * @returns {View}
   */
  fitting(all = false) {
    const [width, height] = [this.paneSize.width, this.paneSize.height];
    const fit = Math.min((width - 2 * MARGIN) / this.size.width, (height - 2 * MARGIN) / this.size.height);
    const scale = Math.min(LARGEST_FIT, Math.max(fit, all ? LEAST : SMALLEST_FIRST));
    const spare = width - this.size.width * scale;
    const x = spare >= 2 * MARGIN ? spare / 2 : Math.min(MARGIN, Math.max(width / 2 - this.first * scale, spare - MARGIN));
    const y = Math.max(MARGIN, (height - this.size.height * scale) * 0.42);
    return { x: x - this.size.x * scale, y: y - this.size.y * scale, scale };
  }

  /**
   * @param {number} factor
   * @param {[number, number]} [about]  in pixels of the pane; its middle if left out
   */
  zoomBy(factor, about = [this.paneSize.width / 2, this.paneSize.height / 2]) {
    const scale = Math.min(MOST, Math.max(LEAST, this.view.scale * factor));
    const ratio = scale / this.view.scale;
    const [x, y] = about;
    this.touched = true;
    this.moveTo({ x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio, scale }, false);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    this.touched = true;
    this.moveTo({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }, false);
  }

  /**
   * Pan just so far that a part of the picture is in sight.
   * @param {{x: number, y: number, width: number, height: number}} rect
   */
  reveal(rect) {
    const { x, y, scale } = this.view;
    const shift = (/** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ room) =>
      start < 12 ? 12 - start : end > room - 12 ? Math.max(room - 12 - end, 12 - start) : 0;
    const dx = shift(rect.x * scale + x, (rect.x + rect.width) * scale + x, this.paneSize.width);
    const dy = shift(rect.y * scale + y, (rect.y + rect.height) * scale + y, this.paneSize.height);
    if (dx !== 0 || dy !== 0) this.moveTo({ x: x + dx, y: y + dy, scale }, false);
  }

  /**
   * @param {View} goal
   * @param {boolean} animate
   */
  moveTo(goal, animate) {
    const start = this.view;
    const step = (/** @type {number} */ share) => {
      const along = (/** @type {number} */ a, /** @type {number} */ b) => a + (b - a) * share;
      this.view = { x: along(start.x, goal.x), y: along(start.y, goal.y), scale: along(start.scale, goal.scale) };
      const { x, y, scale } = this.view;
      this.stage.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      this.pane.classList.toggle("far", scale < FAR);
      this.pane.classList.toggle("farther", scale < FARTHER);
      this.onMove();
    };
    this.motion.run([step], animate);
  }

  /**
   * The spot of the picture under a spot of the screen.
   * @param {{clientX: number, clientY: number}} event
   * @returns {[number, number]}
   */
  toPicture(event) {
    const box = this.pane.getBoundingClientRect();
    const { x, y, scale } = this.view;
    return [(event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale];
  }

  /** Whether texts are too small to be read. */
  get far() {
    return this.view.scale < FAR;
  }

  /**
   * Whether a part of the picture is in sight, or nearly.
   * @param {{x: number, y: number, width: number, height: number}} rect
   */
  sees(rect) {
    const { x, y, scale } = this.view;
    const [width, height] = [this.paneSize.width, this.paneSize.height];
    const [left, top] = [rect.x * scale + x, rect.y * scale + y];
    return left < width + NEAR && top < height + NEAR && left + rect.width * scale > -NEAR && top + rect.height * scale > -NEAR;
  }

  /** The picture's edges on the screen, in pixels of the pane. */
  edges() {
    const { x, y, scale } = this.view;
    const [left, top] = [x + this.size.x * scale, y + this.size.y * scale];
    return { left, top, right: left + this.size.width * scale, bottom: top + this.size.height * scale };
  }

  allSeen() {
    const { left, top, right, bottom } = this.edges();
    return left >= 2 && top >= 2 && right <= this.paneSize.width - 2 && bottom <= this.paneSize.height - 2;
  }

  somethingSeen() {
    const { left, top, right, bottom } = this.edges();
    return right > 60 && bottom > 60 && left < this.paneSize.width - 60 && top < this.paneSize.height - 60;
  }

  /** Wheel pans, with Ctrl (or pinched) it zooms; dragging the ground pans. */
  listen() {
    this.pane.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const box = this.pane.getBoundingClientRect();
        if (event.ctrlKey || event.metaKey) {
          this.zoomBy(Math.exp(-event.deltaY * 0.0022), [event.clientX - box.left, event.clientY - box.top]);
        } else if (event.shiftKey && event.deltaX === 0) this.panBy(-event.deltaY, 0);
        else this.panBy(-event.deltaX, -event.deltaY);
      },
      { passive: false },
    );
    this.pane.addEventListener("pointerdown", (event) => {
      const focused = document.activeElement;
      if (focused instanceof HTMLElement && !this.pane.contains(focused)) focused.blur(); // keys are the picture's now
      if (event.button !== 0 || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest("[data-node], [data-place], button, input") !== null) return;
      this.pane.setPointerCapture(event.pointerId);
      this.pane.classList.add("panning");
      const move = (/** @type {PointerEvent} */ now) => this.panBy(now.movementX, now.movementY);
      const stop = () => {
        this.pane.classList.remove("panning");
        this.pane.removeEventListener("pointermove", move);
      };
      this.pane.addEventListener("pointermove", move);
      this.pane.addEventListener("lostpointercapture", stop, { once: true });
    });
  }
}
