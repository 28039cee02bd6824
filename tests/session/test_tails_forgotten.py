"""The last node was forgotten where the first one was linked, or a node put before others leads to itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import plain, printed, sanitized

TENTS = """\
#include <stdio.h>
#include <stdlib.h>
struct tent { int beds; struct tent *inner, *outermost, *beside; };
static struct tent *pitch(int beds)
{
    struct tent *t = calloc(1, sizeof *t);
    t->beds = beds;
    return t;
}
static void inside(struct tent *around, struct tent *t)
{
    if (around->inner != NULL)
        around->outermost->beside = t;
    else
        around->inner = t;
    around->outermost = t;
}
static int sleepers(const struct tent *t)
{
    int beds = t->beds;
    for (const struct tent *i = t->inner; i != NULL; i = i->beside)
        beds += sleepers(i);
    return beds;
}
static void strike(struct tent *t)
{
    while (t->inner != NULL) {
        struct tent *i = t->inner;
        t->inner = i->beside;
        strike(i);
    }
    printf("%d ", t->beds);
    free(t);
}
int main(int argc, char **argv)
{
    struct tent *camp = pitch(0), *last = camp;
    for (int i = 1; i < argc; i++) {
        struct tent *t = pitch(atoi(argv[i]));
        inside(t->beds > 4 ? camp : last, t);
        if (t->beds > 4)
            last = t;
    }
    printf("%d: ", sleepers(camp));
    strike(camp);
    return 0;
}
"""
ROWS = """\
#include <stdio.h>
#include <stdlib.h>
struct row { int seats; struct row *behind; };
static struct row *front, *back;
static void add(int seats)
{
    struct row *r = malloc(sizeof *r);
    r->seats = seats;
    r->behind = NULL;
    if (front == NULL) {
        front = r;
        back = r;
    } else {
        back->behind = r;
        back = r;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add(atoi(argv[i]));
    while (front != NULL) {
        struct row *r = front;
        front = r->behind;
        printf("%d ", r->seats);
        free(r);
    }
    return 0;
}
"""
BINS = """\
#include <stdio.h>
#include <stdlib.h>
struct part { int no, held; struct part *under; };
struct store { struct part *bin[3]; };
static struct part *find(struct store *s, int no)
{
    struct part *p = s->bin[no % 3];
    while (p != NULL && p->no != no)
        p = p->under;
    return p;
}
static void fetch(struct store *s, int no)
{
    struct part *p = find(s, no);
    if (p == NULL) {
        p = malloc(sizeof *p);
        p->no = no;
        p->held = 0;
        p->under = s->bin[no % 3];
        s->bin[no % 3] = p;
    }
    p->held++;
}
int main(int argc, char **argv)
{
    struct store s = {{NULL}};
    for (int i = 1; i < argc; i++)
        fetch(&s, atoi(argv[i]));
    for (int b = 0; b < 3; b++)
        while (s.bin[b] != NULL) {
            struct part *p = s.bin[b];
            s.bin[b] = p->under;
            printf("%dx%d ", p->no, p->held);
            free(p);
        }
    return 0;
}
"""
UNDER, BIN = "        p->under = s->bin[no % 3];\n", "        s->bin[no % 3] = p;\n"


@pytest.mark.parametrize(
    ("text", "right", "wrong", "inputs"),
    [
        pytest.param(
            TENTS,
            "    around->outermost = t;\n",
            "",
            ("5 2 6 3", "2 3 4", "5 6 7 1 2 3", "1"),
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            ROWS,
            "        front = r;\n        back = r;\n",
            "        front = r;\n",
            ("3 4 5", "1", "1 2", "4 3 2 1"),
            marks=pytest.mark.thorough,
        ),
        # The entry is put into its row before what it leads on to is read: it leads to itself.
        pytest.param(
            BINS,
            UNDER + BIN,
            BIN + UNDER,
            ("1 2 4", "3 6 9 3", "1 4 7 4 1 5"),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_what_is_forgotten_or_done_too_early_is_repaired(
    play: Callable[..., Played],
    tmp_path: Path,
    text: str,
    right: str,
    wrong: str,
    inputs: tuple[str, ...],
) -> None:
    assert text.count(right) == 1
    session = play(text.replace(right, wrong), arguments=tuple(inputs[0].split()))
    session(f"set step-budget 1\nrun\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(text)
    good, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in inputs:
        assert printed(mended, arguments) == printed(good, arguments), arguments
