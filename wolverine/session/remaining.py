"""Back to the end of `main`, where nodes were never freed though variables lead to them yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wolverine.core.graph import NodeId
from wolverine.core.patch import Candidate, NoRepair, Repairs
from wolverine.core.program import Call, Program
from wolverine.core.trace import Problem
from wolverine.errors import CommandError
from wolverine.repair.source.frees import may_free
from wolverine.repair.special.compared import compared
from wolverine.repair.special.leaks import beside
from wolverine.repair.special.leftover import Whole
from wolverine.repair.special.loops import freeing_lists
from wolverine.repair.special.uncovered import uncovered
from wolverine.semantics.allocation import FREEING
from wolverine.semantics.faults import Halt
from wolverine.semantics.losing import freed_types
from wolverine.session.correcting import Correcting
from wolverine.session.execution import Execution
from wolverine.session.retracing import retrace_to_end
from wolverine.session.violating import run_to

Answer = Repairs | NoRepair
_LOOKED_AT = 100  # candidates that are carried out
_EDITS = 2  # frees: a struct, and what it owns
_LEFT = "where the program ends, cannot be reached again"


class Remaining:
    """Says that all is freed where the program ends, and looks for repairs that free it.

    A function that takes a structure apart may forget some, or nobody calls it.
    """

    def __init__(self, program: Program, execution: Execution, correcting: Correcting) -> None:
        self._program = program
        self._execution = execution
        self._correcting = correcting
        self.lost = False  # whether nothing leads to some of what is to be freed
        self._left: tuple[int, ...] = ()  # what that is

    def stand(self) -> tuple[tuple[int, ...], bool]:
        """Stand at the end of `main`, with all nodes freed that were not: which, and if any are lost.

        The path ends at the stop from which that is to be looked for.  Raises `CommandError` where the
        process does not come there; none are told where nothing was left.
        """
        execution = self._execution
        name = execution.path[-1].stop.frames[-1].function
        function = self._program.functions.get(name)
        if function is None or function.unsupported:
            raise CommandError(_LEFT)
        retrace_to_end(execution)
        while not execution.path[-1].stop.alive:
            execution.path.pop()
        where = (name, function.end)
        stop, _ = run_to(self._program, execution, len(execution.path), where, 1, _LEFT)
        graph = execution.arrive(replace(stop, reason="location")).graph
        self._left = nodes = tuple(each.number for each, node in graph.nodes.items() if node.state == "live")
        for number in nodes:
            self._correcting.change(f"n{number}", "freed")
        self.lost = not graph.leaked().isdisjoint(map(NodeId, nodes))
        return nodes, self.lost

    def solve(self, problem: Problem, solved: Callable[[Problem], Answer]) -> Answer:
        """What frees them: another call, or an edit within what frees; fewer edits first, then likelier."""
        try:
            whole = Whole(problem.program, problem.traces[0], problem.accepted)
        except Halt:
            whole = None
        if whole is not None and (found := compared(problem, whole) or uncovered(problem, whole)):
            return beside(self._program, NoRepair("unsatisfiable", ()), found)
        budget = replace(problem.budget, edits=min(problem.budget.edits, _EDITS))
        freeing = _latest_first(solved(replace(problem, budget=budget, freeing=True)))
        if interrupted(freeing):
            return freeing
        if whole is not None:
            freeing = beside(self._program, freeing, self._lists(problem, whole))
        if problem.editable is not None:
            return freeing
        if whole is not None and self._first_of_its_kind():
            freeing = _carried_out(whole, freeing)
            if isinstance(freeing, Repairs):
                return freeing
        single = replace(problem.budget, edits=1)
        within = solved(replace(problem, budget=single, editable=self._within()))
        if whole is not None:
            freeing, within = _carried_out(whole, freeing), _carried_out(whole, within)
        answers = [each for each in (freeing, within) if isinstance(each, Repairs)]
        return min(answers, key=_order) if answers else within

    def _first_of_its_kind(self) -> bool:
        """Whether nothing of the types that are left is freed anywhere, by what there might be to correct."""
        nodes = self._execution.path[-1].graph.nodes
        left = {nodes[NodeId(number)].type for number in self._left}
        return None not in left and left.isdisjoint(freed_types(self._program))

    def _lists(self, problem: Problem, whole: Whole) -> Sequence[Candidate]:
        """What frees whole lists at the end."""
        name = self._execution.path[-1].stop.frames[-1].function
        nodes = [each.number for each in self._execution.path[-1].graph.nodes]
        return freeing_lists(problem, whole, (name, problem.program.functions[name].end), nodes)

    def _within(self) -> frozenset[int]:
        """The locations of functions that free; of `main`, only if it does so itself."""
        program, name = self._program, self._execution.path[-1].stop.frames[-1].function
        code = program.functions[name].code
        itself = any(isinstance(step, Call) and step.function in FREEING for step in code)
        functions = {f for f in program.functions if may_free(program, f) and (itself or f != name)}
        return frozenset(each.id for each in program.locations if each.function in functions)


def _latest_first(answer: Answer) -> Answer:
    """Of what is as likely the one that frees last: what comes between may use it on another input."""
    if isinstance(answer, NoRepair):
        return answer

    def order(each: Candidate) -> tuple[int, float, list[int]]:
        return each.cost, each.against, sorted(-edit.location for edit in each.patch.edits)

    return answer.only(sorted(answer.candidates, key=order))


def _carried_out(whole: Whole, answer: Answer) -> Answer:
    """Those under which the program makes the nodes that it made, and leaves fewer of them."""
    if isinstance(answer, NoRepair) or whole.before is None or whole.before.fails:
        return answer
    sound = [each for each in answer.candidates[:_LOOKED_AT] if whole.helped(each.patch)]
    return answer.only(sound) if sound else NoRepair("unsatisfiable", ())


def _order(answer: Repairs) -> tuple[int, float]:
    best = answer.candidates[0]
    return best.cost, best.against


def interrupted(answer: Answer) -> bool:
    """Whether a search was ended by the user."""
    return isinstance(answer, NoRepair) and answer.reason == "interrupted"
