"""Declarations of the spare variables that a patch mentions."""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import VariableReference
from wolverine.core.patch import Edit, NewAssignment, Patch, mentioned
from wolverine.core.program import Location
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.placing import Texts
from wolverine.frontend.scan import Scan
from wolverine.frontend.spares import declarator


def declare_spares(
    program: LoadedProgram, patch: Patch, scans: Sequence[Scan], gaps: list[tuple[Location, str]]
) -> dict[int, list[Texts]]:
    """The declarations by file, as texts at the beginning of function bodies.

    Where all other uses follow the assignment in its block, that one (among `gaps`, the insertions as
    text) becomes the declaration instead.
    """
    found: dict[int, list[Texts]] = {}
    for name in dict.fromkeys(program.location(edit.location).function for edit in patch.edits):
        function = program.functions[name]
        edits = [edit for edit in patch.edits if program.location(edit.location).function == name]
        for spare in function.declarable:
            used = [edit for edit in edits if spare.name in mentioned(edit.replacement)]
            if not used:
                continue
            written = declarator(program.contexts[name].table, function, spare)
            inside = _inside(program, used, spare, scans)
            if inside is None:
                block = Texts(function.body, block=[f"{written};"])
                found.setdefault(function.body.file, []).append(block)
            else:
                at = next(i for i, (location, _) in enumerate(gaps) if location.id == inside.id)
                gaps[at] = (inside, gaps[at][1].replace(spare.name, written, 1))
    return found


def _inside(
    program: LoadedProgram, used: Sequence[Edit], spare: VariableReference, scans: Sequence[Scan]
) -> Location | None:
    """The gap whose assignment can be the variable's declaration."""
    for edit in used:
        location, made = program.location(edit.location), edit.replacement
        if location.kind != "gap" or location.gap != "before" or not isinstance(made, NewAssignment):
            continue
        span = location.span
        scan = scans[span.file]
        if made.target != spare or scan.before(span.start)[2] not in (";", "{", "}"):
            continue
        end = scan.block_end(span.start)
        others = [program.location(other.location).span for other in used if other is not edit]
        if all(o.file == span.file and span.start <= o.start and o.end <= end for o in others):
            return location
    return None
