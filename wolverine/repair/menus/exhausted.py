"""Calls under the test whether what has just been set is 0 or null.

What is counted down, or emptied, is done away with at its end: `n->refs--; if (n->refs == 0) drop(n);`.  Such
a test asks for what the statements just before it have set in a structure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from wolverine.core.expressions import (
    Constant,
    Expression,
    LValue,
    VariableReference,
    variables,
)
from wolverine.core.parts import against_zero
from wolverine.core.patch import Guarded, NewCall
from wolverine.core.program import Assign, Declare, Function, Gap
from wolverine.core.types import IntType, PointerType
from wolverine.repair.menus.vocabulary import lives_on

_BEFORE = 3  # statements that are looked at
_WAYS = 3  # lists of arguments for one function


def when_exhausted(function: Function, index: int, calls: Iterable[NewCall]) -> Iterator[Guarded]:
    """The likeliest of the calls under tests of what is set just before the gap at an instruction."""
    tests = [*just_set(function, index)]
    if not tests:
        return
    taken = Counter[str]()
    for call in calls:
        named = frozenset[str]().union(*map(variables, call.arguments))
        fit = [test for test in tests if variables(test) & named or not call.arguments]
        if not fit or call.target is not None or taken[call.function] == _WAYS:
            continue
        taken[call.function] += 1
        yield from (Guarded(test, call) for test in fit)


def just_set(function: Function, index: int) -> Iterator[Expression]:
    """Tests of what the statements in a row before a gap have set, the last first."""
    left, anew = _BEFORE, set[LValue]()
    for at in range(index - 1, -1, -1):
        match function.code[at]:
            case Gap() | Declare():
                continue
            case Assign(location, target, value) if location >= 0 and left:
                left -= 1
                moved = any(
                    isinstance(each, VariableReference) and each.name in variables(target) for each in anew
                )
                known = isinstance(value, Constant) or target in anew or moved
                if lives_on(target) and isinstance(target.type, IntType | PointerType) and not known:
                    yield against_zero("==", target)
                anew.add(target)
            case _:
                return
