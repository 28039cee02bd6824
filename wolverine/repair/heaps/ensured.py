"""What the callers of a function make sure of: links of its arguments that are there whenever it is called.

`if (key > t->right->key) return rotate_left(t);` calls the function with a right child only.  A heap without
one is no input for it, and that it crashes there says nothing about a repair.  So it is with a null pointer,
where every caller has gone through what it passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Conditional,
    Dereference,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    StringLiteral,
    Unary,
    VariableReference,
    lvalue_text,
    variables,
)
from wolverine.core.graph import MemoryGraph, Place, Pointer, VariableId
from wolverine.core.parts import gone_through, null_test, null_tests, parts, step_parts, without_casts
from wolverine.core.program import (
    MAIN,
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import PointerType
from wolverine.repair.heaps.within import brought_within, keeps_within, within
from wolverine.repair.source.flow import arriving, predecessors
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.library import WITHOUT_POINTERS

# A parameter, and the offsets of the fields that lead on from it; without any the parameter itself is meant.
Link = tuple[int, tuple[int, ...]]
_FEWEST = 4  # heaps that have to be left


def ensured(program: Program, function: str) -> frozenset[Link]:
    """The links that every call tells of which tells any: none of them is null there.

    Of the parameters themselves every call has to tell it.  What is called through pointers only, as a
    comparison is, is not given null where it does not ask for that.
    """
    calls = list(_calls(program, function))
    if not any(calls) and not any(_named(program, function)):
        return frozenset(_relied_on(program.functions[function])) if function != MAIN else frozenset()
    led = [links for call in calls if (links := frozenset(link for link in call if link[1]))]
    given = frozenset(link for link in frozenset.intersection(*calls) if not link[1])
    return given.union(frozenset.intersection(*led) if led else ())


def _relied_on(function: Function) -> Iterator[Link]:
    """The pointers given to the function that it does not test for null."""
    tests = chain.from_iterable(map(_tests, function.code))
    asked = {lvalue_text(place) for test in tests for place in null_tests(test)}
    for number, parameter in enumerate(function.parameters):
        if isinstance(parameter.type, PointerType) and parameter.name not in asked:
            yield number, ()


def _tests(step: Instruction) -> Iterator[Expression]:
    """What an instruction takes for true or false."""
    if isinstance(step, Branch):
        yield step.condition
    for part in step_parts(step):
        match part:
            case Logical() | Unary("!") | Binary("==" | "!="):
                yield part
            case Conditional(condition):
                yield condition


def as_called(program: Program, function: str, heaps: Sequence[MemoryGraph]) -> Sequence[MemoryGraph]:
    """Those of the heaps on which the function may be called; all of them where these are few."""
    links, bounds = ensured(program, function), within(program, function)
    if not links and not bounds:
        return heaps
    names = [parameter.name for parameter in program.functions[function].parameters]
    linked = [heap for heap in heaps if all(_there(heap, names[number], way) for number, way in links)]
    kept = [heap for heap in linked if keeps_within(program, function, heap, bounds)]
    if len(kept) < _FEWEST:
        brought = (brought_within(program, function, heap, bounds) for heap in linked)
        kept = [heap for heap in brought if heap is not None]
    return kept if len(kept) >= _FEWEST else heaps


def _there(heap: MemoryGraph, name: str, way: tuple[int, ...]) -> bool:
    """Whether the links are there, as far as the heap tells."""
    frame = heap.frames[0]
    value = heap.cells.get(Place(VariableId(frame.depth, frame.function, name), 0))
    for offset in way:
        if not isinstance(value, Pointer):
            return True
        value = heap.cells.get(Place(value.object, value.offset + offset))
    return value is not None


def _calls(program: Program, function: str) -> Iterator[frozenset[Link]]:
    """What each call tells."""
    for caller in program.functions.values():
        for index, step in enumerate(caller.code):
            if isinstance(step, Call) and step.function == function:
                yield frozenset(_told(caller, index, step))


def _named(program: Program, function: str) -> Iterator[bool]:
    """Of each call whether it names the function: not where a pointer leads to it."""
    for caller in program.functions.values():
        for index, step in enumerate(caller.code):
            if isinstance(step, Call) and step.function == function:
                match caller.code[index - 1] if index else None:
                    case Branch(_, Binary("==", _, StringLiteral(name)), if_true):
                        yield not (name == function and if_true == index)
                    case _:
                        yield True


def _told(caller: Function, index: int, call: Call) -> Iterator[Link]:
    arguments = {
        argument.place.name: number
        for number, argument in enumerate(call.arguments)
        if isinstance(argument, Load) and isinstance(argument.place, VariableReference)
    }
    given: dict[int, LValue] = {}
    for pointer in _before(caller, index, arguments, given):
        for number, place in given.items():
            way = _way(pointer, place)
            if way is not None:
                yield number, way


def _before(
    caller: Function, index: int, arguments: dict[str, int], given: dict[int, LValue]
) -> Iterator[LValue]:
    """The places of pointers that are not null on the way to an instruction, back to where that may change.

    `given` gets the places that are passed, by number; `arguments` are the temporaries that take them.
    What calls and writes to memory cannot change are the local variables to which no pointer leads; what
    library functions write are no pointers.
    """
    leading = predecessors(caller.code)
    steady: AbstractSet[str] | None = None  # what still counts; None for all
    behind = index
    while len(before := arriving(leading, behind)) == 1 and before[0] < behind:
        [at] = before
        step = caller.code[at]
        match step:
            case Assign(_, VariableReference(name), value) if name in arguments:
                passed = without_casts(value)
                if isinstance(passed, Load):
                    given[arguments[name]] = passed.place
            case Assign(_, target, value):
                written = isinstance(target, VariableReference)
                if written and any(variables(target) & variables(place) for place in given.values()):
                    return
                if not written and steady is None:
                    steady = _steady(caller)
                yield from _among(_through([value] if written else [value, Load(target)]), steady)
            case Branch(_, condition, if_true):
                yield from _among(_sure(condition, behind == if_true), steady)
            case Library(_, called) if called in WITHOUT_POINTERS:
                pass
            case Call() | Library():
                steady = _steady(caller)
            case Gap() | Jump() | Declare():
                pass
            case Concrete() if at > 0 and isinstance(caller.code[at - 1], Library):
                pass
            case _:
                return
        behind = at


def _steady(function: Function) -> frozenset[str]:
    """The local variables that are set by their names only."""
    inside = [part for step in function.code for each in expressions_of(step) for part in parts(each)]
    led_to = {part.place for part in inside if isinstance(part, AddressOf)}
    return frozenset(each.name for each in (*function.parameters, *function.locals) if each not in led_to)


def _among(places: Iterable[LValue], steady: AbstractSet[str] | None) -> Iterator[LValue]:
    """Those of the places that are steady variables."""
    for place in places:
        if steady is None or (isinstance(place, VariableReference) and place.name in steady):
            yield place


def _sure(condition: Expression, holds: bool) -> Iterator[LValue]:
    """The places of pointers that are not null where a condition was evaluated to that."""
    tested = null_test(condition)
    match condition:
        case Logical(operator, left, right):
            both = holds == (operator == "&&")
            yield from _sure(left, holds) if both else _through(_first(left))
            if both:
                yield from _sure(right, holds)
        case _ if tested is not None:
            place, operator = tested
            if holds == (operator == "!="):
                yield place
            yield from gone_through(place)
        case Unary("!", operand):
            yield from _sure(operand, not holds)
        case _:
            yield from _through([condition])


def _first(condition: Expression) -> Iterator[Expression]:
    """What is evaluated whatever comes of it."""
    while isinstance(condition, Logical):
        condition = condition.left
    yield condition


def _through(expressions: Iterable[Expression]) -> Iterator[LValue]:
    """The places of the pointers that the expressions go through, whatever their conditions come to."""
    for expression in expressions:
        if any(isinstance(part, Logical | Conditional) for part in parts(expression)):
            continue
        for part in parts(expression):
            if isinstance(part, Load):
                yield from gone_through(part.place)


def _way(pointer: LValue, place: LValue) -> tuple[int, ...] | None:
    """The offsets of the fields that lead from the node of one pointer to another one; None for no way."""
    found: list[int] = []
    while pointer != place:
        match pointer:
            case Member(Dereference(Load(before)), _, offset):
                found.insert(0, offset)
                pointer = before
            case _:
                return None
    return tuple(found)
