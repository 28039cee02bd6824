"""`wolverine fix`: run, repair, run again, until the program ends without a fault."""

from __future__ import annotations

from wolverine.cli.arguments import Fixing
from wolverine.session import results
from wolverine.session.session import Session
from wolverine.shell.lines import Line
from wolverine.shell.loop import Outlet, Shell


def fix(session: Session, outlet: Outlet, shell: Shell, wanted: Fixing) -> int:
    """Repair what runs of the program show, and give the source; returns the exit status.

    A run under a repair shows the next fault.  Whatever was repaired is given, also where a fault is left.
    """
    budget = f" --budget {wanted.budget:g}" if wanted.budget is not None else ""
    made, over = 0, False
    while shell.line(Line("run")):
        if not session.faulty:
            over = True
            break
        if made == wanted.most:
            repairs = "1 repair" if made == 1 else f"{made} repairs"
            outlet(results.Note(f"a fault is left after {repairs}; --most {made + 1} allows one more"))
            break
        if not shell.line(Line(f"repair --no-question{budget}")):
            break
        made += 1
    if over and not made:
        outlet(results.Note("the program ends without a fault that tells what to repair"))
    written = not made or shell.line(
        Line("rewrite" if wanted.output is None else f"rewrite '{wanted.output}'")
    )
    return 0 if over and written else 1
