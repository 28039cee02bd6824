"""How a changed place and its values are told: elements of arrays, numbers that are none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.session import results
from wolverine.shell.words import changed_words

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
int main(void)
{
    double d = 0.0 / (rand() < 0);
    int *m = malloc(6 * sizeof *m);
    memset(m, 0, 6 * sizeof *m);
    int x = 1;
    x = 2;
    m[5] = x;
    return 0;
}
"""


def test_a_number_that_is_none_changes_only_once(play: Callable[..., Any]) -> None:
    session = play(PROGRAM, json=False)
    session("break 9\nrun\nnext")
    assert "nan" in session.last(results.Graph).picture
    assert "nan → nan" not in session.last(results.Graph).picture
    before = len(session.heard)
    session("print x")
    assert not any(isinstance(each, results.Graph) for each in session.heard[before:])


def test_elements_of_an_allocated_array_have_one_index(play: Callable[..., Any]) -> None:
    session = play(PROGRAM, json=False)
    session("break 10\nrun\nnext")
    assert "n1[5]: 0 → 2" in session.last(results.Graph).picture


UNSET = """\
#include <stdlib.h>
struct node { struct node *next; int key; };
static void touch(struct node *node) {
    node->key++;
}
int main(void) {
    static struct node n;
    struct node *i;
    while (rand() >= 0) {
        touch(&n);
        for (i = &n; i != NULL; i = i->next)
            touch(i);
    }
    return 0;
}
"""


def test_what_no_statement_has_set_yet_is_uninitialised_though_a_loop_stands_first(
    play: Callable[..., Any],
) -> None:
    session = play(UNSET, json=False)
    session("break touch; run; finish")
    assert "i = ?" in session.last(results.Graph).picture
    session("change n.key 7")
    picture = session.last(results.Graph).picture
    assert "* n.key: 1 → 7" in picture.replace("main::", "") and "→ ?" not in picture


WORDS = """\
#include <stdbool.h>
enum colour { RED, GREEN };
struct thing { bool set; char mark; enum colour colour; int n; } thing = {true, 't', GREEN, 1};
int main(void)
{
    return thing.n;
}
"""


def test_what_is_changed_is_told_as_it_is_drawn(play: Callable[..., Any]) -> None:
    session = play(WORDS)
    session("break main; run; change thing.set false; change thing.mark 'x'; change thing.colour 0")
    session("change thing.n 2")
    told = [each.told for each in session.heard if isinstance(each, results.Changed)]
    assert told == [("true", "false"), ("'t'", "'x'"), ("GREEN", "RED"), ("1", "2")]


FOR_EVER = """\
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
struct node { struct node *next; };
static int hash(char *key)
{
    uint16_t *p = (uint16_t *)key;
    return *p;
}
int main(void)
{
    char key[8];
    struct node *root;
    int found;
    for (;;) {
        if (scanf("%7s", key) != 1)
            return 0;
        found = hash(key);
        root = malloc(sizeof *root);
        root->next = NULL;
        free(root);
    }
}
"""


def test_what_nothing_has_set_yet_stays_so_where_the_process_tells_of_a_call(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("ab cd")
    session = play(FOR_EVER, stdin=given)
    session("break hash; run")
    assert session.places()["main::root"] == session.places()["main::found"] == {"uninitialised": True}
    session("finish")
    assert "what it does is taken from the process" in session.texts()
    assert session.places()["main::root"] == {"uninitialised": True}
    session("next")
    assert isinstance(session.places()["main::found"], int)


CALLS = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *list;
static void push(int v)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = list;
    list = fresh;
}
int main(void)
{
    int data[] = {5, 7, 9}, i;
    for (i = 0; i < 3; i++)
        push(data[i]);
    return list == NULL;
}
"""


def test_the_variables_of_the_next_call_are_not_those_of_the_last_one(play: Callable[..., Any]) -> None:
    session = play(CALLS, json=False)
    session("break push; run; continue")
    told = session.last(results.Graph).picture
    assert "main::i: 0 → 1" in told
    assert "v: 5 → 7" not in told
    assert "*fresh" not in told and "*v" not in told
    session("next 2")
    assert "fresh: ? → n2" in session.last(results.Graph).picture
    session("continue; back")
    assert "* fresh: ? → n2" in session.last(results.Graph).picture  # as that stop was marked
    assert "v: 9 → 7" not in session.last(results.Graph).picture


NAMED = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct table { struct node *head[3]; struct node **all; };
int main(void) {
    struct table t = {{0}, calloc(2, sizeof(struct node *))};
    t.head[1] = calloc(1, sizeof(struct node));
    t.all[1] = t.head[1];
    return t.all == NULL;
}
"""


def test_the_line_of_a_change_names_the_place_as_the_picture_does(play: Callable[..., Any]) -> None:
    session = play(NAMED, json=False)
    session("break 8; run")
    for typed, named in (
        ("t.head[0] n2", "t.head[0]"),
        ("t.all[0] n2", "n1[0]"),
        ("n2->v 4", "n2.v"),
        ("t.head[1]->v 5", "n2.v"),
    ):
        session(f"change {typed}")
        assert changed_words(session.last(results.Changed)).startswith(f"{named}: ")
        assert f"* {named}: " in session.last(results.Graph).picture
    assert session.last(results.Changed).place == "n2.v"
    session("change t.head[2] n2")
    assert session.last(results.Changed).place == "main::t.head[2]"


def test_a_change_that_changes_nothing_says_so_and_is_asserted(play: Callable[..., Any]) -> None:
    session = play(NAMED, json=False)
    session("break 8; run; change t.head[0] null")
    assert changed_words(session.last(results.Changed)).startswith("t.head[0] is null already")
    assert len(session.session.execution.path[-1].changes) == 1
    session("undo")
    assert changed_words(session.last(results.Changed)).startswith("t.head[0] stays null")


INSIDE = """\
#include <stdlib.h>
struct node { int v; struct node *next, **pprev; };
struct { struct node *slot[4]; } wheel;
int main(void)
{
    struct node *a = calloc(1, sizeof *a), *row = calloc(3, sizeof *row);
    a->pprev = &wheel.slot[3];
    return 0;
}
"""


@pytest.mark.parametrize(
    ("given", "named", "told"),
    [
        ("&wheel.slot[2]", "&wheel.slot[2]", {"place": "wheel.slot[2]"}),
        ("&n2[1].next", "&n2[1].next", {"node": "n2", "field": "[1].next"}),
        ("&n1->next", "&n1.next", {"node": "n1", "field": "next"}),
    ],
)
def test_an_address_inside_something_is_written_in_one_way(
    play: Callable[..., Any], given: str, named: str, told: dict[str, str]
) -> None:
    session = play(INSIDE, json=False)
    session(f"break 8; run; change a->pprev {given}")
    assert session.last(results.Changed).after == told
    assert changed_words(session.last(results.Changed)) == f"n1.pprev: &wheel.slot[3] -> {named}"
    picture = session.last(results.Graph).picture
    assert f"pprev*{named}" in picture and f"* n1.pprev: &wheel.slot[3] → {named}\n" in f"{picture}\n"
