"""Repairs in real Chromium: the diff, the alternatives with their pictures, the question."""

from __future__ import annotations

import re

from browsing import SAMPLES, drag, middle_of, node, play
from browsing import open_page as open_page  # a fixture
from playwright.sync_api import expect

FAR_APART = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
    struct node *x = calloc(1, sizeof *x);
    x->v = 1;
    /**/
    return 0;
}
""".replace("/**/", "\n    ".join(f"/* {number} */" for number in range(80)))
REPAIRED = ("start", "next 2", "change x->v 2", "spec", "repair --no-question")


def test_a_repair_shows_its_diff_and_alternatives(live, open_page):
    session = live(SAMPLES / "reverse_dll.c")
    play(session, "reverse_dll.wol")
    page = open_page(session.url)
    page.get_by_role("button", name="repair").click()
    assert session.from_page() == "repair"
    dock = page.locator("#dock")
    expect(dock).to_contain_text("Repaired by 2 edits")
    expect(dock.locator(".diff .removed code").first).to_have_text("    while (temp1 != NULL) {")
    expect(dock.locator(".diff .added code").first).to_have_text("    while (current != NULL) {")
    expect(page.locator("#source .line.added code").first).to_have_text("    while (current != NULL) {")
    expect(page.locator("#source .line.current")).to_have_class(re.compile("added"))
    chosen = dock.locator("[data-rank='1']")
    expect(chosen).to_contain_text("in force")
    expect(chosen.locator("svg.still")).to_have_count(2)
    other = dock.locator("[data-rank='2']")
    other.click()
    assert session.from_page() == "accept 2"
    expect(dock.locator("[data-rank='2']")).to_contain_text("in force")
    expect(dock.locator("[data-rank='1']")).not_to_contain_text("in force")


def test_a_repair_of_an_earlier_run_is_not_shown(live, open_page):
    session = live(FAR_APART)
    for line in REPAIRED:
        session.command(line)
    page = open_page(session.url)
    expect(page.locator("#dock")).to_contain_text("Repaired by 1 edit")
    page.get_by_role("button", name="start").click()
    assert session.from_page() == "start"
    expect(page.locator("#stop-title")).to_contain_text("main")
    expect(page.locator("#dock")).to_be_hidden()
    page.locator("#timeline").get_by_role("button", name="First stop").click()
    expect(page.locator("#dock")).to_be_hidden()
    for _ in range(30):
        if page.locator("#dock").is_visible():
            break
        page.locator("#timeline").get_by_role("button", name="Stop after").click()
    expect(page.locator("#dock")).to_contain_text("Repaired by 1 edit")


def test_a_question_is_answered_by_a_click(live, open_page):
    session = live(SAMPLES / "reverse_dll.c")
    play(session, "reverse_dll.wol")
    page = open_page(session.url)
    session.command("repair --ask 1")
    dock = page.locator("#dock")
    expect(dock).to_contain_text("What should reverse() make of this?")
    expect(dock.locator(".edits").first).to_contain_text("becomes")
    expect(dock.locator(".edits").first).to_be_in_viewport()
    expect(dock.get_by_role("button", name="None of these")).to_be_in_viewport()
    expect(dock.locator("figure svg.still").first).to_be_visible()
    answers = dock.locator(".answer-card")
    assert answers.count() >= 2
    answers.first.click()
    assert session.from_page() == "repair --answer 1"
    expect(dock).not_to_contain_text("What should")
    expect(dock).to_contain_text("Repaired by")


def test_the_page_fits_half_a_screen(live, open_page):
    session = live(SAMPLES / "reverse_dll.c")
    play(session, "reverse_dll.wol")
    page = open_page(session.url, viewport={"width": 760, "height": 900})
    expect(node(page, "n4")).to_be_in_viewport()
    for part in ("#source", "#heap", "#timeline", "#command-line", "#interrupt", "#tab-words"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 760


def test_the_source_can_be_widened_and_the_repair_made_lower(live, open_page):
    session = live(FAR_APART)
    for line in REPAIRED:
        session.command(line)
    page = open_page(session.url)
    source, dock = page.locator("#source"), page.locator("#dock")
    expect(page.locator("#heap")).to_be_in_viewport(ratio=1)
    width, height = (each.bounding_box() for each in (source, dock))
    drag(page, middle_of(page.locator("#split-side")), (700, 400))
    drag(page, middle_of(page.locator("#split-dock")), (900, 600))
    wide, low = (each.bounding_box() for each in (source, dock))
    assert wide["width"] > width["width"] + 100
    assert low["height"] < height["height"] - 50
    page.locator("#split-side").dblclick()
    assert source.bounding_box() == width


def test_the_line_stays_in_sight_when_the_page_gets_narrower(live, open_page):
    session = live(FAR_APART)
    page = open_page(session.url)
    for line in ("break 86", "run"):
        session.command(line)
    current = page.locator("#source .line.current")
    expect(current).to_be_in_viewport()
    page.set_viewport_size({"width": 800, "height": 700})
    expect(current).to_be_in_viewport()


def test_the_buttons_stand_in_one_row(live, open_page):
    page = open_page(live(SAMPLES / "reverse_dll.c").url)
    tops = page.locator("#controls button").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len(tops) > 10 and len(set(tops)) == 1


OVERFLOWN = """\
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char *text = malloc(strlen(argv[0]));
    strcpy(text, argv[0]);
    free(text);
    return argc - 1;
}
"""


def test_what_only_tells_is_called_no_doubt(live, open_page, tmp_path):
    source = tmp_path / "overflown.c"
    source.write_text(OVERFLOWN)
    session = live(source)
    session.command("run")
    session.command("repair --no-question")
    page = open_page(session.url)
    dock = page.locator("#dock")
    expect(dock.locator(".remark").first).to_contain_text("the execution under repair ends at line 6")
    expect(dock.locator(".doubt")).to_have_count(0)


def test_the_line_that_was_edited_comes_into_sight(live, open_page):
    session = live(FAR_APART)
    page = open_page(session.url)
    for line in ("break 86", "run"):
        session.command(line)
    current = page.locator("#source .line.current")
    expect(current).to_have_attribute("data-line", "86")
    expect(current).to_be_in_viewport()
    session.command("change x->v 2")
    session.command("repair --no-question")
    expect(page.locator("#source .line.added")).to_be_in_viewport()
    expect(current).not_to_be_in_viewport()
    session.command("next")
    expect(current).to_have_attribute("data-line", "87")
    expect(current).to_be_in_viewport()


def test_a_repair_that_needs_no_edit_and_one_that_is_over_do_not_stay(live, open_page):
    session = live(FAR_APART)
    page = open_page(session.url)
    for line in REPAIRED:
        session.command(line)
    dock = page.locator("#dock")
    expect(dock).to_contain_text("Repaired by 1 edit")
    alike = dock.locator(".alternatives .note", has_text="does the same as")
    for card in dock.locator(".alternatives > li").filter(has=alike).all():
        expect(card.locator("svg.still")).to_have_count(0)  # the pictures of the first one tell
    session.command("spec drop 0")
    session.command("repair --no-question")
    expect(dock).to_contain_text("No edit is needed")
    expect(dock.locator(".alternatives > li")).to_have_count(0)


def test_boxes_that_are_too_small_for_text_have_their_names(live, open_page):
    session = live(FAR_APART)
    page = open_page(session.url)
    for line in ("break 86", "run"):
        session.command(line)
    name = node(page, "n1").locator(".big")
    expect(name).to_be_hidden()
    for _ in range(8):
        page.get_by_role("button", name="Smaller").click()
    expect(name).to_be_visible()
    expect(name).to_have_text("n1")
