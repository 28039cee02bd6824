"""Nodes that count who refers to them: they are freed where that number has come to nothing.

(Collins, "A Method for Overlapping and Erasure of Lists", CACM 1960.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from wolverine.core.expressions import (
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.parts import without_casts
from wolverine.core.patch import Deletion, NewAssignment, NewCall, Replacement
from wolverine.core.program import Assign, Branch, Call, Function, Gap, Instruction, Jump, Program
from wolverine.core.types import PointerType, StructReference
from wolverine.repair.source.counting import counts_down, counts_up
from wolverine.repair.source.retained import passed_to
from wolverine.semantics.allocation import FREEING


def counting_references(program: Program) -> frozenset[str]:
    """The tags of the structs of which some function counts a field down and frees the node."""
    return frozenset(tag for function in program.functions.values() for tag in _tags(program, function))


def counts_references(program: Program, size: int | None) -> bool:
    """Whether nodes of that size (bytes) are of such a struct."""
    return any(program.types.size(StructReference(tag)) == size for tag in counting_references(program))


def ended(program: Program, code: Sequence[Instruction]) -> Iterator[Expression]:
    """What instructions hand to `free`, or to a function that frees it."""
    given: dict[Expression, Expression] = {}
    for step in code:
        if isinstance(step, Assign):
            given[Load(step.target)] = without_casts(step.value)
        elif isinstance(step, Call):
            for number, argument in enumerate(step.arguments):
                if argument in given and _frees(program, step.function, number):
                    yield given[argument]


def giving_back(program: Program) -> frozenset[str]:
    """The functions that count a node that they are given down, and free it where that was the last one."""
    return frozenset(name for name, function in program.functions.items() if _gives_back(program, function))


def _gives_back(program: Program, function: Function) -> bool:
    given = [Load(each) for each in function.parameters]
    freed = {*ended(program, function.code)} & {*given}
    return any(
        isinstance(step, Assign)
        and isinstance(step.target, Member)
        and isinstance(step.target.base, Dereference)
        and step.target.base.pointer in freed
        and counts_down(step.target, step.value)
        for step in (function.code if freed else ())
    )


class Uncounted(NamedTuple):
    """A function has `kept` a pointer to a counted node, and nothing counts that.

    The gaps around the assignment have these `locations`.
    """

    function: str
    locations: tuple[int, ...]
    kept: LValue
    pointer: Expression


class References:
    """Where a program keeps pointers to nodes that count who refers to them, and what counts these."""

    def __init__(self, program: Program) -> None:
        self._program = program
        tags = counting_references(program)
        self.counting: Mapping[str, int] = {
            name: number
            for name, function in (program.functions.items() if tags else ())
            if (number := _counted_parameter(function, tags)) is not None
        }
        """By name the functions that only count a node once more: the number of the parameter."""
        self.uncounted = tuple(
            each
            for function in (program.functions.values() if tags else ())
            for each in self._kept_uncounted(function, tags)
        )
        self._giving_back = giving_back(program) if tags else frozenset[str]()
        self._tags = tags
        self._at = {location: each for each in self.uncounted for location in each.locations}

    def counts(self, location: int, made: Replacement) -> bool:
        """Whether an edit counts what is kept beside a gap: by a call, where the program can."""
        kept = self._at.get(location)
        if kept is None:
            return False
        names = (text(kept.pointer), lvalue_text(kept.kept))
        match made:
            case NewCall(function, arguments, None) if function in self.counting:
                return text(without_casts(arguments[self.counting[function]])) in names
            case NewAssignment(Member(Dereference(pointer)) as field, value) if counts_up(field, value):
                return not self.counting and text(pointer) in names
        return False

    def counts_nothing(self, location: int, made: Replacement) -> bool:
        """Whether an edit counts a reference in a function that keeps none but what it counts."""
        match made:
            case NewAssignment(Member(Dereference(_, StructReference(tag))) as field, value) if (
                tag in self._tags and counts_up(field, value)
            ):
                function = self._program.location(location).function
                return all(each.function != function for each in self.uncounted)
        return False

    def gives_less_back(self, location: int, made: Replacement) -> bool:
        """Whether a variable's reference is not given back any more, where all that are kept are counted.

        What a node holds is given back with the node.
        """
        if self.uncounted or not self._giving_back or not isinstance(made, Deletion):
            return False
        code = self._program.functions[self._program.location(location).function].code
        return any(
            step.location == location
            and isinstance(step, Call)
            and step.function in self._giving_back
            and any(isinstance(each, VariableReference) for each in _passed(code, index))
            for index, step in enumerate(code)
        )

    def _kept_uncounted(self, function: Function, tags: Collection[str]) -> Iterator[Uncounted]:
        code = function.code
        counted = {*self._counted(code)}
        for index, step in enumerate(code):
            match step:
                case Assign(
                    _, (Member() | Dereference() | VariableReference(level="global")) as kept, value
                ) if _is_counted(kept, tags):
                    pointer = without_casts(value)
                case _:
                    continue
            if not isinstance(pointer, Load) or lvalue_text(pointer.place).startswith("$"):
                continue  # what a call gives back belongs to who gets it
            if counted.isdisjoint((text(pointer), lvalue_text(kept))):
                gaps = tuple(_gaps_around(code, index))
                yield Uncounted(function.name, gaps, kept, pointer)

    def _counted(self, code: Sequence[Instruction]) -> Iterator[str]:
        """The pointers, as text, to nodes that are counted once more."""
        passed: dict[Expression, Expression] = {}
        for step in code:
            match step:
                case Assign(_, Member(Dereference(pointer)) as field, value) if counts_up(field, value):
                    yield text(pointer)
                case Assign(_, target, value):
                    passed[Load(target)] = without_casts(value)
                case Call(_, name, arguments) if name in self.counting:
                    given = passed.get(arguments[self.counting[name]])
                    if given is not None:
                        yield text(given)


def _passed(code: Sequence[Instruction], index: int) -> Iterator[LValue]:
    """The places whose values a call passes."""
    call = code[index]
    for argument in call.arguments if isinstance(call, Call) else ():
        match passed_to(code[:index], argument):
            case Load(place):
                yield place


def _is_counted(kept: LValue, tags: Collection[str]) -> bool:
    """Whether a place holds a pointer to a node of one of these structs."""
    match kept.type:
        case PointerType(StructReference(tag)):
            return tag in tags
    return False


def _counted_parameter(function: Function, tags: Collection[str]) -> int | None:
    """The number of the parameter whose node a function counts once more, and does nothing else to nodes."""
    given = [Load(each) for each in function.parameters]
    found: Load | None = None
    for step in function.code:
        match step:
            case Assign(_, Member(Dereference(pointer, StructReference(tag))) as field, value) if (
                tag in tags and pointer in given and counts_up(field, value)
            ):
                found = pointer if isinstance(pointer, Load) else None
            case Assign(_, VariableReference(level=level)) if level != "global":
                continue
            case Assign() | Call():
                return None
    return given.index(found) if found is not None else None


def _gaps_around(code: Sequence[Instruction], index: int) -> Iterator[int]:
    """The locations of the next gaps behind an instruction and in front of it, on the straight way."""
    for way in (range(index + 1, len(code)), range(index - 1, -1, -1)):
        for at in way:
            step = code[at]
            if isinstance(step, Gap):
                yield step.location
            if isinstance(step, Gap | Branch | Jump):
                break


def _frees(program: Program, name: str, number: int) -> bool:
    """Whether a function frees what it is given as its argument of that number."""
    if name not in program.functions:
        return name == "free"
    function = program.functions[name]
    if number >= len(function.parameters):
        return False
    parameter, passed = Load(function.parameters[number]), dict[Expression, Expression]()
    for step in function.code:
        if isinstance(step, Assign):
            passed[Load(step.target)] = without_casts(step.value)
        elif (
            isinstance(step, Call)
            and step.function in FREEING
            and parameter in map(passed.get, step.arguments)
        ):
            return True
    return False


def _tags(program: Program, function: Function) -> Iterator[str]:
    freed = {*ended(program, function.code)}
    for step in function.code if freed else ():
        match step:
            case Assign(_, Member(Dereference(pointer, StructReference(tag))) as field, value):
                if pointer in freed and counts_down(field, value):
                    yield tag
