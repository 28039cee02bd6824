"""Special cases of several statements are missing, and the program has nothing like them elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized
from thorough import WORK, usual

from wolverine.session import results

LOANS = """\
#include <stdio.h>
#include <stdlib.h>
struct loan { int who, left; struct loan *rest; };
struct bank { struct loan *loans; int open; };
void lend(struct bank *b, int who, int left)
{
    struct loan *l = malloc(sizeof *l);
    l->who = who;
    l->left = left;
    l->rest = b->loans;
    b->loans = l;
    b->open++;
}
void pay(struct bank *b, int who)
{
    struct loan **at = &b->loans;
    while (*at != NULL && (*at)->who != who)
        at = &(*at)->rest;
    struct loan *l = *at;
    if (l == NULL)
        return;
    l->left--;
    CASE
}
int main(int argc, char **argv)
{
    struct bank b = {NULL, 0};
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > 0)
            lend(&b, atoi(argv[i]) / 10, atoi(argv[i]) % 10);
        else
            pay(&b, -atoi(argv[i]));
    printf("%d:", b.open);
    while (b.loans != NULL) {
        struct loan *l = b.loans;
        printf(" %d/%d", l->who, l->left);
        b.loans = l->rest;
        free(l);
    }
    return 0;
}
"""

SCORES = """\
#include <stdio.h>
#include <stdlib.h>
struct note { int text, size; struct note *older; };
struct game { int points, before; struct game *last; };
struct score { int total, games; struct note *notes; struct game *last; };
static void forget(struct note *n)
{
    while (n != NULL) {
        struct note *older = n->older;
        free(n);
        n = older;
    }
}
static void remark(struct score *s, int text)
{
    struct note *n = malloc(sizeof *n);
    n->text = text;
    n->size = text / 10 + 1;
    n->older = s->notes;
    s->notes = n;
}
static void play(struct score *s, int points)
{
    struct game *g = malloc(sizeof *g);
    g->points = points;
    g->before = s->total;
    g->last = s->last;
    s->last = g;
    s->total += points;
    CASE
    s->games++;
}
int main(int argc, char **argv)
{
    struct score s = {0, 0, NULL, NULL};
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) > 0)
            play(&s, atoi(argv[i]));
        else
            remark(&s, -atoi(argv[i]));
    printf("%d in %d:", s.total, s.games);
    for (struct note *n = s.notes; n != NULL; n = n->older)
        printf(" %d", n->text);
    forget(s.notes);
    for (struct game *g = s.last; g != NULL; g = s.last) {
        s.last = g->last;
        free(g);
    }
    return 0;
}
"""


@dataclass(frozen=True)
class Bug:
    """A program without what it does in a special case, where that stood, and how it is played."""

    text: str
    case: str
    arguments: str
    commands: str
    others: tuple[str, ...]


BUGS = {
    "what is used up goes": Bug(
        LOANS,
        "if (l->left == 0) {\n        *at = l->rest;\n        b->open--;\n        free(l);\n    }",
        "11 22 31 -2 -2",
        "break 24; run; continue; change n3->rest n1; change b->open 2; change n2 freed; spec",
        ("11 -1", "12 -1 -1 -1", "51 62 -5 -6", "12 22 -1 -2 -2 -1 31"),
    ),
    "all there is of something goes": Bug(
        SCORES,
        "if (s->notes != NULL) {\n        forget(s->notes);\n        s->notes = NULL;\n    }",
        "7 -13 5 -4",
        "break 31 if s->games == 1; run; change s->notes null; change n2 freed; spec",
        ("", "3", "-3", "-3 -4 1", "-3 -4 1 -5 -6 -7 2 3 -8"),
    ),
}

MARKS = """\
#include <stdio.h>
#include <stdlib.h>
struct pupil { int mark; struct pupil *next; };
struct class { struct pupil *first; int size; };
static struct pupil *pupil(int mark)
{
    struct pupil *p = malloc(sizeof *p);
    p->mark = mark;
    p->next = NULL;
    return p;
}
static void enter(struct class *c, int mark)
{
    struct pupil *p = pupil(mark);
    struct pupil *at = c->first;
    CASE
    while (at->next != NULL && at->next->mark > mark)
        at = at->next;
    p->next = at->next;
    at->next = p;
    c->size++;
}
int main(int argc, char **argv)
{
    struct class c = { pupil(70), 1 };
    for (int i = 1; i < argc; i++)
        enter(&c, atoi(argv[i]));
    printf("%d:", c.size);
    while (c.first) {
        struct pupil *p = c.first;
        printf(" %d", p->mark);
        c.first = p->next;
        free(p);
    }
    return 0;
}
"""
SORTED = Bug(
    MARKS,
    "if (at->mark < mark) { p->next = at; c->first = p; c->size++; return; }",
    "55 90 61",
    "break enter; run; continue; finish; change n1->next n2; change c.first n3; change n3->next n1; spec",
    ("", "5", "90", "80 90 60 70", "71 69 95 1"),
)


@pytest.mark.thorough
def test_the_first_node_is_a_case_of_its_own(play: Callable[..., Any], tmp_path: Path) -> None:
    """Its test is what the loop asks of the next node."""
    play_and_judge(SORTED, play, tmp_path)


@pytest.mark.parametrize("name", usual(BUGS, "what is used up goes", "all there is of something goes"))
def test_a_case_of_several_statements_is_put_in(name: str, play: Callable[..., Any], tmp_path: Path) -> None:
    play_and_judge(BUGS[name], play, tmp_path)


def play_and_judge(bug: Bug, play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(bug.text.replace("CASE", ";"), arguments=bug.arguments.split(), work=WORK)
    session(f"{bug.commands}\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    assert bug.case.partition(" {")[0] in (tmp_path / "out.c").read_text()
    (tmp_path / "right.c").write_text(bug.text.replace("CASE", bug.case))
    right, mended = plain(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for arguments in (bug.arguments, *bug.others):
        assert printed(mended, arguments) == printed(right, arguments), arguments
