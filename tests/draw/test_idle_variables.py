"""Variables that say nothing of the heap: statics of functions that are over, locals of macros."""

from __future__ import annotations

from draw_heaps import Heap, n, single_list, to

from wolverine.core.graph import NodeId, Pointer, VariableId
from wolverine.core.types import INT, ArrayType
from wolverine.draw import layout, terminal


def _drawn(heap: Heap, before: Heap | None = None) -> str:
    picture = layout(heap.graph(), before=before.graph() if before is not None else None)
    return terminal(picture, width=100, color=False, unicode=True)


def _with_statics(calls: int = 1, *, function: str = "main") -> Heap:
    heap = Heap(function)
    heap.node(1, "cell", 10, None)
    heap.variable("head", to("cell"), n(1))
    heap.variable("calls", INT, calls, static="count")
    heap.variable("sides", ArrayType(INT, 3), 1, 2, 3, static="count")
    heap.variable("free_list", to("cell"), n(1), static="take")
    return heap


def test_statics_of_functions_that_are_over_are_left_out() -> None:
    drawn = _drawn(_with_statics())
    assert "calls" not in drawn
    assert "sides" not in drawn
    assert "take::free_list" in drawn


def test_those_of_the_function_at_hand_are_shown() -> None:
    drawn = _drawn(_with_statics(function="count"))
    assert "calls = 1" in drawn
    assert "sides" in drawn


def test_what_changed_is_shown() -> None:
    drawn = _drawn(_with_statics(2), _with_statics(1))
    assert "count::calls = 2" in drawn
    assert "sides" not in drawn


def test_a_static_to_which_a_variable_leads_is_shown() -> None:
    heap = _with_statics()
    heap.variable("side", to("cell"), Pointer(VariableId(-1, "count", "sides")))
    assert "count::sides" in _drawn(heap)


def test_a_local_of_a_macro_is_shown_where_it_alone_leads_to_a_node() -> None:
    heap = single_list(2)
    heap.variable("__at", to("cell"), n(2))
    assert "__at" not in _drawn(heap)
    heap.node(3, "cell", 30, None)
    heap.assign("__at", n(3))
    assert "__at" in _drawn(heap)
    assert NodeId(3) in layout(heap.graph()).boxes
