"""`wolverine fix`: run, repair, run again, until the program ends without a fault."""

from __future__ import annotations

from dataclasses import dataclass, field

from wolverine.cli.arguments import Fixing
from wolverine.core.patch import Edit
from wolverine.session import results
from wolverine.session.session import Session
from wolverine.shell.lines import Line
from wolverine.shell.loop import Outlet, Shell


@dataclass(frozen=True)
class _Made:
    """A repair: the edits that it added, the lines of them, and what was said to speak against it."""

    edits: frozenset[Edit]
    lines: frozenset[int]
    doubts: tuple[str, ...]

    def words(self) -> list[str]:
        """The doubts, each with the lines that it is about."""
        lines = ", ".join(map(str, sorted(self.lines)))
        about = f"line{'s' * (len(self.lines) > 1)} {lines}"
        return [f"doubt about the repair of {about}: {doubt}" for doubt in self.doubts]


@dataclass
class _Listening:
    """What is told of a repair while it is made."""

    lines: set[int] = field(default_factory=set)
    doubts: list[str] = field(default_factory=list)

    def __call__(self, result: results.Result) -> None:
        match result:
            case results.Repaired():
                self.lines |= {edit.line for edit in result.edits}
            case results.Note(text) if text.startswith(results.DOUBT):
                self.doubts.append(text.removeprefix(results.DOUBT))


def fix(session: Session, outlet: Outlet, shell: Shell, wanted: Fixing) -> int:
    """Repair what runs of the program show, and give the source; returns the exit status.

    A run under a repair shows the next fault.  Whatever was repaired is given, also where a fault is left.
    """
    budget = f" --budget {wanted.budget:g}" if wanted.budget is not None else ""
    made: list[_Made] = []
    over = False
    while shell.line(Line("run")):
        if not session.faulty:
            over = True
            break
        if len(made) == wanted.most:
            repairs = "1 repair" if len(made) == 1 else f"{len(made)} repairs"
            outlet(results.Note(f"a fault is left after {repairs}; --most {len(made) + 1} allows one more"))
            break
        before, outlet.heard = _in_force(session), (heard := _Listening())
        try:
            if not shell.line(Line(f"repair --no-question{budget}")):
                break
        finally:
            outlet.heard = None
        made.append(_Made(_in_force(session) - before, frozenset(heard.lines), tuple(heard.doubts)))
    if over and not made:
        outlet(results.Note("the program ends without a fault that tells what to repair"))
    written = not made or shell.line(
        Line("rewrite" if wanted.output is None else f"rewrite '{wanted.output}'")
    )
    if written:
        # Between what the runs have shown nobody finds them again; the output still ends with the difference.
        for doubt in (doubt for each in made if each.edits & _in_force(session) for doubt in each.words()):
            outlet.presenter.remark(doubt)
    return 0 if over and written else 1


def _in_force(session: Session) -> frozenset[Edit]:
    path = session.execution.path
    return frozenset(path[-1].applied.patch.edits) if path else frozenset()
