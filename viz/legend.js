/** The marks that occur in the picture, explained below it. */
import { byId, counted, el } from "./dom.js";

/** @type {[string, string, string, (picture: import("./types.js").Picture) => boolean][]} look, sign, words, whether it occurs */
const MARKS = [
  ["added", "new", "allocated since the stop before", (picture) => picture.nodes.some((node) => node.marks.includes("added"))],
  ["changed", "n1", "changed", (picture) => boxesOf(picture).some((cell) => cell.marks.includes("changed"))],
  ["ghost", "┄▷", "where it led before", (picture) => picture.arrows.some((arrow) => arrow.marks.includes("ghost"))],
  ["both", "◂▸", "two heads: the grey one leads back to the whole node", (picture) => picture.arrows.some((arrow) => arrow.marks.includes("back"))],
  ["freed", "freed", "given back with free", (picture) => picture.nodes.some((node) => node.state === "freed")],
  ["lost", "lost", "no variable leads to it", (picture) => picture.nodes.some((node) => node.state === "lost")],
  ["dangling", "✕", "dangling: leads to freed memory", (picture) => boxesOf(picture).some((cell) => cell.marks.includes("dangling"))],
  ["wild", "↯", "leads to no known object", (picture) => boxesOf(picture).some((cell) => cell.marks.includes("wild"))],
  ["uninitialised", "?", "uninitialised", (picture) => boxesOf(picture).some((cell) => cell.marks.includes("uninitialised"))],
];

/** @param {import("./types.js").Picture} picture */
function boxesOf(picture) {
  return [...picture.variables, ...picture.nodes.flatMap((node) => node.cells)];
}

const MOST_BURIED = 12; // that are named

/** @param {import("./types.js").Picture | null} picture */
export function showLegend(picture) {
  const box = byId("legend");
  box.replaceChildren();
  if (picture === null) return;
  for (const [look, sign, words, occurs] of MARKS) {
    if (occurs(picture)) box.append(el("span", { class: "mark" }, el("i", { class: `swatch ${look}` }, sign), ` ${words}`));
  }
  const buried = picture.buried ?? [];
  if (buried.length > 0) {
    const more = buried.length > MOST_BURIED ? ` and ${buried.length - MOST_BURIED} more` : "";
    const names = buried.slice(0, MOST_BURIED).join(", ");
    box.append(el("span", { class: "mark" }, `freed earlier, nothing leads there: ${names}${more}`));
  }
  if (picture.hidden > 0) box.append(el("span", { class: "mark" }, `${counted(picture.hidden, "node")} not drawn`));
}

/** All marks, for the page that explains them. */
export function allMarks() {
  return MARKS.map(([look, sign, words]) => [look, sign, words]);
}
