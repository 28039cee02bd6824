"""The course of a widening in source terms: bounds, unsat cores, what was relaxed (Wolverine2 section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wolverine.core.patch import Deletion, Patch
from wolverine.core.program import Program
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.widening.relaxed import BOUNDS, INSERTION, KINDS, Plan, Selector, Way

_SHOWN = 8  # members of a core that are written out, of each kind


def plan_words(plan: Plan, locked: int) -> str:
    """How an execution is encoded: what is locked, whether locked statements may assign anything."""
    slots = f"{plan.slots} insertion slot{'s' * (plan.slots != 1)}"
    if plan.suspicious is None:
        return f"every statement may change; {slots}"
    how = "and assign any value (nondet)" if plan.angelic else "as they are"
    free = len(plan.suspicious)
    suspects = f"{free} suspicious location{'s' * (free != 1)} may change"
    return f"{suspects}, {locked} {'is' if locked == 1 else 'are'} locked {how}; {slots}"


def round_words(number: int, bounds: Sequence[int], outcome: str) -> str:
    """The head of a round: the bounds in force and the solver's answer."""
    limits = ", ".join(f"{name} = {bound}" for name, bound in zip(BOUNDS, bounds))
    return f"round {number}: {limits}: {outcome}"


def core_words(core: Iterable[Selector | Way | int], members: Sequence[int]) -> list[str]:
    """What the core holds: selectors one by one, `if`s that went one way, or a bound as a whole (its kind).

    `members` is the number of selectors of each kind.
    """
    found: dict[str, dict[str, None]] = {}
    for each in core:
        match each:
            case Selector(_, kind, _, words):
                found.setdefault(KINDS[kind], {})[words] = None
            case Way(_, _, words):
                found.setdefault("branches", {})[words or "a branch goes as it went"] = None
            case int():
                found.setdefault(KINDS[each], {})[f"{BOUNDS[each]} itself, over {members[each]}"] = None
    if not found:
        return ["  the core holds no bound: the assertions and forced branches alone cannot be met"]
    lines = []
    for kind_words, members_words in found.items():
        listed = list(members_words)
        if len(listed) > _SHOWN:
            listed = [*listed[:_SHOWN], f"and {len(listed) - _SHOWN} more"]
        lines.append(f"  core, {kind_words}: {'; '.join(listed)}")
    return lines


def patch_words(program: Program, patch: Patch) -> list[str]:
    """The edits of a solution, one a line."""
    lines = []
    for edit in patch.edits:
        location = program.location(edit.location)
        made = replacement_text(edit.replacement)
        if location.kind == "gap":
            lines.append(f"  line {location.line}: insert {made}")
        elif isinstance(edit.replacement, Deletion):
            lines.append(f"  line {location.line}: {location.text} is deleted")
        else:
            lines.append(f"  line {location.line}: {location.text} becomes {made}")
    return lines or ["  the program as it is meets everything"]


def relaxed_words(kind: int, bound: int) -> str:
    """Which bound grows."""
    reason = "" if kind == INSERTION else " (first in the paper's order of those in the core)"
    return f"  {BOUNDS[kind]} becomes {bound}{reason}"
