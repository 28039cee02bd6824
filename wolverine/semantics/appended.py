"""Two pointers of which the one leads to a list's first node and the other one to its last: a queue's.

Where both are null nothing tells so but the program: `if (q->front == NULL) q->front = n;`, `else
q->rear->next = n;` and `q->rear = n;` append what may be the first node.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference
from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Function, Program
from wolverine.semantics.sentinels import is_at

_Pair = tuple[LValue, LValue]


def appends(program: Program, start: MemoryGraph, last: Place, first: Place, links: Container[str]) -> bool:
    """Whether the program appends to the node of `last` over one of the `links`, or puts it into `first`.

    Not where it does so the other way round as well: then nothing tells which comes first.
    """
    found = [pair for each in program.functions.values() for pair in _appending(each, links)]

    def told(one: Place, two: Place) -> bool:
        return any(is_at(a, one, start) and is_at(b, two, start) for a, b in found)

    return told(last, first) and not told(first, last)


def _appending(function: Function, links: Container[str]) -> Iterator[_Pair]:
    """The places to whose node a variable's is linked that is stored there then, with where else it is."""
    held: dict[LValue, VariableReference] = {}  # which variable's node a place has got
    linked: list[tuple[VariableReference, LValue]] = []
    stored: dict[VariableReference, list[LValue]] = {}
    for step in function.code:
        match step:
            case Assign(_, target, value) if isinstance(given := without_casts(value), Load):
                place = given.place
                variable = held.get(place, place if isinstance(place, VariableReference) else None)
                if variable is None or variable == target:
                    continue
                held[target] = variable
                stored.setdefault(variable, []).append(target)
                match target:
                    case Member(Dereference(Load(end)), name) if name in links:
                        linked.append((variable, end))
    for variable, end in linked:
        if end in stored[variable]:
            yield from ((end, place) for place in stored[variable] if place != end)
