"""Commands that say what is right: change, undo, spec, track (Wolverine2 sections 2.1 and 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any

from wolverine import draw
from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    NodeState,
    Opaque,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
)
from wolverine.core.types import is_scalar
from wolverine.errors import CommandError
from wolverine.session import results
from wolverine.session.beginning import constrain
from wolverine.session.begun_anew import begin_anew
from wolverine.session.changing import next_node, record_change, undo, write
from wolverine.session.constraints import cut_off, observable
from wolverine.session.evaluating import evaluated, is_expression, names_in
from wolverine.session.execution import Execution
from wolverine.session.moments import Asserted, Change, PlaceChange, StateChange
from wolverine.session.places import (
    Resolved,
    as_node_state,
    members_of,
    node_named,
    require_fit,
    resolve_node,
    resolve_place,
    resolve_value,
    shown,
    size_of_new,
    value_at,
)
from wolverine.session.positions import UNMAPPED
from wolverine.session.returning import checkpoints_here
from wolverine.session.texts import is_text, text_changes
from wolverine.session.visible import namesakes, seen_from, visible

_NAME = re.compile(r"[\s*&(]*([A-Za-z_]\w*(?:@\d+)?)(?![\w#]|::)")


class Correcting:
    """Records what the user says about the present state."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._tracked: tuple[str, ...] = ()
        self._next = 0

    def change(self, place: str, value: str) -> results.Changed:
        """Set a place in the process; raises CommandError where place or value make no sense."""
        execution = self._execution
        graph = execution.here().graph
        self._require_position("change")
        self._require_one_meaning(graph, (place, *(names_in(value) if is_expression(value) else (value,))))
        change: Change
        state = as_node_state(value)
        if state is not None and node_named(graph, place) is not None:
            node = resolve_node(graph, place)
            change = StateChange(node, graph.nodes[node].state, state)
        else:
            target = self._member(graph, value, resolve_place(graph, place))
            if is_text(graph, value, target):
                return self._apply(graph, *text_changes(graph, value, target))
            before = value_at(graph, target)
            made = size_of_new(graph, value, target)
            if made and not shown(graph, target):
                raise CommandError("a new node can only be made for a member of a union that is in use")
            after = Pointer(next_node(execution)) if made else self._value(graph, value, target)
            member = target.type if target.union is not None else None
            change = PlaceChange(target.place, before, after, made, graph if made else None, member)
        return self._apply(graph, change)

    def _member(self, graph: MemoryGraph, text: str, target: Resolved) -> Resolved:
        """Of a union as a whole the member that takes the value: the one in use, or else the first."""
        members = [*members_of(graph, target)]
        for member in sorted(members, key=lambda each: not shown(graph, each)):
            with suppress(CommandError):
                self._value(graph, text, member)
                return member
        return target

    def _value(self, graph: MemoryGraph, text: str, target: Resolved) -> Value:
        """What a text means for a place: gdb knows arithmetic."""
        try:
            return resolve_value(graph, text, target)
        except CommandError:
            if not is_expression(text) or not is_scalar(target.type):
                raise
        value = evaluated(self._execution, graph, text, target.type)
        require_fit(graph, text, value, target)
        return value

    def _apply(self, graph: MemoryGraph, *changes: Change) -> results.Changed:
        """Make changes that go together."""
        constrain(self._execution)
        write(self._execution, *changes)
        record_change(self._execution, *changes)
        begin_anew(self._execution)
        return changed_result(graph, *changes)

    def undo(self) -> results.Changed:
        """Take back the last change at this stop."""
        execution = self._execution
        graph = execution.here().graph
        return replace(changed_result(graph, *undo(execution)), back=True)

    def spec(self, texts: tuple[str, ...]) -> results.SpecAdded:
        """Assert the present state, or just these places; makes a checkpoint."""
        execution = self._execution
        self._require_one_meaning(execution.here().graph, texts)
        self._require_position("spec")
        constrain(execution)
        moment = execution.path[-1]
        assert execution.start is not None
        first = execution.path[execution.start]
        left_out = cut_off(execution.path)
        cells, states = observable(moment, len(first.stop.frames) - 1, left_out)
        named: frozenset[Place] = frozenset()
        chosen = texts or self._tracked
        if chosen:
            picked, states = self._picked(moment.graph, chosen)
            cells, left_out = picked, frozenset()
            named = frozenset(picked)
        number = self._next
        self._next += 1
        asserted = Asserted(number, tuple(cells.items()), tuple(states.items()), named, len(moment.changes))
        execution.assert_here(asserted)
        frame = moment.stop.frames[0]
        numbers = tuple(sorted(node.number for node in left_out))
        return results.SpecAdded(number, frame.file, frame.line, frame.function, numbers)

    def _picked(
        self, graph: MemoryGraph, texts: tuple[str, ...]
    ) -> tuple[dict[Place, Value], dict[NodeId, NodeState]]:
        """The values of these places, and the states of the nodes that are named; raises CommandError.

        Of a node that is freed only that: who frees it may have changed what it held, or not.
        """
        cells: dict[Place, Value] = {}
        states: dict[NodeId, NodeState] = {}
        for text in texts:
            node = node_named(graph, text)
            if node is not None:
                states[node] = graph.nodes[node].state
                if states[node] == "live":
                    held = ((p, v) for p, v in graph.cells.items() if p.object == node)
                    cells.update({place: value for place, value in held if _has_value(value)})
                continue
            found = resolve_place(graph, text)
            values = _values(graph, found)
            if not any(_has_value(value) for value in values.values()):
                more = namesakes(graph, text, found.place.object)
                raise CommandError(f"{text} has no value yet, so there is nothing to assert{more}")
            cells.update({p: v for p, v in values.items() if _has_value(v)})
        return cells, states

    def drop(self, number: int) -> str:
        """Withdraw the assertion of a checkpoint; the checkpoint stays."""
        execution = self._execution
        if number not in execution.checkpoints:
            raise CommandError(f"there is no checkpoint {number}; {checkpoints_here(execution)}")
        if number in execution.dropped:
            raise CommandError(f"the assertion of checkpoint {number} was withdrawn before")
        execution.dropped.add(number)
        return f"the assertion of checkpoint {number} is withdrawn; the checkpoint stays"

    def track(self, texts: tuple[str, ...]) -> str:
        """From now on `spec` without arguments asserts just these places."""
        graph = self._execution.here().graph
        self._require_one_meaning(graph, texts)
        for text in texts:
            if node_named(graph, text) is None:
                resolve_place(graph, text)
        self._tracked = tuple(dict.fromkeys((*self._tracked, *texts)))
        return f"spec asserts {', '.join(self._tracked)} from now on; `untrack` ends that"

    def untrack(self) -> str:
        """`spec` asserts the whole state again."""
        self._tracked = ()
        return "spec asserts the whole state again"

    def _require_one_meaning(self, graph: MemoryGraph, texts: tuple[str, ...]) -> None:
        """After `up` a name may mean one variable in gdb and another one in the picture."""
        named = [match[1] for text in texts if (match := _NAME.match(text))]
        depth = self._execution.debugger.selected() if named else None
        if depth is None or not graph.frames or depth == graph.frames[0].depth:
            return
        for name in named:
            pictured, selected = visible(graph, name), seen_from(graph, name, depth)
            if pictured is None or (selected is not None and pictured.id == selected.id):
                continue
            there = _named_so(graph, pictured.id)
            if selected is None:
                raise CommandError(
                    f"the frame that is selected has no {name}; there is {there}: name it so, or `down`"
                )
            one = _named_so(graph, selected.id)
            raise CommandError(
                f"{name} is {one} in the frame that is selected, and {there} in the picture: "
                "name one of these"
            )

    def _require_position(self, command: str) -> None:
        moment = self._execution.path[-1]
        if not moment.stack or moment.stack[0][1] == UNMAPPED or moment.position is None:
            where = moment.stop.frames[0].function if moment.stop.frames else "this code"
            raise CommandError(
                f"the model does not know {where}, so nothing can be recorded here; "
                "step to a statement of your own program first"
            )


def _named_so(graph: MemoryGraph, variable: VariableId) -> str:
    """A variable with its function, whichever frame is selected."""
    text = draw.place_text(graph, Place(variable, 0))
    return text if "::" in text or not variable.function else f"{variable.function}::{text}"


def _values(graph: MemoryGraph, found: Resolved) -> dict[Place, Value]:
    """What the cells of a place hold; of a union with a member in use, or of one that is named."""
    if is_scalar(found.type):
        return {found.place: value_at(graph, found)}
    start = found.place.offset
    places = (Place(found.place.object, offset) for offset, _ in graph.types.possible(found.type, start))
    return {p: graph.cells[p] for p in places if p in graph.cells and not isinstance(graph.cells[p], Opaque)}


def _has_value(value: Value) -> bool:
    return not isinstance(value, Uninitialised)


def _as_json(graph: MemoryGraph, place: Place, value: Value) -> Any:
    return draw.value_json(replace(graph, cells={**graph.cells, place: value}), place)


def changed_result(graph: MemoryGraph, change: Change, *further: Change) -> results.Changed:
    """The `changed` event of a change, or of all those that go together: of the array in which they are."""
    if further:
        return _text_result(graph, (change, *further))
    match change:
        case PlaceChange(place, before, after):
            if change.type is not None:
                graph = replace(graph, cell_types={**graph.cell_types, place: change.type})
            ctype, names = graph.cell_types.get(place), draw.Names(graph)
            return results.Changed(
                draw.place_text(graph, place),
                _as_json(graph, place, before),
                _as_json(graph, place, after),
                (names.value(before, ctype), names.value(after, ctype))
                if isinstance(before, int) and isinstance(after, int)
                else None,
                names.place(place, short=True),
            )
        case StateChange(node, before_state, after_state):
            return results.Changed(f"n{node.number}", before_state, after_state)


def _text_result(graph: MemoryGraph, changes: tuple[Change, ...]) -> results.Changed:
    """The `changed` event of an array of characters."""
    cells = {each.place: each for each in changes if isinstance(each, PlaceChange)}
    first = min(cells)
    array, shown = (draw.place_text(graph, first, short).removesuffix("[0]") for short in (False, True))
    before, after = (
        [_as_json(graph, place, getattr(cells[place], name)) for place in sorted(cells)]
        for name in ("before", "after")
    )
    told = tuple(
        _text(getattr(cells[place], name) for place in sorted(cells)) for name in ("before", "after")
    )
    return results.Changed(array, before, after, (told[0], told[1]), shown)


def _text(values: Iterable[Value]) -> str:
    """Characters up to the first zero as C writes them."""
    known = list(takewhile(lambda value: isinstance(value, int), values))
    return draw.quoted(bytes(value & 255 for value in known if isinstance(value, int))) if known else "?"
