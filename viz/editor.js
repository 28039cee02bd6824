/**
 * Typing a value into the picture or the list of variables: a field beside the cell.  For pointers, the nodes that
 * it could lead to are offered; this is what dragging an arrow is to the keyboard.
 */
import { el } from "./dom.js";
import { place } from "./facts.js";

/**
 * @typedef {{value: string, note: string, node: string}} Choice  `node` is its name in the picture, "" for null
 * @typedef {object} Wanted
 * @property {Element} anchor  the field stands beside it and the focus returns there
 * @property {HTMLElement} pane
 * @property {string} place
 * @property {string} text  the present value
 * @property {Choice[] | null} choices  for pointers
 * @property {string} [typed]  what was typed to open the field
 * @property {(value: string) => void} commit
 * @property {(node: string | null) => void} [point]  the choice that is looked at now
 */

let serial = 0;
/** @type {(() => void) | null} */
let closeOpen = null;

/** Close the field that is open, if one is; nothing is changed. */
export function closeEditor() {
  closeOpen?.();
}

/** @param {Wanted} wanted */
export function openEditor(wanted) {
  closeEditor();
  serial += 1;
  const listId = `choices-${serial}`;
  const input = /** @type {HTMLInputElement} */ (
    el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": `New value of ${wanted.place}` })
  );
  input.value = wanted.typed ?? (wanted.choices === null ? wanted.text : "");
  const list = el("ul", { class: "choices", role: "listbox", id: listId, "aria-label": "Values" });
  const card = el("div", { class: "editor" }, el("label", {}, wanted.place), input, wanted.choices === null ? null : list);
  if (wanted.choices !== null) {
    for (const [name, value] of [["role", "combobox"], ["aria-expanded", "true"], ["aria-controls", listId]]) {
      input.setAttribute(name, value);
    }
    input.placeholder = "node, null or a place";
  }
  /** @type {Choice[]} */
  let offered = [];
  let chosen = -1;

  const finish = (/** @type {boolean} */ refocus) => {
    if (closeOpen !== close) return;
    closeOpen = null;
    wanted.point?.(null);
    card.remove();
    if (refocus && wanted.anchor.isConnected) /** @type {HTMLElement} */ (wanted.anchor).focus({ preventScroll: true });
  };
  const close = () => finish(true);
  closeOpen = close;

  const choose = (/** @type {number} */ index) => {
    chosen = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === chosen)));
    const item = list.children[chosen];
    item?.scrollIntoView({ block: "nearest" });
    if (item) input.setAttribute("aria-activedescendant", item.id);
    else input.removeAttribute("aria-activedescendant");
    wanted.point?.(offered[chosen]?.node ?? null);
  };
  const offer = () => {
    const typed = input.value.trim().toLowerCase();
    offered = (wanted.choices ?? []).filter((choice) => choice.value.toLowerCase().startsWith(typed));
    list.replaceChildren(
      ...offered.map((choice, index) => {
        const item = el("li", { role: "option", id: `${listId}-${index}`, "data-value": choice.value }, choice.value);
        item.append(el("span", { class: "note" }, choice.note));
        item.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          commit(choice.value);
        });
        item.addEventListener("pointerenter", () => choose(index));
        return item;
      }),
    );
    const exact = offered.findIndex((choice) => choice.value.toLowerCase() === typed);
    choose(exact >= 0 ? exact : typed !== "" && offered.length > 0 ? 0 : -1);
  };
  const commit = (/** @type {string} */ value) => {
    finish(true);
    if (value.trim() !== "") wanted.commit(value.trim());
  };

  input.addEventListener("input", offer);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close();
    else if (event.key === "Enter") commit(offered[chosen]?.value ?? input.value);
    else if (event.key === "ArrowDown" && offered.length > 0) choose((chosen + 1) % offered.length);
    else if (event.key === "ArrowUp" && offered.length > 0) choose((chosen + offered.length - (chosen < 0 ? 0 : 1)) % offered.length);
    else return;
    event.preventDefault();
  });
  input.addEventListener("blur", () => window.setTimeout(() => finish(false), 0));
  wanted.pane.append(card);
  if (wanted.choices !== null) offer();
  place(card, wanted.anchor, wanted.pane);
  input.focus({ preventScroll: true });
  if (wanted.typed === undefined) input.select();
}
