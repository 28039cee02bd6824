"""How long after a stop the live page has drawn it, in Chromium."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from wolverine.page.view import View
from wolverine.session.session import Session

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

# Notes by the page's clock when each stop is on the screen: the title names it, and that frame is over.
_WATCH = """
() => {
    window.drawn = {};
    const look = () => {
        const stop = /stop (\\d+)/.exec(document.getElementById("stop-title").textContent);
        if (stop && !(stop[1] in window.drawn)) {
            window.drawn[stop[1]] = null;
            requestAnimationFrame(() => requestAnimationFrame(() => {
                window.drawn[stop[1]] = performance.timeOrigin + performance.now();
            }));
        }
    };
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, all);
}
"""
_DRAWN = """
number => new Promise(done => {
    const look = () => window.drawn[number] > 0 ? done(window.drawn[number]) : setTimeout(look, 5);
    look();
})
"""
_NOW = "performance.timeOrigin + performance.now()"


def chromium() -> str | None:
    """Where Chromium is, if it is."""
    return shutil.which("chromium")


@contextmanager
def opened(url: str, executable: str) -> Iterator[Page]:
    """The page in a browser without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        try:
            page = browser.new_page(viewport={"width": 1400, "height": 860})
            page.goto(url)
            page.locator("#stop-title", has_text="stop").wait_for()
            yield page
        finally:
            browser.close()


def stop_to_drawn(session: Session, step: Callable[[View], None], executable: str, runs: int) -> list[float]:
    """Seconds from a stop of the process to the frame that shows it, for `runs` calls of `step`.

    `step` moves the session on; the clock starts when it is done, before the page is told.
    """
    view = View(session, drives=True)
    times = []
    try:
        with opened(view.serve(), executable) as page:
            page.evaluate(_WATCH)
            for _ in range(runs):
                step(view)
                began = time.time()
                view.end()
                number = view.timeline.here
                shown = float(page.evaluate(_DRAWN, number))
                times.append(shown / 1000 - began - _ahead(page))
    finally:
        view.close()
    return times


def _ahead(page: Page) -> float:
    """By how many seconds the page's clock is ahead of ours, at its best guess."""
    guesses = []
    for _ in range(3):
        before = time.time()
        there = float(page.evaluate(_NOW)) / 1000
        after = time.time()
        guesses.append((after - before, there - (before + after) / 2))
    return min(guesses)[1]
