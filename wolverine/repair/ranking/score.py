"""How far a patch is from the source as it is: the edit distance that ranks candidates.

The weights were fitted on injected faults of list and tree programs: a changed variable, field or
operator costs 1, another kind of operand 1.5, a deletion 2.5, an insertion 1.2 and more the less it
resembles what stands around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.arguments import exchanged, repeated
from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Expression,
    Load,
    LValue,
    VariableReference,
    text,
    variables,
)
from wolverine.core.parts import null_test, parts
from wolverine.core.patch import (
    Cleared,
    Deletion,
    Edit,
    FreedList,
    Guarded,
    NewAssignment,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Several,
    ShortCircuit,
    unguarded,
)
from wolverine.core.program import (
    MAIN,
    Assign,
    Before,
    Branch,
    Call,
    Compared,
    Gap,
    Instruction,
    Jump,
    Library,
    Program,
)
from wolverine.core.types import CType, PointerType, is_scalar
from wolverine.repair.menus.allocations import makers, unset
from wolverine.repair.menus.bounds import among_several, is_bound
from wolverine.repair.menus.full import in_front
from wolverine.repair.menus.jumps import whole_arm
from wolverine.repair.menus.unlinked import forgets_link
from wolverine.repair.menus.unreferenced import is_unreferenced
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.repair.ranking.absorbed import absorbs, asks_of_another, decided, mixes_alternatives
from wolverine.repair.ranking.aliased import Pair, leaves_out
from wolverine.repair.ranking.contradicted import looked_at_first
from wolverine.repair.ranking.distance import (
    DELETION,
    INSERTION,
    KIND,
    OTHER_JOIN,
    assignment_distance,
    called_distance,
    condition_distance,
    distance,
    joined,
    looks_again,
    looks_before,
    looks_first,
    of_another_kind,
    parts_tests,
)
from wolverine.repair.ranking.forcing import forced
from wolverine.repair.ranking.insertions import (
    ANOTHER,
    BOUND,
    CALLED,
    FOLLOWED,
    FORCED,
    NAMESAKE,
    TEST,
    Insertions,
)
from wolverine.repair.ranking.oddity import (
    against,
    appends,
    asks_again,
    asks_what_is_set,
    began_with,
    checked,
    checking,
    done_next,
    feigns,
    follows_twice,
    goes_on,
    is_freed_next,
    leads_to_a_pointer,
    leaves_its_links,
    of_the_first,
    other_answer,
    pairs_as_beside,
    passed_beside,
    passed_twice,
    reason_against,
    reckons_with_key,
    settles,
    shape,
    shelters_other,
    unread,
)
from wolverine.repair.ranking.origins import Origins
from wolverine.repair.source.arms import asks_for_link, is_empty, makes_alike
from wolverine.repair.source.called import argument_of, nulls_passed
from wolverine.repair.source.copied import is_copy, of_another_field
from wolverine.repair.source.counting import counts_only_up, counts_otherwise, passes_by
from wolverine.repair.source.downward import goes_down_twice
from wolverine.repair.source.dropped import Dropped
from wolverine.repair.source.extents import Extents, going_round, remainders
from wolverine.repair.source.familiar import Familiar, compares_namesakes, namesakes, passes_namesakes
from wolverine.repair.source.marked import or_marked
from wolverine.repair.source.misdirected import directs, misdirected
from wolverine.repair.source.mistyped import mixes_truths
from wolverine.repair.source.relaxed import relaxed, stored_alike
from wolverine.repair.source.repeated import made_again, reckoned_again
from wolverine.repair.source.ringed import comes_back, comes_round
from wolverine.repair.source.rounds import goes_through_null
from wolverine.repair.source.rows import passed_over
from wolverine.repair.source.stepping import Pointer, appended_behind, begins_at_an_end, steps_unappended
from wolverine.repair.source.surroundings import values
from wolverine.repair.source.threads import Threads
from wolverine.repair.source.ties import tied
from wolverine.repair.source.vain import asked_in_vain, protects_nothing
from wolverine.repair.source.walk import expressions_of, reads_through, used_behind
from wolverine.repair.special.keeping import kept_in
from wolverine.semantics.dataflow import surely_assigned
from wolverine.semantics.replacing import repeating

_TARGET = 0.05  # at equal distance the target stays and the value changes
_GOES_ON_ITSELF = 0.02  # between equals: `p = p->next` rather than `p = q->next`
_APPENDED = 0.25  # it goes on to what was just linked behind it
_FEIGNED = 1.5  # what a check compares is set to what it has to be
_PLAINER = -0.05  # at most, where it is less odd than what is there
_NOTHING = 0.7  # a statement that changes nothing was meant to do something
_FORGOTTEN = 0.5  # what has not been used at all is used now
_INDEXED = 1.0  # a field is an index that is none elsewhere, or a number where it always is a variable
_ODD_INDEX = 0.1  # a variable is an index that the function has for nothing else, as it has others
_FURTHER = 0.5  # for each link further than the program goes in a row
_UNUSED = 0.4  # a local variable is read nowhere any more
_UNSET = 0.4  # a variable is read that nothing has set on some way there
_CHECKING = 0.6  # what only assertions call says what is right, and does nothing
_DATA = 0.4  # a number that main passes on is hardly the fault
_OTHER_LINK = 0.15  # `*pp = q->prev` behind `pp = &(*pp)->next`
_IN_VAIN = 0.4  # it is stored in a node that is freed next
_ANYWAY = 1.0  # what is done in the other case is done next in all of them
_DEFINED = 0.6  # a constant with a name is another one, or what it stands for
_GUARDING = 0.2  # a test of a pointer before it is gone through
_TESTED = 0.25  # what the condition tests for null is now what it goes through
_LOOKING = 1.05  # where the condition crashed by going through that
_LOOKING_AGAIN = 0.7  # less where it is a loop's, and no round changes the answer
_AGAINST = 0.8  # the same test the wrong way round
_FAMILIAR = 0.15  # what is named instead is named elsewhere, and what was named is not
_TWICE = 0.5  # a call is given the same value in two places
_ALIKE = 0.8  # in favour of two arguments of one name: `compare(key, n->key)`
_OFTEN = 0.02  # between equals: for each other call of the statement that is given that value
_PAIRED = 0.1  # what is passed is reckoned of the same two nodes as what is passed beside it
_PACE = 0.6  # what counts by one counts by another number
_ONLY_UP = 0.3  # or up where nodes go, as it is counted up where they come
_OTHER_KIND = 0.25  # a field is reckoned with another one where it was with the same
_PASSED_OVER = 0.1  # a row that a jump passes over stands in front of that, too, rather than a part of it
_REPEATED = 0.8  # a step that the loop makes as well is deleted, or a sum that is made again at once
_MEANT = 0.4  # `=` in the place of `==`
_PARTNERS = 0.1  # what the function compares elsewhere is no more compared, or kept in one another elsewhere
_DROPPED = 0.3  # a call is made for what it gives, and that is read no more
_ESTRANGED = 0.1  # an element that other statements name as well is named otherwise in one place
_SETTLED = 0.8  # what is asked for has just been set: the answer is always the same
_ASKED_IN_VAIN = 0.3  # each test in it of what the condition makes sure of
_NEEDLESS = 0.05  # between equals: a test for null where nothing goes through the pointer
_ASKED_AGAIN = 0.4  # so it is where what was compared on the way is compared again
_ANSWERED = 1.0  # what a library function answers is compared with something else
CLOSEST_SPECIAL = TEST + BOUND
_NO_BOUND = 0.3  # where nothing says that the least or the greatest is kept
_SOMETIMES = 0.4  # that is what is there already: a crash is hidden easily
_GOES_ON = 0.4  # behind the test the pointer is gone through, or passed on, without one
_ADDRESS = 0.1  # the address of a link is hardly ever null
_VALUE = 1.0  # another value
_NODE = 0.6  # a new node for what is set otherwise
_RECKONED = 0.5  # `k + 1` of a key
_COPY = 0.9  # a copy of a string, rather than what leads to it
_CLEARED = 1.2  # calloc for malloc
_BARE = 0.8  # which nothing fills, where another function makes such nodes
_LOOP = 2.0  # a loop that frees a list
CLOSEST_ONWARD = 0.8  # a jump is gone: few are, by which an execution comes out right
_LINK_ASKED = 1.0  # what is asked for is which of the links leads somewhere that the arms set
_RELAXED = 0.5  # what is compared is what is then stored, and what that replaces
_MARKED = 0.5  # or it asks besides for the mark that the recursion sets, which nothing reads
_TIED = 0.5  # or it decides only where others are equal
_PASSED_BY = 0.9  # or it asks for more or less than what the loop may step over
_COPIED = 0.5  # or it is a copy of one along another link, where neither field nor variable was changed
_SAME_ARMS = 0.8  # both arms of an `if` are the same then
_DOWN = 0.4  # a recursion goes on over the link into which it goes down
_EMPTY = 0.8  # an arm of an `if` has held nothing
_ALIASED = 2.5  # something is left out where two arguments are one, as they are where it fails
_COME_ROUND = 1.1  # the loop that has no end asks whether it has come round
_MIXED = 0.1  # of two tests for null, or alternatives, that were alike one is the contrary
_EXTENT = 0.8  # a number is reckoned with what its array has elements
_NULL_PASSED = 0.8  # nothing is passed, where no other call does so
_NO_TRUTH = 1.0  # a number is stored as a truth value, or a truth value as a number
_INTO_NULL = 2.0  # a loop goes on where the next round crashes
_ROUND = 0.5  # in favour of a walk that is over where it began
_ABSORBED = 2.0  # of two comparisons that are joined one says nothing
_GOING_ROUND = 0.4  # the remainder by an array's length, as the program takes it elsewhere
_STEP_ASKED = 0.3  # a step to what was appended is made where something was
_ASKED_TWICE = 0.5  # what asks twice for the same asks for something else
_REMADE = 0.9  # what is reckoned anew stands in the variable, which has changed since
_WRITTEN_OUT = 1.0  # of what a macro stands for a part is changed
_AT_AN_END = 0.8  # a walk that begins there looks at no more than one node
_KEPT = 0.8  # what cannot be read any more where it crashes stands in that variable as well


class Scores(Insertions):
    """The distances of edits of one program.

    All that is known may be a crash, at the location `crashed` (-1: it is not), in calls of which the
    arguments `same` are one node.
    """

    def __init__(self, program: Program, crashed: int = -1, same: frozenset[Pair] = frozenset()) -> None:
        super().__init__(program)
        self._crashed = crashed
        self._same = same
        self._dropped = Dropped(program)
        self._checking = checking(program)
        self._familiar = Familiar(program)
        self._indices: dict[str, dict[int, int]] = {}
        self._extents = Extents(program)
        self._threads = Threads(program)
        self._known: dict[Edit, float] = {}
        self._idle: dict[str, frozenset[str]] = {}
        self._read: dict[str, Counter[str]] = {}  # by function: how many steps read a variable
        self._set: dict[str, dict[int, frozenset[str]]] = {}  # by function and instruction: surely set locals
        self._scalars: dict[str, frozenset[str]] = {}  # by function: its locals that are no structs
        self._checked: dict[str, frozenset[frozenset[str]]] = {}
        self._makers: Mapping[CType, Sequence[str]] | None = None
        self._taken: Mapping[int, Constant] | None = None
        self._nulls: frozenset[tuple[str, int]] | None = None
        self._steps: dict[str, Mapping[int, LValue]] = {}
        self._appended: frozenset[tuple[Pointer, int]] | None = None
        self._misdirected: dict[str, frozenset[int]] = {}

    def patch(self, patch: Patch) -> float:
        """The sum over the edits."""
        return round(sum(self.edit(edit) for edit in patch.edits), 6)

    def edit(self, edit: Edit) -> float:
        """The distance of one edit."""
        found = self._known.get(edit)
        if found is None:
            found = self._edit(edit) - _FORGOTTEN * self._recalls(edit) + _DEFINED * self._redefines(edit)
            found += self._changes_arguments(edit)
            found += self._indexes(edit) + _DATA * self._is_data(edit.location)
            found += _FURTHER * self._around.steps_further(_named_by(edit))
            function = self._program.location(edit.location).function
            found += _CHECKING * (function in self._checking)
            found -= _ALIASED * leaves_out(self._same, function, edit.replacement)
            found += _SAME_ARMS * makes_alike(self._program, edit) - _EMPTY * self._fills_an_arm(edit)
            found += _DOWN * self._goes_down_twice(edit) + _FEIGNED * self._settles(edit)
            found += _OTHER_LINK * self._leaves_its_links(edit) + _IN_VAIN * self._is_freed_next(edit)
            found += _UNSET * self._reads_unset(edit) + _UNUSED * self._leaves_unused(edit)
            found += _DROPPED * self._drops_result(edit) + _ESTRANGED * self._estranges(edit)
            found += _NO_TRUTH * self._mixes_truths(edit) + _AT_AN_END * self._begins_at_an_end(edit)
            self._known[edit] = found
        return found

    def sets_first(self, patch: Patch) -> bool:
        """Whether an edit assigns something to what the program tests and never sets."""
        return any(
            self._flags.sets_first(function, each.target, each.value)
            for function, each in self._assigning(patch)
        )

    def asks_of_another(self, patch: Patch) -> bool:
        """Whether it only lets a condition that asks for one thing twice ask for another one besides."""
        match patch.edits:
            case (Edit(location, NewValue(new)),):
                _, _, step = self._instruction(location)
                return isinstance(step, Branch) and asks_of_another(step.condition, new)
        return False

    def links_first(self, patch: Patch) -> bool:
        """Whether an edit sets a link that the program goes through and never sets, or a forgotten tail."""
        return any(
            forgets_link(self._program, function, each.target, self._unlinked)
            for function, each in self._assigning(patch)
        ) or any(self._sets_tail(edit) for edit in patch.edits)

    def _sets_tail(self, edit: Edit) -> bool:
        """Whether an edit sets a pointer to the last node that a function forgets."""
        match edit.replacement:
            case NewAssignment(target, value):
                function, index, _ = self._instruction(edit.location)
                return self._tails.sets(function, index, target, value)
        return False

    def renews(self, patch: Patch, origins: Origins) -> bool:
        """Whether it only makes a call again that answered what has become stale: one of the `origins`."""
        match patch.edits:
            case (Edit(location, NewCall(target=target) as made),) if target is not None and origins.places:
                function, index, _ = self._instruction(location)
                told = origins.told(function, target)
                return told and self._renewed.behind(function, index, made) is not None
        return False

    def frees_last(self, patch: Patch) -> bool:
        """Whether it only sees to it that a node is freed where nothing refers to it any more."""
        match patch.edits:
            case (Edit(location, made),):
                function, index, _ = self._instruction(location)
                return is_unreferenced(self._program, self._program.functions[function], index, made)
        return False

    def makes_room(self, patch: Patch) -> bool:
        """Whether it only makes room (`menus.full`), in front of what the function allocates."""
        match patch.edits:
            case (Edit(location, Guarded(condition, NewCall(called))),):
                name, index, _ = self._instruction(location)
                asked = self._asks_for_room(location, condition, called)
                return asked and in_front(self._program, self._program.functions[name], index)
        return False

    def _assigning(self, patch: Patch) -> Iterator[tuple[str, NewAssignment]]:
        """The assignments that a patch makes, under a test or not, with their functions."""
        for edit in patch.edits:
            made = unguarded(edit.replacement)
            if isinstance(made, NewAssignment):
                yield self._program.location(edit.location).function, made

    def _changes_arguments(self, edit: Edit) -> float:
        """What is to be taken off where an argument of a macro is another one wherever it stands.

        That is one change; where it is another one in some places only, the macro is written out.
        """
        arguments = self._program.location(edit.location).repeated
        if not arguments or not isinstance(edit.replacement, NewValue | NewAssignment):
            return 0.0
        _, _, step = self._instruction(edit.location)
        old = step.condition if isinstance(step, Branch) else step.value if isinstance(step, Assign) else None
        if old is None:
            return 0.0
        for argument in repeated(old, arguments):
            match exchanged(old, edit.replacement.value, argument):
                case [other] if other != argument:
                    apart = condition_distance if isinstance(step, Branch) else distance
                    return distance(argument, other) - apart(old, edit.replacement.value)
                case [_, _, *_]:
                    return _WRITTEN_OUT
        return 0.0

    def _redefines(self, edit: Edit) -> bool:
        """Whether the edit puts something else in the place of a constant that has a name in the source."""
        _, _, step = self._instruction(edit.location)
        old = step.condition if isinstance(step, Branch) else step.value if isinstance(step, Assign) else None
        if old is None or not isinstance(edit.replacement, NewValue | NewAssignment):
            return False
        kept = {text(part) for part in parts(edit.replacement.value)}
        gone = (p for p in parts(old) if isinstance(p, Constant) and text(p) not in kept and p.value)
        return any(text(each).isidentifier() for each in gone)

    def _is_data(self, location: int) -> bool:
        """Whether a number is changed that `main` passes on as it is: what the program is tried with."""
        if self._program.location(location).kind != "argument":
            return False
        function, _, step = self._instruction(location)
        given = step.value if isinstance(step, Assign) else None
        return function == MAIN and isinstance(given, Constant) and text(given).lstrip("-").isdigit()

    def _indexes(self, edit: Edit) -> float:
        """What speaks against indices: fields that are none in the program, numbers, other variables."""
        after = _named_by(edit)
        if not after:
            return 0.0
        function, _, step = self._instruction(edit.location)
        before, around = values(step), self._around
        strange = around.strange_indices(before, after) + around.fixed_indices(after)
        return _INDEXED * strange + _ODD_INDEX * around.odd_indices(function, before, after)

    def _leaves_its_links(self, edit: Edit) -> int:
        """Whether another link is stored by an address than those that it walks over, or (-1) is no more."""
        made, (name, _, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        if not isinstance(made, NewAssignment):
            return 0
        before = isinstance(step, Assign) and leaves_its_links(code, step.target, step.value)
        return leaves_its_links(code, made.target, made.value) - before

    def _is_freed_next(self, edit: Edit) -> bool:
        """Whether something is stored now in a node that is freed next, where nothing is as it is."""
        made, (name, index, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        if not isinstance(made, NewAssignment):
            return False
        before = isinstance(step, Assign) and is_freed_next(code, index, step.target)
        return is_freed_next(code, index, made.target) and not before

    def _settles(self, edit: Edit) -> bool:
        """Whether a `switch` gets one and the same answer."""
        made, (name, index, step) = unguarded(edit.replacement), self._instruction(edit.location)
        code = self._program.functions[name].code
        match made, step:
            case NewAssignment(target, value), _:
                return settles(code, index, target, value)
            case NewValue(value), Assign(_, target):
                return settles(code, index, target, value)
        return False

    def _goes_down_twice(self, edit: Edit) -> bool:
        """Whether a recursion goes on from child to child over the link into which it goes down."""
        made = unguarded(edit.replacement)
        if not isinstance(made, NewAssignment):
            return False
        function = self._program.functions[self._program.location(edit.location).function]
        return goes_down_twice(function, made.target, made.value)

    def _begins_at_an_end(self, edit: Edit) -> bool:
        """Whether the edit lets a walk begin where nothing is behind, that begins elsewhere as it is."""
        name, index, step = self._instruction(edit.location)
        function = self._program.functions[name]
        if self._appended is None:
            self._appended = appended_behind(self._program)

        def begins(target: LValue, value: Expression) -> bool:
            return begins_at_an_end(function, index, target, value, self._appended or ())

        match step, unguarded(edit.replacement):
            case Assign(_, target, value), NewValue(new):
                return begins(target, new) and not begins(target, value)
            case Assign(_, target, value), NewAssignment(other, new):
                return begins(other, new) and not begins(target, value)
            case _, NewAssignment(other, new):
                return begins(other, new)
        return False

    def _fills_an_arm(self, edit: Edit) -> bool:
        """Whether a plain statement stands now in an arm of an `if` that has nothing in it."""
        if self._program.location(edit.location).kind != "gap" or isinstance(edit.replacement, Guarded):
            return False
        name, index, _ = self._instruction(edit.location)
        return is_empty(self._program, self._program.functions[name], index)

    def _reads_unset(self, edit: Edit) -> bool:
        """Whether a local is read from now on that is not set on every way there."""
        made = unguarded(edit.replacement)
        value = made.value if isinstance(made, NewAssignment | NewValue | NewReturn) else None
        if value is None:
            return False
        name, index, step = self._instruction(edit.location)
        function = self._program.functions[name]
        if name not in self._scalars:
            self._scalars[name] = frozenset(each.name for each in function.locals if is_scalar(each.type))
        fresh = (variables(value) & self._scalars[name]).difference(*map(variables, values(step)))
        if not fresh:
            return False
        if index not in (known := self._set.setdefault(name, {})):
            known[index] = surely_assigned(function, index)
        return not fresh <= known[index]

    def _drops_result(self, edit: Edit) -> bool:
        """Whether something else is read than what a call gives, which is still made: `(f(x), y)`."""
        if not isinstance(made := edit.replacement, NewAssignment | NewValue):
            return False
        name, index, step = self._instruction(edit.location)
        gone = _read(step) - variables(made.value)
        before = self._program.functions[name].code[:index]
        called = (each.result for each in before if isinstance(each, Call | Library))
        return any(each is not None and each.name in gone for each in called)

    def _estranges(self, edit: Edit) -> bool:
        """Whether an element that others name as well becomes one that none names."""
        if not (made := _named_by(edit)):
            return False
        _, _, step = self._instruction(edit.location)
        target = (
            [Load(step.target)] if isinstance(edit.replacement, NewValue) and isinstance(step, Assign) else []
        )
        return self._familiar.estranges(values(step), [*made, *target])

    def _mixes_truths(self, edit: Edit) -> bool:
        """Whether a number is stored as a truth value from now on, or the other way round."""
        _, _, step = self._instruction(edit.location)
        match unguarded(edit.replacement), step:
            case NewAssignment(target, value), _:
                pass
            case NewValue(value), Assign(_, target):
                pass
            case _:
                return False
        before = isinstance(step, Assign) and mixes_truths(step.target.type, step.value)
        return not before and mixes_truths(target.type, value)

    def _leaves_unused(self, edit: Edit) -> bool:
        """Whether a local variable is read nowhere any more: what was it set for?"""
        made = unguarded(edit.replacement)
        name, _, step = self._instruction(edit.location)
        if made is not edit.replacement or not isinstance(made, NewAssignment | NewValue):
            return False
        function = self._program.functions[name]
        if name not in self._read:
            self._read[name] = Counter(n for each in function.code for n in _read(each))
        locals_ = {each.name for each in function.locals}
        still = variables(made.value)
        if isinstance(made, NewAssignment):
            still |= _inside(made.target)
        gone = _read(step) & locals_ - still
        return any(self._read[name][each] == 1 for each in gone)

    def _recalls(self, edit: Edit) -> bool:
        """Whether the edit uses a parameter of the function that is nowhere used as it is."""
        function = self._program.location(edit.location).function
        if function not in self._idle:
            self._idle[function] = unread(self._program.functions[function])
        match edit.replacement:
            case NewAssignment(target, value):
                return bool(self._idle[function] & (variables(target) | variables(value)))
            case NewValue(value):
                return bool(self._idle[function] & variables(value))
            case NewReturn(value, None) | Guarded(_, NewReturn(value, None)) if value is not None:
                return bool(self._idle[function] & variables(value))
        return False

    def _made_elsewhere(self, function: str, target: LValue) -> bool:
        """Whether the program has another function that makes the nodes to which a place leads."""
        if self._makers is None:
            self._makers = makers(self._program)
        return any(name != function for name in self._makers.get(target.type, ()))

    def _instruction(self, location: int) -> tuple[str, int, Instruction]:
        function = self._program.location(location).function
        if function not in self._indices:
            self._indices[function] = occurring_locations(self._program, function)
        index = self._indices[function][location]
        return function, index, self._program.functions[function].code[index]

    def _directs(self, function: str, index: int, target: LValue, other: LValue) -> bool:
        """Whether what sets a variable in vain sets what that leads to instead, or the field of its name."""
        if not directs(target, other):
            return False
        if function not in self._misdirected:
            program = self._program
            self._misdirected[function] = misdirected(program.functions[function], program)
        return index in self._misdirected[function]

    def _edit(self, edit: Edit) -> float:
        function, index, step = self._instruction(edit.location)
        match step, edit.replacement:
            case Jump(), Deletion():
                return DELETION if whole_arm(self._program.functions[function], index) else CLOSEST_ONWARD
            case Call(), Deletion() if self._program.location(edit.location).kind == "allocation":
                return 0.0  # it goes with the statement around it
            case _, Deletion():
                at = self._program.functions[function]
                return _REPEATED if made_again(at, index) or reckoned_again(at, index) else DELETION
            case Compared(), NewAssignment():
                return _MEANT
            case Gap(), NewAssignment(target, value):
                if self._program.location(edit.location).gap == "result":
                    unused = self._unused(function, edit.location, variables(target))
                    return self._dropped.storing(function, index, target) + 0.3 * unused
                if function not in self._checked:
                    self._checked[function] = checked(self._program.functions[function].code)
                feigned = _FEIGNED * feigns(self._checked[function], target, value)
                return self._insertion(function, index, edit.location, target, value) + feigned
            case Gap(), Several(statements):
                made = [
                    self._insertion(function, index, edit.location, s.target, s.value) for s in statements
                ]
                if passed_over(self._program.functions[function], index, statements):
                    return max(made) - _PASSED_OVER
                return sum(made)
            case Gap(), NewNode(target, string=string, copied=True) if string is not None:
                unused = self._unused(function, edit.location, variables(target), variables(string))
                return INSERTION + 0.3 * unused
            case Assign(), NewNode(copied=True):
                return _COPY
            case Gap(), NewNode(target):
                unused = self._unused(function, edit.location, variables(target))
                bare = _BARE * self._made_elsewhere(function, target)
                return INSERTION + bare + _NODE * (not unset(self._program, function, target)) + 0.3 * unused
            case Before() as slot, ShortCircuit(operator, test) as made:
                around = self._program.functions[function]
                looks = edit.location == self._crashed and looks_before(around.code, index, slot, made)
                score = joined(operator, exchanged=looks and repeating(around, slot, made) is not None)
                return score + self._test(function, index, test) - _LOOKING * looks
            case Branch(), OtherJoin():
                return OTHER_JOIN
            case Call(_, called), OtherFunction(other):
                return called_distance(called, other) + CALLED * (other not in self._called)
            case Call(), Cleared():
                return _CLEARED
            case Gap(), NewReturn() | NewJump() | Guarded():
                return self._guarded(function, index, edit.location, edit.replacement)
            case Gap(), FreedList(first):
                return _LOOP + 0.3 * self._unused(function, edit.location, variables(first))
            case Gap(), NewCall(called) if called != "free":
                return self._call(function, index, edit.location, edit.replacement)
            case Gap(), NewCall(_, arguments):
                return self._free(function, index, edit.location, arguments)
            case Assign(), NewNode(target):
                bare = _BARE * self._made_elsewhere(function, target)
                return _VALUE + bare + _NODE * (not unset(self._program, function, target))
            case Assign(_, target, value), Guarded(condition, _, NewAssignment(other) as made):
                if other == target:  # one of two values
                    unused = self._unused(function, edit.location, variables(other))
                    return TEST + distance(value, made.value) + 0.3 * unused
                meant = of_the_first(condition, other) or shelters_other(condition, other)
                reason = 0.0 if meant else reason_against(step, condition)
                anyway = _ANYWAY * done_next(self._program.functions[function].code, index, made)
                return TEST + reason + anyway + self._stored_elsewhere(function, edit.location, target, other)
            case Assign(), Guarded() as made if is_bound(made):
                code = self._program.functions[function].code
                return TEST + BOUND + _NO_BOUND * (not among_several(code, index, made))
            case Assign(), Guarded(condition, otherwise=None) if null_test(condition) == (
                self._unappended(function).get(edit.location),
                "!=",
            ):
                return _STEP_ASKED
            case Assign(), Guarded(condition):
                code = self._program.functions[function].code
                used = _GOES_ON * used_behind(code, index, condition)
                return TEST + _SOMETIMES + reason_against(step, condition) + used
            case Assign(), NewAssignment(other, new) if self._goes_round(function, index, other, new):
                return _GOING_ROUND
            case Assign(_, target), NewValue(new) if self._goes_round(function, index, target, new):
                return _GOING_ROUND
            case Assign(_, target, value), NewAssignment(other, new):
                target_change, value_change = assignment_distance(target, value, other, new)
                # What is as odd as the statement was before does not count against it.
                steps = goes_on(other, new) - goes_on(target, value)
                oddity = max(_PLAINER, shape(other, new) - shape(target, value)) - _GOES_ON_ITSELF * steps
                oddity += FORCED * forced(
                    self._program.functions[function].code,
                    index,
                    self._around.of(function).behind(index),
                    other,
                    new,
                )
                oddity += max(0.0, self._flags.against(function, other, new))
                oddity += FOLLOWED * follows_twice(self._program.functions[function], index, other, new)
                score = target_change + value_change + oddity - _NOTHING * self._idles(function, index)
                score -= _FAMILIAR * self._familiar.favours([value], [new], target, other)
                score -= _NOTHING * self._directs(function, index, target, other)
                score += NAMESAKE * (namesakes(target, value) - namesakes(other, new))
                score += ANOTHER * bool(variables(new) - variables(value) - variables(target))
                if other == target:
                    inside = self._program.functions[function]
                    score += _PACE * counts_otherwise(target, value, new)
                    score += _ONLY_UP * counts_only_up(self._program, inside, target, value, new)
                    score += _OTHER_KIND * of_another_kind(target, value, new)
                    score -= _EXTENT * self._extents.favours(function, index, new)
                    score -= _REMADE * began_with(self._program.functions[function].code, new, value)
                    score -= _APPENDED * appends(self._program.functions[function].code, index, other, new)
                    if stored_alike(self._program.functions[function].code, index, new):
                        score = min(score, _RELAXED)
                return score + (_TARGET if target_change else 0)
            case Assign(_, target, value), NewValue(new):
                if new in tied(value):
                    return _TIED
                code = self._program.functions[function].code
                score = distance(value, new) - _FAMILIAR * self._familiar.favours([value], [new])
                score += _TWICE * passed_twice(code, index, new) + NAMESAKE * _parts_namesakes(value, new)
                alike = passes_namesakes(code, index, new) - passes_namesakes(code, index, value)
                score -= _ALIKE * alike
                score += _OFTEN * passed_beside(self._program.functions[function], index, new)
                score -= _PAIRED * pairs_as_beside(self._program.functions[function], index, new)
                score += _RECKONED * reckons_with_key(self._program.functions[function], new)
                score -= _EXTENT * self._extents.favours(function, index, new)
                if edit.location == self._crashed and isinstance(new, Load):
                    score -= _KEPT * any(new.place == each for each in kept_in(code, index, step))
                if stored_alike(code, index, new):
                    score = min(score, _RELAXED)
                score += _NULL_PASSED * self._passes_null(code, index, new)
                return score - _NOTHING * self._idles(function, index)
            case Branch(_, condition), NewValue(new):
                score = condition_distance(condition, new) + self._guard(function, step, condition, new)
                if edit.location == self._crashed and looks_first(condition, new):
                    loop = self._program.location(edit.location).loop
                    again = loop and looks_again(self._program.functions[function].code, index, new)
                    score -= _LOOKING - _LOOKING_AGAIN * again
                score -= _FAMILIAR * self._familiar.favours([condition], [new])
                score -= _EXTENT * self._extents.favours(function, index, new)
                if _comparisons(condition) == _comparisons(new):
                    score -= _TESTED * (looked_at_first(new) > looked_at_first(condition))
                parted = self._parts_partners(function, index, condition, new)
                score += _PARTNERS * (parted or self._familiar.parts_kept(condition, new))
                mixed = mixes_alternatives(self._program.functions[function], index, new)
                score += _MIXED * (mixed or parts_tests(condition, new))
                score += NAMESAKE * _parts_namesakes(condition, new)
                score += _ABSORBED * (absorbs(new) and not absorbs(condition))
                score -= _ASKED_TWICE * asks_of_another(condition, new)
                score += self._flags.reckoned(function, condition, new)
                code = self._program.functions[function].code
                asked = asked_in_vain(code, index, new) - asked_in_vain(code, index, condition)
                score += _ASKED_IN_VAIN * asked
                needless = protects_nothing(self._program, self._program.functions[function], index, new)
                score += _NEEDLESS * needless
                leading = self._around.of(function).into
                score += _SETTLED * asks_what_is_set(code, leading, index, condition, new)
                score += _ASKED_AGAIN * asks_again(code, leading, index, new)
                score += _ABSORBED * decided(code, leading, index, new)
                if self._program.location(edit.location).loop:
                    score += _INTO_NULL * goes_through_null(code, index, new)
                    score -= _ROUND * comes_back(code, index, new)
                if asks_for_link(code, index, new):
                    score = min(score, _LINK_ASKED)
                if new in relaxed(code, index):
                    score = min(score, _RELAXED)
                if new in or_marked(condition, self._marks_of(function)):
                    score = min(score, _MARKED)
                if new in self._threads.instead_of(condition):
                    score = min(score, _LINK_ASKED)
                if comes_round(self._program.functions[function], index, self._crashed, new):
                    score = min(score, _COME_ROUND)
                if new in tied(condition):
                    score = min(score, _TIED)
                if passes_by(code, index, new):
                    score = min(score, _PASSED_BY)
                if new in of_another_field(code, condition) and is_copy(code, index, condition):
                    score = min(score, _COPIED)
                return score + _ANSWERED * other_answer(self._program.functions[function], condition, new)
        return KIND

    def _passes_null(self, code: Sequence[Instruction], index: int, value: Expression) -> bool:
        """Whether null is passed to a function of the program, which no call passes to it in that place."""
        if not isinstance(value, Constant) or not isinstance(value.type, PointerType):
            return False
        if self._nulls is None:
            self._nulls = nulls_passed(self._program)
        argument = argument_of(code, index)
        return argument is not None and argument[0] in self._program.functions and argument not in self._nulls

    def _goes_round(self, function: str, index: int, target: LValue, new: Expression) -> bool:
        """Whether an assignment lets an index go round in its array, as the program does elsewhere."""
        if self._taken is None:
            self._taken = remainders(self._program)
        return (target, new) in going_round(self._program.functions[function].code, index, self._taken)

    def _unappended(self, function: str) -> Mapping[int, LValue]:
        """The steps of a function to what it has appended in some rounds only."""
        if function not in self._steps:
            self._steps[function] = steps_unappended(self._program.functions[function])
        return self._steps[function]

    def _parts_partners(self, function: str, index: int, condition: Expression, new: Expression) -> bool:
        """Whether two operands are no more compared that the function compares elsewhere as well."""
        gone = _partners(condition) - _partners(new)
        code = self._program.functions[function].code
        others = (s.condition for at, s in enumerate(code) if isinstance(s, Branch) and at != index)
        return bool(gone) and any(gone & _partners(other) for other in others)

    def _guard(self, function: str, step: Branch, condition: Expression, new: Expression) -> float:
        old_tests = {text(p) for p in parts(condition)}
        more = _comparisons(new) > _comparisons(condition)
        score = 0.0
        for part in parts(new):
            if not (isinstance(part, Binary) and part.operator in COMPARISONS) or text(part) in old_tests:
                continue
            if not isinstance(part.left.type, PointerType):
                continue
            null = isinstance(part.right, Constant) or isinstance(part.left, Constant)
            if not null:
                score += 0.6 * more
            elif leads_to_a_pointer(part.left.type):
                score += _ADDRESS
            elif isinstance(part.left, Load) and self._dereferenced(function, step, new, part.left):
                score += _AGAINST if against(new, part) else -_GUARDING
        return score

    def _dereferenced(self, function: str, step: Branch, condition: Expression, pointer: Load) -> bool:
        """Whether the guarded code, or the condition itself, goes through the pointer."""
        code = self._program.functions[function].code
        found = [condition]
        for index in range(step.if_true, min(step.if_true + 16, len(code))):
            guarded = code[index]
            if isinstance(guarded, Assign):
                found += [guarded.value, Load(guarded.target)]
            elif isinstance(guarded, Branch):
                found.append(guarded.condition)
        wanted = text(pointer)
        return reads_through((part for expression in found for part in parts(expression)), wanted)


def _named_by(edit: Edit) -> Sequence[Expression]:
    """The expressions that an edit puts in, that of its target included."""
    made = unguarded(edit.replacement)
    return [
        *([Load(made.target)] if isinstance(made, NewAssignment) else []),
        *([made.value] if isinstance(made, NewAssignment | NewValue) else []),
    ]


def _read(step: Instruction) -> frozenset[str]:
    """The variables that a step reads."""
    inside = _inside(step.target) if isinstance(step, Assign) else frozenset[str]()
    return inside.union(*map(variables, expressions_of(step)))


def _inside(target: LValue) -> frozenset[str]:
    """The variables by which a place is found."""
    return frozenset() if isinstance(target, VariableReference) else variables(target)


def _partners(condition: Expression) -> set[frozenset[str]]:
    """The operands of the comparisons of a condition, by text, two by two."""
    compared = (p for p in parts(condition) if isinstance(p, Binary) and p.operator in COMPARISONS)
    return {frozenset((text(each.left), text(each.right))) for each in compared}


def _parts_namesakes(old: Expression, new: Expression) -> int:
    """How many fewer comparisons are of the same field of two nodes, where there are as many."""
    if _comparisons(old) != _comparisons(new):
        return 0
    return max(0, compares_namesakes(old) - compares_namesakes(new))


def _comparisons(condition: Expression) -> int:
    """How many comparisons a condition has."""
    return sum(isinstance(part, Binary) and part.operator in COMPARISONS for part in parts(condition))
