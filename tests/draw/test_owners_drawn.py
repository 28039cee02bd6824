"""Many nodes that lead to one owner, or end in one variable: the names in the boxes tell that."""

from __future__ import annotations

import pytest
from draw_heaps import Heap, n, struct, to

from wolverine.core.graph import Pointer, VariableId
from wolverine.core.types import INT, StructReference
from wolverine.draw import layout, terminal

struct("band", ("size", INT), ("first", to("player")))
struct("player", ("band", to("band")), ("next", to("player")))
struct("twig", ("key", INT), ("low", to("twig")), ("high", to("twig")))

BAND, TIP = VariableId(-1, "", "band"), VariableId(-1, "", "tip")


def band(players: int) -> Heap:
    """A band in a variable, which leads to its players; each leads to the band."""
    heap = Heap()
    heap.variable("band", StructReference("band"), players, n(1) if players else None, depth=-1)
    for number in range(1, players + 1):
        heap.node(number, "player", Pointer(BAND), n(number + 1) if number < players else None)
    return heap


def arrows(heap: Heap) -> set[tuple[str, str]]:
    picture = layout(heap.graph())
    return {
        (f"{picture.boxes[a.source].title}.{picture.boxes[a.source].lines[a.line].name}", str(a.target))
        for a in picture.arrows
    }


@pytest.mark.parametrize(("players", "drawn"), [(2, 2), (3, 0), (5, 0)])
def test_three_players_need_no_arrows_to_their_band(players: int, drawn: int) -> None:
    heap = band(players)
    assert sum(target == str(BAND) for _, target in arrows(heap)) == drawn
    text = terminal(layout(heap.graph()), width=100, color=False, unicode=True)
    assert text.count("band &band") == players
    assert "not drawn" not in text


def test_who_is_not_among_the_players_has_an_arrow_to_the_band() -> None:
    """That is what is wrong in such a picture."""
    heap = band(4)
    heap.node(5, "player", Pointer(BAND), None)
    heap.variable("guest", to("player"), n(5))
    assert [name for name, target in arrows(heap) if target == str(BAND)] == ["n5.band"]


def test_trees_that_end_in_one_variable() -> None:
    heap = Heap()
    heap.variable("tip", StructReference("twig"), 0, Pointer(TIP), Pointer(TIP), depth=-1)
    heap.node(1, "twig", 5, n(2), n(3))
    heap.node(2, "twig", 3, Pointer(TIP), Pointer(TIP))
    heap.node(3, "twig", 8, Pointer(TIP), Pointer(TIP))
    heap.variable("root", to("twig"), n(1))
    assert {name for name, _ in arrows(heap) if not name.startswith("tip")} == {"n1.low", "n1.high"}
