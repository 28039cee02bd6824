"""How far a condition is from the one that stands there."""

from __future__ import annotations

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Expression,
    Load,
    VariableReference,
    text,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import (
    Assign,
    Branch,
    Program,
)
from wolverine.core.types import PointerType
from wolverine.repair.menus.asking import as_of_others
from wolverine.repair.menus.subscripts import Subscripts
from wolverine.repair.ranking.absorbed import (
    absorbs,
    asks_of_another,
    forestalls,
    mixes_alternatives,
)
from wolverine.repair.ranking.contradicted import looked_at_first, only_asked
from wolverine.repair.ranking.distance import (
    condition_distance,
    looks_again,
    looks_first,
    parts_tests,
)
from wolverine.repair.ranking.insertions import (
    ALWAYS,
    NAMESAKE,
    Insertions,
)
from wolverine.repair.ranking.oddity import (
    against,
    asks_again,
    asks_what_is_set,
    leads_to_a_pointer,
    other_answer,
)
from wolverine.repair.source.arms import asks_for_link
from wolverine.repair.source.copied import is_copy, of_another_field
from wolverine.repair.source.counting import passes_by
from wolverine.repair.source.extents import Extents
from wolverine.repair.source.familiar import Familiar, compares_namesakes, orders_no_more
from wolverine.repair.source.first_kept import first_kept
from wolverine.repair.source.invariant import asks_for_the_same, parts_elements
from wolverine.repair.source.marked import or_marked
from wolverine.repair.source.reached import asks_whether_found
from wolverine.repair.source.relaxed import relaxed
from wolverine.repair.source.ringed import comes_back, comes_round
from wolverine.repair.source.round_limits import limits_rounds
from wolverine.repair.source.rounds import goes_through_null
from wolverine.repair.source.threads import Threads
from wolverine.repair.source.ties import tied
from wolverine.repair.source.vain import asked_in_vain, protects_nothing
from wolverine.repair.source.walk import reads_through

GUARDING = 0.2  # a test of a pointer before it is gone through
_TESTED = 0.25  # what the condition tests for null is now what it goes through
LOOKING = 1.05  # where the condition crashed by going through that
_LOOKING_AGAIN = 0.7  # less where it is a loop's, and no round changes the answer
_AGAINST = 0.8  # the same test the wrong way round
FAMILIAR = 0.15  # what is named instead is named elsewhere, and what was named is not
_PARTNERS = 0.1  # what the function compares elsewhere is no more compared, or kept in one another elsewhere
_SETTLED = 0.8  # what is asked for has just been set: the answer is always the same
_ASKED_IN_VAIN = 0.3  # each test in it of what the condition makes sure of
_NEEDLESS = 0.05  # between equals: a test for null where nothing goes through the pointer
_ASKED_AGAIN = 0.4  # so it is where what was compared on the way is compared again
_ANSWERED = 1.0  # what a library function answers is compared with something else
_ADDRESS = 0.1  # the address of a link is hardly ever null
_LINK_ASKED = 1.0  # what is asked for is which of the links leads somewhere that the arms set
RELAXED = 0.5  # what is compared is then stored for what it replaces, or the first one is kept
_MARKED = 0.5  # or it asks besides for the mark that the recursion sets, which nothing reads
TIED = 0.5  # or it decides only where others are equal
SUBSCRIPT = 0.4  # an element has the index that other functions reckon for its array
_PASSED_BY = 0.9  # or it asks for more or less than what the loop may step over
_COPIED = 0.5  # or it is a copy of one along another link, where neither field nor variable was changed
_FOUND = 0.9  # a search asks besides whether it has come to what it looks for
_LIMITED = 0.9  # or a loop asks for what it counts and nothing else reads
_COME_ROUND = 1.1  # the loop that has no end asks whether it has come round
_MIXED = 0.1  # of two tests for null, or alternatives, that were alike one is the contrary
EXTENT = 0.8  # a number is reckoned with what its array has elements
_INTO_NULL = 2.0  # a loop goes on where the next round crashes
_ROUND = 0.5  # in favour of a walk that is over where it began
_ABSORBED = 2.0  # of two comparisons that are joined one says nothing
_FORESTALLED = 0.8  # the `else if` behind it asks for nothing any more
_ONLY_ASKED = 1.5  # a test for null, and null is gone through all the same
_UNCHANGED = 1.0  # a loop asks each time for what no round changes
_ONE_ROUND = 0.6  # a loop goes on while two variables lead to one node, rather than until they do
_ELEMENTS = 1.0  # an element was neither of two values, and of two elements each is not one now
_NO_ORDER = 1.5  # nodes were ordered by what is compared with a number now
_ASKED_TWICE = 0.5  # what asks twice for the same asks for something else


class Decisions(Insertions):
    """The distances of conditions; the execution crashed at the location `crashed` (-1: none)."""

    def __init__(self, program: Program, crashed: int = -1) -> None:
        super().__init__(program)
        self._crashed = crashed
        self._familiar = Familiar(program)
        self._extents = Extents(program)
        self._threads = Threads(program)
        self._subscripts = Subscripts(program)

    def _decided(self, function: str, index: int, location: int, step: Branch, new: Expression) -> float:
        """The distance of another condition."""
        inside = self._program.functions[function]
        code, condition = inside.code, step.condition
        leading = self._around.of(function).into
        score = condition_distance(condition, new) + self._guard(function, step, condition, new)
        if location == self._crashed and looks_first(condition, new):
            loop = self._program.location(location).loop
            again = loop and looks_again(code, index, new)
            score -= LOOKING - _LOOKING_AGAIN * again
        score -= FAMILIAR * self._familiar.favours([condition], [new])
        score -= EXTENT * self._extents.favours(function, index, new)
        score -= FAMILIAR * as_of_others(inside, condition, new)
        if _comparisons(condition) == _comparisons(new):
            score -= _TESTED * (looked_at_first(new) > looked_at_first(condition))
        parted = self._parts_partners(function, index, condition, new)
        score += _PARTNERS * (parted or self._familiar.parts_kept(condition, new))
        mixed = mixes_alternatives(inside, index, new)
        score += _MIXED * (mixed or parts_tests(condition, new))
        score += _ELEMENTS * parts_elements(condition, new)
        score += NAMESAKE * parts_namesakes(condition, new)
        score += _NO_ORDER * orders_no_more(condition, new)
        score -= NAMESAKE * (compares_namesakes(new) > compares_namesakes(condition))
        score += _ABSORBED * (absorbs(new) and not absorbs(condition))
        score -= _ASKED_TWICE * asks_of_another(condition, new)
        score += self._flags.reckoned(function, condition, new)
        if not self._program.location(location).loop:  # a search that ends with null may well be the last
            score += _ONLY_ASKED * only_asked(code, index, step, new)
        asked = asked_in_vain(code, index, new) - asked_in_vain(code, index, condition)
        score += _ASKED_IN_VAIN * asked
        needless = protects_nothing(self._program, inside, index, new)
        score += _NEEDLESS * needless
        score += ALWAYS * self._comes_out_alike(function, index, condition, new)
        settled = asks_what_is_set(code, leading, index, condition, new)
        score += _SETTLED * (settled or self._asks_what_is_sure(function, index, condition, new))
        score += _ASKED_AGAIN * asks_again(code, leading, index, new)
        score += _FORESTALLED * forestalls(code, step, new)
        if self._program.location(location).loop:
            score += _UNCHANGED * asks_for_the_same(code, index, condition, new)
            score += _INTO_NULL * goes_through_null(code, index, new)
            score -= _ROUND * comes_back(code, index, new)
            score += _ONE_ROUND * _stays_together(condition, new)
            if self._only_looks(function) and asks_whether_found(inside, index, condition, new):
                score = min(score, _FOUND)
            if limits_rounds(inside, index, new):
                score = min(score, _LIMITED)
        if asks_for_link(code, index, new):
            score = min(score, _LINK_ASKED)
        if new in relaxed(code, index):
            score = min(score, RELAXED)
        if new in first_kept(code, index):
            score = min(score, RELAXED)
        if new in or_marked(condition, self._marks_of(function)):
            score = min(score, _MARKED)
        if new in self._threads.instead_of(condition):
            score = min(score, _LINK_ASKED)
        if comes_round(inside, index, self._crashed, new):
            score = min(score, _COME_ROUND)
        if new in tied(condition):
            score = min(score, TIED)
        if self._subscripts.as_elsewhere(function, [condition], [new]):
            score = min(score, SUBSCRIPT)
        if passes_by(code, index, new):
            score = min(score, _PASSED_BY)
        if new in of_another_field(code, index, condition) and is_copy(code, index, condition):
            score = min(score, _COPIED)
        return score + _ANSWERED * other_answer(inside, condition, new)

    def _comes_out_alike(self, function: str, index: int, condition: Expression, new: Expression) -> bool:
        """Whether what led there decides how a condition comes out, as it did not."""
        settled = self._around.of(function).settled
        return settled.outcome(index, new) is not None and settled.outcome(index, condition) is None

    def _asks_what_is_sure(self, function: str, index: int, condition: Expression, new: Expression) -> bool:
        """Whether a part of a condition asks for what is sure there, as none did."""
        settled = self._around.of(function).settled
        return not {*settled.asked(index, new)} <= {*settled.asked(index, condition)}

    def _parts_partners(self, function: str, index: int, condition: Expression, new: Expression) -> bool:
        """Whether two operands are no more compared that the function compares elsewhere as well."""
        gone = _partners(condition) - _partners(new)
        code = self._program.functions[function].code
        others = (s.condition for at, s in enumerate(code) if isinstance(s, Branch) and at != index)
        return bool(gone) and any(gone & _partners(other) for other in others)

    def _guard(self, function: str, step: Branch, condition: Expression, new: Expression) -> float:
        old_tests = {text(p) for p in parts(condition)}
        more = _comparisons(new) > _comparisons(condition)
        score = 0.0
        for part in parts(new):
            if not (isinstance(part, Binary) and part.operator in COMPARISONS) or text(part) in old_tests:
                continue
            if not isinstance(part.left.type, PointerType):
                continue
            null = isinstance(part.right, Constant) or isinstance(part.left, Constant)
            if not null:
                score += 0.6 * more
            elif leads_to_a_pointer(part.left.type):
                score += _ADDRESS
            elif isinstance(part.left, Load) and self._dereferenced(function, step, new, part.left):
                score += _AGAINST if against(new, part) else -GUARDING
        return score

    def _dereferenced(self, function: str, step: Branch, condition: Expression, pointer: Load) -> bool:
        """Whether the guarded code, or the condition itself, goes through the pointer."""
        code = self._program.functions[function].code
        found = [condition]
        for index in range(step.if_true, min(step.if_true + 16, len(code))):
            guarded = code[index]
            if isinstance(guarded, Assign):
                found += [guarded.value, Load(guarded.target)]
            elif isinstance(guarded, Branch):
                found.append(guarded.condition)
        wanted = text(pointer)
        return reads_through((part for expression in found for part in parts(expression)), wanted)


def _partners(condition: Expression) -> set[frozenset[str]]:
    """The operands of the comparisons of a condition, by text, two by two."""
    compared = (p for p in parts(condition) if isinstance(p, Binary) and p.operator in COMPARISONS)
    return {frozenset((text(each.left), text(each.right))) for each in compared}


def parts_namesakes(old: Expression, new: Expression) -> int:
    """How many fewer comparisons are of the same field of two nodes, where there are as many."""
    if _comparisons(old) != _comparisons(new):
        return 0
    return max(0, compares_namesakes(old) - compares_namesakes(new))


def _stays_together(condition: Expression, new: Expression) -> bool:
    """Whether two pointer variables have to be equal now that had to differ: walking parts them at once."""
    before, after = (
        {
            frozenset((text(part.left), text(part.right)))
            for part in parts(each)
            if isinstance(part, Binary) and part.operator == operator
            if all(_is_pointer_variable(operand) for operand in (part.left, part.right))
        }
        for each, operator in ((condition, "!="), (new, "=="))
    )
    return not before.isdisjoint(after)


def _is_pointer_variable(value: Expression) -> bool:
    held = without_casts(value)
    return (
        isinstance(held, Load)
        and isinstance(held.place, VariableReference)
        and isinstance(held.type, PointerType)
    )


def _comparisons(condition: Expression) -> int:
    """How many comparisons a condition has."""
    return sum(isinstance(part, Binary) and part.operator in COMPARISONS for part in parts(condition))
