"""What the page draws, against the process: every value is there, and what looks editable can be edited."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from thorough import every_other

from wolverine.errors import CommandError
from wolverine.page import protocol
from wolverine.page.pictures import Pictured
from wolverine.session.parse import parse_command

BAR = 3.5  # pixels up to the right edge of the mark of a change

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct inner { int a; char tag; };
struct node { int data; struct node *next; struct inner in; struct node *kids[2]; };
struct node *head;
int head_count;
static double share = 0.5;
struct node *table[4];
void deep(struct node *p, int n) {
    struct node *own = p;
    int head_count = n;
    if (n > 0)
        deep(p->next, n - 1);
    else {
        int head_count = 9;
        own->in.a = head_count;
        return;
    }
}
int main(void) {
    struct node local;
    struct node *at = &local;
    int numbers[3] = {1, 2, 3};
    int *p = &numbers[1];
    char word[8] = "abc";
    memset(&local, 0, sizeof local);
    for (int i = 0; i < 4; i++) {
        struct node *fresh = calloc(1, sizeof *fresh);
        fresh->data = i;
        fresh->next = head;
        fresh->kids[0] = head;
        head = fresh;
        table[i] = fresh;
    }
    int *many = calloc(5, sizeof *many);
    many[2] = 7;
    free(table[0]);
    deep(head, 1);
    return *p + word[0] + at->data + many[0];
}
"""


@pytest.fixture
def session(live: Callable[..., Any]) -> Any:
    started = live(PROGRAM, serve=False)
    started.command("break 16")
    started.command("run")
    return started


def pictured(session: Any) -> protocol.Picture:
    return Pictured(session.session.execution.path[-1].graph).picture


def editables(picture: protocol.Picture) -> list[protocol.Cell | protocol.Chip]:
    cells = [cell for node in picture.nodes for cell in node.cells]
    return [each for each in [*cells, *picture.variables] if each.editable]


def overlap(one: Any, other: Any) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


def test_what_looks_editable_is_changed_by_its_place(session: Any) -> None:
    """The shell's thread is idle, so the commands are carried out here."""
    shown = editables(pictured(session))
    places = [each.place for each in shown]
    assert len(places) == len(set(places))
    assert {"n1->data", "n2->in.a", "n3->kids[1]", "head", "main::at", "own", "deep#2::n"} <= set(places)
    assert {"share", "table[2]", "main::local.next", "main::numbers[1]", "n5[2]"} <= set(places)
    for each in every_other(shown):
        value = "null" if each.pointer else "1.5" if each.type == "double" else "1"
        session.session.execute(parse_command(f"change {each.place} {value}"))
        now = next(e for e in editables(pictured(session)) if e.place == each.place)
        assert now.text in ("null", "1", "1.5", "'\\x01'"), each.place
        session.session.execute(parse_command("undo"))


def test_an_arrow_can_be_led_to_every_node(session: Any) -> None:
    picture = pictured(session)
    nodes = [node for node in picture.nodes if node.type == "struct node" and node.value]
    assert {node.state for node in nodes} == {"live", "freed", "variable"}
    for node in nodes:
        session.session.execute(parse_command(f"change n4->next {node.value}"))
        moved = next(arrow for arrow in pictured(session).arrows if arrow.source == "n4->next")
        assert moved.target == node.name
        session.session.execute(parse_command("undo"))


def test_every_pointer_to_a_box_has_its_arrow(session: Any) -> None:
    picture = pictured(session)
    boxes = {node.name for node in picture.nodes}
    sources = [arrow.source for arrow in picture.arrows]
    assert len(sources) == len(set(sources))
    wanted = {
        each.place
        for each in [*(cell for node in picture.nodes for cell in node.cells), *picture.variables]
        if each.pointer and each.text.rstrip("!").lstrip("&").partition("[")[0].partition("+")[0] in boxes
    }
    assert wanted <= set(sources)
    assert len(wanted) > 10
    for arrow in picture.arrows:
        assert arrow.target in boxes
        assert len(arrow.points) >= 2
        target = next(node for node in picture.nodes if node.name == arrow.target)
        x, y = arrow.points[-1]
        assert target.x - 1 <= x <= target.x + target.width + 1
        assert target.y - 1 <= y <= target.y + target.height + 1


def test_nothing_covers_anything(session: Any) -> None:
    picture = pictured(session)
    chips = [chip for chip in picture.variables if not chip.written]
    for one, other in combinations([*picture.nodes, *picture.variables], 2):
        assert not overlap(one, other), (one, other)
    assert chips
    for node in picture.nodes:
        for cell in node.cells:
            assert node.x <= cell.x
            assert cell.x + cell.width <= node.x + node.width
            assert node.y < cell.y
            assert cell.y + cell.height <= node.y + node.height
        for one, other in pairwise(node.cells):
            assert not overlap(one, other)


def test_the_mark_of_a_change_stands_beside_the_value(session: Any) -> None:
    cells = [cell for node in pictured(session).nodes for cell in node.cells]
    assert [cell.place for cell in cells if not cell.label and "numbers[1]" in cell.place]
    for cell in cells:
        assert cell.at > cell.x + BAR, cell.place


def test_facts_are_those_of_the_process(session: Any) -> None:
    picture = pictured(session)
    node = next(each for each in picture.nodes if each.name == "n2")
    asked = session.session.debugger.console("print *head->next->next")
    assert node.size == 40
    assert node.allocated.endswith("program0.c:28")
    assert "data = 1" in asked
    address = session.session.debugger.console("print/x (long) head->next->next")
    assert node.address in address
    cell = next(each for each in node.cells if each.place == "n2->in.a")
    assert (cell.type, cell.size, int(cell.address, 16) - int(node.address, 16)) == ("int", 4, 16)
    freed = next(each for each in picture.nodes if each.name == "n1")
    assert freed.state == "freed"
    assert freed.freed.endswith("program0.c:37")


def test_boxes_stay_where_they_are(session: Any) -> None:
    path = session.session.execution.path
    before = Pictured(path[-1].graph)
    session.command("next")
    after = Pictured(path[-1].graph, before.layout, path[-2].graph)
    spots = {node.name: (node.x, node.y) for node in before.picture.nodes}
    assert {node.name: (node.x, node.y) for node in after.picture.nodes} == spots
    changed = [cell.place for node in after.picture.nodes for cell in node.cells if "changed" in cell.marks]
    assert changed == ["n3->in.a"]


def test_what_has_ended_cannot_be_edited(session: Any) -> None:
    graph = session.session.execution.path[-1].graph
    picture = Pictured(graph, alive=False).picture
    assert not editables(picture)
    assert not [arrow for arrow in picture.arrows if arrow.editable]
    with pytest.raises(CommandError):
        session.session.execute(parse_command("change n99->next null"))


TREE = """\
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
static struct node *grown(int low, int high) {
    if (low > high) return NULL;
    struct node *one = malloc(sizeof *one);
    one->key = (low + high) / 2;
    one->left = grown(low, one->key - 1);
    one->right = grown(one->key + 1, high);
    return one;
}
int main(void) {
    struct node *root = grown(1, 40);
    return root->key;
}
"""


def test_names_and_values_of_a_large_tree_stand_beside_each_other(
    live: Callable[..., Any], tmp_path: Any
) -> None:
    started = live(TREE, serve=False)
    started.command("break 13")
    started.command("run")
    graph = started.session.execution.path[-1].graph
    picture = Pictured(graph).picture
    assert len([node for node in picture.nodes if node.type == "struct node"]) == 40
    cells = [cell for node in picture.nodes for cell in node.cells]
    assert {cell.label for cell in cells} == {"key", "left", "right"}
    for cell in cells + [cell for node in Pictured(graph, narrow=True).picture.nodes for cell in node.cells]:
        assert cell.x + 8 * (1 + len(cell.label)) <= cell.at, cell.place
        assert cell.at + 8 * len(cell.text) <= cell.x + cell.width or not cell.label, cell.place
    started.session.execute(parse_command(f"save {tmp_path / 'tree.dot'}"))
    assert "n40" in (tmp_path / "tree.dot").read_text()
