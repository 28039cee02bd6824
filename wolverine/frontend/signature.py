"""What a function means, whatever its temporaries are called and however its code is laid out."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Cast,
    Conditional,
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
from wolverine.core.program import (
    RESULT_NAME,
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
    Return,
)
from wolverine.core.types import VOID_POINTER, PointerType
from wolverine.frontend.reparse import normal


def signature(function: Function, pure: Container[str] = ()) -> tuple[object, ...]:
    """The function's meaning in a form that spelling, slots and numbering do not show in.

    Calls of `pure` functions do not either where nobody reads their values.
    """
    walk = _Walk(function.code, pure)
    return (
        function.unsupported,
        tuple(source_name(variable.name) for variable in function.parameters),
        tuple(walk.run()),
    )


class _Walk:
    """Visits the code from its entry and numbers instructions and temporaries as they come."""

    def __init__(self, code: Sequence[Instruction], pure: Container[str]) -> None:
        self.code = code
        self.pure = pure
        self.names: dict[str, str] = {}
        self.numbers: dict[int, int] = {}
        self.used = _used(code, pure)

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
            elif isinstance(step, (Gap, Declare)) or _is_dropped(step, self.used, self.pure):
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
            case Library(_, function, arguments):
                return "library", function, tuple(self._expression(normal(each)) for each in arguments)
            case Return(_, value):
                return "return", self._expression(normal(value)) if value is not None else None
            case Concrete(_, reason, results):
                kept = [self._place(result) for result in results if result.name in self.used]
                return "concrete", reason, tuple(kept)
            case _:
                return type(step).__name__

    def _name(self, name: str) -> str:
        if name.startswith("$") and name != RESULT_NAME:
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
        case Call(_, _, arguments) | Library(_, _, arguments):
            return frozenset(name for argument in arguments for name in variables(argument))
        case Return(_, value) if value is not None:
            return variables(value)
        case _:
            return frozenset()


def _used(code: Sequence[Instruction], pure: Container[str]) -> frozenset[str]:
    """The temporaries whose values reach something other than dropped temporaries and calls."""
    used: frozenset[str] = frozenset()
    while True:
        kept = (step for step in code if not _is_dropped(step, used, pure))
        found = frozenset(name for step in kept for name in _read_names(step))
        if found <= used:
            return used
        used |= found


def _is_dropped(step: Instruction, used: frozenset[str], pure: Container[str]) -> bool:
    """Whether the step only computes a temporary that nobody reads."""
    match step:
        case Assign(_, VariableReference(name)):
            return name.startswith("$") and name not in used
        case Call(_, function, _, result):
            return function in pure and (result is None or result.name not in used)
    return False
