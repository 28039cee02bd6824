/** The page that explains keys and marks. */
import { commandKeys } from "./controls.js";
import { byId, el } from "./dom.js";
import { allMarks } from "./legend.js";

const VIEW_KEYS = [
  ["← →", "the stop before or after; Home, End: the first one, the present"],
  ["Escape", "back to the present; leaves a field or a drag as it was"],
  ["b", "at an old stop: resume there"],
  ["space", "play"],
  ["g", "go to the heap; there the arrow keys move, Enter changes a value, space folds a node"],
  ["+ - 0", "larger, smaller, all of it"],
  [":", "type a command"],
  ["t", "light or dark"],
  ["?", "this page"],
];

/**
 * @param {string[][]} rows
 */
function keyTable(rows) {
  const body = el("tbody");
  for (const [key, words] of rows) body.append(el("tr", {}, el("th", { scope: "row" }, el("kbd", {}, key)), el("td", {}, words)));
  return el("table", {}, body);
}

/** @param {import("./app.js").App} app */
export function buildHelp(app) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"));
  const fill = () => {
    const marks = el("ul", { class: "marks" });
    for (const [look, sign, words] of allMarks()) {
      marks.append(el("li", {}, el("i", { class: `swatch ${look}` }, sign), ` ${words}`));
    }
    const drives = app.session.live && app.session.drives;
    dialog.replaceChildren(
      el("h2", { id: "help-title" }, "Keys and marks"),
      el("div", { class: "help-columns" }, keyTable(VIEW_KEYS), drives ? keyTable([...commandKeys(), ["i", "interrupt"]]) : null, marks),
      drives
        ? el("p", {}, "Drag the head of an arrow, or the value of a pointer, to another node or to null; click a value to type another one.")
        : null,
      el("button", { type: "button", class: "strong", onclick: () => dialog.close() }, "Close"),
    );
  };
  byId("help-button").addEventListener("click", () => openHelp());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  const openHelp = () => {
    fill();
    dialog.showModal();
  };
  return openHelp;
}
