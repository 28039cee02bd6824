/**
 * Where changed pointers led before: faint arrows from their cells to the nodes that they have left.
 *
 * @typedef {import("./types.js").Picture} Picture
 * @typedef {import("./types.js").Arrow} Arrow
 * @typedef {import("./types.js").HeapNode} HeapNode
 */
import { borderSpot, centre } from "./geometry.js";

/**
 * @param {Picture} picture
 * @param {Picture | null} earlier  the picture before; its lines are kept where nothing has moved
 * @returns {Arrow[]}
 */
export function ghostArrows(picture, earlier) {
  const nodes = new Map(picture.nodes.map((node) => [node.title, node]));
  /** @type {Arrow[]} */
  const ghosts = [];
  /** @param {import("./types.js").Cell} cell @param {HeapNode | null} owner */
  const look = (cell, owner) => {
    if (!cell.pointer || !cell.marks.includes("changed") || !cell.was) return;
    const target = nodes.get(cell.was);
    if (target === undefined || cell.was === cell.text) return;
    const points = oldLine(cell.place, owner, target, earlier) ?? newLine(cell, owner, target);
    ghosts.push({ from: cell.place, to: target.name, marks: ["ghost"], editable: false, ...points });
  };
  for (const node of picture.nodes) for (const cell of node.cells) look(cell, node);
  for (const chip of picture.variables) look(chip, null);
  return ghosts;
}

/**
 * @param {string} place
 * @param {HeapNode | null} owner
 * @param {HeapNode} target
 * @param {Picture | null} earlier
 */
function oldLine(place, owner, target, earlier) {
  if (earlier === null || owner === null) return null;
  const arrow = earlier.arrows.find((one) => one.from === place && one.to === target.name);
  if (arrow === undefined || !stays(owner, earlier) || !stays(target, earlier)) return null;
  return { points: arrow.points, curve: arrow.curve };
}

/**
 * @param {HeapNode} node
 * @param {Picture} earlier
 */
function stays(node, earlier) {
  const old = earlier.nodes.find((one) => one.name === node.name);
  return old !== undefined && old.x === node.x && old.y === node.y && old.width === node.width;
}

/**
 * @param {import("./types.js").Cell} cell
 * @param {HeapNode | null} owner
 * @param {HeapNode} target
 * @returns {{points: import("./types.js").Point[], curve: boolean}}
 */
function newLine(cell, owner, target) {
  if (owner === null || owner === target) {
    const start = borderSpot(cell, centre(target));
    return { points: [start, borderSpot(target, start)], curve: false };
  }
  const rightwards = target.x + target.width / 2 >= owner.x + owner.width / 2;
  const start = /** @type {[number, number]} */ ([owner.x + (rightwards ? owner.width : 0), cell.y + cell.height / 2]);
  const end = borderSpot(target, start);
  const pull = (rightwards ? 1 : -1) * Math.min(60, Math.hypot(end[0] - start[0], end[1] - start[1]) / 2);
  return { points: [start, [start[0] + pull, start[1]], [end[0] - pull / 2, end[1]], end], curve: true };
}
