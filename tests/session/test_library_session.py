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


CLEARED = """\
#include <stdlib.h>
#include <string.h>
struct line { struct line *next; int seen[3]; struct line *near[2]; char text[12]; };
static struct line *put(struct line *next, const char *text)
{
    struct line *l = malloc(sizeof *l);
    l->next = next;
    l->seen[1] = 7;
    memset(l->text, 0, sizeof l->text);
    strncpy(l->text, text, sizeof l->text - 1);
    memset(l->seen, 0, sizeof l->seen);
    memset(&l->near, 0, sizeof l->near);
    return l;
}
int main(int argc, char **argv)
{
    struct line *lines = put(put(NULL, "a line of text"), argv[argc - 1]);
    return lines->text[0] == 0;
}
"""


def test_arrays_inside_of_a_fresh_node_are_cleared(play: Callable[..., Any]) -> None:
    session = play(CLEARED, arguments=("house",))
    session("break 18; run")
    assert not [each for each in session.heard if isinstance(each, results.ConcreteStep)]
    assert bytes(session.fields("n1")["text"]) == b"a line of t\0"
    assert session.fields("n2")["seen"] == [0, 0, 0] and session.fields("n2")["near"] == [None, None]
