"""What a condition may become: one comparison, operand, conjunct or polarity changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Cast,
    Constant,
    Dereference,
    Expression,
    Load,
    Logical,
    Member,
    Unary,
    VariableReference,
    text,
)
from wolverine.core.parts import is_end, negated
from wolverine.core.program import Join
from wolverine.core.types import INT, IntType, PointerType, StructReference, is_number
from wolverine.repair.menus.menu import Conjoined
from wolverine.repair.menus.variants import Variants
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.source.conversion import convert

_EQUALITY = ("==", "!=")


class Conditions:
    """The conditions that can stand in the place of one, within a scope."""

    def __init__(self, vocabulary: Vocabulary, scope: tuple[VariableReference, ...]) -> None:
        self._vocabulary = vocabulary
        self._scope = scope
        self._variants = Variants(vocabulary, scope)
        self._tests: dict[str, Expression] | None = None

    def instead_of(
        self, condition: Expression, meant: Sequence[Expression] = (), join: Join | None = None
    ) -> Conjoined:
        """Every condition that differs from `condition` in one part, then those with one test more.

        `meant` are others that may have been, `join` the other operator between it and the next condition.
        """
        original = text(condition)
        found: dict[str, Expression] = {}
        for other in (*self._changed(condition), negated(condition)):
            if not (isinstance(other, Logical) and text(other.left) == text(other.right)):
                found.setdefault(text(other), other)
        tests = self.worded()
        if not isinstance(condition, Logical):
            for written, test in tests.items():
                found.setdefault(written, test)
        for other in (*meant, *self._meeting(condition), *self._of_fields_beside(condition)):
            found[text(other)] = other
        found.pop(original, None)
        own = list(tests).index(original) if original in tests else None
        return Conjoined(condition, tuple(found.values()), tuple(tests.values()), own, join)

    def _meeting(self, condition: Expression) -> Iterator[Logical]:
        """Pointers that come towards each other pass between two nodes, too: `a != b && a->next != b`."""
        compared = condition
        while isinstance(compared, Logical) and compared.operator == "&&":
            compared = compared.right
        match compared:
            case Binary(
                "!=",
                Load(VariableReference(type=PointerType(StructReference())) as one),
                Load(VariableReference() as two),
            ) if one.type == two.type:
                for place in self._vocabulary.places(self._scope):
                    match place:
                        case Member(Dereference(Load(pointer)), _, _, ctype) if ctype == one.type:
                            if pointer in (one, two):
                                other = two if pointer == one else one
                                yield Logical("&&", condition, Binary("!=", Load(place), Load(other), INT))

    def _of_fields_beside(self, condition: Expression) -> Iterator[Logical]:
        """What is asked of a number is asked of another one of the struct as well: `x->a > 0 || x->b > 0`."""
        asked = condition.left if isinstance(condition, Binary) else condition
        match asked:
            case Load(Member(base, name, _, ctype)) if is_number(ctype) and isinstance(
                base.type, StructReference
            ):
                for field in self._vocabulary.types.structs[base.type.tag].fields:
                    if field.name != name and field.type == ctype:
                        other = Load(Member(base, field.name, field.offset, ctype))
                        test = replace(condition, left=other) if isinstance(condition, Binary) else other
                        yield from (Logical(operator, condition, test) for operator in ("||", "&&"))

    def _changed(self, condition: Expression) -> Iterator[Expression]:
        match condition:
            case Logical(operator, left, right):
                for part in self._changed(left):
                    yield replace(condition, left=part)
                for part in self._changed(right):
                    yield replace(condition, right=part)
                yield left
                yield right
                yield Logical("||" if operator == "&&" else "&&", left, right)
                yield Logical(operator, right, left)
                yield replace(condition, left=negated(left))
                yield replace(condition, right=negated(right))
            case Unary("!", operand):
                yield operand
                for part in self._changed(operand):
                    yield Unary("!", part, INT)
            case Binary(operator, left, right) if operator in COMPARISONS:
                yield from self._comparisons(condition, left, right)
            case Cast(operand) if isinstance(operand.type, IntType):
                for part in self._changed(operand):
                    yield part
            case _ if isinstance(condition.type, PointerType):
                for value in self._variants.of_value(condition, whole=True):
                    if not isinstance(value, Constant):
                        yield value
                        yield Unary("!", value, INT)
            case _:
                for value in self._variants.of_value(condition, whole=True):
                    yield value

    def _comparisons(self, condition: Binary, left: Expression, right: Expression) -> Iterator[Expression]:
        """Other comparisons; none whose outcome is there without looking, as `k == k`."""
        for made in self._compared(condition, left, right):
            fixed = isinstance(made.left, Constant) and isinstance(made.right, Constant)
            if not fixed and text(made.left) != text(made.right):
                yield made

    def _compared(self, condition: Binary, left: Expression, right: Expression) -> Iterator[Binary]:
        pointers = isinstance(left.type, PointerType)
        yield from self._variants.by_text(condition)
        for operator in _EQUALITY if pointers and condition.operator in _EQUALITY else COMPARISONS:
            yield Binary(operator, left, right, condition.type)
        for part in self._operands(left):
            yield Binary(condition.operator, part, right, condition.type)
        for part in self._operands(right):
            yield Binary(condition.operator, left, part, condition.type)
        yield from self._of_other_fields(condition, left, right)
        if pointers:
            null = Constant(0, left.type)
            if isinstance(right, Constant):
                for part in self._pointers():
                    yield Binary(condition.operator, part, Constant(0, part.type, right.text), INT)
            else:
                yield Binary(condition.operator, left, null, INT)
                yield Binary(condition.operator, right, null, INT)

    def _of_other_fields(self, condition: Binary, left: Expression, right: Expression) -> Iterator[Binary]:
        """The same comparison of another field of both nodes: `x->row < y->row` for `x->col < y->col`."""
        match left, right:
            case Load(Member(base, name)), Load(Member(other, same)) if (
                name == same and base.type == other.type
            ):
                for part in self._operands(left):
                    match part:
                        case Load(Member(kept, field, offset, ctype)) if kept == base:
                            both = Load(Member(other, field, offset, ctype))
                            yield Binary(condition.operator, part, both, condition.type)

    def _operands(self, operand: Expression) -> Iterator[Expression]:
        for part in self._variants.of_value(operand, whole=True):
            converted = convert(part, operand.type)
            if converted is not None:
                yield converted

    def _pointers(self) -> Iterator[Expression]:
        for place in self._vocabulary.places(self._scope):
            if isinstance(place.type, PointerType):
                yield Load(place)

    def worded(self) -> dict[str, Expression]:
        """Comparisons of a pointer with null, another pointer variable or a list's end, by text."""
        if self._tests is None:
            self._tests = {}
            for test in self._comparing():
                self._tests.setdefault(text(test), test)
        return self._tests

    def _comparing(self) -> Iterator[Expression]:
        for pointer in self._pointers():
            for operator in ("!=", "=="):
                yield Binary(operator, pointer, Constant(0, pointer.type), INT)
        loads = [Load(v) for v in self._scope if isinstance(v.type, PointerType)]
        for index, one in enumerate(loads):
            for two in loads[index + 1 :]:
                if one.type == two.type:
                    for operator in ("!=", "=="):
                        yield Binary(operator, one, two, INT)
        for end in self._pointers():
            if isinstance(end, Load) and is_end(end.place):
                for one in loads:
                    if one.type == end.type:
                        for operator in ("!=", "=="):
                            yield Binary(operator, one, end, INT)
