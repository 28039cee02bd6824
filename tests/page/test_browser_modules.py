"""The page's modules by themselves, in real Chromium."""

from __future__ import annotations

import pytest
from browsing import blank as blank
from browsing import run as run

PATCH = """--- a/list.c
+++ b/list.c
@@ -2,3 +2,4 @@
 two
-three
--- three and a half
+THREE
+and more
+++ plus
 four
"""


def test_a_patch_is_laid_over_the_source(run):
    found = run(
        """async ([patch, text]) => {
            const { patchedLines, currentIndex } = await module("diff.js");
            const lines = patchedLines("src/list.c", text, patch);
            const shown = lines.map(one => [one.kind, one.text, one.line]);
            return [shown, currentIndex(lines, 3), currentIndex(lines, 5)];
        }""",
        [PATCH.replace("-2,3 +2,4", "-2,4 +2,5"), "one\ntwo\nthree\n-- three and a half\nfour\nfive\n"],
    )
    lines, current, after = found
    assert lines == [
        ["same", "one", 1], ["same", "two", 2], ["removed", "three", 3],
        ["removed", "-- three and a half", 4], ["added", "THREE", None], ["added", "and more", None],
        ["added", "++ plus", None], ["same", "four", 5], ["same", "five", 6],
    ]  # fmt: skip
    assert lines[current] == ["added", "THREE", None]
    assert lines[after] == ["same", "four", 5]


def test_an_insertion_before_the_first_line(run):
    kinds = run(
        """async () => {
            const { patchedLines } = await module("diff.js");
            const patch = "--- a/x.c\\n+++ b/x.c\\n@@ -1,1 +1,2 @@\\n+zero\\n one\\n";
            return patchedLines("x.c", "one\\ntwo\\n", patch).map(line => line.text);
        }"""
    )
    assert kinds == ["zero", "one", "two"]


@pytest.mark.parametrize(
    "line, looks",
    [
        ('if (x > 0x1F) puts("a // b"); // end', ["keyword", "number", "string", "comment"]),
        ("#include <stdio.h>", ["directive"]),
        ("char c = '\"'; /* open", ["keyword", "string", "comment"]),
    ],
)
def test_c_is_coloured(run, line, looks):
    tokens = run(
        "async line => (await module('highlight.js')).colourLine(line, false).tokens",
        line,
    )
    assert "".join(token["text"] for token in tokens) == line
    assert [token["look"] for token in tokens if token["look"]] == looks


def test_comments_go_on_over_lines(run):
    found = run(
        """async () => {
            const { colourLine } = await module("highlight.js");
            const first = colourLine("int a; /* one", false);
            const second = colourLine("two */ int b;", first.inComment);
            return [first.inComment, second.tokens[0], second.inComment];
        }"""
    )
    assert found == [True, {"text": "two */", "look": "comment"}, False]


def test_arrows_on_one_line_get_lanes(run):
    points = run(
        """async () => {
            const { spreadLanes } = await module("lanes.js");
            const arrow = (from, to, points) => ({ from, to, marks: [], points });
            const all = [arrow("a->next", "b", [[10, 50], [40, 50]]),
                         arrow("b->prev", "a", [[40, 50], [10, 50]]),
                         arrow("b->next", "c", [[90, 50], [120, 50]])];
            return spreadLanes(all).map(one => one.points);
        }"""
    )
    assert points[0][0][1] != points[1][0][1]
    assert points[0][0][1] == points[0][1][1]
    assert points[2] == [[90, 50], [120, 50]]


FOLD = """async ([arrows, folded]) => {
    const { foldPicture } = await module("fold.js");
    const names = ["n1", "n2", "n3", "n4"];
    const nodes = names.map((name, index) => ({ name, x: index * 100, y: 0, width: 80, height: 60, marks: [],
        cells: [{ place: `${name}->next`, x: index * 100, y: 20, width: 80, height: 20, marks: [] }] }));
    const picture = { nodes, variables: [], arrows: arrows.map(([from, to]) =>
        ({ from, to, marks: [], points: [[0, 0], [1, 1]] })) };
    const seen = foldPicture(picture, new Set(folded));
    const left = seen.nodes.map(node => [node.name, node.folded ?? null]);
    return [left, seen.arrows.map(arrow => [arrow.from, arrow.to])];
}"""


def test_folding_hides_what_nothing_else_leads_to(run):
    arrows = [["head", "n1"], ["n1->next", "n2"], ["n2->next", "n3"], ["tail", "n4"], ["n3->next", "n4"]]
    nodes, left = run(FOLD, [arrows, ["n2"]])
    assert nodes == [["n1", None], ["n2", 1], ["n4", None]]
    assert left == [["head", "n1"], ["n1->next", "n2"], ["tail", "n4"]]


def test_folding_what_is_lost_hides_what_only_it_leads_to(run):
    arrows = [["head", "n1"], ["n2->next", "n3"], ["n3->next", "n1"]]
    nodes, left = run(FOLD, [arrows, ["n2"]])
    assert [name for name, _ in nodes] == ["n1", "n2", "n4"]
    assert left == [["head", "n1"]]


def test_the_way_back_to_a_stop(run):
    lines = run(
        """async () => {
            const { applyMessage, emptySession, resumeCommand } = await module("state.js");
            const session = emptySession();
            const stop = (number, parent, checkpoint = null) =>
                ({ number, parent, checkpoint, resumable: checkpoint !== null });
            const moments = [stop(1, null), stop(2, 1, 0), stop(3, 2), stop(4, 2), stop(5, 4)];
            const hello = { kind: "hello", moments, here: 5, entries: [], checkpoints: [], live: true };
            applyMessage(session, hello);
            return [1, 2, 3, 4, 5].map(number => resumeCommand(session, number));
        }"""
    )
    assert lines == ["back 3", "resume 0", None, "back 1", None]


def test_a_new_hello_keeps_the_stop_that_is_looked_at(run):
    views = run(
        """async () => {
            const { applyMessage, emptySession, isPast, viewedMoment } = await module("state.js");
            const session = emptySession();
            const hello = (numbers, here) => ({ kind: "hello", here, entries: [], checkpoints: [], live: true,
                moments: numbers.map(number => ({ number, parent: number - 1 })) });
            applyMessage(session, hello([1, 2, 3], 3));
            session.pinned = 2;
            applyMessage(session, hello([1, 2, 3, 4], 4));
            const kept = [viewedMoment(session).number, isPast(session)];
            applyMessage(session, hello([3, 4, 5], 5));
            return [kept, [viewedMoment(session).number, isPast(session)]];
        }"""
    )
    assert views == [[2, True], [5, False]]


def test_an_arrow_of_c_is_not_torn_apart_at_the_end_of_a_line(run):
    heights = run(
        """async () => {
            const { el, unbroken } = await module("dom.js");
            const box = el("p", {}, ...unbroken("x->parent->left"));
            for (const href of ["panels.css"]) {
                const sheet = el("link", { rel: "stylesheet", href: `/${href}` });
                document.head.append(sheet);
                await new Promise(done => sheet.addEventListener("load", done));
            }
            const list = el("ul", { class: "edits" }, el("li", {}, box));
            document.body.replaceChildren(list);
            const seen = [];
            for (let width = 20; width < 200; width += 3) {
                list.style.width = `${width}px`;
                seen.push(...[...box.querySelectorAll(".led")].map(each => each.getClientRects().length));
            }
            return [box.textContent, seen];
        }"""
    )
    assert heights[0] == "x->parent->left"
    assert set(heights[1]) == {1}


@pytest.mark.parametrize(
    "alive, opens",
    [([True, True], None), ([True, True, False], 2), ([True, False, False], 1), ([False], None)],
)
def test_a_recorded_session_opens_where_there_is_a_heap(run, alive, opens):
    found = run(
        """async alive => {
            const { openingStop } = await module("state.js");
            const number = index => index + 1;
            const moment = (lives, index) => [number(index), { parent: index || null, alive: lives }];
            return openingStop({ here: alive.length, moments: new Map(alive.map(moment)) });
        }""",
        alive,
    )
    assert found == opens
