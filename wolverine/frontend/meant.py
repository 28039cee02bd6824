"""What a patch means: the code of a function with the patch in it, to compare emitted text with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.expressions import (
    Binary,
    Cast,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
)
from wolverine.core.parts import negated
from wolverine.core.patch import (
    Cleared,
    Deletion,
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewSkip,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Several,
    ShortCircuit,
)
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import SIZE, VOID_POINTER
from wolverine.errors import SourceError
from wolverine.frontend.comparing import with_calls
from wolverine.semantics.replacing import repeating, replace_instruction, returned, slot_at


def patched(
    program: Program, function: Function, patch: Patch, *, early: bool = False, once: bool = False
) -> Function:
    """The function with the patch in its code; indices stay, a guarded statement stands behind it all.

    With `early` the place that a new node is stored at is worked out before the node is allocated; with
    `once` a test that is put in front of a condition is not repeated at its end.
    """
    last = {step.location: index for index, step in enumerate(function.code) if step.location >= 0}
    code = list(function.code)
    for edit in patch.edits:
        if program.location(edit.location).function != function.name or edit.location not in last:
            continue
        index = last[edit.location]
        if isinstance(edit.replacement, ShortCircuit | OtherFunction | OtherJoin):
            if once and isinstance(edit.replacement, ShortCircuit):
                _without_last(function, code, index, edit.replacement)
            code[index] = replace_instruction(function, code[index], edit.replacement)
        elif isinstance(edit.replacement, Cleared):
            _cleared(code, index)
        elif isinstance(edit.replacement, FreedList):
            _freed_list(code, index, edit.replacement, early=early)
        elif isinstance(edit.replacement, (Guarded, NewReturn, NewJump, NewNode, NewCall, Several)):
            _outline(function, code, index, edit.replacement, early=early)
        else:
            for at in returned(code, index) if isinstance(edit.replacement, Deletion) else ():
                code[at] = Gap(code[at].location)
            code[index] = _replaced(code[index], edit.location, edit.replacement)
    return replace(function, code=tuple(with_calls(code)))


def _without_last(function: Function, code: list[Instruction], index: int, made: ShortCircuit) -> None:
    at = repeating(function, function.code[index], made)
    if at is not None and isinstance(step := code[at], Branch) and isinstance(step.condition, Logical):
        code[at] = replace(step, condition=step.condition.left)


def _outline(
    function: Function,
    code: list[Instruction],
    index: int,
    replacement: Guarded | NewReturn | NewJump | NewNode | NewCall | Several,
    *,
    early: bool,
) -> None:
    """Put what is inserted behind the code, with a jump to it in the slot and one back."""
    slot, location = code[index], code[index].location
    tested = len(code)
    statement = replacement.statement if isinstance(replacement, Guarded) else replacement
    code[index] = Jump(-1, len(code))
    if isinstance(replacement, Guarded) and isinstance(statement, NewSkip) and statement.instead is None:
        within = negated(replacement.condition)  # as the text has it
        code.append(Branch(location, within, index + 1, slot_at(function, statement.until)))
        return
    if isinstance(replacement, Guarded):
        code.append(Branch(location, replacement.condition, len(code) + 1, index + 1))
    onward = index + 1
    assignment: NewAssignment | None = None
    if isinstance(statement, NewNode):
        code += _allocation(location, statement, early=early)
    elif isinstance(statement, NewCall):
        code += _called(location, statement, early=early)
        onward = function.end if statement.leaves else onward
    elif isinstance(statement, NewBlock):
        code += _in_turn(location, statement, early=early)
        if isinstance(statement.onward, NewSkip):
            onward = slot_at(function, statement.onward.until)
        elif isinstance(statement.onward, NewJump):
            assert isinstance(slot, Gap)
            onward = slot.onward(statement.onward.keyword)
        onward = function.end if statement.leaving is not None else onward
        if statement.leaving is not None and statement.leaving.value is not None:
            result = VariableReference(RESULT_NAME, function.result)
            code.append(Assign(location, result, statement.leaving.value))
    elif isinstance(statement, Several):
        code += _in_turn(location, statement, early=early)
    elif isinstance(statement, NewJump):
        assert isinstance(slot, Gap)
        onward = slot.onward(statement.keyword)
    elif isinstance(statement, NewSkip):
        onward, assignment = slot_at(function, statement.until), statement.instead
    elif isinstance(statement, NewReturn):
        onward = function.end
        if statement.value is not None:
            result = VariableReference(RESULT_NAME, function.result)
            code.append(Assign(location, result, statement.value))
        assignment = statement.before
    else:
        assignment = statement
    if assignment is not None:
        code.append(Assign(location, assignment.target, assignment.value))
    code.append(Jump(-1, onward))
    if isinstance(replacement, Guarded) and replacement.otherwise is not None:
        code[tested] = Branch(location, replacement.condition, tested + 1, len(code))
        code.append(Assign(location, replacement.otherwise.target, replacement.otherwise.value))
        code.append(Jump(-1, index + 1))


def _in_turn(location: int, made: NewBlock | Several, *, early: bool) -> Iterator[Instruction]:
    """Statements in a row, what they pass numbered through."""
    passed = 0
    for each in made.statements:
        if isinstance(each, NewAssignment):
            yield Assign(location, each.target, each.value)
        else:
            yield from _called(location, each, early=early, first=passed)
            passed += len(each.arguments)


def _freed_list(code: list[Instruction], index: int, made: FreedList, *, early: bool) -> None:
    """Put the loop that frees a list behind the code, with a jump to it in the slot and one back."""
    location, tested = code[index].location, len(code)
    code[index] = Jump(-1, tested)
    code.append(Branch(location, made.more, tested + 1, index + 1))
    code.append(Assign(location, made.rest, Load(made.link)))
    for number, freed in enumerate((*made.owned, made.first)):
        code += _called(location, NewCall("free", (Load(freed),)), early=early, first=number)
    code += [Assign(location, made.first, Load(made.rest)), Jump(-1, tested)]


def _cleared(code: list[Instruction], index: int) -> None:
    """Let what is allocated there be cleared; that it is one piece is worked out behind its size."""
    call = code[index]
    assert isinstance(call, Call)
    count = VariableReference(f"$count{call.location}", SIZE)
    code[index] = Jump(-1, len(code))
    code.append(Assign(call.location, count, Constant(1, SIZE)))
    code.append(replace(call, function="calloc", arguments=(Load(count), *call.arguments)))
    code.append(Jump(-1, index + 1))


def _called(location: int, made: NewCall, *, early: bool, first: int = 0) -> Iterator[Instruction]:
    """A call as the front end lowers it: first the arguments, converted, in temporaries, from the last on.

    These are numbered from `first` on.
    """
    numbers = range(first, first + len(made.arguments))
    passed = [VariableReference(f"$passed{location}_{n}", VOID_POINTER) for n in numbers]
    for place, value in reversed(list(zip(passed, made.arguments, strict=True))):
        converted = (
            value if made.function != "free" or value.type == VOID_POINTER else Cast(value, VOID_POINTER)
        )
        yield Assign(location, place, converted)
    target = made.target
    if target is not None and early:
        held = VariableReference(f"$held{location}", VOID_POINTER)
        pointers = [place.pointer for place in _places(target) if isinstance(place, Dereference)]
        yield from (Assign(location, held, pointer) for pointer in pointers[:1])
        target = _through(target, Load(held))
    found = None if target is None else VariableReference(f"$made{location}", target.type)
    yield Call(location, made.function, tuple(Load(place) for place in passed), found)
    if target is not None and found is not None:
        yield Assign(location, target, Load(found))


def _allocation(location: int, made: NewNode, *, early: bool) -> Iterator[Instruction]:
    size, count, length = (
        VariableReference(f"${name}{location}", SIZE) for name in ("size", "count", "length")
    )
    found, held = (VariableReference(f"${name}{location}", VOID_POINTER) for name in ("made", "held"))
    target = made.target
    if made.string is not None and made.copied:
        yield from _copy(location, made, made.string, early=early)
        return
    room: Expression = Constant(made.size, SIZE)
    if made.string is not None:
        yield Library(location, "strlen", (made.string,), length)
        yield Concrete(location, "call of strlen", (length,))
        room = Binary("+", Load(length), room, SIZE)
    yield Assign(location, size, room)
    if made.zeroed:
        yield Assign(location, count, Constant(1, SIZE))
    if early:
        pointers = [place.pointer for place in _places(target) if isinstance(place, Dereference)]
        yield from (Assign(location, held, pointer) for pointer in pointers[:1])
        target = _through(target, Load(held))
    arguments = (Load(count), Load(size)) if made.zeroed else (Load(size),)
    yield Call(location, "calloc" if made.zeroed else "malloc", arguments, found)
    yield Assign(location, target, Cast(Load(found), made.target.type))


def _copy(location: int, made: NewNode, string: Expression, *, early: bool) -> Iterator[Instruction]:
    target, held = made.target, VariableReference(f"$held{location}", VOID_POINTER)
    if early:
        pointers = [place.pointer for place in _places(target) if isinstance(place, Dereference)]
        yield from (Assign(location, held, pointer) for pointer in pointers[:1])
        target = _through(target, Load(held))
    found = VariableReference(f"$made{location}", target.type)
    yield Library(location, "strdup", (string,), found)
    yield Concrete(location, "call of strdup", (found,))
    yield Assign(location, target, Load(found))


def _places(place: LValue) -> Iterator[LValue]:
    """The place and what it lies in."""
    yield place
    if isinstance(place, (Member, Element)):
        yield from _places(place.base)


def _through(place: LValue, pointer: Expression) -> LValue:
    """The place behind another pointer."""
    match place:
        case Dereference():
            return replace(place, pointer=pointer)
        case Member() | Element():
            return replace(place, base=_through(place.base, pointer))
    return place


def _replaced(step: Instruction, location: int, replacement: object) -> Instruction:
    match replacement, step:
        case Deletion(), _:
            return Gap(location)
        case NewAssignment(target, value), _:
            return Assign(location, target, value)
        case NewValue(value), Assign():
            return replace(step, value=value)
        case NewValue(value), Branch():
            return replace(step, condition=value)
        case _:
            raise SourceError("an edit that does not fit its location")
