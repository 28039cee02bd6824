/** The panels beside the source, one at a time. */
import { byId, el } from "./dom.js";

const PANELS = [
  ["variables", "Variables"],
  ["checkpoints", "Checkpoints"],
  ["output", "Output"],
  ["log", "Log"],
  ["words", "Words"],
];

/**
 * @param {string} name
 */
export function showPanel(name) {
  for (const [one] of PANELS) {
    const tab = byId(`tab-${one}`);
    tab.setAttribute("aria-selected", String(one === name));
    tab.tabIndex = one === name ? 0 : -1;
    byId(`panel-${one}`).hidden = one !== name;
    if (one === name) tab.classList.remove("news");
  }
}

/**
 * Say that there is something new in a panel that is not seen now.
 * @param {string} name
 */
export function announcePanel(name) {
  if (byId(`panel-${name}`).hidden) byId(`tab-${name}`).classList.add("news");
}

/** Make the tabs; arrow keys, Home and End move among them. */
export function buildTabs() {
  const bar = byId("tabs");
  PANELS.forEach(([name, title], index) => {
    const tab = el(
      "button",
      { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` },
      title,
    );
    tab.addEventListener("click", (event) => {
      showPanel(name);
      if (event.detail > 0) tab.blur(); // clicked with the mouse: the arrow keys stay those of the timeline
    });
    tab.addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: PANELS.length - 1 - index }[event.key];
      if (steps === undefined) return;
      const next = PANELS[(index + steps + PANELS.length) % PANELS.length][0];
      showPanel(next);
      byId(`tab-${next}`).focus();
      event.preventDefault();
      event.stopPropagation();
    });
    byId(`panel-${name}`).setAttribute("aria-labelledby", `tab-${name}`);
    bar.append(tab);
  });
  showPanel("variables");
}
