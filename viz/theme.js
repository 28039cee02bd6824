/** Light or dark: as the system says, until the switch is used; the choice is kept where the browser lets us. */
import { byId } from "./dom.js";

const KEY = "wolverine-theme";
const darkSystem = window.matchMedia("(prefers-color-scheme: dark)");

function kept() {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden for files
  }
}

/** @param {string | null} theme */
function apply(theme) {
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const dark = (document.documentElement.dataset.theme ?? (darkSystem.matches ? "dark" : "light")) === "dark";
  byId("theme-button").textContent = dark ? "☀" : "☾";
  byId("theme-button").setAttribute("aria-pressed", String(dark));
}

/** Turn light into dark and back. */
export function toggleTheme() {
  const now = document.documentElement.dataset.theme ?? (darkSystem.matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  apply(next);
  try {
    window.localStorage.setItem(KEY, next);
  } catch {
    // it holds for this visit
  }
}

export function buildTheme() {
  apply(kept());
  byId("theme-button").addEventListener("click", toggleTheme);
  darkSystem.addEventListener("change", () => apply(null));
}
