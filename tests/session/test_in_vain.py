"""A crash that no edit of its function helps: what went through there was made wrong before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

from wolverine.session import results

MATCHES = """\
#include <stdio.h>
#include <stdlib.h>
struct match { int winner; struct match *upper, *lower; };
static struct match *drawn(char **names, int from, int to)
{
    struct match *m;
    if (from >= to)
        return NULL;
    m = calloc(1, sizeof *m);
    if (to - from == 1) {
        m->winner = atoi(names[from]);
        if (m->winner > 0)
            return m;
        free(m);
        return NULL;
    }
    m->upper = drawn(names, from, (from + to) / 2);
    m->lower = drawn(names, (from + to) / 2, to);
    if (m->upper == NULL || m->lower == NULL) {
        struct match *rest = m->upper != NULL ? m->upper : m->lower;
        free(m);
        return rest;
    }
    return m;
}
static int played(struct match *m)
{
    int upper, lower;
    if (m->winner == 0) {
        upper = played(m->upper);
        lower = played(m->lower);
        m->winner = m->upper->winner > m->lower->winner ? upper : lower;
    }
    return m->winner;
}
static void forget(struct match *m)
{
    if (m == NULL)
        return;
    forget(m->upper);
    forget(m->lower);
    free(m);
}
int main(int argc, char **argv)
{
    struct match *m = drawn(argv, 1, argc);
    if (m == NULL)
        return 1;
    printf("%d\\n", played(m));
    forget(m);
    return 0;
}
"""
RIGHT = "m->upper == NULL || m->lower == NULL"


@pytest.mark.thorough
def test_repairs_are_looked_for_where_it_was_made(play: Callable[..., Played], tmp_path: Path) -> None:
    assert MATCHES.count(RIGHT) == 1
    session = play(MATCHES.replace(RIGHT, RIGHT.replace("||", "&&")), arguments=("4", "0", "7", "2"))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert any(
        "begins in main, further out" in each.text for each in session.heard if isinstance(each, results.Note)
    )
    (tmp_path / "right.c").write_text(MATCHES)
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in ("4 0 7 2", "0 0 3", "5", "1 2 3 4 5", "0 6 0 7", "0 0"):
        assert printed(mended, arguments) == printed(right, arguments), arguments


DECK = """\
#include <stdio.h>
#include <stdlib.h>
struct card { int n; struct card *up, *down; };
struct deck { struct card *top, *bottom; int left; };
static void put(struct deck *d, int n)
{
    struct card *c = malloc(sizeof *c);
    c->n = n;
    c->up = NULL;
    c->down = d->top;
    if (d->top != NULL)
        d->top->up = c;
    else
        d->bottom = c;
    d->top = c;
    d->left++;
}
static void raise_card(struct deck *d, struct card *c)
{
    if (c == d->top)
        return;
    c->up->down = c->down;
    if (c->down != NULL)
        c->down->up = c->up;
    else
        d->bottom = c->up;
    c->up = NULL;
    c->down = d->top;
    d->top->up = c;
    d->top = c;
}
static int drawn(struct deck *d)
{
    struct card *c = d->bottom;
    int n = c->n;
    d->bottom = c->up;
    if (d->bottom != NULL)
        d->bottom->down = NULL;
    else
        d->top = NULL;
    free(c);
    d->left--;
    return n;
}
static int game(struct deck *d, int most)
{
    int sum = 0;
    while (d->left > most)
        sum += drawn(d);
    return sum;
}
int main(void)
{
    struct deck *d = calloc(1, sizeof *d);
    put(d, 4);
    put(d, 2);
    raise_card(d, d->bottom);
    printf("%d\\n", game(d, 1));
    printf("%d\\n", game(d, 0));
    free(d);
    return 0;
}
"""
KEPT = "    else\n        d->bottom = c->up;\n"


def test_what_was_as_wrong_when_the_caller_began_is_repaired_before_it(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    """The picture is corrected where a callee begins; nothing that its caller did has spoilt it."""
    assert DECK.count(KEPT) == 1
    session = play(DECK.replace(KEPT, ""))
    session(
        f"break drawn\nrun\nchange d->bottom n3\nspec\nrepair --no-question\nrewrite {tmp_path / 'out.c'}"
    )
    assert "what was corrected was as wrong when game began" in session.texts()
    assert session.last(results.Repaired).edits[0].after == "else d->bottom = c->up;"
    assert printed(sanitized(tmp_path / "out.c"), "") == (0, "2\n4\n")


CHAIN = """\
#include <stdio.h>
#include <stdlib.h>
struct stop { int line, closed; struct stop *after; };
static void close_line(struct stop *s, int line)
{
    if (s->line == line) {
        s->closed = 1;
        return;
    }
    close_line(s->after, line);
    if (s->after->closed) {
        struct stop *old = s->after;
        s->after = old->after;
        free(old);
    }
}
int main(void)
{
    struct stop *first = NULL;
    for (int line = 4; line >= 0; line--) {
        struct stop *made = calloc(1, sizeof *made);
        made->line = line;
        made->after = first;
        first = made;
    }
    close_line(first, 3);
    close_line(first, 7);
    for (struct stop *s = first; s != NULL; s = s->after)
        printf("%d ", s->line);
    return 0;
}
"""


def test_what_an_outer_call_does_behind_the_inner_one_counts(play: Callable[..., Played]) -> None:
    """The innermost call can only return, and then its caller crashes: it is not to be made."""
    session = play(CHAIN, json=False)
    session("run; repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "if (s->after == NULL) return;"
    assert "the innermost call of close_line crashes" in session.texts()
