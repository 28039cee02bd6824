"""Recorded sessions in words."""

from __future__ import annotations

from datetime import datetime

from wolverine.session.journals import Listed, sessions


def session_list() -> str:
    """The recorded sessions, a line each, the newest first."""
    found = sessions()
    if not found:
        return "no sessions are recorded\n"
    width = max(len(each.name) for each in found)
    return "".join(f"{each.name:{width}}  {_about(each)}\n" for each in found)


def _about(each: Listed) -> str:
    if not each.started:
        return f"cannot be repeated: {each.reason}"
    commands = f"{each.commands} command{'s' * (each.commands != 1)}"
    words = f"{_local(each.started)}  {each.program}  {commands}"
    return f"{words}; cannot be repeated: {each.reason}" if each.reason else words


def _local(moment: str) -> str:
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"
