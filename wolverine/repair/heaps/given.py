"""What the functions of a program are given: where an execution enters them, and which heaps fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Patch
from wolverine.core.program import MAIN, Program
from wolverine.core.trace import Budget, Trace
from wolverine.repair.execution.arrivals import Arrivals
from wolverine.repair.execution.focus import Focus
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.schedule import prepare
from wolverine.repair.execution.spaces import Ledger
from wolverine.repair.execution.work import Limits, Stopped, Work
from wolverine.repair.heaps.unrepaired import failures
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.paired import paired, parted
from wolverine.semantics.arguments import other_arguments
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.endless import Rounds
from wolverine.semantics.faults import Halt
from wolverine.semantics.state import graph_of
from wolverine.semantics.stretches import shortened

PATIENCE = 2_000  # machine steps of one run on a fresh heap
_STEPS = 200_000


def entered(
    program: Program,
    trace: Trace,
    menus: Menus,
    patch: Patch,
    wanted: Collection[str],
    most: int | None = None,
) -> Iterator[tuple[str, Callable[[], MemoryGraph], bool]]:
    """The entries of these functions: (function, its state, whether it is behind the trace's end).

    Of each function every one, or the first `most`.  The state is read on demand, before the next entry: an
    endless recursion has too many of them.
    """
    if not wanted:
        return
    work = Work(Budget(work=_STEPS), lambda: False)
    try:
        runner = Runner(program, trace, menus)
    except Halt:
        return
    machine = runner.machine
    runner.configure(prepare(machine, trace), {name: {0: -1} for name in wanted})
    machine.undo(runner.origin)
    machine.set_patch(patch)
    places = {name: {0: number} for number, name in enumerate(wanted)}
    focus = Focus(machine, runner.reachable, places, runner.schedule.watched)
    left = dict.fromkeys(wanted, most)
    arrivals = Arrivals(work, Limits(), Ledger())
    groups = runner.schedule.groups
    following: int | None = 0
    steps, begun = 0, set[int]()
    rounds = Rounds()
    try:
        while following is not None:
            frame = machine.frame
            if frame is None:
                return
            pc, name = machine.pc, frame.linked.name
            later = following >= len(groups)
            steps += later
            if later and rounds.again(machine, steps):
                return
            if pc == 0 and name in left and frame.number > 0 and frame.number not in begun:
                begun.add(frame.number)
                yield name, lambda: shortened(graph_of(machine, trace.start)), later
                if (more := left[name]) is not None:
                    left[name] = more - 1
                    if more == 1:
                        del left[name]
                        if not left:
                            return
                        focus.on(frozenset(places[each][0] for each in left))
            bound = None
            if not later and pc in runner.schedule.watched.get(name, ()):
                arrival = arrivals.arrive(runner, following)
                if arrival is None:
                    return
                following, bound, moved = arrival
                if moved:
                    continue
            work.spend(1)
            following = arrivals.plain(runner, following, bound)
    except Stopped:
        return


def whole(program: Program, heaps: list[MemoryGraph]) -> list[MemoryGraph]:
    """The heaps in which pointers that the source sets together are null together, if there are any."""
    layout = compile_program(program).layout
    pairs = paired(program, layout)
    return [heap for heap in heaps if not parted(layout, heap, pairs)] or heaps


def spread(heaps: Sequence[MemoryGraph], most: int) -> Iterator[MemoryGraph]:
    """At most so many of the heaps, from all along them."""
    share = min(len(heaps), most)
    return (heaps[at * len(heaps) // share] for at in range(share))


def with_other_arguments(
    program: Program,
    graph: MemoryGraph,
    function: str,
    *,
    tolerant: bool = False,
    others: Callable[[MemoryGraph], Iterator[MemoryGraph]] = other_arguments,
) -> Iterator[MemoryGraph]:
    """The function's input with `others` as arguments, those with which the program as it is gets along.

    It does so as well where it uses what it has freed, if that is `tolerant`.
    """
    if function != MAIN:
        for heap in others(graph):
            if not failures(program, function, [heap], PATIENCE, tolerant=tolerant):
                yield heap
