/**
 * What lies between two parts of the page and is dragged: how wide the source is, how high the repair.  The arrow keys
 * move it as well; a double click gives the size back that the page has by itself.
 */
import { byId } from "./dom.js";

const STEP_OF_PART = 24; // pixels by a key
const LEAST_PART = 140; // pixels that either part keeps

/**
 * @param {string} id  of the separator
 * @param {string} property  of the page that holds the size, as the style sheets know it
 * @param {HTMLElement} part  what gets the size
 * @param {boolean} across  whether it is a width; the part grows to the right then, else upwards
 */
function letDrag(id, property, part, across) {
  const bar = byId(id);
  const style = document.documentElement.style;
  const size = (/** @type {number} */ wanted) => {
    const whole = across ? window.innerWidth : window.innerHeight;
    style.setProperty(property, `${Math.round(Math.max(LEAST_PART, Math.min(whole - 2 * LEAST_PART, wanted)))}px`);
  };
  const now = () => part.getBoundingClientRect();
  bar.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    bar.setPointerCapture(event.pointerId);
    const { left, bottom } = now();
    const move = (/** @type {PointerEvent} */ at) => size(across ? at.clientX - left : bottom - at.clientY);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), { once: true });
  });
  bar.addEventListener("dblclick", () => style.removeProperty(property));
  bar.addEventListener("keydown", (event) => {
    const steps = (across ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: 1, ArrowDown: -1 })[event.key];
    if (steps === undefined) return;
    size((across ? now().width : now().height) + steps * STEP_OF_PART);
    event.preventDefault();
    event.stopPropagation();
  });
}

export function buildSplits() {
  letDrag("split-side", "--side", /** @type {HTMLElement} */ (document.querySelector(".side")), true);
  letDrag("split-dock", "--dock", byId("dock"), false);
}
