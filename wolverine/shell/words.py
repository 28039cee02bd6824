"""Results in words for people: one sentence or a few lines each."""

from __future__ import annotations

import re

from wolverine.session import results
from wolverine.session.results import JsonValue


def concrete_cause(reason: str) -> str:
    """What several places may have in common that are not modelled: a call, or one slip; "" if nothing."""
    if reason.startswith("call of "):
        return reason
    _, interval, cause = reason.rpartition("; ")
    return re.sub(r"^offset -?\d+ ", "", cause) if interval else ""


def value_words(value: JsonValue) -> str:
    """A value of a graph event as a person writes it: `n3`, `null`, `&head`, `12`."""
    match value:
        case None:
            return "null"
        case {"dangling": node, "field": field}:
            return f"{_inside(node, field)} (freed)"
        case {"dangling": node}:
            return f"{node} (freed)"
        case {"uninitialised": _}:
            return "uninitialised"
        case {"wild": address}:
            return f"wild pointer {address}"
        case {"place": place}:
            return f"&{place}"
        case {"node": node, "field": field}:
            return _inside(node, field)
        case {"address": address}:
            return str(address)
        case {"number": number}:
            return str(number)
        case _:
            return str(value)


def _inside(node: JsonValue, field: JsonValue) -> str:
    """An address inside a node, as pictures have it."""
    match str(field)[:1]:
        case "+":
            return f"{node}{field}"
        case "[":
            return f"&{node}{field}"
        case _:
            return f"&{node}.{field}"


def changed_words(result: results.Changed) -> str:
    """What a change did to a place, named as in the picture; one that does nothing says something still."""
    place = result.shown or result.place
    before, after = result.told or map(value_words, (result.before, result.after))
    if before != after:
        return f"{place}: {before} -> {after}"
    if result.back:
        return f"{place} stays {after}: that it is right is taken back"
    return f"{place} is {after} already: nothing changes, and that it is right is asserted"


def seconds_words(seconds: float) -> str:
    """A duration with a unit that fits."""
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds:.1f} s"


def count_words(count: int, one: str, many: str = "") -> str:
    """`1 edit`, `2 edits`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


STOP_WORDS = {
    "interrupt": "Interrupted in",
    "budget": "Still running after the step budget, stopped in",
    "memory": "Allocating without end, it seems: over a million blocks since the last stop. Stopped in",
    "breakpoint": "Breakpoint in",
    "temporary": "Temporary breakpoint in",
    "watchpoint": "Watchpoint in",
}


def edit_words(edit: results.EditResult) -> str:
    """One edit as a sentence."""
    match edit.kind:
        case "change":
            return f"line {edit.line}: {edit.before}  becomes  {edit.after}"
        case "insert":
            return f"line {edit.line}: insert  {edit.after}"
        case "delete":
            return f"line {edit.line}: delete  {edit.before}"


def repaired_words(result: results.Repaired) -> list[str]:
    """What was found, and how it is in force."""
    if not result.cost:
        return [f"no edit is needed ({seconds_words(result.seconds)})"]
    edits, seconds = count_words(result.cost, "edit"), seconds_words(result.seconds)
    found = f"repaired by {edits} in {seconds}"
    if result.accepted:
        found = f"switched to candidate {result.accepted}, {edits}, tried in {seconds}"
    if result.stays:
        found = f"candidate {result.accepted}, {edits}, stays in force"
    if result.candidates > 1:
        others = f" with {count_words(result.behaviours, 'behaviour')}"
        others = others if result.compared else ", not compared"
        found += f"; {result.candidates} candidates{others} (see: candidates)"
    how = {
        "native": "The running program is patched.",
        "screened": "The running program is screened: patched statements take effect as they are reached.",
    }[result.applied]
    return [found, *(f"  {edit_words(edit)}" for edit in result.edits), how]


def not_repaired_words(result: results.NotRepaired) -> list[str]:
    """What became of a search that found nothing; mostly the error behind it tells it all."""
    if result.reason != "interrupted":
        return []
    after = seconds_words(result.seconds)
    return [f"nothing is put in force: the search was interrupted (after {after})"]


def localized_words(result: results.Localized) -> list[str]:
    """The suspects, most suspicious first."""
    if not result.suspects:
        return ["nothing is suspicious"]
    lines = [f"  {s.score:5.2f}  line {s.line}: {s.text}" for s in result.suspects]
    head = f"{count_words(len(result.suspects), 'suspicious place')} ({result.engine}):"
    return [head, *lines, *([result.explanation] if result.explanation else [])]


def checkpoint_tree(result: results.CheckpointList) -> list[str]:
    """The tree of checkpoints, children indented below their parents."""
    if not result.entries:
        return ["there are no checkpoints yet; spec makes one"]
    known = {entry.checkpoint for entry in result.entries}
    children: dict[int | None, list[results.CheckpointEntry]] = {}
    for entry in result.entries:
        children.setdefault(entry.parent if entry.parent in known else None, []).append(entry)
    lines: list[str] = []
    work = [(entry, 0) for entry in reversed(children.get(None, []))]
    while work:
        entry, depth = work.pop()
        mark = "*" if entry.checkpoint == result.current else " "
        note = f"  ({entry.note})" if entry.note else ""
        below = children.get(entry.checkpoint, [])
        # A chain is not indented, only siblings are: long sessions stay readable.
        lines.append(
            f"{mark} {'  ' * depth}{entry.checkpoint}  {entry.function} () at line {entry.line}{note}"
        )
        work += [(child, depth + (len(below) > 1)) for child in reversed(below)]
    return lines
