"""Edits on instructions: what stands in the place of one under a replacement (see `core.patch`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import Constant, Expression, Logical, VariableReference, text
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
    Replacement,
    Several,
    ShortCircuit,
)
from wolverine.core.program import (
    RESULT_NAME,
    Allocate,
    Assign,
    Before,
    Branch,
    Call,
    FreeList,
    Function,
    Gap,
    Guard,
    Inserted,
    Instruction,
    Join,
    Jump,
    Program,
    is_result,
    successors,
)
from wolverine.core.types import SIZE


def replace_instruction(function: Function, step: Instruction, replacement: Replacement) -> Instruction:
    """What stands in the place of `step` under an edit; raises ValueError if the edit does not fit."""
    match step, replacement:
        case ((Assign(location) | Gap(location)), NewAssignment(target, value)):
            return Assign(location, target, value)
        case ((Assign(location) | Call(location) | Gap(location) | Jump(location)), Deletion()):
            return Gap(location)
        case Assign(location, target), NewValue(value):
            return Assign(location, target, value)
        case Branch(location, _, if_true, if_false), NewValue(value):
            return Branch(location, value, if_true, if_false)
        case Branch(location, condition), OtherJoin(operator) if (join := joined(function, step)) is not None:
            if join.operator == operator:
                raise ValueError(f"{operator} stands there already")
            return Branch(location, condition, *join.otherwise)
        case ((Gap(location) | Call(location)), NewCall(called, arguments, into)):
            return Inserted(location, called, arguments, None, into)
        case Gap(location), Guarded(condition, NewCall(called, arguments, into)):
            return Inserted(location, called, arguments, None, into, condition)
        case Gap(), NewJump():
            return _jump(step, None, replacement)
        case Gap(), Guarded(condition, NewJump() as statement):
            return _jump(step, condition, statement)
        case Gap(location), Guarded(condition, NewSkip(until, _, instead)):
            done = None if instead is None else Assign(location, instead.target, instead.value)
            return Guard(location, condition, done, slot_at(function, until))
        case Gap(location), NewReturn():
            return _guard(function, location, None, replacement)
        case Gap(location), Guarded(condition, NewReturn() as statement):
            return _guard(function, location, condition, statement)
        case Gap(location), Guarded(condition, NewBlock(statements, leaving, onward)):
            first = tuple(_in_turn(location, each) for each in statements)
            if isinstance(onward, NewJump):
                return replace(_jump(step, condition, onward), before=first)
            if leaving is None:
                end = None if onward is None else slot_at(function, onward.until)
                return Guard(location, condition, None, end, first)
            return replace(_guard(function, location, condition, leaving), before=first)
        case (
            (Gap(location) | Assign(location)),
            Guarded(condition, NewAssignment() as statement, otherwise),
        ):
            made = _guard(function, location, condition, statement)
            if otherwise is None:
                return made
            return replace(made, otherwise=Assign(location, otherwise.target, otherwise.value))
        case ((Gap(location) | Assign(location)), NewNode(target, size, zeroed, string, copied)):
            return Allocate(location, target, size, zeroed, string, copied)
        case Call(location, "malloc", (size,), result), Cleared():
            return Call(location, "calloc", (Constant(1, SIZE), size), result)
        case Call(location, _, arguments, result), OtherFunction(called):
            return Call(location, called, arguments, result)
        case Before(location, if_true, if_false, on), ShortCircuit("&&", test):
            return Branch(location, test, on, if_false)
        case Before(location, if_true, if_false, on), ShortCircuit("||", test):
            return Branch(location, test, if_true, on)
        case Gap(location), FreedList(first, link, owned=owned):
            return FreeList(location, first, link, owned)
        case Gap(location), Several(statements):
            *before, last = (_in_turn(location, each) for each in statements)
            if isinstance(last, Call):
                return Guard(location, None, None, None, (*before, last))
            return Guard(location, None, last, None, tuple(before))
    raise ValueError(f"{replacement} cannot stand in the place of {step}")


@dataclass(frozen=True, slots=True)
class Joined:
    """What joins a condition with the next one, and where it would lead with the other operator."""

    operator: Join
    otherwise: tuple[int, int]

    @property
    def other(self) -> Join:
        """The operator that does not join them."""
        return "&&" if self.operator == "||" else "||"


def joined(function: Function, step: Branch) -> Joined | None:
    """What joins the condition with one behind it that calls; None where it does not lead to one alone."""
    code = function.code
    match code[step.if_true], code[step.if_false]:
        case _, Before(if_true=met, if_false=failed) if met == step.if_true:
            found, slot = Joined("||", (step.if_false, failed)), step.if_false
        case Before(if_true=met, if_false=failed), _ if failed == step.if_false:
            found, slot = Joined("&&", (met, step.if_true)), step.if_true
        case _:
            return None
    leading = sum(slot in successors(each, index) for index, each in enumerate(code))
    return found if leading == 1 else None


def repeating(function: Function, slot: Instruction, made: ShortCircuit) -> int | None:
    """The branch that ends the condition behind the slot, if that asks last what the test asks first."""
    if not isinstance(slot, Before):
        return None
    for index in range(slot.on, len(function.code)):
        match function.code[index]:
            case Branch(_, Logical(operator, _, last), if_true, if_false) if (if_true, if_false) == (
                slot.if_true,
                slot.if_false,
            ) and operator == made.operator:
                return index if text(last) == text(made.test) else None
    return None


def _guard(
    function: Function, location: int, condition: Expression | None, statement: NewAssignment | NewReturn
) -> Guard:
    if isinstance(statement, NewAssignment):
        return Guard(location, condition, Assign(location, statement.target, statement.value))
    before, value = statement.before, statement.value
    if value is None:
        assignment = None if before is None else Assign(location, before.target, before.value)
    elif before is None:
        assignment = Assign(location, VariableReference(RESULT_NAME, function.result), value)
    else:
        raise ValueError("an assignment is inserted before a return without a value only")
    return Guard(location, condition, assignment, function.end)


def _in_turn(location: int, statement: NewAssignment | NewCall) -> Assign | Call:
    """One of several statements that are inserted together."""
    if isinstance(statement, NewAssignment):
        return Assign(location, statement.target, statement.value)
    if statement.target is not None:
        raise ValueError("what a call among several statements gives is not stored")
    return Call(location, statement.function, statement.arguments, None)


def slot_at(function: Function, location: int) -> int:
    """The instruction of the gap at a location; raises ValueError where the function has none."""
    for index, step in enumerate(function.code):
        if isinstance(step, Gap) and step.location == location:
            return index
    raise ValueError(f"there is no gap {location} in {function.name}")


def _jump(step: Gap, condition: Expression | None, made: NewJump) -> Guard:
    if made.keyword == "while" and condition is not None:
        raise ValueError("an `if` becomes a `while`, or it does not")
    onward = step.onward(made.keyword)
    if onward < 0:
        raise ValueError(f"there is nothing around it that {made.keyword} could mean")
    return Guard(step.location, condition, None, onward)


def patched(program: Program, patch: Patch) -> dict[str, dict[int, Replacement]]:
    """The replacements of a patch by function and instruction index.

    Of several instructions at one location the last that the replacement fits is replaced.
    """
    result: dict[str, dict[int, Replacement]] = {}
    for edit in patch.edits:
        function = program.location(edit.location).function
        for index in range(len(program.functions[function].code) - 1, -1, -1):
            step = program.functions[function].code[index]
            if step.location == edit.location and _fits(program.functions[function], step, edit.replacement):
                found = result.setdefault(function, {})
                found[index] = edit.replacement
                if isinstance(edit.replacement, Deletion):
                    found.update(dict.fromkeys(returned(program.functions[function].code, index), Deletion()))
                break
        else:
            raise ValueError(f"no instruction at location {edit.location} takes {edit.replacement}")
    return result


def returned(code: Sequence[Instruction], index: int) -> Iterator[int]:
    """The instruction that stores what the `return` at an instruction returns, if it is one with a value."""
    if isinstance(code[index], Jump) and index:
        before = code[index - 1]
        if isinstance(before, Assign) and is_result(before.target):
            yield index - 1


def _fits(function: Function, step: Instruction, replacement: Replacement) -> bool:
    try:
        replace_instruction(function, step, replacement)
    except ValueError:
        return False
    return True
