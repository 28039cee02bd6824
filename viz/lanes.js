/**
 * Arrows that would lie on one another get lanes of their own: a pair that points both ways between two nodes, or an
 * arrow and the ghost of another one.
 *
 * @typedef {import("./types.js").Arrow} Arrow
 * @typedef {import("./types.js").Point} Point
 */

const LANE = 6; // pixels between lanes; a row is 20 high

/**
 * @typedef {object} Run  a straight stretch of an arrow
 * @property {Arrow} arrow
 * @property {boolean} upright
 * @property {number} at  its y, or x when upright
 * @property {number} low
 * @property {number} high
 */

/**
 * The same arrows, those moved that lay on one another.
 * @param {Arrow[]} arrows
 * @returns {Arrow[]}
 */
export function spreadLanes(arrows) {
  /** @type {Map<string, Run[]>} */
  const rows = new Map();
  for (const arrow of arrows) {
    const run = straightRun(arrow);
    if (run === null) continue;
    const key = `${run.upright} ${Math.round(run.at)}`;
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [run]);
    else row.push(run);
  }
  /** @type {Map<Arrow, Arrow>} */
  const moved = new Map();
  for (const row of rows.values()) {
    if (row.length > 1) for (const group of overlapping(row)) shift(group, moved);
  }
  return moved.size === 0 ? arrows : arrows.map((arrow) => moved.get(arrow) ?? arrow);
}

/** @param {Arrow} arrow @returns {Run | null} */
function straightRun(arrow) {
  if (arrow.curve || arrow.points.length !== 2) return null;
  const [[ax, ay], [bx, by]] = arrow.points;
  if (Math.abs(ay - by) < 0.5) return { arrow, upright: false, at: ay, low: Math.min(ax, bx), high: Math.max(ax, bx) };
  if (Math.abs(ax - bx) < 0.5) return { arrow, upright: true, at: ax, low: Math.min(ay, by), high: Math.max(ay, by) };
  return null;
}

/**
 * Runs of one row, in groups that overlap.
 * @param {Run[]} row
 * @returns {Run[][]}
 */
function overlapping(row) {
  const sorted = [...row].sort((a, b) => a.low - b.low);
  /** @type {Run[][]} */
  const groups = [];
  let end = -Infinity;
  for (const run of sorted) {
    if (run.low < end - 1) groups[groups.length - 1].push(run);
    else groups.push([run]);
    end = Math.max(run.low < end - 1 ? end : -Infinity, run.high);
  }
  return groups.filter((group) => group.length > 1);
}

/**
 * @param {Run[]} group
 * @param {Map<Arrow, Arrow>} moved  filled
 */
function shift(group, moved) {
  const first = -((group.length - 1) / 2) * LANE;
  group.forEach((run, index) => {
    const by = first + index * LANE;
    const points = run.arrow.points.map(([x, y]) => /** @type {Point} */ (run.upright ? [x + by, y] : [x, y + by]));
    moved.set(run.arrow, { ...run.arrow, points });
  });
}
