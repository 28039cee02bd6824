"""Old stops in real Chromium: slider, keys, the mark that they are over, and the way back to them."""

from __future__ import annotations

from browsing import SAMPLES, arrow, cell, node
from browsing import open_page as open_page  # a fixture
from playwright.sync_api import expect

WIDTH = "() => document.querySelector('#heap [data-node=n4]').getBoundingClientRect().width"
HELLO = """() => new Promise(done => {
    const socket = new WebSocket(new URL("ws", location.href.replace(/^http/, "ws")));
    socket.onmessage = event => { socket.close(); done(JSON.parse(event.data)); };
})"""
SAMPLE = SAMPLES / "reverse_dll.c"


def at_first_round(live):
    session = live(SAMPLE)
    for line in ("start", "next 4", "step", "next 2", "spec", "enter", "next 5"):
        session.command(line)
    return session


def test_slider_and_keys_show_old_stops_and_leave_the_process_alone(live, open_page):
    session = at_first_round(live)
    page = open_page(session.url)
    here = page.locator("#source .line.current .number")
    expect(here).to_have_text("28")
    expect(page.locator("#past")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(here).to_have_text("29")
    expect(page.locator("#past")).to_contain_text("over")
    expect(page.get_by_role("button", name="next")).to_be_disabled()
    expect(page.locator("#panel-variables .value-button")).to_have_count(0)
    page.keyboard.press("n")
    cell(page, "n4->data").click()
    expect(page.locator(".editor")).to_have_count(0)
    page.keyboard.press("Home")
    expect(here).to_have_text("39")
    expect(node(page, "n1")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(node(page, "n4")).to_be_visible()
    page.locator("#slider").fill("1")
    expect(here).to_have_text("39")
    session.command("step")
    expect(page.locator("#past")).to_be_visible()
    expect(here).to_have_text("39")
    page.keyboard.press("End")
    expect(here).to_have_text("35")
    expect(page.locator("#past")).to_be_hidden()
    page.keyboard.press("n")
    assert session.from_page() == "next"


def test_a_button_resumes_at_an_old_stop(live, open_page):
    session = at_first_round(live)
    page = open_page(session.url)
    page.get_by_role("tab", name="Checkpoints").click()
    page.locator("#panel-checkpoints .look").first.click()
    expect(page.locator("#past")).to_be_visible()
    page.get_by_role("button", name="Resume here").click()
    assert session.from_page() == "resume 0"
    expect(page.locator("#past")).to_be_hidden()
    expect(page.locator("#source .line.current .number")).to_have_text("28")
    expect(arrow(page, "current", "n4")).to_be_visible()
    page.keyboard.press("e")
    assert session.from_page() == "enter"
    expect(page.locator("#source .line.current .number")).to_have_text("29")
    page.locator("#slider").fill("3")  # no checkpoint, but on the way here
    page.keyboard.press("b")
    assert session.from_page() == "back 2"
    expect(page.locator("#source .line.current .number")).to_have_text("26")
    page.locator("#slider").fill("6")  # on another way
    expect(page.locator("#past")).to_be_visible()
    expect(page.locator("#resume")).to_have_count(0)


def test_nodes_fold_and_unfold(live, open_page):
    session = at_first_round(live)
    session.command("back 2")
    page = open_page(session.url)
    expect(node(page, "n1")).to_be_visible()
    node(page, "n4").locator(".frame").dispatch_event("dblclick")
    expect(cell(page, "n4->data")).to_have_count(0)
    expect(node(page, "n3")).to_have_count(0)
    expect(node(page, "n1")).to_have_count(0)
    page.locator("#unfold").click()
    expect(node(page, "n1")).to_be_visible()
    expect(cell(page, "n4->data")).to_be_visible()


def test_the_picture_can_be_zoomed_moved_and_fitted(live, open_page):
    session = at_first_round(live)
    page = open_page(session.url)
    first, start = page.evaluate(WIDTH), node(page, "n4").bounding_box()["x"]
    page.keyboard.press("+")
    assert page.evaluate(WIDTH) > first * 1.1
    page.keyboard.press("0")
    page.wait_for_function(f"Math.abs(({WIDTH})() - {first}) < 2")
    box = page.locator("#heap").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + box["height"] - 40, steps=3)
    page.mouse.up()
    assert abs(node(page, "n4").bounding_box()["x"] - start - 70) < 3


def test_what_has_moved_arrives_at_its_new_place(live, open_page):
    """With motion: at the end of the animation every node stands where its picture says."""
    session = live(SAMPLE)
    session.command("start")
    page = open_page(session.url, reduced_motion="no-preference")
    session.command("next 4")
    expect(node(page, "n4")).to_be_visible()
    session.command("step")
    session.command("next 6")
    page.wait_for_function("document.querySelectorAll('#heap [opacity]').length === 0")
    told = page.evaluate(HELLO)
    moment = next(each for each in told["moments"] if each["number"] == told["here"])
    for each in moment["picture"]["nodes"]:
        expect(node(page, each["name"])).to_have_attribute(
            "transform", f"translate({each['x']:g} {each['y']:g})"
        )
