"""Results for people and for programs."""

from __future__ import annotations

import io
import json
from dataclasses import fields
from typing import Any, get_args

import pytest

from wolverine.session import results as r
from wolverine.shell.presenter import JsonPresenter, TextPresenter
from wolverine.shell.style import Ink, Pen, visible
from wolverine.shell.words import changed_words, value_words

HEAP = r.Graph({"nodes": [], "places": {"head": None}, "changed": []}, "head --> null")
PATCH = "--- a/f.c\n+++ b/f.c\n@@ -1 +1 @@\n-old\n+new\n"

EXAMPLES: list[tuple[r.Result, set[str], str]] = [
    (
        r.Stopped("step", "f.c", 5, "reverse", "while (p)"),
        {"reason", "file", "line", "function", "text"},
        "reverse () at f.c:5\n5\twhile (p)",
    ),
    (HEAP, {"nodes", "places", "changed"}, "head --> null"),
    (r.SpecAdded(0, "f.c", 4, "reverse"), {"checkpoint", "file", "line", "function"}, "checkpoint 0"),
    (
        r.Localized("exact", (r.Suspect(7, "p = q", 1.0),), 0.001),
        {"engine", "suspects", "seconds"},
        "line 7: p = q",
    ),
    (
        r.Repaired("search", 0.01, 1, 4, 2, "native", (r.EditResult("insert", 7, "", "q = p;"),), PATCH),
        {"engine", "seconds", "cost", "candidates", "behaviours", "applied", "edits", "patch"},
        "line 7: insert  q = p;",
    ),
    (
        r.Repaired("search", 0.01, 1, 4, 2, "native", (r.EditResult("insert", 7, "", "q = p;"),), PATCH, 3),
        {"engine", "seconds", "cost", "candidates", "behaviours", "applied", "edits", "patch"},
        "switched to candidate 3, 1 edit, tried in 10 ms",
    ),
    (
        r.Repaired("search", 0.01, 1, 4, 2, "native", (), PATCH, accepted=1, stays=True),
        {"engine", "seconds", "cost", "candidates", "behaviours", "applied", "edits", "patch"},
        "candidate 1, 1 edit, stays in force; 4 candidates with 2 behaviours",
    ),
    (
        r.NotRepaired("search", "interrupted", ("checkpoint 1",), 1.2),
        {"engine", "reason", "core", "seconds"},
        "the search was interrupted",
    ),
    (
        r.ConcreteStep("f.c", 9, "main", "call of printf"),
        {"file", "line", "function", "reason"},
        "line 9 in main is not modelled (call of printf)",
    ),
    (r.Changed("n4.prev", None, "n3"), {"place", "from", "to"}, "n4.prev: null -> n3"),
    (r.OutputStays(1), {"text", "undone"}, "(1 byte) stays written"),
    (r.ResumedAt(0, 5), {"checkpoint", "line"}, "back at checkpoint 0, line 5"),
    (
        r.CheckpointList((r.CheckpointEntry(0, None, 5, "f"), r.CheckpointEntry(1, 0, 6, "f")), 1),
        {"list"},
        "* 1  f () at line 6",
    ),
    (r.Question(HEAP, (HEAP, HEAP)), {"input", "results"}, "which result"),
    (r.Rewritten("out.c", PATCH), {"file", "patch"}, "written to out.c"),
    (r.Rewritten(None, PATCH), {"file", "patch"}, PATCH),
    (r.Rewritten(None, ""), {"file", "patch"}, "no repair is in force: the source is as it was given"),
    (r.Rewritten("out.c", ""), {"file", "patch"}, "written to out.c (no repair is in force"),
    (r.Saved("heap.svg"), {"file"}, "saved heap.svg"),
    (r.Text("$1 = 5\n"), {"text"}, "$1 = 5"),
    (r.Note("mind this"), {"text"}, "mind this"),
    (r.Output("hello\n"), {"text"}, "hello"),
    (r.Exited(0), {"code"}, "status 0"),
    (r.Signalled("SIGSEGV", 9), {"signal", "line"}, "SIGSEGV at line 9"),
    (r.Error("enter", "no branch"), {"command", "message", "script", "line"}, "no branch"),
]


def test_the_examples_are_all_results() -> None:
    assert {type(result) for result, _, _ in EXAMPLES} == set(get_args(r.Result))


@pytest.mark.parametrize(("result", "keys", "_words"), EXAMPLES)
def test_events_have_the_documented_keys(result: r.Result, keys: set[str], _words: str) -> None:
    out = io.StringIO()
    JsonPresenter(out, io.StringIO()).show(result)
    (line,) = out.getvalue().splitlines()
    assert set(json.loads(line)) == {"event", *keys}


@pytest.mark.parametrize(("result", "_keys", "words"), EXAMPLES)
@pytest.mark.parametrize("color", [False, True])
def test_people_get_the_words(result: r.Result, _keys: set[str], words: str, color: bool) -> None:
    out = io.StringIO()
    TextPresenter(out, out, color).show(result)
    plain = out.getvalue()
    for ink in Ink:
        plain = plain.replace(f"\x1b[{ink.value}m", "")
    assert words in plain.replace("\x1b[0m", "")
    assert plain.endswith("\n")
    assert color or plain == out.getvalue()


def test_of_a_search_that_was_ended_only_the_error_is_told() -> None:
    out = io.StringIO()
    TextPresenter(out, out, color=False).show(r.NotRepaired("search", "budget", (), 1.2))
    assert out.getvalue() == ""


def test_one_slip_is_named_once_as_the_reason_why_places_are_not_modelled() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False)
    for line in (4, 5, 8):
        reason = f"up to line {line + 1} in main; offset {line} lies outside n2, which has 4 bytes"
        presenter.show(r.ConcreteStep("f.c", line, "main", reason))
    presenter.show(r.ConcreteStep("f.c", 9, "main", "up to line 10 in main; something else"))
    assert [line.split(" is ")[0] for line in out.getvalue().splitlines() if "is not" in line] == [
        "line 4 in main", "line 9 in main",
    ]  # fmt: skip


def test_a_text_result_may_hold_anything() -> None:
    """Whatever strings a program or gdb puts into a result, no escape reaches the terminal."""
    evil = "\x1b]0;title\x07\x1b[2J\r\x9b"
    for result, _, _ in EXAMPLES:
        changed = {f.name: evil for f in fields(result) if isinstance(getattr(result, f.name), str)}
        changed = {name: text for name, text in changed.items() if name not in _FIXED}
        out = io.StringIO()
        TextPresenter(out, out, color=False).show(_replaced(result, changed))
        assert not set(out.getvalue()) & set("\x1b\x07\r\x9b"), result


# A picture is drawn by Wolverine with colours of its own; reasons are a fixed set of words.
_FIXED = {"picture", "reason", "applied"}


def _replaced(result: r.Result, changed: dict[str, str]) -> r.Result:
    values: dict[str, Any] = {f.name: getattr(result, f.name) for f in fields(result)}
    return type(result)(**{**values, **changed})


def test_what_is_waited_for_gives_way_to_what_comes() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False, width=20)
    presenter.busy("looking for repairs, 1 s")
    presenter.busy("looking for repairs, 2 s")
    presenter.show(r.Note("found"))
    first, second, last = out.getvalue().split("\r\x1b[K")
    assert (first, second) == ("looking for repairs", "looking for repairs")
    assert last.startswith("found\n")


def test_a_file_hears_nothing_of_what_is_waited_for_nor_does_a_line_of_the_program() -> None:
    file, terminal = io.StringIO(), io.StringIO()
    TextPresenter(file, file, color=False).busy("looking")
    presenter = TextPresenter(terminal, terminal, color=False, width=20)
    presenter.show(r.Output("number? "))
    presenter.busy("looking")
    assert (file.getvalue(), terminal.getvalue()) == ("", "number? ")


def test_what_takes_long_is_said_now_and_then_among_the_errors_of_a_file() -> None:
    out, errors = io.StringIO(), io.StringIO()
    presenter = TextPresenter(out, errors, color=False)
    for _ in range(2):
        for second in range(1, 80):
            presenter.busy(f"looking, {second} s", second)
        presenter.busy("")
    assert errors.getvalue() == "looking, 10 s\nlooking, 70 s\n" * 2
    assert out.getvalue() == ""


def test_a_remark_is_a_line_among_the_errors() -> None:
    out, errors = io.StringIO(), io.StringIO()
    presenter = TextPresenter(out, errors, color=False)
    presenter.show(r.Output("number? "))
    presenter.remark("doubt")
    assert (out.getvalue(), errors.getvalue()) == ("number? \n", "doubt\n")


def test_program_output_keeps_its_lines_and_results_begin_a_new_one() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False)
    presenter.show(r.Output("name? "))
    presenter.show(r.Exited(0))
    presenter.show(r.Output("a\tb\n"))
    presenter.show(r.Exited(1))
    assert out.getvalue().splitlines() == [
        "name? ",
        "the program exited with status 0",
        "a\tb",
        "the program exited with status 1",
    ]


def test_errors_name_the_script_and_go_to_their_own_stream() -> None:
    out, errors = io.StringIO(), io.StringIO()
    TextPresenter(out, errors, color=False).show(r.Error("enter", "no branch", "s.wol", 4))
    assert out.getvalue() == ""
    assert errors.getvalue() == "s.wol:4: enter: no branch\n"


def test_long_sentences_are_broken_between_words_at_the_width_of_the_terminal() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False, width=24)
    presenter.show(r.Note("doubt: the edit at line 12 was executed only once"))
    presenter.show(r.Error("repair", "no repair: nothing tells what to repair"))
    assert out.getvalue().splitlines() == [
        "doubt: the edit at line",
        "  12 was executed only",
        "  once",
        "no repair: nothing tells",
        "  what to repair",
    ]
    presenter.show(r.Error("repair", "a script tells where it is", "s.wol", 4))
    assert out.getvalue().endswith("s.wol:4: repair: a script tells where it is\n")


def test_prose_is_broken_between_words_and_what_gdb_prints_is_not() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False, width=24)
    listed = "*  1  i <= MAX  becomes  i < MAX  (behaviour 1)\nn1 was freed at line 12 in drop\n"
    presenter.show(r.Text(listed, prose=True))
    assert out.getvalue().splitlines() == [
        "*  1  i <= MAX  becomes",
        "      i < MAX",
        "      (behaviour 1)",
        "n1 was freed at line 12",
        "  in drop",
    ]
    presenter.show(r.Text(listed))
    assert out.getvalue().endswith(listed)


def test_why_there_is_no_repair_is_told_once() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False)
    presenter.show(r.NotRepaired("explicit", "unsupported", ("the model does not come to the crash",), 1.0))
    presenter.show(r.Error("repair", "no repair: the model does not come to the crash"))
    assert out.getvalue().count("the model does not come to the crash") == 1


def test_that_a_library_function_is_left_to_the_process_is_told_once() -> None:
    out = io.StringIO()
    presenter = TextPresenter(out, out, color=False)
    for line, reason in ((3, "call of scanf"), (4, "call of scanf"), (5, "call of qsort"), (6, "goto")):
        presenter.show(r.ConcreteStep("f.c", line, "main", reason))
    assert [line[:6] for line in out.getvalue().splitlines()] == ["line 3", "line 5", "line 6"]


def test_json_has_no_infinities_and_survives_lone_surrogates() -> None:
    out = io.StringIO()
    presenter = JsonPresenter(out, io.StringIO())
    presenter.show(r.Graph({"nodes": [], "places": {"x": float("inf"), "y": [float("nan")]}, "changed": []}))
    presenter.show(r.Output("\udcff\u2028\n"))
    graph, output = (json.loads(line) for line in out.getvalue().splitlines())
    assert graph["places"] == {"x": {"number": "inf"}, "y": [{"number": "nan"}]}
    assert output["text"] == "\udcff\u2028\n"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\n\tb", "a\n\tb"),
        ("\x1b[1m", "^[[1m"),
        ("\r", "^M"),
        ("\x7f", "^?"),
        ("\x9b", "\\x9b"),
        ("é→", "é→"),
    ],
)
def test_control_characters_are_made_visible(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_a_coloured_diff_holds_the_diff() -> None:
    assert Pen(False).diff(PATCH) == PATCH
    coloured = Pen(True).diff(PATCH)
    assert f"\x1b[{Ink.GOOD.value}m+new\x1b[0m\n" in coloured
    assert f"\x1b[{Ink.STRONG.value}m+++ b/f.c\x1b[0m\n" in coloured


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        ("n3", "n3"),
        (5, "5"),
        ({"dangling": "n2"}, "n2 (freed)"),
        ({"uninitialised": True}, "uninitialised"),
        ({"wild": "0x41"}, "wild pointer 0x41"),
        ({"place": "head"}, "&head"),
        ({"node": "n3", "field": "next"}, "&n3.next"),
        ({"node": "n3", "field": "+5"}, "n3+5"),
        ({"node": "n3", "field": "[2]"}, "&n3[2]"),
        ({"dangling": "n3", "field": "[2].next"}, "&n3[2].next (freed)"),
        ({"number": "nan"}, "nan"),
        ({"address": "0x55"}, "0x55"),
    ],
)
def test_values_in_words(value: object, words: str) -> None:
    assert value_words(value) == words


def test_a_temporary_breakpoint_in_words() -> None:
    out = io.StringIO()
    TextPresenter(out, out, color=False).show(r.Stopped("breakpoint", "f.c", 5, "put", "p = q;", True))
    assert out.getvalue().startswith("Temporary breakpoint in put () at f.c:5")


def test_changes_in_words() -> None:
    assert changed_words(r.Changed("main::t.n", 3, 4, shown="t.n")) == "t.n: 3 -> 4"
    assert changed_words(r.Changed("n4.prev", None, None)).startswith("n4.prev is null already: nothing")
    assert changed_words(r.Changed("n4.prev", "n3", "n3", back=True)).startswith("n4.prev stays n3")


def test_siblings_are_indented_and_chains_are_not() -> None:
    entries = tuple(
        r.CheckpointEntry(number, parent, 5, "f") for number, parent in [(0, None), (1, 0), (2, 1), (3, 0)]
    )
    out = io.StringIO()
    TextPresenter(out, out, color=False).show(r.CheckpointList(entries, 3))
    assert [line.partition("  f")[0] for line in out.getvalue().splitlines()] == [
        "  0",
        "    1",
        "    2",
        "*   3",
    ]


def test_below_a_picture_that_fills_the_screen_the_place_stands_once_more() -> None:
    stop = r.Stopped("step", "f.c", 5, "reverse", "while (p)")
    for height, times in ((0, 1), (12, 1), (11, 2)):
        out = io.StringIO()
        presenter = TextPresenter(out, out, color=False, height=height)
        presenter.show(stop)
        presenter.show(r.Graph({}, "\n".join("box" for _ in range(9))))
        assert out.getvalue().count("reverse () at f.c:5\n5\twhile (p)\n") == times
    assert out.getvalue().endswith("box\nreverse () at f.c:5\n5\twhile (p)\n")
