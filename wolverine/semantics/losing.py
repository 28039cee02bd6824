"""Where nodes are lost: the statement behind which nothing leads to them, though they were not freed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    source_name,
)
from wolverine.core.graph import UNINITIALISED, NodeId, Pointer, Value
from wolverine.core.parts import is_end, without_casts
from wolverine.core.program import RESULT_NAME, Assign, Call, Concrete, Function, Instruction, Jump, Program
from wolverine.core.types import CType, IntType, PointerType, StructReference, VoidType
from wolverine.semantics.activation import Activation, outwards
from wolverine.semantics.address import (
    ADDRESS_MASK,
    GLOBALS,
    HIDDEN,
    KIND_SHIFT,
    LOCALS,
    POINTER,
    TOKENS,
    cell_key,
    number_of,
)
from wolverine.semantics.allocation import COPYING, MAKING
from wolverine.semantics.encoding import decode
from wolverine.semantics.handed_on import meant, taken_by
from wolverine.semantics.machine import Machine
from wolverine.semantics.reaching import Reaching, at_brace, nodes_and_links
from wolverine.semantics.violations import modelled

_LOOKED = 4_000_000  # cells, of which each look at what leads where goes through all: a few seconds


@dataclass(frozen=True, slots=True)
class Loss:
    """`nodes` are lost by the statement at `by` (function, instruction).

    That shows at `instruction` of `function`, the beginning of the next statement of the same activation; the
    closing brace, where they are lost by `returning`.  It is come to for the `visits`th time since the walk
    began.  The `activation` has its number in the trace.  Where it has set a link of one of them before, they
    are `linked`: it meant to keep rather than to drop them.  Where it returns a scalar, that is the `result`.
    They are `fresh` where the activation has made them itself; it `makes` some if it has made any nodes,
    or may yet. Function `cut` has overwritten the last pointer to one of them in a node or a global
    variable ("": none was seen, or it lay in a node that the activation had made itself, such as a dummy in
    front of what it makes). It is `among` others where the activation has cut off one of them as
    well as nodes that it keeps. Where the statement has set a link of what should be a last node
    (`q->back->next = p`), function `behind` had set that link before: the pointer to the last node may
    lag behind since then. Function `handed` was called with one of them, led it on to others, and did not
    let anything lead to it: it was to be put in there; or it was called with a variable that ended and led to
    one, which it otherwise lets something lead to.
    The variables that ended with the activation, or with a block of it behind the statement, and had led to
    one of them are `ended`.  It left `by_return`
    at that instruction (-1: at the closing brace).  They are `taken` out by a call that was given what hangs
    on one of them, to store it in the place of the node.
    """

    nodes: tuple[int, ...]
    by: tuple[str, int]
    function: str
    instruction: int
    visits: int
    activation: int
    returning: bool
    linked: bool
    result: Value = UNINITIALISED
    fresh: bool = False
    makes: bool = True
    cut: str = ""
    among: bool = False
    behind: str = ""
    handed: str = ""
    ended: tuple[str, ...] = ()
    by_return: int = -1
    taken: bool = False


def puts_in(program: Program, name: str, variables: Collection[str]) -> str:
    """The function to which a function hands one of these variables last, and which links what it is given.

    It lets a field, or what a pointer leads to, lead to its parameter: `*end = b`.  "" where there is none.
    """
    found = ""
    held: dict[LValue, Expression] = {}
    for step in program.functions[name].code:
        match step:
            case Assign(_, target, value):
                held[target] = value
            case Call(_, function, arguments) if (called := program.functions.get(function)) is not None:
                handed = zip(called.parameters, (meant(each, held) for each in arguments), strict=False)
                if any(
                    isinstance(value, Load)
                    and lvalue_text(value.place) in variables
                    and _links(called, parameter)
                    for parameter, value in handed
                ):
                    found = called.name
    return found


def _links(function: Function, parameter: VariableReference) -> bool:
    """Whether a function lets a field, or what a pointer leads to, lead to what its parameter does."""
    return any(
        isinstance(step, Assign)
        and not isinstance(step.target, VariableReference)
        and without_casts(step.value) == Load(parameter)
        for step in function.code
    )


def freed_types(program: Program) -> frozenset[CType]:
    """The types of what the program's functions free."""
    types = (value.type.target for value in freed(program) if isinstance(value.type, PointerType))
    return frozenset(each for each in types if not isinstance(each, VoidType))


def freed(program: Program) -> Iterator[Expression]:
    """What the program's functions free, as it is written."""
    for function in program.functions.values():
        yield from freed_in(function)


def freed_in(function: Function) -> Iterator[Expression]:
    """What the function frees itself, as it is written."""
    values: dict[str, Expression] = {}
    for step in function.code:
        match step:
            case Assign(_, VariableReference(name), value):
                values[name] = value
            case Call(_, "free", (Load(VariableReference(name)) as argument,)):
                yield without_casts(values.get(name, argument) if name.startswith("$") else argument)


def given(step: Instruction) -> Iterator[VariableReference]:
    """The variable that takes a node made by an instruction."""
    match step:
        case Call(_, name, _, VariableReference() as result) if name in MAKING:
            yield result
        case Concrete(_, reason, results) if reason.removeprefix("call of ") in COPYING:
            yield from results


def made_for(program: Program, name: str) -> frozenset[str]:
    """The variables of a function that take nodes which it has made, or one that it calls."""
    making = frozenset({*MAKING, *COPYING})
    found: set[str] = set()
    for step in program.functions[name].code:
        found |= {each.name for each in given(step)}
        match step:
            case Call(_, called, _, VariableReference(result, PointerType())):
                if not making.isdisjoint(_called_within(program, called)):
                    found.add(result)
            case Assign(_, VariableReference(target), value):
                held = without_casts(value)
                if isinstance(held, Load) and lvalue_text(held.place) in found:
                    found.add(target)
    return frozenset(found)


def _called_within(program: Program, name: str) -> Iterator[str]:
    """What is called in the code of a function of the program that returns a pointer."""
    function = program.functions.get(name)
    if function is None or not isinstance(function.result, PointerType):
        return
    for step in function.code:
        match step:
            case Call(_, called):
                yield called
            case Concrete(_, reason):
                yield reason.removeprefix("call of ")


def keeps_made(function: Function) -> bool:
    """Whether on some way a function stores a struct that it has made elsewhere, or returns it."""
    made = {each.name for step in function.code for each in given(step)}
    for step in function.code:
        match step:
            case Assign(_, target, value) if isinstance(value.type, PointerType):
                held = without_casts(value)
                if not (isinstance(held, Load) and isinstance(held.place, VariableReference)):
                    continue
                if held.place.name not in made or not isinstance(value.type.target, StructReference):
                    continue
                if isinstance(target, VariableReference) and target.level == "local":
                    if target.name == RESULT_NAME:
                        return True
                    made.add(target.name)
                else:
                    return True
    return False


def first_loss(
    machine: Machine,
    limit: int,
    known: Collection[int] = (),
    writers: dict[int, str] | None = None,
    *,
    scoped: bool = False,
) -> Loss | None:
    """The first nodes that are lost from here on, beside those that are `known` or lost already.

    `writers` gets the function that has set each link last, by its key, and may come from the execution
    before.  With `scoped` variables of blocks that have been left lead nowhere unless they are read again.
    The machine goes there, as far as it alone knows the way; what ends with the program is not lost.  Where
    thousands of nodes have to be looked at again and again, it is given up.
    """
    return _Walk(machine, known, writers if writers is not None else {}, scoped).first(limit)


class _Walk:
    def __init__(
        self, machine: Machine, known: Collection[int], writers: dict[int, str], scoped: bool
    ) -> None:
        self._machine = machine
        self._looked = 0
        self._reaching = Reaching(machine, scoped=scoped)
        self._known = {*known, *self._unreached()}
        self._visits: Counter[tuple[str, int]] = Counter()
        self._stood: dict[int, int] = {}  # by activation: at which statement it stood last
        self._seen = len(machine.memory.trail)
        self._made: dict[int, int] = {}  # by activation: how many nodes there were when it was first seen
        self._set: dict[int, set[int]] = {}  # by activation: the nodes of which it has set links
        self._cut: dict[int, tuple[int, str]] = {}  # by node: when, by whom what lay in no local was cut
        self._cut_in: dict[int, set[int]] = {}  # by activation: the nodes of which it did so
        self._led: dict[int, tuple[int, int, str]] = {}  # by node that was there: when, for whom, by whom
        self._writers = writers
        self._behind: dict[tuple[str, int], str] = {}  # by statement: who had set the link behind an end

    def first(self, limit: int) -> Loss | None:
        machine = self._machine
        last = machine.steps + limit
        by: tuple[str, int] | None = None  # the last statement that has overwritten a pointer to a node
        within: Activation | None = None  # whose that is
        taking: Activation | None = None  # that took the nodes out by a call, and has yet to come back
        left = -1  # the `return` that was executed last, if nothing has been since
        while (
            machine.frame is not None
            and machine.steps < last
            and self._looked < _LOOKED
            and modelled(machine)
        ):
            frame, pc = machine.frame, machine.pc
            name, function = frame.linked.name, machine.program.functions[frame.linked.name]
            self._made.setdefault(frame.number, machine.memory.node_count)
            unit = function.unit_of[pc]
            if unit >= 0 and frame.linked.following[function.units[unit].first] == pc:
                self._visits[name, pc] += 1
                if loss := self._left_block(frame, pc):
                    return loss
                if by is not None and (
                    within is frame or all(within is not each for each in outwards(frame))
                ):
                    nodes = self._lost()
                    outer = taken_by(machine.program, by, frame) if nodes and taking is None else None
                    if outer is not None and outer.caller is not None:
                        taking = within = outer.caller
                        by = taking.linked.name, outer.back - 1
                    elif nodes:
                        linked = self._linked(frame, nodes)
                        visits = self._visits[name, pc]
                        loss = Loss(nodes, by, name, pc, visits, frame.number, False, linked)
                        told = self._told(loss, frame)
                        return told if taking is None else replace(told, cut=by[0], taken=True)
                    else:
                        by = within = taking = None
            if pc == function.end and frame.caller is None:
                return None
            result = self._result(frame) if pc == function.end else UNINITIALISED
            before = len(machine.memory.trail)
            if machine.step() == "undetermined":
                return None
            if self._overwritten(frame, pc) and taking is None:
                by, within = (name, pc), frame
            if pc == function.end and machine.frame is frame.caller and by is not None and taking is None:
                nodes, within = self._lost(block=frame.back - 1), machine.frame
                if nodes and not (
                    isinstance(result, Pointer) and result.object in {NodeId(n) for n in nodes}
                ):
                    first = function.units[unit].first
                    visits = self._visits[name, first]
                    linked = self._linked(frame, nodes)
                    loss = Loss(nodes, (name, pc), name, first, visits, frame.number, True, linked, result)
                    ended = self._ended(frame, before, nodes)
                    handed = "" if linked else puts_in(machine.program, name, ended)
                    return replace(self._told(loss, frame), ended=ended, by_return=left, handed=handed)
                if nodes:  # what is returned is dropped
                    by = frame.caller.linked.name, frame.back - 1
            left = pc if _leaves(function, pc) else -1
        return None

    def _left_block(self, frame: Activation, pc: int) -> Loss | None:
        """What is lost because a block ends behind the statement before, where variables of it led there."""
        name = frame.linked.name
        at = self._stood.get(frame.number, pc)
        self._stood[frame.number] = pc
        ended = self._reaching.left(name, pc) - self._reaching.left(name, at)
        if not ended or at_brace(self._machine) or self._unreached(block=at) - self._known:
            return None
        nodes = self._lost()
        variables = (each for each in self._variables_to(frame, nodes) if each.name in ended)
        names = tuple(source_name(each.name) for each in variables)
        if not names:
            return None
        linked, visits = self._linked(frame, nodes), self._visits[name, pc]
        loss = Loss(nodes, (name, at), name, pc, visits, frame.number, False, linked)
        return replace(self._told(loss, frame), ended=names)

    def _variables_to(self, frame: Activation, nodes: Collection[int]) -> Iterator[VariableReference]:
        """The pointers of the activation that lead to one of the nodes, but for temporaries."""
        layout, cells = self._machine.layout, self._machine.memory.cells
        function = self._machine.program.functions[frame.linked.name]
        for each in (*function.parameters, *function.locals):
            if isinstance(each.type, PointerType) and not each.name.startswith("$"):
                address = frame.base + layout.address(function.name, each)[1]
                raw = cells.get(cell_key(each.type, address))
                if isinstance(raw, int) and _is_node(raw) and number_of(raw) in nodes:
                    yield each

    def _told(self, loss: Loss, frame: Activation) -> Loss:
        """The loss with where its nodes had come from."""
        cut = self._cut_in.get(frame.number, set())
        kept = cut - self._unreached()
        live = nodes_and_links(self._machine.memory)[0]
        among = not cut.isdisjoint(loss.nodes) and any(live.get(each) for each in kept)
        fresh = self._fresh(frame, loss.nodes)
        return replace(
            loss,
            fresh=fresh,
            makes=not loss.returning or self._machine.memory.node_count > self._made[frame.number],
            cut=self._cut_by(loss.nodes),
            among=among,
            behind=self._behind.get(loss.by, ""),
            handed="" if loss.linked or loss.returning else self._handed(frame, loss.nodes),
        )

    def _ended(self, frame: Activation, before: int, nodes: tuple[int, ...]) -> tuple[str, ...]:
        """The variables of the activation that led to one of the nodes when it returned."""
        machine, name = self._machine, frame.linked.name
        trail = machine.memory.trail
        led = {
            number_of(trail[at] & ADDRESS_MASK)
            for at in range(before, len(trail), 2)
            if _is_node(trail[at + 1]) and number_of(trail[at + 1]) in nodes
        }
        function = machine.program.functions[name]
        return tuple(
            source_name(each.name)
            for each in (*function.parameters, *function.locals)
            if not each.name.startswith("$")
            and number_of(frame.base + machine.layout.address(name, each)[1]) in led
        )

    def _result(self, frame: Activation) -> Value:
        """What the activation returns, where it is a scalar that is known."""
        machine, name = self._machine, frame.linked.name
        variable = VariableReference(RESULT_NAME, machine.program.functions[name].result)
        if not isinstance(variable.type, (IntType, PointerType)):
            return UNINITIALISED
        key = cell_key(variable.type, frame.base + machine.layout.address(name, variable)[1])
        raw = machine.memory.cells.get(key)
        return decode(machine, raw, variable.type) if isinstance(raw, int) else UNINITIALISED

    def _overwritten(self, frame: Activation, pc: int) -> bool:
        """Whether a pointer to a node was, by the activation's instruction, since the last look."""
        trail = self._machine.memory.trail
        begin, self._seen = self._seen, len(trail)
        found = False
        for at in range(begin, len(trail), 2):
            key, old = trail[at], trail[at + 1]
            if key >= 0 and (key & ~HIDDEN) >> KIND_SHIFT == POINTER:
                found = found or _is_node(old)
                number = number_of(key & ADDRESS_MASK)
                if number < GLOBALS:
                    self._set.setdefault(frame.number, set()).add(number)
                    self._note_link(key, old, (frame.linked.name, pc))
                    if number <= self._made[frame.number] and _is_node(self._machine.memory.cells.get(key)):
                        outer = frame.caller.number if frame.caller is not None else -1
                        self._led[number] = at, outer, frame.linked.name
                if number < LOCALS and _is_node(old):
                    made = number < GLOBALS and self._fresh(frame, (number,))
                    self._cut[number_of(old)] = at, "" if made else frame.linked.name
                    self._cut_in.setdefault(frame.number, set()).add(number_of(old))
        return found

    def _note_link(self, key: int, old: object, by: tuple[str, int]) -> None:
        """Remember who sets a link of a node, and who had set it where it should have led nowhere."""
        writer = self._writers.get(key)
        step = self._machine.program.functions[by[0]].code[by[1]]
        if (
            writer is not None
            and _is_node(old)
            and isinstance(step, Assign)
            and _is_behind_an_end(step.target)
        ):
            self._behind[by] = writer
        self._writers[key] = by[0]

    def _handed(self, frame: Activation, nodes: tuple[int, ...]) -> str:
        """The function that the activation has called to put in one of these, since it was taken out."""
        for node in nodes:
            at, outer, function = self._led.get(node, (-1, -1, ""))
            cut, _ = self._cut.get(node, (-1, ""))
            if outer == frame.number and at > cut:
                return function
        return ""

    def _cut_by(self, nodes: tuple[int, ...]) -> str:
        """The function that took them out of a structure, where it is one."""
        functions = {self._cut[each][1] for each in nodes if each in self._cut}
        return functions.pop() if len(functions) == 1 else ""

    def _linked(self, frame: Activation, nodes: tuple[int, ...]) -> bool:
        """Whether it has set a link of one of them; of nodes that it made, one that leads to others yet."""
        linked = self._set.get(frame.number, set()).intersection(nodes)
        if not linked or not self._fresh(frame, nodes):
            return bool(linked)
        leads = nodes_and_links(self._machine.memory)[1]
        return any(to not in nodes and to < GLOBALS for each in linked for to in leads.get(each, ()))

    def _fresh(self, frame: Activation, nodes: tuple[int, ...]) -> bool:
        """Whether all of these were made by the activation, which is not the program itself."""
        return frame.caller is not None and min(nodes) > self._made[frame.number]

    def _lost(self, *, block: int | None = None) -> tuple[int, ...]:
        """What is lost now and was not before; `block` as for `Reaching.unreached`."""
        fresh = self._unreached(block=block) - self._known
        return tuple(sorted(fresh))

    def _unreached(self, *, block: int | None = None) -> set[int]:
        self._looked += len(self._machine.memory.cells)
        return self._reaching.unreached(block=block)


def _leaves(function: Function, index: int) -> bool:
    """Whether the instruction is a `return`, or leads to the closing brace like one."""
    step = function.code[index]
    return isinstance(step, Jump) and step.target == function.end


def _is_behind_an_end(target: LValue) -> bool:
    """Whether it is a link of the node to which a pointer outside of the structure leads: `q->back->next`."""
    match target:
        case Member(Dereference(Load(VariableReference(level=level)))):
            return level == "global"
        case Member(Dereference(Load(pointer))):
            return is_end(pointer)
    return False


def _is_node(raw: object) -> bool:
    return isinstance(raw, int) and 0 < raw < TOKENS and number_of(raw) < GLOBALS
