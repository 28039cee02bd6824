"""`help` knows every command."""

from __future__ import annotations

from typing import get_args

import pytest

from wolverine.session import commands
from wolverine.session.commands import Command
from wolverine.shell.guide import explain, overview


@pytest.mark.parametrize("command", [each for each in get_args(Command) if each is not commands.GdbCommand])
def test_every_command_is_listed_and_explained(command: type[Command]) -> None:
    usage = (command.__doc__ or "").splitlines()[0]
    words = usage.split(" ")
    assert any(line.strip().startswith(usage.split(" [--")[0]) for line in overview().splitlines())
    topic = " ".join(words[:2]) if words[0] == "set" else words[0]
    assert usage in (explain(topic) or "")


@pytest.mark.parametrize("width", [60, 80, 140])
def test_long_lines_are_broken_between_words(width: int) -> None:
    texts = [explain((command.__doc__ or "").split(" ")[0], width) or "" for command in get_args(Command)]
    for text, whole in zip([overview(width), *texts], [overview(1000), *_whole()], strict=True):
        assert max(map(len, text.splitlines()), default=0) <= width
        assert text.split() == whole.split()


def _whole() -> list[str]:
    return [explain((command.__doc__ or "").split(" ")[0], 1000) or "" for command in get_args(Command)]
