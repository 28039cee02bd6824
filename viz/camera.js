/**
 * Which part of a picture is seen, and how large: zoom, pan, fit.
 *
 * @typedef {{x: number, y: number, scale: number}} View  screen = picture * scale + (x, y)
 */
import { el } from "./dom.js";
import { Motion } from "./motion.js";

const LEAST = 0.04;
const MOST = 4;
const LARGEST_FIT = 1.15;
const READABLE = 0.85; // text of 11 pixels: what is too large for it is begun at its first nodes
const STILL_READABLE = 0.76; // text of 10 pixels: rather that than only a part
const MARGIN = 18;
const BORDER = 12; // pixels of a picture around what is in it
const LEAP = 0.7; // of the pane, by a click on what tells that there is more

/** Side, its sign, and where there is more: to the left, to the right, above, below. */
const SIDES = /** @type {[string, string, number, number][]} */ ([
  ["left", "◀", -1, 0],
  ["right", "▶", 1, 0],
  ["above", "▲", 0, -1],
  ["below", "▼", 0, 1],
]);

/** @typedef {{x: number, y: number, width: number, height: number}} Rect */
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
    this.whole = false; // all of it is wanted, however small
    this.seen = false;
    /** @type {Rect | null} what is to be in sight: what is new in the picture */
    this.news = null;
    this.more = SIDES.map(([side, sign, dx, dy]) => {
      const words = side === "left" || side === "right" ? `More on the ${side}` : `More ${side}`;
      const leap = () => this.panBy(-dx * LEAP * this.paneSize.width, -dy * LEAP * this.paneSize.height);
      return el("button", { type: "button", class: `more ${side}`, title: words, "aria-label": words, tabindex: -1, hidden: true, onclick: leap }, sign);
    });
    pane.append(...this.more);
    this.motion = new Motion();
    /** Called when another part is seen. */
    this.onMove = () => {};
    this.paneSize = { width: pane.clientWidth, height: pane.clientHeight };
    new ResizeObserver(() => {
      this.paneSize = { width: pane.clientWidth, height: pane.clientHeight };
      if (this.seen && (!this.touched || !this.somethingSeen())) this.moveTo(this.begun(), false);
      else this.tellMore();
    }).observe(pane);
  }

  /**
   * A picture of this extent is shown: keep the view when it still shows it well, else fit; what is new is in sight.
   * @param {import("./types.js").Picture} picture
   * @param {boolean} animate
   */
  settle(picture, animate) {
    const { x, y, width, height, nodes } = picture;
    this.size = { x, y, width, height };
    this.news = newsOf(picture);
    this.first = nodes.length > 0 ? nodes[0].x + nodes[0].width / 2 - x : 0;
    if (width <= 0 || height <= 0 || this.paneSize.width === 0) return;
    const first = !this.seen;
    this.seen = true;
    if (this.touched && this.somethingSeen()) return;
    const best = this.begun();
    const stays = !first && !this.touched && this.serves(best);
    this.touched = false;
    this.moveTo(stays ? this.revealing(this.view, this.news) : best, animate && !first);
  }

  /**
   * Whether the present view is as good as the best one, so that nothing has to move.
   * @param {View} best
   */
  serves(best) {
    const { scale } = this.view;
    if (!this.fits(best.scale)) return Math.abs(scale - best.scale) < 0.01 && this.somethingSeen();
    return this.allSeen() && scale > best.scale * 0.68 && scale > 0.95 * Math.min(best.scale, READABLE);
  }

  /** Show all of it; what was zoomed or panned by hand is forgotten. */
  fit() {
    this.touched = false;
    this.whole = true;
    this.moveTo(this.fitting(true), true);
  }

  /** The view in which a picture is shown first: with what is new in sight. */
  begun() {
    return this.revealing(this.fitting(this.whole), this.news);
  }

  /**
   * Whether all of the picture has room at this scale.
   * @param {number} scale
   */
  fits(scale) {
    return this.size.width * scale <= this.paneSize.width && this.size.height * scale <= this.paneSize.height;
  }

  /**
   * @param {boolean} all  however small it gets
   * @returns {View}
   */
  fitting(all = false) {
    const [width, height] = [this.paneSize.width, this.paneSize.height];
    const fit = Math.min((width - 2 * MARGIN) / this.size.width, (height - 2 * MARGIN) / this.size.height);
    const least = all ? LEAST : fit >= STILL_READABLE ? fit : READABLE;
    const scale = Math.min(LARGEST_FIT, Math.max(fit, least));
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
    [this.touched, this.whole] = [true, false];
    this.moveTo({ x: x - (x - this.view.x) * ratio, y: y - (y - this.view.y) * ratio, scale }, false);
  }

  /**
   * @param {number} dx
   * @param {number} dy
   */
  panBy(dx, dy) {
    [this.touched, this.whole] = [true, false];
    this.moveTo({ ...this.view, x: this.view.x + dx, y: this.view.y + dy }, false);
  }

  /**
   * Pan just so far that a part of the picture is in sight.
   * @param {Rect} rect
   */
  reveal(rect) {
    const view = this.revealing(this.view, rect);
    if (view !== this.view) this.moveTo(view, false);
  }

  /**
   * A view, or the nearest to it in which a part of the picture is in sight.
   * @param {View} view
   * @param {Rect | null} rect
   * @returns {View}
   */
  revealing(view, rect) {
    if (rect === null) return view;
    const { x, y, scale } = view;
    const shift = (/** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ room) =>
      start < 12 ? 12 - start : end > room - 12 ? Math.max(room - 12 - end, 12 - start) : 0;
    const dx = shift(rect.x * scale + x, (rect.x + rect.width) * scale + x, this.paneSize.width);
    const dy = shift(rect.y * scale + y, (rect.y + rect.height) * scale + y, this.paneSize.height);
    return dx === 0 && dy === 0 ? view : { x: x + dx, y: y + dy, scale };
  }

  /** Say at the edges of the pane where the picture goes on. */
  tellMore() {
    const { left, top, right, bottom } = this.edges();
    const room = BORDER * this.view.scale + 1;
    const cut = [left + room < 0, right - room > this.paneSize.width, top + room < 0, bottom - room > this.paneSize.height];
    this.more.forEach((button, index) => {
      button.hidden = !cut[index];
    });
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
      this.tellMore();
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

/**
 * The part of a picture in which nodes and their fields are new, else its first node; null where there is none.
 * @param {import("./types.js").Picture} picture
 * @returns {Rect | null}
 */
function newsOf({ nodes }) {
  const fresh = nodes.flatMap((node) => (node.marks.length > 0 ? [node] : node.cells.filter((cell) => cell.marks.includes("changed"))));
  if (fresh.length === 0) return nodes.find((node) => node.state !== "variable") ?? null;
  const [x, y] = [Math.min(...fresh.map((one) => one.x)), Math.min(...fresh.map((one) => one.y))];
  const right = Math.max(...fresh.map((one) => one.x + one.width));
  const bottom = Math.max(...fresh.map((one) => one.y + one.height));
  return { x, y, width: right - x, height: bottom - y };
}
