"""`help`: the docstrings of the commands."""

from __future__ import annotations

import inspect
import re

from wolverine.errors import UsageError
from wolverine.session import commands
from wolverine.session.commands import Command
from wolverine.session.words import resolve

# In the order of a session: run, correct, assert, repair, look, the rest.
LISTED: tuple[type[Command], ...] = (
    commands.Start,
    commands.Run,
    commands.Resume,
    commands.Enter,
    commands.Leave,
    commands.Change,
    commands.Undo,
    commands.Spec,
    commands.SpecDrop,
    commands.Track,
    commands.Untrack,
    commands.Repair,
    commands.Candidates,
    commands.Accept,
    commands.Localize,
    commands.Concrete,
    commands.Checkpoints,
    commands.ResumeCheckpoint,
    commands.Back,
    commands.Graph,
    commands.Save,
    commands.Rewrite,
    commands.Why,
    commands.View,
    commands.StepBudget,
    commands.ImageMemory,
    commands.History,
    commands.Sessions,
    commands.Source,
    commands.Help,
    commands.Quit,
)

_FOOTER = """
Everything else goes to gdb: break, print, info, watch, list, backtrace, ...
`help COMMAND` says more. Several commands on a line are separated by `;`, `#` starts a comment,
an empty line repeats a stepping command."""


def overview() -> str:
    """A line for each command."""
    lines = []
    for command in LISTED:
        usage, explanation = _parts(command)
        sentence = " ".join(re.split(r"\.\s", explanation)[0].split()).rstrip(".")
        usage = usage.split(" [--")[0]
        # A long usage stands on a line of its own.
        gap = "\n" + " " * 21 if len(usage) > 18 else " " * (19 - len(usage))
        lines.append(f"  {usage}{gap}{sentence}")
    return "\n".join(lines) + "\n" + _FOOTER + "\n"


def explain(topic: str) -> str | None:
    """The help of one command, None where gdb has to be asked."""
    word, _, rest = topic.strip().partition(" ")
    found = [command for command in LISTED if _matches(command, word, rest)]
    if not found:
        return None
    return "\n\n".join("\n".join(_parts(command)) for command in found) + "\n"


def _parts(command: type[Command]) -> tuple[str, str]:
    usage, _, explanation = inspect.cleandoc(command.__doc__ or "").partition("\n\n")
    return usage, explanation


def _matches(command: type[Command], word: str, rest: str) -> bool:
    usages = _parts(command)[0].split(" | ")
    try:
        name = resolve(word) or word
    except UsageError:
        return any(usage.startswith(word) for usage in usages)
    if rest:
        return any(usage.startswith(f"{name} {rest.strip()}") for usage in usages)
    return any(usage.split()[0] == name and name not in ("set", "show") for usage in usages)
