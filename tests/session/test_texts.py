"""Arrays of characters are corrected as a whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { char name[8]; int age; struct node *next; };
static struct node *add(struct node *list, const char *name, int age)
{
    struct node *fresh = calloc(1, sizeof *fresh);
    int i;
    for (i = 0; name[i] != 0; i++)
        fresh->name[0] = name[i];
    fresh->age = age;
    fresh->next = list;
    return fresh;
}
int main(void)
{
    struct node *list = add(NULL, "Bob", 3);
    return list->age;
}
"""


def test_a_text_is_stored_taken_back_and_repaired(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break 11; run")
    [changed, *_] = session('change n1->name "a\\"; b"')
    assert (changed.place, changed.told) == ("n1.name", ('"b"', '"a\\"; b"'))
    assert (changed.before, changed.after) == ([98, 0, 0, 0, 0, 0], [*b'a"; b\0'])
    session("undo")
    assert session.last(results.Graph).data["nodes"][0]["fields"]["name"] == [98] + 7 * [0]
    with pytest.raises(
        CommandError, match="takes 9 characters with the zero at its end, and there is room for 8"
    ):
        session('change n1->name "12345678"')
    with pytest.raises(CommandError, match="does not end as a string does"):
        session('change n1->name "Bob')
    with pytest.raises(CommandError, match="nothing was changed"):
        session("undo")
    session('change n1->name "Bob"; repair --no-question')
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "fresh->name[i] = name[i]"


SONG = """\
#include <stdlib.h>
#include <string.h>
struct song { char title[16]; char *by; char key; };
int main(void) {
    struct song *s = calloc(1, sizeof *s);
    s->by = strdup("me");
    return 0;
}
"""


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("change s->title Foo", 'a string is written in quotes: "Foo"'),
        ("change s->title 'Foo'", 'a string is written in quotes: "Foo"'),
        ("change s->by Foo", '`change n2 "Foo"` stores a string where the pointer leads'),
        ("change s->key x", "a character is written in quotes: 'x'"),
    ],
)
def test_a_word_without_quotes_is_told_how_characters_are_written(
    play: Callable[..., Played], command: str, hint: str
) -> None:
    session = play(SONG)
    session("break 7; run")
    with pytest.raises(CommandError) as refused:
        session(command)
    assert str(refused.value).endswith(f"; {hint}")
