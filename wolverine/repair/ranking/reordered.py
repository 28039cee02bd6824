"""Ranked repairs put in another order: by what corrected pictures showed, what came before, how it goes on.

What edit distance and fresh heaps cannot tell; each function takes repairs in order and gives them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from math import inf

from wolverine.core.expressions import (
    COMPARISONS,
    Binary,
    Dereference,
    Expression,
    Load,
    LValue,
    Member,
    variables,
)
from wolverine.core.parts import parts
from wolverine.core.patch import (
    NO_EDITS,
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewJump,
    NewReturn,
    NewValue,
    Patch,
)
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.trace import Trace
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.known import Known
from wolverine.repair.heaps.trials import Part
from wolverine.repair.heaps.unrepaired import Null
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.aftermath import ending_badly
from wolverine.repair.ranking.begun import Begun
from wolverine.repair.ranking.crashed import HIDING
from wolverine.repair.ranking.insertions import AMENDED
from wolverine.repair.ranking.pictured import Pictured, Replaced, Restored
from wolverine.repair.ranking.sequel import Sequel
from wolverine.repair.ranking.spared import Spared
from wolverine.repair.ranking.storing_over import storing_over
from wolverine.repair.source.counting import counted
from wolverine.repair.source.given_back import variables_returned
from wolverine.repair.source.premature import SENSELESS
from wolverine.repair.source.rounds_in_vain import sets_once
from wolverine.repair.source.stored_over import stores_instead
from wolverine.repair.source.walk import located
from wolverine.repair.special.moves import enters_an_arm, in_turn, leaves_a_loop, shifts

_UPSET = 0.8  # a new statement changes heaps on which nothing was amiss, and under a test it need not
_NO_DIFFERENCE = 0.2  # a statement sets what is there already on every heap: nobody writes that
_ENDS_BADLY = 1.0  # it crashes or has no end behind what was asserted
_UNREAD = 4.0  # where a temporary that is read no more is not left as it was when the rest was asserted
_AMISS = 0.31  # for every place other than it was shown where the user corrected others
_RESTORED = 0.5  # what is to be as it was before is set all the same
_AMISS_MOST = 1.8
_SPOILT = 0.5  # or where there are more nodes it is set in another one, which the program leaves alone
_REPLACED = 1.2  # a node that was named is freed, and another one stands for it
_BEGUN = 0.5  # other than asserted comes out of what was executed before
_INSTEAD = 1.0  # so much farther off what is stored may still be another value
_PLAINER = 1.5  # so much farther off is rather something else than a statement that is moved
_LOOKED_AT = 60  # behaviours that are asked for that

Entry = tuple[tuple[bool, float, float, str], Part, Patch, float]  # order, part, patch, distance


def in_vain(trace: Trace, found: list[Entry]) -> list[Entry]:
    """With what speaks against what makes no difference on any heap: an `else`, or the statement itself.

    Where states are asserted that counts less, as heaps are few on which some statements make one.
    """
    without = {patch: part.outcomes for _, part, patch, _ in found}
    against = HIDING if trace.bare else _NO_DIFFERENCE
    return _further(
        found, lambda part, patch: against * any(without.get(less) == part.outcomes for less in _less(patch))
    )


def stored_over(
    program: Program, trace: Trace, found: list[Entry], accepted: Patch = NO_EDITS
) -> list[Entry]:
    """With what speaks against new statements that store where one has just stored, by another name."""
    kept = Patch(tuple(e for e in accepted.edits if all(e in patch.edits for _, _, patch, _ in found)))
    new = [edit for _, _, patch, _ in found for edit in patch.beside(kept)]
    over = storing_over(program, trace, kept, new)
    return _further(found, lambda _, patch: AMENDED * (not over.isdisjoint(patch.edits))) if over else found


def _less(patch: Patch) -> Iterator[Patch]:
    """The patches that do less than this one: no `else`, no statement, no test under which a jump was put."""
    match patch.edits:
        case (Edit(location, Guarded(condition, statement, NewAssignment())),):
            yield Patch((Edit(location, Guarded(condition, statement)),))
        case (Edit(location, NewAssignment() | NewValue()),):
            yield Patch((Edit(location, Deletion()),))
        case (one, other):
            for gone, put in ((one, other), (other, one)):
                match gone.replacement, put.replacement:
                    case Deletion(), Guarded(_, NewReturn() | NewJump()):
                        yield Patch((gone,))


def going_on(
    sequel: Sequel | None,
    found: list[Entry],
    besides: Collection[int],
    lacking: Callable[[Patch, str], Collection[Null]],
    stranding: Callable[[Patch, str], bool],
) -> list[Entry]:
    """With what speaks against repairs in how the execution goes on under them, save for other faults."""
    ordered = sorted(found, key=lambda entry: entry[0])
    closest = ((id(part), patch, distance) for (_, distance, *_), part, patch, _ in ordered)
    added = sequel.against(closest, besides, lacking, stranding) if sequel is not None else {}
    return _further(ordered, lambda _, patch: added.get(patch, 0.0))


def upsetting(
    program: Program,
    trace: Trace,
    found: list[Entry],
    always: Callable[[Patch], bool],
    accepted: Patch = NO_EDITS,
) -> list[Entry]:
    """With what speaks against new statements that change what was well, where under a test they do not.

    After a mere crash, to return something else than a variable is like setting that just before.  What is
    to be done `always` is spared.  Edits that were `accepted` are no more in question.
    """
    calm: dict[LValue | None, int] = {}
    for _, part, patch, _ in found:
        match patch.beside(accepted):
            case (Edit(_, Guarded(_, NewAssignment(target), None)),) if not part.upset:
                calm[target] = max(calm.get(target, 0), part.mended)

    def upsets(part: Part, patch: Patch) -> bool:
        match new := patch.beside(accepted):
            case (Edit(_, NewAssignment(target, value)),) if counted(target, value) is not None:
                return False  # that is done in every case
            case (edit,):
                upset = part.upset > 0 and part.mended > 0 and not always(Patch(new))
                return upset and part.mended <= calm.get(_set_anew(program, trace, edit), 0)
        return False

    return _further(found, lambda part, patch: _UPSET * upsets(part, patch))


def _set_anew(program: Program, trace: Trace, edit: Edit) -> LValue | None:
    """What a new statement sets, or the variable whose value is returned no more."""
    location = program.location(edit.location)
    match edit.replacement:
        case NewAssignment(target) | Guarded(_, NewAssignment(target), None) if location.kind == "gap":
            return target
        case NewValue() if location.kind == "return" and trace.bare:
            return dict(variables_returned(program.functions[location.function])).get(location.id)
    return None


def as_pictured(
    program: Program, trace: Trace, menus: Menus, found: list[Entry], known: Known
) -> list[Entry]:
    """Those before others that leave more of what corrected pictures showed as it was.

    Of each behaviour the closest repair tells it for all.  What temporaries held that are read no more
    (pictures without nodes) is told of each repair by itself.
    """
    pictures = [assertion for assertion in trace.pictured if assertion.states]
    unread = [assertion for assertion in trace.pictured if not assertion.states]
    pictured = Pictured(program, trace, menus, pictures, known.amiss("pictured")) if pictures else None
    kept = Pictured(program, trace, menus, unread, known.amiss("unread")) if unread else None
    approved = trace.approved
    seen = (
        Pictured(program, approved, menus, approved.pictured, known.amiss("approved"), trace)
        if approved is not None
        else None
    )
    looked_at = [each for each in (pictured, seen) if each is not None]
    added: dict[int, float] = {}
    first = inf  # the distance of the first one so far: what comes behind it anyway is not looked at
    for (_, distance, *_), part, patch, _ in found if looked_at else ():
        if id(part) not in added:
            asked = len(added) < _LOOKED_AT or distance < first
            counts = [each.amiss(patch) for each in looked_at] if asked else [None]
            told = [count for count in counts if count is not None]
            added[id(part)] = (
                min(_AMISS * sum(told), _AMISS_MOST) if len(told) == len(counts) else _AMISS_MOST
            )
            first = min(first, distance + added[id(part)])

    def otherwise(part: Part, patch: Patch) -> float:
        other = _UNREAD if kept is not None and kept.amiss(patch) != 0 else 0.0
        return added.get(id(part), 0.0) + other

    return sorted(_further(found, otherwise), key=lambda entry: entry[0])


def as_begun(found: list[Entry], begun: Begun) -> list[Entry]:
    """Those before others under which the way to where the trace begins comes to what is asserted."""
    if not begun:
        return found
    counts: dict[int, int | None] = {}
    for _, part, patch, _ in found:
        if id(part) not in counts:
            counts[id(part)] = begun.amiss(patch) if len(counts) < _LOOKED_AT else None
    least = min((count for count in counts.values() if count is not None), default=0)
    added = {each: _BEGUN * (count is None or count > least) for each, count in counts.items()}
    return sorted(_further(found, lambda part, _: added[id(part)]), key=lambda entry: entry[0])


def living_on(program: Program, trace: Trace, found: list[Entry]) -> list[Entry]:
    """Those before others under which the execution goes on to its end behind what was asserted."""
    closest: dict[int, Patch] = {}
    for _, part, patch, _ in found:
        closest.setdefault(id(part), patch)
    asked = dict(islice(closest.items(), _LOOKED_AT))
    badly = dict(zip(asked, ending_badly(program, trace, [*asked.values()])))
    added = _further(found, lambda part, _: _ENDS_BADLY * badly.get(id(part), False))
    return sorted(added, key=lambda entry: entry[0])


def as_before(
    program: Program, trace: Trace, menus: Menus, found: list[Entry], cases: Sequence[Case]
) -> list[Entry]:
    """Those before others that do not set what is to be as it was before, nor what is like it in `cases`."""
    restored = Restored(program, trace, menus)
    if not restored:
        return found
    spared = Spared(program, cases, restored.fields)
    added: dict[int, float] = {}
    spoilt: dict[int, int] = {}
    for _, part, patch, _ in found:
        if id(part) not in added:
            anew = restored.set_anew(patch) if len(added) < _LOOKED_AT else None
            added[id(part)] = _RESTORED * (anew is not False)
            if spared and len(spoilt) < _LOOKED_AT:
                spoilt[id(part)] = spared.spoilt(patch)
    least = min(spoilt.values(), default=0)
    for each, count in spoilt.items():
        added[each] += _SPOILT * (count > least)
    return sorted(_further(found, lambda part, _: added[id(part)]), key=lambda entry: entry[0])


def as_named(program: Program, trace: Trace, menus: Menus, found: list[Entry]) -> list[Entry]:
    """Those before others that keep the nodes that were shown: who names one means that, and none like it."""
    named = Replaced(program, trace, menus)
    if not named:
        return found
    added: dict[int, float] = {}
    for _, part, patch, _ in found:
        if id(part) not in added:
            other = named.replaced(patch) if len(added) < _LOOKED_AT else None
            added[id(part)] = _REPLACED * (other is not False)
    return sorted(_further(found, lambda part, _: added[id(part)]), key=lambda entry: entry[0])


def plain_first(program: Program, found: list[Entry]) -> list[Entry]:
    """Before what moves a statement the closest that does the same with fewer edits.

    Not so where it leaves a loop: what is done once rather than in each round is another thing to say.  Nor
    where the two statements are senseless as they are, or the other repair is much farther off.  What is set
    in vain in each round of a loop comes behind what sets it once, a way there and back (`p->next->prev`)
    behind the place where it begins, a way that has become longer behind a shorter one, and what reckons
    otherwise (`n + k - k`) behind what leaves that out (`n`), if that does the same, and so does what tells
    two cases apart behind what does the one thing in both.  Nobody stores over what a statement has just
    stored: that is given the other value.
    """

    behaviours: dict[object, dict[Patch, Entry]] = {}
    alike: dict[int, dict[Patch, Entry]] = {}  # by part, what behaves as it does
    for entry in found:
        _, part, patch, _ = entry
        if id(part) not in alike:
            alike[id(part)] = behaviours.setdefault(part.outcomes, {})
        alike[id(part)].setdefault(patch, entry)
    place = {patch: number for number, (_, _, patch, _) in reversed([*enumerate(found)])}
    ordered: dict[Patch, Entry] = {}
    begun: set[int] = set()  # behaviours
    for entry in found:
        _, part, patch, _ = entry
        others = alike[id(part)]
        less = {each for each in (_straight(patch), *_in_both_cases(patch)) if each in others}
        for plain in sorted(less, key=place.__getitem__):
            ordered.setdefault(plain, others[plain])
        if id(others) not in begun:
            begun.add(id(others))
            once = next((each for each in others.values() if sets_once(program, patch, each[2])), None)
            if once is not None:
                ordered.setdefault(once[2], once)
            shorter = _shorter(program, entry, others.values())
            if shorter is not None:
                ordered.setdefault(shorter[2], shorter)
            instead = _instead(program, entry, list(others.values()))
            if instead is not entry:
                ordered.setdefault(instead[2], instead)
        moves = [*shifts(program, patch)] if patch not in ordered else []
        meant = (
            leaves_a_loop(program, g, p)
            or enters_an_arm(program, g, p)
            or in_turn(program, g, p) >= SENSELESS
            for g, p, _ in moves
        )
        if moves and not any(meant):
            near = (each for each in others.values() if each[0][1] <= entry[0][1] + _PLAINER)
            fewer = next((each for each in near if len(each[2].edits) < len(patch.edits)), None)
            if fewer is not None:
                fewer = _shorter(program, fewer, others.values()) or fewer
                ordered.setdefault(fewer[2], fewer)
        ordered.setdefault(patch, entry)
    return list(ordered.values())


def _in_both_cases(patch: Patch) -> Iterator[Patch]:
    """`other;` in both cases, for `if (test) statement; else other;`."""
    match patch.edits:
        case (Edit(location, Guarded(_, _, NewAssignment(_, value) as other)),):
            yield Patch((Edit(location, other),))
            yield Patch((Edit(location, NewValue(value)),))


def _instead(program: Program, entry: Entry, alike: list[Entry]) -> Entry:
    """The closest that does not store over what a statement has stored, of those that act alike."""
    near = [each for each in alike if each[0][1] <= entry[0][1] + _INSTEAD]
    while (other := next((e for e in near if stores_instead(program, entry[2], e[2])), None)) is not None:
        entry = other
    return entry


def _shorter(program: Program, entry: Entry, alike: Iterable[Entry]) -> Entry | None:
    """The closest that just leaves out what this repair has otherwise, of those that act alike."""
    near = (each for each in alike if each[0][1] <= entry[0][1] + _PLAINER)
    return next((each for each in near if _leaves_out(program, entry[2], each[2])), None)


def _leaves_out(program: Program, patch: Patch, other: Patch) -> bool:
    """Whether the other patch just leaves out of a value or place what this one has otherwise in it.

    That is an operation, or a link of a way that is longer in this one than it was.
    """
    match patch.edits, other.edits:
        case (Edit(location, made),), (Edit(there, less),) if location == there:
            function = program.functions[program.location(location).function]
            step = function.code[located(function, location)]
            if not isinstance(step, Assign | Branch):
                return False
            old = step.value if isinstance(step, Assign) else step.condition
            match made, less:
                case NewValue(new), NewValue(short):
                    return _is_shorter(short, old, new)
                case NewAssignment(target, new), NewAssignment(same, short) if target == same:
                    kept = isinstance(step, Assign) and target == step.target
                    return kept and _is_shorter(short, old, new)
                case NewAssignment(far, new), NewAssignment(near, same) if new == same:
                    written = Load(step.target) if isinstance(step, Assign) else new
                    return _is_shorter(Load(near), written, Load(far))
    return False


def _is_shorter(short: Expression, old: Expression, new: Expression) -> bool:
    fewer = _operations(short) < _operations(old) <= _operations(new)
    return fewer or (_links(short) < _links(old) < _links(new) and variables(short) == variables(old))


def _links(value: Expression) -> int:
    """Over how many links a value is found."""
    return sum(isinstance(part, Load) and isinstance(part.place, Member) for part in parts(value))


def _operations(value: Expression) -> int:
    """How often something is reckoned in a value."""
    return sum(isinstance(part, Binary) and part.operator not in COMPARISONS for part in parts(value))


def _straight(patch: Patch) -> Patch | None:
    """The patch that reads the place where a way over two links begins, if this one reads such a way."""
    match patch.edits:
        case (Edit(location, NewValue(far)),) if (near := _beginning(far)) is not None:
            return Patch((Edit(location, NewValue(near)),))
        case (Edit(location, NewAssignment(target, far)),) if (near := _beginning(far)) is not None:
            return Patch((Edit(location, NewAssignment(target, near)),))
    return None


def _beginning(value: Expression) -> Expression | None:
    """The pointer with which a way over two links begins, if that is of the same type."""
    match value:
        case Load(Member(Dereference(Load(Member(Dereference(start)))))) if start.type == value.type:
            return start
    return None


def _further(found: Iterable[Entry], speaking: Callable[[Part, Patch], float]) -> list[Entry]:
    """The repairs in the same order, with what speaks against each of them besides."""
    return [
        ((untried, round(distance + speaking(part, patch), 6), score, words), part, patch, plain)
        for (untried, distance, score, words), part, patch, plain in found
    ]
