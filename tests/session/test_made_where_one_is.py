"""A node is made for a place that holds one, whatever hangs on that: it is made where none is there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

WORDS = """\
#include <stdlib.h>
struct letter { struct letter *next[26]; int end; };
struct shelf { struct letter *letters; };
static struct letter *letter(void)
{
    return calloc(1, sizeof(struct letter));
}
static void put(struct shelf *s, const char *word)
{
    struct letter *l;
    if (!s->letters)
        s->letters = letter();
    l = s->letters;
    for (; *word; word++) {
        int at = *word - 'a';
        if (l->next[at] == NULL) {
            l->next[at] = letter();
        }
        l = l->next[at];
    }
    l->end++;
}
static int clear(struct letter *l)
{
    int found = 0;
    if (l == NULL)
        return 0;
    for (int i = 0; i < 26; i++)
        found += clear(l->next[i]);
    found += l->end;
    free(l);
    return found;
}
int main(void)
{
    struct shelf s = { NULL };
    put(&s, "ox");
    put(&s, "owl");
    put(&s, "ox");
    return clear(s.letters);
}
"""


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(
            "        if (l->next[at] == NULL) {\n            l->next[at] = letter();\n        }\n",
            marks=pytest.mark.thorough,
        ),
        "    if (!s->letters)\n        s->letters = letter();\n",
    ],
)
def test_it_is_made_where_none_is_there(play: Callable[..., Played], test: str) -> None:
    made = next(line for line in test.split("\n") if "letter();" in line)
    session = play(WORDS.replace(test, made[4:] + "\n"), json=False)
    session("run; repair --no-question; continue")
    place = made.split()[0]
    assert f"if ({place} == NULL)" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 3
