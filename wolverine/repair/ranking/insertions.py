"""How far what is put into a gap is from the program: statements, calls, tests and jumps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    LValue,
    Member,
    VariableReference,
    lvalue_text,
    text,
    variables,
)
from wolverine.core.parts import gone_through, null_test, null_tests, parts, place_parts, without_casts
from wolverine.core.patch import (
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewReturn,
    NewSkip,
)
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Gap,
    Instruction,
    Program,
)
from wolverine.core.types import INT, CType, PointerType, is_number
from wolverine.repair.menus.allocations import unset
from wolverine.repair.menus.bounds import is_bound
from wolverine.repair.menus.calling import called_as
from wolverine.repair.menus.exhausted import just_set
from wolverine.repair.menus.full import in_front, room_tests
from wolverine.repair.menus.unlinked import forgets_link, unlinked
from wolverine.repair.menus.unreferenced import is_unreferenced
from wolverine.repair.menus.vocabulary import Scope, opposite_fields
from wolverine.repair.ranking.distance import (
    INSERTION,
    place_distance,
)
from wolverine.repair.ranking.forcing import forced, miscounts
from wolverine.repair.ranking.oddity import (
    BACK_AGAIN,
    TO_ITSELF,
    abreast,
    asks_what_is_set,
    back_again,
    begins_again,
    follows_twice,
    is_key,
    leads_to_itself,
    looping,
    never_set,
    plain,
    renames,
    returned,
    shape,
    trailing,
    walks_within,
    writes_back,
)
from wolverine.repair.ranking.renewed import Renewed
from wolverine.repair.source.arms import begun_already, leaves_the_rest_to_the_other
from wolverine.repair.source.asked import Asked
from wolverine.repair.source.blocks import arms_around
from wolverine.repair.source.called import new_call
from wolverine.repair.source.counting import (
    counted,
    counted_by_others,
    counts_back,
    counts_up,
    is_counter,
    is_first,
    never_counts,
    only_looks,
    outright,
    sets_outright,
)
from wolverine.repair.source.digits import is_next_digit
from wolverine.repair.source.emptied import ends_together
from wolverine.repair.source.familiar import namesakes
from wolverine.repair.source.flags import Flags
from wolverine.repair.source.forgotten import field_of_struct
from wolverine.repair.source.given_back import GivenBack
from wolverine.repair.source.lasting import is_of, lasting, new_nodes
from wolverine.repair.source.leading_back import leads_back, placed, tells_place
from wolverine.repair.source.marked import marked
from wolverine.repair.source.mirrored import Mirrored
from wolverine.repair.source.parallel import parallel
from wolverine.repair.source.pieces import Pieces
from wolverine.repair.source.portions import Portions
from wolverine.repair.source.predicates import asking_of, predicates
from wolverine.repair.source.references import References
from wolverine.repair.source.rounds import begins_a_round, begins_another_search
from wolverine.repair.source.stepping import left_behind, steps_once
from wolverine.repair.source.straddling import straddled
from wolverine.repair.source.surroundings import Surroundings
from wolverine.repair.source.tails import Tails
from wolverine.repair.source.twins import Twins
from wolverine.repair.source.undone import LeftUndone
from wolverine.repair.source.unvarying import leaves_numbers_alone
from wolverine.repair.source.walk import expressions_of, reads_through
from wolverine.repair.source.worked_off import leaves_work
from wolverine.semantics.replacing import slot_at

_MISPLACED = 0.3  # an index of another dimension
_COUNTED = -0.3  # what the program counts is counted once more
_FORGOTTEN = -0.25  # what is set to 0 and told, and nothing else
_SETTLES = 0.3  # in favour of setting a flag where it has just been asked for: so it is done once
_LASTING = 0.5  # what nodes are given when they are made is set in another node
_BY_LOOKING = 0.15  # in a function that only asks
_PARTLY = 0.25  # only some of the nodes that are made, where the program elsewhere counts all of them
_GONE = -0.05  # right where a node is freed
_AT_ONCE = -0.03  # or linked
_BESIDE = -0.02  # another field of the same struct is set right in front, or right behind
_ABREAST = 0.6  # a field is led on along with the one beside it: one of them would do
_AGAIN = 0.6  # the same statement stands on the same way
AMENDED = 0.5  # what the statement before has just written is better written right at once
_TAKEN_BACK = 0.8  # what the statement beside it counts is counted back
_DEAD = 0.3  # so that it was written for nothing
_LINKING = 1.0  # the first statement that sets a link
NAMESAKE = 0.15  # a field and the variable of its name
ANOTHER = 0.02  # between equals: a variable that the statement does not name so far
_INITIAL = 0.2  # a constant for a variable that nothing has set so far
_GIVEN = 0.1  # a parameter that the function leaves as it is, outside of loops
_GIVEN_AWAY = 0.2  # and it is a constant from then on: what the caller has asked for is lost
_KEY = 0.3  # or a number that is looked for, or a node that is found gets that
_LOOPED = 0.1  # what need not be done in every round stands outside of the loop
_ANEW = -0.05  # unless it is where an inner loop begins to walk
_BEGINS_AGAIN = 0.3  # a loop walks on, rather than from where it began
LEFT_BEHIND = -0.6  # what goes along with another variable is led on as well
_NEXT_DIGIT = -0.4  # so is a number of which each round takes the last digit, to the next one
FOLLOWED = 0.05  # by a link that a call in the loop follows as well
UNVARYING = 0.8  # a function calls itself with numbers alone
FORCED = 1.0  # what ends a loop is what it looks for
_UNCOUNTED = 0.4  # what is set to numbers, and never counts, does
_OUTRIGHT = 0.3  # what the program only counts is set to something else
_LEFT_TO_OTHERS = 0.4  # and counting what functions count that are called
_COUNTED_BACK = 0.3  # in each round, what is counted the other way outside of the loop
_COUNTER = 0.1  # and counting what has been set in front of it
_NULL = 0.2  # a null pointer, where none of its type in the struct is set to that
_CLEARED = -0.1  # an element of a table, of which the program sets others to null or asks whether they are
_EMPTIED_TOO = -0.25  # one is: the struct has both ends of something
_FIXED = 0.1  # a number, which one execution cannot tell from a count; but what counts begins with one
TEST = 0.5  # what a test costs that a statement is put under
_LED = 0.1  # where the test is for what leads to a certain node, and that changes to what is no link of it
CALLED = -0.6  # a function of the program that nothing calls
_NO_TEST = Constant(1, INT)
ALWAYS = 4.0  # and the same of a new test: it holds on every heap or on none
_NONE_OR_MARKED = 0.1  # whether a node has been visited is asked, and whether there is one
_BY_A_FUNCTION = 0.1  # the program has a function for asking that
_FORK = -0.2  # one of two assignments, as the program has them elsewhere, rather than one of them alone
_EXHAUSTED = 0.3  # but of a call, for what has just been set and may be nothing now, or may be full
REFERRED = 0.5  # what counts a reference that is kept beside it
UNREFERENCED = 0.95  # what frees a node, under the test whether what was just counted down is nothing now
_TOO_LATE = 1.5  # there should be room before anything is made
BOUND = 0.45  # what is assigned is compared with what is there
_BLOCK = 1.3  # several statements under a test, as the program has them between the same neighbours
_SPECIAL = 1.0  # several statements under a test that the program has nowhere
_SHARED = 0.5  # what speaks against each of its statements: they explain each other
_STATEMENT = 0.2  # for each of them
_LEFT_OVER = 0.1  # what is behind them is passed over
_ROUNDABOUT = 0.02  # each step to what is passed to a call
_OF_THESE = 0.2  # the test is of what the statements name
_NUMBERS = 0.3  # it compares two numbers, of which there are many
_USED_UP = 0.5  # or whether what was just set is nothing now
_LED_ANYWAY = 0.4  # it asks whether there is something at all
_UNLIKE = 0.5  # for either neighbour that is another
_PASSED = 0.05  # for each line that is passed over
_LEFT_OUT = 1.2  # and nothing is done instead: rather a return, or a special case
_ELSEWHERE = 0.3  # and the value stored elsewhere where the test fails: a special case
_EMPTIED = -1.1  # where the test is for what is empty, and that sets the other end to null
_PLAIN, _NUMBER = 0.02, 0.1  # 1 or -1 is returned in a special case, or a number that tells more
_RETURN = 0.2
_BEFORE = 0.3  # and does something before
_ONE_ARM = 0.5  # what stands behind an `if` and its `else` is done after one of them only
_CALL = 0.3  # a call of one of the program's functions
CLOSEST_CALL = INSERTION + _CALL
_IN_EVERY_ARM = -0.65  # that is made in another arm as it is: nearer than another operand
_JUMP = 0.1  # `break` or `continue`
_WORK_LEFT = 0.15  # the first, where the loop has to work something off
_STEPS_ONCE = 0.8  # by which a loop that walks is left with its first step
_AS_LONG_AS = 0.05  # `while` for `if`
_ABROAD = 0.1  # a global that the function does not mention
_ELSE = 0.06  # it stands in an arm that is not there yet
_END = -0.5  # and does to the end of a list what is done to the neighbour
_MIRRORED = -0.2  # and the same `if` with other names has that
_TWIN = -0.8  # a function that is the same with other names has it
_BACK = -0.1  # a node leads back to the one that is linked to it beside
_PLACED = -0.3  # or is told its place in the array in which it is stored beside
_STRADDLED = 0.1  # a field that is read in front of it, and behind
_OVERWRITTEN = 0.9  # its value takes the place of another
_GIVEN_UP = -0.4  # what is freed is given back as gone
_IN_AN_ARM = 0.1  # it is made in one arm of an `if` that asks for something else
_UNDONE = 0.8  # what is done in front of the last `return` is done in front of an earlier one as well
_LATE = 0.05  # one that is made again stands right behind what has changed its answer
_ASKED = 0.8  # the program asks elsewhere whether that call has found anything
_NEAR = 4  # locations to either side


class Insertions:
    """The distances of what is put into the gaps of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._asked = Asked(program)
        self._flags = Flags(program)
        self._mirrored = Mirrored(program)
        self._pieces = Pieces(program)
        self._portions = Portions(program)
        self._given_back = GivenBack(program)
        self._unlinked = unlinked(program)
        self._lasting = lasting(program)
        self._tails = Tails(program)
        self._twins = Twins(program)
        self._undone = LeftUndone(program)
        self._around = Surroundings(program)
        self._opposite = opposite_fields(program)
        self._placed = placed(program)
        self._renewed = Renewed(program)
        self._references = References(program)
        self._cleared = _cleared(program)
        self._outright = outright(program)
        self._inserted: dict[tuple[int, LValue, Expression], float] = {}
        self._tests: dict[tuple[str, int, Expression, bool], float] = {}
        self._marks: dict[str, Sequence[Expression]] = {}
        self._predicates = predicates(program)
        self._of_predicates: dict[str, Sequence[Expression]] = {}
        self._room: dict[tuple[str, Scope, str], frozenset[Expression]] = {}  # by function, scope and call
        self._looking: dict[str, bool] = {}
        self._foreign: dict[str, frozenset[str]] = {}
        self._called = {
            step.function for f in program.functions.values() for step in f.code if isinstance(step, Call)
        }
        self._counts: dict[tuple[CType, str], set[str]] = {}
        self._valued: set[tuple[CType, str]] = set()  # fields that take what is no number of the source
        self._tables: set[tuple[CType, str]] = set()  # of these, arrays at an index that is no constant
        for name, function in program.functions.items():
            for step in function.code:
                if isinstance(step, Assign) and (found := counted(step.target, step.value)) is not None:
                    self._counts.setdefault(found, set()).add(name)
                    if _at_an_index(step.target):
                        self._tables.add(found)
                if isinstance(step, Assign) and (taken := _valued(step)) is not None:
                    self._valued.add(taken)

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
        code, fixed = inside.code, isinstance(without_casts(value), Constant)
        score = INSERTION + shape(target, value) + around.usual(target, value)
        counting = self._counting(function, target, value)
        if counting < 0:  # one link of several may be set in a special case
            counting += _GONE if around.frees(index) else _AT_ONCE * around.relinks(index)
        score += counting
        if (field := counted(target, value)) is not None and field in self._counts:
            score += _PARTLY * self._portions.partly(function, index, field)
        score += _FORGOTTEN * (counts_up(target, value) and self._flags.only_zero(function, target))
        score += _LEFT_TO_OTHERS * counted_by_others(self._program, function, target, value)
        score += _OUTRIGHT * sets_outright(self._outright, target, value)
        score += _COUNTED_BACK * counts_back(code, index, target, value)
        score += _BY_LOOKING * (field is not None and self._only_looks(function))
        if field_of_struct(target) in self._lasting:
            score += _LASTING * (not is_of(target, new_nodes(inside)))
        score += self._flags.against(function, target, value)
        score -= _SETTLES * self._flags.settles(inside, index, target, value)
        links = forgets_link(self._program, function, target, self._unlinked)
        links = links or self._tails.sets(function, index, target, value)
        score -= NAMESAKE * namesakes(target, value) + _LINKING * links
        uncounted = field in self._valued and field not in self._counts
        score += _UNCOUNTED * (uncounted or never_counts(inside, target, value))
        score += _MISPLACED * around.misplaced(target, value)
        score += parallel(code, index, target, value) + _BESIDE * around.beside(index, target)
        used = variables(target) | variables(value)
        if counting < 0 and isinstance(target, Element):
            used = variables(target.index)  # a table is counted in by those who forget it
        elif namesakes(target, value):
            used = variables(target)  # what has the field's name is near wherever it was used last
        score += 0.3 * self._unused(function, location, used)
        score += BACK_AGAIN * back_again(code, index, target, value)
        score += _ABREAST * abreast(code, index, target, value)
        if leads_back(code, index, target, value, self._opposite):
            score += _BACK - TO_ITSELF * leads_to_itself(
                target, value
            )  # a ring of one node leads so both ways
        score += _PLACED * tells_place(code, index, target, value, self._placed)
        score += _STRADDLED * straddled(code, index, target)
        otherwise = self._program.location(location).gap == "else"
        ends = otherwise and self._mirrored.ends(function, index, target, value)
        if otherwise:
            score += _ELSE + _MIRRORED * self._mirrored.completes(function, index, target, value)
            score += _END * ends
        score += _ABROAD * len(used & self._abroad(function))
        score += _TWIN * self._twins.assignment(function, index, target, value)
        search = begins_another_search(inside, index, target, value)
        if anew := begins_a_round(inside, index, target, value) + search:
            score += anew
        elif index in around.behind(index):
            score += _ANEW if walks_within(code, index, target) else _LOOPED
            score += looping(code, index, target, value, otherwise=otherwise)
            score += trailing(code, index, target, value)
            over = forced(code, index, around.behind(index), target, value)
            score += FORCED * (over or miscounts(code, index, target, value))
            score += _BEGINS_AGAIN * begins_again(code, index, target, value)
            score += FOLLOWED * follows_twice(inside, index, target, value)
            score += _NEXT_DIGIT * is_next_digit(inside, index, target, value)
            score += LEFT_BEHIND * left_behind(inside, index, target, value)
            score -= _COUNTER * is_counter(inside, target, value)
        elif fixed and is_first(inside, index, target):
            score -= _INITIAL
        else:
            score += _GIVEN * never_set(inside, target)
        score += _GIVEN_AWAY * (fixed and never_set(inside, target))
        score += UNVARYING * (fixed and leaves_numbers_alone(inside, index, target, value))
        score += _KEY * (is_key(inside, target) + renames(inside, target, value))
        if not ends and around.again(index, (lvalue_text(target), text(value))):
            score += _AGAIN  # a list's end is set where there is no neighbour, and where there was no list
        if fixed:
            null = isinstance(value.type, PointerType)
            emptied = null and around.empties(index, target)
            if null and _table(target) in self._cleared:
                score += _CLEARED
            elif null and not search:
                score += _NULL if not emptied else _EMPTIED_TOO * _is_end(target)
            elif not null:
                score += -_FIXED if _begins(value) and _field(target) in self._counts else _FIXED
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
            score += AMENDED + _DEAD * dead
        if NewAssignment(target, value) == self._undone.at(function, index):
            score = min(score, _UNDONE)
        return score

    def _only_looks(self, function: str) -> bool:
        """Whether a function changes nothing that outlasts it."""
        if function not in self._looking:
            self._looking[function] = only_looks(self._program, function)
        return self._looking[function]

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
        if made == self._undone.at(function, index):
            return _UNDONE
        score = CLOSEST_CALL + CALLED * (made.function not in self._called)
        score += _IN_EVERY_ARM * self._around.of(function).called_aside(index, made)
        score += _TWIN * (made.target is None and self._twins.call(function, index, new_call(made)))
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

    def _free(self, function: str, index: int, location: int, arguments: Sequence[Expression]) -> float:
        """A `free`: in neither arm of an `if` that asks for something else, or where null is given back.

        `if (is_leaf(t)) { free(t); return NULL; }` says that nothing comes in the place of `t`.
        """
        used = frozenset[str]().union(*map(variables, arguments))
        if self._gives_up(function, index, arguments):
            return CLOSEST_CALL + _GIVEN_UP
        aside = _IN_AN_ARM * (self._aside(function, index, used) or self._where_linked(function, index, used))
        return CLOSEST_CALL + aside + 0.3 * self._unused(function, location, used)

    def _gives_up(self, name: str, index: int, freed: Sequence[Expression]) -> bool:
        """Whether null is given back right behind a gap for the node that the function was given."""
        function = self._program.functions[name]
        held = [each for each in function.parameters if each.type == function.result]
        match self._around.of(name).following(index):
            case Assign(_, VariableReference(result), value) if result == RESULT_NAME:
                null = isinstance(without_casts(value), Constant)
                return (
                    null
                    and isinstance(function.result, PointerType)
                    and [*freed] in [[Load(h)] for h in held]
                )
        return False

    def _where_linked(self, function: str, index: int, freed: frozenset[str]) -> bool:
        """Whether a gap is in an arm for nodes that lead on, `if (p->prev != NULL) p->prev->next = ...;`.

        What goes with `p` goes with the last of them as well, unless the arm leads elsewhere.
        """
        code = self._program.functions[function].code
        at, behind = max(arms_around(code, index), default=(-1, -1))
        step = code[at] if at >= 0 else None
        if not isinstance(step, Branch) or not step.if_true <= index < step.if_false:
            return False
        if not all(isinstance(each, Gap) for each in code[step.if_false : behind]):
            return False
        match null_test(step.condition):
            case Member(Dereference(Load(VariableReference() as node)), type=PointerType()), "!=":
                return lvalue_text(node) in freed
        return False

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
            around = self._around.of(function)
            code, leading = self._program.functions[function].code, around.into
            # `else if (a) b; else c;` behind `if (a)`
            known = around.settled.outcome(index, made.condition) is not None
            if isinstance(made_here, NewAssignment) and (other := made.otherwise) is not None:
                arms = (made_here, other)
                near = [self._insertion(function, index, location, each.target, each.value) for each in arms]
                if known:
                    return _FORK + ALWAYS + max(near)
                again = _AGAIN * begun_already(code, index, made)
                return _FORK + again + self._forked_again(function, index, arms) + min(near)
            led = isinstance(made_here, NewAssignment) and _of_what_is_set(made.condition, made_here.target)
            onward = isinstance(made_here, NewAssignment) and _goes_on(made.condition, made_here.value)
            through = isinstance(made_here, NewAssignment) and _shelters(made.condition, made_here.target)
            score = TEST + (
                _LED * (not onward) if led else self._test(function, index, made.condition, through=through)
            )
            if ends_together(self._program.functions[function].code, made):
                score = TEST + _EMPTIED
            score = TEST + BOUND if is_bound(made) else score
            score -= _ASKED * self._asked.leaves(self._program.functions[function], index, made)
            score += ALWAYS * asks_what_is_set(code, leading, index, _NO_TEST, made.condition)
            score += ALWAYS * known
            if isinstance(made_here, NewAssignment):
                return score + self._insertion(function, index, location, made_here.target, made_here.value)
            if isinstance(made_here, NewCall):
                inside = self._program.functions[function]
                makes_room = self._asks_for_room(location, made.condition, made_here.function)
                if made.condition in just_set(inside, index) or makes_room:
                    score = _EXHAUSTED
                if makes_room and not in_front(self._program, inside, index):
                    score += _TOO_LATE
                return score + self._call(function, index, location, made_here, empty=True)
            if isinstance(made_here, NewBlock) and not self._pieces.known(made):
                return self._special(function, index, location, made.condition, made_here)
            if isinstance(made_here, NewBlock):
                score = _BLOCK + _UNLIKE * (2 - self._pieces.fits(function, index, made))
                targets = (s.target for s in made_here.statements if isinstance(s, NewAssignment))
                named = frozenset[str]().union(*map(variables, targets))
                return score + ANOTHER * bool(named & self._abroad(function))
            if isinstance(made_here, NewSkip):
                if is_unreferenced(self._program, self._program.functions[function], index, made):
                    return UNREFERENCED
                return score + self._skip(function, index, location, made_here)
            return score + self._leaving(function, index, location, made_here)
        score = self._leaving(function, index, location, made)
        if isinstance(made, NewReturn):
            inside = self._program.functions[function]
            score += _ONE_ARM * leaves_the_rest_to_the_other(self._program, inside, index)
        return score

    def _forked_again(self, function: str, index: int, arms: Sequence[NewAssignment]) -> float:
        """What speaks against setting one of two places where an `if` and its `else` have just set these.

        What that wrote is written over then: who meant something else for one place would change it there.
        """
        around = self._around.of(function)
        if not around.newly_set(index, *(each.target for each in arms)):
            return 0.0
        again = any(around.again(index, (lvalue_text(each.target), text(each.value))) for each in arms)
        return AMENDED + _AGAIN * again

    def _leaving(self, function: str, index: int, location: int, made: NewReturn | NewJump) -> float:
        if isinstance(made, NewJump):
            code, out = self._program.functions[function].code, made.keyword == "break"
            score = INSERTION + (_AS_LONG_AS if made.keyword == "while" else _JUMP)
            score += _WORK_LEFT * (out and leaves_work(code, index))
            return score + _STEPS_ONCE * (out and steps_once(code, index))
        score = _RETURN
        if made.before is not None:
            score += _BEFORE
            score += self._insertion(function, index, location, made.before.target, made.before.value)
        else:
            score += INSERTION
        score += self._given_back.favours(function, made.value)
        return score + _returned(made.value)

    def _special(
        self, function: str, index: int, location: int, condition: Expression, made: NewBlock
    ) -> float:
        """A special case that the program has nowhere: what its statements are by themselves, and a test."""
        score = _SPECIAL + _SHARED * sum(
            self._in_turn(function, index, location, each) - INSERTION for each in made.statements
        )
        score += _STATEMENT * len(made.statements) + self._test(function, index, condition)
        score += _LEFT_OVER * (made.onward is not None or made.leaving is not None)
        score += 0.3 * self._unused(function, location, variables(condition))
        score += _ABROAD * len(variables(condition) & self._abroad(function))
        passed = (a for each in made.statements if isinstance(each, NewCall) for a in each.arguments)
        score += _ROUNDABOUT * sum(isinstance(p, Load) for each in passed for p in parts(each))
        inside = {text(part) for each in made.statements for part in _named_in(each)}
        compared = [condition.left, condition.right] if isinstance(condition, Binary) else [condition]
        known = [each for each in compared if text(each) in inside]
        score -= _OF_THESE * bool(known)
        match condition:
            case Binary(_, Load(one), Load()) if is_number(one.type):
                score += _NUMBERS
            case _ if condition in just_set(self._program.functions[function], index):
                score -= _USED_UP
        null = isinstance(condition, Binary) and isinstance(condition.right, Constant)
        if null and isinstance(condition, Binary) and condition.operator == "!=":
            score += _LED_ANYWAY
        return score

    def _in_turn(self, function: str, index: int, location: int, made: NewAssignment | NewCall) -> float:
        if isinstance(made, NewAssignment):
            return self._insertion(function, index, location, made.target, made.value)
        if made.function == "free":
            return self._free(function, index, location, made.arguments)
        return self._call(function, index, location, made)

    def _asks_for_room(self, location: int, condition: Expression, called: str) -> bool:
        """Whether a condition is one under which a call makes room there (`menus.full`)."""
        where = self._program.location(location)
        key = where.function, where.scope, called
        if key not in self._room:
            function = self._program.functions[where.function]
            self._room[key] = frozenset(room_tests(self._program, function, where.scope, called))
        return condition in self._room[key]

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
        """How odd a test is, reckoned once for all the statements that may stand under it.

        One of a plain variable that the code behind goes through is the least so, and one that the statement
        under it goes `through`.
        """
        key = function, index, condition, through
        found = self._tests.get(key)
        if found is None:
            found = self._tests[key] = self._testing(function, index, condition, through)
        return found

    def _testing(self, function: str, index: int, condition: Expression, through: bool) -> float:
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
        if condition in self._asked_elsewhere(function):
            return _BY_A_FUNCTION
        if condition in self._marks_of(function):
            return _NONE_OR_MARKED * isinstance(condition, Logical)
        return 0.5

    def _marks_of(self, function: str) -> Sequence[Expression]:
        """What the function may ask about the marks that it sets."""
        if function not in self._marks:
            self._marks[function] = marked(self._program, self._program.functions[function])
        return self._marks[function]

    def _asked_elsewhere(self, function: str) -> Sequence[Expression]:
        """What the function may ask as others do that ask nothing else."""
        if function not in self._of_predicates:
            inside = self._program.functions[function]
            self._of_predicates[function] = asking_of(self._predicates, inside)
        return self._of_predicates[function]

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


def _named_in(made: NewAssignment | NewCall) -> Iterator[Expression]:
    """The values in a statement; what it sets counts as one."""
    if isinstance(made, NewAssignment):
        yield from (Load(made.target), *parts(made.value))
        yield from place_parts(made.target)
    else:
        yield from (part for each in made.arguments for part in parts(each))


def _is_end(target: LValue) -> bool:
    """Whether it is a field that leads to structs of another type."""
    return isinstance(target, Member) and target.type != PointerType(target.base.type)


def _at_an_index(target: LValue) -> bool:
    return isinstance(target, Element) and not isinstance(target.index, Constant)


def _shelters(condition: Expression, target: LValue) -> bool:
    """Whether a test is for a pointer that leads somewhere, by which the target is come to."""
    match condition:
        case Binary("!=", Load(place), Constant(0)):
            return place in gone_through(target)
    return False


def _evaluated(step: Instruction) -> Iterator[Expression]:
    """The expressions of an instruction; what it sets counts as read."""
    yield from expressions_of(step)
    if isinstance(step, Assign):
        yield Load(step.target)


def _of_what_is_set(condition: Expression, target: LValue) -> bool:
    """Whether a test is for the node to which the target leads: `if (list->tail == p) list->tail = ...`."""
    match condition:
        case Binary("==", Load(one), Load(other)):
            return target in (one, other) and isinstance(target.type, PointerType)
    return False


def _goes_on(condition: Expression, value: Expression) -> bool:
    """Whether a link of the node that a test is for is stored: `if (list->at == p) list->at = p->next;`."""
    match condition, value:
        case Binary("==", Load(one), Load(other)), Load(link):
            return not {one, other}.isdisjoint(gone_through(link))
    return False


def _returned(value: Expression | None) -> float:
    """What speaks against a value that is given back at once: least for 0, little for success or failure."""
    match without_casts(value) if value is not None else None:
        case Load():
            return 0.2
        case Constant(number) if number:
            return _PLAIN if abs(number) == 1 else _NUMBER
    return 0.0


def _field(target: LValue) -> tuple[CType, str] | None:
    """The struct and the field that an assignment sets."""
    return (target.base.type, target.name) if isinstance(target, Member) else None


def _valued(step: Assign) -> tuple[CType, str] | None:
    """The field that takes what is no number of the source, and counts nothing."""
    fixed = isinstance(without_casts(step.value), Constant)
    return None if fixed or counted(step.target, step.value) is not None else _field(step.target)


def _begins(value: Expression) -> bool:
    """Whether that is a number with which counting begins."""
    number = without_casts(value)
    return isinstance(number, Constant) and number.value in (0, 1)


def _cleared(program: Program) -> frozenset[tuple[CType, str]]:
    """The tables of pointers, as fields, of which the program sets elements to null, or asks for null.

    What is only asked for is null again once it holds nothing, unless lists hang there, of which the rest
    stays: an element is stored in a link then, or its address is taken.
    """
    steps = [step for function in program.functions.values() for step in function.code]
    assigned = [step for step in steps if isinstance(step, Assign)]
    asked = {
        _table(place) for step in steps if isinstance(step, Branch) for place in null_tests(step.condition)
    }
    linked = {
        _table(part.place)
        for step in assigned
        for part in parts(step.value)
        if isinstance(part, AddressOf) or (isinstance(part, Load) and isinstance(step.target, Member))
    }
    null = {
        _table(step.target)
        for step in assigned
        if isinstance(step.target.type, PointerType) and isinstance(without_casts(step.value), Constant)
    }
    return frozenset(table for table in null | (asked - linked) if table is not None)


def _table(place: LValue) -> tuple[CType, str] | None:
    """The struct and the field that hold the array of which a place is an element."""
    match place:
        case Element(Member(base, name)) | Dereference(Binary("+", Load(Member(base, name)))):
            return base.type, name
    return None
