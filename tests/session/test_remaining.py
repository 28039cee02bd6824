"""What variables lead to when the program ends, and nothing frees: a repair frees it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from thorough import LITTLE

from wolverine.session import results

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *down[2]; };
struct dict { int n; };
static struct tree *root;
static struct tree *made(int key)
{
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    return t;
}
static void add(struct dict *d, int key)
{
    struct tree **at = &root;
    while (*at != NULL)
        at = &(*at)->down[key > (*at)->key];
    *at = made(key);
    d->n++;
}
static void destroy(struct tree *t)
{
    int i;
    for (i = 0; i < 2; i++)
        if (t->down[i] != NULL)
            destroy(t->down[i]);
    free(t);
}
static void release(struct dict *d)
{
    if (root != NULL)
        destroy(root);
    free(d);
}
int main(void)
{
    struct dict *d = calloc(1, sizeof *d);
    int key;
    while (scanf("%d", &key) == 1)
        add(d, key);
    release(d);
    return 0;
}
"""


@pytest.fixture
def ended(play: Callable[..., Played], tmp_path: Path) -> Callable[[str, str], Played]:
    """A session that has come to the end of the program with a fault put into it."""

    def start(right: str, wrong: str) -> Played:
        given = tmp_path / "numbers"
        given.write_text("5 3 8 1 9")
        assert TREE.count(right) == 1
        session = play(TREE.replace(right, wrong), stdin=given, work=LITTLE)
        session("run")
        assert "never freed, up to the end:" in session.texts()
        return session

    return start


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        (
            "            destroy(t->down[i]);",
            "            return destroy(t->down[i]);",
            "destroy(t->down[i]);",
        ),
        ("    release(d);\n", "", "release(d);"),
        ("    free(d);\n", "", "free(d);"),
    ],
)
def test_a_repair_frees_it(ended: Callable[[str, str], Played], right: str, wrong: str, line: str) -> None:
    session = ended(right, wrong)
    session("repair --no-question")
    assert "though not lost: the execution under repair ends where the program does" in session.texts()
    assert line in [each.strip("+ ") for each in session.last(results.Repaired).patch.splitlines()]
    before = session.texts()
    session("continue")
    assert "never freed" not in session.texts()[len(before) :]


STACK = """\
#include <stdlib.h>
struct frame { int value; struct frame *below; };
struct stack { struct frame *top; };
static void push(struct stack *s, int value)
{
    struct frame *f = malloc(sizeof *f);
    f->value = -value;
    f->below = s->top;
    s->top = f;
}
static int pop(struct stack *s)
{
    struct frame *f = s->top;
    int value = f->value;
    s->top = f->below;
    return value;
}
int main(void)
{
    struct stack *s = calloc(1, sizeof *s);
    int sum;
    push(s, 3);
    push(s, 4);
    sum = pop(s) - pop(s);
    free(s);
    return sum != 1;
}
"""


def test_a_leak_is_repaired_beside_an_edit_that_was_accepted(play: Callable[..., Played]) -> None:
    session = play(STACK, work=LITTLE)
    session("break 24; run; change n2->value 3; change n3->value 4; repair --no-question")
    assert "+    f->value = value;" in session.last(results.Repaired).patch
    session("continue")
    before = session.texts()
    session("repair --no-question")
    told = session.texts()[len(before) :]
    assert "n3 is lost where pop returns (line 17), and never freed" in told  # as n2 is later on
    assert [each.after for each in session.last(results.Repaired).edits] == ["free(f);"]
