"""What is told of repairs, and of that there is none."""

from __future__ import annotations

from typing import Literal

from wolverine import frontend
from wolverine.core.patch import Patch, Repairs
from wolverine.core.program import Program
from wolverine.errors import SourceError
from wolverine.session import results
from wolverine.session.moments import NO_PATCH

_LISTED = 50


def repaired(
    program: Program,
    engine: str,
    repairs: Repairs,
    index: int,
    how: Literal["native", "screened"],
    seconds: float,
    earlier: Patch = NO_PATCH,
) -> results.Repaired:
    """The event: `edits` are those that `earlier` does not hold, `patch` holds all of them."""
    patch = repairs.candidates[index].patch
    known = set(earlier.edits)
    fresh = Patch(tuple(edit for edit in patch.edits if edit not in known))
    edits = frontend.describe(program, fresh)
    return results.Repaired(
        engine=engine,
        seconds=seconds,
        cost=len(edits),
        candidates=repairs.total,
        behaviours=repairs.behaviours,
        applied=how,
        edits=tuple(results.EditResult(e.kind, e.line, e.before, e.after) for e in edits),
        patch=frontend.diff(program, patch),
    )


def one_line(program: Program, patch: Patch) -> str:
    """The edits of a patch, one behind the other."""
    edits = frontend.describe(program, patch)
    return ", ".join(f"line {edit.line}: {edit.after or 'deleted'}" for edit in edits)


def _written(program: Program, patch: Patch) -> str:
    try:
        return one_line(program, patch)
    except SourceError:
        return ""


def listed(program: Program, found: Repairs, chosen: int) -> list[str]:
    """The lines of `candidates`; `chosen` is the index of the one in force.

    Of candidates that read alike and act alike one is shown: their statements stand at the same place.
    Those that cannot be written are left out.
    """
    lines = []
    shown = found.candidates[:_LISTED]
    texts = [(_written(program, each.patch), each.behaviour) for each in shown]
    seen = {texts[chosen]} if chosen < len(texts) else set()
    for index, (candidate, text) in enumerate(zip(shown, texts, strict=True)):
        if not text[0] or (index != chosen and text in seen):
            continue
        seen.add(text)
        mark = "*" if index == chosen else " "
        heaps = "1 fresh heap" if candidate.crashes == 1 else f"{candidate.crashes} fresh heaps"
        crash = f", crashes on {heaps}" if candidate.crashes else ""
        lines.append(f"{mark}{index + 1:3}  {text[0]}  (behaviour {candidate.behaviour}{crash})")
    if len(lines) < len(shown):
        lines.append(
            "     (numbers that are not listed read and act as one above, or cannot be written here)"
        )
    if found.total > len(shown):
        lines.append(f"     and {found.total - len(shown)} more")
    return lines


def explained(reason: str, core: tuple[str, ...]) -> str:
    """Why there is no repair (see `NoRepair`)."""
    match reason:
        case "unsatisfiable":
            what = "; ".join(core)
            return f"these cannot hold together within the edits tried: {what}" if core else "no edit fits"
        case "budget":
            return "the budget was used up"
        case "interrupted":
            return "interrupted"
        case _:
            return "; ".join(core) or reason
