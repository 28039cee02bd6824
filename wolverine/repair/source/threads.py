"""Links of which another field tells what they are: a child, or a thread to a node elsewhere.

In a threaded tree a link that is not null need not lead to a child, so the program asks for the field before
it follows the link as one: `if (p->rthread == 0) destroy(p->right);`.  Who asks `p->right != NULL` in front
of following it has rather forgotten that (Engler et al., "Bugs as deviant behavior", SOSP 2001).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import Binary, Cast, Constant, Dereference, Expression, Load, Member, Unary
from wolverine.core.parts import negated, null_test, parts
from wolverine.core.program import Branch, Declare, Gap, Instruction, Program
from wolverine.core.types import CType, IntType
from wolverine.repair.source.walk import expressions_of

_TWICE = 2  # tests that tell of a field that it speaks of a link

_Field = tuple[CType, str]  # the struct, and its field
_Told = tuple[str, bool]  # the link, and whether the field is set where it is followed


class Threads:
    """The tests of a program under which links are followed that may be threads."""

    def __init__(self, program: Program) -> None:
        told: dict[_Field, Counter[_Told]] = {}
        worded: dict[tuple[_Field, _Told], Expression] = {}
        turned: dict[tuple[_Field, _Told], Expression] = {}  # as nobody has written it
        for function in program.functions.values():
            for flag, truth, test, holds, link in _followed(function.code):
                field = flag.base.type, flag.name
                told.setdefault(field, Counter())[link, truth] += 1
                if holds:
                    worded.setdefault((field, (link, truth)), test)
                else:
                    turned.setdefault((field, (link, truth)), negated(test))
        worded = turned | worded
        self._tests: dict[_Field, Expression] = {}  # by link
        for field, votes in told.items():
            [(most, times), *others] = votes.most_common(2)
            alone = len({link for link, _ in votes}) == 1
            if alone and times >= _TWICE and all(fewer < times for _, fewer in others):
                self._tests[field[0], most[0]] = worded[field, most]

    def instead_of(self, condition: Expression) -> list[Expression]:
        """What is asked elsewhere before the link is followed that the condition tests for null."""
        match null_test(condition):
            case Member(Dereference() as node, name), operator if (node.type, name) in self._tests:
                test = self._tests[node.type, name]
                asked = _asked(test)
                assert asked is not None
                made = _of(test, Load(replace(asked[0], base=node)))
                return [made if operator == "!=" else negated(made)]
        return []


def _followed(code: Sequence[Instruction]) -> Iterator[tuple[Member, bool, Expression, bool, str]]:
    """The fields that are asked for, and the link that is followed right behind the test.

    With whether the field is set then, and the test, which holds then or not.
    """
    for step in code:
        if not isinstance(step, Branch) or (asked := _asked(step.condition)) is None:
            continue
        flag, truth = asked
        for start, holds in ((step.if_true, True), (step.if_false, False)):
            links = {*_read_first(code, start, flag)}
            if len(links) == 1:
                yield flag, truth == holds, step.condition, holds, links.pop()


def _read_first(code: Sequence[Instruction], start: int, flag: Member) -> Iterator[str]:
    """The links of the node asked about that the first statement from an instruction on reads."""
    begun = False
    for step in code[start:]:
        if isinstance(step, Gap | Declare):
            if begun:
                return
            continue
        begun = True
        for part in (part for each in expressions_of(step) for part in parts(each)):
            match part:
                case Load(Member(base, name, _, ctype)) if base == flag.base and ctype == _pointer(flag):
                    yield name
        if isinstance(step, Branch):
            return


def _pointer(flag: Member) -> CType | None:
    """The type of pointers to the struct of a field."""
    match flag.base:
        case Dereference(Load(place)):
            return place.type
    return None


def _asked(condition: Expression) -> tuple[Member, bool] | None:
    """The field for which a condition asks whether it is set, and whether it is so if the condition holds."""
    match condition:
        case Unary("!", operand) if (inner := _asked(operand)) is not None:
            return inner[0], not inner[1]
        case Binary("==" | "!=" as operator, left, Constant(0 | 1 as value)):
            inner = _asked(left)
            return (inner[0], inner[1] == ((operator == "==") == bool(value))) if inner is not None else None
        case Cast(operand):
            return _asked(operand)
        case Load(Member(Dereference(), type=IntType()) as flag):
            return flag, True
    return None


def _of(test: Expression, flag: Load) -> Expression:
    """The test of another field in the place of the one that it asks for."""
    match test:
        case Unary(_, operand) | Cast(operand):
            return replace(test, operand=_of(operand, flag))
        case Binary(_, left):
            return replace(test, left=_of(left, flag))
    return flag
