"""Lines of the source that have no code: gdb stops somewhere else for them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from wolverine.core.process import Row, Stop
from wolverine.session.execution import Execution

_LINE = re.compile(r"(?:(\S+):)?(\d+)(?:\s+(?:if|thread|task|-force-condition)\b.*)?", re.DOTALL)
_BREAKPOINT = re.compile(r"(?:B|b)reakpoint \d+ at \w+: file .*, line (\d+)\.")


def moved_breakpoint(command: str, answer: str) -> str:
    """What to say where gdb has put a breakpoint on another line than a command asked for."""
    asked, found = _LINE.fullmatch(command.partition(" ")[2].strip()), _BREAKPOINT.search(answer)
    if asked is None or found is None or asked[2] == found[1]:
        return ""
    return f"line {asked[2]} has no code; the program will stop at line {found[1]}, the next one with code"


@dataclass(frozen=True, slots=True)
class Goal:
    """The line up to which the program is to run from a stop, and the lines of its file that have code.

    Where a function begins gdb passes over what makes room for its variables: these lines are `entries`.
    Those that have code in `several` places may be come to without passing where it begins.
    """

    line: int
    begin: Stop
    with_code: Set[int]
    entries: Set[int]
    several: Set[int] = frozenset()

    def missed(self, after: Stop) -> str:
        """What to say where the program has not stopped there, and nothing else has stopped it; else ""."""
        if after.reason in ("signal", "breakpoint", "watchpoint", "interrupt", "budget", "memory"):
            return ""
        if self.line in self.entries or (after.frames and after.frames[0].line == self.line):
            return ""
        said: list[str] = []
        if self.line not in self.with_code:
            behind = min((each for each in self.with_code if each > self.line), default=None)
            next_one = f", the next is {behind}" if behind is not None else ""
            said.append(f"line {self.line} has no code{next_one}")
        if self.line in self.several:
            said.append(
                f"the program has not come to where the code of line {self.line} begins, and gdb stops only "
                "there; it may have come to other parts of that line, at which `next` stops"
            )
        elif not after.alive:
            said.append(f"the program has not come to {'it' if said else f'line {self.line}'}")
        elif len(after.frames) < len(self.begin.frames):
            function = self.begin.frames[0].function
            said.append(f"{function} has returned{'' if said else f' without coming to line {self.line}'}")
        return "; ".join(said)


def goal(execution: Execution, place: str) -> Goal | None:
    """The line that is named as the one up to which the program is to run; None where that is none."""
    stop, asked = execution.here().stop, _LINE.fullmatch(place)
    if asked is None or not stop.frames:
        return None
    file = Path(asked[1] or stop.frames[0].file).name
    rows = [execution.debugger.rows(name) for name in execution.program.functions]
    own = [each for each in rows if each and Path(each[0].file).name == file]
    if not own:
        return None
    entries = {each[0].line for each in own}
    with_code = {row.line for each in own for row in each if not row.end}
    return Goal(int(asked[2]), stop, with_code - entries, entries, _several(own))


def _several(functions: Sequence[Sequence[Row]]) -> frozenset[int]:
    """The lines whose code lies in several places, with that of others in between."""
    found: set[int] = set()
    for rows in functions:
        begun = [line for line, _ in groupby(sorted(rows, key=attrgetter("address")), key=attrgetter("line"))]
        found |= {line for line, times in Counter(begun).items() if times > 1}
    return frozenset(found)
