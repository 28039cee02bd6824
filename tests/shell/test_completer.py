"""TAB."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from scripted_session import ScriptedSession

from wolverine.shell.completer import CommandCompleter, OnePage, last_command


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
        ("repair --engine s", ["repair --engine search "]),
        ("repair --engine widening-", ["repair --engine widening-any "]),
        ("repair --function pu", ["repair --function push "]),
        ("repair --budget ", []),
        ("localize --engine e", ["localize --engine exact "]),
        ("localize --en", ["localize --engine "]),
        ("help rewr", ["help rewrite"]),
        ("break ", ["break pop", "break push"]),
        ("adv pu", ["adv push"]),
        ("ba x", []),
        ("spec # he", []),
    ],
)  # fmt: skip
def test_words_places_and_nodes(session: ScriptedSession, text: str, lines: list[str]) -> None:
    assert completed(session, text) == lines


def test_gdbs_own_completions(session: ScriptedSession) -> None:
    session.completions["break put"] = ["break putc", "break puts"]
    session.completions["info"] = ["info line"]
    assert completed(session, "next; break put") == ["next; break putc", "next; break puts"]
    assert completed(session, "info zz") == []


def test_the_programs_names_in_gdbs_commands(session: ScriptedSession) -> None:
    session.completions["print n2->"] = ["print n2->getenv@plt"]
    session.completions["ptype struct "] = ["ptype struct getenv@plt"]
    assert completed(session, "print n2->") == ["print n2->next"]
    assert completed(session, "print 1+(n2->ne") == ["print 1+(n2->next"]
    assert completed(session, "print head->") == ["print head->next"]
    assert completed(session, "ptype struct ") == ["ptype struct item", "ptype struct list"]
    assert completed(session, "print sizeof(enum c") == ["print sizeof(enum color"]


def test_no_more_is_listed_than_a_screen_holds(session: ScriptedSession) -> None:
    session.completions["info "] = [f"info {letter}{number:02}" for letter in "ab" for number in range(50)]
    on_one_page = OnePage(CommandCompleter(session), lambda: Size(rows=4, columns=80))

    def listed(text: str) -> list[str]:
        return [each.display_text for each in on_one_page.get_completions(Document(text), CompleteEvent())]

    assert listed("info ") == [*(f"a{number:02}" for number in range(11)), "(and more: type on)"]
    session.completions["info "] = [f"info a{number:02}" for number in range(50)]
    assert len(listed("info ")) == 50, "they begin alike, which is inserted"


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
