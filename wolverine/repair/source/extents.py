"""How many elements an array has, as the program says where it makes it: `rows = calloc(n, sizeof *rows)`.

An index is reckoned with that number, and with no other: `rows[hash(key) % n]`, `h & (n - 1)`, `i < n`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Program
from wolverine.core.types import INT, ArrayType, IntType, PointerType
from wolverine.repair.source.retained import passed_to
from wolverine.repair.source.walk import expressions_of
from wolverine.semantics.allocation import MAKING

_Field = tuple[str, int]  # the type of the struct and an offset in it
_Limit = tuple[str | LValue, str]  # a variable, or an array that is indexed, and what bounds it
_NEAR = 6  # instructions from the argument of a call to where its result is stored


class Extents:
    """The arrays of a program, and what says how many elements they have."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._local: dict[tuple[str, str], set[str]] = {}  # by function and place
        self._fields: dict[_Field, set[str]] = {}  # of arrays: the fields beside them that count
        self._limits: dict[tuple[str, int], frozenset[_Limit]] = {}  # as the program is
        for function in program.functions.values():
            for array, extent in _allocated(function):
                self._local.setdefault((function.name, lvalue_text(array)), set()).add(_word(extent))
                if isinstance(array, Member) and (count := _beside(array, extent)) is not None:
                    self._fields.setdefault(_field(array), set()).add(count)

    def favours(self, function: str, index: int, new: Expression) -> bool:
        """Whether a number is reckoned with what its array has elements, in the `new` value or condition.

        That is of the instruction of the function at that index, which reckons with something else.
        """
        code = self._program.functions[function].code
        if (function, index) not in self._limits:
            self._limits[function, index] = frozenset(_limits(code[index], _held(code[index])))
        held = _held(code[index])
        within = {array for array, _ in _elements(parts(held))} if held is not None else set()
        for number, limit in set(_limits(code[index], new)) - self._limits[function, index]:
            if not isinstance(number, str) and number not in within:
                continue  # it is no element of that array that was meant
            arrays = _indexed(code, number) if isinstance(number, str) else (number,)
            if any(limit in self._extents(function, _kept(code, array)) for array in arrays):
                return True
        return False

    def _extents(self, function: str, array: LValue) -> set[str]:
        if isinstance(array.type, ArrayType):
            return {str(array.type.length)}
        found = set(self._local.get((function, lvalue_text(array)), ()))
        if isinstance(array, Member):
            counts = self._fields.get(_field(array), ())
            found |= {lvalue_text(Member(array.base, count, 0, INT)) for count in counts}
        return found


@dataclass(frozen=True)
class Remainders:
    """What a program takes remainders of: `numbers` as it writes them, and `fields` of structs."""

    numbers: Mapping[int, Constant]
    fields: Sequence[Member]


def remainders(program: Program) -> Remainders:
    """The numbers and fields of which the program takes remainders."""
    numbers: dict[int, Constant] = {}
    fields: dict[tuple[_Field, str], Member] = {}
    for function in program.functions.values():
        for step in function.code:
            for part in (part for each in expressions_of(step) for part in parts(each)):
                match part:
                    case Binary("%", _, Constant(number) as written) if number > 1:
                        numbers.setdefault(number, written)
                    case Binary("%", _, number) if isinstance(bare := without_casts(number), Load):
                        if isinstance(bare.place, Member):
                            fields.setdefault((_field(bare.place), bare.place.name), bare.place)
    return Remainders(numbers, (*fields.values(),))


def going_round(
    code: Sequence[Instruction], index: int, taken: Remainders
) -> Iterator[tuple[LValue, Expression]]:
    """An assignment with what indexes an array going round in it: `rows[(first + n) % SIZE]`.

    The program takes the remainders `taken` elsewhere, as who lets indices go round does in every place.
    It is the value of a variable or field that is an index, or an index in the statement.  Where the array
    lies behind a field, it is so long as another field of that struct says: `(q->last + 1) % q->room`.
    """
    step = code[index]
    if not isinstance(step, Assign):
        return
    target, value = step.target, step.value
    if isinstance(target, VariableReference | Member) and isinstance(value, Binary):
        arrays = _at(code, target)
        lengths: list[Expression] = [
            taken.numbers[each] for each in sorted({*map(_length, arrays)} & taken.numbers.keys())
        ]
        if isinstance(target, Member) and any(_of_one(target, each) for each in arrays):
            beside = (each for each in taken.fields if each.base.type == target.base.type)
            lengths += (Load(replace(each, base=target.base)) for each in beside if each.name != target.name)
        for length in lengths:
            if (made := _rounded(value, length)) is not None:
                yield target, made
    for place in _round(target, taken.numbers):
        yield place, value
    match value:
        case AddressOf(place, ctype):
            yield from ((target, AddressOf(each, ctype)) for each in _round(place, taken.numbers))
        case Load(place):
            yield from ((target, Load(each)) for each in _round(place, taken.numbers))


def _of_one(field: Member, array: LValue) -> bool:
    """Whether an array is led to by another field of the struct in which a field lies."""
    return isinstance(array, Member) and array.base == field.base and not _length(array)


def _round(place: LValue, taken: Mapping[int, Constant]) -> Iterator[LValue]:
    """The place with the index of the array in which it lies going round."""
    match place:
        case Element(base, index) if isinstance(bare := without_casts(index), Binary):
            length = taken.get(_length(base))
            made = None if length is None else _rounded(bare, length)
            if made is not None:
                yield replace(place, index=made)
        case Member(base):
            yield from (replace(place, base=each) for each in _round(base, taken))


def _rounded(number: Expression, length: Expression) -> Expression | None:
    """The remainder of a number; None where it is one already, or the length is of another type."""
    if not isinstance(number.type, IntType) or (isinstance(number, Binary) and number.operator == "%"):
        return None
    if isinstance(length, Constant):
        length = replace(length, type=number.type)
    return Binary("%", number, length, number.type) if length.type == number.type else None


def _length(array: LValue) -> int:
    return array.type.length if isinstance(array.type, ArrayType) else 0


def _kept(code: Sequence[Instruction], array: LValue) -> LValue:
    """The array whose address a temporary keeps over a call."""
    if isinstance(array, VariableReference) and array.name.startswith("$"):
        for step in code:
            if isinstance(step, Assign) and step.target == array and isinstance(step.value, Load):
                return step.value.place
    return array


def _held(step: Instruction) -> Expression | None:
    match step:
        case Assign(_, _, value):
            return value
        case Branch(_, condition):
            return condition
    return None


def _limits(step: Instruction, held: Expression | None) -> Iterator[_Limit]:
    """Variables, and arrays that are indexed there, each with what bounds the variable or the index."""
    inside = () if held is None else tuple(parts(held))
    match step:
        case Assign(_, VariableReference(name)):
            yield from ((name, limit) for limit in _remainders(inside))
        case Branch():
            for part in inside:
                match part:
                    case Binary("<", left, right) if isinstance(without_casts(left), Load):
                        for name in variables(left):
                            yield name, _word(right)
    for array, index in _elements(inside):
        yield from ((array, limit) for limit in _remainders(parts(index)))


def _elements(inside: Iterable[Expression]) -> Iterator[tuple[LValue, Expression]]:
    """The arrays of which elements are read, with their indices."""
    for part in inside:
        if isinstance(part, Load) and (found := _indexing(part.place)) is not None:
            yield found


def _remainders(inside: Iterator[Expression] | Sequence[Expression]) -> Iterator[str]:
    """What remainders are taken of, also by masks: `x % n`, `x & (n - 1)`."""
    for part in inside:
        match part:
            case Binary("%", _, number) | Binary("&", _, Binary("-", number, Constant(1))):
                yield _word(number)


def _indexed(code: Sequence[Instruction], name: str) -> Iterator[LValue]:
    """The arrays of which the variable is in an index."""
    return (array for array, index in _accesses(code) if name in variables(index))


def _at(code: Sequence[Instruction], place: LValue) -> list[LValue]:
    """The arrays of which the place is an index by itself."""
    return [array for array, index in _accesses(code) if without_casts(index) == Load(place)]


def _accesses(code: Sequence[Instruction]) -> Iterator[tuple[LValue, Expression]]:
    """The arrays of which something is read, set or pointed at, with the indices."""
    for step in code:
        places = [
            part.place
            for each in expressions_of(step)
            for part in parts(each)
            if isinstance(part, Load | AddressOf)
        ]
        if isinstance(step, Assign):
            places.append(step.target)
        for place in places:
            found = _indexing(place)
            if found is not None:
                yield found


def _indexing(place: LValue) -> tuple[LValue, Expression] | None:
    """The array of which a place is an element, or in an element, and the index."""
    match place:
        case Element(base, index):
            return base, index
        case Dereference(Binary("+", Load(array), index)):
            return array, index
        case Member(base):
            return _indexing(base)
    return None


def _allocated(function: Function) -> Iterator[tuple[LValue, Expression]]:
    """The places at which new arrays are stored, with how many elements these have."""
    code = function.code
    for at, step in enumerate(code):
        match step:
            case Call(_, called, arguments, VariableReference(made)) if called in MAKING:
                count = _count(called, [passed_to(code[:at], each) for each in arguments])
                for behind in code[at + 1 : at + _NEAR]:
                    if isinstance(behind, Assign) and made in variables(behind.value):
                        if count is not None and isinstance(behind.target.type, PointerType):
                            yield behind.target, count
                        break


def _count(called: str, given: Sequence[Expression]) -> Expression | None:
    """How many elements are asked for; None where it is one, or not told."""
    if called == "calloc" and len(given) > 1:
        return None if isinstance(given[0], Constant) and given[0].value == 1 else given[0]
    match without_casts(given[-1]) if given else None:
        case Binary("*", left, right):
            sized = [each for each in (left, right) if not text(without_casts(each)).startswith("sizeof")]
            return sized[0] if len(sized) == 1 else None
    return None


def _beside(array: Member, extent: Expression) -> str | None:
    """The field of the same struct that says how many elements an array has."""
    match without_casts(extent):
        case Load(Member(base, name)) if base == array.base:
            return name
    return None


def _field(array: Member) -> _Field:
    return str(array.base.type), array.offset


def _word(value: Expression) -> str:
    """A number as text, whatever it is converted to; constants by their value."""
    bare = without_casts(value)
    return str(bare.value) if isinstance(bare, Constant) else text(bare)
