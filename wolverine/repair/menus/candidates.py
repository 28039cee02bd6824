"""Menus: what each location may become (the mutations and insertions of Wolverine2 section 4).

A menu is a list of choices; the search keeps version spaces as sets of choices, written as bit masks
over a menu.  A choice of an assignment is a pair of a place and a value, so that the effects of a whole
menu follow from evaluating each place and each value once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Literal, TypedDict

from wolverine.core.expressions import (
    Expression,
    Load,
    LValue,
    Member,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.patch import (
    Cleared,
    Deletion,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewReturn,
    ShortCircuit,
    mentioned,
)
from wolverine.core.program import Assign, Before, Branch, Call, Compared, Function, Gap, Jump, Program
from wolverine.core.types import CType, PointerType, StructReference
from wolverine.repair.menus.allocations import (
    allocatable,
    allocations,
    copied,
    string_copies,
    string_copy,
    strings,
)
from wolverine.repair.menus.asking import (
    asked,
    in_scope,
    of_fields,
    of_limits,
    of_nodes_asked,
    of_other_nodes,
    of_unread,
    with_one_more,
)
from wolverine.repair.menus.bounds import bounds, new_bounds
from wolverine.repair.menus.calling import Callables, Calling
from wolverine.repair.menus.carried import with_carried
from wolverine.repair.menus.cases import cases
from wolverine.repair.menus.conditions import Conditions
from wolverine.repair.menus.forks import Fork, at_the_other_end, forked, forks
from wolverine.repair.menus.guards import (
    Under,
    elsewhere,
    guarded_menu,
    in_another,
    otherwise,
    tested_menu,
    under,
)
from wolverine.repair.menus.handed import handed
from wolverine.repair.menus.jumps import jumps, offered, removable
from wolverine.repair.menus.menu import Choice, Menu
from wolverine.repair.menus.pairs import Pairs, Shared, without_constants
from wolverine.repair.menus.siblings import borrowed
from wolverine.repair.menus.skips import lasting, skips
from wolverine.repair.menus.steered import besides
from wolverine.repair.menus.subscripts import Subscripts
from wolverine.repair.menus.sums import Field, field_of, from_others, passed_for, reckoned, sums
from wolverine.repair.menus.taking_out import where_it_leads
from wolverine.repair.menus.unasked import under_tests
from wolverine.repair.menus.unreferenced import unreferenced
from wolverine.repair.menus.variants import Variants, added, counted_elsewhere
from wolverine.repair.menus.vocabulary import (
    Scope,
    Vocabulary,
    occurring_locations,
    repairable,
)
from wolverine.repair.menus.wholes import whole
from wolverine.repair.source.arms import links_asked
from wolverine.repair.source.blocks import ends_an_arm, neighbours
from wolverine.repair.source.call_rows import call_rows, calls_back
from wolverine.repair.source.conversion import convert
from wolverine.repair.source.copied import of_another_field
from wolverine.repair.source.counted_off import counted_off
from wolverine.repair.source.digits import next_digits, passed_on
from wolverine.repair.source.equality import instead
from wolverine.repair.source.extents import Remainders, going_round, remainders
from wolverine.repair.source.marked import marked, or_marked
from wolverine.repair.source.parallel import parallels
from wolverine.repair.source.pieces import Piece, pieces
from wolverine.repair.source.predicates import Predicate, asking_of, predicates
from wolverine.repair.source.reached import or_found
from wolverine.repair.source.relaxed import relaxed
from wolverine.repair.source.ringed import come_round
from wolverine.repair.source.round_limits import limited
from wolverine.repair.source.rounds import left_over
from wolverine.repair.source.rows import rows
from wolverine.repair.source.sizes import sizes
from wolverine.repair.source.swapped import exchangeable, standing
from wolverine.repair.source.threads import Threads
from wolverine.repair.source.ties import tied
from wolverine.repair.source.undone import LeftUndone
from wolverine.semantics.losing import freed, freed_types, made_for
from wolverine.semantics.owned import held_in_variables, owned
from wolverine.semantics.replacing import joined
from wolverine.semantics.valueless import ends_without


def _whole(
    location: int,
    function: str,
    index: int,
    choices: Sequence[Choice],
) -> Menu:
    return Menu(location, function, index, choices, all=(1 << len(choices)) - 1)


class Widened(TypedDict):
    """Which choices menus have besides, as arguments of `Menus`."""

    spares: bool
    nodes: bool
    calls: bool
    steered: frozenset[int]


_Worded = tuple[LValue, str, Expression, str]  # a place and a value with their texts


@dataclass
class _Kept:
    """What has been made for a program; `menus` are those of each kind (guarded, nodes, calls, steered)."""

    program: Program
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)
    indices: dict[str, dict[int, int]] = field(default_factory=dict)
    menus: dict[tuple[bool, bool, bool, frozenset[int]], dict[int, Menu | None]] = field(default_factory=dict)
    bases: dict[tuple[str, int], Shared] = field(default_factory=dict)
    conditions: dict[tuple[str, int], Conditions] = field(default_factory=dict)
    tests: dict[tuple[str, int], Under] = field(default_factory=dict)
    calling: dict[str, Calling] = field(default_factory=dict)
    callables: list[Callables] = field(default_factory=list)
    statements: dict[str, Mapping[int, Sequence[NewAssignment | NewCall | NewNode]]] = field(
        default_factory=dict
    )
    counted: dict[tuple[str, int], list[_Worded]] = field(default_factory=dict)
    parallels: dict[str, list[NewAssignment]] = field(default_factory=dict)
    frees: dict[tuple[str, int], list[tuple[NewCall, str]]] = field(default_factory=dict)
    bounds: dict[tuple[str, int], tuple[Choice, ...]] = field(default_factory=dict)
    forked: dict[tuple[str, int], tuple[Choice, ...]] = field(default_factory=dict)
    lasting: dict[tuple[str, int], list[LValue]] = field(default_factory=dict)
    forks: list[list[Fork]] = field(default_factory=list)
    cases: dict[tuple[str, int], tuple[tuple[Piece, Choice], ...]] = field(default_factory=dict)
    pieces: list[list[Piece]] = field(default_factory=list)
    asked_of: dict[tuple[str, int], Sequence[Expression]] = field(default_factory=dict)
    asked: list[list[Expression]] = field(default_factory=list)
    reckoned: list[frozenset[Field]] = field(default_factory=list)
    freed: list[frozenset[tuple[CType, int]]] = field(default_factory=list)
    copying: dict[int, bool] = field(default_factory=dict)

    @cached_property
    def threads(self) -> Threads:
        """What the program asks before it follows links that may be threads."""
        return Threads(self.program)

    @cached_property
    def subscripts(self) -> Subscripts:
        """The indices that the program reckons."""
        return Subscripts(self.program)

    @cached_property
    def predicates(self) -> Sequence[Predicate]:
        """What functions ask that do no more than that."""
        return predicates(self.program)

    @cached_property
    def undone(self) -> LeftUndone:
        """What earlier returns leave out."""
        return LeftUndone(self.program)


_CACHE: OrderedDict[tuple[int, bool], _Kept] = OrderedDict()
_CACHED = 8


def _kept(program: Program, spares: bool) -> _Kept:
    """What was made for the program before, remembered for the latest few."""
    name = id(program), spares
    found = _CACHE.get(name)
    if found is None or found.program is not program:
        found = _CACHE[name] = _Kept(program)
        while len(_CACHE) > _CACHED:
            _CACHE.popitem(last=False)
    _CACHE.move_to_end(name)
    return found


class Menus:
    """The menus of a program, made when first asked for and kept for the next search of the same program.

    With `spares`, edits may use a variable more, which is declared then.  With `guarded` gaps also take
    statements under a test, returns and jumps, with `nodes` new nodes, with `calls` calls of the
    program's functions; the numbers of the other choices are the same with and without each of these.
    Conditions at the locations `steered` take tests of numbers besides: somebody forced them.
    """

    def __init__(
        self,
        program: Program,
        *,
        guarded: bool = False,
        spares: bool = False,
        nodes: bool = False,
        calls: bool = False,
        steered: frozenset[int] = frozenset(),
    ) -> None:
        self._program = program
        self.guarded = guarded
        self.steered = steered
        self.widened: Widened = {"spares": spares, "nodes": nodes, "calls": calls, "steered": steered}
        self._spares = spares
        self._nodes = nodes
        self._calls = calls
        self._kept = kept = _kept(program, spares)
        self._vocabularies = kept.vocabularies
        self._indices = kept.indices
        self._menus = kept.menus.setdefault((guarded, nodes, calls, steered), {})
        self._bases = kept.bases
        self._conditions = kept.conditions
        self._tests = kept.tests
        self._statements = kept.statements
        self._counted_of = kept.counted
        self._parallels = kept.parallels
        self._frees_of = kept.frees
        self._bounds = kept.bounds
        self._forked_of = kept.forked
        self._asked_of = kept.asked_of
        self._asked = kept.asked
        self._lasting_of = kept.lasting
        self._forks = kept.forks
        self._cases_of = kept.cases
        self._pieces = kept.pieces
        self._reckoned = kept.reckoned
        self._freed = kept.freed
        self._copying = kept.copying
        self._calling = kept.calling
        self._callables = kept.callables

    def includes(self, other: Menus) -> bool:
        """Whether there is every choice of other menus of the same program, numbered in the same order."""
        more = ((self.guarded, other.guarded), (self._nodes, other._nodes), (self._calls, other._calls))
        alike = (self._spares, self.steered) == (other._spares, other.steered)
        return alike and all(mine >= others for mine, others in more)

    def indices(self, function: str) -> dict[int, int]:
        """The editable locations of a function and their instructions."""
        found = self._indices.get(function)
        if found is None:
            found = self._indices[function] = occurring_locations(self._program, function)
        return found

    def vocabulary(self, function: str) -> Vocabulary:
        """The places and values of a function."""
        found = self._vocabularies.get(function)
        if found is None:
            found = self._vocabularies[function] = Vocabulary(self._program, function, spares=self._spares)
        return found

    def menu(self, location: int) -> Menu | None:
        """The menu of a location, None when nothing else can stand there."""
        if location not in self._menus:
            function = self._program.location(location).function
            index = self.indices(function).get(location)
            made = None if index is None else self._make(location, function, index)
            if made is not None and self._spares:
                made = without_constants(made, self._program.functions[function].spares)
            self._menus[location] = made if made is not None and made.all | made.calls | made.alone else None
        return self._menus[location]

    def _make(self, location: int, function: str, index: int) -> Menu | None:
        vocabulary = self.vocabulary(function)
        where = self._program.location(location)
        scope = vocabulary.scope(where)
        match self._program.functions[function].code[index]:
            case Compared(_, target, value):
                pairs = Pairs(vocabulary)
                pairs.put(target, lvalue_text(target), value, text(value))
                return pairs.menu(location, function, index)
            case Before():
                return self._before(vocabulary, scope, location, function, index)
            case Gap() if where.gap == "result":
                return self._result(vocabulary, scope, location, function, index)
            case Gap():
                menu = self._gap(vocabulary, scope, location, function, index)
                return self._guarded(menu, vocabulary, scope) if self.guarded else menu
            case Assign(_, target, value):
                if where.kind == "step":
                    return self._step(vocabulary, location, function, index, target)
                if where.kind == "assignment":
                    return self._assignment(vocabulary, scope, location, function, index, target, value)
                return self._value(vocabulary, scope, location, function, index, target, value)
            case Call(_, called) if where.kind == "allocation":
                return self._allocated(location, function, index, called)
            case Call(_, called):
                return self._call(vocabulary, scope, location, function, index, called)
            case Jump() if self.guarded and removable(self._program.functions[function], index):
                return _whole(location, function, index, (Choice(Deletion()),))
            case Branch(_, condition):
                return self._condition(vocabulary, scope, location, function, index, condition)
        return None

    def _call(
        self, vocabulary: Vocabulary, scope: Scope, location: int, function: str, index: int, called: str
    ) -> Menu:
        """What may stand in the place of a call: one of another function, nothing for a statement."""
        gone = (Choice(Deletion()),) if self._program.location(location).kind == "call" else ()
        others: tuple[Choice, ...] = ()
        if self._calls and (called in self._program.functions or called == "free"):
            others = tuple(self._called(function, vocabulary).instead(scope, called, index))
        calls = ((1 << len(others)) - 1) << len(gone)
        return Menu(location, function, index, (*gone, *others), all=(1 << len(gone)) - 1, calls=calls)

    def _allocated(self, location: int, function: str, index: int, called: str) -> Menu | None:
        """What an allocation in a statement may become; that it goes with that is looked for by itself."""
        if not self._nodes:
            return None
        cleared = (Choice(Cleared()),) if called == "malloc" else ()
        gone = Choice(Deletion())
        menu = _whole(location, function, index, (*cleared, gone))
        return replace(menu, all=(1 << len(cleared)) - 1, alone=1 << len(cleared))

    def _shared(self, vocabulary: Vocabulary, scope: Scope, function: str) -> Shared:
        """The assignments that can stand anywhere in a scope."""
        key = (function, id(scope))
        found = self._bases.get(key)
        if found is None:
            found = self._bases[key] = Shared(vocabulary, scope)
        return found

    def _within(self, vocabulary: Vocabulary, scope: Scope, function: str) -> Conditions:
        """The conditions that can be written in a scope."""
        key = (function, id(scope))
        found = self._conditions.get(key)
        if found is None:
            found = self._conditions[key] = Conditions(vocabulary, scope)
        return found

    def _gap(
        self,
        vocabulary: Vocabulary,
        scope: Scope,
        location: int,
        function: str,
        index: int,
    ) -> Menu:
        pairs = Pairs(vocabulary, self._shared(vocabulary, scope, function))
        named = {variable.name for variable in scope}
        near = [each for each in self._neighbours(function).get(location, ()) if mentioned(each) <= named]
        for made in near:
            if isinstance(made, NewAssignment) and repairable(made.target.type):
                pairs.put(made.target, lvalue_text(made.target), made.value, text(made.value))
        for each in self._counted(vocabulary, scope, function):
            pairs.put(*each)
        within = self._program.functions[function]
        for made in next_digits(within, index):
            if mentioned(made) <= named:
                pairs.put(made.target, lvalue_text(made.target), made.value, text(made.value))
        undone = self._kept.undone.at(function, index)
        if undone is not None and not mentioned(undone) <= named:
            undone = None
        if isinstance(undone, NewAssignment) and repairable(undone.target.type):
            pairs.put(undone.target, lvalue_text(undone.target), undone.value, text(undone.value))
        frees = [
            Choice(free, -1, pairs.value(free.arguments[0], written))
            for free, written in self._frees(vocabulary, scope, function)
        ]
        known = {each.replacement for each in frees}
        for made in near:
            if isinstance(made, NewCall) and made not in known:
                [value] = made.arguments
                frees.append(Choice(made, -1, pairs.value(value, text(value))))
        numbered = enumerate(vocabulary.places(scope))
        places = {number: place for number, place in numbered if vocabulary.writable(place)}
        nodes = [*allocations(self._program, places)] if self._nodes else []
        if self._nodes:
            nodes += _copies(pairs, self._program.functions[function], places)
            if self._strings(function):
                nodes += _string_copies(pairs, [*places.values()])
            known_nodes = {each.replacement for each in nodes}
            for made in near:
                if isinstance(made, NewNode) and made not in known_nodes:
                    nodes.append(Choice(made, pairs.target(made.target, lvalue_text(made.target))))
        calls = self._called(function, vocabulary).choices(scope, index) if self._calls else ()
        if self._calls and isinstance(undone, NewCall) and undone not in {e.replacement for e in calls}:
            calls = (*calls, Choice(undone))
        code = within.code
        last: tuple[Choice, ...] = ()
        alone: list[Choice] = []  # they are looked for by themselves
        if self.guarded:
            lived = self._lasting(vocabulary, scope, function)
            last = (
                *map(Choice, jumps(code, index)),
                *self._new_bounds(vocabulary, scope, function),
                *self._forked(scope, function),
                *map(Choice, skips(self._program, within, index, named, lived)),
            )
            alone = [made for _, made in self._cases(vocabulary, scope, function)]
            alone += map(Choice, unreferenced(self._program, within, index, named))
        menu = pairs.menu(location, function, index, (*frees, *nodes), calls=calls, last=(*last, *alone))
        apart = ~(-1 << len(alone)) << len(menu.choices) - len(alone)
        return replace(menu, all=menu.all & ~apart, alone=apart)

    def _strings(self, function: str) -> bool:
        """Whether the file of a function copies strings onto the heap."""
        within = self._program.functions[function]
        if within.file not in self._copying:
            self._copying[within.file] = strings(self._program, within)
        return self._copying[within.file]

    def _freed_fields(self) -> frozenset[tuple[CType, int]]:
        """The fields whose nodes the program frees, or has to: the struct, and where in it they lie."""
        if not self._freed:
            held = [each.place for each in freed(self._program) if isinstance(each, Load)]
            ending = freed_types(self._program) | held_in_variables(self._program)
            held += owned(self._program, ending)
            fields = ((each.base.type, each.offset) for each in held if isinstance(each, Member))
            self._freed.append(frozenset(fields))
        return self._freed[0]

    def _counted(self, vocabulary: Vocabulary, scope: Scope, function: str) -> list[_Worded]:
        """What counts numbers in nodes in a scope: as others there are, by sums, as other functions do."""
        key = (function, id(scope))
        if key not in self._counted_of:
            if not self._reckoned:
                self._reckoned.append(reckoned(self._program))
            if function not in self._parallels:
                code = self._program.functions[function]
                self._parallels[function] = list(parallels(self._program.types, code))
            named = {variable.name for variable in scope}
            made = [each for each in self._parallels[function] if mentioned(each) <= named]
            made += sums(vocabulary, scope, self._reckoned[0])
            made += borrowed(self._program, function, vocabulary, scope)
            self._counted_of[key] = [
                (each.target, lvalue_text(each.target), each.value, text(each.value)) for each in made
            ]
        return self._counted_of[key]

    def _frees(self, vocabulary: Vocabulary, scope: Scope, function: str) -> list[tuple[NewCall, str]]:
        """What may be freed in a scope, with its text; nothing where the program allocates nothing."""
        if not vocabulary.frees:
            return []
        key = (function, id(scope))
        if key not in self._frees_of:
            made = made_for(self._program, function)
            values = [*_freeable(scope, made, self._freed_fields(), vocabulary)]
            self._frees_of[key] = [(NewCall("free", (value,)), text(value)) for value in values]
        return self._frees_of[key]

    def _new_bounds(self, vocabulary: Vocabulary, scope: Scope, function: str) -> tuple[Choice, ...]:
        """The numbers in a scope of which the greatest or the least may be kept."""
        key = (function, id(scope))
        if key not in self._bounds:
            places = [place for place in vocabulary.places(scope) if vocabulary.writable(place)]
            self._bounds[key] = tuple(map(Choice, new_bounds(places)))
        return self._bounds[key]

    def _lasting(self, vocabulary: Vocabulary, scope: Scope, function: str) -> list[LValue]:
        """Where what is done in a special case may be stored in a scope."""
        key = (function, id(scope))
        if key not in self._lasting_of:
            places = [place for place in vocabulary.places(scope) if vocabulary.writable(place)]
            self._lasting_of[key] = lasting(self._program.functions[function], places)
        return self._lasting_of[key]

    def _forked(self, scope: Scope, function: str) -> tuple[Choice, ...]:
        """What the program does elsewhere in one of two ways, as it would be written in a scope."""
        key = (function, id(scope))
        if key not in self._forked_of:
            self._forked_of[key] = tuple(map(Choice, forked([*chain(*self._sources())], scope)))
        return self._forked_of[key]

    def _sources(self) -> Sequence[list[Fork]]:
        """What the program does in one of two ways, and what that is at the other end of a list."""
        if not self._forks:
            found = [*forks(self._program)]
            self._forks += found, [*at_the_other_end(self._program, found)]
        return self._forks

    def _other_ends(self, scope: Scope) -> Iterator[Guarded]:
        """What the program does at the other end of a list in one of two ways, as it is for this end."""
        first, opposite = self._sources()
        offered = {*forked([*first, *opposite], scope)}
        return (each for each in forked(opposite, scope) if each in offered)

    def _cases(self, vocabulary: Vocabulary, scope: Scope, function: str) -> tuple[tuple[Piece, Choice], ...]:
        """What the program does elsewhere in several statements, as it would be written in a scope."""
        key = (function, id(scope))
        if key not in self._cases_of:
            if not self._pieces:
                self._pieces += (
                    [*pieces(self._program)],
                    [*rows(self._program)],
                    [*call_rows(self._program)],
                )
            places = [place for place in vocabulary.places(scope) if vocabulary.writable(place)]
            found = (cases(self._program.types, each, function, scope, places) for each in self._pieces)
            self._cases_of[key] = tuple(
                (p, Choice(made))
                for p, made in chain.from_iterable(found)
                if not calls_back(self._program, p, function)
            )
        return self._cases_of[key]

    def _asking(self, vocabulary: Vocabulary, scope: Scope, function: str) -> Sequence[Expression]:
        """What the program asks elsewhere, as written in a scope, and for what the function was given."""
        key = (function, id(scope))
        if key not in self._asked_of:
            if not self._asked:
                self._asked.append(asked(self._program))
            within = self._program.functions[function]
            given = of_unread(within, vocabulary.places(scope), scope)
            self._asked_of[key] = [*given, *in_scope(self._asked[0], scope)]
        return self._asked_of[key]

    def _called(self, function: str, vocabulary: Vocabulary) -> Calling:
        """The calls that the gaps of a function take."""
        found = self._calling.get(function)
        if found is None:
            if not self._callables:
                self._callables.append(Callables(self._program))
            made = Calling(self._program, function, vocabulary, self._callables[0])
            found = self._calling[function] = made
        return found

    def _neighbours(self, function: str) -> Mapping[int, Sequence[NewAssignment | NewCall | NewNode]]:
        """What stands around the gaps of a function and could stand there."""
        found = self._statements.get(function)
        if found is None:
            indices = self.indices(function)
            places = {index: location for location, index in indices.items()}
            found = self._statements[function] = neighbours(self._program, function, places)
        return found

    def _guarded(self, menu: Menu, vocabulary: Vocabulary, scope: Scope) -> Menu:
        made = self._under(vocabulary, scope, menu.function)
        leaving = ends_an_arm(self._program, menu.location, menu.index)
        leaving = leaving or ends_without(self._program.functions[menu.function], menu.index)
        leaping = offered(self._program, menu.function, menu.index)
        whole = guarded_menu(menu, made, leaving=leaving, leaping=leaping)
        tested = under_tests(self._program.functions[menu.function], menu.index, whole)
        return replace(whole, alone=whole.alone | (tested & ~whole.all))

    def _under(self, vocabulary: Vocabulary, scope: Scope, function: str) -> Under:
        """The tests and returns of a scope."""
        key = (function, id(scope))
        found = self._tests.get(key)
        if found is None:
            conditions = self._within(vocabulary, scope, function)
            inside, names = self._program.functions[function], {variable.name for variable in scope}
            marks = [each for each in marked(self._program, inside) if variables(each) <= names]
            marks += asking_of(self._kept.predicates, inside, names)
            found = self._tests[key] = under(vocabulary, conditions, inside, scope, marks)
        return found

    def tests(self, location: int) -> Sequence[Expression]:
        """What may be asked in a gap, each once."""
        where = self._program.location(location)
        vocabulary = self.vocabulary(where.function)
        scope = vocabulary.scope(where)
        made = chain(
            self._under(vocabulary, scope, where.function).tests,
            self._asking(vocabulary, scope, where.function),
            of_fields(vocabulary.places(scope), scope),
            of_limits(vocabulary.places(scope)),
            of_other_nodes(self._program.functions[where.function], [*vocabulary.places(scope)]),
        )
        return [*{text(each): each for each in made}.values()]

    def passed(self, location: int, called: str) -> list[list[Expression]] | None:
        """What a call in a gap may pass to a function of the program, by parameter; None where it may not."""
        where = self._program.location(location)
        vocabulary, index = self.vocabulary(where.function), self.indices(where.function)[location]
        return self._called(where.function, vocabulary).passed(vocabulary.scope(where), index, called)

    def returns(self, location: int) -> Sequence[NewReturn]:
        """With what the function may be left in a gap."""
        where = self._program.location(location)
        vocabulary = self.vocabulary(where.function)
        return self._under(vocabulary, vocabulary.scope(where), where.function).returns

    def _before(
        self, vocabulary: Vocabulary, scope: Scope, location: int, function: str, index: int
    ) -> Menu | None:
        """The tests that may stand in front of a condition that calls."""
        if not self.guarded:
            return None
        tests = self._under(vocabulary, scope, function).tests
        operators: tuple[Literal["&&", "||"], ...] = ("&&", "||")
        choices = [Choice(ShortCircuit(operator, test)) for operator in operators for test in tests]
        return _whole(location, function, index, tuple(choices))

    def _result(
        self,
        vocabulary: Vocabulary,
        scope: Scope,
        location: int,
        function: str,
        index: int,
    ) -> Menu | None:
        """Where the value of a call may be stored that is dropped as it is."""
        call = self._program.functions[function].code[index - 1]
        if not isinstance(call, Call) or call.result is None or not repairable(call.result.type):
            return None
        pairs = Pairs(vocabulary)
        for place in vocabulary.places(scope):
            if place.type == call.result.type:
                pairs.add(place, lvalue_text(place), Load(call.result))
        return pairs.menu(location, function, index)

    @cached_property
    def _taken(self) -> Remainders:
        """What the program takes remainders of."""
        return remainders(self._program)

    def _from_others(
        self, vocabulary: Vocabulary, scope: Scope, field: Field | None, value: Expression
    ) -> Iterator[Expression]:
        """Sums of a field and the value with which it is set, if the program reckons with such fields."""
        if field in self._summed:
            yield from from_others(vocabulary, scope, field, value)

    @cached_property
    def _summed(self) -> frozenset[Field]:
        return reckoned(self._program, converted=True)

    def _assignment(
        self,
        vocabulary: Vocabulary,
        scope: Scope,
        location: int,
        function: str,
        index: int,
        target: LValue,
        value: Expression,
    ) -> Menu:
        if not repairable(target.type):
            return _whole(location, function, index, (Choice(Deletion()),))
        pairs = Pairs(vocabulary, self._shared(vocabulary, scope, function))
        written, original = lvalue_text(target), text(value)
        variants = Variants(vocabulary, scope, target)
        if not pairs.shares(written):
            offer = vocabulary.offer(scope, target.type)
            for other_text, other in zip(offer.numbers, offer.values, strict=True):
                pairs.put(target, written, other, other_text)
        for other in variants.of_value(value, whole=value.type != target.type):
            pairs.add(target, written, other)
        for other in variants.together(value, self._program.location(location).repeated):
            pairs.add(target, written, other)
        for other in self._kept.subscripts.of_value(function, scope, value):
            pairs.put(target, written, other, text(other))
        converted = convert(value, target.type)
        for other in added(target, converted):
            pairs.add(target, written, other)
        if converted is not None:
            others = (
                *vocabulary.places(scope),
                *variants.of_place(target),
                *self._kept.subscripts.of_place(function, scope, target),
            )
            for place in others:
                if place.type == target.type:
                    pairs.put(place, lvalue_text(place), converted, original)
            for place, counted in counted_elsewhere(target, converted, others):
                pairs.put(place, lvalue_text(place), counted, text(counted))
        for place, other in going_round(self._program.functions[function].code, index, self._taken):
            pairs.put(place, lvalue_text(place), other, text(other))
        carried = with_carried(self._program.functions[function], index, target, value)
        for other in (*self._from_others(vocabulary, scope, field_of(target), value), *carried):
            pairs.put(target, written, other, text(other))
        for made in standing(self._program.functions[function], location):
            if repairable(made.target.type):
                pairs.put(made.target, lvalue_text(made.target), made.value, text(made.value))
        more = (Choice(Deletion()), *self._instead(location, pairs, target, value))
        if (copied := whole(target, value)) is not None:
            more = (*more, Choice(copied))
        # A call in the statement would stand under the test as text, and come before it in the model.
        alone = not any(name.startswith("$") for name in variables(value) | variables(target))
        tested = self.guarded and alone and self._program.location(location).semicolon
        if tested:
            places = [place for place in vocabulary.places(scope) if vocabulary.writable(place)]
            more = (*more, *elsewhere(target, value, places), *otherwise(target, value, places))
            more = (*more, *in_another(self._program.functions[function], target, value, places))
            more = (*more, *map(Choice, (*bounds(target, value), *where_it_leads(target, value))))
        menu = pairs.menu(location, function, index, more, (written, original))
        number = pairs.number(written, original)
        if not tested or number is None:
            return menu
        return tested_menu(menu, number, self._under(vocabulary, scope, function))

    def _instead(self, location: int, pairs: Pairs, target: LValue, value: Expression) -> tuple[Choice, ...]:
        """A new node instead of the value that is assigned."""
        where = self._program.location(location)
        if not self._nodes or not allocatable(where, value):
            return ()
        number = pairs.target(target, lvalue_text(target))
        made = [*allocations(self._program, {number: target})]
        copy = string_copy(target, value) if self._strings(where.function) else None
        if copy is not None:
            made.append(Choice(copy, number, pairs.value(value, text(value))))
        return tuple(made)

    def _value(
        self,
        vocabulary: Vocabulary,
        scope: Scope,
        location: int,
        function: str,
        index: int,
        target: LValue,
        value: Expression,
    ) -> Menu | None:
        if not repairable(target.type):
            return None
        measures = sizes(self._program, self._program.functions[function], index)
        pairs = Pairs(vocabulary, value_only=True)
        written = lvalue_text(target)
        if measures is not None:
            for other in measures:
                pairs.add(target, written, other)
            return pairs.menu(location, function, index, (), (written, text(value)))
        for other in exchangeable(self._program.functions[function], index):
            pairs.put(target, written, other, text(other))
        for other in handed(vocabulary, scope, target.type, value):
            pairs.put(target, written, other, text(other))
        variants = Variants(vocabulary, scope, target)
        for other in variants.of_value(value, whole=True):
            pairs.add(target, written, other)
        for other in variants.together(value, self._program.location(location).repeated):
            pairs.add(target, written, other)
        within = self._program.functions[function]
        rests = (*passed_on(within, index), *counted_off(within, index))
        for other in (*tied(value), *rests, *self._kept.subscripts.of_value(function, scope, value)):
            pairs.put(target, written, other, text(other))
        for _, other in going_round(self._program.functions[function].code, index, self._taken):
            pairs.put(target, written, other, text(other))
        offer = vocabulary.offer(scope, target.type)
        for other_text, other in zip(offer.numbers, offer.values, strict=True):
            pairs.put(target, written, other, other_text)
        passed = passed_for(self._program, self._program.functions[function].code, index)
        carried = with_carried(self._program.functions[function], index, target, value)
        for other in (*self._from_others(vocabulary, scope, passed, value), *carried):
            pairs.put(target, written, other, text(other))
        initialiser = self._program.location(location).kind == "initialiser"
        more: tuple[Choice, ...] = (Choice(Deletion()),) if initialiser else ()
        more = (*more, *self._instead(location, pairs, target, value))
        return pairs.menu(location, function, index, more, (written, text(value)))

    def _step(
        self, vocabulary: Vocabulary, location: int, function: str, index: int, target: LValue
    ) -> Menu | None:
        """What a macro's loop may go on to: what was kept (else it is right, as all its uses go by it)."""
        pairs = Pairs(vocabulary, value_only=True)
        for each in self._program.functions[function].spares if self._spares else ():
            if each.type == target.type:
                pairs.put(target, lvalue_text(target), Load(each), text(Load(each)))
        return pairs.menu(location, function, index)

    def _condition(
        self,
        vocabulary: Vocabulary,
        scope: Scope,
        location: int,
        function: str,
        index: int,
        condition: Expression,
    ) -> Menu:
        compared = instead(self._program.functions[function], index)
        meant: list[Expression] = [compared] if compared is not None else []
        meant += links_asked(self._program.functions[function].code, index, scope)
        meant += relaxed(self._program.functions[function].code, index)
        meant += or_marked(condition, marked(self._program, self._program.functions[function]))
        meant += tied(condition)
        meant += of_another_field(self._program.functions[function].code, index, condition)
        meant += self._kept.threads.instead_of(condition)
        meant += self._kept.subscripts.of_value(function, scope, condition)
        meant += with_one_more(condition, self._asking(vocabulary, scope, function))
        fields = of_nodes_asked(condition, vocabulary.places(scope))
        meant += with_one_more(condition, [*of_other_nodes(self._program.functions[function], fields)])
        if self._program.location(location).loop:
            meant += left_over(self._program.functions[function], index, scope)
            meant += come_round(self._program.functions[function], index, scope)
            meant += limited(self._program.functions[function], index, vocabulary.places(scope))
            named = {variable.name for variable in scope}
            meant += (
                each
                for each in or_found(self._program.functions[function], index, condition)
                if variables(each) <= named
            )
        if location in self.steered:
            inside = self._program.functions[function]
            meant += besides(vocabulary, inside, index, scope, condition)
        meant += Variants(vocabulary, scope).together(condition, self._program.location(location).repeated)
        inside = self._program.functions[function]
        step = inside.code[index]
        join = joined(inside, step) if isinstance(step, Branch) else None
        other = None if join is None else join.other
        choices = self._within(vocabulary, scope, function).instead_of(condition, meant, other)
        return _whole(location, function, index, choices)


def _copies(pairs: Pairs, function: Function, places: Mapping[int, LValue]) -> Iterator[Choice]:
    """Room for the strings that the function copies, where they are copied to."""
    numbers = {lvalue_text(place): number for number, place in places.items()}
    for place, string in copied(function):
        if (number := numbers.get(lvalue_text(place))) is not None:
            yield Choice(NewNode(place, 1, string=string), number, pairs.value(string, text(string)))


def _string_copies(pairs: Pairs, places: Sequence[LValue]) -> Iterator[Choice]:
    """Copies of the strings that fields hold."""
    for made in string_copies(places):
        assert made.string is not None
        target = pairs.target(made.target, lvalue_text(made.target))
        yield Choice(made, target, pairs.value(made.string, text(made.string)))


def _freeable(
    scope: Scope, made: Collection[str], freed: Collection[tuple[CType, int]], vocabulary: Vocabulary
) -> Iterator[Load]:
    """The pointers to structs and what is `made` for others, and the fields that are `freed` somewhere."""
    for variable in scope:
        if not isinstance(variable.type, PointerType):
            continue
        own = variable.level == "local" and variable.name in made
        if own or isinstance(variable.type.target, StructReference):
            yield Load(variable)
    for place in vocabulary.places(scope) if freed else ():
        if isinstance(place, Member) and (place.base.type, place.offset) in freed:
            yield Load(place)
