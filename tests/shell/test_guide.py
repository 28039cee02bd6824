"""`help` knows every command."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from wolverine.session import commands, engines, localizing
from wolverine.session.commands import Command
from wolverine.shell.guide import explain, overview, settings


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


def test_two_blanks_behind_a_sentence_make_no_table() -> None:
    lines = (explain("candidates", 80) or "").splitlines()[2:]
    assert len(lines) > 1 and all(len(line) > 60 for line in lines[:-1])


@pytest.mark.parametrize("word", ["rewrite", "repair", "next"])
def test_arguments_behind_a_command_do_not_hide_its_help(word: str) -> None:
    assert explain(f"{word} x") == explain(word)
    assert explain(f"{word} x") != explain("help")


def test_what_is_gdbs_is_left_to_gdb() -> None:
    assert explain("info frame") is explain("up") is None
    assert "up, down" in overview(1000)


@pytest.mark.parametrize("topic", ["set", "show"])
def test_settings_of_wolverine_are_named_before_those_of_gdb(topic: str) -> None:
    told = settings(topic)
    assert f"{topic} step-budget" in told and f"{topic} image-memory" in told
    assert settings("next") == ""


def test_all_engines_are_named() -> None:
    for command, names in (("repair", engines.NAMES), ("localize", localizing.ENGINES)):
        told = re.findall(r"[\w-]+", explain(command) or "")
        assert set(names) <= set(told)


def _whole() -> list[str]:
    return [explain((command.__doc__ or "").split(" ")[0], 1000) or "" for command in get_args(Command)]
