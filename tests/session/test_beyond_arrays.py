"""A picture behind a write beyond an array, which the process survives: the repair is looked for there."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

LETTERS = """\
#include <stdlib.h>
struct mark { char letter; int count; };
static struct mark *marks[26];
static int spare[200];
static void note(char letter)
{
    struct mark *m = calloc(1, sizeof *m);
    m->letter = letter;
    m->count = 1;
    marks[letter + 'a'] = m;
}
int main(void)
{
    note('c');
    return marks[2] == NULL || spare[0];
}
"""


def test_an_index_beyond_its_array_is_repaired(play: Callable[..., Played]) -> None:
    session = play(LETTERS)
    session("break note; run; finish; change marks[2] n1; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (10, "marks[letter - 'a'] = m")
    session("delete; continue")
    assert session.last(results.Exited).code == 0
