"""Two pointers into a ring, of which the one leads to its last node and the other to the first.

`queue->rear->next = queue->front;` closes the ring: a program that has this somewhere keeps them so.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference
from wolverine.core.graph import MemoryGraph, Place
from wolverine.core.program import Assign, Function, Program
from wolverine.semantics.sentinels import is_at

_Pair = tuple[LValue, LValue]


def closes(program: Program, start: MemoryGraph, last: Place, first: Place, links: Container[str]) -> bool:
    """Whether the program lets the node of `last` lead to that of `first` over one of the `links`.

    Not where it does so the other way round as well: then nothing tells which comes first.
    """
    found = [pair for each in program.functions.values() for pair in _closing(each, links)]

    def told(one: Place, two: Place) -> bool:
        return any(is_at(a, one, start) and is_at(b, two, start) for a, b in found)

    return told(last, first) and not told(first, last)


def _closing(function: Function, links: Container[str]) -> Iterator[_Pair]:
    """The places of which the one's node is linked to the other's.

    So it is with what a variable leads to that is linked to it and stored in the one: the new last node.
    """
    linked: list[tuple[VariableReference, LValue]] = []
    stored: dict[VariableReference, list[LValue]] = {}
    for step in function.code:
        match step:
            case Assign(_, Member(Dereference(Load(one)), name), Load(two)) if name in links and one != two:
                yield one, two
                if isinstance(one, VariableReference):
                    linked.append((one, two))
            case Assign(_, place, Load(VariableReference() as variable)):
                stored.setdefault(variable, []).append(place)
    for variable, two in linked:
        yield from ((place, two) for place in stored.get(variable, ()) if place != two)
