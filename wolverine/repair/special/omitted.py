"""Repairs by one call more of a function of the program, or by the call of another one.

There are many calls and few gaps that every failing stretch goes through, so each gap is tried by itself:
first with calls that the program makes elsewhere, then with others.
"""

from __future__ import annotations

from collections.abc import Collection

from wolverine.core.patch import NewCall, OtherFunction, unguarded
from wolverine.core.program import Call, Program, reachable
from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.explicit.needed import Needed
from wolverine.repair.menus.menu import Menu
from wolverine.repair.source.called import Called, calls_made, new_call
from wolverine.semantics.allocation import MAKING

_CALLING = ("gap", "call", "callee")
_GAP_SHARE = 60_000  # steps for the calls of one gap


def omitted(bench: Bench, work: Work, most: int, *, lacking: bool, own_control: bool = False) -> list[Space]:
    """The repairs by one call more or of another function, as far as `most` of the work finds them.

    The bench's menus have calls.  Functions that allocate are called only where an execution is `lacking` a
    node, or crashes.
    """
    found: list[Space] = []
    needed = Needed(() if own_control else bench.segments)
    left_out = frozenset() if lacking else allocating(bench.problem.program)
    explorer = bench.explorer(work, own_control=own_control)
    begun = work.spent
    made = calls_made(bench.problem.program)
    calls: dict[int, tuple[int, int]] = {}  # by location: those that the program makes, and others
    for name in sorted(bench.editable):
        for location in sorted(bench.editable[name].values()):
            if bench.problem.program.location(location).kind not in _CALLING or location in bench.decided:
                continue
            if not needed.possible(frozenset((location, *bench.decided)), 0):
                continue
            menu = bench.menus.menu(location)
            if menu is not None and (mask := _without(menu, left_out)):
                known = _made_elsewhere(made, menu, mask)
                calls[location] = known, mask & ~known
    turns = ((at, masks[turn]) for turn in (0, 1) for at, masks in calls.items())
    for location, mask in turns:
        if not mask:
            continue
        left = most - (work.spent - begun)
        if left <= 0:
            break
        try:
            with work.at_most(min(left, _GAP_SHARE)):
                found += explorer.search(0, decided={**bench.decided, location: mask})
        except Stopped as stop:
            found += explorer.found
            if not stop.of_stage:
                return found  # whoever goes on notices
    return found


def _made_elsewhere(made: Collection[Called], menu: Menu, calls: int) -> int:
    """Those of the calls of a menu that are among those that the program makes."""
    found = 0
    for number, choice in menu.others:
        call = unguarded(choice.replacement)
        if calls >> number & 1 and isinstance(call, NewCall) and call.target is None:
            found |= (new_call(call) in made) << number
    return found


def allocating(program: Program) -> frozenset[str]:
    """The functions that may make a node."""
    makes = {
        name
        for name, function in program.functions.items()
        if any(isinstance(s, Call) and s.function in MAKING for s in function.code)
    }
    return frozenset(name for name in program.functions if reachable(program, [name]) & makes)


def _without(menu: Menu, left_out: frozenset[str]) -> int:
    """The calls of a menu, as a mask, but for those of these functions."""
    found = menu.calls
    for number, choice in menu.others if found and left_out else ():
        made = unguarded(choice.replacement)
        if isinstance(made, NewCall | OtherFunction) and made.function in left_out:
            found &= ~(1 << number)
    return found
