"""A search that runs past the end: what it looks for is missing, and who looked for it acts all the same.

`while (p->key != key) p = p->next;` crashes where no node has the key.  That the condition tests `p` first
is half of what is lacking then: behind the loop, the function is to return where nothing was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Expression,
    Load,
    Logical,
    LValue,
    Unary,
    VariableReference,
    text,
    variables,
)
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.parts import gone_through, null_test, null_tests, parts
from wolverine.core.patch import NewValue, ShortCircuit
from wolverine.core.program import Assign, Before, Branch, Call, Function, Gap, Instruction, Program
from wolverine.core.trace import Trace
from wolverine.core.types import PointerType
from wolverine.repair.execution.spaces import Space
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import Product
from wolverine.repair.menus.menu import Menu
from wolverine.repair.source.flow import behind
from wolverine.repair.source.walk import expressions_of, reads_through
from wolverine.semantics.walked import sent_on

EDITS = 2
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Search:
    """A loop that sends `pointer` on, by the locations of its condition and of the gap behind it."""

    pointer: LValue
    condition: int
    behind: int


def searching(program: Program, trace: Trace) -> Search | None:
    """The loop in the condition of which a mere crash goes through null, if what is behind acts unasked."""
    crash = trace.crash if trace.bare else None
    if crash is None or crash.position.function not in program.functions:
        return None
    if crash.position.occurrence < _ROUNDS:  # there was nothing to search
        return None
    function = program.functions[crash.position.function]
    unit = function.unit_of[crash.position.instruction]
    for index, step in enumerate(function.code):
        if isinstance(step, Branch | Before) and function.unit_of[index] == unit and step.location >= 0:
            behind_it = range(step.if_false, len(function.code))
            gap = next((at for at in behind_it if _solid(function.code[at])), None)
            if gap is None or index not in behind(function.code, index):
                continue
            location = function.code[gap].location
            if _looks_for_what_is_there(trace, step):
                return None  # it is a special case where it is
            if isinstance(step, Branch) and _asks_for_links(step.condition):
                return None  # nothing is looked for but a last node, and there always is one
            for pointer in _walking(function, unit):
                if _acts(function.code, gap, pointer):
                    return Search(pointer, step.location, location)
    return None


def _looks_for_what_is_there(trace: Trace, step: Branch | Before) -> bool:
    """Whether a condition compares with a node that is in a structure where the execution begins."""
    for part in parts(step.condition) if isinstance(step, Branch) else ():
        match part:
            case Binary("==" | "!=", one, other):
                for value in (one, other):
                    match value:
                        case Load(VariableReference(name, type=PointerType())) if _is_held(trace.start, name):
                            return True
    return False


def _asks_for_links(condition: Expression) -> bool:
    """Whether a condition asks of nodes no more than whether links lead on from them: `p->next != NULL`."""
    match condition:
        case Logical(_, left, right):
            return _asks_for_links(left) and _asks_for_links(right)
        case Unary("!", Logical() as joined):
            return _asks_for_links(joined)
    tested = null_test(condition)
    return tested is not None and not isinstance(tested[0], VariableReference)


def _is_held(graph: MemoryGraph, name: str) -> bool:
    """Whether something else leads to the node to which a variable of the innermost frame leads.

    That may be another node, a global variable, another one of the function, or what one of these leads to.
    """
    innermost = max((p.object.depth for p in graph.cells if isinstance(p.object, VariableId)), default=-1)
    leading = {place: value.object for place, value in graph.cells.items() if isinstance(value, Pointer)}
    inside = {place: node for place, node in leading.items() if _depth(place) == innermost}
    node = next((node for place, node in inside.items() if _names(place, name)), None)
    return isinstance(node, NodeId) and any(
        _depth(place) == -1 or place.object in inside.values() or place in inside
        for place, other in leading.items()
        if other == node and place.object != node and not _names(place, name)
    )


def _depth(place: Place) -> int:
    """That of the variable in which a place lies; -1 in nodes and global variables."""
    return place.object.depth if isinstance(place.object, VariableId) else -1


def _names(place: Place, name: str) -> bool:
    return isinstance(place.object, VariableId) and place.object.name == name and place.offset == 0


def _solid(step: Instruction) -> bool:
    return isinstance(step, Gap) and not isinstance(step, Before) and step.location >= 0


def _walking(function: Function, unit: int) -> Iterator[LValue]:
    """The variables that the loop sends on, and its condition goes through."""
    seen: set[str] = set()
    for index, step in enumerate(function.code):
        if function.unit_of[index] != unit:
            continue
        for part in (part for each in expressions_of(step) for part in parts(each)):
            place = next(gone_through(part.place), None) if isinstance(part, Load | AddressOf) else None
            if (
                isinstance(place, VariableReference)
                and place.name not in seen
                and sent_on(function, place.name)
            ):
                seen.add(place.name)
                yield place


def _acts(code: Sequence[Instruction], gap: int, pointer: LValue) -> bool:
    """Whether the next statements store, free or go through the pointer, before anything tests it."""
    named, name = variables(pointer), text(Load(pointer))
    for step in code[gap:]:
        match step:
            case Branch(_, condition) if named & variables(condition):
                return pointer not in null_tests(condition) and reads_through(parts(condition), name)
            case Assign(_, target, value) if named & (variables(target) | variables(value)):
                return True
            case Call(_, _, arguments) if any(named & variables(each) for each in arguments):
                return True
    return False


def ended(bench: Bench, search: Search) -> Bench:
    """The bench, which has statements under tests, with the condition's test and the return alone."""
    return bench.offering(Ended(bench.problem.program, bench.menus, search))


def returning(space: Space, menus: Menus, search: Search) -> Space:
    """The repair with the return besides, to which the execution did not come; as it is where none fits."""
    menu = menus.menu(search.behind)
    if menu is None or search.condition not in space.masks:
        return space
    return replace(space, masks={**space.masks, search.behind: menu.all})


class Ended(Menus):
    """Menus of the two locations with these choices, numbered as those of `among`."""

    def __init__(self, program: Program, among: Menus, search: Search) -> None:
        super().__init__(program, guarded=among.guarded, **among.widened)
        self._search = search
        self._masked: dict[int, Menu | None] = {}

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None for all others."""
        if location not in (self._search.condition, self._search.behind):
            return None
        if location not in self._masked:
            menu = super().menu(location)
            found = 0 if menu is None else self._wanted(menu)
            self._masked[location] = replace(menu, all=found, calls=0) if menu is not None and found else None
        return self._masked[location]

    def _wanted(self, menu: Menu) -> int:
        """The mask of tests for null in front of the condition, or of returns where the pointer is null."""
        pointer, found = self._search.pointer, 0
        match menu.choices:
            case Product(tests=tests, statements=statements, width=width):
                for block, test in enumerate(tests, 1):
                    if _asks(test, "==", pointer):
                        found |= statements.returning << block * width
            case choices:
                for number, choice in enumerate(choices):
                    match choice.replacement:
                        case NewValue(Logical("&&", test)) | ShortCircuit("&&", test):
                            found |= _asks(test, "!=", pointer) << number
        return found & menu.all


def _asks(test: Expression, operator: str, pointer: LValue) -> bool:
    asked = null_test(test)
    return asked is not None and asked[1] == operator and text(Load(asked[0])) == text(Load(pointer))
