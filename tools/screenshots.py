"""`make screenshots`: the README's pictures of the live page, from real sessions on the samples."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from wolverine.bench.page import FLAGS, chromium
from wolverine.page.record import played

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs"
SIZE = {"width": 1280, "height": 800}


def lines_of(script: str, last: str) -> list[str]:
    """The lines of a sample's script up to the first one that begins with `last`, included."""
    lines = (ROOT / "samples" / f"{script}.wol").read_text().splitlines()
    end = next(index for index, line in enumerate(lines) if line.startswith(last))
    return lines[: end + 1]


def picture(
    browser: Browser, name: str, program: str, lines: list[str], theme: str, prepare: Callable[[Page], None]
) -> None:
    """Play a session, show it, and take the picture."""
    with played(Path("samples") / f"{program}.c", lines) as view:
        context = browser.new_context(viewport=SIZE, color_scheme=theme, reduced_motion="reduce")
        page = context.new_page()
        page.goto(view.serve())
        page.locator("#stop-title", has_text="stop").wait_for()
        prepare(page)
        page.screenshot(path=PICTURES / f"{name}.png")
        context.close()
    print(f"docs/{name}.png")


def as_it_is(_page: Page) -> None:
    """The page as it comes."""


def three_stops_earlier(page: Page) -> None:
    """Look at an earlier stop; the process stays where it is."""
    page.locator("body").click(position={"x": 5, "y": 5})
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.locator("#stop-title", has_text="old stop").wait_for(state="attached")


def main() -> int:
    """Take all pictures; status 1 without Chromium."""
    executable = chromium()
    if executable is None:
        print("there is no chromium", file=sys.stderr)
        return 1
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        figure = lines_of("reverse_dll", "repair")
        picture(browser, "page-question", "reverse_dll", figure, "light", as_it_is)
        picture(browser, "page-timeline", "reverse_dll", figure, "dark", three_stops_earlier)
        whole = [line for line in lines_of("reverse_dll", "rewrite") if line != "rewrite"]
        picture(browser, "page-repair", "reverse_dll", whole, "light", as_it_is)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
