"""A statement that crashed begins anew, with what was corrected at the crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct shelf { int books; char *label; struct shelf *next; };
static struct shelf *made(int books)
{
    struct shelf *fresh = calloc(1, sizeof *fresh);
    fresh->books = books;
    return fresh;
}
static int told;
static int tell(int number)
{
    return told += number;
}
static char words[] = "abc";
int main(void)
{
    struct shelf *first = made(3), *last = NULL;
    int long_one = 0;
    STATEMENT
    printf("%d %d\\n", first->books, told + long_one);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("statement", "change", "printed"),
    [
        ("last->books++;", "change last n1", "4 0"),
        ("last->books++;", "set var last = first", "4 0"),
        ("if (last->books > 2) long_one = 7;", "change last n1", "3 7"),
        ("while (last->books-- > 1) long_one++;", "change last n1", "0 2"),
        ("long_one = strlen(first->label);", "change n1->label words", "3 3"),
    ],
)
def test_what_was_corrected_is_read_anew(
    play: Callable[..., Any], statement: str, change: str, printed: str
) -> None:
    session = play(PROGRAM.replace("STATEMENT", statement))
    session(f"run\n{change}\ncontinue")
    assert printed in session.output()


def test_what_it_has_done_is_not_done_twice(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("STATEMENT", "long_one = tell(1) + last->books;"))
    session("run\nchange last n1")
    notes = [each.text for each in session.heard if isinstance(each, results.Note)]
    assert any("goes on amid them" in text for text in notes)


def test_to_take_the_correction_back_leads_to_the_crash_again(play: Callable[..., Any]) -> None:
    session = play(PROGRAM.replace("STATEMENT", "last->books++;"))
    session("run\nchange last n1\nundo\ncontinue")
    signals = [each for each in session.heard if isinstance(each, results.Signalled)]
    assert len(signals) == 2
    session("change last n1\nnext\nprint first->books")
    assert "= 4" in session.texts()
