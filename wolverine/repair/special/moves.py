"""Statements in the wrong place: set behind or before others of the block, out of it, or into an arm beside.

Such a repair is a deletion and an insertion, two edits of a kind that a search of all pairs finds late if
at all.  There are few of these pairs, so each is tried by itself.  So it is with `=` in the place of `==`:
the assignment goes, and the condition changes; and with two arguments of a call in the wrong order, or
wrong together, two assignments of which each sets what the other should, and one slip in several places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from wolverine.core.patch import Deletion, Edit, NewAssignment, NewCall, NewValue, Patch, Replacement
from wolverine.core.program import Assign, Function, Location, Program
from wolverine.repair.execution.accepted import number_of
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.needed import Needed
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.blocks import (
    arms_around,
    gaps,
    gaps_around,
    gaps_in_arms,
    new_node,
    plain_call,
    statement,
)
from wolverine.repair.source.equality import meant
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.premature import (
    SENSELESS,
    behind_its_test,
    led_on_too_early,
    links_to_itself,
)
from wolverine.repair.source.slips import slips
from wolverine.repair.source.swapped import exchanges
from wolverine.repair.source.throughout import throughout
from wolverine.repair.source.walk import located

_MOVED = 2  # edits: what goes, and what is put elsewhere
_CLOSE = 2  # statements between
_STATEMENTS = ("assignment", "initialiser", "call", "fixed")


def moved(bench: Bench, work: Work, most: int, more: int = 0, *, own_control: bool = False) -> list[Space]:
    """The repairs that move one statement, compare instead of assigning, or exchange arguments or places.

    With `more`, they make so many other edits besides; with `own_control` loops may go on for longer then.
    They are as many as `most` of the work finds.
    """
    every = chain(
        _behind_their_tests(bench, more),
        _comparisons(bench, more),
        _exchanges(bench, more),
        _moves(bench, more),
    )
    return _tried(bench, work, most, every, more, own_control=own_control)


def moved_calls(bench: Bench, work: Work, most: int) -> list[Space]:
    """The repairs that move one call of a function of the program; the bench has calls."""
    return _tried(bench, work, most, _moves(bench, 0, calls=True))


def moved_nodes(bench: Bench, work: Work, most: int) -> list[Space]:
    """The repairs that move one statement that makes a node; the bench has new nodes."""
    return _tried(bench, work, most, _made_elsewhere(bench))


def _tried(
    bench: Bench,
    work: Work,
    most: int,
    every: Iterable[Mapping[int, int]],
    more: int = 0,
    *,
    own_control: bool = False,
) -> list[Space]:
    """The repairs among choices, and so many edits besides; what the bench has decided is made with each."""
    found: list[Space] = []
    explorer, decided = bench.explorer(work, own_control=own_control), bench.decided
    try:
        with work.at_most(most):
            for masks in every:
                if decided.keys().isdisjoint(masks):
                    found += explorer.search(more, first=not more, decided={**decided, **masks})
    except Stopped:
        found += explorer.found
    return found


def _made_elsewhere(bench: Bench) -> Iterator[Mapping[int, int]]:
    """The choices of the deletions of a statement that makes a node, and of its insertion, for each move."""
    program, needed = bench.problem.program, Needed(bench.segments)
    for name in sorted(bench.editable):
        function, places = program.functions[name], bench.editable[name]
        for index, location in sorted(places.items()):
            made = new_node(function, index) if program.location(location).kind == "assignment" else None
            if made is None or made[1] not in places.values():
                continue
            node, called = made
            for gap in gaps(program, function, index, places):
                if needed.possible(frozenset((location, called, gap)), 0):
                    masks = {
                        location: _choice(bench, location, Deletion()),
                        called: _choice(bench, called, Deletion()),
                        gap: _choice(bench, gap, node),
                    }
                    if all(masks.values()):
                        yield masks


def _moves(bench: Bench, more: int, *, calls: bool = False) -> Iterator[Mapping[int, int]]:
    """The choices of a deletion and an insertion of the same statement, for each move.

    With `calls` these are calls of functions of the program.
    """
    program, needed = bench.problem.program, Needed(bench.segments)
    for name in sorted(bench.editable):
        function, places = program.functions[name], bench.editable[name]
        for index, location in sorted(places.items()):
            if program.location(location).kind not in ("assignment", "call"):
                continue
            made = plain_call(function, index) if calls else statement(function, index)
            called = isinstance(made, NewCall) and made.function in program.functions
            if made is None or called != calls:
                continue
            near = dict.fromkeys(
                (
                    *gaps(program, function, index, places),
                    *gaps_around(function, index, places),
                    *gaps_in_arms(program, function, index, places),
                )
            )
            hopeful = [gap for gap in near if needed.possible(frozenset((location, gap)), more)]
            gone = _choice(bench, location, Deletion()) if hopeful else 0
            for gap in hopeful if gone else ():
                inserted = _choice(bench, gap, made)
                if inserted:
                    yield {location: gone, gap: inserted}


def _behind_their_tests(bench: Bench, more: int) -> Iterator[Mapping[int, int]]:
    """The choices that set what goes through a pointer behind the test whether that is null."""
    program, needed = bench.problem.program, Needed(bench.segments)
    for name in sorted(bench.editable):
        function, places = program.functions[name], bench.editable[name]
        for index, location in sorted(places.items()):
            if program.location(location).kind not in ("assignment", "initialiser"):
                continue
            gap, made = behind_its_test(program, function, index), statement(function, index)
            if gap is None or made is None or gap not in places.values():
                continue
            if needed.possible(frozenset((location, gap)), more):
                gone, put = _choice(bench, location, Deletion()), _choice(bench, gap, made)
                if gone and put:
                    yield {location: gone, gap: put}


def _exchanges(bench: Bench, more: int) -> Iterator[Mapping[int, int]]:
    """The choices that exchange two arguments of a call, or what two assignments set, or mend slips."""
    needed = Needed(bench.segments)
    for name in sorted(bench.editable):
        here = set(bench.editable[name].values())
        function = bench.problem.program.functions[name]
        slipped = chain(slips(function), throughout(bench.problem.program, function))
        for edits in chain[tuple[Edit, ...]](exchanges(function), slipped):
            locations = frozenset(edit.location for edit in edits)
            if locations <= here and needed.possible(locations, more):
                made = {edit.location: _choice(bench, edit.location, edit.replacement) for edit in edits}
                if all(made.values()):
                    yield made


def _comparisons(bench: Bench, more: int) -> Iterator[Mapping[int, int]]:
    """The choices that make an assignment in a condition the comparison that was meant."""
    program, needed = bench.problem.program, Needed(bench.segments)
    for name in sorted(bench.editable):
        function = program.functions[name]
        for index, location in sorted(bench.editable[name].items()):
            found = meant(function, index)
            if found is None or found[0] not in bench.editable[name]:
                continue
            asked = bench.editable[name][found[0]]
            gone, made = _choice(bench, location, Deletion()), _choice(bench, asked, NewValue(found[1]))
            if gone and made and needed.possible(frozenset((location, asked)), more):
                yield {location: gone, asked: made}


def _choice(bench: Bench, location: int, replacement: Replacement) -> int:
    """The choice as a mask; 0 where it is not offered."""
    menu = bench.menus.menu(location)
    number = number_of(menu, replacement) if menu is not None else None
    return 0 if number is None else 1 << number


def _exchanged(program: Program, patch: Patch) -> Iterator[tuple[Edit, int, Edit, list[Location]]]:
    """Deletions with what is inserted into a gap of the same function.

    With the instruction that goes, and the statements between the two.
    """
    for gone in patch.edits:
        if not isinstance(gone.replacement, Deletion):
            continue
        where = program.location(gone.location)
        code = program.functions[where.function].code
        index = next(i for i, step in enumerate(code) if step.location == gone.location)
        for put in patch.edits:
            there = program.location(put.location)
            if there.kind == "gap" and there.function == where.function:
                first, last = sorted((gone.location, put.location))
                between = (program.location(number) for number in range(first + 1, last))
                yield gone, index, put, [each for each in between if each.kind in _STATEMENTS]


def shifts(program: Program, patch: Patch) -> Iterator[tuple[Edit, Edit, int]]:
    """The deletions of the patch with the insertion of the same statement in the function.

    With how many of its block are between: a loop or an `if` is one.
    """
    for gone, index, put, between in _exchanged(program, patch):
        function = program.functions[program.location(gone.location).function]
        node = new_node(function, index)
        made = statement(function, index) or plain_call(function, index) or (node[0] if node else None)
        if made is not None and replacement_text(put.replacement) == replacement_text(made):
            behind = behind_its_test(program, function, index) == put.location
            yield gone, put, 0 if behind else _crossed(function, index, put, between)


def _crossed(function: Function, index: int, put: Edit, between: Iterable[Location]) -> int:
    """How many statements are between an instruction and what is put elsewhere; what is in one is one."""
    at = {step.location: index for index, step in enumerate(function.code)}
    found: set[int] = set()
    for each in between:
        here = at.get(each.id)
        if each.semicolon and here is not None:
            loops = ((loop.start, loop.stop) for loop in loops_around(function.code, here))
            around = (*loops, *arms_around(function.code, here))
            whole = [first for first, stop in around if not {index, at[put.location]} & {*range(first, stop)}]
            found.add(min(whole, default=here))
    return len(found)


def in_turn(program: Program, gone: Edit, put: Edit) -> float:
    """How much speaks for two neighbours in the other order, of which one sets a place too early.

    Or for what stands behind a test instead of which it needs the answer.
    """
    where = program.location(gone.location)
    function = program.functions[where.function]
    if behind_its_test(program, function, located(function, gone.location)) == put.location:
        return SENSELESS
    for each, _, other, between in _exchanged(program, Patch((gone, put))):
        crossed = [location for location in between if location.semicolon]
        if each == gone and other == put and len(crossed) == 1 and not _leaves_an_arm(program, gone, put):
            first, second = sorted((gone.location, crossed[0].id))
            return led_on_too_early(program.functions[crossed[0].function], first, second)
    return 0.0


def opens_ring(program: Program, patch: Patch) -> bool:
    """Whether it only sets two statements in the other order of which the second links a node to itself."""
    if len(patch.edits) != _MOVED or not any(shifts(program, patch)):
        return False
    for gone, _, put, between in _exchanged(program, patch):
        if _leaves_an_arm(program, gone, put):
            continue
        function = program.functions[program.location(gone.location).function]
        for crossed in between:
            first, second = sorted((gone.location, crossed.id))
            if links_to_itself(function, first, second):
                return True
    return False


def set_elsewhere(program: Program, patch: Patch) -> Iterator[tuple[Edit, Edit]]:
    """The deletions of assignments with what sets the same place to something else, close by."""
    for gone, index, put, between in _exchanged(program, patch):
        where, made = program.location(gone.location), put.replacement
        step = program.functions[where.function].code[index]
        if where.kind != "assignment" or not isinstance(step, Assign) or len(between) > _CLOSE:
            continue
        if isinstance(made, NewAssignment) and made.target == step.target:
            moved = NewAssignment(step.target, step.value)
            if replacement_text(made) != replacement_text(moved):
                yield gone, put


def leaves_a_loop(program: Program, gone: Edit, put: Edit) -> bool:
    """Whether a statement is set out of a loop in which it was, or into one."""
    function = program.functions[program.location(gone.location).function]
    at = {step.location: index for index, step in enumerate(function.code)}
    one, other = ({*loops_around(function.code, at[each.location])} for each in (gone, put))
    return one != other


def enters_an_arm(program: Program, gone: Edit, put: Edit) -> bool:
    """Whether a statement is set into an arm of an `if` in which it was not: it was meant for some cases."""
    one, other = _arms_of(program, gone, put)
    return other > one


def _leaves_an_arm(program: Program, gone: Edit, put: Edit) -> bool:
    """Whether a statement is set out of an arm of an `if`: it is more than in another order then."""
    one, other = _arms_of(program, gone, put)
    return not one <= other


def _arms_of(program: Program, *edits: Edit) -> Iterator[set[tuple[int, int]]]:
    """The `if`s around what is edited in one function, for each of the edits."""
    function = program.functions[program.location(edits[0].location).function]
    at = {step.location: index for index, step in enumerate(function.code)}
    return ({*arms_around(function.code, at[each.location])} for each in edits)
