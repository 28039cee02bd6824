"""What a stop asserts, and where the trace begins."""

from dataclasses import replace
from itertools import count

import pytest

from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Site, VariableId
from wolverine.core.process import ProcessFrame, Stop
from wolverine.core.trace import Position
from wolverine.core.types import Types
from wolverine.session.moments import (
    Asserted,
    Moment,
    PlaceChange,
    StateChange,
    activations_of,
    assertions,
    trace_start,
)

X = Place(VariableId(-1, "", "x"), 0)
Y = Place(VariableId(-1, "", "y"), 0)
HERE = Position(0, "f", 3, 1)
EMPTY = MemoryGraph(Types({}))


def moment(*functions: tuple[str, int], **rest: object) -> Moment:
    frames = tuple(
        ProcessFrame(len(functions) - 1 - i, name, "f.c", 1, 0, cfa)
        for i, (name, cfa) in enumerate(functions)
    )
    values = {"stop": Stop("step", frames), "graph": EMPTY, "stack": (), "position": HERE, **rest}
    return Moment(**values)  # type: ignore[arg-type]


def path_of(*stacks: tuple[tuple[str, int], ...], kept: dict[int, int] | None = None) -> list[Moment]:
    """Moments on these stacks; of some only the `kept` outermost frames can go on."""
    path: list[Moment] = []
    serial = count()
    for index, functions in enumerate(stacks):
        here = moment(*functions)
        previous = path[-1] if path else None
        most = (kept or {}).get(index, len(functions))
        numbers = activations_of(previous, here.stop.frames, most, serial)
        path.append(replace(here, activations=numbers))
    return path


def spec(
    number: int, *cells: tuple[Place, object], named: tuple[Place, ...] = (), after: int = 0
) -> Asserted:
    return Asserted(number, tuple(cells), (), frozenset(named), after)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ([(3, 9), (3, 9)], 2),
        ([(3, 9), (3, 10)], None),  # called from elsewhere: the calls may come in another order
        ([(3, 9), (4, 9)], None),
    ],
)
def test_nodes_of_one_statement_keep_their_names(lines: list[tuple[int, int]], kept: int | None) -> None:
    nodes = {
        NodeId(n): Node(NodeId(n), 8, allocated=Site("f.c", line), callers=(Site("f.c", caller),))
        for n, (line, caller) in enumerate(lines, 1)
    }
    graph = MemoryGraph(Types({}), nodes=nodes)
    asserted = assertions(moment(("f", 1), graph=graph, asserted=(spec(0, (X, 1)),)), frozenset())
    assert asserted is not None
    assert asserted.allocated == kept


def test_a_change_that_no_spec_follows_asserts_its_one_place() -> None:
    asserted = assertions(moment(("f", 1), changes=(PlaceChange(X, 1, 2),)), frozenset())
    assert asserted is not None
    assert dict(asserted.cells) == {X: 2}
    assert asserted.weak == frozenset()


def test_of_two_specs_the_later_holds_and_a_change_after_it_overrides_its_place() -> None:
    here = moment(
        ("f", 1),
        changes=(PlaceChange(X, 0, 5),),
        asserted=(spec(0, (X, 1), (Y, 1)), spec(1, (X, 2), (Y, 2))),
    )
    asserted = assertions(here, frozenset())
    assert asserted is not None
    assert dict(asserted.cells) == {X: 5, Y: 2}
    assert asserted.weak == {Y}
    assert asserted.label == "checkpoint 1"


def test_a_change_before_the_spec_is_part_of_it() -> None:
    here = moment(("f", 1), changes=(PlaceChange(X, 0, 5),), asserted=(spec(0, (X, 5), (Y, 2), after=1),))
    asserted = assertions(here, frozenset())
    assert asserted is not None
    assert dict(asserted.cells) == {X: 5, Y: 2}


def test_a_withdrawn_spec_leaves_the_changes() -> None:
    here = moment(("f", 1), changes=(PlaceChange(X, 0, 5),), asserted=(spec(0, (X, 5), (Y, 2), after=1),))
    asserted = assertions(here, frozenset({0}))
    assert asserted is not None
    assert dict(asserted.cells) == {X: 5}


def test_a_changed_node_state_is_asserted() -> None:
    asserted = assertions(moment(("f", 1), changes=(StateChange(NodeId(3), "freed", "live"),)), frozenset())
    assert asserted is not None
    assert dict(asserted.states) == {NodeId(3): "live"}


def test_nothing_said_nothing_asserted() -> None:
    assert assertions(moment(("f", 1)), frozenset()) is None


MAIN = ("main", 100)
IN_MAIN = (MAIN,)
IN_F = (("f", 50), MAIN)


def test_the_trace_begins_at_the_first_stop_of_the_activation() -> None:
    path = path_of(IN_MAIN, IN_F, (("g", 20), *IN_F), IN_F)
    assert trace_start(path, None) == 1


def test_a_stop_in_a_callee_has_seen_its_caller() -> None:
    assert trace_start(path_of(IN_MAIN, (("g", 20), *IN_F), IN_F), None) == 1


def test_an_enclosing_activation_takes_the_trace_to_its_own_start() -> None:
    assert trace_start(path_of(IN_MAIN, IN_F, IN_MAIN), 1) == 0


def test_a_sibling_activation_leaves_the_start() -> None:
    path = path_of(IN_MAIN, IN_F, IN_MAIN, (("g", 50), MAIN))
    assert trace_start(path, 1) == 1


def test_functions_called_one_after_the_other_share_a_frame_address() -> None:
    assert trace_start(path_of(IN_MAIN, IN_F, (("g", 50), MAIN)), None) == 2


def test_a_second_call_of_a_function_is_another_activation() -> None:
    assert trace_start(path_of(IN_MAIN, IN_F, IN_F, kept={2: 1}), None) == 2


def test_what_a_second_call_calls_is_in_another_activation_of_it() -> None:
    path = path_of(IN_MAIN, IN_F, (("g", 20), *IN_F), kept={2: 1})
    assert path[1].activation not in path[2].activations
