"""Where `repair` may change the program: as its options say, and as its text allows."""

from __future__ import annotations

from wolverine.core.program import Program
from wolverine.errors import CommandError
from wolverine.session.commands import Repair


def editable_locations(program: Program, command: Repair) -> frozenset[int] | None:
    """The locations that may change (None: all); CommandError where the options name none."""
    if command.lines is not None:
        first, last = command.lines
        chosen = frozenset(each.id for each in program.locations if first <= each.line <= last)
        if not chosen:
            raise CommandError(f"there is no statement on lines {first} to {last}")
        return chosen
    if command.function is not None:
        if command.function not in program.functions:
            raise CommandError(f"there is no function {command.function}")
        return frozenset(each.id for each in program.locations if each.function == command.function)
    return None


def generated(program: Program, function: str) -> bool:
    """Whether a macro stands for all of a function: no part of it has a place of its own in the source."""
    own = [each for each in program.locations if each.function == function]
    return bool(own) and all(each.kind == "fixed" for each in own)
