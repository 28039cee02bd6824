"""Why a statement crashed: the place in it that is null, dangles, or leads nowhere.

The statement's expressions are evaluated over the picture in the order in which the process does it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.graph import (
    External,
    MemoryGraph,
    Node,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Uninitialised,
    Value,
    VariableId,
    Wild,
)
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Library, Program, Return
from wolverine.core.types import ArrayType, IntType, PointerType, VoidType
from wolverine.semantics.dataflow import possibly_assigned
from wolverine.session.missing import missing_argument
from wolverine.session.moments import Moment
from wolverine.session.positions import UNMAPPED

_TWICE = re.compile(r"double free of n(\d+)")  # as the tracker says
_Kind = Literal["sure", "likely"]


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A value that the picture does not tell."""


_UNKNOWN = _Unknown()
_Known = Value | _Unknown


def freed_before(moment: Moment) -> str:
    """Where the node that is freed a second time was freed."""
    found = _TWICE.fullmatch(moment.stop.text)
    node = moment.graph.nodes.get(NodeId(int(found[1]))) if found is not None else None
    if node is None or node.freed is None:
        return ""
    function = f" in {node.freed.function}" if node.freed.function else ""
    return f"it was freed at line {node.freed.line}{function}"


def culprit(program: Program, moment: Moment) -> str:
    """The place at which the statement of the stop crashed, in words; "" where the picture shows none."""
    reader = _read(program, moment)
    if reader is None:
        return ""
    found = reader.found["sure"] or reader.found["likely"]
    if not found:
        return ""
    argument = missing_argument(program, moment, reader.nothing) if reader.nothing is not None else ""
    return f"{found[0]}; {argument}" if argument else found[0]


def _read(program: Program, moment: Moment) -> _Reader | None:
    """What the statement of the stop evaluates; None where that is not known."""
    if not moment.stack or moment.stack[0][1] == UNMAPPED or not moment.graph.frames:
        return None
    name, instruction = moment.stack[0]
    function = program.functions[name]
    reader = _Reader(program, moment.graph, possibly_assigned(function, instruction))
    for step in _statement(function, instruction):
        reader.step(step)
    if moment.stop.foreign:
        reader.arguments(_statement(function, instruction))
    return reader


def garbage(program: Program, moment: Moment, begun: MemoryGraph) -> bool:
    """Whether the statement of the stop went through what memory held that nothing had set.

    A local variable of the activation itself that was never set does not count, nor does a node made since
    `begun`: what should have set it comes behind that.
    """
    reader = _read(program, moment)
    return reader is not None and reader.unset and (reader.holder is None or reader.holder in begun.nodes)


def given_null(program: Program, moment: Moment, begun: MemoryGraph) -> bool:
    """Whether the statement of the stop went through a parameter that was null when the function began."""
    reader = _read(program, moment)
    if reader is None or not reader.null:
        return False
    frame = begun.frames[0]
    parameters = {each.name for each in program.functions[frame.function].parameters}
    place = Place(VariableId(frame.depth, frame.function, reader.null), 0)
    return reader.null in parameters and place in begun.cells and begun.cells[place] is None


def kept_to_be_freed(program: Program, moment: Moment, begun: MemoryGraph) -> bool:
    """Whether the statement of the stop frees what is no node, and was held outside of the call before."""
    reader = _read(program, moment)
    if reader is None:
        return False
    name, instruction = moment.stack[0]
    calls = (step for step in _statement(program.functions[name], instruction) if isinstance(step, Call))
    freed = (reader.passed(call.arguments[0]) for call in calls if call.function == "free")
    wrong = [each for each in freed if isinstance(each, Pointer | Wild | External) and not _is_node(each)]
    depth = begun.frames[0].depth
    held = (value for place, value in begun.cells.items() if getattr(place.object, "depth", -1) != depth)
    return any(value in wrong for value in held)


def _is_node(value: Value) -> bool:
    return isinstance(value, Pointer) and isinstance(value.object, NodeId) and not value.offset


def _statement(function: Function, instruction: int) -> Iterator[Instruction]:
    unit = function.unit_of[instruction] if instruction < len(function.unit_of) else -1
    for index, step in enumerate(function.code):
        if index == instruction or (unit >= 0 and function.unit_of[index] == unit):
            yield step


class _Reader:
    """Evaluates over a graph; `found` holds what must not be used and is, in order."""

    def __init__(self, program: Program, graph: MemoryGraph, assigned: Collection[str]) -> None:
        """`assigned` are the local variables that may have been set."""
        self._types = program.types
        self._graph = graph
        self._assigned = assigned
        self._depth = graph.frames[0].depth
        self._function = graph.frames[0].function
        self.found: dict[_Kind, list[str]] = {"sure": [], "likely": []}
        self._kept: dict[str, tuple[Expression, _Known]] = {}  # what temporaries hold, and of what
        self.unset = False  # whether the first that is sure to be wrong is what nothing has set
        self.holder: NodeId | None = None  # the node that holds that
        self.nothing: Expression | None = None  # what is null, where that is it
        self.null = ""  # the local variable that is null, where that is the first that is sure to be wrong

    def step(self, step: Instruction) -> None:
        """Look at everything that an instruction evaluates."""
        match step:
            case Assign(_, VariableReference(name), value) if name.startswith("$"):
                self._kept[name] = value, self._value(value)
            case Assign(
                _, VariableReference() as target, Binary("+" | "-" as way, Load(same), Constant(by))
            ) if target == same:
                self._step_back(Load(target), -by if way == "+" else by)
            case Assign(_, target, value):
                self._value(value)
                self._place(target)
            case Branch(_, condition):
                self._value(condition)
            case Call(_, _, arguments) | Library(_, _, arguments):
                for argument in arguments:
                    self._value(argument)
            case Return(_, value) if value is not None:
                self._value(value)

    def _step_back(self, variable: Load, by: int) -> None:
        """What was read of a variable before it was stepped on, which the process has done already."""
        held, by = self._value(variable), by * self._size(variable)
        for name, (read, _) in self._kept.items():
            if read != variable:
                continue
            match held:
                case Pointer(found, offset):
                    self._kept[name] = read, Pointer(found, offset + by)
                case Wild(address):
                    self._kept[name] = read, Wild(address + by) if address + by else None

    def arguments(self, steps: Iterator[Instruction]) -> None:
        """Pointers that a library function was given and could not use."""
        for step in steps:
            if isinstance(step, (Call, Library)):
                for argument in step.arguments:
                    if isinstance(argument.type, PointerType):
                        self._used(argument, self._value(argument), f" (passed to {step.function})")

    def passed(self, argument: Expression) -> _Known:
        """What an argument of the statement at hand is."""
        return self._value(argument)

    def _value(self, expression: Expression) -> _Known:
        match expression:
            case Constant(value, kind):
                return None if value == 0 and isinstance(kind, PointerType) else value
            case StringLiteral():
                return _UNKNOWN
            case Load(VariableReference(name)) if name in self._kept:
                return self._kept[name][1]
            case Load(Dereference(pointer)) if isinstance(held := self._value(pointer), External):
                return self._graph.outside.pointers.get(held.address, _UNKNOWN)
            case Load(place):
                found = self._place(place)
                return self._graph.cells.get(found, _UNKNOWN) if found is not None else _UNKNOWN
            case AddressOf(place):
                found = self._place(place, followed=False)
                return Pointer(*found) if found is not None else _UNKNOWN
            case Cast(operand, kind):
                held = self._value(operand)
                return None if held == 0 and isinstance(kind, PointerType) else held
            case Unary(operator, operand):
                negated = self._value(operand)
                return -negated if operator == "-" and isinstance(negated, int) else _UNKNOWN
            case Logical(operator, left, right):
                decided = operator == "||"
                holds = self._holds(self._value(left))
                if holds is not decided:
                    further = self._holds(self._value(right))
                    holds = further if holds is not None or further is decided else None
                return _UNKNOWN if holds is None else int(holds)
            case Conditional(condition, then, otherwise):
                holds = self._holds(self._value(condition))
                values = [
                    self._value(each)
                    for each, way in ((then, True), (otherwise, False))
                    if holds in (way, None)
                ]
                return values[0] if len(values) == 1 else _UNKNOWN
            case Binary():
                return self._binary(expression)

    def _binary(self, expression: Binary) -> _Known:
        left, right = self._value(expression.left), self._value(expression.right)
        match expression.operator:
            case "==" | "!=" if any(isinstance(each, (_Unknown, Uninitialised)) for each in (left, right)):
                return _UNKNOWN
            case "==":
                return int((left or None) == (right or None))
            case "!=":
                return int((left or None) != (right or None))
            case "/" | "%" if right == 0 and isinstance(expression.type, IntType):
                self.found["sure"].append(f"{text(expression.right)} is zero")
                return _UNKNOWN
            case "+" | "-" if isinstance(left, Pointer) and isinstance(right, int):
                size = self._size(expression.left)
                moved = right * size if expression.operator == "+" else -right * size
                return Pointer(left.object, left.offset + moved)
            case "+" if isinstance(left, External) and isinstance(right, int):
                return External(left.address + right * self._size(expression.left))
            case "+" if isinstance(left, int) and isinstance(right, int):
                return left + right
            case "-" if isinstance(left, int) and isinstance(right, int):
                return left - right
            case "*" if isinstance(left, int) and isinstance(right, int):
                return left * right
        # What is added to a pointer that leads nowhere leads nowhere.
        return left if left is None or isinstance(left, (Wild, Uninitialised)) else _UNKNOWN

    def _size(self, pointer: Expression) -> int:
        kind = pointer.type
        if isinstance(kind, PointerType) and not isinstance(kind.target, VoidType):
            return self._types.size(kind.target)
        return 1

    @staticmethod
    def _holds(value: _Known) -> bool | None:
        if isinstance(value, (_Unknown, Uninitialised)):
            return None
        return value is not None and value != 0

    def _place(self, place: LValue, followed: bool = True) -> Place | None:
        """Where an lvalue lies; None where that is not known.  Its address alone can be had of anything."""
        match place:
            case VariableReference(name, _, level, function):
                if level == "global":
                    return Place(VariableId(-1, function, name), 0)
                return Place(VariableId(self._depth, self._function, name), 0)
            case Member(base, _, offset):
                found = self._place(base, followed)
                return Place(found.object, found.offset + offset) if found is not None else None
            case Element(base, index, kind):
                found, number = self._place(base, followed), self._value(index)
                if found is None or not isinstance(number, int):
                    return None
                length = base.type.length if isinstance(base.type, ArrayType) else 0
                if length and not 0 <= number < length:
                    self.found["likely"].append(f"{lvalue_text(place)} with index {number} lies outside")
                return Place(found.object, found.offset + number * self._types.size(kind))
            case Dereference(pointer):
                value = self._value(pointer)
                if followed:
                    self._used(pointer, value)
                return Place(value.object, value.offset) if isinstance(value, Pointer) else None

    def _given(self, name: str) -> bool:
        """Whether a local variable of the activation is a parameter."""
        frames = (frame for frame in self._graph.frames if frame.depth == self._depth)
        return any(v.parameter and v.id.name == name for frame in frames for v in frame.variables)

    def _used(self, pointer: Expression, value: _Known, how: str = "") -> None:
        """A pointer is followed: note what speaks against it."""
        while isinstance(pointer, Cast) or (isinstance(pointer, Binary) and pointer.operator in "+-"):
            pointer = pointer.operand if isinstance(pointer, Cast) else pointer.left
        match pointer:
            case Load(VariableReference(temporary)) if temporary in self._kept:
                pointer = self._kept[temporary][0]
        name = f"{text(pointer)}{how}"
        match pointer:
            case Load(VariableReference(variable, level="local")):
                own = variable
            case _:
                own = ""
        if not self.found["sure"] and value is None:
            self.nothing, self.null = pointer, text(pointer) if own else ""
        if not self.found["sure"] and isinstance(value, (int, Uninitialised, Wild)):
            self.unset = not own or own in self._assigned
            owner = self._owner(pointer)
            self.holder = owner if isinstance(owner, NodeId) else None
        match value:
            case None:
                self.found["sure"].append(f"{name} is null")
            case int():
                self.found["sure"].append(f"{name} leads nowhere")
            case Uninitialised():
                unset = "was given what was never set" if self._given(own) else "was never set"
                self.found["sure"].append(f"{name} {unset}{self._origin(pointer)}")
            case Wild(address):
                self.found["sure"].append(f"{name} leads nowhere ({address:#x}){self._origin(pointer)}")
            case Pointer(NodeId() as node, offset) if node in self._graph.nodes:
                held = self._graph.nodes[node]
                if held.state == "freed":
                    self.found["likely"].append(f"{name} leads to n{node.number}, which was freed")
                elif not 0 <= offset < held.size:
                    self.found["likely"].append(self._outside(pointer, name, value, held))

    def _outside(self, pointer: Expression, name: str, value: Pointer, node: Node) -> str:
        """How a pointer leads outside of a node: itself, or with the index that is added to it."""
        size = self._types.size(pointer.type.target) if isinstance(pointer.type, PointerType) else 0
        match self._value(pointer):
            case Pointer(inside, offset) if inside == value.object and 0 <= offset < node.size and size:
                index = (value.offset - offset) // size
                return f"{name}[{index}] lies outside of n{node.id.number}, which has {node.size // size}"
        return f"{name} leads outside of n{node.id.number}"

    def _owner(self, pointer: Expression) -> ObjectId | None:
        """What a pointer was read from."""
        if not isinstance(pointer, Load):
            return None
        before = {kind: len(each) for kind, each in self.found.items()}
        place = self._place(pointer.place, followed=False)
        for kind, each in self.found.items():
            del each[before[kind] :]
        return place.object if place is not None else None

    def _origin(self, pointer: Expression) -> str:
        """Where a value comes from, when that is memory which was freed."""
        owner = self._owner(pointer)
        if isinstance(owner, NodeId) and owner in self._graph.nodes:
            freed = self._graph.nodes[owner].state == "freed"
            return f"; it was read from n{owner.number}, which was freed" if freed else ""
        return ""
