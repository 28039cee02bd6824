"""Rows of two statements under a test of what they go through: `if (rest) { rest->next = all; all = rest; }`.

A row that does harm on other heaps is rather done where there is something to do it with: so it is where
what a loop does with each node is done once more with one that may be left over.  The function asks
elsewhere, too, for such a pointer; what it never asks for, as where it does the same with another link, its
author never takes for null.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from wolverine.core.expressions import Expression, Load, LValue, lvalue_text, text
from wolverine.core.parts import against_zero, asked_about, gone_through, parts, place_parts
from wolverine.core.patch import Edit, Guarded, NewBlock, NewCall, Patch, Several
from wolverine.core.trace import Problem
from wolverine.repair.execution.work import Work
from wolverine.repair.special.several import Repair
from wolverine.semantics.replay import Replayer


def rows_tested(problem: Problem, work: Work, edits: Iterable[Edit]) -> Iterator[Repair]:
    """Those of the edits that are rows, each under the tests with which it meets every trace."""
    replayers = [Replayer(problem.program, trace) for trace in problem.traces]
    for edit in edits:
        function = problem.program.functions[problem.program.location(edit.location).function]
        asked = frozenset[str]().union(*map(asked_about, function.code))
        for made in _tested(edit, asked):
            runs = [replayer.run(Patch((made,))) for replayer in replayers]
            work.spend(sum(each.steps for each in runs))
            if all(each.met for each in runs):
                yield Repair(made, sum(each.executed.get(made.location, 0) for each in runs))


def _tested(edit: Edit, asked: Collection[str]) -> Iterator[Edit]:
    if isinstance(edit.replacement, Several):
        for pointer in _through(edit.replacement):
            if lvalue_text(pointer) not in asked:
                continue
            test = against_zero("!=", pointer)
            yield Edit(edit.location, Guarded(test, NewBlock(edit.replacement.statements)))


def _through(row: Several) -> Iterable[LValue]:
    """The pointers that a row goes through as they are in front of it, each once."""
    found: dict[str, LValue] = {}
    changed: set[str] = set()
    for made in row.statements:
        if isinstance(made, NewCall):
            return ()
        inside: list[Expression] = [*parts(made.value), *place_parts(made.target), Load(made.target)]
        for part in inside:
            for pointer in gone_through(part.place) if isinstance(part, Load) else ():
                if text(Load(pointer)) not in changed:
                    found.setdefault(text(Load(pointer)), pointer)
        changed.add(text(Load(made.target)))
    return found.values()
