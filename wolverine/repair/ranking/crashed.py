"""What speaks for and against a repair where a crash is all that is known."""

from __future__ import annotations

from collections.abc import Callable, Collection

from wolverine.core.expressions import (
    Binary,
    Constant,
    Element,
    Expression,
    Load,
    LValue,
    Member,
    VariableReference,
    variables,
)
from wolverine.core.parts import gone_through, negated, parts
from wolverine.core.patch import (
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewCall,
    NewNode,
    NewValue,
    Patch,
    Replacement,
    unguarded,
)
from wolverine.core.program import Assign, Branch, Call, Function, Library, Program, is_result, reachable
from wolverine.core.trace import Trace
from wolverine.core.types import IntType, PointerType, is_number
from wolverine.repair.execution.onward import ending
from wolverine.repair.execution.tape import Tape
from wolverine.repair.heaps.trials import USUAL, Part
from wolverine.repair.ranking.oddity import answers, goes_on
from wolverine.repair.ranking.origins import UNKNOWN, Origins
from wolverine.repair.source.emptied import ends_together
from wolverine.repair.source.flow import behind
from wolverine.repair.source.forgotten import field_of_struct, forgets, links, sets_on_some_ways, unread
from wolverine.repair.source.overwritten import overwritten
from wolverine.repair.source.retained import stores_itself
from wolverine.repair.source.ringed import alters_sought
from wolverine.repair.source.walk import located
from wolverine.repair.special.early import read_early
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

_ADDING = 1.5  # a call that adds nodes, where the program as it is gets along on some heaps without
_DISCARDED = 0.8  # a parameter is set before anything has read it
_SOUGHT = 1.0  # what a loop looks for is set while it looks
_IN_VAIN = 0.7  # what speaks against no longer using what a call returned
_OMITTED = 0.4  # what is in favour of setting a field that a function never sets, where it sets others
_UNLINKED = 0.6  # what is in favour of setting a link that is followed, and that nothing else sets
_FIRST = 0.02  # between equals: of two statements that write the same, the copy is the wrong one
_LACKING = 0.4  # and more where it crashed by what nothing had set
_DEFAULT = 0.5  # a constant for a field that is set on some ways only: it is what the field holds without
_STEPS = 200_000
_ASIDE = 0.8  # what is set is no place in which the pointer lay by which it crashed
_REDIRECTED = 0.6  # `x = x->f`, where x has its value and nothing goes round
_NUMBER = 0.6  # a number is set, and again where it is what the caller asked for
_GIVEN = 1.2  # a number, or what is asked of others, cannot have led to a null pointer that was given
_EVADING = 1.0  # another condition on what a library function answers
_FREED_AGAIN = -2.6  # what crashed is a `free`, and that goes, and nothing is lost by it
_FREED_ANYWAY = -3.0  # or the one in front of it, of what it frees in every other case as well
_SEARCHED = 0.5  # a search is changed that has found nothing, as the program elsewhere knows that it may
HIDING = 0.4  # against the test around the statement that is there, and a constant in the place of a value


def against(
    program: Program,
    patch: Patch,
    adding: Collection[str],
    part: Part,
    passed: int,
    *,
    filled: Collection[tuple[str, str]] = (),
    unlinked: Collection[tuple[str, str]] = (),
    lacks: bool = False,
    origins: Origins = UNKNOWN,
    crashed: int = -1,
    given: frozenset[str] = frozenset(),
    known: dict[tuple[Edit, bool, int], float] | None = None,
    anyway: Collection[int] = (),
) -> float:
    """What speaks against the edits of a patch, whose repairs are those of `part`.

    Calls of the functions `adding` add nodes, the fields `filled` are set somewhere, and the links `unlinked`
    nowhere; on `passed` heaps the program as it is gets along.  With `lacks`, it crashed by what nothing had
    set.  The statement that crashed is `crashed` (-1: it is not known).  It crashed by a null pointer that is
    just what the function was `given`, under these names.  The calls `anyway` free what the one that
    crashed frees behind them.  What single edits are about is kept in `known`, for one program and trace.
    """
    harmless = passed >= USUAL and not (part.uneven or part.lost or part.broken)
    omitted = _OMITTED + _LACKING * lacks
    again = -1 if part.lost or part.leaves or anyway else crashed
    early = {edit for pair in read_early(program, patch) for edit in pair}
    known = {} if known is None else known

    def purpose(edit: Edit) -> float:
        if (key := (edit, harmless, again)) not in known:
            known[key] = _purpose(program, edit, harmless, omitted, filled, origins, again, given)
        return known[key]

    return sum(
        purpose(edit)
        + _ADDING * _adds(program, edit, adding)
        + _FREED_ANYWAY * (edit.location in anyway and isinstance(edit.replacement, Deletion))
        - _UNLINKED * links(edit.replacement, unlinked)
        + _SEARCHED * (program.location(edit.location).function in origins.searched)
        for edit in patch.edits
        if edit not in early
    )


def crash_kind(program: Program, trace: Trace) -> str:
    """What kind of fault the execution ends in (`semantics.faults`); "" where it is not known, or in none."""
    if trace.endless:
        return ""
    machine = Machine(program, strict=True)
    try:
        seat(machine, trace.start, trace.start_stack)
        fault = ending(machine, _STEPS, Tape(machine, trace))
    except Halt:
        return ""
    return fault.kind if fault is not None else ""


def crash_location(program: Program, trace: Trace) -> int:
    """The location of what crashed, where that is all that is known; else -1."""
    if trace.crash is None or not trace.bare:
        return -1
    _, function, instruction, _ = trace.crash.position
    return program.functions[function].code[instruction].location


def _purpose(
    program: Program,
    edit: Edit,
    harmless: bool,
    omitted: float,
    filled: Collection[tuple[str, str]],
    origins: Origins,
    crashed: int,
    given: frozenset[str],
) -> float:
    """What speaks against an edit: less than nothing (`omitted`) where it sets a field that is forgotten.

    A test around a statement hides something, unless it is known to be `harmless` to leave it out, and is no
    step on which a walk goes on (`l = l->after[i]`: then it stands where it is).  What no
    longer uses what a call returned makes the call in vain.  A new statement should set one of the `origins`
    of the pointer, and numbers have to do with them or hardly with the crash.
    """
    location, made = program.location(edit.location), edit.replacement
    function = program.functions[location.function]
    if isinstance(made, Deletion):
        return _FREED_AGAIN * _frees(function, edit.location, crashed)
    if location.kind == "gap":
        plain = unguarded(made)
        if isinstance(plain, NewNode) and plain.copied:
            return -omitted * forgets(function, plain.target)
        if not isinstance(plain, NewAssignment):
            return 0.0
        ends = isinstance(made, Guarded) and ends_together(function.code, made)
        partly = origins.unset and sets_on_some_ways(program, location.function, plain.target)
        forgotten = (plain is made or ends) and (partly or forgets(function, plain.target))
        dodging = _ASIDE * (not origins.told(location.function, plain.target))
        dodging += _REDIRECTED * _redirects(function, location.id, plain)
        field = field_of_struct(plain.target)
        if is_number(plain.target.type) and (field is None or field in filled):
            forgotten, dodging = False, dodging + _dodges(function, plain)
        anyway = not _where_it_leads(made, plain.target)
        discarded = anyway and unread(function, location.id, plain.target)
        sought = _SOUGHT * (anyway and alters_sought(function, located(function, location.id), plain.target))
        default = _DEFAULT * (partly and isinstance(plain.value, Constant))
        return _DISCARDED * discarded + sought - omitted * forgotten - default + dodging
    if location.kind == "condition" and _asks(function, location.id):
        return _EVADING
    if location.kind == "condition" and isinstance(made, NewValue):
        dodging = _NUMBER * (not origins.reckoned and _of_numbers(function, location.id, made.value))
        dodging = _GIVEN if given and not _asks_for(given, function, location.id, made.value) else dodging
        return dodging + _IN_VAIN * _drops_answer(function, location.id, made.value)
    if isinstance(made, Guarded):
        hiding = not harmless or _steps(function, edit.location)
        return HIDING if made.otherwise is None and hiding else 0.0
    if not isinstance(made, NewAssignment | NewValue):
        return 0.0
    step = next((s for s in function.code if s.location == edit.location and isinstance(s, Assign)), None)
    if step is None:
        return 0.0
    returned = {name for name in variables(step.value) if name.startswith("$")}
    if not returned <= variables(made.value):
        return _IN_VAIN
    number = _NUMBER * (
        is_number(step.target.type) and not origins.reckoned and _led(step.value) == _led(made.value)
    )
    if given and is_number(step.target.type) and not given & variables(step.value):
        number = _GIVEN
    fields = isinstance(made, NewAssignment) and isinstance(step.target, Member)
    written = overwritten(function, edit.location) if fields else ""
    if isinstance(made, NewAssignment) and written:
        # Something else was to be written there: most likely what the function forgets.
        number += _FIRST * (written == "first") - omitted * forgets(function, made.target)
    hides = isinstance(made.value, Constant) and variables(step.value)
    return max(number, HIDING) if hides else number


def _steps(function: Function, location: int) -> bool:
    """Whether the statement lets a variable go on over a link of the node to which it leads."""
    match function.code[located(function, location)]:
        case Assign(_, target, Load(place)):
            while isinstance(place, Element):
                place = place.base
            return goes_on(target, Load(place))
    return False


def _where_it_leads(made: Replacement, place: LValue) -> bool:
    """Whether a statement is made only where a place leads to a certain node (`if (last == p) last = q;`)."""
    match made:
        case Guarded(Binary("==", Load(one), Load(other))):
            return place in (one, other)
    return False


def _led(value: Expression) -> set[Expression]:
    """The pointers that a value goes through."""
    places = (part.place for part in parts(value) if isinstance(part, Load))
    return {Load(each) for place in places for each in gone_through(place)}


def _frees(function: Function, location: int, crashed: int) -> bool:
    """Whether a location is the call of `free` in the statement that crashed."""
    units = {
        unit for step, unit in zip(function.code, function.unit_of, strict=True) if step.location == crashed
    }
    return any(
        isinstance(step, Call | Library) and step.function == "free" and unit in units
        for step, unit in zip(function.code, function.unit_of, strict=True)
        if step.location == location
    )


def _of_numbers(function: Function, location: int, condition: Expression) -> bool:
    """Whether a condition compares with another number, or is the opposite and about numbers alone."""
    old = next((s.condition for s in function.code if s.location == location and isinstance(s, Branch)), None)
    if old is None:
        return False
    alone = not any(isinstance(part.type, PointerType) for part in parts(old))
    return (alone and condition == negated(old)) or bool(_numbers(condition) - _numbers(old))


def _asks_for(names: frozenset[str], function: Function, location: int, condition: Expression) -> bool:
    """Whether a condition asks for one of these variables, or did so before."""
    conditions = [s.condition for s in function.code if s.location == location and isinstance(s, Branch)]
    return any(names & variables(each) for each in (*conditions, condition))


def _drops_answer(function: Function, location: int, condition: Expression) -> bool:
    """Whether a condition no longer asks what a function of the program has answered."""
    old = next((s.condition for s in function.code if s.location == location and isinstance(s, Branch)), None)
    given = {s.result.name for s in function.code if isinstance(s, Call) and s.result is not None}
    return old is not None and bool(variables(old) & given - variables(condition))


def _numbers(condition: Expression) -> set[int]:
    constants = (part for part in parts(condition) if isinstance(part, Constant))
    return {each.value for each in constants if isinstance(each.type, IntType)}


def _redirects(function: Function, location: int, made: NewAssignment) -> bool:
    """Whether a local variable is sent on from where it leads to, once and in no loop."""
    target, index = made.target, next(i for i, s in enumerate(function.code) if s.location == location)
    return (
        isinstance(target, VariableReference)
        and target.level == "local"
        and target.name in variables(made.value)
        and index not in behind(function.code, index)
        and not any(
            is_result(step.target) and step.value == Load(target)
            for step in function.code
            if isinstance(step, Assign)
        )
    )


def _dodges(function: Function, made: NewAssignment) -> float:
    """What speaks against setting a number: another one may lead round the crash, and mends no pointer.

    A variable of the function may have been left as it was; what is counted may have been forgotten.
    """
    if made.target in function.locals or Load(made.target) in parts(made.value):
        return 0.0
    return _NUMBER + _NUMBER * (made.target in function.parameters)


def _asks(function: Function, location: int) -> bool:
    """Whether the condition asks for what a library function answers, as `scanf(...) == 1` does."""
    conditions = (s.condition for s in function.code if isinstance(s, Branch) and s.location == location)
    return any(answers(function, condition) for condition in conditions)


def failing(part: Part, special: float) -> float:
    """On how many heaps a repair fails.

    Where the program as it is gets along on most (`special`), a special case is missing rather than
    anything wrong with the others, and what fails elsewhere is another fault.  So is what uses nodes that
    were freed, where the execution does not.
    """
    return part.crashes + part.evaded - part.besides - special * part.standing


def beyond(
    patch: Patch, part: Part, lines_of: Callable[[str], frozenset[int]], besides: Collection[int]
) -> int:
    """On how many heaps a repair crashes in a function of the program that it calls anew.

    What such a function is to be given, made-up heaps do not know: that an entry is also in its chain.
    `lines_of` is `lines_within` of one program; faults at the lines `besides` are known anyway.
    """
    called = {made.function for edit in patch.edits if isinstance(made := edit.replacement, NewCall)}
    lines = frozenset[int]().union(*map(lines_of, called)).difference(besides)
    if not lines:
        return 0
    crashes = (each for each in part.outcomes if isinstance(each, tuple) and each[0] == "crash")
    return sum(line in lines for _, _, line in crashes)


def lines_within(program: Program, function: str) -> frozenset[int]:
    """The lines of a function and of what it calls; none where it is not the program's."""
    if function not in program.functions:
        return frozenset()
    names = reachable(program, [function])
    locations = (step.location for name in names for step in program.functions[name].code)
    return frozenset(program.location(each).line for each in locations if each >= 0)


def _adds(program: Program, edit: Edit, adding: Collection[str]) -> bool:
    """Whether an edit calls one of these functions, and nothing keeps the result that does not anyway."""
    made = edit.replacement
    if not isinstance(made, NewCall) or made.function not in adding:
        return False
    return made.target is None or stores_itself(program, made.function, made.arguments, made.target)


def outside(trace: Trace) -> str:
    """The function in which the execution begins, where it only called what crashed ("": another)."""
    first = trace.start_stack[0][0]
    crash = trace.crash if trace.bare else None
    return first if crash is not None and crash.position.function != first else ""


def under_way(trace: Trace) -> frozenset[str]:
    """The function that crashed, and those in which the execution begins; none where more is known."""
    crash = trace.crash if trace.bare else None
    started = (name for name, _ in trace.start_stack)
    return frozenset() if crash is None else frozenset((crash.position.function, *started))
