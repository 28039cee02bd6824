"""The gate for emitted text: read again, it has to lower to the patched program."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

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
    Unary,
    VariableReference,
    source_name,
    variables,
)
from wolverine.core.patch import (
    Deletion,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewReturn,
    NewValue,
    Patch,
    Several,
)
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Concrete,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Program,
    Return,
)
from wolverine.core.types import SIZE, VOID_POINTER, PointerType
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.emit import emit
from wolverine.frontend.loading import load
from wolverine.frontend.reparse import normal


def check(program: Program, patch: Patch) -> None:
    """Emit the patch, read the result again, and compare it with the patched program.

    Raises SourceError when the text does not mean what the patch means, or does not compile.
    """
    if not isinstance(program, LoadedProgram):
        raise SourceError("only a program that was read from source can be written back")
    contents = emit(program, patch)
    with tempfile.TemporaryDirectory(prefix="wolverine-") as folder:
        names, flags = [], []
        for number, path in enumerate(program.paths):
            target = Path(folder) / f"{number}-{Path(path).name}"
            target.write_bytes(contents[number])
            names.append(target)
            flags += ["-iquote", str(Path(path).parent)]
        again = load(names, [*program.cflags, *flags], program.gcc, program.paths).program
    touched = {program.location(edit.location).function for edit in patch.edits}
    for name, function in program.functions.items():
        other = again.functions.get(name)
        if other is None:
            raise SourceError(f"the edited text has lost the function {name}")
        if name in touched and not _means(program, function, patch, other):
            raise SourceError(f"the edited text of {name} does not mean what the edits mean")


def _means(program: Program, function: Function, patch: Patch, other: Function) -> bool:
    """Whether the other function is the patched one, whenever it works out where a new node is stored."""
    wanted = signature(other)
    return any(signature(patched(program, function, patch, early=each)) == wanted for each in (False, True))


def patched(program: Program, function: Function, patch: Patch, *, early: bool = False) -> Function:
    """The function with the patch in its code; indices stay, a guarded statement stands behind it all.

    With `early` the place that a new node is stored at is worked out before the node is allocated.
    """
    last = {step.location: index for index, step in enumerate(function.code) if step.location >= 0}
    code = list(function.code)
    for edit in patch.edits:
        if program.location(edit.location).function != function.name or edit.location not in last:
            continue
        index = last[edit.location]
        if isinstance(edit.replacement, (Guarded, NewReturn, NewNode, NewCall, Several)):
            _outline(function, code, index, edit.replacement, early=early)
        else:
            code[index] = _replaced(code[index], edit.location, edit.replacement)
    return replace(function, code=tuple(code))


def _outline(
    function: Function,
    code: list[Instruction],
    index: int,
    replacement: Guarded | NewReturn | NewNode | NewCall | Several,
    *,
    early: bool,
) -> None:
    """Put what is inserted behind the code, with a jump to it in the slot and one back."""
    location = code[index].location
    tested = len(code)
    statement = replacement.statement if isinstance(replacement, Guarded) else replacement
    code[index] = Jump(-1, len(code))
    if isinstance(replacement, Guarded):
        code.append(Branch(location, replacement.condition, len(code) + 1, index + 1))
    onward = index + 1
    assignment: NewAssignment | None = None
    if isinstance(statement, NewNode):
        code += _allocation(location, statement, early=early)
    elif isinstance(statement, NewCall):
        code += _called(location, statement, early=early)
    elif isinstance(statement, Several):
        code += [Assign(location, each.target, each.value) for each in statement.statements]
    elif isinstance(statement, NewReturn):
        onward = function.end
        if statement.value is not None:
            result = VariableReference("$return", function.result)
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


def _called(location: int, made: NewCall, *, early: bool) -> Iterator[Instruction]:
    """A call as the front end lowers it: first the arguments, converted, in temporaries, from the last on."""
    passed = [VariableReference(f"$passed{location}_{n}", VOID_POINTER) for n in range(len(made.arguments))]
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
    size, count = (VariableReference(f"${name}{location}", SIZE) for name in ("size", "count"))
    found, held = (VariableReference(f"${name}{location}", VOID_POINTER) for name in ("made", "held"))
    target = made.target
    yield Assign(location, size, Constant(made.size, SIZE))
    if made.zeroed:
        yield Assign(location, count, Constant(1, SIZE))
    if early:
        pointers = [place.pointer for place in _places(target) if isinstance(place, Dereference)]
        yield from (Assign(location, held, pointer) for pointer in pointers[:1])
        target = _through(target, Load(held))
    arguments = (Load(count), Load(size)) if made.zeroed else (Load(size),)
    yield Call(location, "calloc" if made.zeroed else "malloc", arguments, found)
    yield Assign(location, target, Cast(Load(found), made.target.type))


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


def signature(function: Function) -> tuple[object, ...]:
    """The function's meaning in a form that spelling, slots and numbering do not show in."""
    walk = _Walk(function.code)
    return (
        function.unsupported,
        tuple(source_name(variable.name) for variable in function.parameters),
        tuple(walk.run()),
    )


class _Walk:
    """Visits the code from its entry and numbers instructions and temporaries as they come."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self.code = code
        self.names: dict[str, str] = {}
        self.numbers: dict[int, int] = {}
        self.used = _used(code)

    def run(self) -> list[tuple[object, tuple[int, ...]]]:
        """The instructions in the order of the visit, with their successors' numbers."""
        result: list[tuple[object, tuple[int, ...]]] = []
        work = [self._skip(0)]
        while work:
            index = work.pop()
            if index in self.numbers:
                continue
            self.numbers[index] = len(self.numbers)
            step = self.code[index] if index < len(self.code) else Return(-1, None)
            successors = self._successors(step, index)
            result.append((self._shown(step), successors))
            work.extend(reversed(successors))
        return [(shown, tuple(self.numbers[each] for each in successors)) for shown, successors in result]

    def _skip(self, index: int) -> int:
        """Over what does nothing."""
        seen = set()
        while index < len(self.code) and index not in seen:
            seen.add(index)
            step = self.code[index]
            if isinstance(step, Jump):
                index = step.target
            elif isinstance(step, (Gap, Declare)) or _is_dropped(step, self.used):
                index += 1
            else:
                break
        return index

    def _successors(self, step: Instruction, index: int) -> tuple[int, ...]:
        match step:
            case Branch(_, condition, if_true, if_false):
                ways = self._skip(if_true), self._skip(if_false)
                return ways if _positive(normal(condition))[1] else ways[::-1]
            case Return():
                return ()
            case _:
                return (self._skip(index + 1),)

    def _shown(self, step: Instruction) -> object:
        match step:
            case Assign(_, target, value):
                return "assign", self._place(target), self._expression(normal(_unconverted(value, target)))
            case Branch(_, condition):
                return "branch", self._expression(_positive(normal(condition))[0])
            case Call(_, function, arguments, result):
                return (
                    "call",
                    function,
                    tuple(self._expression(normal(argument)) for argument in arguments),
                    self._place(result) if result is not None and result.name in self.used else None,
                )
            case Return(_, value):
                return "return", self._expression(normal(value)) if value is not None else None
            case Concrete(_, reason, results):
                kept = [self._place(result) for result in results if result.name in self.used]
                return "concrete", reason, tuple(kept)
            case _:
                return type(step).__name__

    def _name(self, name: str) -> str:
        if name.startswith("$") and name != "$return":
            return self.names.setdefault(name, f"${len(self.names)}")
        return source_name(name)

    def _place(self, place: LValue) -> LValue:
        match place:
            case VariableReference(name, ctype):
                return replace(place, name=self._name(name), type=VOID_POINTER if name[0] == "$" else ctype)
            case Dereference(pointer):
                return replace(place, pointer=self._expression(normal(pointer)))
            case Member(base):
                return replace(place, base=self._place(base))
            case Element(base, index):
                return replace(place, base=self._place(base), index=self._expression(normal(index)))

    def _expression(self, expression: Expression) -> Expression:
        match expression:
            case Load(place):
                return Load(self._place(place))
            case AddressOf(place):
                return replace(expression, place=self._place(place), type=VOID_POINTER)
            case Unary(_, operand) | Cast(operand):
                return replace(expression, operand=self._expression(operand))
            case Binary(_, left, right) | Logical(_, left, right):
                return replace(expression, left=self._expression(left), right=self._expression(right))
            case Conditional(condition, then, otherwise):
                return replace(
                    expression,
                    condition=self._expression(condition),
                    then=self._expression(then),
                    otherwise=self._expression(otherwise),
                )
            case _:
                return expression


def _unconverted(value: Expression, target: LValue) -> Expression:
    """A temporary without the pointer cast that the source writes where C would convert it as well."""
    match value:
        case Cast(Load(VariableReference(name)) as operand, PointerType()) if name.startswith("$"):
            return operand if value.type == target.type else value
    return value


def _positive(condition: Expression) -> tuple[Expression, bool]:
    """The condition without negations, and whether it keeps its sense."""
    sense = True
    while isinstance(condition, Unary) and condition.operator == "!":
        condition, sense = condition.operand, not sense
    return condition, sense


def _read_names(step: Instruction) -> frozenset[str]:
    match step:
        case Assign(_, target, value):
            place = frozenset[str]() if isinstance(target, VariableReference) else variables(target)
            return variables(value) | place
        case Branch(_, condition):
            return variables(condition)
        case Call(_, _, arguments, _):
            return frozenset(name for argument in arguments for name in variables(argument))
        case Return(_, value) if value is not None:
            return variables(value)
        case _:
            return frozenset()


def _used(code: Sequence[Instruction]) -> frozenset[str]:
    """The temporaries whose values reach something other than dropped temporaries."""
    used: frozenset[str] = frozenset()
    while True:
        found = frozenset(name for step in code if not _is_dropped(step, used) for name in _read_names(step))
        if found <= used:
            return used
        used |= found


def _is_dropped(step: Instruction, used: frozenset[str]) -> bool:
    """Whether the step only computes a temporary that nobody reads."""
    return (
        isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and step.target.name.startswith("$")
        and step.target.name not in used
    )
