"""How far a patch is from the source as it is: the edit distance that ranks candidates.

The weights were fitted on injected faults of list and tree programs: a changed variable, field or
operator costs 1, another kind of operand 1.5, a deletion 2.5, an insertion 1.2 and more the less it
resembles what stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import (
    Cleared,
    Deletion,
    Edit,
    FreedList,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewSkip,
    NewValue,
    OtherFunction,
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
    Program,
)
from wolverine.core.types import INT, CType, IntType, PointerType
from wolverine.repair.menus.allocations import gone_through, makers, unset
from wolverine.repair.menus.bounds import among_several, is_bound
from wolverine.repair.menus.calling import called_as
from wolverine.repair.menus.exhausted import just_set
from wolverine.repair.menus.jumps import whole_arm
from wolverine.repair.menus.unlinked import forgets_link, unlinked
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.repair.ranking.absorbed import absorbs
from wolverine.repair.ranking.aliased import Pair, leaves_out
from wolverine.repair.ranking.contradicted import looked_at_first
from wolverine.repair.ranking.distance import (
    DELETION,
    INSERTION,
    KIND,
    assignment_distance,
    called_distance,
    condition_distance,
    distance,
    joined,
    looks_first,
    parts_tests,
    place_distance,
)
from wolverine.repair.ranking.forcing import forced
from wolverine.repair.ranking.oddity import (
    BACK_AGAIN,
    abreast,
    against,
    asks_again,
    asks_what_is_set,
    back_again,
    began_with,
    begins_again,
    follows_twice,
    goes_on,
    is_key,
    leads_to_a_pointer,
    looping,
    never_set,
    of_the_first,
    other_answer,
    passed_beside,
    passed_twice,
    plain,
    reason_against,
    returned,
    shape,
    shelters_other,
    trailing,
    unread,
    walks_within,
    writes_back,
)
from wolverine.repair.ranking.origins import Origins
from wolverine.repair.ranking.renewed import Renewed
from wolverine.repair.source.arms import asks_for_link, makes_alike
from wolverine.repair.source.asked import Asked
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.counting import counted, counts_otherwise, is_counter, is_first, never_counts
from wolverine.repair.source.dropped import Dropped
from wolverine.repair.source.emptied import ends_together
from wolverine.repair.source.extents import Extents
from wolverine.repair.source.familiar import Familiar, compares_namesakes, namesakes
from wolverine.repair.source.flags import Flags
from wolverine.repair.source.given_back import GivenBack
from wolverine.repair.source.mirrored import Mirrored
from wolverine.repair.source.parallel import parallel
from wolverine.repair.source.pieces import Pieces
from wolverine.repair.source.portions import Portions
from wolverine.repair.source.repeated import made_again
from wolverine.repair.source.rounds import begins_a_round
from wolverine.repair.source.straddling import straddled
from wolverine.repair.source.surroundings import Surroundings, values
from wolverine.repair.source.vain import asked_in_vain
from wolverine.repair.source.walk import expressions_of, reads_through, used_behind
from wolverine.repair.special.keeping import kept_in
from wolverine.semantics.dataflow import surely_assigned
from wolverine.semantics.replacing import slot_at

_TARGET = 0.05  # at equal distance the target stays and the value changes
_GOES_ON_ITSELF = 0.02  # between equals: `p = p->next` rather than `p = q->next`
_PLAINER = -0.05  # at most, where it is less odd than what is there
_NOTHING = 0.7  # a statement that changes nothing was meant to do something
_FORGOTTEN = 0.5  # what has not been used at all is used now
_INDEXED = 1.0  # a field is an index that is none elsewhere
_FURTHER = 0.5  # for each link further than the program goes in a row
_MISPLACED = 0.3  # an index of another dimension
_UNSET = 0.4  # a variable is read that nothing has set on some way there
_DATA = 0.4  # a number that main passes on is hardly the fault
_DEFINED = 0.6  # a constant with a name is another one, or what it stands for
_COUNTED = -0.3  # what the program counts is counted once more
_PARTLY = 0.25  # only some of the nodes that are made, where the program elsewhere counts all of them
_GONE = -0.05  # right where a node is freed
_AT_ONCE = -0.03  # or linked
_BESIDE = -0.02  # another field of the same struct is set right in front, or right behind
_ABREAST = 0.6  # a field is led on along with the one beside it: one of them would do
_AGAIN = 0.6  # the same statement stands on the same way
_AMENDED = 0.5  # what the statement before has just written is better written right at once
_TAKEN_BACK = 0.8  # what the statement beside it counts is counted back
_DEAD = 0.3  # so that it was written for nothing
_GUARDING = 0.2  # a test of a pointer before it is gone through
_TESTED = 0.25  # what the condition tests for null is now what it goes through
_LOOKING = 1.05  # where the condition crashed by going through that
_AGAINST = 0.8  # the same test the wrong way round
_FAMILIAR = 0.15  # what is named instead is named elsewhere, and what was named is not
_LINKING = 1.0  # the first statement that sets a link
_NAMESAKE = 0.15  # a field and the variable of its name
_ANOTHER = 0.02  # between equals: a variable that the statement does not name so far
_INITIAL = 0.2  # a constant for a variable that nothing has set so far
_GIVEN = 0.1  # a parameter that the function leaves as it is, outside of loops
_KEY = 0.3  # or a number that is looked for
_LOOPED = 0.1  # what need not be done in every round stands outside of the loop
_ANEW = -0.05  # unless it is where an inner loop begins to walk
_BEGINS_AGAIN = 0.3  # a loop walks on, rather than from where it began
_FOLLOWED = 0.05  # by a link that a call in the loop follows as well
_FORCED = 1.0  # what ends a loop is what it looks for
_TWICE = 0.5  # a call is given the same value in two places
_OFTEN = 0.02  # between equals: for each other call of the statement that is given that value
_UNCOUNTED = 0.4  # what is set to numbers, and never counts, does
_COUNTER = 0.1  # and counting what has been set in front of it
_FIXED = 0.1  # a number, which one execution cannot tell from a count
_TEST = 0.5  # what a test costs that a statement is put under
_LED = 0.1  # where the test is for what leads to a certain node, and that changes
_CALLED = -0.6  # a function of the program that nothing calls
_PACE = 0.6  # what counts by one counts by another number
_REPEATED = 0.8  # a step that the loop makes as well is deleted
_MEANT = 0.4  # `=` in the place of `==`
_PARTNERS = 0.1  # what the function compares elsewhere is no more compared
_NO_TEST = Constant(1, INT)
_ALWAYS = 4.0  # and the same of a new test: it holds on every heap or on none
_SETTLED = 0.8  # what is asked for has just been set: the answer is always the same
_ASKED_IN_VAIN = 0.3  # each test in it of what the condition makes sure of
_ASKED_AGAIN = 0.4  # so it is where what was compared on the way is compared again
_ANSWERED = 1.0  # what a library function answers is compared with something else
_FORK = -0.2  # one of two assignments, as the program has them elsewhere, rather than one of them alone
_EXHAUSTED = 0.3  # but of a call, for what has just been set and may be nothing now
_BOUND = 0.45  # what is assigned is compared with what is there
CLOSEST_SPECIAL = _TEST + _BOUND
_NO_BOUND = 0.3  # where nothing says that the least or the greatest is kept
_SOMETIMES = 0.4  # that is what is there already: a crash is hidden easily
_GOES_ON = 0.4  # behind the test the pointer is gone through, or passed on, without one
_BLOCK = 1.3  # several statements under a test, as the program has them between the same neighbours
_UNLIKE = 0.5  # for either neighbour that is another
_PASSED = 0.05  # for each line that is passed over
_LEFT_OUT = 1.2  # and nothing is done instead: rather a return, or a special case
_ELSEWHERE = 0.3  # and the value stored elsewhere where the test fails: a special case
_ADDRESS = 0.1  # the address of a link is hardly ever null
_EMPTIED = -1.1  # where the test is for what is empty, and that sets the other end to null
_RETURN = 0.2
_BEFORE = 0.3  # and does something before
_VALUE = 1.0  # another value
_NODE = 0.6  # a new node for what is set otherwise
_COPY = 0.9  # a copy of a string, rather than what leads to it
_CLEARED = 1.2  # calloc for malloc
_BARE = 0.8  # which nothing fills, where another function makes such nodes
_LOOP = 2.0  # a loop that frees a list
_CALL = 0.3  # a call of one of the program's functions
CLOSEST_CALL = INSERTION + _CALL
_JUMP = 0.1  # `break` or `continue`
_AS_LONG_AS = 0.05  # `while` for `if`
CLOSEST_ONWARD = 0.8  # a jump is gone: few are, by which an execution comes out right
_ABROAD = 0.1  # a global that the function does not mention
_ELSE = 0.06  # it stands in an arm that is not there yet
_END = -0.5  # and does to the end of a list what is done to the neighbour
_MIRRORED = -0.2  # and the same `if` with other names has that
_STRADDLED = 0.1  # a field that is read in front of it, and behind
_OVERWRITTEN = 0.9  # its value takes the place of another
_IN_AN_ARM = 0.1  # it is made in one arm of an `if` that asks for something else
_LATE = 0.05  # one that is made again stands right behind what has changed its answer
_LINK_ASKED = 1.0  # what is asked for is which of the links leads somewhere that the arms set
_ALIKE = 0.8  # both arms of an `if` are the same then
_ALIASED = 2.5  # something is left out where two arguments are one, as they are where it fails
_ASKED = 0.8  # the program asks elsewhere whether that call has found anything
_MIXED = 0.1  # of two tests for null that were alike one is the contrary
_EXTENT = 0.8  # a number is reckoned with what its array has elements
_ABSORBED = 2.0  # of two comparisons that are joined one says nothing
_REMADE = 0.9  # what is reckoned anew stands in the variable, which has changed since
_KEPT = 0.8  # what cannot be read any more where it crashes stands in that variable as well
_NEAR = 4  # locations to either side


class Scores:
    """The distances of edits of one program.

    All that is known may be a crash, at the location `crashed` (-1: it is not), in calls of which the
    arguments `same` are one node.
    """

    def __init__(self, program: Program, crashed: int = -1, same: frozenset[Pair] = frozenset()) -> None:
        self._crashed = crashed
        self._same = same
        self._program = program
        self._asked = Asked(program)
        self._dropped = Dropped(program)
        self._familiar = Familiar(program)
        self._flags = Flags(program)
        self._mirrored = Mirrored(program)
        self._pieces = Pieces(program)
        self._portions = Portions(program)
        self._given_back = GivenBack(program)
        self._unlinked = unlinked(program)
        self._around = Surroundings(program)
        self._renewed = Renewed(program)
        self._indices: dict[str, dict[int, int]] = {}
        self._extents = Extents(program)
        self._known: dict[Edit, float] = {}
        self._inserted: dict[tuple[int, LValue, Expression], float] = {}
        self._idle: dict[str, frozenset[str]] = {}
        self._foreign: dict[str, frozenset[str]] = {}
        self._called = {
            step.function for f in program.functions.values() for step in f.code if isinstance(step, Call)
        }
        self._set: dict[str, dict[int, frozenset[str]]] = {}  # by function and instruction: surely set locals
        self._counts: dict[tuple[CType, str], set[str]] = {}
        self._tables: set[tuple[CType, str]] = set()  # of these, arrays at an index that is no constant
        for name, function in program.functions.items():
            for step in function.code:
                if isinstance(step, Assign) and (found := counted(step.target, step.value)) is not None:
                    self._counts.setdefault(found, set()).add(name)
                    if _at_an_index(step.target):
                        self._tables.add(found)
        self._makers: Mapping[CType, Sequence[str]] | None = None

    def patch(self, patch: Patch) -> float:
        """The sum over the edits."""
        return round(sum(self.edit(edit) for edit in patch.edits), 6)

    def edit(self, edit: Edit) -> float:
        """The distance of one edit."""
        found = self._known.get(edit)
        if found is None:
            found = self._edit(edit) - _FORGOTTEN * self._recalls(edit) + _DEFINED * self._redefines(edit)
            found += _INDEXED * self._indexes(edit) + _DATA * self._is_data(edit.location)
            found += _FURTHER * self._around.steps_further(_named_by(edit))
            function = self._program.location(edit.location).function
            found -= _ALIASED * leaves_out(self._same, function, edit.replacement)
            found += _ALIKE * makes_alike(self._program, edit)
            found += _UNSET * self._reads_unset(edit)
            self._known[edit] = found
        return found

    def sets_first(self, patch: Patch) -> bool:
        """Whether an edit assigns something to what the program tests and never sets."""
        return any(
            self._flags.sets_first(function, each.target, each.value)
            for function, each in self._assigning(patch)
        )

    def links_first(self, patch: Patch) -> bool:
        """Whether an edit sets a link that the program goes through elsewhere and never sets."""
        return any(
            forgets_link(self._program, function, each.target, self._unlinked)
            for function, each in self._assigning(patch)
        )

    def renews(self, patch: Patch, origins: Origins) -> bool:
        """Whether it only makes a call again that answered what has become stale: one of the `origins`."""
        match patch.edits:
            case (Edit(location, NewCall(target=target) as made),) if target is not None and origins.places:
                function, index, _ = self._instruction(location)
                told = origins.told(function, target)
                return told and self._renewed.behind(function, index, made) is not None
        return False

    def _assigning(self, patch: Patch) -> Iterator[tuple[str, NewAssignment]]:
        """The assignments that a patch makes, under a test or not, with their functions."""
        for edit in patch.edits:
            made = unguarded(edit.replacement)
            if isinstance(made, NewAssignment):
                yield self._program.location(edit.location).function, made

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

    def _indexes(self, edit: Edit) -> int:
        """How many fields index arrays from now on that index none in the program."""
        after = _named_by(edit)
        if not after:
            return 0
        _, _, step = self._instruction(edit.location)
        return self._around.strange_indices(values(step), after)

    def _reads_unset(self, edit: Edit) -> bool:
        """Whether a local is read from now on that is not set on every way there."""
        made = unguarded(edit.replacement)
        value = made.value if isinstance(made, NewAssignment | NewValue | NewReturn) else None
        if value is None:
            return False
        name, index, step = self._instruction(edit.location)
        function = self._program.functions[name]
        scalars = {each.name for each in function.locals if isinstance(each.type, IntType | PointerType)}
        fresh = (variables(value) & scalars).difference(*map(variables, values(step)))
        if not fresh:
            return False
        if index not in (known := self._set.setdefault(name, {})):
            known[index] = surely_assigned(function, index)
        return not fresh <= known[index]

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

    def _edit(self, edit: Edit) -> float:
        function, index, step = self._instruction(edit.location)
        match step, edit.replacement:
            case Jump(), Deletion():
                return DELETION if whole_arm(self._program.functions[function], index) else CLOSEST_ONWARD
            case _, Deletion():
                return _REPEATED if made_again(self._program.functions[function], index) else DELETION
            case Compared(), NewAssignment():
                return _MEANT
            case Gap(), NewAssignment(target, value):
                if self._program.location(edit.location).gap == "result":
                    unused = self._unused(function, edit.location, variables(target))
                    return self._dropped.storing(function, index, target) + 0.3 * unused
                return self._insertion(function, index, edit.location, target, value)
            case Gap(), Several(statements):
                made = (
                    self._insertion(function, index, edit.location, s.target, s.value) for s in statements
                )
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
            case Before(), ShortCircuit(operator, test):
                return joined(operator) + self._test(function, index, test)
            case Call(_, called), OtherFunction(other):
                return called_distance(called, other) + _CALLED * (other not in self._called)
            case Call(), Cleared():
                return _CLEARED
            case Gap(), NewReturn() | NewJump() | Guarded():
                return self._guarded(function, index, edit.location, edit.replacement)
            case Gap(), FreedList(first):
                return _LOOP + 0.3 * self._unused(function, edit.location, variables(first))
            case Gap(), NewCall(called) if called != "free":
                return self._call(function, index, edit.location, edit.replacement)
            case Gap(), NewCall(_, arguments):
                unused = self._unused(function, edit.location, *(variables(a) for a in arguments))
                return INSERTION + 0.3 + 0.3 * unused
            case Assign(), NewNode(target):
                bare = _BARE * self._made_elsewhere(function, target)
                return _VALUE + bare + _NODE * (not unset(self._program, function, target))
            case Assign(_, target, value), Guarded(condition, _, NewAssignment(other) as made):
                if other == target:  # one of two values
                    unused = self._unused(function, edit.location, variables(other))
                    return _TEST + distance(value, made.value) + 0.3 * unused
                meant = of_the_first(condition, other) or shelters_other(condition, other)
                reason = 0.0 if meant else reason_against(step, condition)
                return _TEST + reason + self._stored_elsewhere(function, edit.location, target, other)
            case Assign(), Guarded() as made if is_bound(made):
                code = self._program.functions[function].code
                return _TEST + _BOUND + _NO_BOUND * (not among_several(code, index, made))
            case Assign(), Guarded(condition):
                code = self._program.functions[function].code
                used = _GOES_ON * used_behind(code, index, condition)
                return _TEST + _SOMETIMES + reason_against(step, condition) + used
            case Assign(_, target, value), NewAssignment(other, new):
                target_change, value_change = assignment_distance(target, value, other, new)
                # What is as odd as the statement was before does not count against it.
                steps = goes_on(other, new) - goes_on(target, value)
                oddity = max(_PLAINER, shape(other, new) - shape(target, value)) - _GOES_ON_ITSELF * steps
                oddity += _FORCED * forced(
                    self._program.functions[function].code,
                    index,
                    self._around.of(function).behind(index),
                    other,
                    new,
                )
                oddity += max(0.0, self._flags.against(function, other, new))
                oddity += _FOLLOWED * follows_twice(self._program.functions[function], index, other, new)
                score = target_change + value_change + oddity - _NOTHING * self._idles(function, index)
                score -= _FAMILIAR * self._familiar.favours([value], [new], target, other)
                score += _NAMESAKE * (namesakes(target, value) - namesakes(other, new))
                score += _ANOTHER * bool(variables(new) - variables(value) - variables(target))
                if other == target:
                    score += _PACE * counts_otherwise(target, value, new)
                    score -= _EXTENT * self._extents.favours(function, index, new)
                    score -= _REMADE * began_with(self._program.functions[function].code, new, value)
                return score + (_TARGET if target_change else 0)
            case Assign(_, target, value), NewValue(new):
                code = self._program.functions[function].code
                score = distance(value, new) - _FAMILIAR * self._familiar.favours([value], [new])
                score += _TWICE * passed_twice(code, index, new)
                score += _OFTEN * passed_beside(self._program.functions[function], index, new)
                score -= _EXTENT * self._extents.favours(function, index, new)
                if edit.location == self._crashed and isinstance(new, Load):
                    score -= _KEPT * any(new.place == each for each in kept_in(code, index, step))
                return score - _NOTHING * self._idles(function, index)
            case Branch(_, condition), NewValue(new):
                score = condition_distance(condition, new) + self._guard(function, step, condition, new)
                score -= _LOOKING * (edit.location == self._crashed and looks_first(condition, new))
                score -= _FAMILIAR * self._familiar.favours([condition], [new])
                score -= _EXTENT * self._extents.favours(function, index, new)
                if _comparisons(condition) == _comparisons(new):
                    score -= _TESTED * (looked_at_first(new) > looked_at_first(condition))
                score += _PARTNERS * self._parts_partners(function, index, condition, new)
                score += _MIXED * parts_tests(condition, new)
                parted = compares_namesakes(condition) - compares_namesakes(new)
                score += _NAMESAKE * max(0, parted if _comparisons(condition) == _comparisons(new) else 0)
                score += _ABSORBED * (absorbs(new) and not absorbs(condition))
                score += self._flags.reckoned(function, condition, new)
                code = self._program.functions[function].code
                asked = asked_in_vain(code, index, new) - asked_in_vain(code, index, condition)
                score += _ASKED_IN_VAIN * asked
                leading = self._around.of(function).into
                score += _SETTLED * asks_what_is_set(code, leading, index, condition, new)
                score += _ASKED_AGAIN * asks_again(code, leading, index, new)
                if asks_for_link(code, index, new):
                    score = min(score, _LINK_ASKED)
                return score + _ANSWERED * other_answer(self._program.functions[function], condition, new)
        return KIND

    def _idles(self, function: str, index: int) -> bool:
        """Whether an assignment changes nothing: `p = p`, or `q->next = p` right behind `p = q->next`."""
        return writes_back(self._program.functions[function].code, index)

    def _insertion(
        self, function: str, index: int, location: int, target: LValue, value: Expression
    ) -> float:
        """The distance of a new assignment, reckoned once for all the tests under which it may stand."""
        key = location, target, value
        found = self._inserted.get(key)
        if found is None:
            found = self._inserted[key] = self._inserting(function, index, location, target, value)
        return found

    def _inserting(
        self, function: str, index: int, location: int, target: LValue, value: Expression
    ) -> float:
        inside, around = self._program.functions[function], self._around.of(function)
        code = inside.code
        score = INSERTION + shape(target, value) + around.usual(target, value)
        counting = self._counting(function, target, value)
        if counting < 0:  # one link of several may be set in a special case
            counting += _GONE if around.frees(index) else _AT_ONCE * around.relinks(index)
        score += counting
        if (field := counted(target, value)) is not None and field in self._counts:
            score += _PARTLY * self._portions.partly(function, index, field)
        score += self._flags.against(function, target, value)
        score -= _NAMESAKE * namesakes(target, value) + _LINKING * forgets_link(
            self._program, function, target, self._unlinked
        )
        score += _UNCOUNTED * never_counts(inside, target, value)
        score += _MISPLACED * around.misplaced(target, value)
        score += parallel(code, index, target, value) + _BESIDE * around.beside(index, target)
        used = variables(target) | variables(value)
        if counting < 0 and isinstance(target, Element):
            used = variables(target.index)  # a table is counted in by those who forget it
        score += 0.3 * self._unused(function, location, used)
        score += BACK_AGAIN * back_again(code, index, target, value)
        score += _ABREAST * abreast(code, index, target, value)
        score += _STRADDLED * straddled(code, index, target)
        otherwise = self._program.location(location).gap == "else"
        if otherwise:
            score += _ELSE + _MIRRORED * self._mirrored.completes(function, index, target, value)
            score += _END * self._mirrored.ends(function, index, target, value)
        score += _ABROAD * len(used & self._abroad(function))
        if anew := begins_a_round(inside, index, target, value):
            score += anew
        elif index in around.behind(index):
            score += _ANEW if walks_within(code, index, target) else _LOOPED
            score += looping(code, index, target, value, otherwise=otherwise)
            score += trailing(code, index, target, value)
            score += _FORCED * forced(code, index, around.behind(index), target, value)
            score += _BEGINS_AGAIN * begins_again(code, index, target, value)
            score += _FOLLOWED * follows_twice(inside, index, target, value)
            score -= _COUNTER * is_counter(inside, target, value)
        elif isinstance(value, Constant) and is_first(inside, index, target):
            score -= _INITIAL
        else:
            score += _GIVEN * never_set(inside, target)
        score += _KEY * is_key(inside, target)
        if around.again(index, (lvalue_text(target), text(value))):
            score += _AGAIN
        if isinstance(value, Constant):
            score += 0.2 if isinstance(value.type, PointerType) else _FIXED
        following = around.following(index)
        if (
            isinstance(following, Assign)
            and following.target == target
            and not variables(following.value) & variables(target)
        ):
            score += 0.3
        amended = any(isinstance(each, Assign) and each.target == target for each in around.preceding(index))
        reckoned = any(isinstance(p, Load) and p.place == target for p in parts(value))
        amended = amended or (reckoned and around.newly_set(index, target))
        score += _TAKEN_BACK * around.takes_back(index, target, value)
        if amended or around.sets_again(index, target):
            dead = isinstance(target, VariableReference) and target.name not in variables(value)
            score += _AMENDED + _DEAD * dead
        return score

    def _counting(self, function: str, target: LValue, value: Expression) -> float:
        """What speaks for counting what the program counts, most of all in the same function."""
        field = counted(target, value)
        if field is None or field not in self._counts:
            return 0.0
        if field in self._tables and not _at_an_index(target):
            return 0.0
        return _COUNTED if function in self._counts[field] else _COUNTED / 2

    def _call(self, function: str, index: int, location: int, made: NewCall, *, empty: bool = False) -> float:
        """A call of one of the program's functions; more where a value takes the place of another."""
        late = self._renewed.behind(function, index, made)
        if late is not None:
            return INSERTION + _LATE * late
        score = CLOSEST_CALL + _CALLED * (made.function not in self._called)
        used = frozenset[str]().union(*map(variables, made.arguments))
        score += _IN_AN_ARM * self._aside(function, index, used)
        parameters = self._program.functions[made.function].parameters
        for argument, parameter in zip(made.arguments, parameters, strict=True):
            score += 0.1 * (not plain(argument)) + 0.1 * isinstance(argument, Constant)
            if made.target is not None or len(parameters) > 1:  # else the name is chance as often as not
                score += 0.1 * (not called_as(argument, parameter.name))
        if made.leaves:
            score += _RETURN
        elif made.target is not None:
            used |= variables(made.target)
            score += 0.0 if isinstance(made.target, VariableReference) else 0.1
            score += _OVERWRITTEN * (not empty and not unset(self._program, function, made.target))
        return score + 0.3 * self._unused(function, location, used)

    def _aside(self, function: str, index: int, used: frozenset[str]) -> bool:
        """Whether a gap is in one arm of an `if` that asks for nothing that is used there."""
        code = self._program.functions[function].code
        around = [code[at] for at, _ in arms_around(code, index)]
        innermost = around[-1] if around else None
        return isinstance(innermost, Branch) and used.isdisjoint(variables(innermost.condition))

    def _guarded(
        self, function: str, index: int, location: int, made: NewReturn | NewJump | Guarded
    ) -> float:
        if isinstance(made, Guarded):
            made_here = made.statement
            if isinstance(made_here, NewAssignment) and (other := made.otherwise) is not None:
                arms = (made_here, other)
                return _FORK + min(
                    self._insertion(function, index, location, each.target, each.value) for each in arms
                )
            led = isinstance(made_here, NewAssignment) and _of_what_is_set(made.condition, made_here.target)
            through = isinstance(made_here, NewAssignment) and _shelters(made.condition, made_here.target)
            score = _TEST + (_LED if led else self._test(function, index, made.condition, through=through))
            if ends_together(self._program.functions[function].code, made):
                score = _TEST + _EMPTIED
            score = _TEST + _BOUND if is_bound(made) else score
            score -= _ASKED * self._asked.leaves(self._program.functions[function], index, made)
            code, leading = self._program.functions[function].code, self._around.of(function).into
            score += _ALWAYS * asks_what_is_set(code, leading, index, _NO_TEST, made.condition)
            if isinstance(made_here, NewAssignment):
                return score + self._insertion(function, index, location, made_here.target, made_here.value)
            if isinstance(made_here, NewCall):
                if made.condition in just_set(self._program.functions[function], index):
                    score = _EXHAUSTED
                return score + self._call(function, index, location, made_here, empty=True)
            if isinstance(made_here, NewBlock):
                score = _BLOCK + _UNLIKE * (2 - self._pieces.fits(function, index, made))
                targets = (s.target for s in made_here.statements if isinstance(s, NewAssignment))
                named = frozenset[str]().union(*map(variables, targets))
                return score + _ANOTHER * bool(named & self._abroad(function))
            if isinstance(made_here, NewSkip):
                return score + self._skip(function, index, location, made_here)
            return score + self._guarded(function, index, location, made_here)
        if isinstance(made, NewJump):
            return INSERTION + (_AS_LONG_AS if made.keyword == "while" else _JUMP)
        score = _RETURN
        if made.before is not None:
            score += _BEFORE
            score += self._insertion(function, index, location, made.before.target, made.before.value)
        else:
            score += INSERTION
        score += self._given_back.favours(function, made.value)
        return score + (0.2 if isinstance(made.value, Load) else 0.0)

    def _skip(self, function: str, index: int, location: int, made: NewSkip) -> float:
        """What is passed over under a test: more where it is much, less where it is a special case."""
        code = self._program.functions[function].code
        until = slot_at(self._program.functions[function], made.until)
        passed = {self._program.location(s.location).line for s in code[index:until] if s.location >= 0}
        score = _PASSED * len(passed)
        if made.instead is None:
            return score + _LEFT_OUT
        stored = (
            s.target for s in code[index:until] if isinstance(s, Assign) and s.value == made.instead.value
        )
        return score + self._stored_elsewhere(function, location, next(stored), made.instead.target)

    def _stored_elsewhere(self, function: str, location: int, usual: LValue, other: LValue) -> float:
        """What is stored in another place than usual in a special case: rather in one that lives on."""
        local = isinstance(other, VariableReference) and other.level != "global"
        score = _ELSEWHERE + place_distance(usual, other) / 8
        score += 0.2 * (local and not returned(self._program, function, other))
        return score + 0.3 * self._unused(function, location, variables(other))

    def _test(self, function: str, index: int, condition: Expression, *, through: bool = False) -> float:
        """How odd a test is: one of a plain variable that the code behind goes through is the least so.

        So is one that the statement under it goes `through`.
        """
        code = self._program.functions[function].code
        match condition:
            case Binary("==" | "!=", Load(place), Constant(0)) if isinstance(place.type, PointerType):
                behind_it = [s for s in code[index + 1 :] if not isinstance(s, Gap)][:_NEAR]
                near = (part for s in behind_it for e in _evaluated(s) for part in parts(e))
                wanted = text(Load(place))
                used = through or reads_through(near, wanted)
                return (0.0 if isinstance(place, VariableReference) else 0.2) + (0.0 if used else 0.3)
        if any(isinstance(s, Branch) and s.condition == condition for s in code):
            return 0.2
        return 0.5

    def _abroad(self, function: str) -> frozenset[str]:
        """The globals that a function does not mention."""
        if function not in self._foreign:
            code = self._program.functions[function].code
            named = [variables(e) for step in code for e in expressions_of(step)]
            named += [variables(step.target) for step in code if isinstance(step, Assign)]
            self._foreign[function] = frozenset(g.name for g in self._program.globals).difference(*named)
        return self._foreign[function]

    def _unused(self, function: str, location: int, *names: frozenset[str]) -> int:
        """How many of the variables are not mentioned in the neighbourhood."""
        return len(frozenset().union(*names) - self._around.of(function).near(location))

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


def _evaluated(step: Instruction) -> Iterator[Expression]:
    """The expressions of an instruction; what it sets counts as read."""
    yield from expressions_of(step)
    if isinstance(step, Assign):
        yield Load(step.target)


def _at_an_index(target: LValue) -> bool:
    return isinstance(target, Element) and not isinstance(target.index, Constant)


def _shelters(condition: Expression, target: LValue) -> bool:
    """Whether a test is for a pointer that leads somewhere, by which the target is come to."""
    match condition:
        case Binary("!=", Load(place), Constant(0)):
            return place in gone_through(target)
    return False


def _of_what_is_set(condition: Expression, target: LValue) -> bool:
    """Whether a test is for the node to which the target leads: `if (list->tail == p) list->tail = ...`."""
    match condition:
        case Binary("==", Load(one), Load(other)):
            return target in (one, other) and isinstance(target.type, PointerType)
    return False


def _partners(condition: Expression) -> set[frozenset[str]]:
    """The operands of the comparisons of a condition, by text, two by two."""
    compared = (p for p in parts(condition) if isinstance(p, Binary) and p.operator in COMPARISONS)
    return {frozenset((text(each.left), text(each.right))) for each in compared}


def _comparisons(condition: Expression) -> int:
    """How many comparisons a condition has."""
    return sum(isinstance(part, Binary) and part.operator in COMPARISONS for part in parts(condition))
