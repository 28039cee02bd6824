"""Repairs that depend on library functions: their calls are carried out again on the changed heap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wolverine.session.results import Repaired

BOOK = Path(__file__).with_name("book.c").read_text()


def test_a_comparison_of_strings_is_turned_round(play: Callable[..., Any]) -> None:
    """The list is to be in order: the arguments, copied by static functions, are compared anew."""
    session = play(BOOK, arguments=("mary", "anna", "zed"))
    session("start; next 8")
    session("change head n3; change n3->next n1; change n1->next n5; change n5->next null")
    session("spec; repair --no-question; continue")
    repaired = session.last(Repaired)
    assert [(edit.line, edit.after) for edit in repaired.edits] == [(20, "strcmp((*pp)->name, name) < 0")]
    assert session.output() == "anna\nmary\nzed\n"
