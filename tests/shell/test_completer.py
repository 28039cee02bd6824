"""TAB."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from scripted_session import ScriptedSession

from wolverine.shell.completer import CommandCompleter, last_command


def completed(session: ScriptedSession, text: str) -> list[str]:
    """The whole lines that TAB offers."""
    found = CommandCompleter(session).get_completions(Document(text), CompleteEvent())
    return [text[: len(text) + each.start_position] + each.text for each in found]


@pytest.fixture
def session() -> ScriptedSession:
    return ScriptedSession(print)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("rep", ["repair "]),
        ("backt", ["backtrace "]),
        ("next; rew", ["next; rewrite "]),
        ("change he", ["change head"]),
        ("change n2", ["change n2->next"]),
        ("change head->", ["change head->next"]),
        ("change head n", ["change head n1->next", "change head n2->next", "change head n1", "change head n2", "change head null"]),  # noqa: E501
        ("spec head n1", ["spec head n1->next"]),
        ("why n1", ["why n1", "why n1->next"]),
        ("repair --b", ["repair --budget "]),
        ("repair --no-q", ["repair --no-question "]),
        ("repair --ex", ["repair --explain "]),
        ("help rewr", ["help rewrite"]),
        ("ba x", []),
        ("spec # he", []),
    ],
)  # fmt: skip
def test_words_places_and_nodes(session: ScriptedSession, text: str, lines: list[str]) -> None:
    assert completed(session, text) == lines


def test_gdbs_own_completions(session: ScriptedSession) -> None:
    session.completions["break pu"] = ["break push", "break puts"]
    session.completions["info"] = ["info line"]
    assert completed(session, "next; break pu") == ["next; break push", "next; break puts"]
    assert completed(session, "info zz") == []


def test_files(session: ScriptedSession, tmp_path: Path) -> None:
    (tmp_path / "story.wol").touch()
    assert completed(session, f"source {tmp_path}/st") == [f"source {tmp_path}/story.wol"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", ""),
        ("  ne", "ne"),
        ("a; b ", "b "),
        ("a; b", "b"),
        ("print ';'", "print ';'"),
        ("spec # x", None),
    ],
)
def test_the_command_at_the_cursor(text: str, command: str | None) -> None:
    assert last_command(text) == command
