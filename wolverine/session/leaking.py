"""Back to where nodes were lost that were never freed, once the program has ended with nothing else amiss.

A repair may free them there, as it may not lose them; which of these is likelier tells `repair.cutoff`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from wolverine.core.expressions import Element, Member, lvalue_text
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, Uninitialised, VariableId
from wolverine.core.patch import Candidate, NoRepair, Repairs
from wolverine.core.program import RESULT_NAME, Assign, Call, Program
from wolverine.core.trace import Effect, Problem, joined
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.errors import CommandError
from wolverine.repair.source.turned_away import turns_away
from wolverine.repair.special.cutoff import Fate, fate, takes_apart, torn_down
from wolverine.repair.special.early import read_early
from wolverine.repair.special.leaks import Weighing, beside
from wolverine.repair.special.loops import frees_first, frees_holder
from wolverine.repair.special.moves import shifts
from wolverine.repair.special.where_lost import WhereLost
from wolverine.semantics.allocation import FREEING
from wolverine.semantics.faults import Halt
from wolverine.semantics.losing import Loss, freed_types, keeps_made
from wolverine.semantics.shape import self_pointers
from wolverine.semantics.violations import Violation, line_of
from wolverine.session import results
from wolverine.session.beginning import begin_further_out, constrain, repatch
from wolverine.session.correcting import Correcting
from wolverine.session.execution import Execution
from wolverine.session.places import resolve_place, value_at
from wolverine.session.reinstating import Saved, reinstate, saved
from wolverine.session.remaining import Answer, Remaining, interrupted
from wolverine.session.retracing import informing, outlasting, repeatable, retrace_to_end
from wolverine.session.violating import run_to

_TIMES = 3  # in one activation: so often the nodes that it loses are to be freed
_LOOKED = 8  # losses that are looked at
_Found = tuple[Loss, results.SpecAdded]
_LOST = "where a node is lost, cannot be reached again"


class Leaking:
    """Looks for the statement that lost a node, and for repairs that free or keep it."""

    def __init__(
        self,
        program: Program,
        execution: Execution,
        correcting: Correcting,
        emit: Callable[[results.Result], None],
    ) -> None:
        self._program = program
        self._execution = execution
        self._correcting = correcting
        self._emit = emit
        self._types: frozenset[CType] = frozenset()
        self._every = False  # nodes of other types count as well
        self._before: Saved | None = None
        self._first: Loss | None = None
        self._remaining = Remaining(program, execution, correcting)
        self._left: tuple[int, ...] = ()  # what variables lead to at the end, where nothing is lost
        self._read: tuple[Effect, ...] = ()  # what the process did that the model does not, up to the end
        self._fates: list[Fate] = []  # of the nodes of each loss
        self._by: dict[int, tuple[str, int]] = {}  # the (function, instruction) that loses each node
        self._passed_over: frozenset[int] = frozenset()  # nodes lost before it that do not count

    def go_back(self) -> bool:
        """Stand where the first such node is lost, with it and what the activation loses later freed.

        Whether that is so; the execution is as it was where not.
        """
        execution = self._execution
        if not leaks(execution):
            return False
        self._types = freed_types(self._program)
        base = self._base()
        if not self._types or base is None:
            return False
        before = saved(execution)
        if not any(moment.constrained for moment in execution.path):
            execution.start = None
        found = self._lost_behind(base, every=False) or self._lost_behind(base, every=True)
        if not found:
            self._first = None
            return self._stand_at_the_end(before)
        self._before, self._first, self._left = before, found[0][0], ()
        self._emit(results.Note(self._words([loss for loss, _ in found])))
        return True

    def _lost_behind(self, base: int, *, every: bool) -> list[_Found]:
        """Stand where the first node is lost behind stop `base`; that, and what the activation loses later.

        With `every`, nodes count of which the program frees no others.
        """
        execution, self._every = self._execution, every
        self._begin(base)
        self._fates, self._by = [], {}
        found: list[_Found] = []
        while len(found) < _TIMES:
            position = execution.path[-1].position if found else None
            here = len(execution.path) - 1 if found else base
            further = self._next(here, position.activation if position is not None else None)
            if further is None:
                break
            found.append(further)
        return found

    def _stand_at_the_end(self, before: Saved) -> bool:
        """Stand where the program ends, with all that it left freed; whether that can be."""
        reinstate(self._execution, before)
        base = self._base()
        assert base is not None
        try:
            self._begin(base)
            left, lost = self._remaining.stand()
        except CommandError:
            left, lost = (), False
        if not left:
            reinstate(self._execution, before)
            return False
        self._before, self._left = before, left
        verb, what = ("is", "it") if len(left) == 1 else ("are", "them")
        self._emit(
            results.Note(
                f"{_numbers(left)} {verb} never freed{'' if lost else ', though not lost'}: the execution "
                f"under repair ends where the program does, and a repair frees {what}"
            )
        )
        return True

    @property
    def kept(self) -> bool:
        """Whether variables lead to all of the nodes up to the program's end."""
        return bool(self._left) and not self._remaining.lost

    def refuse(self) -> None:
        """Where the program has ended with nodes that it should have freed, CommandError says what to do."""
        left = self._execution.path[-1].never_freed if leaks(self._execution) else ()
        first = next((each.first[0] for each in left or () if each.first), None)
        if first is None:
            return
        if freed_types(self._program):
            why = "the program has ended, and nothing tells what to repair"
            raise CommandError(f"{why}; {self._advice(first.number)}")
        raise CommandError(
            "the program has ended; it frees nothing anywhere, so what it leaves is not taken for a fault; "
            f"otherwise {self._advice(first.number)}; `start` runs it anew"
        )

    def refused(self, why: str) -> CommandError:
        """There is no such repair: the program has ended again, and this is to be raised."""
        nodes = self._left if self._first is None else self._first.nodes
        if self._before is None or not nodes:
            return CommandError(why)
        reinstate(self._execution, self._before)
        return CommandError(f"{why}; {self._advice(nodes[0])}")

    def _advice(self, node: int) -> str:
        """What is to be done where nothing tells where a node should have been freed."""
        by = self._by.get(node)
        line = line_of(self._program, *by) if by is not None else None
        lost = f"n{node} is lost at line {line} in {by[0]}: " if by is not None and line is not None else ""
        return (
            f"{lost}stop where n{node} is to be freed (`break LINE`, `run`), say so (`change n{node} freed`, "
            "or what else the picture should be), and `repair` there"
        )

    def solve(
        self, problem: Problem, solved: Callable[[Problem], Answer], posed: Callable[[], Problem]
    ) -> tuple[Problem, Answer]:
        """What frees the nodes where they are lost, or what does not lose them, the likelier first.

        `posed` makes the problem of the present path anew, which ends where the first is lost then.
        """
        if self._left:
            return problem, self._remaining.solve(problem, solved)
        first = self._first
        linked = first is not None and first.linked  # it meant to keep them
        within = linked and first is not None and not first.returning
        keeping = within or all(each == "stays" for each in self._fates)
        where = WhereLost(problem, solved, first)
        freeing = None if keeping else where.further()
        if freeing is not None and interrupted(freeing):
            return problem, freeing
        there = saved(self._execution)
        if not self._stand_losing():
            return problem, _unsaid(freeing or where.further())
        losing, trace = saved(self._execution), (other := posed()).traces[0]
        told = replace(trace, events=(*self._read, trace.events[-1]))
        assert self._first is not None
        by = () if takes_apart(self._program, *self._first.by) else self._losing(self._first)
        try:
            weighing = Weighing(other, told, solved, by, self._unlike())
        except Halt:
            reinstate(self._execution, there)
            return problem, _unsaid(freeing or where.further())
        lost = self._first.by
        found = weighing.compared() or weighing.freed_deeper(lost) or weighing.unrolled()
        found = found or weighing.uncovered() or weighing.moved_over(lost, self._first.nodes)
        found = found or weighing.passed_over(lost, self._first.nodes)
        if self._first.fresh and self._first.returning:
            found = found or weighing.declined(lost, self._first.nodes)
        if found := found or weighing.needless(lost):
            return other, beside(self._program, NoRepair("unsatisfiable", ()), found)
        types = self._lost_types()
        if freeing is None:
            kept = weighing.keeping(alone=False)
            if interrupted(kept):
                return other, kept
            kept = weighing.remade(kept, lost)
            kept = beside(self._program, kept, self._freeing_lists(weighing))
            if isinstance(kept, Repairs) and not (within and weighing.loses(kept.candidates[0].patch)):
                return other, kept
            if linked:  # where they are lost they are not to be freed
                assert self._before is not None
                if not self._stand_at_the_end(self._before):
                    return other, kept
                problem = posed()
                return problem, self._remaining.solve(problem, solved)
            reinstate(self._execution, there)
            freeing = where.further()
            reinstate(self._execution, losing)
        answer = weighing.freeing(freeing)
        while isinstance(answer, NoRepair) and isinstance(freeing, Repairs):  # it fails in other calls
            reinstate(self._execution, there)
            freeing = where.further()
            reinstate(self._execution, losing)
            answer = weighing.freeing(freeing)
        if interrupted(answer):
            return other, answer
        if found := weighing.taken_out(answer):
            return other, beside(self._program, NoRepair("unsatisfiable", ()), found)
        if frees_first(self._program, *lost) or frees_holder(self._program, *lost, types):
            answer = beside(self._program, answer, self._freeing_lists(weighing, held=True))
        if isinstance(answer, Repairs):
            stays: Answer = answer
            if self._keeps_a_value(answer):
                stays = weighing.keeping(alone=False, dropped=True)
            return other, stays if isinstance(stays, Repairs) and self._simpler(stays, answer) else answer
        if self._fates[0] == "dropped":
            return other, NoRepair("unsatisfiable", ())
        return other, weighing.keeping(alone=True, dropped=self._fates[0] == "either")

    def _freeing_lists(self, weighing: Weighing, *, held: bool = False) -> Sequence[Candidate]:
        """What frees whole lists where the first nodes are lost: with what `held` them, or all like them."""
        first = self._first
        assert first is not None
        nodes = frozenset(map(NodeId, first.nodes))
        held = held or frees_first(self._program, *first.by)
        if not held and not torn_down(self._program, self._execution.path[-1].graph, nodes, first.by[0]):
            return ()
        return weighing.freeing_lists(first.by, first.nodes)

    def _lost_types(self) -> frozenset[CType | None]:
        """The types of the first nodes that are lost, in the present picture."""
        assert self._first is not None
        nodes = self._execution.path[-1].graph.nodes
        return frozenset(nodes[NodeId(each)].type for each in self._first.nodes)

    def _unlike(self) -> frozenset[int]:
        """The nodes of other types."""
        types, nodes = self._lost_types(), self._execution.path[-1].graph.nodes
        return frozenset(each.number for each, node in nodes.items() if node.type not in types)

    def _losing(self, loss: Loss) -> tuple[str, ...]:
        """The function that loses them, or whose result it stores in the place of what led to the nodes.

        Not where that is given no pointer: it has made a node.  Where it only sets a variable of its own
        anew, it is the one that has cut them off before.  Where it goes by a pointer that may lag behind, it
        is the one since which it does.  Where a function was handed them to put them in, it is that.
        """
        function, instruction = loss.by
        code = self._program.functions[function].code
        called = code[instruction - 1] if instruction else None
        if loss.behind not in ("", function):
            return (loss.behind,)
        if loss.handed:
            return (loss.handed,)
        if not isinstance(code[instruction], Assign):
            return (function,)
        inner = self._program.functions.get(called.function) if isinstance(called, Call) else None
        if inner is not None and any(isinstance(each.type, PointerType) for each in inner.parameters):
            return (inner.name,)
        return (loss.cut or function,)

    def _keeps_a_value(self, answer: Repairs) -> bool:
        """Whether what is to be freed has to be kept in a variable, and it might as well not be lost."""
        return "either" in self._fates and answer.candidates[0].patch.declares(self._program)

    def _simpler(self, stays: Repairs, freeing: Repairs) -> bool:
        """Whether it takes fewer edits not to lose a node, or a link is kept that was spoilt."""
        keeps_a_link = any(read_early(self._program, stays.candidates[0].patch))
        moves = sum(1 for _ in shifts(self._program, stays.candidates[0].patch))  # which are one step each
        return _cost(stays) - moves < _cost(freeing) + keeps_a_link

    def _stand_losing(self) -> bool:
        """Stand where the first nodes are lost, with nothing said of them; whether that can be."""
        execution, first = self._execution, self._first
        if self._before is None or first is None:
            return False
        there = saved(execution)
        reinstate(execution, self._before)
        if not any(moment.constrained for moment in execution.path):
            execution.start = None
        base = self._base()
        try:
            assert base is not None
            self._begin(base)
            retrace_to_end(execution)
            self._read = tuple(
                each
                for each in joined(event for moment in execution.path for event in moment.arrived)
                if isinstance(each, Effect)
            )
            while not execution.path[-1].stop.alive:
                execution.path.pop()
            found = self._find(base, set(self._passed_over))
            if found is None:
                raise CommandError(_LOST)
            index, loss = found
            where = (loss.function, loss.instruction)
            stop, instruction = run_to(self._program, execution, index + 1, where, loss.visits, _LOST)
        except CommandError:
            reinstate(execution, there)
            return False
        nodes = frozenset(map(NodeId, first.nodes))
        violation = Violation("lost", f"{_names(first)} lost", *where, loss.visits, lost=nodes)
        execution.arrive_to_violate(stop, violation, instruction)
        constrain(execution)
        while begin_further_out(execution):
            pass
        return True

    def _base(self) -> int | None:
        """The stop from which on it is looked for: the first, or one behind what the user said."""
        path = self._execution.path
        patch = path[-1].applied.patch
        said = [index for index, moment in enumerate(path) if moment.constrained]
        first = said[-1] if said else 0
        same = (i for i in range(first, len(path) - 1) if not said or path[i].applied.patch == patch)
        index = next(same, None)
        return index if index is not None and repeatable(self._program, path[index]) else None

    def _begin(self, base: int) -> None:
        """Let the path end at that stop, or at stops behind it at which the process knows more."""
        execution = self._execution
        applied = execution.path[-1].applied
        del execution.path[base + 1 :]
        if execution.path[base].applied.patch != applied.patch:
            repatch(execution, base, applied)
        else:
            execution.restore(execution.path[base], repeating=True)

    def _next(self, base: int, activation: int | None) -> _Found | None:
        """Stand at the first loss behind stop `base` that counts, with its nodes freed.

        With the number of an `activation` it has to be one of that.  None where there is none:
        all is as before then.
        """
        before = saved(self._execution)
        try:
            found = self._stand(base, activation)
        except CommandError:  # the process did not come there
            found = None
        if found is None:
            reinstate(self._execution, before)
        return found

    def _stand(self, base: int, activation: int | None) -> _Found | None:
        execution, known = self._execution, set[int]()
        retrace_to_end(execution)
        while not execution.path[-1].stop.alive:
            execution.path.pop()
        for _ in range(_LOOKED):
            found = self._find(base, known)
            if found is None or activation not in (None, found[1].activation):
                return None
            index, loss = found
            self._passed_over = frozenset(known)
            known.update(loss.nodes)
            where = (loss.function, loss.instruction)
            stop, _ = run_to(self._program, execution, index + 1, where, loss.visits, _LOST)
            moment = execution.arrive(replace(stop, reason="location"))
            counting = [each for each in loss.nodes if self._counts(moment.graph, NodeId(each), loss)]
            if counting:
                for number in counting:
                    self._correcting.change(f"n{number}", "freed")
                nodes = set(map(NodeId, counting))
                instead = self._instead(moment.graph, loss)
                made = loss.fresh and not (
                    self._comes_to_its_end(loss) and self._links(moment.graph, nodes, loss)
                )
                said = fate(
                    self._program,
                    moment.graph,
                    nodes,
                    loss.by,
                    fresh=made,
                    makes=loss.makes,
                    among=loss.among,
                    instead=instead,
                )
                said = "dropped" if loss.taken and len(nodes) == 1 else said
                self._fates.append("stays" if loss.linked or loss.handed else said)
                return replace(loss, nodes=tuple(counting)), self._asserted(loss)
            execution.path[-1] = replace(moment, transit=True)
        return None

    def _comes_to_its_end(self, loss: Loss) -> bool:
        """Whether the function that made nodes is through: who leaves before may have made them in vain.

        That is who sees that there is nothing to do.
        """
        function = self._program.functions[loss.function]
        return loss.returning and not (loss.by_return >= 0 and turns_away(function, loss.by_return))

    def _links(self, graph: MemoryGraph, nodes: Collection[NodeId], loss: Loss) -> bool:
        """Whether they are of a kind that leads to its own kind, as in lists and trees.

        Or hang on such nodes, where the function keeps nothing of what it makes on any other way.
        """
        linking = {each for each in nodes if _leads_on(graph, each)}
        if linking == set(nodes):
            return True
        led = {
            value.object
            for place, value in graph.cells.items()
            if place.object in linking and isinstance(value, Pointer)
        }
        hanging = bool(linking) and all(each in linking or each in led for each in nodes)
        return hanging and not keeps_made(self._program.functions[loss.function])

    def _instead(self, graph: MemoryGraph, loss: Loss) -> NodeId | None:
        """The node to which the link leads now that a statement has set, where that lost the others."""
        function, instruction = loss.by
        step = self._program.functions[function].code[instruction]
        if function != loss.function or loss.returning or not isinstance(step, Assign):
            return None
        if not isinstance(step.target, Member | Element):
            return None
        try:
            value = value_at(graph, resolve_place(graph, lvalue_text(step.target)))
        except CommandError:  # it goes through what the statement has set
            return None
        return value.object if isinstance(value, Pointer) and isinstance(value.object, NodeId) else None

    def _asserted(self, loss: Loss) -> results.SpecAdded:
        """All that the picture shows is asserted, and what is returned."""
        added = self._correcting.spec(())
        if loss.returning and not isinstance(loss.result, Uninitialised):
            moment = self._execution.path[-1]
            *others, last = moment.asserted
            returned = Place(VariableId(moment.graph.frames[0].depth, loss.function, RESULT_NAME), 0)
            last = replace(last, cells=(*last.cells, (returned, loss.result)), named=last.named | {returned})
            self._execution.path[-1] = replace(moment, asserted=(*others, last))
        return added

    def _find(self, base: int, known: set[int]) -> tuple[int, Loss] | None:
        """The first loss behind stop `base`, with the stop in front of it."""
        execution, writers = self._execution, dict[int, str]()
        execution.depart()
        try:
            for index in range(base, len(execution.path)):
                execution.tracer.load(execution.path[index].model)
                loss = execution.tracer.loss(known, writers)
                if loss is not None:
                    self._by.update((number, loss.by) for number in loss.nodes)
                    if loss.ended:  # the picture shows no variable of a block that has been left
                        block = execution.tracer.loss(known, scoped=True)
                        if block is not None and not block.returning:
                            self._by.update((number, block.by) for number in block.nodes)
                    return index, loss
            return None
        finally:
            execution.tracer.load(execution.path[-1].model)

    def _counts(self, graph: MemoryGraph, node: NodeId, loss: Loss) -> bool:
        """Whether the program frees others like the node, or has freed what it leads to or what led to it."""
        held = graph.nodes.get(node)
        if held is None or held.state != "live":
            return False
        led = (v.object for p, v in graph.cells.items() if p.object == node and isinstance(v, Pointer))
        freed = any(isinstance(each, NodeId) and graph.nodes[each].state == "freed" for each in led)
        function, instruction = loss.by
        step = self._program.functions[function].code[instruction]
        return (
            self._every
            or freed
            or held.type in self._types
            or (isinstance(step, Call) and step.function in FREEING)
        )

    def _words(self, lost: Sequence[Loss]) -> str:
        first, *others = lost
        function, index = self._by.get(first.nodes[0], first.by)
        line = _line(self._program, (function, index))
        if not first.returning:
            how = f"at line {line} in {function}"
        elif (function, index) == first.by:
            how = f"where {function} returns (line {line})"
        else:
            how = f"behind line {line} in {function}, with the end of {first.ended[0]}"
        verb = "is" if len(first.nodes) == 1 else "are"
        later = f", and {'; '.join(map(_names, others))} later on" if others else ""
        what = "it" if len(first.nodes) == 1 and not others else "them"
        return (
            f"{_names(first)} {verb} lost {how}{later}, and never freed: the execution under repair ends "
            f"behind that, and a repair frees {what}, or does not lose {what}"
        )


def leaks(execution: Execution) -> bool:
    """Whether the program has ended, did nothing that C forbids, and left nodes that it never freed.

    Only where it can be carried out once more.
    """
    path = execution.path
    if not path or path[-1].stop.reason != "exited" or not path[-1].never_freed:
        return False
    again = not (any(informing(execution.model)) and outlasting(execution))
    return again and not any(moment.violates for moment in path)


def _cost(answer: Repairs) -> int:
    return answer.candidates[0].cost


def _unsaid(answer: Answer) -> Answer:
    """The answer without conflicts of what nobody has said."""
    return replace(answer, core=()) if isinstance(answer, NoRepair) else answer


def _line(program: Program, by: tuple[str, int]) -> int:
    """The line of a (function, instruction); a declaration that a round comes to has the one behind it."""
    function, at = by
    lines = (line_of(program, function, each) for each in range(at, len(program.functions[function].code)))
    return next((line for line in lines if line is not None), program.functions[function].line)


def _names(loss: Loss) -> str:
    return _numbers(loss.nodes)


def _numbers(nodes: Sequence[int]) -> str:
    return ", ".join(f"n{number}" for number in nodes)


def _leads_on(graph: MemoryGraph, node: NodeId) -> bool:
    """Whether nodes of its kind have pointers to others of it."""
    kind = graph.nodes[node].type
    return isinstance(kind, StructReference) and bool(self_pointers(graph.types, kind.tag))
