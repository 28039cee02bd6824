/** C, coloured a little: enough to read by, no parser. */

const KEYWORDS = new Set(
  ("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool _Bool " +
    "size_t NULL true false").split(" "),
);

const TOKEN =
  /(\/\*.*?(?:\*\/|$)|\/\/.*$)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b(?:0[xX][\da-fA-F]+|\d[\d.]*)[uUlLfF]*\b)|([A-Za-z_]\w*)|(^\s*#.*$)/g;

/**
 * @typedef {{text: string, look: "" | "comment" | "string" | "number" | "keyword" | "directive"}} Token
 */

/**
 * One line as tokens.
 * @param {string} line
 * @param {boolean} inComment  whether a comment was open at its beginning
 * @returns {{tokens: Token[], inComment: boolean}}
 */
export function colourLine(line, inComment) {
  /** @type {Token[]} */
  const tokens = [];
  let at = 0;
  if (inComment) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    if (at > 0) tokens.push({ text: line.slice(0, at), look: "comment" });
    if (end < 0) return { tokens, inComment: true };
  }
  let open = false;
  TOKEN.lastIndex = at;
  for (let match = TOKEN.exec(line); match !== null; match = TOKEN.exec(line)) {
    if (match.index > at) tokens.push({ text: line.slice(at, match.index), look: "" });
    at = match.index + match[0].length;
    tokens.push({ text: match[0], look: lookOf(match) });
    if (match[1]?.startsWith("/*")) open = !(match[1].length > 3 && match[1].endsWith("*/"));
    if (match[0] === "") break;
  }
  if (at < line.length) tokens.push({ text: line.slice(at), look: "" });
  return { tokens, inComment: open };
}

/**
 * @param {RegExpExecArray} match
 * @returns {Token["look"]}
 */
function lookOf(match) {
  if (match[1] !== undefined) return "comment";
  if (match[2] !== undefined) return "string";
  if (match[5] !== undefined) return "directive";
  if (match[3] !== undefined) return "number";
  return KEYWORDS.has(match[4]) ? "keyword" : "";
}
