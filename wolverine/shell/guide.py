"""`help`: the docstrings of the commands."""

from __future__ import annotations

import inspect
import re
import textwrap
from itertools import groupby

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

_FOOTER = (
    "Everything else goes to gdb: break, print, info, watch, list, backtrace, up, down, ...; its expressions "
    "may name the nodes of the picture: print *n4, set var n4->key = 7.",
    "`help COMMAND` says more. Several commands on a line are separated by `;`, `#` starts a comment, "
    "an empty line repeats a stepping command.",
)
_COLUMN = re.compile(r"[^.:]  ")  # blanks that end a sentence make no table
_MARGIN = 21  # columns, in front of what the commands do


def overview(width: int = 100) -> str:
    """A line for each command; longer ones are broken between words at `width` columns."""
    lines = []
    for command in LISTED:
        usage, explanation = _parts(command)
        sentence = " ".join(re.split(r"\.\s", explanation)[0].split()).rstrip(".")
        usage = usage.split(" [--")[0]
        head = f"  {usage}"
        if len(head) >= _MARGIN:  # it stands on a line of its own
            lines.append(textwrap.fill(head, width, subsequent_indent="    ", break_on_hyphens=False))
            head = ""
        lines.append(
            textwrap.fill(
                sentence,
                width,
                initial_indent=head.ljust(_MARGIN),
                subsequent_indent=" " * _MARGIN,
                break_on_hyphens=False,
            )
        )
    lines += ["", *(textwrap.fill(line, width) for line in _FOOTER)]
    return "\n".join(lines) + "\n"


def explain(topic: str, width: int = 100) -> str | None:
    """The help of one command, None where gdb has to be asked; broken between words at `width` columns."""
    word, _, rest = topic.strip().partition(" ")
    found = [command for command in LISTED if _matches(command, word, rest)]
    if not found:  # what follows the command is an argument of it
        found = [command for command in LISTED if rest and _matches(command, word, "")]
    if not found:
        return None
    told = ("\n".join(_filled(part, width) for part in _parts(command)) for command in found)
    return "\n\n".join(told) + "\n"


def settings(topic: str) -> str:
    """What Wolverine adds to gdb's settings, a line for each, for `help set` and `help show`; else ""."""
    if topic not in ("set", "show"):
        return ""
    told = (_parts(command) for command in (commands.StepBudget, commands.ImageMemory))
    lines = []
    for usage, explanation in told:
        form = next(each for each in usage.split(" | ") if each.startswith(topic))
        lines.append(f"{form} -- {explanation.partition('.')[0]}.\n")
    return f"Of Wolverine itself:\n\n{''.join(lines)}\nOf gdb:\n\n"


def _filled(text: str, width: int) -> str:
    """The text with its paragraphs filled anew where a line is too long; tables keep their lines."""
    lines = text.split("\n")
    if all(len(line) <= width for line in lines):
        return text
    filled = []
    for (indent, blank), group in groupby(lines, key=lambda line: (len(line) - len(line.lstrip()), not line)):
        paragraph = [line.strip() for line in group]
        if blank:
            filled += paragraph
            continue
        margin = " " * indent
        chunks = paragraph if any(_COLUMN.search(line) for line in paragraph) else [" ".join(paragraph)]
        for chunk in chunks:
            filled += textwrap.wrap(
                chunk, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
            )
    return "\n".join(filled)


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
