"""What expressions mean in a symbolic state: the right hand sides of the forward rules (Wolverine2 3.1).

A state maps cell keys (`semantics.address`) to terms.  A pointer whose value is not known may lead to
every address that occurs in the execution, so a read through it is a choice among their cells.
"""

from __future__ import annotations

from typing import NamedTuple

from wolverine.core.characters import entry
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
    looked_up,
)
from wolverine.core.types import ArrayType, CType, FloatType, IntType, PointerType, is_scalar
from wolverine.semantics.address import (
    ADDRESS_MASK,
    CELL_KINDS,
    KIND_SHIFT,
    KIND_SIZE,
    kind_of,
    number_of,
    signed_raw,
)
from wolverine.semantics.arithmetic import divide, remainder
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.solve import terms
from wolverine.solve.terms import Term

UNINITIALISED = -(1 << 70)  # no value of the program
_ELEMENTS = 40  # of an array whose index is not known
_INSIDE = 400  # addresses inside of objects that are looked at for one pointer


class Value(NamedTuple):
    """A value, and under which condition it can be computed without a crash."""

    term: Term
    safe: Term = True


class Where(NamedTuple):
    """A place: `offset` bytes behind what `pointer` leads to."""

    pointer: Term
    offset: int
    safe: Term = True


class Meaning:
    """Evaluates in the activation with frame base `base` of `function`; answers are remembered."""

    def __init__(
        self,
        machine: Machine,
        state: dict[int, Term],
        addresses: dict[int, None],
        function: str,
        base: int,
    ) -> None:
        self._machine = machine
        self._state = state
        self._addresses = addresses
        self._function = function
        self._base = base
        self._values: dict[Expression, Value] = {}

    def value(self, expression: Expression) -> Value:
        """The value as it lies in memory; raises Unmodelled."""
        found = self._values.get(expression)
        if found is None:
            found = self._values[expression] = self._evaluate(expression)
        return found

    def truth(self, expression: Expression) -> Value:
        """Whether the value is not zero."""
        match expression:
            case Binary("==" | "!=" | "<" | "<=" | ">" | ">=" as operator, left, right):
                one, two = self._used(left), self._used(right)
                compared = terms.comparison(operator, one.term, two.term)
                return Value(compared, terms.conjunction((one.safe, two.safe)))
            case Logical(operator, left, right):
                one, two = self.truth(left), self.truth(right)
                needed = one.term if operator == "&&" else terms.negation(one.term)
                join = terms.conjunction if operator == "&&" else terms.disjunction
                safe = terms.conjunction((one.safe, terms.implication(needed, two.safe)))
                return Value(join((one.term, two.term)), safe)
            case Unary("!", operand):
                inner = self.truth(operand)
                return Value(terms.negation(inner.term), inner.safe)
            case Cast(operand, IntType()) if isinstance(operand, (Binary, Logical, Unary)):
                return self.truth(operand)
        inner = self._used(expression)
        return Value(terms.negation(terms.equality(inner.term, 0)), inner.safe)

    def _used(self, expression: Expression) -> Value:
        """The value, which has to be one: what was never set may be copied only."""
        found = self.value(expression)
        if isinstance(expression, Load):
            holds = terms.negation(terms.equality(found.term, UNINITIALISED))
            return Value(found.term, terms.conjunction((found.safe, holds)))
        return found

    def where(self, place: LValue) -> Where:
        """Where a place lies; raises Unmodelled."""
        match place:
            case VariableReference():
                relative, address = self._machine.layout.address(self._function, place)
                return Where(address + (self._base if relative else 0), 0)
            case Dereference(pointer):
                inner = self.value(pointer)
                return Where(inner.term, 0, terms.conjunction((inner.safe, self._leads(inner.term))))
            case Member(base, _, offset):
                outer = self.where(base)
                return Where(outer.pointer, outer.offset + offset, outer.safe)
            case Element(base, index, ctype):
                outer, number = self.where(base), self._used(index)
                step = self._machine.program.types.size(ctype)
                safe = terms.conjunction((outer.safe, number.safe))
                if terms.known(number.term):
                    return Where(outer.pointer, outer.offset + number.term * step, safe)
                if isinstance(base.type, ArrayType) and base.type.length:
                    first, length = outer.offset, base.type.length
                    self._inside(range(first, first + length * step, step))
                    within = (
                        terms.comparison(">=", number.term, 0),
                        terms.comparison("<", number.term, length),
                    )
                    safe = terms.conjunction((safe, *within))
                    element = outer.pointer + first + number.term * step
                else:
                    element = self._element(outer.pointer, ctype) + outer.offset + number.term * step
                return Where(element, 0, terms.conjunction((safe, self._leads(element))))

    def cells(self, place: LValue, where: Where) -> list[tuple[Term, int]]:
        """The cells that the place may be, each with the condition under which it is that one."""
        if not is_scalar(place.type):
            raise Unmodelled("a whole struct is read")
        return self.at(place.type, where)

    def at(self, ctype: CType, where: Where) -> list[tuple[Term, int]]:
        """The cells of a scalar type there, as `cells`."""
        shift = where.offset + (kind_of(ctype) << KIND_SHIFT)
        if terms.known(where.pointer):
            return [(True, where.pointer + shift)] if number_of(where.pointer) > 0 else []
        return [(terms.equality(where.pointer, a), a + shift) for a in self._addresses]

    def held(self, ctype: CType, where: Where) -> Term:
        """What the cell of a scalar type there holds."""
        found: Term = UNINITIALISED
        for condition, key in reversed(self.at(ctype, where)):
            held = self._state.get(key)
            if held is not None:
                found = terms.choice(condition, held, found)
        return found

    def _element(self, pointer: Term, ctype: CType) -> Term:
        """The pointer, after every element of the arrays that it may lead into can be led to."""
        if not is_scalar(ctype):
            raise Unmodelled("an index into an array of structs")
        kind = kind_of(ctype)
        elements: dict[int, list[int]] = {}
        mixed: set[int] = set()  # objects with cells of several kinds: structs
        for key in self._state:
            if key >> KIND_SHIFT not in KIND_SIZE:
                continue
            number = number_of(key & ADDRESS_MASK)
            if key >> KIND_SHIFT == kind:
                elements.setdefault(number, []).append(key & ADDRESS_MASK)
            else:
                mixed.add(number)
        if terms.known(pointer):
            inside = elements.get(number_of(pointer), [])
        else:
            arrays = (f for n, f in elements.items() if n not in mixed and len(f) > 1)
            inside = [at for found in arrays for at in found]
        if len(inside) > _ELEMENTS:
            raise Unmodelled("an index into large arrays")
        for address in inside:
            self._addresses.setdefault(address)
        return pointer

    def _inside(self, offsets: range) -> None:
        """Let what lies at these offsets behind an address that can be led to be led to as well."""
        if len(self._addresses) * len(offsets) > _INSIDE:
            raise Unmodelled("an address inside an object that is not known")
        for address in list(self._addresses):
            for offset in offsets:
                if self._occupied(address + offset):
                    self._addresses.setdefault(address + offset)

    def _occupied(self, address: int) -> bool:
        return any(address + (kind << KIND_SHIFT) in self._state for kind in CELL_KINDS)

    def _leads(self, pointer: Term) -> Term:
        if terms.known(pointer):
            return pointer in self._addresses or self._occupied(pointer)
        return terms.disjunction(terms.equality(pointer, address) for address in self._addresses)

    def _read(self, place: LValue) -> Value:
        if not is_scalar(place.type):
            raise Unmodelled("a whole struct is read")
        where = self.where(place)
        return Value(self.held(place.type, where), where.safe)

    def _looked_up(self, table: str, index: Expression) -> Value:
        inner = self._used(index)
        code = entry(table, inner.term) if terms.known(inner.term) else None
        if code is None:
            raise Unmodelled("a table of characters")
        return Value(code, inner.safe)

    def _evaluate(self, expression: Expression) -> Value:
        if isinstance(expression.type, FloatType):
            raise Unmodelled("floating point")
        match expression:
            case Constant(number, ctype):
                return Value(signed_raw(number, ctype.size) if isinstance(ctype, IntType) else number)
            case StringLiteral(text, _, data):
                return Value(self._machine.layout.literal_address(text, data))
            case Load(place) if (found := looked_up(place)) is not None:
                return self._looked_up(*found)
            case Load(place):
                return self._read(place)
            case AddressOf(place):
                where = self.where(place)
                if not terms.known(where.pointer):
                    if where.offset == 0:
                        return Value(where.pointer, where.safe)
                    self._inside(range(where.offset, where.offset + 1))
                    return Value(where.pointer + where.offset, where.safe)
                self._addresses.setdefault(where.pointer + where.offset)
                return Value(where.pointer + where.offset, where.safe)
            case Cast(operand, ctype):
                inner = self.value(operand)
                if isinstance(ctype, IntType) and terms.known(inner.term):
                    return Value(signed_raw(ctype.wrap(inner.term), ctype.size), inner.safe)
                return inner
            case Unary("-", operand):
                inner = self._used(operand)
                return Value(-inner.term, inner.safe)
            case Binary("+" | "-" | "*" | "/" | "%" as operator, left, right):
                return self._arithmetic(expression, operator, left, right)
            case Binary("&", left, right):
                one, two = self._used(left), self._used(right)
                if not terms.known(one.term) or not terms.known(two.term):
                    raise Unmodelled("arithmetic that the encoding does not have")
                return Value(one.term & two.term, terms.conjunction((one.safe, two.safe)))
            case Conditional(condition, then, otherwise):
                test, one, two = self.truth(condition), self.value(then), self.value(otherwise)
                safe = (test.safe, terms.choice(test.term, one.safe, two.safe))
                return Value(terms.choice(test.term, one.term, two.term), terms.conjunction(safe))
            case Binary("==" | "!=" | "<" | "<=" | ">" | ">=") | Logical() | Unary("!"):
                test = self.truth(expression)
                return Value(terms.choice(test.term, 1, 0), test.safe)
        raise Unmodelled("arithmetic that the encoding does not have")

    def _arithmetic(self, whole: Expression, operator: str, left: Expression, right: Expression) -> Value:
        """C's arithmetic on integers; sums of unknowns are not wrapped (the machine confirms solutions)."""
        one, two = self._used(left), self._used(right)
        if isinstance(left.type, PointerType) and isinstance(right.type, IntType) and operator in "+-":
            step = two.term * self._machine.program.types.size(left.type.target)
            base = self._element(one.term, left.type.target)
            moved = base + step if operator == "+" else base - step
            if terms.known(moved):
                self._addresses.setdefault(moved)
            return Value(moved, terms.conjunction((one.safe, two.safe)))
        if isinstance(left.type, PointerType) or isinstance(right.type, PointerType):
            raise Unmodelled("arithmetic on pointers")
        safe = terms.conjunction((one.safe, two.safe))
        known = terms.known(one.term) and terms.known(two.term)
        match operator:
            case "+":
                made = one.term + two.term
            case "-":
                made = one.term - two.term
            case "*" if terms.known(one.term) or terms.known(two.term):
                made = one.term * two.term
            case "/" if known and two.term:
                made = divide(one.term, two.term)
            case "%" if known and two.term:
                made = remainder(one.term, two.term)
            case _:
                raise Unmodelled("arithmetic that the encoding does not have")
        if known and isinstance(whole.type, IntType):
            made = signed_raw(whole.type.wrap(made), whole.type.size)
        return Value(made, safe)
