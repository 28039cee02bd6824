"""`change PLACE EXPRESSION`: gdb works out what the value is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct list { struct node *head; int n; unsigned long mask; double mean; };
static int sum(struct list *l) {
    int n = 40, row[4] = {1, 2, 3, 4}, *at = row;
    for (struct node *p = l->head; p; p = p->next)
        n += p->v;
    return n + *at;
}
int main(void) {
    struct list l = {calloc(1, sizeof(struct node)), 7, 1, 0.5};
    l.head->v = 5;
    return sum(&l);
}
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    source = tmp_path_factory.mktemp("sum") / "sum.c"
    source.write_text(PROGRAM)
    session = Played(source, json=False)
    session("break 8; run")
    yield session
    session.session.close()


@pytest.mark.parametrize(
    ("change", "after"),
    [
        ("n n - 2", 43),
        ("n = n+1", 46),
        ("l->n l->n * 2", 14),
        ("l->n (l->n + 1) * row[1]", 16),
        ("n1->v -n1->v", -5),
        ("n1->v n1->v - 'a'", -92),
        ("n sizeof(struct node)", 16),
        ("l->mask ~l->mask", (1 << 64) - 2),
        ("l->mean l->mean / 2", 0.25),
        ("n n > 3 ? 1 : 0", 1),
        ("at at + 2", {"place": "sum::row[2]"}),
        ("l->head (struct node *) 0", None),
    ],
)
def test_expressions(loaded: Played, change: str, after: object) -> None:
    loaded(f"change {change}")
    assert loaded.last(results.Changed).after == after
    loaded("undo")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("n sum(l) + 1", "without effects"),
        ("n n++ + 1", "without effects"),
        ("n m + 1", 'No symbol "m"'),
        ("n n / 0", "Division by zero"),
        ("n -1.5", "no whole number"),
        ("n n * 1.5", "the place holds an int; n [*]1.5 is a double"),
        ("n at + 1", "the place holds an int; at [+] 1 is an int [*]"),
        ("at n + 1", "the place holds an int [*]; n [+] 1 is an int"),
        ("at at + 4000000", "leads to no node or variable"),
        ("n 1 + 4294967296", "does not fit int"),
    ],
)
def test_what_is_no_value_here_is_said(loaded: Played, change: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        loaded(f"change {change}")


def test_a_name_that_means_two_variables_is_not_guessed(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break 8; run; up")
    with pytest.raises(CommandError, match="the frame that is selected has no n"):
        session("change main::l.n 1 + n")
