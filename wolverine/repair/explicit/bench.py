"""What every search of a problem works on: menus, machines, locations, and what is known of the traces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from wolverine.core.patch import Edit, NewCall, NewJump, NewReturn, Patch, ShortCircuit, unguarded
from wolverine.core.program import Program
from wolverine.core.trace import Assertion, Problem, Trace
from wolverine.repair.execution.accepted import choices_of, fixed
from wolverine.repair.execution.arrivals import length_of
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.explicit.explorer import Explorer
from wolverine.repair.explicit.needed import Needed
from wolverine.repair.explicit.outlook import Outlook
from wolverine.repair.explicit.segments import failing_segments
from wolverine.repair.menus.candidates import Menus

Editable = Mapping[str, Mapping[int, int]]  # by function: instruction to location
NOTHING: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Bench:
    """Menus, the traces' runners with these, and the locations that may change.

    `segments` are the stretches of the traces that fail as the program is, with the edits of `decided`
    (masks of choices by location), which every search makes besides its own.
    """

    problem: Problem
    menus: Menus
    runners: Sequence[Runner]
    editable: Editable
    segments: tuple[frozenset[int], ...]
    decided: Mapping[int, int] = field(default_factory=dict)

    def widened(
        self, *, guarded: bool = False, spares: bool = False, nodes: bool = False, calls: bool = False
    ) -> Bench:
        """The same with more choices: statements under a test, variables to declare, new nodes, calls."""
        program, steered = self.problem.program, self.menus.steered
        return self.on(
            Menus(program, guarded=guarded, spares=spares, nodes=nodes, calls=calls, steered=steered)
        )

    def on(self, menus: Menus) -> Bench:
        """The same with the choices of these menus."""
        program = self.problem.program
        runners = [Runner(program, each.trace, menus, beside=each) for each in self.runners]
        for runner, plain in zip(runners, self.runners, strict=True):
            runner.length, runner.crashes = plain.length, plain.crashes
        return replace(self, menus=menus, runners=runners)

    def offering(self, menus: Menus) -> Bench:
        """The same with these menus, and the locations alone that have one or are decided."""
        editable = {
            name: {i: at for i, at in found.items() if at in self.decided or menus.menu(at) is not None}
            for name, found in self.editable.items()
        }
        return replace(self.on(menus), editable=editable)

    def keeping(self, patch: Patch) -> Bench | None:
        """The same with these edits made; None where a menu does not offer them."""
        decided = choices_of(patch, self.menus)
        if decided is not None:
            return self._keeping(patch, decided)
        menus = fixed(self.menus, self.problem.program, patch)
        decided = choices_of(patch, menus)
        return None if decided is None else self.on(menus)._keeping(patch, decided)

    def _keeping(self, patch: Patch, decided: Mapping[int, int]) -> Bench:
        editable = {name: dict(found) for name, found in self.editable.items()}
        for location in decided:
            function = self.problem.program.location(location).function
            editable.setdefault(function, {})[self.menus.indices(function)[location]] = location
        segments = [segment for segment in self.segments if segment.isdisjoint(decided)]
        for runner in self.runners:
            patched = Runner(self.problem.program, runner.trace, self.menus, patch)
            patched.configure(patched.schedule, {})
            if not any(_leaves(self.problem.program, edit) for edit in patch.edits):
                segments += [segment - frozenset(decided) for segment in failing_segments(patched)]
            lengths = [length for length in (runner.length, length_of(patched)) if length is not None]
            runner.length = max(lengths, default=None)
        return replace(self, editable=editable, segments=tuple(segments), decided=decided)

    def near(self) -> Bench | None:
        """Only the functions where the traces start, their calls left as they are; None if these are all."""
        started = {runner.trace.start_stack[0][0] for runner in self.runners}
        near = {name: found for name, found in self.editable.items() if name in started}
        return replace(self, editable=near) if len(near) < len(self.editable) else None

    def apart(self) -> Iterator[Bench]:
        """One function at a time: those that alone touch every stretch that fails, with few locations first.

        None where that is all there is, or nothing is known to fail, nor likely to.
        """
        location = self.problem.program.location
        segments = self.segments or self._likely()
        touched = [{location(each).function for each in segment} for segment in segments if segment]
        alone = set.intersection(*touched) if touched else set()
        if len(self.editable) > 1:
            yield from self.singly(alone)

    def singly(self, functions: Collection[str]) -> Iterator[Bench]:
        """One of these functions at a time, those with few locations first."""
        known = self.editable.keys() & functions
        for name in sorted(known, key=lambda each: (len(self.editable[each]), each)):
            yield self.within({name})

    def possible(self, edits: int) -> bool:
        """Whether so many edits, besides those that are decided, can touch every stretch that fails."""
        return Needed(self.segments).possible(frozenset(self.decided), edits)

    def explorer(
        self,
        work: Work,
        *,
        own_control: bool = False,
        spare: int = 0,
        nodes: bool = False,
        without: Collection[tuple[int, int]] = NOTHING,
        traces: Sequence[Trace] | None = None,
        failing: bool = False,
    ) -> Explorer:
        """A search of the straight line, or of the candidate's own control flow.

        With `spare`, so many places may be given up; with `nodes` some edit makes a new node.  `without` are
        events left out, as (trace, number); `traces` stand in for those of the problem.  What is known of the
        problem's traces counts only where they are searched as they are; with `failing` it is found out anew
        which stretches of the others fail.
        """
        for number, runner in enumerate(self.runners):
            trace = runner.trace if traces is None else traces[number]
            dropped = frozenset(index for each, index in without if each == number)
            schedule = runner.prepared(trace, own_control=own_control, without=dropped)
            runner.configure(schedule, self.editable)
        limits = Limits(self.problem.budget.insertions, own_control, spare, nodes)
        if own_control or spare:
            return Explorer(self.problem.program, self.runners, work, limits)
        segments = self._stretches(likely=False) if failing else ()
        if traces is None:
            segments = self._failing(without)
        outlooks = [Outlook(runner) for runner in self.runners]
        return Explorer(self.problem.program, self.runners, work, limits, segments, outlooks)

    def found(
        self, work: Work, edits: int, most: int | None, *,
        own_control: bool = False, spare: int = 0, nodes: bool = False,
    ) -> list[Space]:  # fmt: skip
        """The repairs with so many edits, as far as `most` of the work finds them; options as `explorer`."""
        return self.looked(work, edits, most, own_control=own_control, spare=spare, nodes=nodes)[0]

    def looked(
        self, work: Work, edits: int, most: int | None, *,
        own_control: bool = False, spare: int = 0, nodes: bool = False,
    ) -> tuple[list[Space], bool]:  # fmt: skip
        """As `found`, and whether these are all."""
        explorer = self.explorer(work, own_control=own_control, spare=spare, nodes=nodes)
        try:
            with work.at_most(most):
                explorer.search(edits, decided=self.decided)
        except Stopped:
            return explorer.found, False
        return explorer.found, True

    def direct(self, work: Work, edits: int, most: int | None) -> list[Space]:
        """Some of the repairs with so many edits: those that write what is asserted (`repair.direct`)."""
        explorer = self.explorer(work)
        with suppress(Stopped), work.at_most(most):
            explorer.search(edits, decided=self.decided, direct=True)
        return explorer.found

    def within(self, functions: Collection[str]) -> Bench:
        """The bench with no locations outside these functions, but for those that are decided."""
        return replace(
            self,
            editable={
                name: {
                    index: each for index, each in found.items() if name in functions or each in self.decided
                }
                for name, found in self.editable.items()
            },
        )

    def _likely(self) -> Sequence[frozenset[int]]:
        """The stretches that fail if the process did in them what it would do under any edits."""
        for runner in self.runners:
            runner.configure(runner.prepared(), {})
        return self._stretches(likely=True)

    def _failing(self, without: Collection[tuple[int, int]]) -> Sequence[frozenset[int]]:
        """The stretches that fail when these events are left out; the runners have schedules without them.

        None are told where a decision is left out: what a stretch then goes through is not looked into.
        """
        if not without:
            return self.segments
        if not all(isinstance(self.problem.traces[n].events[i], Assertion) for n, i in without):
            return ()
        return self._stretches(likely=False)

    def _stretches(self, *, likely: bool) -> Sequence[frozenset[int]]:
        found: list[frozenset[int]] = []
        for runner in self.runners:
            length = runner.length
            found += failing_segments(runner, likely=likely)
            runner.length = length  # of the trace with all of its events
        return found


def _leaves(program: Program, edit: Edit) -> bool:
    """Whether an edit leads a way that is not there: it leaves the function or a loop, or does so no more."""
    made = unguarded(edit.replacement)
    if program.location(edit.location).kind == "jump":
        return True
    return isinstance(made, (NewReturn, NewJump, ShortCircuit)) or (isinstance(made, NewCall) and made.leaves)


def bench_of(problem: Problem, menus: Menus) -> Bench:
    """The bench of a problem; raises `Halt` where a trace's start cannot be reproduced."""
    runners = [Runner(problem.program, trace, menus) for trace in problem.traces]
    segments: list[frozenset[int]] = []
    for runner in runners:
        runner.configure(runner.schedule, {})
        segments += failing_segments(runner)
        if runner.length is None:
            runner.length = length_of(runner)
    return Bench(problem, menus, runners, editable_locations(problem, menus, runners), tuple(segments))


def editable_locations(problem: Problem, menus: Menus, runners: Sequence[Runner]) -> Editable:
    """The locations that may change: by function, instruction to location."""
    found: dict[str, dict[int, int]] = {}
    for name in sorted(frozenset().union(*(runner.reachable for runner in runners))):
        function = problem.program.functions[name]
        if function.code and not function.unsupported:
            found[name] = {
                index: location
                for location, index in menus.indices(name).items()
                if problem.editable is None or location in problem.editable
            }
    return found
