"""What the source at a location can name: typed places and values (Wolverine2 section 4).

Places are scalar lvalues made of variables in scope: `x`, `x->f`, `s.f`, `*x`, `(*x)->f`, elements of arrays
among these, and every lvalue that occurs in the function, with the other fields of the elements among them.
Values are what these hold, what lies beyond a link that the function tests for null, null, addresses that the
program takes somewhere, those of globals and of fields where a variable takes them, and for numbers the
constants that occur, 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from wolverine.core.constness import is_constant
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
    is_classified,
    looked_up,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import null_tests, parts, step_parts, without_casts
from wolverine.core.program import Assign, Branch, Call, Compared, Gap, Jump, Location, Program, Return
from wolverine.core.types import (
    INT,
    LONG,
    ArrayType,
    CType,
    FloatType,
    IntType,
    OpaqueType,
    PointerType,
    StructReference,
    Types,
    is_number,
)
from wolverine.repair.menus.allocations import string_functions
from wolverine.repair.source.conversion import convert
from wolverine.repair.source.rests import Rests
from wolverine.repair.source.untyped import Untyped
from wolverine.repair.source.walk import compares_pointers, expressions_of
from wolverine.semantics.allocation import ALLOCATION

Scope = tuple[VariableReference, ...]
_CHARACTERS = 24  # of a program
_SHORT = 3  # arrays of so many elements: all are named, as the two children of a tree node are
_NAMED = 4  # and of longer ones so many that the program names elsewhere
MANY_PLACES = 60  # beyond so many places in scope, chains that merely occur elsewhere are left out


def _listed(program: Program, step: Assign) -> bool:
    """Whether that is what a list gives an element at first: `int n[256] = { 0 };` names none of them."""
    if step.location < 0 or program.location(step.location).kind != "fixed":
        return False
    place: LValue | None = step.target
    while isinstance(place, Member | Element):
        if isinstance(place, Element) and isinstance(place.index, Constant) and place.index.type == LONG:
            return True
        place = place.base
    return False


def lives_on(place: LValue) -> bool:
    """Whether the place outlasts the function's return."""
    match place:
        case VariableReference(level=level):
            return level == "global"
        case Member(base) | Element(base):
            return lives_on(base)
    return True


def repairable(ctype: CType) -> bool:
    """Whether values of the type are ever candidates: pointers and numbers."""
    return isinstance(ctype, PointerType) or is_number(ctype)


@dataclass(frozen=True)
class Offer:
    """Values of one type, and their numbers by text."""

    values: tuple[Expression, ...]
    numbers: Mapping[str, int]


_TRUTHS = ("false", "true")


class Vocabulary:
    """The places and values of one function; `places` and `values` narrow them to a scope.

    With `spares`, its spare variables (which a patch would declare) are in every scope.
    """

    def __init__(self, program: Program, function: str, *, spares: bool = False) -> None:
        self._spares = program.functions[function].spares if spares else ()
        self.types: Types = program.types
        self._occurring: dict[LValue, None] = {}
        self._records: dict[LValue, None] = {}  # elements of arrays of which it names fields
        self.constants: dict[int, str] = {}
        self._sizes: dict[IntType, dict[int, str]] = {}  # what is written with `sizeof`, by its type
        self._reals: dict[Constant, None] = {}
        self._addresses: dict[Expression, None] = {}
        self._subscripts: dict[Expression, None] = {}
        self._tested: dict[LValue, None] = {}  # pointers in nodes that are tested for null
        self.frees = any(
            isinstance(step, Call) and step.function in ALLOCATION
            for other in program.functions.values()
            for step in other.code
        )
        code = program.functions[function].code
        for step in code:
            for expression in expressions_of(step):
                self._note(expression)
            if isinstance(step, Assign) and not _listed(program, step):
                self._note_place(step.target)
            if isinstance(step, Branch):
                self._tested |= {
                    p: None for p in null_tests(step.condition) if isinstance(p, Member | Element)
                }
        self.compares_pointers = compares_pointers(code)
        self.steps = dict(_steps(program, function))
        self.rests = Rests(code)
        self._untyped = Untyped(program)
        self._program = program
        self._function = function
        self._scopes: dict[Scope, Scope] = {}
        self._places: dict[Scope, tuple[LValue, ...]] = {}
        self._offers: dict[tuple[int, CType], Offer] = {}
        self._opposite: frozenset[frozenset[str]] | None = None

    @cached_property
    def has_strings(self) -> bool:
        """Whether the file of the function calls what <string.h> has for strings, and so includes it."""
        return bool(string_functions(self._program, self._program.functions[self._function]))

    @cached_property
    def characters(self) -> dict[int, str]:
        """The characters that the program names, with how it writes them."""
        steps = (step for function in self._program.functions.values() for step in function.code)
        inside = (part for step in steps for each in expressions_of(step) for part in parts(each))
        found = ((p.value, p.text) for p in inside if isinstance(p, Constant) and p.text.startswith("'"))
        return dict(islice(dict(found).items(), _CHARACTERS))

    @cached_property
    def _set_elsewhere(self) -> Mapping[IntType, Mapping[int, str]]:
        """What other functions of the file set a field or a global to that is named here, by its type.

        So a list that is emptied may get the capacity with which it begins.  What `main` sets, or what a
        variable is initialised with, is rather data of this run.
        """
        own = self._program.functions[self._function]
        named = {kept for place in self._occurring if (kept := _kept_in(place)) is not None}
        found: dict[IntType, dict[int, str]] = {}
        for name, function in self._program.functions.items():
            for step in function.code if function.file == own.file and named and name != "main" else ():
                match step:
                    case Assign(_, target, Constant(value, IntType(), written)) if _kept_in(target) in named:
                        if isinstance(target.type, IntType) and not written.startswith("sizeof"):
                            found.setdefault(target.type, {}).setdefault(value, written)
        return found

    @cached_property
    def _elements(self) -> Mapping[tuple[CType, int], list[int]]:
        """Which links the program names by their numbers in arrays of them, which are fields."""
        found: dict[tuple[CType, int], set[int]] = {}
        for function in self._program.functions.values():
            for step in function.code:
                target = [Load(step.target)] if isinstance(step, Assign) else []
                for part in (*step_parts(step), *target):
                    match part:
                        case Load(Element(Member(base, _, offset), Constant(number), PointerType())):
                            found.setdefault((base.type, offset), set()).add(number)
        return {field: sorted(numbers)[:_NAMED] for field, numbers in found.items()}

    def _note(self, expression: Expression) -> None:
        asked = [part.right for part in parts(expression) if isinstance(part, Binary) and is_classified(part)]
        for part in parts(expression):
            match part:
                case Load(place) if looked_up(place) is not None:
                    pass  # in what a macro of the library stands for, as are the numbers `asked` for there
                case Constant() if any(part is each for each in asked):
                    pass
                case Load(place):
                    self._note_place(place)
                case AddressOf(VariableReference() | Member(), PointerType()):
                    self._addresses.setdefault(part)
                case Constant(value, IntType() as ctype, written) if written.startswith("sizeof"):
                    self._sizes.setdefault(ctype, {}).setdefault(value, written)
                case Constant(value, IntType(), written):
                    self.constants.setdefault(value, written)
                case Constant(_, FloatType()):
                    self._reals.setdefault(part)

    def _note_place(self, place: LValue) -> None:
        if isinstance(place, Element):
            self._subscripts.setdefault(place.index)
        if repairable(place.type):
            self._occurring.setdefault(place)
        if (record := _record(place)) is not None:
            self._records.setdefault(record)

    def scope(self, location: Location) -> Scope:
        """The variables that may be named at a location, with the spare ones but not the temporaries."""
        narrowed = (*(v for v in location.scope if not v.name.startswith("$")), *self._spares)
        return self._scopes.setdefault(narrowed, narrowed)

    def places(self, scope: Scope) -> tuple[LValue, ...]:
        """Every scalar place that can be named, simple ones first."""
        known = self._places.get(scope)
        if known is not None:
            return known
        found: dict[LValue, None] = {v: None for v in scope if repairable(v.type)}
        names = {v.name for v in scope}
        for variable in scope:
            for place in self._steps(variable) if variable not in self._spares else ():
                if variables(place) <= names:
                    found.setdefault(place)
        if len(found) <= MANY_PLACES:
            for place in self._occurring:
                if variables(place) <= names:
                    found.setdefault(place)
            for place in self._records:
                if variables(place) <= names:
                    found |= dict.fromkeys(self.members(place))
        unique: dict[str, LValue] = {}
        for place in found:
            unique.setdefault(lvalue_text(place), place)
        result = self._places[scope] = tuple(unique.values())
        return result

    def further(self, scope: Scope) -> tuple[LValue, ...]:
        """The pointers one node further on, `x->f->g`, which are written where nodes lead back to each other.

        So are the links of nodes to which another struct leads, `list->tail->next`.
        They are places to write to only; none where there is so much in scope that they would be too many,
        or where nothing in the program goes by one of the two fields and the other.
        """
        near = self.places(scope)
        if len(near) > MANY_PLACES:
            return ()
        if self._opposite is None:
            self._opposite = opposite_fields(self._program)
        known = {lvalue_text(place) for place in near}
        found: dict[str, LValue] = {}
        for place in near:
            held = _is_held(place)
            if held or _led_to_at_once(place):
                for field in self.fields(Load(place)):
                    linking = held and field.type == place.type
                    if linking or (
                        isinstance(field.type, PointerType) and _both(place, field) in self._opposite
                    ):
                        found.setdefault(lvalue_text(field), field)
        for place in self._of_keys(near):
            found.setdefault(lvalue_text(place), place)
        return tuple(place for written, place in found.items() if written not in known)

    def _of_keys(self, near: Sequence[LValue]) -> Iterator[LValue]:
        """The elements of a table of nodes at which other nodes stand: `at[list->last->page]` for `at[page]`.

        The subscript is what the nodes have in a field of its name, so that who takes one out finds it there.
        """
        for place in near:
            index = _subscript(place)
            if index is None or not isinstance(place.type, PointerType):
                continue
            for led in near:
                if led.type == place.type and _subscript(led) is None:
                    for field in self.fields(Load(led)):
                        if isinstance(field, Member) and field.name == index.name:
                            yield _at(place, Load(field))

    def writable(self, place: LValue) -> bool:
        """Whether C lets an assignment write to the place."""
        return not is_constant(place, self.types)

    def _steps(self, variable: VariableReference) -> Iterator[LValue]:
        match variable.type:
            case PointerType(target) if _composed(target):
                yield from self.fields(Load(variable))
            case PointerType(target) if repairable(target):
                inner = Dereference(Load(variable), target)
                if not (isinstance(target, IntType) and target.size == 1):  # a string's first character
                    yield inner
                if isinstance(target, PointerType) and _composed(target.target):
                    yield from self.fields(Load(inner))
            case target if _composed(target) or isinstance(target, ArrayType):
                yield from self._inside(variable)

    def fields(self, pointer: Expression) -> Iterator[LValue]:
        """`pointer->f` for every scalar field, nested structs and unions included; of `&s` it is `s.f`."""
        if isinstance(pointer, AddressOf):
            yield from self.members(pointer.place)
        elif isinstance(pointer.type, PointerType) and _composed(pointer.type.target):
            yield from self.members(Dereference(pointer, pointer.type.target))

    def members(self, place: LValue) -> Iterator[LValue]:
        """`place.f` for every scalar field, nested structs and unions included."""
        for field in self.types.members(place.type):
            yield from self._inside(Member(place, field.name, field.offset, field.type))

    def _inside(self, place: LValue) -> Iterator[LValue]:
        """The scalar places of a place: itself, its fields, or its elements by the subscripts that occur."""
        if repairable(place.type):
            yield place
        elif _composed(place.type):
            yield from self.members(place)
        elif isinstance(place.type, ArrayType):
            length = place.type.length
            for index in self._subscripts:
                if not isinstance(index, Constant) or 0 <= index.value < length:
                    yield from self._inside(Element(place, index, place.type.element))
            written = {text(index) for index in self._subscripts}
            more: Iterable[int] = range(length if written and length <= _SHORT else 0)
            if not written and isinstance(place, Member):
                more = self._elements.get((place.base.type, place.offset), ())
            for number in more:
                if str(number) not in written:
                    yield from self._inside(Element(place, Constant(number, INT), place.type.element))

    def _lasting(self, named: VariableReference) -> Iterator[LValue]:
        """The fields of the node to which a variable leads, or the pointer does that it leads to.

        A global itself, or its fields, as well: the initialiser that takes its address is no statement.
        """
        yield from self.fields(Load(named))
        if isinstance(named.type, PointerType):
            yield from self.fields(Load(Dereference(Load(named), named.type.target)))
        if lives_on(named):
            yield from self._inside(named)

    def of_type(self, places: Iterable[LValue], ctype: CType) -> Iterator[LValue]:
        """Those of the places that hold values of that type."""
        return (place for place in places if place.type == ctype)

    def values(self, scope: Scope, ctype: CType) -> tuple[Expression, ...]:
        """Everything simple that can be assigned to `ctype`: loads, null or constants, addresses."""
        return self.offer(scope, ctype).values

    def offer(self, scope: Scope, ctype: CType) -> Offer:
        """The values with their texts, no text twice."""
        scope = self._scopes.setdefault(scope, scope)
        found = self._offers.get((id(scope), ctype))
        if found is None:
            worded: dict[str, Expression] = {}
            for value in self._values(scope, ctype):
                worded.setdefault(text(value), value)
            numbers = {each: number for number, each in enumerate(worded)}
            found = self._offers[id(scope), ctype] = Offer(tuple(worded.values()), numbers)
        return found

    def _values(self, scope: Scope, ctype: CType) -> Iterator[Expression]:
        for place in self.places(scope):
            real = isinstance(place.type, FloatType) or isinstance(ctype, FloatType)
            alike = place.type == ctype if real else repairable(place.type)
            value = convert(Load(place), ctype) if alike else None
            if value is not None:
                yield value
        if isinstance(ctype, PointerType):
            for place in self.places(scope) if self._untyped.types else ():
                yield from self._untyped.converted(self._function, place, ctype)
            yield Constant(0, ctype)
            names = {v.name for v in scope}
            for place in self._tested:
                if variables(place) <= names:  # where it is not null, something may well go on through it
                    for field in self.of_type(self.fields(Load(place)), ctype):
                        yield Load(field)
            for address in self._addresses:
                if address.type == ctype and variables(address) <= names:
                    yield address
            for named in scope if isinstance(ctype.target, PointerType) else ():
                for place in self._lasting(named):
                    if place.type == ctype.target:
                        yield AddressOf(place, ctype)
            if self._addresses:
                taken = {address.type for address in self._addresses}
                for variable in scope:
                    pointer = PointerType(variable.type)
                    if pointer == ctype and pointer in taken:
                        yield AddressOf(variable, pointer)
        elif isinstance(ctype, IntType):
            for number, written in self.numbers(ctype):
                if ctype.bits and ctype.wrap(number) != number:
                    continue
                of_truth = written in _TRUTHS and ctype.name != "_Bool"  # a number is 0 rather than `false`
                yield Constant(ctype.wrap(number), ctype, "" if of_truth else written)
        elif isinstance(ctype, FloatType):
            for constant in (*self._reals, Constant(0, INT), Constant(1, INT)):
                converted = convert(constant, ctype)
                if converted is not None:
                    yield converted

    def numbers(self, ctype: IntType) -> Iterator[tuple[int, str]]:
        """The integer constants of the function as (value, text), then those set elsewhere, then 0 and 1.

        Those that are sizes only where a value of their type is wanted: what counts bytes is no other number.
        """
        known = {**self._set_elsewhere.get(ctype, {}), **self.constants, **self._sizes.get(ctype, {})}
        yield from known.items()
        yield from ((n, "") for n in (0, 1) if n not in known)


def _kept_in(place: LValue) -> tuple[CType | None, str] | None:
    """What a place is whoever names it: a field of a struct that is led to, or a global variable."""
    match place:
        case Member(Dereference() as base, name):
            return base.type, name
        case VariableReference(name, _, "global"):
            return None, name
    return None


def opposite_fields(program: Program) -> frozenset[frozenset[str]]:
    """The pairs of fields that may lead there and back, as the program goes through them.

    It names `x->f->g`, or writes `x->f = y` and `y->g = x` in one function.
    """
    found: set[frozenset[str]] = set()
    for function in program.functions.values():
        links: dict[tuple[str, str], set[str]] = {}
        for step in function.code:
            for expression in expressions_of(step):
                for part in parts(expression):
                    if isinstance(part, Load):
                        found |= _chained(part.place)
            if isinstance(step, Assign):
                found |= _chained(step.target)
                match step.target, step.value:
                    case Member(Dereference(pointer), name), Load():
                        links.setdefault((text(pointer), text(step.value)), set()).add(name)
        for (one, other), forth in links.items():
            found |= {frozenset((f, g)) for g in links.get((other, one), ()) for f in forth if f != g}
    return frozenset(found)


def _chained(place: LValue) -> set[frozenset[str]]:
    """The two fields of `x->f->g`, also where they are arrays of links."""
    match place:
        case Element(base):
            return _chained(base)
        case Member(Dereference(Load(Element() as first))):
            return {_both(first, place)}
        case Member(Dereference(Load(Member(_, first_name) as first)), second) if first_name != second:
            return {_both(first, place)}
    return set()


def _both(one: LValue, other: LValue) -> frozenset[str]:
    return frozenset((_field(one), _field(other)))


def _composed(ctype: CType) -> bool:
    """Whether values of the type have members."""
    return isinstance(ctype, StructReference) or (isinstance(ctype, OpaqueType) and ctype.union)


def _record(place: LValue) -> LValue | None:
    """The element of an array in which a field lies: `a[i]` of `a[i].f`."""
    match place:
        case Member(Element() | Dereference(Binary("+")) as element):
            return element
        case Member(base) | Element(base):
            return _record(base)
    return None


def _field(place: LValue) -> str:
    match place:
        case Member(_, name):
            return name
        case Element(base):
            return _field(base)
    return ""


def _is_held(place: LValue) -> bool:
    """Whether the place is a pointer in a struct of another kind than what it leads to: a list's tail."""
    match place:
        case Member(
            VariableReference(type=StructReference(holder))
            | Dereference(Load(VariableReference()), StructReference(holder)),
            type=PointerType(StructReference(node)),
        ):
            return holder != node
    return False


def _led_to_at_once(place: LValue) -> bool:
    """Whether the place lies in the node to which a variable leads, or does the pointer that it leads to."""
    match place:
        case Member(Dereference(Load(VariableReference() | Dereference(Load(VariableReference()))))):
            return True
        case Member(base) | Element(base):
            return _led_to_at_once(base)
    return False


def occurring_locations(program: Program, function: str) -> dict[int, int]:
    """Location id to the index of the instruction that an edit of it replaces (the last that fits)."""
    found: dict[int, int] = {}
    for index, step in enumerate(program.functions[function].code):
        if step.location < 0 or isinstance(step, Return):
            continue
        kind = program.location(step.location).kind
        fits = {
            "assignment": isinstance(step, (Assign, Compared)),
            "initialiser": isinstance(step, Assign),
            "step": isinstance(step, Assign),
            "return": isinstance(step, Assign),
            "argument": isinstance(step, Assign),
            "call": isinstance(step, Call),
            "allocation": isinstance(step, Call),
            "callee": isinstance(step, Call),
            "condition": isinstance(step, Branch),
            "jump": isinstance(step, Jump),
            "gap": isinstance(step, Gap) and not isinstance(step, Compared),
        }.get(kind, False)
        if fits:
            found[step.location] = index
    return found


def _steps(program: Program, function: str) -> Iterator[tuple[LValue, Expression]]:
    """The pointers in view that the program steps on by one, with their values then: `text++`."""
    for name, other in program.functions.items():
        for step in other.code:
            match step:
                case Assign(
                    _, VariableReference(level=level) as pointer, Binary("+", Load(held), Constant(1))
                ):
                    here = level == "global" or name == function
                    if here and held == pointer and isinstance(pointer.type, PointerType):
                        yield pointer, step.value


def _subscript(place: LValue) -> VariableReference | None:
    """The variable by which an element of an array is named: `i` of `a[i]`."""
    match place:
        case Element(_, index) | Dereference(Binary("+", _, index)):
            match without_casts(index):
                case Load(VariableReference() as variable):
                    return variable
    return None


def _at(place: LValue, index: Expression) -> LValue:
    """The element with another subscript."""
    match place:
        case Element():
            return replace(place, index=index)
        case Dereference(Binary() as sum):
            return replace(place, pointer=replace(sum, right=index))
    return place
