"""A saved session in real Chromium, from a file and without a network."""

from __future__ import annotations

import pytest
from browsing import SAMPLES, arrow, node, play
from browsing import open_page as open_page  # a fixture
from playwright.sync_api import expect


@pytest.fixture
def saved(live, tmp_path):
    """The session of the paper's first example, played to its first repair and saved."""
    session = live(SAMPLES / "reverse_dll.c", serve=False)
    play(session, "reverse_dll.wol")
    session.command("repair --no-question")
    file = tmp_path / "session.html"
    session.command(f"save {file}")
    assert file.exists(), session.out.getvalue()
    return file


def test_a_saved_session_replays_offline(saved, open_page):
    asked = []

    def listen(page):
        page.on("request", lambda request: asked.append(request.url))

    page = open_page(
        saved.as_uri(), offline=True, prepare=lambda page: page.on("request", lambda r: asked.append(r.url))
    )
    expect(page.locator("#link")).to_have_text("recorded session")
    expect(page.locator("#source .line.added")).to_have_count(2)
    expect(page.locator("#dock")).to_contain_text("Repaired by 2 edits")
    for acting in ("#controls", "#prompt", "#past", "#interrupt", "#resume"):
        expect(page.locator(acting)).to_be_hidden()
    page.keyboard.press("Home")
    expect(page.locator("#source .line.current .number")).to_have_text("39")
    expect(node(page, "n1")).to_have_count(0)
    expect(page.locator("#source .line.added")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(node(page, "n1")).to_be_visible()
    page.locator("#slider").fill("7")
    expect(arrow(page, "n4->next", "n3")).to_be_visible()
    expect(page.locator("#source .line.current .number")).to_have_text("28")
    page.get_by_role("tab", name="Words").click()
    expect(page.locator("#panel-words li").first).not_to_be_empty()
    page.get_by_role("tab", name="Log").click()
    expect(page.locator("#panel-log .command").filter(has_text="spec")).to_have_count(3)
    page.keyboard.press("End")
    expect(page.locator("#source .line.added")).to_have_count(2)
    assert asked == [saved.as_uri()]


def test_a_saved_page_cannot_act(saved, open_page):
    page = open_page(saved.as_uri(), offline=True)
    page.keyboard.press("n")
    page.locator("#heap .cell").first.click()
    expect(page.locator(".editor")).to_have_count(0)
    expect(page.locator("#dock .card:not(:disabled)")).to_have_count(0)
    expect(page.locator("#panel-variables .value-button")).to_have_count(0)
