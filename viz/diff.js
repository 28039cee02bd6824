/**
 * Unified diffs: into hunks, and laid over the source as given.
 *
 * @typedef {{kind: "same" | "removed" | "added", text: string, line: number | null}} DiffLine
 *   `line` counts in the source as given; null for added lines
 * @typedef {{file: string, heading: string, lines: DiffLine[]}} Hunk
 */

/**
 * @param {string} patch
 * @returns {Hunk[]}
 */
export function parsePatch(patch) {
  /** @type {Hunk[]} */
  const hunks = [];
  let file = "";
  let line = 0;
  let [oldLeft, newLeft] = [0, 0];
  for (const text of patch.split("\n")) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
      if (text.startsWith("--- ")) file = text.slice(4).replace(/^a\//, "").split("\t")[0];
      if (header === null) continue;
      [oldLeft, newLeft] = [Number(header[2] ?? 1), Number(header[3] ?? 1)];
      line = Number(header[1]) + (oldLeft === 0 ? 1 : 0);
      hunks.push({ file, heading: text, lines: [] });
      continue;
    }
    const lines = hunks[hunks.length - 1].lines;
    const rest = text.slice(1);
    if (text.startsWith("+")) {
      lines.push({ kind: "added", text: rest, line: null });
      newLeft -= 1;
    } else if (text.startsWith("-")) {
      lines.push({ kind: "removed", text: rest, line });
      oldLeft -= 1;
      line += 1;
    } else if (!text.startsWith("\\")) {
      lines.push({ kind: "same", text: rest, line });
      oldLeft -= 1;
      newLeft -= 1;
      line += 1;
    }
  }
  return hunks;
}

/**
 * The lines of a file with the patch inline: removed lines stay, added ones stand behind them.
 * @param {string} file
 * @param {string} text
 * @param {string} patch
 * @returns {DiffLine[]}
 */
export function patchedLines(file, text, patch) {
  const given = text.split("\n");
  if (given[given.length - 1] === "") given.pop();
  /** @type {Set<number>} */
  const removed = new Set();
  /** @type {Map<number, string[]>} line after which they stand -> texts */
  const added = new Map();
  for (const hunk of parsePatch(patch).filter((found) => sameFile(found.file, file))) {
    const first = hunk.lines.find((found) => found.line !== null);
    let last = (first?.line ?? 1) - 1;
    for (const found of hunk.lines) {
      if (found.line !== null) last = found.line;
      if (found.kind === "removed") removed.add(last);
      if (found.kind === "added") added.set(last, [...(added.get(last) ?? []), found.text]);
    }
  }
  /** @type {DiffLine[]} */
  const lines = [];
  const insert = (/** @type {number} */ after) => {
    for (const one of added.get(after) ?? []) lines.push({ kind: "added", text: one, line: null });
  };
  insert(0);
  given.forEach((one, index) => {
    lines.push({ kind: removed.has(index + 1) ? "removed" : "same", text: one, line: index + 1 });
    insert(index + 1);
  });
  return lines;
}

/**
 * Whether two spellings of a path mean one file: equal, or one ends with the other.
 * @param {string} a
 * @param {string} b
 */
export function sameFile(a, b) {
  return a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

/**
 * Which of the lines is executed when the process stands at `line` of the source as given: the line itself, or
 * what the patch has put in its place.
 * @param {DiffLine[]} lines
 * @param {number} line
 * @returns {number} an index, -1 when there is none
 */
export function currentIndex(lines, line) {
  const index = lines.findIndex((one) => one.line === line);
  if (index < 0 || lines[index].kind !== "removed") return index;
  let start = index;
  while (start > 0 && lines[start - 1].kind === "removed") start -= 1;
  let end = index;
  while (end + 1 < lines.length && lines[end + 1].kind === "removed") end += 1;
  const replacement = end + 1 + (index - start);
  return lines[replacement]?.kind === "added" ? replacement : index;
}
