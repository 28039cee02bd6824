"""Whatever is typed: a command or a sentence, never a traceback; whatever is written: never an escape."""

from __future__ import annotations

import io
import json

from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_session import ScriptedSession

from wolverine.errors import UsageError
from wolverine.session import results
from wolverine.session.parse import parse
from wolverine.session.splitting import split_commands
from wolverine.session.words import WORDS
from wolverine.shell.lines import Line, Lines
from wolverine.shell.loop import Outlet, Shell
from wolverine.shell.presenter import JsonPresenter, TextPresenter

PIECES = st.sampled_from(
    [*WORDS, "n4->prev", "->", "n3", "head", "*p", "a[3]", "'x'", '"', "'", "\\", ";", "#", "#2::", "--line",
     "--budget", "--engine", "--answer", "9" * 30, "-1", "3-1", "1e999", "nan", "set", "show", "step-budget",
     "image-memory", "500M", "commands", "end", "python", "\0", "\x1b[2J", "\ud800", "١", " ", "\t", "::",
     "=", "&", "(", ")", "]"]
)  # fmt: skip
LINES = st.text(max_size=60) | st.lists(PIECES | st.text(max_size=4), max_size=12).map(" ".join)


@settings(deadline=None)
@given(LINES)
def test_every_line_is_commands_or_a_sentence(line: str) -> None:
    try:
        parse(line)
    except UsageError as error:
        assert str(error)


@settings(deadline=None)
@given(LINES)
def test_splitting_loses_no_text_but_separators_and_comments(line: str) -> None:
    for part in split_commands(line):
        assert part.strip()
        assert part in line


@settings(deadline=None)
@given(st.lists(LINES, max_size=6))
def test_the_shell_goes_on_after_every_line(lines: list[str]) -> None:
    out, errors = io.StringIO(), io.StringIO()
    outlet = Outlet(TextPresenter(out, errors, color=False))
    shell = Shell(ScriptedSession(outlet), outlet)
    shell.interact(Lines([line for line in lines if "source" not in line]))
    assert "Wolverine has a bug" not in errors.getvalue()
    assert "\x1b" not in out.getvalue() + errors.getvalue()
    if not shell.left:
        assert shell.line(Line("graph"))


@settings(deadline=None)
@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
def test_no_text_of_the_program_steers_the_terminal(text: str) -> None:
    shown = [
        results.Output(text),
        results.Note(text),
        results.Text(text),
        results.Stopped("step", text, 3, text, text),
        results.Changed(text, {"place": text}, text),
        results.ConcreteStep(text, 1, text, text),
        results.Error(text, text, text, 1),
        results.Signalled(text, 1),
    ]
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False)
    for result in shown:
        presenter.show(result)
    allowed = {"\n", "\t"}
    assert not [c for c in out.getvalue() if (ord(c) < 32 or 0x7F <= ord(c) < 0xA0) and c not in allowed]
    stream = io.StringIO()
    for result in shown:
        JsonPresenter(stream, io.StringIO()).show(result)
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()]
    assert "\x1b" not in stream.getvalue()
