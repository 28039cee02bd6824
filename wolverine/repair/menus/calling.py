"""Forgotten calls: the functions of the program that a gap may call.

Those that write are called for what they do, unless it is a node that they give back.
What they are passed are variables in scope, fields of these and addresses, those used nearby first, and the
numbers and nulls that the program passes elsewhere.  A value may be stored, also only where the place that
takes it is null; or it may be what the caller returns, also only where some variable is null: the base case
of a recursion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product

from wolverine.core.expressions import (
    AddressOf,
    Constant,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import against_zero, without_casts
from wolverine.core.patch import Guarded, NewCall, OtherFunction
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Function,
    Instruction,
    Library,
    Program,
    reachable,
)
from wolverine.core.types import CType, PointerType, StructReference, is_number
from wolverine.repair.menus.exhausted import when_exhausted
from wolverine.repair.menus.full import when_full
from wolverine.repair.menus.menu import Choice
from wolverine.repair.menus.vocabulary import Scope, Vocabulary, repairable
from wolverine.repair.source.frees import may_free
from wolverine.repair.source.given_back import hands_back
from wolverine.semantics.allocation import ALLOCATION

_PASSED = {1: 10, 2: 5, 3: 4}  # values of each parameter, by how many parameters there are
_OF_MANY = 3
_OFFERED = 16  # where those are tried that do what is wanted
_TUPLES = 48  # lists of arguments for one function in one gap
_STORED = 5  # places that may take the value
_TESTED = 3  # variables that may be null where the value is returned
_NEAR = 6  # instructions with a location to either side


@dataclass
class Callable:
    """What is known of a function of the program that may be called."""

    function: Function
    writes: bool
    dropped: bool  # whether some call of it drops the result, it has none, or its caller knows that
    passed: list[Counter[str]] = field(default_factory=list)  # texts of what each parameter is given
    back: set[int] = field(default_factory=set)  # parameters that take what the result is stored in again


class Callables:
    """The functions of a program, as calls of them may be what is missing."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._reached = {name: reachable(program, [name]) for name in program.functions}
        self._from: dict[str, set[tuple[int, int]]] = {}  # where a function is called: file and line
        self._includes: set[tuple[int, int]] = set()  # files, and headers whose functions are called there
        self._order = {name: number for number, name in enumerate(program.functions)}
        self._known: dict[str, Callable] = {}
        for name, function in program.functions.items():
            scalar = all(repairable(p.type) for p in function.parameters)
            if function.unsupported or not function.code or name == "main" or not scalar:
                continue
            if all(not program.functions[other].unsupported for other in self._reached[name]):
                counters = [Counter[str]() for _ in function.parameters]
                nothing = not repairable(function.result) or hands_back(function)
                self._known[name] = Callable(
                    function, writes(program, self._reached[name]), nothing, counters
                )
        for function in program.functions.values():
            self._note(function)

    def _note(self, function: Function) -> None:
        values: dict[str, Expression] = {}
        read = {name for step in function.code for name in _read(step)}
        stored = {
            step.value.place.name: lvalue_text(step.target)
            for step in function.code
            if isinstance(step, Assign)
            and isinstance(step.value, Load)
            and isinstance(step.value.place, VariableReference)
        }
        for step in function.code:
            if isinstance(step, Assign) and isinstance(step.target, VariableReference):
                values[step.target.name] = step.value
            elif isinstance(step, Call) and step.function in self._program.functions:
                self._from.setdefault(step.function, set()).add((function.file, function.line))
                called = self._program.functions[step.function].file
                if _is_header(self._program, called):
                    self._includes.add((function.file, called))
                known = self._known.get(step.function)
                if known is None:
                    continue
                known.dropped = known.dropped or step.result is None or step.result.name not in read
                kept = None if step.result is None else stored.get(step.result.name, step.result.name)
                for number, (counter, argument) in enumerate(zip(known.passed, step.arguments, strict=False)):
                    match argument:
                        case Load(VariableReference(name)) if name in values:
                            written = text(values[name])
                            counter[written] += 1
                            if written == kept:
                                known.back.add(number)

    def of(self, caller: str) -> Iterator[Callable]:
        """Those that the function can name, without those that would call it in turn for the first time."""
        here = self._program.functions[caller]
        for name, known in self._known.items():
            if caller in self._reached[name] and name not in _called(self._program, caller, self._reached):
                continue
            declared = any(file == here.file and line <= here.line for file, line in self._from.get(name, ()))
            earlier = known.function.file == here.file and known.function.line <= here.line
            included = (here.file, known.function.file) in self._includes
            if declared or earlier or (included and self._order[name] < self._order[caller]):
                yield known


def _is_header(program: Program, file: int) -> bool:
    """Whether other files include it: what it defines is in sight there, called or not."""
    return program.files[file].path.endswith(".h")


def _called(program: Program, caller: str, reached: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The functions that a function may call, itself only where it does so."""
    direct = {s.function for s in program.functions[caller].code if isinstance(s, Call)}
    return frozenset[str]().union(*(reached[name] for name in direct if name in reached))


def writes(program: Program, names: Iterable[str]) -> bool:
    """Whether one of the functions writes to what outlasts its return, allocates or frees."""
    return any(_writes(program.functions[each]) for each in names)


def _writes(function: Function) -> bool:
    for step in function.code:
        match step:
            case Assign(_, VariableReference(level=level)):
                if level == "global":
                    return True
            case Assign():
                return True
            case Call(_, called) if called in ALLOCATION:
                return True
    return False


def _read(step: object) -> frozenset[str]:
    match step:
        case Assign(_, target, value):
            inside = frozenset[str]() if isinstance(target, VariableReference) else variables(target)
            return variables(value) | inside
        case Branch(_, condition):
            return variables(condition)
        case Call(_, _, arguments) | Library(_, _, arguments):
            return frozenset[str]().union(*map(variables, arguments))
    return frozenset()


class Calling:
    """The calls that the gaps of one function take."""

    def __init__(self, program: Program, function: str, vocabulary: Vocabulary, known: Callables) -> None:
        self._program = program
        self._function = program.functions[function]
        self._vocabulary = vocabulary
        self._callables = list(known.of(function))
        self._made: dict[tuple[int, frozenset[str]], tuple[Scope, tuple[Choice, ...]]] = {}

    def choices(self, scope: Scope, index: int) -> tuple[Choice, ...]:
        """The calls in the gap at an instruction; those that are stored, under a test too.

        So are some of the others, where what has just been set may be what they are for, or to make room.
        """
        near = frozenset(self._near(index))
        key = id(scope), near
        if key not in self._made:
            self._made[key] = scope, tuple(self._choices(scope, near))
        made = self._made[key][1]
        calls = [each.replacement for each in made if isinstance(each.replacement, NewCall)]
        exhausted = when_exhausted(self._function, index, calls)
        full = when_full(self._program, self._function, scope, calls)
        return (*made, *map(Choice, exhausted), *map(Choice, full))

    def _choices(self, scope: Scope, near: Container[str]) -> Iterator[Choice]:
        passed = [[*islice(self._arguments(each, scope, near), _TUPLES)] for each in self._callables]
        for each, lists in zip(self._callables, passed, strict=True):
            if each.writes and (each.dropped or is_number(each.function.result)):
                yield from (Choice(NewCall(each.function.name, arguments)) for arguments in lists)
        for each, lists in zip(self._callables, passed, strict=True):
            result = each.function.result
            targets = self._targets(scope, result, near) if repairable(result) else []
            for arguments in lists:
                for target in (*targets, *self._back(each, arguments, targets)):
                    stored = NewCall(each.function.name, arguments, target)
                    yield Choice(stored)
                    if each.writes and isinstance(target.type, PointerType):
                        yield Choice(Guarded(against_zero("==", target), stored))
        given = self._function.result
        if not repairable(given):
            return
        tests = [against_zero("==", place) for place in self._tested(scope, near)]
        own = VariableReference(RESULT_NAME, given)
        for each, lists in zip(self._callables, passed, strict=True):
            for arguments in lists if each.function.result == given else ():
                returned = NewCall(each.function.name, arguments, own)
                yield Choice(returned)
                yield from (Choice(Guarded(test, returned)) for test in tests)

    def _back(
        self, called: Callable, arguments: Sequence[Expression], stored: Container[LValue]
    ) -> Iterator[LValue]:
        """Other places that are passed and take the result, as in calls elsewhere: `t->l = del(t->l, k)`."""
        for number in sorted(called.back):
            match arguments[number]:
                case Load(place) if place not in stored and self._vocabulary.writable(place):
                    yield place

    def passed(self, scope: Scope, index: int, called: str) -> list[list[Expression]] | None:
        """What a call in the gap at an instruction may pass to a function, by parameter; None if to none."""
        near = frozenset(self._near(index))
        for each in self._callables:
            if each.function.name == called and each.writes:
                pairs = zip(each.function.parameters, each.passed, strict=True)
                return [self._values(scope, p, known, near)[:_OFFERED] for p, known in pairs]
        return None

    def instead(self, scope: Scope, called: str, index: int) -> Iterator[Choice]:
        """The functions of the same type as the one that is called there: perhaps one of them was meant.

        Where a node is freed, that may be one that frees what hangs on it first, or the other way round; or
        one that takes the node out where it stands, and says what stands there now.
        """
        if called == "free":
            yield from self._freeing(index)
            yield from self._taking_out(scope, index)
            return
        own = self._program.functions[called]
        types = [each.type for each in own.parameters]
        for each in self._callables:
            other = each.function
            taken = [parameter.type for parameter in other.parameters]
            if other.name != called and other.result == own.result and taken == types:
                yield Choice(OtherFunction(other.name))
        if len(types) == 1 and isinstance(types[0], PointerType) and may_free(self._program, called):
            yield Choice(OtherFunction("free"))

    def _freeing(self, index: int) -> Iterator[Choice]:
        """The functions that free what is handed to them, as it is to `free` there; perhaps this one."""
        kind = _freed(self._function.code, index)
        others = [each.function for each in self._callables]
        for other in (*others, *([self._function] if self._function not in others else ())):
            if [each.type for each in other.parameters] == [kind] and may_free(self._program, other.name):
                yield Choice(OtherFunction(other.name))

    def _taking_out(self, scope: Scope, index: int) -> Iterator[Choice]:
        """The calls that free a node and put, or give back, what takes its place."""
        near = frozenset(self._near(index))
        for each in self._callables:
            name, dropped = each.function.name, each.dropped and len(each.function.parameters) > 1
            if (each.back or dropped) and may_free(self._program, name):
                for arguments in islice(self._arguments(each, scope, near), _TUPLES):
                    if dropped:
                        yield Choice(NewCall(name, arguments))
                    yield from (
                        Choice(NewCall(name, arguments, place)) for place in self._back(each, arguments, ())
                    )

    @staticmethod
    def _tested(scope: Scope, near: Container[str]) -> list[VariableReference]:
        """The pointer variables that a base case may be about, those used nearby first."""
        pointers = [each for each in scope if isinstance(each.type, PointerType)]
        return sorted(pointers, key=lambda each: each.name not in near)[:_TESTED]

    def _near(self, index: int) -> set[str]:
        """The names around an instruction."""
        code = self._function.code
        found: set[str] = set()
        for way in (1, -1):
            at, left = index, _NEAR
            while left and 0 <= at + way < len(code):
                at += way
                names = _read(code[at])
                step = code[at]
                if isinstance(step, Assign):
                    names |= variables(step.target)
                if names:
                    left -= 1
                    found.update(names)
        return found

    def _arguments(
        self, called: Callable, scope: Scope, near: Container[str]
    ) -> Iterator[tuple[Expression, ...]]:
        parameters = called.function.parameters
        most = _PASSED.get(len(parameters), _OF_MANY)
        offered = [
            self._values(scope, parameter, passed, near)[:most]
            for parameter, passed in zip(parameters, called.passed, strict=True)
        ]
        for arguments in product(*offered):
            named = [a for a in arguments if not isinstance(a, Constant)]
            if len(set(map(text, named))) == len(named):
                yield arguments

    def _values(
        self, scope: Scope, parameter: VariableReference, passed: Counter[str], near: Container[str]
    ) -> list[Expression]:
        """Values for a parameter, the likeliest first; what is called as it is stands before others."""
        wanted = parameter.type
        found: dict[str, Expression] = {}
        for value in self._vocabulary.values(scope, wanted):
            constant = isinstance(value, Constant)
            if not constant or text(value) in passed or (passed and not isinstance(wanted, PointerType)):
                found.setdefault(text(value), value)
        if isinstance(wanted, PointerType):
            for place in self._held(scope, wanted.target):
                address = AddressOf(place, wanted)
                found.setdefault(text(address), address)

        def order(item: tuple[str, Expression]) -> tuple[int, int, int, int]:
            written, value = item
            names = variables(value)
            used = bool(names) and all(name in near for name in names)
            named = called_as(value, parameter.name)
            return -(written in passed), -named, -used, len(names) + 2 * (not _simple(value))

        return [value for _, value in sorted(found.items(), key=order)]

    def _held(self, scope: Scope, wanted: CType) -> Iterator[LValue]:
        """The variables of a type, and the fields of that type where variables are or lead."""
        for variable in scope:
            if variable.type == wanted:
                yield variable
            match variable.type:
                case StructReference(tag) if tag in self._program.types.structs:
                    base: LValue = variable
                case PointerType(StructReference(tag) as struct) if tag in self._program.types.structs:
                    base = Dereference(Load(variable), struct)
                case _:
                    continue
            for each in self._program.types.structs[tag].fields:
                if each.type == wanted:
                    yield Member(base, each.name, each.offset, each.type)

    def _targets(self, scope: Scope, wanted: CType, near: Container[str]) -> list[LValue]:
        """Places that may take a value, those used nearby first."""
        known = self._vocabulary
        places = [p for p in known.places(scope) if p.type == wanted and known.writable(p)]

        def order(place: LValue) -> tuple[int, int, str]:
            names = variables(place)
            used = bool(names) and all(name in near for name in names)
            return -used, not isinstance(place, VariableReference), lvalue_text(place)

        return sorted(places, key=order)[:_STORED]


def called_as(value: Expression, name: str) -> bool:
    """Whether a value is the variable, or the field, of that name."""
    match value:
        case Load(VariableReference(found)) | Load(Member(_, found)):
            return found == name
    return False


def _simple(value: Expression) -> bool:
    return isinstance(value, (Load, AddressOf)) and isinstance(value.place, VariableReference)


def _freed(code: Sequence[Instruction], index: int) -> CType | None:
    """The type of what the call of `free` at an instruction is given."""
    step = code[index]
    passed = step.arguments[0] if isinstance(step, Call) and step.arguments else None
    for before in reversed(code[:index]):
        if isinstance(before, Assign) and isinstance(passed, Load) and before.target == passed.place:
            return without_casts(before.value).type
    return None
