"""The drawing of heaps by itself, in real Chromium: motion, and heaps of a thousand nodes."""

from __future__ import annotations

import pytest
from browsing import blank as blank
from browsing import run as run

PREPARE = """async () => {
    document.body.innerHTML = '<div id="heap"></div>';
    window.pane = document.getElementById("heap");
    Object.assign(pane.style, { position: "relative", width: "800px", height: "600px" });
    const { HeapView } = await module("heap.js");
    window.view = new HeapView(pane);
    window.node = (name, x, y) => ({
        name, title: name, value: name, type: "struct node", state: "live", marks: [], x, y,
        width: 96, height: 60,
        cells: ["next", "prev"].map((label, row) => ({
            place: `${name}->${label}`, label, type: "struct node *", text: "n2", pointer: true, marks: [],
            editable: true, x, y: y + 20 * (row + 1), width: 96, height: 20, at: x + 50, was: null,
        })),
    });
    window.picture = (nodes, arrows = []) => ({
        x: 0, y: 0, hidden: 0, width: Math.max(...nodes.map(one => one.x)) + 96,
        height: Math.max(...nodes.map(one => one.y)) + 60, nodes, variables: [], arrows,
    });
    window.settled = () => new Promise(done => {
        const wait = () => view.motion.steps.length === 0 ? setTimeout(done) : requestAnimationFrame(wait);
        requestAnimationFrame(wait);
    });
}"""

MOVE = """async () => {
    const pair = x => picture([node("n1", 0, 0), node("n2", x, 0), node("n3", 700, 0)],
        [{ from: "n1->next", to: "n2", marks: [], editable: true, points: [[96, 30], [x, 30]] }]);
    view.show(pair(200), null, false);
    const [box, line] = [pane.querySelector("[data-node=n2]"), pane.querySelector(".arrow .line")];
    const seen = [[], []];
    new MutationObserver(() => {
        seen[0].push(box.getAttribute("transform"));
        seen[1].push(line.getAttribute("d"));
    }).observe(box, { attributes: true });
    view.show(pair(500), null, true);
    await settled();
    return seen.map(all => [new Set(all).size, all.at(-1)]);
}"""


@pytest.fixture
def draw(run):
    """Evaluate JavaScript beside an empty `view`, with `node`, `picture` and `settled`."""
    run(PREPARE)
    return run


def test_what_moves_is_seen_to_move_and_its_arrows_with_it(draw):
    (places, box), (ways, line) = draw(MOVE)
    assert places > 2 and ways > 2
    assert box == "translate(500 0)"
    assert line.startswith("M96 30") and "L492" in line


def test_nothing_moves_for_those_who_want_no_motion(blank, draw):
    blank.emulate_media(reduced_motion="reduce")
    (places, box), (ways, _) = draw(MOVE)
    assert (places, ways) == (1, 1)
    assert box == "translate(500 0)"


def test_a_thousand_nodes_get_their_cells_where_they_can_be_read(draw):
    counts = draw(
        """async () => {
            const place = i => [(i % 40) * 140, Math.floor(i / 40) * 120];
            const all = Array.from({ length: 1000 }, (_, i) => node(`n${i}`, ...place(i)));
            const fitting = view.camera.fitting.bind(view.camera);
            view.camera.fitting = () => fitting(true); // all of them, however small
            view.show(picture(all), null, false);
            const count = () => [".node", ".cell"].map(look => pane.querySelectorAll(look).length);
            const far = count();
            view.camera.zoomBy(1 / view.camera.view.scale, [0, 0]);
            await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
            return [far, count()];
        }"""
    )
    (nodes_far, cells_far), (nodes_near, cells_near) = counts
    assert (nodes_far, cells_far) == (1000, 0)
    assert nodes_near == 1000
    assert 20 <= cells_near <= 400


def test_what_stays_keeps_its_element(draw):
    kept = draw(
        """async () => {
            view.show(picture([node("n1", 0, 0), node("n2", 200, 0)]), null, false);
            const before = ["n1", "n2"].map(name => pane.querySelector(`[data-node=${name}]`));
            const changed = node("n2", 200, 0);
            changed.cells[0].marks = ["changed"];
            view.show(picture([node("n1", 100, 50), changed, node("n3", 400, 0)]), null, false);
            const after = ["n1", "n2"].map(name => pane.querySelector(`[data-node=${name}]`));
            return [before[0] === after[0], before[1] === after[1], pane.querySelectorAll(".node").length];
        }"""
    )
    assert kept == [True, False, 3]


def test_a_wide_tree_begins_at_its_root(draw):
    root, first = draw(
        """async () => {
            const leaves = Array.from({ length: 32 }, (_, i) => node(`n${i + 2}`, i * 120, 300));
            const seen = nodes => {
                view.camera.touched = false;
                view.show(picture(nodes), null, false);
                const { x, scale } = view.camera.fitting();
                return nodes[0].x * scale + x;
            };
            return [seen([node("n1", 1860, 0), ...leaves]), seen(leaves)];
        }"""
    )
    assert 350 < root < 450
    assert first == 18


def test_a_tall_picture_is_begun_readable_and_tells_that_there_is_more(draw):
    scale, least, below, seen, back = draw(
        """async () => {
            pane.style.overflow = "hidden";
            const all = Array.from({ length: 9 }, (_, i) => node(`n${i + 1}`, 0, i * 150));
            view.show(picture(all), null, false);
            const { camera } = view;
            const { scale } = camera.view;
            const hidden = side => pane.querySelector(`.more.${side}`).hidden;
            const below = !hidden("below") && hidden("above");
            const changed = all.slice(0, 8).concat([{ ...all[8], marks: ["changed"] }]);
            view.show(picture(changed), null, false); // what is new comes into sight
            const spot = (camera.view.y + 1200 * scale);
            const seen = spot > 0 && spot + 60 * scale < 600;
            camera.fit();
            camera.motion.finish();
            const whole = camera.view.scale;
            camera.zoomBy(1 / whole, [0, 0]);
            return [scale, whole, below, seen, hidden("below")];
        }"""
    )
    assert scale == 0.85 and least < 0.5
    assert below and seen
    assert not back


def test_a_pane_that_gets_smaller_shows_the_picture_anew_unless_it_was_moved_by_hand(draw):
    scales = draw(
        """async () => {
            const resized = height => new Promise(done => {
                const watch = new ResizeObserver(() => {
                    if (pane.clientHeight !== height) return;
                    watch.disconnect();
                    done([view.camera.view.scale, view.camera.view.y]);
                });
                pane.style.height = `${height}px`;
                watch.observe(pane);
            });
            view.show(picture([node("n1", 0, 0), node("n2", 0, 360)]), null, false);
            const first = view.camera.view.scale;
            const [smaller] = await resized(380);
            view.camera.panBy(0, -10);
            const { y } = view.camera.view;
            const [kept, there] = await resized(300);
            return [first, smaller, kept, there === y];
        }"""
    )
    assert scales == [1.15, pytest.approx((380 - 36) / 420), pytest.approx((380 - 36) / 420), True]
