"""What the browser tests have in common: the pages they open, and where things are on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route

SAMPLES = Path(__file__).parents[2] / "samples"
SIZE = {"width": 1280, "height": 800}
Opener = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Opener]:
    """Open an address; whatever the page complains of (errors, a violated policy) fails the test."""
    complaints: list[str] = []
    contexts = []

    def start(url: str, *, prepare: Callable[[Page], Any] | None = None, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": SIZE, "reduced_motion": "reduce", **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        if prepare is not None:
            prepare(page)
        page.goto(url)
        page.locator("#link:not(.waiting)").wait_for()
        return page

    yield start
    for context in contexts:
        context.close()
    assert not [each for each in complaints if "WebSocket" not in each]


def node(page: Page, name: str) -> Locator:
    return page.locator(f'#heap .node[data-node="{name}"]')


def cell(page: Page, place: str) -> Locator:
    return page.locator(f'#heap [data-place="{place}"]')


def arrow(page: Page, start: str, end: str, *, ghost: bool = False) -> Locator:
    which = ".mark-ghost" if ghost else ":not(.mark-ghost)"
    return page.locator(f'#heap .arrow{which}[data-from="{start}"][data-to="{end}"]')


def drag(page: Page, start: tuple[float, float], end: tuple[float, float], *, drop: bool = True) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 8, start[1] + 8, steps=2)
    page.mouse.move(*end, steps=4)
    if drop:
        page.mouse.up()


def head_of(found: Locator) -> tuple[float, float]:
    """Where on the screen the head of an arrow is."""
    spot = found.locator(".line").evaluate(
        """line => {
            const end = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.getScreenCTM());
            return [end.x, end.y];
        }"""
    )
    return spot[0], spot[1]


def middle_of(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def play(session: Any, name: str, until: str = "repair") -> None:
    """The commands of a sample's script up to the first that is `until`, which is left out."""
    for line in (SAMPLES / name).read_text().splitlines():
        for command in line.partition("#")[0].split(";"):
            if command.strip() == until:
                return
            if command.strip():
                session.command(command.strip())


VIZ = Path(__file__).parents[2] / "viz"
ORIGIN = "http://viz.test/"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """An empty page at whose address our modules lie; there `module(name)` is the promise of one."""
    page = browser.new_page()

    def serve(route: Route) -> None:
        file = VIZ / route.request.url.removeprefix(ORIGIN)
        if file.suffix in TYPES and file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")

    page.route(f"{ORIGIN}**", serve)
    page.goto(ORIGIN)
    page.evaluate("() => { window.module = name => import(`/${name}`); }")
    yield page
    page.close()


@pytest.fixture
def run(blank: Page) -> Callable[..., Any]:
    """Evaluate JavaScript in the blank page."""
    return blank.evaluate
