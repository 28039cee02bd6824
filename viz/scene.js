/**
 * Drawing a picture as SVG elements: nodes with their cells, variables, arrows.  Pure: data in, elements out.
 *
 * Marks never rely on colour alone: what is new carries a word, what has changed a dot, a bar and bold type, what is
 * freed is struck through and hatched, what is lost is dashed with a word, what dangles ends in a cross, what is
 * uninitialised is dotted.
 *
 * @typedef {import("./types.js").Picture} Picture
 * @typedef {import("./types.js").HeapNode} HeapNode
 * @typedef {import("./types.js").Cell} Cell
 * @typedef {import("./types.js").Arrow} Arrow
 */
import { svg } from "./dom.js";
import { headPath, linePath } from "./geometry.js";
import { spreadLanes } from "./lanes.js";

const WORDS = { added: "new", freed: "freed", lost: "lost" };
const SHORT_WORDS = { new: "+", freed: "✕", lost: "~" }; // where there is no room for the word

/**
 * The word in the corner of a node: why it looks as it does.
 * @param {HeapNode} node
 */
export function nodeWord(node) {
  if (node.state === "freed" || node.state === "lost") return WORDS[node.state];
  return node.marks.includes("added") ? WORDS.added : "";
}

/**
 * A node in words, for those who do not see the picture.
 * @param {HeapNode} node
 */
export function nodeWords(node) {
  const cells = node.cells.map((cell) => `${cell.label} ${cell.text}${cellWords(cell)}`.trim());
  return [[node.title, node.type].filter((part) => part !== "").join(", "), nodeWord(node), ...cells].filter((part) => part !== "").join("; ");
}

/** @param {Cell} cell */
function cellWords(cell) {
  const said = cell.marks.filter((mark) => mark !== "null" && mark !== "hidden");
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

/**
 * @param {HeapNode} node
 * @param {boolean} [coarse]  only what can be told apart from afar: the box, its state and changed cells
 * @returns {SVGElement} at the origin; whoever shows it moves it into place
 */
export function drawNode(node, coarse = false) {
  const classes = ["node", `state-${plain(node.state)}`, ...node.marks.map((mark) => `mark-${plain(mark)}`)];
  if (node.folded !== undefined) classes.push("folded");
  const first = node.cells[0];
  const title = first === undefined ? node.height : Math.max(0, first.y - node.y);
  const group = svg("g", { class: classes.join(" "), "data-node": node.name });
  group.append(svg("rect", { class: "frame", width: node.width, height: node.height, rx: 6 }));
  if (coarse) {
    group.classList.add("coarse");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", [node.title, nodeWord(node)].join(" "));
    group.append(drawBigName(node));
    const changed = node.cells.filter((cell) => cell.marks.includes("changed"));
    for (const cell of changed) group.append(changedMark(cell.x - node.x, cell.y - node.y, cell.height));
    return group;
  }
  for (const [name, value] of [["role", "group"], ["tabindex", "-1"], ["aria-label", nodeWords(node)]]) group.setAttribute(name, value);
  if (title > 8) group.append(...drawTitle(node, title));
  for (const cell of node.cells) group.append(drawCell(cell, node.x, node.y));
  if (node.state !== "run") group.append(drawBigName(node));
  return group;
}

/**
 * What stands in a box whose texts are too small to be read.
 * @param {HeapNode} node
 */
function drawBigName(node) {
  const at = { x: node.width / 2, y: node.height / 2 + 10, "text-anchor": "middle" };
  return svg("text", { class: "big", "aria-hidden": "true", ...at }, node.title);
}

/**
 * @param {HeapNode} node
 * @param {number} height
 */
function drawTitle(node, height) {
  const r = Math.min(6, height / 2);
  const bottom = node.cells.length === 0 ? `V${height - r}q0 ${r} ${-r} ${r}H${r}q${-r} 0 ${-r} ${-r}` : `V${height}H0`;
  const strip = `M0 ${r}q0 ${-r} ${r} ${-r}H${node.width - r}q${r} 0 ${r} ${r}${bottom}Z`;
  const parts = [svg("path", { class: "strip", d: strip })];
  const baseline = height / 2 + 4;
  if (node.state === "run") {
    const words = node.title.replaceAll("…", "").trim();
    return [...parts, svg("text", { class: "title", x: node.width / 2, y: baseline, "text-anchor": "middle" }, words)];
  }
  parts.push(svg("text", { class: "title", x: 9, y: baseline }, node.title));
  const after = 9 + node.title.length * 8 + 5;
  if (node.cells.length > 0 && after + 14 < node.width) parts.push(svg("text", { class: "fold-sign", x: after, y: baseline }, "▾"));
  const full = node.folded === undefined ? nodeWord(node) : `▸${node.folded || ""}`;
  const room = node.width - node.title.length * 8 - 22;
  const word = full.length * 6.6 <= room ? full : (SHORT_WORDS[/** @type {keyof SHORT_WORDS} */ (full)] ?? full);
  if (word !== "") {
    parts.push(svg("text", { class: "word", x: node.width - 8, y: baseline, "text-anchor": "end" }, word));
  }
  return parts;
}

/**
 * @param {Cell} cell
 * @param {number} x  of the node, whose corner is the origin
 * @param {number} y
 */
function drawCell(cell, x, y) {
  const [left, top] = [cell.x - x, cell.y - y];
  const baseline = top + cell.height / 2 + 4.5;
  const group = svg("g", { class: cellClasses(cell), "data-place": cell.place, role: "group", tabindex: -1 });
  group.setAttribute("aria-label", `${cell.place}: ${cell.text}${cellWords(cell)}`);
  group.append(svg("rect", { class: "box", x: left + 1, y: top + 1, width: cell.width - 2, height: cell.height - 2, rx: 3 }));
  if (top > 0) group.append(svg("path", { class: "rule", d: `M${left === 0 ? 0.5 : left - 0.5} ${top}h${left === 0 ? cell.width - 1 : cell.width}` }));
  if (cell.marks.includes("changed")) group.append(changedMark(left, top, cell.height));
  if (cell.label !== "") group.append(svg("text", { class: "label", x: left + 9, y: baseline }, cell.label));
  group.append(svg("text", { class: "value", x: cell.at - x, y: baseline }, cell.text));
  return group;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} height
 */
function changedMark(x, y, height) {
  return svg("path", { class: "bar", d: `M${x + 2} ${y + 2}v${height - 4}` });
}

/** @param {Cell} cell */
function cellClasses(cell) {
  const classes = ["cell", ...cell.marks.map((mark) => `mark-${plain(mark)}`)];
  if (cell.pointer) classes.push("pointer");
  if (cell.editable) classes.push("editable");
  return classes.join(" ");
}

/**
 * A variable beside the heap: a name that an arrow leaves, or `name = value`.
 * @param {import("./types.js").Chip} cell
 * @returns {SVGElement} at the origin
 */
export function drawVariable(cell) {
  const group = svg("g", { class: `variable ${cellClasses(cell)}`, "data-place": cell.place, role: "group", tabindex: -1 });
  group.setAttribute("aria-label", `${cell.label} ${cell.written ? "is" : "points to"} ${cell.text}${cellWords(cell)}`);
  group.append(svg("rect", { class: "box", width: cell.width, height: cell.height, rx: Math.min(6, cell.height / 2) }));
  if (cell.marks.includes("changed")) group.append(changedMark(1, 1, cell.height - 2));
  const text = svg("text", { x: cell.width / 2, y: cell.height / 2 + 4, "text-anchor": "middle" });
  text.append(svg("tspan", { class: "name" }, cell.label));
  if (cell.written) text.append(svg("tspan", { class: "equals" }, " = "), svg("tspan", { class: "value" }, cell.text));
  group.append(text);
  return group;
}

/**
 * @param {Arrow} arrow
 * @param {boolean} rich  with a halo where it crosses others and a wide strip for the mouse
 */
export function drawArrow(arrow, rich) {
  const group = svg("g", { class: ["arrow", ...arrow.marks.map((mark) => `mark-${plain(mark)}`)].join(" ") });
  group.setAttribute("data-from", arrow.from);
  group.setAttribute("data-to", arrow.to);
  if (rich) group.append(svg("path", { class: "halo" }));
  group.append(svg("path", { class: "line" }), svg("path", { class: "tip" }));
  if (rich) group.append(svg("path", { class: "strip" }));
  routeArrow(group, arrow.points, arrow.curve);
  return group;
}

/**
 * Lead an arrow that is drawn already along other points.
 * @param {Element} group
 * @param {import("./types.js").Point[]} points
 * @param {boolean} [curve]
 */
export function routeArrow(group, points, curve = false) {
  const cross = group.classList.contains("mark-dangling");
  const line = linePath(points, curve, !cross);
  for (const path of group.children) {
    const d = path.classList.contains("tip") ? headPath(points, cross ? "cross" : "head") : line;
    path.setAttribute("d", d);
  }
}

/**
 * A whole picture that stands still: for repairs and questions.
 * @param {Picture} picture
 * @param {string} label
 * @returns {SVGElement}
 */
export function drawStill(picture, label) {
  const box = `${picture.x} ${picture.y} ${picture.width} ${picture.height}`;
  const whole = svg("svg", { class: "still scene", viewBox: box, role: "img", "aria-label": label });
  whole.setAttribute("width", String(picture.width));
  whole.setAttribute("height", String(picture.height));
  for (const node of picture.nodes) whole.append(moved(drawNode(node), node.x, node.y));
  for (const arrow of spreadLanes(picture.arrows)) whole.append(drawArrow(arrow, true));
  for (const cell of picture.variables) whole.append(moved(drawVariable(cell), cell.x, cell.y));
  for (const part of whole.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  return whole;
}

/**
 * @param {SVGElement} element
 * @param {number} x
 * @param {number} y
 */
export function moved(element, x, y) {
  element.setAttribute("transform", `translate(${x} ${y})`);
  return element;
}

/**
 * A word that is safe as part of a class name.
 * @param {string} word
 */
function plain(word) {
  return word.replace(/[^a-z]/gi, "");
}
