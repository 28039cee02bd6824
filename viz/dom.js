/**
 * Making elements.  What the debugged program wrote goes in as text nodes and attribute values only: there is
 * no way here to pass markup.
 */

const SVG_SPACE = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} attributes  `onclick` and the like are listeners; null and false leave out
 * @param {(Node | string | null)[]} children
 */
function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/**
 * An HTML element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  return /** @type {HTMLElement} */ (furnish(document.createElement(tag), attributes, children));
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return /** @type {SVGElement} */ (furnish(document.createElementNS(SVG_SPACE, tag), attributes, children));
}

/**
 * The element of the page with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element #${id}`);
  return found;
}

/**
 * Whether the keyboard belongs to a text field now.
 * @param {EventTarget | null} target
 */
export function isTyping(target) {
  return target instanceof HTMLElement && (target.matches("input:not([type=range]), textarea, select") || target.isContentEditable);
}

/**
 * `1 node`, `2 nodes`.
 * @param {number} count
 * @param {string} noun
 */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * The last part of a path, and what follows it: `/a/list.c:3` is `list.c:3`.
 * @param {string} path
 */
export function baseName(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Text of C whose `->` are not torn apart where the line breaks.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function unbroken(text) {
  return text.split(/(->)/).map((part) => (part === "->" ? el("span", { class: "led" }, part) : part));
}
