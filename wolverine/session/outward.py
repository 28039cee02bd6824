"""Letting a trace begin further out than what the user said made it begin, where that has to be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from wolverine.core.expressions import (
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    Member,
    VariableReference,
    lvalue_text,
    variables,
)
from wolverine.core.graph import MemoryGraph, NodeId, Pointer
from wolverine.core.parts import amount_added, conjuncts, null_test, parts
from wolverine.core.patch import Guarded, NewReturn, NoRepair, Patch, Repairs
from wolverine.core.program import MAIN, Assign, Branch, Function, Program, reachable
from wolverine.core.trace import Problem
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.repair.heaps.backlinks import forgotten
from wolverine.repair.heaps.lacking import passed_unset
from wolverine.repair.menus.calling import writes
from wolverine.repair.menus.unlinked import crashed_through
from wolverine.repair.ranking.twofold import drawn_twice, links_read, over_one_link
from wolverine.repair.source.frees import may_free
from wolverine.repair.source.marked import asked_in_vain
from wolverine.repair.source.paired import paired, parted
from wolverine.repair.source.stepping import stepped_over
from wolverine.repair.source.tails import goes_through_tail
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.concrete import checks_before, gives_up
from wolverine.semantics.dataflow import possibly_assigned
from wolverine.semantics.losing import freed_types
from wolverine.semantics.shape import cyclic
from wolverine.semantics.violations import Violation
from wolverine.session import results
from wolverine.session.beginning import begin_further_out, constrain
from wolverine.session.constraints import crashed, trace_of
from wolverine.session.crashes import garbage, given_null, kept_to_be_freed
from wolverine.session.execution import Execution
from wolverine.session.moments import Moment, PlaceChange


class Outward:
    """Moves the beginning of the execution under repair outwards, and tells why."""

    def __init__(
        self, program: Program, execution: Execution, emit: Callable[[results.Result], None]
    ) -> None:
        self._program = program
        self._execution = execution
        self._emit = emit

    def before_frees(self) -> None:
        """Nodes that are used although they were freed: what leaves a pointer to them comes before that.

        So does what makes a node too small, or lets a second link lead to one that is freed over both.  What
        frees by recursion has spoilt as much in the outer calls: the outermost is where it begins.  Of calls
        of which the same is to be said, the last tells.
        """
        execution, told = self._execution, ""
        while execution.start is not None:
            first = execution.path[execution.start]
            used = {*execution.tracer.uses(), *_violated(execution.path[-1])}
            stale = sorted(n for n in used if _freed(first.graph, n))
            small = sorted(n for n in _overstepped(execution.path[-1]) if n in first.graph.nodes)
            function = first.stop.frames[0].function
            shared = drawn_twice(first.graph, links_read(self._program, function))
            if stale:
                what = f"n{stale[0].number} had been freed"
            elif small:
                what = f"n{small[0].number} had been made"
            elif twice := sorted(n for n in used if n.number in shared and not self._over_one_link(n)):
                what = f"two links led to n{twice[0].number}, which is freed,"
            else:
                break
            why = f"{what} when {function} began"
            if told and told != why:
                self._tell(told)
                told = ""
            if not begin_further_out(execution):
                if told:
                    self._tell(told)
                return
            told = why
        if told:
            self._tell(told)
        if told and self._recursive() and may_free(self._program, self._function()):
            while self._recursive() and begin_further_out(execution, by_one=True):
                pass

    def _recursive(self) -> bool:
        """Whether the function in which the execution begins was called by itself."""
        path = self._execution.path
        frames = path[self._execution.start or 0].stop.frames
        return len(frames) > 1 and frames[0].function == frames[1].function

    def _over_one_link(self, node: NodeId) -> bool:
        """Whether that is the first that is used, over the link over which it was freed."""
        execution = self._execution
        trace = trace_of(execution.model, execution.path, execution.start or 0, frozenset(execution.dropped))
        return over_one_link(execution.model, trace, node.number)

    def before_endless(self) -> None:
        """Calls without an end: the outermost of them is given what is right.

        Where calls or a loop change nothing, what they walk through may be wrong as well, and that was made
        before; but not where they ask for a mark that nothing has ever set, as they should have.  So it is
        where a loop that ends at null goes round what led round from the beginning, over one link or those
        that it steps over.
        """
        path = self._execution.path
        violation = path[-1].violation
        if violation is None or not (violation.further or violation.through):
            return
        if violation.further:
            first = next(m.activation for m in reversed(path[:-1]) if m.activation != path[-1].activation)
            while path[self._execution.start or 0].activation != first:
                if not begin_further_out(self._execution):
                    return
        name = violation.function
        function = self._program.functions[name]
        began = path[self._execution.start or 0].graph
        round_before = violation.through and (
            _leads_round(began) or _leads_round(began, stepped_over(function))
        )
        within = reachable(self._program, {name})
        unwritten = not writes(self._program, within) and not asked_in_vain(self._program, within)
        if (round_before and _ends_at_null(self._program, name)) or unwritten:
            while begin_further_out(self._execution):
                pass
            if self._function() != name:
                self._tell(f"what {name} goes through is as it was when {name} began")

    def before_parted(self) -> None:
        """Of two pointers that are set together only one was null: what forgot the other one was before."""
        if self._bare() is None:
            return
        layout = compile_program(self._program).layout
        pairs = paired(self._program, layout)
        self._while(
            lambda graph: parted(layout, graph, pairs),
            "of two pointers that are set together only one was null when {} began",
        )

    def before_lost(self) -> None:
        """A node that the program would free was lost before it crashed: so was what should have kept it."""
        if self._bare() is None:
            return
        types = freed_types(self._program)
        self._while(lambda graph: _loses(graph, types), "a node had been lost when {} began")

    def before_forgotten(self) -> None:
        """A link back is null in one of the nodes that are gone through: what forgot it was before."""
        if self._bare() is None:
            return
        read = _fields_read(self._program, [name for name, _ in self._execution.path[-1].stack])
        self._while(
            lambda graph: any((rule.tag, rule.back) in read for rule in forgotten(graph)),
            "a link back was null when {} began, as it is in no other node",
        )

    def _while(self, amiss: Callable[[MemoryGraph], bool], why: str) -> None:
        """Begin further out as long as something is amiss there; say `why`, with the function left."""
        execution, function = self._execution, self._function()
        while amiss(execution.path[execution.start or 0].graph) and begin_further_out(execution):
            pass
        if self._function() != function:
            self._tell(why.format(function))

    def before_assertion(self) -> frozenset[str]:
        """An `assert` failed in a function that only looks at what was built: that is what is to be repaired.

        Such functions come back: they say what is right, and are none to be edited.
        """
        execution, start = self._execution, self._bare()
        if start is None or not _asserting(self._program, execution.path[-1]):
            return frozenset()
        name = execution.path[-1].stack[0][0]
        looking = reachable(self._program, {name})
        if name == MAIN or writes(self._program, looking):
            return frozenset()
        self.furthest(f"an assertion failed in {name}, which changes nothing")
        return frozenset(looking) if self._function() != name else frozenset()

    def checks(self) -> frozenset[int]:
        """The conditions on which the program gives up where it stands, by location."""
        path = self._execution.path
        if self._bare() is None or not _asserting(self._program, path[-1]):
            return frozenset()
        name, stands = path[-1].stack[0]
        return frozenset(
            check.location for check in checks_before(self._program.functions[name].code, stands)
        )

    def before_null(self) -> None:
        """A function went through the null that it was given: its caller may be what should have looked.

        Where it has called itself that is so if it gave an element of an array, and went too far there; what
        it walks through is seen as a whole where the outermost call begins.
        """
        path, start = self._execution.path, self._bare()
        if start is None or len(path[start].stack) < 2:
            return
        (callee, _), (caller, behind) = path[start].stack[:2]
        recursive = caller == callee
        if caller == MAIN or path[start].activation != path[-1].activation:
            return
        if recursive and not _gives_an_element(self._program.functions[caller], behind - 1):
            return
        if given_null(self._program, path[-1], path[start].graph):
            self.further(f"{callee} was given null", by_one=True)
            while recursive and self._recursive() and begin_further_out(self._execution, by_one=True):
                pass

    def before_unset(self) -> None:
        """A pointer was read that nothing had set: what should have set it comes before that."""
        path, start = self._execution.path, self._bare()
        if start is None:
            return
        if fields := crashed_through(self._program, *path[-1].stack[0]):
            named = " and ".join(sorted(name for _, name in fields))
            self.furthest(f"{named} is never set to anything but null")
            return
        name, stands = path[-1].stack[0]
        if (tail := goes_through_tail(self._program.functions[name], stands)) is not None:
            self.furthest(f"{name} leaves {lvalue_text(tail)} as it is where it links the first node")
            return
        violation = path[-1].violation
        if violation is not None and (
            self._never_assigned(violation) or _made_since(path[start], violation.node)
        ):
            return
        unset = violation is not None and violation.kind == "uninitialised"
        unset = unset or garbage(self._program, path[-1], path[start].graph)
        if not unset and not passed_unset(self._program, *path[-1].stack[0]):
            return
        self.furthest(f"what the crash went through was never set, maybe before {self._function()} began")

    def before_kept(self) -> None:
        """What is freed is no node, and was kept before: so was what should have made one, or a copy."""
        path, start = self._execution.path, self._bare()
        if start is not None and kept_to_be_freed(self._program, path[-1], path[start].graph):
            self.furthest(f"what is freed, which is no node, was kept before {self._function()} began")

    def is_in_vain(self, problem: Problem, answer: Repairs) -> bool:
        """Whether the execution crashes again under every repair of a mere crash.

        Or what was corrected was wrong before the function began, and all of its repairs crash elsewhere, or
        what was right at an earlier stop takes more than one edit.  So it may be where several edits are
        needed that all crash where the program does not: they mend a state that does not come.  Edits that
        were accepted before are none of these.
        """
        if self._bare() is not None:
            return all(each.crashes_on for each in answer.closest())
        several = len(answer.candidates[0].patch.beside(problem.accepted)) > 1
        if several and (self._spoilt_before() or _harms(answer)):
            return True
        return self._given_so() and all(each.crashes for each in answer.closest())

    def _spoilt_before(self) -> bool:
        """Whether a link that was corrected was as it should be at a stop before the execution begins.

        Between them something else led it to where it leads still.  Of a function that takes back what
        another one did the same may be said, as of `pop`: then one edit there mends it.
        """
        path, start = self._execution.path, self._execution.start or 0
        return any(
            isinstance(each, PlaceChange)
            and isinstance(each.place.object, NodeId)
            and isinstance(each.after, Pointer)
            and path[start].graph.cells.get(each.place) == each.before
            and any(moment.graph.cells.get(each.place) == each.after for moment in path[:start])
            for each in path[-1].changes
        )

    def _given_so(self) -> bool:
        """Whether all that was said is corrected in a callee, and was as wrong where the execution begins."""
        path, start = self._execution.path, self._execution.start or 0
        first, present = path[start], path[-1]
        if first.activation == present.activation or any(each.constrained for each in path[start:-1]):
            return False
        return bool(present.changes) and all(
            isinstance(each, PlaceChange)
            and each.place in first.graph.cells
            and first.graph.cells[each.place] == each.before
            for each in present.changes
        )

    def unless_in_vain(
        self,
        problem: Problem,
        answer: Repairs,
        solved: Callable[[], tuple[Problem, Repairs | NoRepair]],
    ) -> tuple[Problem, Repairs]:
        """What is `solved` where the execution begins further out, if not in vain; else the answer at hand.

        What led there was made before, then: callers are gone through, those of other functions.  Fewer edits
        from there are better wherever something is asserted; a repair that is found here as well need not
        begin there.  Of a recursion its outermost call is looked at first, for what ends it in front of null.
        """
        execution = self._execution
        start, path = execution.start, list(execution.path)
        function = self._function()
        why = f"under every edit of {function} alone the program crashes again"
        bare = self._bare() is not None
        if not bare and (self._spoilt_before() or self._given_so()):
            why = f"what was corrected was as wrong when {function} began"
        elif not bare:
            why = f"all repairs of {function} alone crash elsewhere, where the program does not"
        while begin_further_out(execution):
            within = self._function() == function
            if within and self._called_by() == function:
                continue
            further, found = solved()
            if not isinstance(found, Repairs) or found.candidates[0].crashes_on:
                continue
            best = found.candidates[0]
            better = best.against < answer.candidates[0].against
            better = better or (not bare and best.cost < answer.candidates[0].cost)
            better = better and all(best.patch != each.patch for each in answer.candidates)
            if better and (not within or _ends_recursion(best.patch)):
                self._tell(f"under every edit the innermost call of {function} crashes" if within else why)
                return further, found
            if not within:
                break
        execution.path[:], execution.start = path, start
        if start is not None:
            execution.path[start:] = execution.tracer.refollow(execution.path, start)
        return problem, answer

    def _bare(self) -> int | None:
        """Where the execution under repair begins if it crashed and nothing is said in it; None if not.

        What was said before it is over and repaired.
        """
        path, start = self._execution.path, self._execution.start
        said = any(moment.constrained for moment in path[start:])
        return start if crashed(path[-1]) and not said else None

    def _never_assigned(self, violation: Violation) -> bool:
        """Whether it is about a variable of the function that nothing was assigned to."""
        function = self._program.functions[violation.function]
        assigned = possibly_assigned(function, violation.instruction, self._program)
        return bool(violation.own) and violation.own not in assigned

    def further(self, why: str, *, by_one: bool = False) -> bool:
        """Begin the execution under repair in a caller, and say why; whether there is one.

        With `by_one` it is the very next one.
        """
        if not begin_further_out(self._execution, by_one=by_one):
            return False
        self._tell(why)
        return True

    def innermost(self, why: str) -> bool:
        """Begin it in the activation that crashed, and say why if that is elsewhere; whether it is."""
        execution = self._execution
        path, start = execution.path, execution.start
        if start is None or path[start].activation == path[-1].activation:
            return False
        execution.start = None
        constrain(execution)
        self._emit(results.Note(f"{why}: the execution under repair begins in {self._function()}"))
        return True

    def furthest(self, why: str) -> bool:
        """Begin it as far out as possible, and say why if that is elsewhere; whether it is."""
        found = False
        while begin_further_out(self._execution):
            found = True
        if found:
            self._tell(why)
        return found

    def _tell(self, why: str) -> None:
        words = f"{why}: the execution under repair begins in {self._function()}, further out"
        self._emit(results.Note(words))

    def _called_by(self) -> str:
        """The function that has called the one in which the execution under repair begins."""
        execution = self._execution
        frames = execution.path[execution.start or 0].stop.frames
        return frames[1].function if len(frames) > 1 else ""

    def _function(self) -> str:
        """The function in which the execution under repair begins."""
        execution = self._execution
        return execution.path[execution.start or 0].stop.frames[0].function


def _harms(answer: Repairs) -> bool:
    """Whether every repair crashes on some heap on which the program does not."""
    return all(each.harmed for each in answer.closest())


def _ends_recursion(patch: Patch) -> bool:
    """Whether a patch only returns where something is null."""
    made = [edit.replacement for edit in patch.edits]
    return all(
        isinstance(each, Guarded)
        and isinstance(each.statement, NewReturn)
        and (test := null_test(each.condition)) is not None
        and test[1] == "=="
        for each in made
    )


def _gives_an_element(function: Function, call: int) -> bool:
    """Whether the statement of a call reads an element of an array there, by a subscript that counts."""
    unit = function.unit_of[call]
    steps = (step for at, step in enumerate(function.code) if function.unit_of[at] == unit >= 0)
    inside = (part for step in steps for each in expressions_of(step) for part in parts(each))
    read = (part.place for part in inside if isinstance(part, Load))
    counted = {
        step.target.name
        for step in function.code
        if isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and amount_added(step.target, step.value) is not None
    }
    return any(isinstance(place, Element) and variables(place.index) & counted for place in read)


def _fields_read(program: Program, functions: Iterable[str]) -> set[tuple[str, int]]:
    """The fields of structs that functions read, with the structs' tags."""
    steps = (step for name in functions for step in program.functions[name].code)
    inside = (part for step in steps for each in expressions_of(step) for part in parts(each))
    places = (part.place for part in inside if isinstance(part, Load))
    return {
        (place.base.type.tag, place.offset)
        for place in places
        if isinstance(place, Member) and isinstance(place.base.type, StructReference)
    }


def _leads_round(graph: MemoryGraph, stepped: Collection[tuple[CType, int]] = ()) -> bool:
    """Whether nodes lead back to themselves over one pointer of their struct, or those `stepped` over."""
    edges: dict[tuple[CType | None, int], dict[NodeId, list[NodeId]]] = {}
    for place, value in graph.cells.items():
        if (
            isinstance(place.object, NodeId)
            and isinstance(value, Pointer)
            and isinstance(value.object, NodeId)
        ):
            over = graph.nodes[place.object].type, place.offset
            if stepped and over not in stepped:
                continue
            key = (over[0], -1) if stepped else over
            edges.setdefault(key, {}).setdefault(place.object, []).append(value.object)
    return any(cyclic(found, found) for found in edges.values())


def _ends_at_null(program: Program, function: str) -> bool:
    """Whether a loop of the function asks for null."""
    steps = (s for s in program.functions[function].code if isinstance(s, Branch))
    loops = (s.condition for s in steps if program.location(s.location).loop)
    return any(_is_no_null(each) for condition in loops for each in conjuncts(condition))


def _is_no_null(condition: Expression) -> bool:
    """`p`, or `p != NULL`."""
    match condition:
        case Binary("!=", left, Constant()):
            return isinstance(left.type, PointerType)
    return isinstance(condition.type, PointerType)


def _asserting(program: Program, moment: Moment) -> bool:
    """Whether the statement at hand is an `assert` of the program."""
    name, instruction = moment.stack[0]
    function = program.functions[name]
    unit = function.unit_of[instruction]
    steps = (s for i, s in enumerate(function.code) if function.unit_of[i] == unit or i == instruction)
    return any(map(gives_up, steps))


def _made_since(moment: Moment, node: int) -> bool:
    return bool(node) and NodeId(node) not in moment.graph.nodes


def _violated(moment: Moment) -> Iterator[NodeId]:
    """The node about which the statement at hand does what C forbids."""
    if moment.violation is not None and moment.violation.node:
        yield NodeId(moment.violation.node)


def _overstepped(moment: Moment) -> Iterator[NodeId]:
    """The node beyond which the statement at hand goes."""
    if moment.violation is not None and moment.violation.kind == "bounds":
        yield from _violated(moment)


def _loses(graph: MemoryGraph, types: Collection[CType]) -> bool:
    """Whether nothing leads to a live node of one of these types."""
    return any(graph.nodes[node].type in types for node in graph.leaked())


def _freed(graph: MemoryGraph, node: NodeId) -> bool:
    return node in graph.nodes and graph.nodes[node].state == "freed"
