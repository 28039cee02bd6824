"""How far a changed statement or value is from the one that stands there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wolverine.core.expressions import (
    Constant,
    Expression,
    Load,
    LValue,
    variables,
)
from wolverine.core.parts import null_test
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
    Several,
    ShortCircuit,
)
from wolverine.core.program import (
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
from wolverine.core.types import CType, PointerType
from wolverine.repair.menus.allocations import makers, unset
from wolverine.repair.menus.bounds import among_several, is_bound
from wolverine.repair.menus.jumps import whole_arm
from wolverine.repair.menus.taking_out import leads_past
from wolverine.repair.menus.unasked import unasked
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.repair.ranking.contradicted import leaves_with_null
from wolverine.repair.ranking.decisions import (
    EXTENT,
    FAMILIAR,
    GUARDING,
    LOOKING,
    RELAXED,
    SUBSCRIPT,
    TIED,
    Decisions,
    parts_namesakes,
)
from wolverine.repair.ranking.distance import (
    DELETION,
    INSERTION,
    KIND,
    OTHER_JOIN,
    assignment_distance,
    called_distance,
    distance,
    joined,
    looks_before,
    of_another_kind,
)
from wolverine.repair.ranking.forcing import forced, miscounts
from wolverine.repair.ranking.insertions import (
    ALWAYS,
    ANOTHER,
    BOUND,
    CALLED,
    FOLLOWED,
    FORCED,
    LEFT_BEHIND,
    NAMESAKE,
    REFERRED,
    TEST,
    UNVARYING,
)
from wolverine.repair.ranking.oddity import (
    appends,
    began_with,
    checked,
    counts_to,
    done_next,
    feigns,
    follows_twice,
    goes_on,
    of_the_first,
    pairs_as_beside,
    passed_beside,
    passed_twice,
    reason_against,
    reckons_with_key,
    shape,
    shelters_other,
)
from wolverine.repair.source.balanced import balanced
from wolverine.repair.source.called import argument_of, nulls_passed
from wolverine.repair.source.counting import counts_only_up, counts_otherwise
from wolverine.repair.source.dropped import Dropped
from wolverine.repair.source.extents import Remainders, going_round, remainders
from wolverine.repair.source.familiar import namesakes, passes_namesakes
from wolverine.repair.source.flow import behind
from wolverine.repair.source.misdirected import directs, misdirected
from wolverine.repair.source.relaxed import stored_alike
from wolverine.repair.source.repeated import made_again, reckoned_again
from wolverine.repair.source.rows import passed_over
from wolverine.repair.source.stepping import is_copied_step, left_behind, steps_unappended
from wolverine.repair.source.swapped import making_alike
from wolverine.repair.source.ties import tied
from wolverine.repair.source.unvarying import passes_numbers_alone
from wolverine.repair.source.walk import located, used_behind
from wolverine.repair.special.keeping import kept_in
from wolverine.semantics.replacing import repeating

_TARGET = 0.05  # at equal distance the target stays and the value changes
_GOES_ON_ITSELF = 0.02  # between equals: `p = p->next` rather than `p = q->next`
_APPENDED = 0.25  # it goes on to what was just linked behind it
_FEIGNED = 1.5  # what a check compares is set to what it has to be, or made to come to that
_PLAINER = -0.05  # at most, where it is less odd than what is there
_NOTHING = 0.7  # a statement that changes nothing was meant to do something
_ANYWAY = 1.0  # what is done in the other case is done next in all of them
_TWICE = 0.5  # a call is given the same value in two places
_IN_A_ROW = 0.8  # the same call is made twice in a row
_ALIKE = 0.8  # in favour of two arguments of one name: `compare(key, n->key)`
_OFTEN = 0.02  # between equals: for each other call of the statement that is given that value
_BALANCED = 0.8  # two fields of one node are passed alike: `rank(t->left) < rank(t->right)`
_PAIRED = 0.1  # what is passed is reckoned of the same two nodes as what is passed beside it
_PACE = 0.6  # what counts by one counts by another number
_ONLY_UP = 0.3  # or up where nodes go, as it is counted up where they come
_OTHER_KIND = 0.25  # a field is reckoned with another one where it was with the same
_PASSED_OVER = 0.1  # a row that a jump passes over stands in front of that, too, rather than a part of it
_GIVEN_BACK = 1.0  # a reference is given back no more, where each that is kept is counted
_NOTHING_KEPT = 1.0  # a reference is counted where none is kept
_REPEATED = 0.8  # a step that the loop makes as well is deleted, or a sum that is made again at once
_MEANT = 0.4  # `=` in the place of `==`
_NO_BOUND = 0.3  # where nothing says that the least or the greatest is kept
_LEADS_PAST = 0.2  # a link is set where it leads to the node that is taken out
_SOMETIMES = 0.4  # that is what is there already: a crash is hidden easily
_GOES_ON = 0.4  # behind the test the pointer is gone through, or passed on, without one
_VALUE = 1.0  # another value
_NODE = 0.6  # a new node for what is set otherwise
_RECKONED = 0.5  # `k + 1` of a key
_COPY = 0.9  # a copy of a string, rather than what leads to it
_CLEARED = 1.2  # calloc for malloc
_BARE = 0.8  # a node that nothing fills, where another function makes such nodes
_LOOP = 2.0  # a loop that frees a list
CLOSEST_SPECIAL = TEST + BOUND
CLOSEST_ONWARD = 0.8  # a jump is gone: few are, by which an execution comes out right
_CUT_OFF = 0.25  # and nothing behind it was ever executed: it was rather to stand under a test
_NULL_PASSED = 0.8  # nothing is passed, where no other call does so
_GOING_ROUND = 0.4  # the remainder by an array's length, as the program takes it elsewhere
_STEP_COPIED = 0.5  # in favour of renaming both variables of a step that was copied from the one beside it
_STEP_ASKED = 0.3  # a step to what was appended is made where something was
_REMADE = 0.9  # what is reckoned anew stands in the variable, which has changed since
_KEPT = 0.8  # what cannot be read any more where it crashes stands in that variable as well


class Changes(Decisions):
    """The distances of what is changed, and put in."""

    def __init__(self, program: Program, crashed: int = -1) -> None:
        super().__init__(program, crashed)
        self._dropped = Dropped(program)
        self._indices: dict[str, dict[int, int]] = {}
        self._checked: dict[str, frozenset[frozenset[str]]] = {}
        self._makers: Mapping[CType, Sequence[str]] | None = None
        self._taken: Remainders | None = None
        self._nulls: frozenset[tuple[str, int]] | None = None
        self._steps: dict[str, Mapping[int, LValue]] = {}
        self._alike: dict[str, Mapping[int, Sequence[Expression]]] = {}
        self._misdirected: dict[str, frozenset[int]] = {}

    def _distance(self, edit: Edit) -> float:
        function, index, step = self._instruction(edit.location)
        match step, edit.replacement:
            case Jump(), Deletion():
                inside = self._program.functions[function]
                gone = CLOSEST_ONWARD + _CUT_OFF * (unasked(inside, index) is not None)
                return DELETION if whole_arm(inside, index) else gone
            case Call(), Deletion() if self._program.location(edit.location).kind == "allocation":
                return 0.0  # it goes with the statement around it
            case _, Deletion() if self._references.gives_less_back(edit.location, edit.replacement):
                return _GIVEN_BACK
            case _, Deletion():
                at = self._program.functions[function]
                return _REPEATED if made_again(at, index) or reckoned_again(at, index) else DELETION
            case Compared(), NewAssignment():
                return _MEANT
            case Before(), ShortCircuit():
                return self._joined(function, index, edit.location, step, edit.replacement)
            case Gap(), _:
                return self._put_in(function, index, edit)
            case Branch(), OtherJoin():
                return OTHER_JOIN
            case Call(_, called), OtherFunction(other):
                return called_distance(called, other) + CALLED * (other not in self._called)
            case Call(), Cleared():
                return _CLEARED
            case Assign(), NewNode(copied=True):
                return _COPY
            case Assign(), NewNode(target):
                return _VALUE + self._bare(function, target) + self._set_otherwise(function, target)
            case Assign(), Guarded():
                return self._tested(function, index, edit.location, step, edit.replacement)
            case Assign(), NewAssignment(other, new) if self._goes_round(function, index, other, new):
                return _GOING_ROUND
            case Assign(_, target), NewValue(new) if self._goes_round(function, index, target, new):
                return _GOING_ROUND
            case Assign(), NewAssignment(other, new):
                return self._assigned(function, index, step, other, new)
            case Assign(), NewValue(new):
                return self._valued_otherwise(function, index, edit.location, step, new)
            case Branch(), NewValue(new):
                return self._decided(function, index, edit.location, step, new)
        return KIND

    def _put_in(self, function: str, index: int, edit: Edit) -> float:
        """The distance of what is put into a gap."""
        if self._references.counts(edit.location, edit.replacement):
            return REFERRED
        return self._filled(function, index, edit) + _NOTHING_KEPT * self._references.counts_nothing(
            edit.location, edit.replacement
        )

    def _filled(self, function: str, index: int, edit: Edit) -> float:
        match edit.replacement:
            case NewAssignment(target, value):
                if self._program.location(edit.location).gap == "result":
                    unused = self._unused(function, edit.location, variables(target))
                    return self._dropped.storing(function, index, target) + 0.3 * unused
                feigned = _FEIGNED * self._feigns(function, target, value)
                return self._insertion(function, index, edit.location, target, value) + feigned
            case Several(statements):
                each = [self._in_turn(function, index, edit.location, made) for made in statements]
                if passed_over(self._program.functions[function], index, statements):
                    return max(each) - _PASSED_OVER
                return sum(each)
            case NewNode(target, string=string, copied=True) if string is not None:
                unused = self._unused(function, edit.location, variables(target), variables(string))
                return INSERTION + 0.3 * unused
            case NewNode(target):
                unused = self._unused(function, edit.location, variables(target))
                made = self._bare(function, target) + self._set_otherwise(function, target)
                return INSERTION + made + 0.3 * unused
            case Guarded(_, NewAssignment(target, value)):
                feigned = _FEIGNED * self._feigns(function, target, value)
                return self._guarded(function, index, edit.location, edit.replacement) + feigned
            case Guarded(condition, NewJump() as jump):
                leaves = self._leaves_with_null(function, index, condition, jump)
                return self._guarded(function, index, edit.location, edit.replacement) - LOOKING * leaves
            case NewReturn() | NewJump() | Guarded():
                return self._guarded(function, index, edit.location, edit.replacement)
            case FreedList(first):
                return _LOOP + 0.3 * self._unused(function, edit.location, variables(first))
            case NewCall(called) if called != "free":
                return self._call(function, index, edit.location, edit.replacement)
            case NewCall(_, arguments):
                return self._free(function, index, edit.location, arguments)
        return KIND

    def _leaves_with_null(self, function: str, index: int, condition: Expression, jump: NewJump) -> bool:
        """Whether a jump leaves a loop with the null pointer by which the execution crashed there."""
        if self._crashed < 0 or self._program.location(self._crashed).function != function:
            return False
        inside = self._program.functions[function]
        return leaves_with_null(inside.code, index, condition, jump, located(inside, self._crashed))

    def _joined(self, function: str, index: int, location: int, slot: Before, made: ShortCircuit) -> float:
        """The distance of a test that is joined to a condition."""
        around = self._program.functions[function]
        condition = behind(around.code, index, barred=(slot.if_true, slot.if_false))
        evaluated = {location, *(around.code[at].location for at in condition)}
        crashed = self._crashed >= 0 and self._crashed in evaluated
        looks = crashed and looks_before(around.code, index, slot, made)
        score = joined(made.operator, exchanged=looks and repeating(around, slot, made) is not None)
        if looks:  # as in a condition that calls nothing
            return score - GUARDING - LOOKING
        sure = self._around.of(function).settled.outcome(index, made.test)
        return score + self._test(function, index, made.test) + ALWAYS * (sure is not None)

    def _bare(self, function: str, target: LValue) -> float:
        """What speaks against a node that nothing fills, where another function makes such nodes."""
        return _BARE * self._made_elsewhere(function, target)

    def _set_otherwise(self, function: str, target: LValue) -> float:
        """What speaks against a new node in what is set otherwise."""
        return _NODE * (not unset(self._program, function, target))

    def _tested(self, function: str, index: int, location: int, step: Assign, made: Guarded) -> float:
        """The distance of an assignment that is put under a test."""
        code = self._program.functions[function].code
        target, value = step.target, step.value
        match made:
            case Guarded(condition, _, NewAssignment(other) as instead):
                if other == target:  # one of two values
                    unused = self._unused(function, location, variables(other))
                    return TEST + distance(value, instead.value) + 0.3 * unused
                meant = of_the_first(condition, other) or shelters_other(condition, other)
                reason = 0.0 if meant else reason_against(step, condition)
                anyway = _ANYWAY * done_next(code, index, instead)
                return TEST + reason + anyway + self._stored_elsewhere(function, location, target, other)
            case _ if is_bound(made):
                return TEST + BOUND + _NO_BOUND * (not among_several(code, index, made))
            case _ if leads_past(made):
                return TEST + _LEADS_PAST
            case Guarded(condition, otherwise=None) if null_test(condition) == (
                self._unappended(function).get(location),
                "!=",
            ):
                return _STEP_ASKED
            case Guarded(condition):
                used = _GOES_ON * used_behind(code, index, condition)
                sure = self._around.of(function).settled.outcome(index, condition)
                return (
                    TEST + _SOMETIMES + reason_against(step, condition) + used + ALWAYS * (sure is not None)
                )
        return KIND

    def _assigned(self, function: str, index: int, step: Assign, other: LValue, new: Expression) -> float:
        """The distance of another assignment."""
        inside = self._program.functions[function]
        code = inside.code
        target, value = step.target, step.value
        target_change, value_change = assignment_distance(target, value, other, new)
        # What is as odd as the statement was before does not count against it.
        steps = goes_on(other, new) - goes_on(target, value)
        oddity = max(_PLAINER, shape(other, new) - shape(target, value)) - _GOES_ON_ITSELF * steps
        ends = forced(code, index, self._around.of(function).behind(index), other, new)
        oddity += FORCED * (ends or miscounts(code, index, other, new))
        oddity += max(0.0, self._flags.against(function, other, new))
        oddity += FOLLOWED * follows_twice(inside, index, other, new)
        oddity += LEFT_BEHIND * left_behind(inside, index, other, new)
        change = target_change + value_change
        if self._subscripts.as_elsewhere(function, [Load(target), value], [Load(other), new]):
            change = min(change, SUBSCRIPT)
        score = change + oddity - _NOTHING * self._idles(function, index)
        score -= FAMILIAR * self._familiar.favours([value], [new], target, other)
        score -= _NOTHING * self._directs(function, index, target, other)
        score += NAMESAKE * (namesakes(target, value) - namesakes(other, new))
        score += _FEIGNED * self._feigns(function, other, new, step)
        score += ANOTHER * bool(variables(new) - variables(value) - variables(target))
        score -= _STEP_COPIED * is_copied_step(inside, index, other, new)
        if other == target:
            score += _PACE * counts_otherwise(target, value, new)
            score += _ONLY_UP * counts_only_up(self._program, inside, target, value, new)
            score += _OTHER_KIND * of_another_kind(target, value, new)
            score -= EXTENT * self._extents.favours(function, index, new)
            score -= _REMADE * began_with(code, index, new, value)
            score -= _APPENDED * appends(code, index, other, new)
            if stored_alike(code, index, new):
                score = min(score, RELAXED)
        return score + (_TARGET if target_change else 0)

    def _valued_otherwise(
        self, function: str, index: int, location: int, step: Assign, new: Expression
    ) -> float:
        """The distance of another value for what is assigned or passed."""
        inside = self._program.functions[function]
        code, value = inside.code, step.value
        if new in tied(value):
            return TIED
        change = distance(value, new)
        if self._subscripts.as_elsewhere(function, [value], [new]):
            change = min(change, SUBSCRIPT)
        score = change - FAMILIAR * self._familiar.favours([value], [new])
        score += _TWICE * passed_twice(code, index, new) + NAMESAKE * parts_namesakes(value, new)
        score += _IN_A_ROW * (new in self._repeated(function).get(location, ()))
        alike = passes_namesakes(code, index, new) - passes_namesakes(code, index, value)
        score -= _ALIKE * alike
        score += _OFTEN * passed_beside(inside, index, new)
        score += _BALANCED * (balanced(inside, index, value) - balanced(inside, index, new))
        score -= _PAIRED * pairs_as_beside(inside, index, new)
        score += _RECKONED * reckons_with_key(inside, new)
        score -= EXTENT * self._extents.favours(function, index, new)
        if location == self._crashed and isinstance(new, Load):
            score -= _KEPT * any(new.place == each for each in kept_in(code, index, step))
        if stored_alike(code, index, new):
            score = min(score, RELAXED)
        score += _NULL_PASSED * self._passes_null(code, index, new)
        score += UNVARYING * passes_numbers_alone(inside, index, new)
        score += _FEIGNED * self._feigns(function, step.target, new, step)
        return score - _NOTHING * self._idles(function, index)

    def _feigns(
        self, function: str, target: LValue, value: Expression, instead: Assign | None = None
    ) -> bool:
        """Whether that makes true what the function checks, whatever has come of it.

        One number `instead` of another one may be right: a count that goes down begins with some number.
        """
        code = self._program.functions[function].code
        if function not in self._checked:
            self._checked[function] = checked(code)
        compared = self._checked[function]

        def feigned(place: LValue, made: Expression) -> bool:
            return feigns(compared, place, made) or counts_to(code, compared, place, made)

        return feigned(target, value) and not (instead and feigned(instead.target, instead.value))

    def _instruction(self, location: int) -> tuple[str, int, Instruction]:
        function = self._program.location(location).function
        if function not in self._indices:
            self._indices[function] = occurring_locations(self._program, function)
        index = self._indices[function][location]
        return function, index, self._program.functions[function].code[index]

    def _made_elsewhere(self, function: str, target: LValue) -> bool:
        """Whether the program has another function that makes the nodes to which a place leads."""
        if self._makers is None:
            self._makers = makers(self._program)
        return any(name != function for name in self._makers.get(target.type, ()))

    def _directs(self, function: str, index: int, target: LValue, other: LValue) -> bool:
        """Whether what sets a variable in vain sets what that leads to instead, or the field of its name."""
        if not directs(target, other):
            return False
        if function not in self._misdirected:
            program = self._program
            self._misdirected[function] = misdirected(program.functions[function], program)
        return index in self._misdirected[function]

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

    def _repeated(self, function: str) -> Mapping[int, Sequence[Expression]]:
        """By argument of a function's calls, the values with which a call is that beside it."""
        if function not in self._alike:
            self._alike[function] = making_alike(self._program.functions[function])
        return self._alike[function]

    def _unappended(self, function: str) -> Mapping[int, LValue]:
        """The steps of a function to what it has appended in some rounds only."""
        if function not in self._steps:
            self._steps[function] = steps_unappended(self._program.functions[function])
        return self._steps[function]
