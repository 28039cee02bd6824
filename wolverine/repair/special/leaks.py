"""Repairs of what loses nodes: they are freed where they are lost, or they are not lost.

Both kinds are carried out to the end of the program, and what still loses nodes there comes behind all that
does not.  Which kind comes first is told by what is lost: a part of a structure that is cut off was to stay,
a node that is taken out of one, or has nothing behind it, was to be freed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from wolverine.core.patch import Candidate, NewCall, NoRepair, Patch, Repairs, unguarded
from wolverine.core.program import Call, Program
from wolverine.core.trace import Problem, Trace
from wolverine.repair.source.flow import behind
from wolverine.repair.source.frees import frees, may_free
from wolverine.repair.special.compared import compared
from wolverine.repair.special.declined import declined
from wolverine.repair.special.deeper import freed_deeper
from wolverine.repair.special.early import FARTHEST_EARLY
from wolverine.repair.special.keeping import KEEPING
from wolverine.repair.special.leaving import frees_as_elsewhere, frees_what_is_given_back
from wolverine.repair.special.leftover import Leftover, Whole
from wolverine.repair.special.loops import freeing_lists
from wolverine.repair.special.moved_over import freeing_moved_over
from wolverine.repair.special.needless import needless
from wolverine.repair.special.passed_over import passed_over
from wolverine.repair.special.remade import remade
from wolverine.repair.special.taken_out import taken_out
from wolverine.repair.special.uncovered import uncovered
from wolverine.repair.special.unrolled import unrolled
from wolverine.semantics.allocation import FREEING

Answer = Repairs | NoRepair
_EDITS = 2  # that keep a node; to free it may take as many
_LEFT = 1.0  # against one that leaves live nodes at the end where others that make as many leave fewer
_LOST = 4.0  # or lost ones
_FREES = 1.5  # that frees what was rather to stay
_ALIKE = -2.0  # in favour of what is freed before another `return` as well
_LOOKED_AT = 500  # repairs that are carried out to the program's end
_ACROSS = 1.0  # that comes to a use after free elsewhere
_SILENT = 1.5  # that does not print what was printed before, where others do
_LISTED = 1_000


class Weighing:
    """Repairs of a problem whose trace loses nodes, as they do in the whole execution."""

    def __init__(
        self,
        problem: Problem,
        told: Trace,
        solved: Callable[[Problem], Answer],
        by: Collection[str],
        others: Collection[int] = (),
    ) -> None:
        """`told` begins as that trace, and has what the process did up to its end that no model follows.

        One of the functions `by` loses the nodes (none: what is done is done to a structure that was wrong
        already).  The `others` are nodes of other types than the lost ones.  Raises `Halt` where the trace's
        state cannot be made.
        """
        self._problem = problem
        self._solved = solved
        self._by = by
        self._others = frozenset(others)
        self._whole = Whole(problem.program, told, problem.accepted)
        self._found: list[Answer] = []
        self._early: Answer | None = None

    def freeing(self, answer: Answer) -> Answer:
        """Those of what frees the nodes where they are lost under which fewer are lost in the end.

        To free a node changes nothing of what the program prints.
        """
        before = self._whole.before
        if isinstance(answer, NoRepair) or before is None:
            return answer
        found = []
        for each in answer.candidates:
            left = self._whole.left(each.patch)
            if left is None:
                found.append((False, 0, each))
            elif not (left.fails or left.silent) and left.lost < before.lost:
                found.append((left.printed != before.printed, left.lost, each))
        found.sort(key=lambda entry: entry[:2])
        return answer.only([each for *_, each in found]) if found else NoRepair("unsatisfiable", ())

    def keeping(self, *, alone: bool, dropped: bool = False) -> Answer:
        """What does not lose them, by what speaks against it, here and at the end of the program.

        Unless it is `alone`, nothing is looked for far from where they are lost, and nothing told that leaves
        live nodes in the end, or makes more nodes than the program does, or fewer.  Where they may have been
        `dropped` as well as not, nothing speaks against what frees them before they are lost.
        """
        before = self._whole.before
        for answer in self._answers(near_only=not alone):
            if isinstance(answer, NoRepair):
                if answer.reason == "interrupted":
                    return answer
                continue
            if before is None:  # it cannot be followed to its end
                return answer
            candidates = [each for each in answer.candidates if not self._moves(each.patch)]
            spoken = 0.0 if dropped else _FREES
            sound = _sound(self._problem.program, self._whole, before, candidates, alone=alone, freed=spoken)
            if sound and not (answer is self._early and self._far(answer)):
                return _ordered(answer, sound)
        return NoRepair("unsatisfiable", ())

    def freeing_lists(self, by: tuple[str, int], nodes: Collection[int]) -> Sequence[Candidate]:
        """Loops that free lists where the statement at `by` (function, instruction) loses these nodes.

        None where others like them are left at the end, which nobody frees.
        """
        if not self._whole.frees_but(self._others):
            return ()
        return freeing_lists(self._problem, self._whole, by, nodes)

    def moved_over(self, by: tuple[str, int], nodes: Collection[int]) -> Sequence[Candidate]:
        """Loops that free the list over which the statement at `by` (function, instruction) moves another."""
        return freeing_moved_over(self._problem, self._whole, by, nodes)

    def passed_over(self, by: tuple[str, int], nodes: Collection[int]) -> Sequence[Candidate]:
        """What frees the nodes where the function of the statement at `by` has gone past them in one case."""
        return passed_over(self._problem, self._whole, by, nodes)

    def declined(self, by: tuple[str, int], nodes: Collection[int]) -> Sequence[Candidate]:
        """What frees the nodes in the function of the statement at `by`, where a call did not keep them."""
        return declined(self._problem, self._whole, by, nodes)

    def needless(self, by: tuple[str, int]) -> Sequence[Candidate]:
        """What does not make the node that the statement at `by` (function, instruction) loses unused."""
        return needless(self._problem, self._whole, by)

    def freed_deeper(self, by: tuple[str, int]) -> Sequence[Candidate]:
        """What also frees what hangs on the node that the statement at `by` (function, instruction) frees."""
        return freed_deeper(self._problem, self._whole, by)

    def remade(self, kept: Answer, by: tuple[str, int]) -> Answer:
        """The answer, with the test whether what the statement at `by` sets to a new node holds one."""
        found = remade(self._problem, self._whole, by)
        if isinstance(kept, NoRepair):
            return beside(self._problem.program, kept, found)
        return kept.only(sorted((*kept.candidates, *found), key=lambda each: each.against)) if found else kept

    def compared(self) -> Sequence[Candidate]:
        """What compares in a condition that assigns: `==` for `=`."""
        return compared(self._problem, self._whole)

    def unrolled(self) -> Sequence[Candidate]:
        """What frees node after node where one was freed: a `while` for an `if`."""
        return unrolled(self._problem, self._whole)

    def uncovered(self) -> Sequence[Candidate]:
        """What frees behind an `if` that asks for something else what was freed in it."""
        return uncovered(self._problem, self._whole)

    def taken_out(self, answer: Answer) -> Sequence[Candidate]:
        """What frees nodes in the function that takes them out, where that leaves less than the answer."""
        found = taken_out(self._problem, self._whole)
        best = None if isinstance(answer, NoRepair) else self._whole.left(answer.candidates[0].patch)
        if best is None or best.fails:
            return [candidate for candidate, _ in found]
        return [each for each, left in found if (left.lost, left.live) < (best.lost, best.live)]

    def loses(self, patch: Patch) -> bool:
        """Whether nodes are lost in the end under the patch, as far as that can be told."""
        left = self._whole.left(patch)
        return left is not None and left.lost > 0

    def _far(self, kept: Repairs) -> bool:
        """Whether much speaks against the first link that is kept early, and nodes are lost all the same."""
        first = kept.candidates[0]
        return first.against > FARTHEST_EARLY and self.loses(first.patch)

    def _moves(self, patch: Patch) -> bool:
        """Whether a `free` frees another node instead, and then one is left that it freed."""
        program, before = self._problem.program, self._whole.before
        new = [edit for edit in patch.edits if edit not in self._problem.accepted.edits]
        if before is None or not any(_of_free(program, edit.location) for edit in new):
            return False
        left = self._whole.left(patch) if self._whole.frees_but(self._others) else None
        return left is not None and not left.alive - before.alive <= self._others

    def _answers(self, *, near_only: bool) -> Iterator[Answer]:
        """Links that are kept early; what is found near the loss, then everywhere, with one edit, then two.

        Each is found once.  With `near_only`, only the first of these searches is made besides.
        """
        if self._early is None:
            budget = replace(self._problem.budget, edits=min(KEEPING, self._problem.budget.edits))
            self._early = self._solved(replace(self._problem, budget=budget, keeping=True))
        yield self._early
        yield from self._found
        most = min(_EDITS, self._problem.budget.edits)
        first = max(1, self._problem.budget.least)
        asked = [(where, least) for where in self._near() for least in range(first, most + 1)]
        for where, least in asked[len(self._found) : 1 if near_only else None]:
            budget = replace(self._problem.budget, least=least, edits=most, listed=_LISTED)
            self._found.append(self._solved(replace(self._problem, budget=budget, editable=where)))
            yield self._found[-1]

    def _near(self) -> Iterator[frozenset[int] | None]:
        """Where edits may be made."""
        if self._by and self._problem.editable is None:
            locations = self._problem.program.locations
            yield frozenset(each.id for each in locations if each.function in self._by)
        yield self._problem.editable


def _sound(
    program: Program,
    whole: Whole,
    before: Leftover,
    candidates: Iterable[Candidate],
    *,
    alone: bool,
    freed: float,
) -> list[Candidate]:
    """Those under which the program comes to its end and loses fewer nodes, in order.

    It speaks `freed` against one that frees nodes, unless these are what the function else gives back.
    """
    found: list[tuple[Candidate, Leftover]] = []
    for looked, each in enumerate(candidates):
        if looked == _LOOKED_AT:
            break
        left = whole.left(each.patch)
        fewer = left is not None and left.lost < before.lost and left.live <= before.live
        if left is not None and fewer and not left.fails:
            found.append((each, left))
    rest = before.live - before.lost
    whole_ones = [(each, left) for each, left in found if left.made == before.made and left.live <= rest]
    # Who finds what is kept now may make no more of it, and tells of it.
    telling = [(each, left) for each, left in found if not left.lost and _tells_more(left, before)]
    making = [(each, left) for each, left in found if not left.ruins(before)]
    found = whole_ones or telling or (making if alone else [])
    lost = min((left.lost for _, left in found), default=0)
    most = max((left.made for _, left in found), default=0)  # what is not made at all is not left either
    live = min((left.live for _, left in found if left.made == most), default=0)
    silent = all(left.silent for _, left in found)
    if silent and not alone:
        return []
    ranked = [
        replace(
            each,
            against=each.against
            + _LOST * (left.lost > lost)
            + _LEFT * (left.live > live)
            + _SILENT * (left.silent and not silent)
            + _ACROSS * left.across
            + _for_freeing(program, each.patch, freed),
        )
        for each, left in found
    ]
    return sorted(ranked, key=lambda each: each.against)


def _for_freeing(program: Program, patch: Patch, freed: float) -> float:
    """What it speaks against a repair that it frees nodes, where `freed` speaks against most of these."""
    if frees_as_elsewhere(program, patch):
        return _ALIKE
    return freed * (frees(program, patch) and not frees_what_is_given_back(program, patch))


def _tells_more(left: Leftover, before: Leftover) -> bool:
    """Whether what was printed before is printed, and more."""
    return left.printed != before.printed and left.printed.startswith(before.printed)


def _of_free(program: Program, location: int) -> bool:
    """Whether the location belongs to a statement that calls `free`."""
    function = program.functions[program.location(location).function]
    units = {function.unit_of[i] for i, step in enumerate(function.code) if step.location == location} - {-1}
    return any(
        isinstance(step, Call) and step.function == "free" and function.unit_of[index] in units
        for index, step in enumerate(function.code)
    )


def beside(program: Program, kept: Answer, lists: Sequence[Candidate]) -> Answer:
    """An answer with the loops that free lists: before single nodes are freed, behind all else."""
    if not lists:
        return kept
    if isinstance(kept, NoRepair):
        found = tuple(replace(each, behaviour=1) for each in lists)
        return Repairs(found, "complete", 1, len(found), steps=kept.steps)
    made = (unguarded(edit.replacement) for edit in kept.candidates[0].patch.edits)
    single = any(isinstance(each, NewCall) and _frees_once(program, each.function) for each in made)
    loops = [replace(each, behaviour=0) for each in lists]
    return kept.only([*loops, *kept.candidates] if single else [*kept.candidates, *loops])


def _frees_once(program: Program, function: str) -> bool:
    """Whether it is `free`, or a function that frees nodes in no loop, and calls none that may."""
    if function in FREEING or function not in program.functions:
        return function in FREEING
    code = program.functions[function].code
    called = [(at, step.function) for at, step in enumerate(code) if isinstance(step, Call)]
    freeing = [(at, name) for at, name in called if may_free(program, name)]
    repeated = any(name not in FREEING or at in behind(code, at) for at, name in freeing)
    return bool(freeing) and not repeated


def _ordered(answer: Repairs, candidates: Sequence[Candidate]) -> Repairs:
    """The answer with these, their behaviours numbered in this order."""
    numbers: dict[int, int] = {}
    made = tuple(
        replace(each, behaviour=numbers.setdefault(each.behaviour, len(numbers) + 1)) for each in candidates
    )
    return replace(answer, candidates=made, behaviours=len(numbers), total=len(made))
