"""A recursion that goes too far in an array of children: the crash is in the call that was given null."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

FLEET = """\
#include <stdlib.h>
struct ship { int crew, boats; struct ship *boat[6]; };
static struct ship *build(struct ship *mother, int crew)
{
    struct ship *s = calloc(1, sizeof *s);
    s->crew = crew;
    if (mother != NULL)
        mother->boat[mother->boats++] = s;
    return s;
}
static int hands(const struct ship *s)
{
    int sum = s->crew;
    for (int i = 0; i <= s->boats; i++)
        sum += hands(s->boat[i]);
    return sum;
}
int main(void)
{
    struct ship *flag = build(NULL, 90);
    for (int i = 0; i < 3; i++) {
        struct ship *tender = build(flag, 20 + i);
        build(tender, 4);
        build(tender, 5);
    }
    return hands(flag) == 180 ? 0 : 1;
}
"""


def test_the_outer_calls_count_as_well(play: Callable[..., Played]) -> None:
    session = play(FLEET)
    session("run\nrepair --no-question")
    assert "hands was given null: the execution under repair begins in hands, further out" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (14, "i < s->boats")


LETTERS = """\
#include <stdlib.h>
struct trie { int ends; struct trie *next[3]; };
static struct trie *add(struct trie *t, const char *word)
{
    if (t == NULL)
        t = calloc(1, sizeof *t);
    if (*word == 0)
        t->ends = 1;
    else
        t->next[*word - 'a'] = add(t->next[*word - 'a'], word + 1);
    return t;
}
static int words(const struct trie *t)
{
    int sum = t->ends;
    for (int i = 0; i < 3; i++)
        sum += words(t->next[i]);
    return sum;
}
int main(void)
{
    struct trie *all = NULL;
    all = add(all, "cab");
    all = add(all, "ca");
    all = add(all, "b");
    return words(all) == 3 ? 0 : 1;
}
"""


@pytest.mark.thorough
def test_where_any_child_may_be_missing_the_call_looks_first(play: Callable[..., Played]) -> None:
    session = play(LETTERS)
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "if (t == NULL) return 0;"
