/**
 * What is known of the thing under the mouse or the focus: address, type, size, where it was allocated.
 *
 * @typedef {import("./atoms.js").Atom} Atom
 * @typedef {import("./heap.js").HeapView} HeapView
 */
import { baseName, byId, counted, el } from "./dom.js";

const HOVER_PAUSE = 140; // milliseconds

const MARK_WORDS = {
  added: "new since the stop before",
  uninitialised: "uninitialised: never written",
  dangling: "dangling: the memory was freed",
  wild: "leads to no known object",
  hidden: "stands for cells that are not drawn",
};

const STATE_WORDS = { freed: "freed", lost: "lost: no variable leads to it", variable: "a variable" };

/**
 * The facts about an atom, as pairs.
 * @param {Atom} atom
 * @returns {[string, string][]}
 */
export function factsOf(atom) {
  /** @type {[string, string | null][]} */
  const pairs = [];
  const { node, cell } = atom;
  if (cell !== null) {
    pairs.push(["value", cell.text], ["was", cell.was], ["type", cell.type], ["address", cell.address]);
    pairs.push(["size", cell.size ? counted(cell.size, "byte") : null]);
    for (const mark of cell.marks) pairs.push(["", MARK_WORDS[/** @type {keyof MARK_WORDS} */ (mark)] ?? null]);
  }
  if (node !== null) {
    if (cell !== null) pairs.push(["in", [node.title, node.type].filter((one) => one !== "").join(", ")]);
    else {
      pairs.push(["type", node.type], ["address", node.address]);
      pairs.push(["size", node.size ? counted(node.size, "byte") : null]);
    }
    pairs.push(["allocated", baseName(node.allocated)], ["freed", baseName(node.freed)]);
    pairs.push(["", STATE_WORDS[/** @type {keyof STATE_WORDS} */ (node.state)] ?? null]);
    if (cell === null && node.marks.includes("added")) pairs.push(["", MARK_WORDS.added]);
    if (node.folded !== undefined) pairs.push(["", `folded, ${counted(node.folded, "node")} behind it`]);
  }
  return /** @type {[string, string][]} */ (pairs.filter(([, text]) => text !== null && text !== undefined && text !== ""));
}

/**
 * Show facts beside what is pointed at or focused in the heap.
 * @param {HeapView} heap
 * @returns {() => void} hides them
 */
export function showFacts(heap) {
  const card = byId("facts");
  let timer = 0;
  /** @type {Element | null} */
  let shown = null;

  const hide = () => {
    window.clearTimeout(timer);
    card.hidden = true;
    shown?.removeAttribute("aria-describedby");
    shown = null;
  };

  /** @param {Atom} atom */
  const show = (atom) => {
    const pairs = factsOf(atom);
    if (pairs.length === 0 || heap.pane.classList.contains("dragging")) return hide();
    card.replaceChildren(el("p", { class: "facts-title" }, atom.cell?.place || atom.node?.title || ""));
    const list = el("dl");
    for (const [name, text] of pairs) {
      if (name === "") list.append(el("dd", { class: "remark" }, text));
      else list.append(el("dt", {}, name), el("dd", {}, text));
    }
    card.append(list);
    card.hidden = false;
    place(card, atom.element.closest(".node") ?? atom.element, heap.pane); // the node stays in sight
    shown?.removeAttribute("aria-describedby");
    shown = atom.element;
    shown.setAttribute("aria-describedby", "facts");
    return undefined;
  };

  heap.root.addEventListener("pointerover", (event) => {
    const atom = heap.atomAt(event.target);
    window.clearTimeout(timer);
    if (atom === null) hide();
    else if (atom.element !== shown) timer = window.setTimeout(() => show(atom), HOVER_PAUSE);
  });
  heap.root.addEventListener("pointerleave", hide);
  heap.root.addEventListener("pointerdown", hide);
  heap.root.addEventListener("focusin", (event) => {
    const atom = heap.atomAt(event.target);
    if (atom !== null && /** @type {Element} */ (event.target).matches(":focus-visible")) show(atom);
  });
  heap.root.addEventListener("focusout", hide);
  heap.pane.addEventListener("wheel", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  return hide;
}

/**
 * Put a card beside an element, within the pane: below it, else to its right or left, else above.
 * @param {HTMLElement} card
 * @param {Element} element
 * @param {HTMLElement} pane
 */
export function place(card, element, pane) {
  const [box, room] = [element.getBoundingClientRect(), pane.getBoundingClientRect()];
  const [width, height] = [card.offsetWidth, card.offsetHeight];
  const within = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) => Math.max(low, Math.min(at, high));
  let left = within(box.left, room.left + 6, room.right - width - 6);
  let top = within(box.top, room.top + 4, room.bottom - height - 6);
  if (box.bottom + 8 + height <= room.bottom) top = box.bottom + 8;
  else if (box.right + 8 + width <= room.right) left = box.right + 8;
  else if (box.left - 8 - width >= room.left) left = box.left - 8 - width;
  else top = Math.max(room.top + 4, box.top - height - 8);
  card.style.left = `${left - room.left + pane.scrollLeft}px`;
  card.style.top = `${top - room.top + pane.scrollTop}px`;
}
