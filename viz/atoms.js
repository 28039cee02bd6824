/**
 * What can be pointed at or focused in the heap: nodes (at their titles), cells, variables.
 *
 * @typedef {import("./types.js").Picture} Picture
 * @typedef {object} Atom
 * @property {"node" | "cell" | "variable"} kind
 * @property {Element} element
 * @property {import("./types.js").HeapNode | null} node
 * @property {import("./types.js").Cell | null} cell
 * @property {{x: number, y: number, width: number, height: number}} rect  in the picture
 * @typedef {"left" | "right" | "up" | "down"} Direction
 */

/**
 * The atoms of a drawn node, in the order in which they are read.
 * @param {import("./types.js").HeapNode} node
 * @param {Element} element
 * @returns {Atom[]}
 */
export function nodeAtoms(node, element) {
  const first = node.cells[0];
  const title = first === undefined ? node.height : Math.max(1, first.y - node.y);
  const { x, y, width } = node;
  /** @type {Atom[]} */
  const atoms = [{ kind: "node", element, node, cell: null, rect: { x, y, width, height: title } }];
  if (element.classList.contains("coarse")) return atoms; // drawn coarsely, without its cells
  let index = 0;
  for (const child of element.children) {
    if (!child.classList.contains("cell")) continue;
    const cell = node.cells[index];
    atoms.push({ kind: "cell", element: child, node, cell, rect: cell });
    index += 1;
  }
  return atoms;
}

/**
 * The nearest atom in a direction, null at the border.
 * @param {Atom[]} atoms
 * @param {Atom} from
 * @param {Direction} direction
 * @returns {Atom | null}
 */
export function neighbour(atoms, from, direction) {
  const [dx, dy] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[direction];
  const [x, y] = [from.rect.x + from.rect.width / 2, from.rect.y + from.rect.height / 2];
  /** @type {Atom | null} */
  let best = null;
  let least = Infinity;
  for (const atom of atoms) {
    if (atom === from) continue;
    const [ax, ay] = [atom.rect.x + atom.rect.width / 2 - x, atom.rect.y + atom.rect.height / 2 - y];
    const along = ax * dx + ay * dy;
    const across = Math.abs(ax * dy) + Math.abs(ay * dx);
    if (along < 2 || across > along * 3) continue;
    const distance = along + across * 2;
    if (distance < least) [best, least] = [atom, distance];
  }
  return best;
}
