"""Pointers to fields and elements are called as in C; a pointer of another depth is refused, as C would."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

APPENDED = """\
#include <stdlib.h>
struct rung { int step; struct rung *next; };
int main(void)
{
    struct rung *ladder = NULL, **end = &ladder;
    for (int i = 0; i < 2; i++) {
        *end = calloc(1, sizeof **end);
        end = &(*end)->next;
    }
    return ladder == NULL;
}
"""


@pytest.fixture
def ladder(play: Callable[..., Played]) -> Played:
    session = play(APPENDED, json=False)
    session("break 10; run")
    return session


def test_a_change_to_the_address_of_a_field_reads_as_in_c(ladder: Played) -> None:
    ladder("change end &n1.next")
    assert "* end: &n2.next → &n1.next" in ladder.last(results.Graph).picture


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("end n1.next", "n1.next is a struct rung *, and the place holds a struct rung **; `&n1.next` is"),
        ("end n2->next", "`&n2->next` is its address"),
        ("ladder end", "end is a struct rung **, and the place holds a struct rung *; `*end` is what"),
        ("ladder &end", "&end leads to a struct rung **, but the place holds a pointer to struct rung"),
        ("ladder &n1.next", "&n1.next leads to a struct rung *, but the place holds a pointer to struct"),
        ("end &n1", "n1 is a struct rung, but the place holds a pointer to struct rung *; `&n1.next` is one"),
        ("end n2", "`&n2.next` is one, and `change *end n2` sets the one that it leads to"),
        ("end n2", "n2 is a struct rung, but the place holds a pointer to struct rung *; `&n2.next` is one"),
    ],
)
def test_a_pointer_of_another_depth_is_refused(ladder: Played, change: str, told: str) -> None:
    with pytest.raises(CommandError, match=re.escape(told)):
        ladder(f"change {change}")


def test_pointers_of_the_same_depth_are_taken(ladder: Played) -> None:
    ladder("change end &ladder; change ladder n1.next; change n1.next *end; change end null")
    assert ladder.last(results.Changed).after is None


RANKED = """\
struct racer { int laps; };
static struct racer field[3] = { { 4 }, { 9 }, { 6 } };
int main(void)
{
    struct racer *best[2] = { field, &field[1] };
    return best[0]->laps - 4;
}
"""


def test_the_first_element_of_an_array_is_named_as_the_others(play: Callable[..., Played]) -> None:
    session = play(RANKED, json=False)
    session("break 6; run")
    picture = session.last(results.Graph).picture
    assert "&field[0]" in picture and "&field[1]" in picture
    session("change best[1] &field[0]")
    assert session.last(results.Changed).after == {"place": "field[0]"}
    assert "→ &field[0]" in session.last(results.Graph).picture
