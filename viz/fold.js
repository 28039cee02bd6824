/**
 * Folding nodes: a folded node shows its title only, and hides what nothing else leads to.
 *
 * @typedef {import("./types.js").Picture} Picture
 * @typedef {import("./types.js").HeapNode} HeapNode
 * @typedef {import("./types.js").Arrow} Arrow
 */
import { borderSpot, centre } from "./geometry.js";

const TITLE_HEIGHT = 24;

/**
 * The picture as it is seen while the nodes named in `folded` are folded.
 * @param {Picture} picture
 * @param {Set<string>} folded
 * @returns {Picture}
 */
export function foldPicture(picture, folded) {
  const present = picture.nodes.filter((node) => folded.has(node.name));
  if (present.length === 0) return picture;
  const owners = ownersOf(picture);
  const reached = reachable(picture, owners, folded);
  const lostOnes = picture.nodes.filter((node) => !reachable(picture, owners, new Set()).has(node.name));
  for (const node of lostOnes) reached.add(node.name);
  for (const node of present) if (lostOnes.includes(node)) hideOwn(picture, owners, node.name, reached, folded);
  /** @type {Map<string, HeapNode>} */
  const nodes = new Map();
  for (const node of picture.nodes) {
    if (!reached.has(node.name)) continue;
    nodes.set(node.name, folded.has(node.name) ? shut(node, picture, owners, folded) : node);
  }
  const arrows = picture.arrows.filter((arrow) => {
    const owner = owners.get(arrow.from);
    return (owner === undefined || nodes.has(owner)) && nodes.has(arrow.to);
  });
  return { ...picture, nodes: [...nodes.values()], arrows: arrows.map((arrow) => reroute(arrow, owners, nodes, folded)) };
}

/**
 * Which node each place belongs to; variables belong to none.
 * @param {Picture} picture
 */
export function ownersOf(picture) {
  /** @type {Map<string, string>} */
  const owners = new Map();
  for (const node of picture.nodes) for (const cell of node.cells) owners.set(cell.place, node.name);
  return owners;
}

/**
 * The nodes to which variables lead without passing through a folded one.
 * @param {Picture} picture
 * @param {Map<string, string>} owners
 * @param {Set<string>} folded
 */
function reachable(picture, owners, folded) {
  const ways = waysOf(picture, owners);
  return spread(ways, ways.get("") ?? [], folded);
}

/**
 * @param {Picture} picture
 * @param {Map<string, string>} owners
 * @returns {Map<string, string[]>} node -> nodes it points to; "" stands for the variables
 */
function waysOf(picture, owners) {
  /** @type {Map<string, string[]>} */
  const ways = new Map();
  for (const arrow of picture.arrows) {
    if (arrow.marks.includes("ghost")) continue;
    const owner = owners.get(arrow.from) ?? "";
    ways.set(owner, [...(ways.get(owner) ?? []), arrow.to]);
  }
  return ways;
}

/**
 * @param {Map<string, string[]>} ways
 * @param {string[]} starts
 * @param {Set<string>} closed  nodes that are reached but not passed
 */
function spread(ways, starts, closed) {
  const seen = new Set(starts);
  const work = [...seen];
  while (work.length > 0) {
    const name = /** @type {string} */ (work.pop());
    if (closed.has(name)) continue;
    for (const next of ways.get(name) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        work.push(next);
      }
    }
  }
  return seen;
}

/**
 * A folded node that no variable leads to hides what only it leads to.
 * @param {Picture} picture
 * @param {Map<string, string>} owners
 * @param {string} name
 * @param {Set<string>} shown  changed in place
 * @param {Set<string>} folded
 */
function hideOwn(picture, owners, name, shown, folded) {
  const ways = waysOf(picture, owners);
  const below = spread(ways, ways.get(name) ?? [], new Set([...folded].filter((other) => other !== name)));
  const others = picture.nodes.map((node) => node.name).filter((other) => other === name || !below.has(other));
  const kept = spread(ways, [...others, ...(ways.get("") ?? [])], new Set([name]));
  for (const other of below) if (!kept.has(other) && other !== name) shown.delete(other);
}

/**
 * @param {HeapNode} node
 * @param {Picture} picture
 * @param {Map<string, string>} owners
 * @param {Set<string>} folded
 * @returns {HeapNode}
 */
function shut(node, picture, owners, folded) {
  const others = new Set([...folded].filter((name) => name !== node.name));
  const without = reachable(picture, owners, folded).size;
  const behind = Math.max(0, reachable(picture, owners, others).size - without);
  return { ...node, cells: [], height: TITLE_HEIGHT, folded: behind };
}

/**
 * Arrows that begin or end at a folded node run straight from border to border.
 * @param {Arrow} arrow
 * @param {Map<string, string>} owners
 * @param {Map<string, HeapNode>} nodes
 * @param {Set<string>} folded
 * @returns {Arrow}
 */
function reroute(arrow, owners, nodes, folded) {
  const owner = owners.get(arrow.from);
  const source = owner === undefined ? undefined : nodes.get(owner);
  const target = nodes.get(arrow.to);
  const fromFolded = source !== undefined && folded.has(source.name);
  const toFolded = target !== undefined && folded.has(target.name);
  if (!fromFolded && !toFolded) return arrow;
  const first = arrow.points[0];
  const last = arrow.points[arrow.points.length - 1];
  const start = fromFolded ? borderSpot(source, target ? centre(target) : last) : first;
  const end = toFolded ? borderSpot(target, start) : target ? borderSpot(target, start) : last;
  return { ...arrow, curve: false, points: [start, end] };
}
