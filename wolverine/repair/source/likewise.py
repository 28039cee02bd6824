"""Variables that stand for two arguments in the same way: `x = a->set; y = b->set;` or `x = find(a); ...`.

Who joins what two arguments belong to has to ask whether that is one and the same: `if (x == y) return;`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from wolverine.core.exchanging import exchanged_value, named
from wolverine.core.expressions import Expression, Load, LValue, VariableReference, variables
from wolverine.core.parts import without_casts
from wolverine.core.program import Assign, Call, Function, Instruction
from wolverine.repair.source.retained import passed_to

_Got = tuple[str, tuple[Expression, ...]]  # the function called ("": none), and its arguments, or the value


def likewise(function: Function) -> frozenset[frozenset[str]]:
    """The pairs of locals that are first set to the same of two arguments, and do not go on from it."""
    got = {name: each for name, each in _first_set(function.code) if not _goes_on(function.code, name)}
    given = frozenset(function.parameters)
    return frozenset(
        frozenset((one, other)) for one, other in permutations(got, 2) if _alike(got[one], got[other], given)
    )


def _first_set(code: Sequence[Instruction]) -> Iterator[tuple[str, _Got]]:
    """What local variables are set to first; not what is an argument itself."""
    seen: set[str] = set()
    results: dict[str, _Got] = {}
    for at, step in enumerate(code):
        match step:
            case Call(_, called, arguments, VariableReference(result)):
                results[result] = called, tuple(passed_to(code[:at], each) for each in arguments)
            case Assign(_, VariableReference(name, level="local"), value) if name not in seen:
                seen.add(name)
                value = without_casts(value)
                if not (isinstance(value, Load) and isinstance(value.place, VariableReference)):
                    yield name, ("", (value,))
                elif value.place.name in results:
                    yield name, results[value.place.name]


def _goes_on(code: Sequence[Instruction], name: str) -> bool:
    """Whether a variable is set to what is come to from it: `p = p->next`."""
    return any(
        isinstance(s, Assign)
        and s.target == VariableReference(name, s.target.type)
        and name in variables(s.value)
        for s in code
    )


def _alike(one: _Got, other: _Got, given: Collection[VariableReference]) -> bool:
    """Whether one says of an argument what the other says of another one."""
    if one[0] != other[0] or len(one[1]) != len(other[1]):
        return False
    mine, theirs = ([v for v in named(*each[1]) if v in given] for each in (one, other))
    same: dict[LValue, LValue] = {v: v for v in named(*one[1])}
    return any(
        all(exchanged_value(a, {**same, p: q}) == b for a, b in zip(one[1], other[1], strict=True))
        for p in mine
        for q in theirs
        if q not in mine and p.type == q.type
    )
