"""Repairs that depend on library functions: their calls are carried out again on the changed heap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from wolverine.session import results
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


TOO_SHORT = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *copied(const char *text)
{
    return strcpy(malloc(strlen(text)), text);
}
int main(void)
{
    char line[8];
    char *one = copied("house");
    if (fgets(line, sizeof line, stdin) != NULL)
        printf("%d\\n", strcmp(line, one));
    free(one);
    return 0;
}
"""


def test_a_call_that_goes_beyond_a_node_is_not_said_to_be_unknown(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("horse\n")
    session = play(TOO_SHORT, stdin=given)
    session("break 14; run")
    told = {each.reason for each in session.heard if isinstance(each, results.ConcreteStep)}
    assert "offset 5 lies outside n1, which has 5 bytes, by line 6 in copied" in session.texts()
    assert not any("strcpy" in each for each in told)
