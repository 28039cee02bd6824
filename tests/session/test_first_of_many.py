"""Where several repairs meet what is asserted, the first one is what the program was meant to do."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

LINES = """\
#include <stdlib.h>
#include <string.h>
struct line { char *text; struct line *next; };
struct line *made(const char *text)
{
    struct line *fresh = malloc(sizeof *fresh);
    fresh->text = malloc(strlen(text) + 1);
    strcpy(fresh->text, text);
    fresh->next = NULL;
    return fresh;
}
struct line *insert(struct line *first, const char *text, int before)
{
    struct line *fresh = made(text), *at = first;
    if (before == 0) {
        fresh->next = first;
        return fresh;
    }
    while (before > 0 && at->next != NULL) {
        at = at->next;
        before--;
    }
    fresh->next = at->next;
    at->next = fresh;
    return first;
}
int main(void)
{
    struct line *first = NULL;
    first = insert(first, "two", 0);
    first = insert(first, "one", 0);
    first = insert(first, "mid", 1);
    return first->next->text[0];
}
"""


def test_a_loop_that_no_input_enters_any_more_comes_behind(play: Callable[..., Played]) -> None:
    """Numbers that say where are small and large also where texts hang on the nodes and are given."""
    session = play(LINES, json=False)
    session("break insert; run; continue 2; finish; change n3->next n5; change n5->next n1")
    session("change n1->next null; repair --no-question")
    assert "while (before > 1 && at->next != NULL)" in session.last(results.Repaired).patch
