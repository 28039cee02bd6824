"""What stands around the gaps of a program's functions, found once for all that may be put there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

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
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import NewCall
from wolverine.core.program import (
    Assign,
    Branch,
    Call,
    Declare,
    Function,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import INT, CType, PointerType
from wolverine.repair.source.called import Called, as_written, new_call
from wolverine.repair.source.flow import behind, one_way, preceding, predecessors
from wolverine.repair.source.settled import Settled
from wolverine.repair.source.walk import expressions_of, indices_in
from wolverine.semantics.allocation import FREEING

_USUAL = -0.01  # each time that the function names the value, up to a few
_NAMED = 5
_RETURNING = -0.2  # `y->g = x` where the function has `x->f = y`
_NEAR = 4  # locations to either side
_STEPS = 2  # links in a row that any program may go over

Written = tuple[str, str]  # an assignment's target and value, as text


class Surroundings:
    """Those of every function of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, Surrounding] = {}
        self._index_names: dict[str, frozenset[str]] = {}

    def of(self, function: str) -> Surrounding:
        """Those in one function."""
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = Surrounding(self._program.functions[function])
        return found

    def strange_indices(self, before: Iterable[Expression], after: Iterable[Expression]) -> int:
        """How many fields index arrays that index none in the program, and did not before."""
        return len({*_indexing(after)} - self._indexing - {*_indexing(before)})

    def odd_indices(self, function: str, before: Iterable[Expression], after: Iterable[Expression]) -> int:
        """How many variables are indices that are none in the function, where others are, nor were before."""
        known = self._indices(function)
        return len({*_variables_indexing(after)} - known - {*_variables_indexing(before)}) if known else 0

    def _indices(self, function: str) -> frozenset[str]:
        if function not in self._index_names:
            code = self._program.functions[function].code
            names = (name for step in code for name in _variables_indexing(values(step)))
            self._index_names[function] = frozenset(names)
        return self._index_names[function]

    def fixed_indices(self, after: Iterable[Expression]) -> int:
        """How many arrays have an element of a certain number there, and none in the program: `table[1]`."""
        fixed, reckoned = self._elements
        return len({name for name, number in _elements(after) if number and name in reckoned - fixed})

    @cached_property
    def _elements(self) -> tuple[frozenset[str], frozenset[str]]:
        """The arrays, by text, of which the program has elements of certain numbers, and of others."""
        code = (step for function in self._program.functions.values() for step in function.code)
        found = [each for step in code for each in _elements(values(step))]
        fixed = frozenset(name for name, number in found if number)
        return fixed, frozenset(name for name, number in found if not number)

    def steps_further(self, after: Iterable[Expression]) -> int:
        """How many links further in a row than the program ever goes these go: `p->next->next->next`."""
        further = 0
        for name, steps in _walked(after):
            further = max(further, steps - max(self._walking.get(name, 0), _STEPS))
        return further

    @cached_property
    def _walking(self) -> Mapping[str, int]:
        """Over how many links of a name in a row the program goes at most."""
        found: dict[str, int] = {}
        for function in self._program.functions.values():
            for step in function.code:
                for name, steps in _walked(values(step)):
                    found[name] = max(found.get(name, 0), steps)
        return found

    @cached_property
    def _indexing(self) -> frozenset[tuple[CType, str]]:
        """The fields that occur in the indices of arrays, or hold what does: `t[key] = n; n->key = key;`."""
        found: set[tuple[CType, str]] = set()
        for function in self._program.functions.values():
            names = frozenset(name for step in function.code for name in _variables_indexing(values(step)))
            for step in function.code:
                found.update(_indexing(values(step)))
                match step:
                    case Assign(_, Member(base, field), Load(VariableReference(name))) if name in names:
                        found.add((base.type, field))
        return frozenset(found)


class Surrounding:
    """Those of one function."""

    def __init__(self, function: Function) -> None:
        self._code: Sequence[Instruction] = function.code
        self._before: dict[int, list[Instruction]] = {}
        self._behind: dict[int, frozenset[int]] = {}
        self._near: dict[int, frozenset[str]] = {}
        self._set: dict[int, frozenset[str]] = {}
        self._ways: dict[tuple[int, int], bool] = {}

    def behind(self, index: int) -> frozenset[int]:
        """What may be executed behind an instruction (`flow.behind`)."""
        found = self._behind.get(index)
        if found is None:
            found = self._behind[index] = frozenset(behind(self._code, index))
        return found

    def preceding(self, index: int) -> list[Instruction]:
        """What may have been executed right before an instruction (`flow.preceding`)."""
        found = self._before.get(index)
        if found is None:
            found = self._before[index] = preceding(self._code, index)
        return found

    def just_set(self, index: int) -> frozenset[str]:
        """The fields that are set on the straight way to an instruction and not read since, as text."""
        found = self._set.get(index)
        if found is None:
            found = self._set[index] = frozenset(self._straight(index))
        return found

    def sets_again(self, index: int, target: LValue) -> bool:
        """Whether a field was just set, be it by another name of its node (`p->f` and `(*link)->f`)."""
        just = self.just_set(index)
        if lvalue_text(target) in just:
            return True
        match target:
            case Member(Dereference(Load(place)) as base):
                names = self._holding.get(lvalue_text(place), ())
                others = (replace(target, base=replace(base, pointer=Load(each))) for each in names)
                return any(lvalue_text(each) in just for each in others)
        return False

    @cached_property
    def _holding(self) -> Mapping[str, Sequence[VariableReference]]:
        """The variables that a place's value is kept in somewhere."""
        found: dict[str, list[VariableReference]] = {}
        for step in self._code:
            match step:
                case Assign(_, VariableReference() as name, Load(place)):
                    found.setdefault(lvalue_text(place), []).append(name)
        return found

    def _straight(self, index: int) -> Iterator[str]:
        read: set[str] = set()
        while self.into.get(index) == [index - 1]:
            index -= 1
            match self._code[index]:
                case Assign(_, target) as step:
                    named = lvalue_text(target)
                    if isinstance(target, Member) and named not in read:
                        yield named
                    read |= {lvalue_text(each) for each in _places(step) if each != target}
                case Gap() | Declare():
                    pass
                case _:
                    return

    def newly_set(self, index: int, *targets: LValue) -> bool:
        """Whether every way to an instruction sets one of the targets, and none reads any since."""
        named, seen, ahead = {*map(lvalue_text, targets)}, {index}, [*self.into.get(index, ())]
        while ahead:
            at = ahead.pop()
            step = self._code[at]
            if isinstance(step, Assign) and lvalue_text(step.target) in named:
                continue
            read = any(lvalue_text(each) in named for each in _places(step))
            if at == 0 or read or not isinstance(step, Assign | Branch | Jump | Gap | Declare):
                return False
            if at not in seen:
                seen.add(at)
                ahead += self.into.get(at, ())
        return bool(self.into.get(index))

    def takes_back(self, index: int, target: LValue, value: Expression) -> bool:
        """Whether right in front, or right behind, the same is counted the other way."""
        match value:
            case Binary("+" | "-" as operator, Load(same), Constant(amount)) if same == target:
                back = Binary("-" if operator == "+" else "+", Load(target), Constant(amount, INT), INT)
                wanted = lvalue_text(target), text(back)
                return any(
                    isinstance(step, Assign) and (lvalue_text(step.target), text(step.value)) == wanted
                    for step in (self.following(index), *self.preceding(index))
                )
        return False

    def following(self, index: int) -> Instruction | None:
        """The next instruction in the text that is no gap."""
        return next((s for s in self._code[index + 1 :] if not isinstance(s, Gap)), None)

    def beside(self, index: int, target: LValue) -> bool:
        """Whether what stands right in front of a gap, or right behind, sets a field of the same struct."""
        if not isinstance(target, Member):
            return False
        before = self.preceding(index)
        neighbours = [self.following(index), before[0] if len(before) == 1 else None]
        bases = (
            lvalue_text(each.target.base)
            for each in neighbours
            if isinstance(each, Assign) and isinstance(each.target, Member)
        )
        return lvalue_text(target.base) in bases

    def empties(self, index: int, target: LValue) -> bool:
        """Whether another pointer of its type in the same struct is set to null in the same go."""
        if not isinstance(target, Member):
            return False
        base = lvalue_text(target.base)
        return any(
            _sets_null(step, base) and self._on_one_way(at, index)
            for at, step in enumerate(self._code)
            if isinstance(step, Assign) and step.target.type == target.type and step.target != target
        )

    def relinks(self, index: int) -> bool:
        """Whether right in front of an instruction, or right behind, a link is set."""
        return any(map(_sets_link, (self.following(index), *self.preceding(index))))

    def frees(self, index: int) -> bool:
        """Whether a node is freed there."""
        rest = (step for step in self._code[index + 1 :] if not isinstance(step, Gap))
        behind = next((step for step in rest if not _is_argument(step)), None)
        beside = (behind, *self.preceding(index))
        return any(isinstance(step, Call | Library) and step.function in FREEING for step in beside)

    def near(self, location: int) -> frozenset[str]:
        """The variables that are mentioned in the neighbourhood of a location."""
        found = self._near.get(location)
        if found is None:
            before = [s for s in self._solid if s.location < location][-_NEAR:]
            after = [s for s in self._solid if s.location > location][:_NEAR]
            found = self._near[location] = frozenset().union(*map(_mentioned, (*before, *after)))
        return found

    def again(self, index: int, written: Written) -> bool:
        """Whether the same statement stands on the same way, in the same loops."""
        return any(self._on_one_way(at, index) for at in self._written.get(written, ()))

    def called_aside(self, index: int, made: NewCall) -> bool:
        """Whether the function makes the same call, and only on other ways: in another arm."""
        at = self._called.get(new_call(made), ())
        return bool(at) and not any(self._on_one_way(each, index) for each in at)

    @cached_property
    def _called(self) -> Mapping[Called, list[int]]:
        """Where the function makes its calls."""
        found: dict[Called, list[int]] = {}
        for at, step in enumerate(self._code):
            if isinstance(step, Call):
                found.setdefault(as_written(self._code, at, step), []).append(at)
        return found

    def usual(self, target: LValue, value: Expression) -> float:
        """What speaks for an assignment.

        The function often names the value, or links it to the target's node.
        """
        if not isinstance(value, Load):
            return 0.0
        wanted = lvalue_text(value.place)
        leading = isinstance(target, Member) and any(
            _lead_to_each_other(target, wanted, link) for link in self._links
        )
        return _USUAL * min(self._named[wanted], _NAMED) + _RETURNING * leading

    def misplaced(self, target: LValue, value: Expression) -> int:
        """How many indices of arrays of arrays stand where the function has them nowhere: `a[j][j]`."""
        found = set(_dimensions((Load(target), value)))
        return sum(
            each not in self._dimensions and any(index == each[1] for _, index in self._dimensions)
            for each in found
        )

    @cached_property
    def _dimensions(self) -> frozenset[tuple[int, str]]:
        """The indices of arrays of arrays, with the dimension from the outermost."""
        return frozenset(each for step in self._code for each in _dimensions(values(step)))

    def _on_one_way(self, at: int, index: int) -> bool:
        found = self._ways.get((at, index))
        if found is None:
            found = one_way(self._code, at, index) and not self._leaves(at, index)
            self._ways[at, index] = found
        return found

    def _leaves(self, one: int, other: int) -> bool:
        """Whether one of the instructions is in a loop and the other one is not, or in another one."""
        together = other in self.behind(one) and one in self.behind(other)
        return not together and (one in self.behind(one) or other in self.behind(other))

    @cached_property
    def into(self) -> Mapping[int, list[int]]:
        """What leads to each instruction (`flow.predecessors`)."""
        return predecessors(self._code)

    @cached_property
    def settled(self) -> Settled:
        """What is sure at each instruction."""
        return Settled(self._code, self.into)

    @cached_property
    def _solid(self) -> list[Instruction]:
        return [s for s in self._code if s.location >= 0 and not isinstance(s, Gap)]

    @cached_property
    def _written(self) -> Mapping[Written, Sequence[int]]:
        found: dict[Written, list[int]] = {}
        for at, step in enumerate(self._code):
            if isinstance(step, Assign):
                found.setdefault((lvalue_text(step.target), text(step.value)), []).append(at)
        return found

    @cached_property
    def _named(self) -> Counter[str]:
        """How often places are named."""
        return Counter(lvalue_text(each) for step in self._code for each in _places(step))

    @cached_property
    def _links(self) -> Sequence[_Link]:
        """Every `x->f = y`."""
        found = []
        for step in self._code:
            match step:
                case Assign(_, Member(Dereference(x), f), Load() as y):
                    found.append(_Link(text(x), f, text(y)))
        return found


@dataclass(frozen=True, slots=True)
class _Link:
    node: str
    field: str
    value: str


def _is_argument(step: Instruction) -> bool:
    """Whether it fills a temporary: what is passed to a call."""
    return (
        isinstance(step, Assign)
        and isinstance(step.target, VariableReference)
        and step.target.name.startswith("$")
    )


def _sets_link(step: Instruction | None) -> bool:
    match step:
        case Assign(_, Member() | Element() | Dereference() as place):
            return isinstance(place.type, PointerType)
    return False


def _lead_to_each_other(target: Member, value: str, link: _Link) -> bool:
    """Whether the link is `x->f = y`, and the assignment of `value` to `target` is `y->g = x`."""
    match target:
        case Member(Dereference(y), g):
            return link.field != g and link.node == value and link.value == text(y)
    return False


def _places(step: Instruction) -> Iterator[LValue]:
    """The places that an instruction names."""
    for expression in expressions_of(step):
        yield from (part.place for part in parts(expression) if isinstance(part, Load))
    if isinstance(step, Assign):
        yield step.target
        yield from (part.place for part in place_parts(step.target) if isinstance(part, Load))


def _sets_null(step: Assign, base: str) -> bool:
    """Whether a pointer of the struct of that text is set to null."""
    match step.target, step.value:
        case Member(other, _, _, PointerType()), Constant(0):
            return lvalue_text(other) == base
    return False


def values(step: Instruction) -> Iterator[Expression]:
    """The expressions of an instruction, that of its target included."""
    yield from expressions_of(step)
    if isinstance(step, Assign):
        yield Load(step.target)


def _indexing(expressions: Iterable[Expression]) -> Iterator[tuple[CType, str]]:
    """The fields, with their structs, that occur in indices."""
    for part in indices_in(expressions):
        match part:
            case Load(Member(base, name)):
                yield base.type, name


def _variables_indexing(expressions: Iterable[Expression]) -> Iterator[str]:
    """The variables that are indices, or parts of them."""
    for part in indices_in(expressions):
        match part:
            case Load(VariableReference(name)):
                yield name


def _elements(expressions: Iterable[Expression]) -> Iterator[tuple[str, bool]]:
    """The arrays of which elements are named, as text, and whether by a number."""
    for part in (each for expression in expressions for each in parts(expression)):
        match part:
            case Load(Element(base, index)) | AddressOf(Element(base, index)):
                yield lvalue_text(base), isinstance(index, Constant)


def _walked(expressions: Iterable[Expression]) -> Iterator[tuple[str, int]]:
    """The fields that are gone through, each with how many of its name are in a row."""
    for part in (each for expression in expressions for each in parts(expression)):
        if isinstance(part, Load) and isinstance(part.place, Member):
            name, steps = part.place.name, 0
            inner: Expression | None = part
            while isinstance(inner, Load) and isinstance(link := inner.place, Member) and link.name == name:
                steps += 1
                inner = link.base.pointer if isinstance(link.base, Dereference) else None
            yield name, steps


def _dimensions(expressions: Iterable[Expression]) -> Iterator[tuple[int, str]]:
    for part in (each for expression in expressions for each in parts(expression)):
        match part:
            case Load(Element(Element(_, outer), inner)) | AddressOf(Element(Element(_, outer), inner)):
                yield from ((0, text(outer)), (1, text(inner)))


def _mentioned(step: Instruction) -> frozenset[str]:
    match step:
        case Assign(_, target, value):
            return variables(target) | variables(value)
        case Branch(_, condition):
            return variables(condition)
        case Library(_, _, arguments):
            return frozenset[str]().union(*map(variables, arguments))
    return frozenset()
