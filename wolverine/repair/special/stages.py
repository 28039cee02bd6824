"""Which searches are made, in which order, and how much of the work each may take.

1. The straight line: every decision of a loop that was observed binds, and the number of edits grows
   from 0 (so the first answer is minimal).
2. The candidate's own control flow: observed decisions are dropped.  This comes before assertions are
   touched, because here everything that the user asserted still holds; and one edit comes before two on the
   straight line, which may take all the work, and which an execution that was stepped over does not bind.
3. The straight line again, giving up one, two, then three places that the user never named or changed.

Where edits were accepted before, one more is looked for beside them as soon as no others of their number fit:
plain, in the candidate's own control flow, under a test; two more before three others, unless one is all
that is allowed.  Where they are settled, all searches are made beside them.

Where an execution lacks a node (`lacking`), each number of edits is tried with a new node besides; elsewhere
a new node comes behind what does without.

Behind one plain edit comes one call of the program's functions, then what is `special`, and a link that is
kept before it is spoilt.  Where a loop ended by a jump that is gone, or because of such a link, it goes on:
so that is looked for in the candidate's own control flow at once.

Where one plain edit takes long to find, statements set elsewhere and arguments exchanged, of which there are
few, are tried meanwhile, and a quarter of the work is left for what comes behind it.

In front of two edits or more, such as need each other, edits are looked for of which each serves other places
(`independent`), one at least under a test, where a plain one does not serve: less speaks for them than for
as many plain ones.  So is one that only tells where a jump is made (`behind_jumps`), and one that only tells
where the first assertions are met (`in_order`).  Where neither two plain edits nor one under a test help,
three are looked for that way, which takes little work: other searches for two might take it all.

In front of three edits a condition gets two tests more at once (`either`): one by itself would not do.

A gap takes a plain statement first; one under a test, or a return, where two plain edits do not help, or
where these would take too long and it writes what is asserted.
From three edits on, and where the trace is relaxed, a search gets a share of the work that is allowed; the
relaxed ones get fewer edits too: a repair that needs many edits and a relaxed trace is a coincidence
more often than a correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from wolverine.core.patch import NO_EDITS
from wolverine.core.trace import Assertion, Decision, Problem
from wolverine.repair.special.keeping import KEEPING

_FREE_EDITS = 1  # so many edits on the straight line are searched at length
_RELAXED_EDITS = 2
_GIVEN_UP = 3
_MANY_EDITS_SHARE = Fraction(1, 5)
_ONE_MORE_SHARE = Fraction(1, 2)  # no other search is as likely to find what is meant
BEFORE_GUARDS = 2  # plain edits that are tried before a statement under a test
GUARDED_SHARE = Fraction(1, 20)
SPARES_SHARE = Fraction(1, 10)
SEVERAL_SHARE = Fraction(1, 12)
BESIDE_SHARE = Fraction(1, 20)  # of what else is looked for where a special case has been found
_OTHER_ROUNDS_SHARE = Fraction(1, 20)
_OWN_CONTROL_SHARE = Fraction(1, 40)
_GIVING_UP_SHARE = Fraction(1, 80)
_AS_MANY_SHARE = Fraction(1, 40)
EARLY_SHARE = Fraction(1, 40)
NODES_SHARE = Fraction(1, 20)
CALLS_SHARE = Fraction(1, 40)
SPECIAL_SHARE = Fraction(1, 40)
EITHER_SHARE = Fraction(1, 40)
_NODES_TO = 3  # plain edits behind which one less with a new node is tried that nothing asks for


@dataclass(frozen=True)
class Stage:
    """One search: `edits` locations changed, `spare` weak places given up, at most `share` of the work.

    With `guarded`, gaps also take statements under a test, and returns; with `spares`, a value may be
    kept in a variable that is declared for it; with `nodes` one of the edits makes a new node;
    with `calls` it is a call of a function of the program, with `special` a `break` or `continue`, a jump
    that is gone, an assignment under a comparison of what it names, or a special case of several statements;
    with `onward` only the second.
    With `early` a link is kept before it is spoilt (`keeping`), with `several` more than one statement is put
    under a test (with `guarded` one, too), or so many edits are put together that serve other places each.
    With `kept` the edits that
    were accepted before are made besides.  With `either` a condition gets two tests more.
    Where the search comes to no end, `nearby` says that parts of it may be made instead.
    """

    edits: int
    own_control: bool = False
    spare: int = 0
    share: Fraction | None = None
    guarded: bool = False
    spares: bool = False
    nodes: bool = False
    calls: bool = False
    special: bool = False
    onward: bool = False
    early: bool = False
    kept: bool = False
    nearby: bool = False
    several: bool = False
    either: bool = False

    @property
    def plain(self) -> bool:
        """Whether single statements change, and everything that was observed and asserted holds."""
        wider = (
            self.guarded
            or self.spares
            or self.nodes
            or self.calls
            or self.special
            or self.several
            or self.either
        )
        return not (self.relaxed or wider)

    @property
    def relaxed(self) -> bool:
        """Whether the stage leaves the straight line or gives places up."""
        return self.own_control or self.spare > 0


def stages(
    problem: Problem, *, lacking: bool = False, long: Callable[[], bool] = lambda: False
) -> Iterator[Stage]:
    """The searches for a problem, in order; `lacking` if an execution lacks a node.

    `long` is asked behind one plain edit whether two would take more than the work that is allowed: one
    statement under a test is looked for in front of them then, where it writes what is asserted.
    """
    if problem.settled and problem.accepted.edits:
        least = max(problem.budget.least - len(problem.accepted.edits), 0)
        anew = replace(problem, accepted=NO_EDITS, budget=replace(problem.budget, least=least))
        yield from (replace(each, kept=True) for each in stages(anew, lacking=lacking, long=long))
        return
    edits, least = problem.budget.edits, problem.budget.least
    known = len(problem.accepted.edits)
    if known:
        for number in range(least, min(known, edits) + 1):
            yield Stage(number, share=None if number <= _FREE_EDITS else _AS_MANY_SHARE)
            if lacking and number:
                yield Stage(number, share=_AS_MANY_SHARE, nodes=True)
        if least <= known + 1:
            yield from _one_more(problem, lacking=lacking)
    for number in range(least, edits + 1):
        if known and number == known + 2:
            yield from _TWO_MORE
        if number == BEFORE_GUARDS and not known:
            yield Stage(1, several=True, guarded=long())
        if number > 1 and not known:
            yield Stage(number, several=True)
        if number == BEFORE_GUARDS + 1 and not known:
            yield Stage(1, share=EITHER_SHARE, either=True)
        many = number > _FREE_EDITS
        yield Stage(number, share=_MANY_EDITS_SHARE if many else None, nearby=many)
        if number == 1:
            yield Stage(1, share=CALLS_SHARE, calls=True)
            yield Stage(1, share=SPECIAL_SHARE, guarded=True, special=True)
            if _observed(problem):
                yield ONWARD
            if edits >= KEEPING:
                yield from early(problem)
            if _observed(problem):
                yield Stage(1, own_control=True, share=_OTHER_ROUNDS_SHARE)
        if lacking and number:
            yield Stage(number, share=_MANY_EDITS_SHARE, nodes=True)
        if number >= BEFORE_GUARDS:
            yield Stage(number - BEFORE_GUARDS + 1, share=GUARDED_SHARE, guarded=True)
        if number == BEFORE_GUARDS and edits > number and not known:
            yield Stage(number + 1, several=True)
        if number == BEFORE_GUARDS:
            yield Stage(number, share=SPARES_SHARE, spares=True)
        if not lacking and max(least, 1) < number <= _NODES_TO:
            yield Stage(number - 1, share=NODES_SHARE, nodes=True)
    if known and 1 < edits < known + 2 and least <= known + 2:
        yield from _TWO_MORE
    relaxed = range(least, min(edits, _RELAXED_EDITS) + 1)
    if _observed(problem):
        for number in relaxed:
            yield Stage(number, own_control=True, share=_OWN_CONTROL_SHARE)
            if number == 1:
                yield Stage(1, own_control=True, share=CALLS_SHARE, calls=True)
                yield Stage(1, own_control=True, share=SPECIAL_SHARE, guarded=True, special=True)
    if _weak(problem):
        for spare in range(1, _GIVEN_UP + 1):
            for number in relaxed:
                yield Stage(number, spare=spare, share=_GIVING_UP_SHARE)


ONWARD = Stage(1, own_control=True, share=SPECIAL_SHARE, guarded=True, special=True, onward=True)
EARLY = Stage(KEEPING, share=EARLY_SHARE, spares=True, early=True)
_TWO_MORE = (
    Stage(2, share=_MANY_EDITS_SHARE, kept=True, nearby=True),
    Stage(2, share=SPARES_SHARE, kept=True, spares=True),
)


def early(problem: Problem) -> Iterator[Stage]:
    """The searches for a link that is kept early, in which a loop may go on for longer then."""
    yield EARLY
    if _observed(problem):
        yield replace(EARLY, own_control=True)


def _one_more(problem: Problem, *, lacking: bool) -> Iterator[Stage]:
    yield Stage(1, share=_ONE_MORE_SHARE, kept=True)
    yield Stage(1, share=CALLS_SHARE, calls=True, kept=True)
    yield Stage(1, share=SPECIAL_SHARE, guarded=True, special=True, kept=True)
    if _observed(problem):
        yield replace(ONWARD, kept=True)
    if problem.budget.edits >= KEEPING:
        yield from (replace(each, kept=True) for each in early(problem))
    if lacking:
        yield Stage(1, share=_MANY_EDITS_SHARE, nodes=True, kept=True)
    if _observed(problem):
        yield Stage(1, own_control=True, share=_OWN_CONTROL_SHARE, kept=True)
    yield Stage(1, share=GUARDED_SHARE, guarded=True, kept=True)


def _observed(problem: Problem) -> bool:
    """Whether a trace has loop decisions that were merely observed."""
    return any(isinstance(e, Decision) and not e.forced for t in problem.traces for e in t.events)


def _weak(problem: Problem) -> bool:
    """Whether a trace has asserted places that may be given up."""
    return any(isinstance(e, Assertion) and e.weak for t in problem.traces for e in t.events)
