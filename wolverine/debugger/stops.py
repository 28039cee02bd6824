"""gdb's stop records in our words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from wolverine.core.process import ProcessFrame, Reason
from wolverine.debugger.code_index import CodeIndex
from wolverine.debugger.mi import Payload

Cause = Literal["interrupt", "budget", "memory"]  # why we stopped the process ourselves

_REASONS: dict[str, Reason] = {
    "end-stepping-range": "step",
    "breakpoint-hit": "breakpoint",
    "watchpoint-trigger": "watchpoint",
    "read-watchpoint-trigger": "watchpoint",
    "access-watchpoint-trigger": "watchpoint",
    "watchpoint-scope": "watchpoint",
    "function-finished": "finish",
    "location-reached": "location",
    "signal-received": "signal",
    "exited": "exited",
    "exited-normally": "exited",
    "exited-signalled": "killed",
    "fork": "breakpoint",
    "vfork": "breakpoint",
    "exec": "breakpoint",
    "syscall-entry": "breakpoint",
    "syscall-return": "breakpoint",
    "solib-event": "breakpoint",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The program's frames; `level` is gdb's number of the innermost of them."""

    frames: tuple[ProcessFrame, ...]
    level: int
    foreign: bool


def reading_of(code: CodeIndex, stack: str, left_out: int) -> Reading:
    """The frames in gdb's list of (pc, cfa), of which `left_out` were not listed before the last."""
    raw = [part.split(":") for part in stack.split()]
    found: list[tuple[int, ProcessFrame]] = []
    for level, (pc, cfa, _) in enumerate(raw):
        frame = code.frame(0, int(pc, 16), int(cfa, 16), level == 0)
        if frame is not None:
            found.append((level, frame))
    depth = len(found) - 1 + left_out
    frames = []
    for index, (_, frame) in enumerate(found):
        outermost = left_out > 0 and index == len(found) - 1
        number = 0 if outermost else depth - index
        frames.append(ProcessFrame(number, frame.function, frame.file, frame.line, frame.pc, frame.cfa))
    return Reading(tuple(frames), found[0][0] if found else 0, bool(raw) and (not found or found[0][0] > 0))


def reason_of(payload: Payload, cause: Cause | None) -> Reason:
    """Why the process stopped; `cause` is our own reason to interrupt it, if we did."""
    given = payload.get("reason")
    # Two reasons in one record arrive as a list; the first is the one that counts.
    name = str((given or [""])[0] if isinstance(given, list) else given)
    reason = _REASONS.get(name, "step")
    if reason == "signal" and payload.get("signal-name") in ("SIGINT", "SIGSTOP") and cause is not None:
        return cause
    return reason


def words(payload: Payload, said: str) -> str:
    """What gdb tells beyond the place: watched values, a returned value, what `commands` `said`.

    Where gdb stops for several watchpoints at once, or for something else besides, it repeats the keys.
    """
    watched = [each for key in ("wpt", "hw-rwpt", "hw-awpt") for each in _each(payload, key)]
    lines: list[str] = []
    for number, each in enumerate(watched):
        values = _each(payload, "value")
        value = values[number] if number < len(values) else None
        if not isinstance(each, dict):
            continue
        lines.append(f"watchpoint {each.get('number')}: {each.get('exp')}")
        if isinstance(value, dict):
            for key, label in (("old", "Old value"), ("new", "New value"), ("value", "Value")):
                if key in value:
                    lines.append(f"{label} = {value[key]}")
    lines += [f"watchpoint {each} is deleted: its frame has been left" for each in _each(payload, "wpnum")]
    if "return-value" in payload and not watched:
        return f"Value returned is {payload.get('gdb-result-var', '')} = {payload['return-value']}"
    return "\n".join(lines) or said.strip("\n")


def _each(payload: Payload, key: str) -> list[Any]:
    """The values of a key that stands once, several times or not at all."""
    found = payload.get(key, [])
    return found if isinstance(found, list) else [found]
