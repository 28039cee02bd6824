"""What several front-end tests share: random patches that type-check."""

from __future__ import annotations

import random
from pathlib import Path
from typing import get_args

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    Unary,
)
from wolverine.core.patch import (
    Cleared,
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewJump,
    NewReturn,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Several,
    ShortCircuit,
)
from wolverine.core.program import (
    MAIN,
    Assign,
    Before,
    Branch,
    Call,
    Gap,
    Instruction,
    Keyword,
    Location,
    Program,
)
from wolverine.core.types import (
    INT,
    VOID,
    CType,
    FunctionType,
    IntType,
    PointerType,
    StructReference,
    is_scalar,
)
from wolverine.errors import SourceError
from wolverine.frontend import emit
from wolverine.semantics.replacing import joined

PROGRAMS = Path(__file__).parent / "programs"


def places(program: Program, location: Location) -> list[LValue]:
    """Scalar variables in scope and the fields behind pointer variables."""
    found: list[LValue] = []
    for variable in location.scope:
        found.append(variable)
        match variable.type:
            case PointerType(StructReference(tag) as target) if tag in program.types.structs:
                for field in program.types.structs[tag].fields:
                    if is_scalar(field.type):
                        base = Dereference(Load(variable), target)
                        found.append(Member(base, field.name, field.offset, field.type))
    return [
        place
        for place in found
        if (isinstance(place.type, IntType) and place.type.name != "_Bool")
        or (isinstance(place.type, PointerType) and not isinstance(place.type.target, FunctionType))
    ]


def value(program: Program, rng: random.Random, location: Location, ctype: CType) -> Expression | None:
    """Some value of the type that can be named at the location."""
    choices: list[Expression] = [Load(place) for place in places(program, location) if place.type == ctype]
    if isinstance(ctype, PointerType):
        choices.append(Constant(0, ctype))
    elif isinstance(ctype, IntType):
        choices.append(Constant(rng.randrange(4), ctype))
        if ctype == INT:
            choices.append(Binary("+", rng.choice(choices), Constant(1, INT), INT))
    return rng.choice(choices) if choices else None


def random_edit(program: Program, rng: random.Random, location: Location) -> Edit | None:
    """Some edit that fits the location."""
    code = program.functions[location.function].code
    step = next(step for step in reversed(code) if step.location == location.id)
    if isinstance(step, Before):
        operator = rng.choice(("&&", "||"))
        return Edit(location.id, ShortCircuit(operator, tested(program, rng, location)))
    if isinstance(step, Branch) and rng.random() < 0.3:
        join = joined(program.functions[location.function], step)
        if join is not None:
            return Edit(location.id, OtherJoin(join.other))
    if location.kind == "allocation":
        return Edit(location.id, Cleared())
    if isinstance(step, Gap) and step.repeats >= 0 and rng.random() < 0.3:
        return Edit(location.id, NewJump("while"))
    if location.kind == "callee":
        return Edit(location.id, OtherFunction(rng.choice(_alike(program, step))))
    if location.kind == "gap" or (location.kind == "assignment" and rng.random() < 0.6):
        choices = places(program, location)
        if not choices:
            return None
        target = rng.choice(choices)
        if isinstance(step, Assign) and rng.random() < 0.4:
            target = step.target
        new = value(program, rng, location, target.type)
        if new is None:
            return None
        made = NewAssignment(target, new)
        if location.kind == "gap" and location.gap != "result" and rng.random() < 0.5:
            return Edit(location.id, guarded(program, rng, location, made))
        if location.kind == "gap" and location.gap != "result" and rng.random() < 0.3:
            other = NewAssignment(target, value(program, rng, location, target.type) or new)
            return Edit(location.id, Several((made, other)))
        return Edit(location.id, made)
    if location.kind == "jump" and location.function == MAIN:
        return None  # whose end returns 0
    deleted = location.kind in ("assignment", "call", "jump")
    if deleted or (location.kind == "initialiser" and rng.random() < 0.4):
        return Edit(location.id, Deletion())
    if isinstance(step, Assign):
        new = value(program, rng, location, step.value.type)
        return None if new is None else Edit(location.id, NewValue(new))
    if isinstance(step, Branch):
        return Edit(location.id, NewValue(_condition(program, rng, location, step.condition)))
    return None


def _alike(program: Program, step: Instruction) -> list[str]:
    """The functions of the type of the one that is called."""
    assert isinstance(step, Call)
    called = program.functions[step.function]
    types = [each.type for each in called.parameters]
    return [
        other.name
        for other in program.functions.values()
        if other is not called
        and other.result == called.result
        and [each.type for each in other.parameters] == types
    ]


def guarded(program: Program, rng: random.Random, location: Location, inner: NewAssignment) -> Guarded:
    """The assignment, a jump or a return, or both, under a test of some place."""
    test = tested(program, rng, location)
    made: NewAssignment | NewJump | NewReturn = _under(program, rng, location, inner)
    slots = (step for step in program.functions[location.function].code if step.location == location.id)
    slot = next(slots)
    jumps = (word for word in get_args(Keyword) if word != "while")
    keywords = [word for word in jumps if isinstance(slot, Gap) and slot.onward(word) >= 0]
    if keywords and location.id % 3 == 0:
        made = NewJump(keywords[location.line % len(keywords)])
    return Guarded(test, made)


def _under(
    program: Program, rng: random.Random, location: Location, inner: NewAssignment
) -> NewAssignment | NewReturn:
    function = program.functions[location.function]
    if rng.random() < 0.4:
        return inner
    if function.result == VOID:
        return NewReturn(None, rng.choice((None, inner)))
    returned = value(program, rng, location, function.result)
    return inner if returned is None else NewReturn(returned)


def tested(program: Program, rng: random.Random, location: Location) -> Binary:
    """A test of some place."""
    place = Load(rng.choice(places(program, location)))
    return Binary(rng.choice(("==", "!=")), place, Constant(0, place.type), INT)


def _condition(program: Program, rng: random.Random, location: Location, old: Expression) -> Expression:
    choices: list[Expression] = [Unary("!", old, INT)]
    if isinstance(old, Binary) and old.operator in COMPARISONS:
        pointers = isinstance(old.left.type, PointerType)
        operator = rng.choice(("==", "!=") if pointers else COMPARISONS)
        choices.append(Binary(operator, old.left, old.right, INT))
        new = value(program, rng, location, old.left.type)
        if new is not None:
            choices.append(Binary(old.operator, new, old.right, INT))
    return rng.choice(choices)


def random_patches(program: Program, seed: int, count: int) -> list[Patch]:
    """Patches of one to three edits which the front end agrees to write."""
    rng = random.Random(seed)
    editable = [location for location in program.locations if location.kind != "fixed"]
    patches: list[Patch] = []
    while len(patches) < count:
        chosen = rng.sample(editable, min(rng.choice((1, 1, 2, 3)), len(editable)))
        edits = [edit for location in chosen if (edit := random_edit(program, rng, location)) is not None]
        patch = Patch(tuple(sorted(edits, key=lambda edit: edit.location)))
        try:
            emit(program, patch)
        except SourceError as error:
            assert "cannot be deleted" in str(error) or "cannot be written in part" in str(error)
            continue
        if patch.edits:
            patches.append(patch)
    return patches
