"""Repairs that put a jump under a test that is made in every case, though statements stand behind it.

Without the jump the program does what it should here; the test says where it does not.  It takes two edits,
of which the second makes no difference to the execution: so each such jump is tried by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.repair.execution.spaces import Space
from wolverine.repair.execution.work import Stopped, Work
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.menus.unasked import gaps_beside, under_tests
from wolverine.repair.source.walk import located

EDITS = 2  # the jump goes, and stands under a test beside where it stood


def jumps_under_tests(
    bench: Bench, work: Work, most: int, found: Sequence[Space], *, own_control: bool = False
) -> list[Space]:
    """The repairs that put such a jump under a test, for each of those found that does without it.

    They are as many as `most` of the work finds; the bench's menus have jumps under tests.
    """
    program, decided = bench.problem.program, bench.decided
    tested: list[Space] = []
    for space in found:
        match [*(space.masks.keys() - decided.keys())]:
            case [location] if program.location(location).kind == "jump":
                testing = _testing(bench, location)
            case _:
                continue
        if testing is None:
            continue
        explorer = bench.explorer(work, own_control=own_control)
        try:
            with work.at_most(most):
                made = {**decided, location: space.masks[location], testing[0]: testing[1]}
                tested += explorer.search(0, decided=made)
        except Stopped:
            tested += explorer.found
    return tested


def _testing(bench: Bench, location: int) -> tuple[int, int] | None:
    """The location of a gap beside a jump that takes it under tests, and these choices."""
    program = bench.problem.program
    function = program.functions[program.location(location).function]
    editable = {at: index for index, at in bench.editable[function.name].items()}
    for gap in gaps_beside(function, located(function, location)):
        menu = bench.menus.menu(gap) if gap in editable and gap not in bench.decided else None
        mask = under_tests(function, editable[gap], menu) if menu is not None else 0
        if mask:
            return gap, mask
    return None
