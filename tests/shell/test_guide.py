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
