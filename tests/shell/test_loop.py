"""Lines carried out: order, failure, repetition, scripts."""

from __future__ import annotations

import io
import json
import threading
from pathlib import Path

import pytest
from scripted_session import STOP, ScriptedSession

from wolverine.session import commands as c
from wolverine.session import results
from wolverine.shell.lines import Line, Lines, read_whole
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.presenter import JsonPresenter, TextPresenter


class Stage:
    """A shell on a scripted session, with the events it sends."""

    def __init__(self) -> None:
        self._out = io.StringIO()
        self.words = io.StringIO()
        outlet = Outlet(JsonPresenter(self._out, self.words))
        self.session = ScriptedSession(outlet)
        self.shell = Shell(self.session, outlet)

    def events(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self._out.getvalue().splitlines()]


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_commands_of_a_line_in_order(stage: Stage) -> None:
    assert stage.shell.line(Line("next; change x 3; spec"))
    assert stage.session.commands == [c.Resume("next"), c.Change("x", "3"), c.Spec()]
    assert stage.events() == [STOP.as_event()]
    assert stage.shell.status == 0


def test_a_wrong_command_on_a_line_means_that_nothing_is_done(stage: Stage) -> None:
    assert not stage.shell.line(Line("next; resume x", "s.wol", 3))
    assert stage.session.commands == []
    (error,) = stage.events()
    assert error["event"] == "error"
    assert (error["command"], error["script"], error["line"]) == ("resume x", "s.wol", 3)
    assert stage.shell.status == 1
    assert "s.wol:3" in stage.words.getvalue()


def test_a_failing_command_ends_its_line_and_its_script(stage: Stage) -> None:
    stage.session.answers[c.Enter] = stage.session.fail("there is no branch here")
    script = Lines(["next", "", "enter; spec", "next"], "s.wol")
    assert not stage.shell.script(script)
    assert stage.session.commands == [c.Resume("next"), c.Enter()]
    assert stage.events()[-1] == {
        "event": "error",
        "command": "enter",
        "message": "there is no branch here",
        "script": "s.wol",
        "line": 3,
    }


def test_no_repair_counts_as_failure(stage: Stage) -> None:
    def answer(_command: c.SessionCommand) -> None:
        stage.session.emit(results.NotRepaired("search", "unsatisfiable", ("checkpoint 1",), 0.1))

    stage.session.answers[c.Repair] = answer
    assert not stage.shell.script(Lines(["repair", "next"]))
    assert stage.shell.status == 1
    assert [event["event"] for event in stage.events()] == ["no-repair"]


def test_what_was_said_of_waiting_does_not_outlast_the_command() -> None:
    told = threading.Event()

    class Told(TextPresenter):
        def busy(self, text: str, seconds: int = 0) -> None:
            super().busy(text, seconds)
            told.set()

    out = io.StringIO()
    outlet = Outlet(Told(out, out, color=False, width=80))
    session = ScriptedSession(outlet)

    def answer(_command: c.SessionCommand) -> None:
        outlet(results.Note("found"))
        told.wait(30)  # there is more to do behind the last answer

    session.answers[c.Repair] = answer
    assert Shell(session, outlet).line(Line("repair"))
    assert "looking for repairs" in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K")


def test_a_bug_in_the_session_is_reported_and_the_shell_lives(stage: Stage) -> None:
    def answer(_command: c.SessionCommand) -> None:
        raise KeyError("boom")

    stage.session.answers[c.Spec] = answer
    stage.shell.interact(Lines(["spec", "next"]))
    assert stage.session.commands == [c.Spec(), c.Resume("next")]
    assert "KeyError" in str(stage.events()[0]["message"])


def test_interactive_lines_go_on_after_failures(stage: Stage) -> None:
    stage.session.answers[c.Enter] = stage.session.fail("no branch")
    stage.shell.interact(Lines(["enter", "next", "quit", "next"]))
    assert stage.session.commands == [c.Enter(), c.Resume("next")]
    assert stage.shell.left
    assert stage.shell.status == 1


def test_an_empty_line_repeats_a_stepping_command_only(stage: Stage) -> None:
    stage.shell.interact(Lines(["next 2", "", "spec", "", "stepi", " ", "list 3,9", "", "# not empty"]))
    assert stage.session.commands == [
        c.Resume("next", "2"),
        c.Resume("next", "2"),
        c.Spec(),
        c.GdbCommand("stepi"),
        c.GdbCommand("stepi"),
        c.GdbCommand("list 3,9"),
        c.GdbCommand("list"),
    ]


def test_an_empty_line_does_not_go_on_from_a_crash(stage: Stage) -> None:
    emit = stage.session.emit
    stage.session.answers[c.Resume] = lambda _: emit(results.Signalled("SIGSEGV", 7))
    stage.shell.interact(Lines(["continue", "", ""]))
    assert stage.session.commands == [c.Resume("continue")]
    del stage.session.answers[c.Resume]
    stage.shell.interact(Lines(["next", ""]))
    assert stage.session.commands[1:] == [c.Resume("next")] * 2


def test_an_empty_line_in_a_script_does_nothing(stage: Stage) -> None:
    assert stage.shell.script(Lines(["next", "", ""]))
    assert stage.session.commands == [c.Resume("next")]


def test_source_runs_a_file_and_names_it_in_errors(stage: Stage, tmp_path: Path) -> None:
    inner = tmp_path / "inner.wol"
    inner.write_text("# a comment\nnext\nresume x\nnext\n")
    assert not stage.shell.line(Line(f"source {inner}; step"))
    assert stage.session.commands == [c.Resume("next")]
    assert (stage.events()[-1]["script"], stage.events()[-1]["line"]) == (str(inner), 3)


def test_quit_in_a_sourced_file_leaves(stage: Stage, tmp_path: Path) -> None:
    inner = tmp_path / "inner.wol"
    inner.write_text("quit\n")
    assert stage.shell.line(Line(f"source {inner}; step"))
    assert stage.shell.left
    assert stage.session.commands == []


def test_a_script_that_sources_itself_ends_with_a_sentence(stage: Stage, tmp_path: Path) -> None:
    loop = tmp_path / "loop.wol"
    loop.write_text(f"source {loop}\n")
    assert not stage.shell.line(Line(f"source {loop}"))
    errors = [event for event in stage.events() if event["event"] == "error"]
    assert len(errors) == 1
    assert "deep" in str(errors[0]["message"])


def test_a_script_that_is_not_there(stage: Stage) -> None:
    assert not stage.shell.line(Line("source /nowhere/s.wol"))
    assert "/nowhere/s.wol cannot be read" in str(stage.events()[0]["message"])


def test_help_comes_from_the_commands_and_else_from_gdb(stage: Stage) -> None:
    stage.shell.line(Line("help; help change; help fini; help print"))
    overview, change, finish = (str(event["text"]) for event in stage.events())
    assert "repair" in overview
    assert change.startswith("change PLACE VALUE")
    assert "finish" in finish
    assert stage.session.commands == [c.GdbCommand("help print")]


def test_history_lists_the_lines(stage: Stage) -> None:
    stage.shell.interact(Lines(["next", "spec head", "history 2"]))
    text = str(stage.events()[-1]["text"])
    assert [line.split(maxsplit=1)[1] for line in text.splitlines()] == ["spec head", "history 2"]


def test_blocks_of_gdb_reach_it_whole(stage: Stage) -> None:
    block = ["commands 1", "silent", "if x > 2; y", "print x # kept", "end", "end", "next"]
    stage.shell.interact(Lines(block))
    assert stage.session.commands == [c.GdbCommand("\n".join(block[:-1])), c.Resume("next")]


def test_a_python_block_ends_at_the_first_end() -> None:
    reader = Lines(["python", "if True:", "  print(1)", "end", "next"], "s.wol")
    first, second = read_whole(reader), read_whole(reader)
    assert first is not None and second is not None
    assert first.block and first.text.endswith("end") and first.number == 1
    assert (second.text, second.number) == ("next", 5)


def test_numbers_of_lines_count_what_is_skipped() -> None:
    reader = Lines(["# one\r\n", "\n", "next\r\n"], "s.wol")
    lines = [read_whole(reader) for _ in range(3)]
    assert lines[2] == Line("next", "s.wol", 3)
    assert read_whole(reader) is None


@pytest.mark.parametrize("odd", ["\0", "é\x80", "change c '\\", "\x1b[2J", "spec \udcff"])
def test_odd_lines_neither_raise_nor_stop_the_shell(stage: Stage, odd: str) -> None:
    stage.shell.interact(Lines([odd, "next"]))
    assert stage.session.commands[-1] == c.Resume("next")
    assert all(isinstance(event, dict) for event in stage.events())
