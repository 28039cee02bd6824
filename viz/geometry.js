/**
 * Lines of arrows: rounded paths, heads, and what lies between two lines while something moves.
 *
 * @typedef {import("./types.js").Point} Point
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 */

const CORNER = 9;
const HEAD_LENGTH = 9;
const HEAD_HALF = 4.2;

/** @param {number} value */
const short = (value) => Math.round(value * 10) / 10;

/**
 * @param {Point} from
 * @param {Point} to
 * @param {number} distance  from `from`, towards `to`
 * @returns {Point}
 */
function toward(from, to, distance) {
  const size = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const share = size === 0 ? 0 : distance / size;
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/**
 * Path data of a line through `points` with rounded corners, or of a Bezier curve; it stops short of the head.
 * @param {Point[]} points
 * @param {boolean} curve
 * @param {boolean} headed
 */
export function linePath(points, curve = false, headed = true) {
  const spots = points.slice();
  const last = spots.length - 1;
  if (last < 1) return "";
  if (headed) spots[last] = toward(spots[last], spots[last - 1], Math.min(HEAD_LENGTH - 1.5, reach(spots, last)));
  if (curve && last === 3) {
    const [start, ...rest] = spots.map((spot) => `${short(spot[0])} ${short(spot[1])}`);
    return `M${start}C${rest.join(" ")}`;
  }
  let path = `M${short(spots[0][0])} ${short(spots[0][1])}`;
  for (let i = 1; i < last; i += 1) {
    const [before, corner, after] = [spots[i - 1], spots[i], spots[i + 1]];
    const size = Math.min(
      CORNER,
      Math.hypot(corner[0] - before[0], corner[1] - before[1]) / 2,
      Math.hypot(after[0] - corner[0], after[1] - corner[1]) / 2,
    );
    const [start, stop] = [toward(corner, before, size), toward(corner, after, size)];
    path += `L${short(start[0])} ${short(start[1])}Q${short(corner[0])} ${short(corner[1])} ${short(stop[0])} ${short(stop[1])}`;
  }
  return `${path}L${short(spots[last][0])} ${short(spots[last][1])}`;
}

/**
 * @param {Point[]} spots
 * @param {number} index
 */
function reach(spots, index) {
  return Math.hypot(spots[index][0] - spots[index - 1][0], spots[index][1] - spots[index - 1][1]);
}

/**
 * Path data of the head at the end of the line: a triangle, or a cross where the arrow leads to nothing valid.
 * @param {Point[]} points
 * @param {"head" | "cross"} look
 */
export function headPath(points, look = "head") {
  const tip = points[points.length - 1];
  let before = points[points.length - 2] ?? tip;
  for (let i = points.length - 2; i > 0 && Math.hypot(tip[0] - before[0], tip[1] - before[1]) < 1; i -= 1) {
    before = points[i - 1];
  }
  const angle = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const spot = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${short(tip[0] + cos * along - sin * across)} ${short(tip[1] + sin * along + cos * across)}`;
  if (look === "cross") return `M${spot(-10, -4.5)}L${spot(-1, 4.5)}M${spot(-10, 4.5)}L${spot(-1, -4.5)}`;
  return `M${spot(0, 0)}L${spot(-HEAD_LENGTH, HEAD_HALF)}L${spot(-HEAD_LENGTH + 2, 0)}L${spot(-HEAD_LENGTH, -HEAD_HALF)}Z`;
}

/**
 * The line between two lines; the one with fewer corners gets some on its last spot.
 * @param {Point[]} from
 * @param {Point[]} to
 * @param {number} share  0 at `from`, 1 at `to`
 * @returns {Point[]}
 */
export function between(from, to, share) {
  const count = Math.max(from.length, to.length);
  /** @type {Point[]} */
  const points = [];
  for (let i = 0; i < count; i += 1) {
    const a = from[Math.min(i, from.length - 1)];
    const b = to[Math.min(i, to.length - 1)];
    points.push([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
  }
  return points;
}

/** @param {Rect} rect @returns {Point} */
export function centre(rect) {
  return [rect.x + rect.width / 2, rect.y + rect.height / 2];
}

/**
 * Where the line from the centre of `rect` to `spot` crosses its border.
 * @param {Rect} rect
 * @param {Point} spot
 * @returns {Point}
 */
export function borderSpot(rect, spot) {
  const [x, y] = centre(rect);
  const [dx, dy] = [spot[0] - x, spot[1] - y];
  if (dx === 0 && dy === 0) return [x, rect.y];
  const share = Math.min(rect.width / 2 / Math.abs(dx || 1e-9), rect.height / 2 / Math.abs(dy || 1e-9), 1);
  return [x + dx * share, y + dy * share];
}

/**
 * @param {Rect} rect
 * @param {Point} spot
 * @param {number} margin
 */
export function contains(rect, [x, y], margin = 0) {
  return (
    x >= rect.x - margin && x <= rect.x + rect.width + margin && y >= rect.y - margin && y <= rect.y + rect.height + margin
  );
}
