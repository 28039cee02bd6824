"""Nodes that are used after they were freed: told at once, and what a repair must not do."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

FREE_ALL = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct node { int val; struct node *next; } node;
void free_all(node *head)
{
    while (head != NULL) {
        free(head);
        head = head->next;
    }
}
int main(void)
{
    node *list = NULL;
    for (int i = 0; i < 3; i++) {
        node *n = malloc(sizeof *n);
        n->val = i;
        n->next = list;
        list = n;
    }
    free_all(list);
    printf("done\\n");
    return 0;
}
"""


def test_the_statement_that_uses_a_freed_node_is_named_once(play: Callable[..., Any]) -> None:
    session = play(FREE_ALL)
    session("break free_all\nrun\nnext 2")
    assert "after it was freed" not in session.texts()
    session("next")
    told = "n3 is used after it was freed, by line 8 in free_all: head = head->next;"
    assert told in session.texts()
    assert session("why n3")[0].text.endswith("freed at line 7; main::list still leads there")
    session("graph\nnext")
    assert session.texts().count("after it was freed") == 1
    session("back 2\nnext 2")  # the process and the model are as before
    assert session.places()["free_all::head"] == "n2"


def test_it_is_named_in_each_run(play: Callable[..., Any]) -> None:
    session = play(FREE_ALL)
    session("run")
    told = "n1, n2, n3 are used after they were freed, by line 8 in free_all: head = head->next;"
    assert session.texts().count(told) == 1
    session("run")
    assert session.texts().count(told) == 2


def test_why_tells_of_it_once_the_program_has_ended(play: Callable[..., Any]) -> None:
    session = play(FREE_ALL)
    session("break 20\nrun\ncontinue")
    assert session.last(results.Exited).code == 0
    [told] = session("why n3")
    assert told.text == "n3 was allocated at line 15; used after it was freed, at line 8 in free_all"
    with pytest.raises(CommandError, match="the program has ended"):
        session("why n9")


def test_it_is_repaired_by_a_saved_value(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(FREE_ALL)
    session(f"break free_all\nrun\nnext 4\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    binary = tmp_path / "out"
    source = (tmp_path / "out.c").read_text()
    assert "saved = head->next;" in source and "head = saved;" in source
    command = ["gcc", "-fsanitize=address", "-g", "-o", str(binary), str(tmp_path / "out.c")]
    subprocess.run(command, check=True)
    ran = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "done\n"), ran.stderr  # no use after free, no leak


STACK = """\
#include <stdio.h>
#include <stdlib.h>
struct elem { int num; struct elem *link; };
struct elem *top;
void push(int num)
{
    struct elem *e = malloc(sizeof *e);
    e->num = num;
    e->link = top;
    top = e;
}
int pop(void)
{
    struct elem *e = top;
    int num = e->num;
    free(e);
    return num;
}
int main(void)
{
    int sum = 0;
    for (int i = 1; i <= 3; i++)
        push(i);
    while (top != NULL)
        sum = 10 * sum + pop();
    printf("%d\\n", sum);
    return 0;
}
"""


def test_a_pointer_left_by_an_earlier_call_is_repaired_there(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(STACK)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "n3 is used after it was freed, by line 15 in pop: int num = e->num;" in session.texts()
    assert "n3 had been freed when pop began: the execution under repair begins in main" in session.texts()
    binary = tmp_path / "out"
    command = ["gcc", "-fsanitize=address", "-g", "-o", str(binary), str(tmp_path / "out.c")]
    subprocess.run(command, check=True)
    ran = subprocess.run([str(binary)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "321\n"), ran.stderr


def test_a_program_that_survives_it_is_told_at_its_end(play: Callable[..., Any]) -> None:
    session = play(
        STACK.replace("while (top != NULL)\n        sum", "for (int i = 0; i < 1; i++)\n        sum")
    )
    session("run")
    assert "is used after it was freed" not in session.texts()
    session = play(
        STACK.replace("while (top != NULL)", "for (int i = 0; i < 1; i++)").replace(
            "    printf", "    push(sum + top->num);\n    printf"
        )
    )
    session("run")
    told = "n3 is used after it was freed, by line 26 in main: push(sum + top->num);"
    assert session.texts().count(told) == 1
    assert session.last(results.Exited).code == 0


def test_nodes_used_by_one_statement_are_told_together(play: Callable[..., Any]) -> None:
    session = play(FREE_ALL)
    session("run")
    assert (
        "n1, n2, n3 are used after they were freed, by line 8 in free_all: head = head->next;"
        in session.texts()
    )


EARLY = """\
#include <stdio.h>
#include <stdlib.h>
struct heap { int key; struct heap *l, *r; };
struct heap *meld(struct heap *a, struct heap *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    a->r = meld(a->r, b);
    return a;
}
int pop(struct heap **top)
{
    struct heap *old = *top;
    int key = old->key;
    free(old);
    *top = meld(old->l, old->r);
    return key;
}
int main(void)
{
    struct heap *top = calloc(1, sizeof *top);
    top->key = 1;
    top->l = calloc(1, sizeof *top);
    top->l->key = 2;
    while (top != NULL)
        printf("%d ", pop(&top));
    return 0;
}
"""


def test_what_is_freed_too_early_is_freed_later(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(EARLY)
    session("run")
    assert session.output() == "1 2 "  # freed memory is kept
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    moved = EARLY.replace("    free(old);\n", "").replace("    return key", "    free(old);\n    return key")
    assert (tmp_path / "out.c").read_text() == moved


DROP = """\
#include <stdlib.h>
struct node { int val; struct node *next; };
struct node *head;
void push(int val)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->val = val;
    fresh->next = head;
    head = fresh;
}
void drop(void)
{
    struct node *first = head;
    free(first);
}
int main(void)
{
    push(1);
    push(2);
    drop();
    return 0;
}
"""


def test_a_repair_that_uses_what_was_freed_comes_last_and_says_so(play: Callable[..., Any]) -> None:
    session = play(DROP)
    session("break drop\nrun\nnext 2\nchange head n1\nspec\nrepair --no-question")
    doubt = "doubt: under the repair a node is used after it was freed"
    assert doubt not in session.texts()
    session("candidates")
    before, behind = re.findall(r"(\d+)  line 14: head = first->next", session.texts())  # the free
    session(f"accept {before}")
    assert doubt not in session.texts()
    session(f"accept {behind}")
    assert doubt in session.texts()


LEFT = """\
#include <stdlib.h>
struct cell { struct cell *right, *down; };
int main(void) {
    struct cell *row = calloc(1, sizeof *row);
    row->down = calloc(1, sizeof *row);
    if (row != NULL) {
        struct cell *before = row;
        row = row->right;
        free(before);
        before->right = NULL;
    }
    row = NULL;
    return 0;
}
"""


def test_what_only_a_freed_node_leads_to_is_lost_by_the_free(play: Callable[..., Played]) -> None:
    session = play(LEFT, json=False)
    session("break 9; run; next; why n2")
    assert session.texts().endswith("lost since line 9 in main: free(before);")
    session("run; clear 9; break 13; run; why n2")
    assert session.texts().endswith("lost since line 9 in main: free(before);")


TWICE = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static void drop(struct node *p) {
    free(p);
}
int main(void) {
    struct node *n = calloc(1, sizeof *n);
    drop(n);
    n->v = 3;
    drop(n);
    return 0;
}
"""


def test_what_led_to_a_double_free_is_told_with_it_above_the_picture(play: Callable[..., Any]) -> None:
    session = play(TWICE)
    told = [each for each in session("run") if isinstance(each, (results.Note, results.Graph))]
    assert [getattr(each, "text", "picture") for each in told] == [
        "double free of n1: it was freed at line 4 in drop",
        "n1 is used after it was freed, by line 9 in main: n->v = 3;",
        "picture",
    ]


CLEARED = """\
#include <stdlib.h>
struct coat { int number; struct coat *behind; };
static struct coat *first;
static void hang(int number)
{
    struct coat *c = malloc(sizeof *c);
    c->number = number;
    c->behind = first;
    first = c;
}
static void clear(void)
{
    while (first != NULL) {
        struct coat *c = first;
        free(c);
    }
}
int main(void)
{
    hang(1);
    hang(2);
    clear();
    return 0;
}
"""


def test_behind_a_double_free_no_repair_uses_what_was_freed(play: Callable[..., Played]) -> None:
    session = play(CLEARED, json=False)
    session("run; repair --no-question; candidates")
    assert "line 15: first = first->behind;" in session.texts()
    assert "behind `free(c);`" not in session.texts()


RANKS = """\
#include <stdio.h>
#include <stdlib.h>
struct rank { int points; struct rank *lower; };
static struct rank *best;
static int many;
static struct rank **place_of(int points)
{
    struct rank **at = &best;
    while (*at != NULL && (*at)->points > points)
        at = &(*at)->lower;
    return at;
}
static void drop_last(void)
{
    struct rank **at = &best;
    while ((*at)->lower != NULL)
        at = &(*at)->lower;
    free(*at);
    *at = NULL;
    many--;
}
static void enter(int points)
{
    struct rank **at = place_of(points), *made;
    if (many == 3)
        drop_last();
    made = malloc(sizeof *made);
    made->points = points;
    made->lower = *at;
    *at = made;
    many++;
}
int main(void)
{
    int given[] = {5, 9, 7, 3, 8};
    for (int i = 0; i < 5; i++)
        enter(given[i]);
    for (struct rank *r = best; r != NULL; r = r->lower)
        printf("%d ", r->points);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_call_whose_answer_is_stale_is_made_again(play: Callable[..., Any]) -> None:
    session = play(RANKS)
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "at = place_of(points);")


BOOKS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct book { char *title; int year; struct book *next; };
static struct book *shelf;
static struct book *book(const char *title, int year, struct book *next)
{
    struct book *b = malloc(sizeof *b);
    b->title = strdup(title);
    b->year = year;
    b->next = next;
    return b;
}
static struct book *duplicate(const struct book *b)
{
    struct book *d = malloc(sizeof *d);
    COPIED
    d->next = NULL;
    return d;
}
static void discard(struct book *b)
{
    free(b->title);
    free(b);
}
int main(void)
{
    shelf = book("Emma", 1815, book("Ulysses", 1922, NULL));
    struct book *lent = duplicate(shelf);
    printf("%s %d\\n", lent->title, lent->year);
    discard(lent);
    while (shelf != NULL) {
        struct book *next = shelf->next;
        printf("%s\\n", shelf->title);
        discard(shelf);
        shelf = next;
    }
    return 0;
}
"""


@pytest.mark.parametrize(
    ("copied", "kind", "line", "after"),
    [
        pytest.param(
            "d->title = b->title; d->year = b->year;",
            "change",
            17,
            "d->title = strdup(b->title)",
            marks=pytest.mark.thorough,
        ),
        pytest.param("*d = *b;", "insert", 18, "d->title = strdup(", marks=pytest.mark.thorough),
    ],
)
def test_a_string_that_two_hold_and_free_is_copied(
    copied: str, kind: str, line: int, after: str, play: Callable[..., Any]
) -> None:
    session = play(BOOKS.replace("COPIED", copied))
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after[: len(after)]) == (kind, after)
    assert abs(edit.line - line) <= 1


STRUCK = """\
#include <stdlib.h>
#include <string.h>
struct guest { char *name; struct guest *next; };
static struct guest *party;
static void invite(const char *name)
{
    struct guest *g = malloc(sizeof *g);
    g->name = strdup(name);
    g->next = party;
    party = g;
}
static void strike(const char *name)
{
    struct guest **at = &party, *g = party;
    while (g != NULL) {
        if (strcmp(g->name, name) == 0) {
            *at = g->next;
            free(g->name);
            free(g);
        } else {
            at = &g->next;
            g = g->next;
        }
    }
}
int main(void)
{
    invite("Ann");
    invite("Bob");
    strike("Ann");
    strike("Bob");
    return party != NULL;
}
"""


@pytest.mark.thorough
def test_the_execution_ends_in_front_of_the_condition_whose_call_uses_it(play: Callable[..., Any]) -> None:
    session = play(STRUCK)
    session("run\nrepair --no-question")
    assert "ends at line 16 in strike, where it first does what C forbids" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert edit.line in range(17, 20)


# The node stays linked on the lowest level.  Otherwise `build` would never have put it there.
EXPRESS = """\
#include <stdio.h>
#include <stdlib.h>
#define HIGH 3
struct stop { int at; int high; struct stop *next[HIGH]; };
struct line { struct stop start; int made; };
static struct stop *find(struct line *l, int at, struct stop **before)
{
    struct stop *s = &l->start;
    int i;
    for (i = HIGH - 1; i >= 0; i--) {
        while (s->next[i] != NULL && s->next[i]->at < at)
            s = s->next[i];
        before[i] = s;
    }
    s = s->next[0];
    return s != NULL && s->at == at ? s : NULL;
}
static void build(struct line *l, int at)
{
    struct stop *before[HIGH], *s;
    int i;
    if (find(l, at, before) != NULL)
        return;
    s = malloc(sizeof(*s));
    s->at = at;
    l->made++;
    s->high = l->made % 2 == 0 ? 2 : 1;
    for (i = 0; i < HIGH; i++)
        s->next[i] = NULL;
    for (i = 0; i < s->high; i++) {
        s->next[i] = before[i]->next[i];
        before[i]->next[i] = s;
    }
}
static void close_down(struct line *l, int at)
{
    struct stop *before[HIGH], *s;
    int i;
    s = find(l, at, before);
    if (s == NULL)
        return;
    for (i = s->high - 1; i > 0; i--)
        before[i]->next[i] = s->next[i];
    free(s);
}
int main(void)
{
    struct line l = {{0}};
    struct stop *unused[HIGH];
    build(&l, 4);
    build(&l, 7);
    build(&l, 2);
    close_down(&l, 7);
    printf("%d\\n", find(&l, 9, unused) != NULL);
    while (l.start.next[0] != NULL)
        close_down(&l, l.start.next[0]->at);
    return 0;
}
"""


@pytest.mark.thorough
def test_where_a_linked_node_was_freed_comes_before_a_statement_moved_elsewhere(
    play: Callable[..., Any],
) -> None:
    session = play(EXPRESS, work=None)
    session("run")
    [found] = [e for e in session("repair --no-question") if isinstance(e, results.Repaired)]
    assert [(edit.line, edit.after) for edit in found.edits] == [(42, "i >= 0")]


LANES = """\
#include <stdlib.h>
struct car { int plate; char *owner; struct car *next[2]; };
static struct car road[1];
static void scrap(struct car *c)
{
    free(c->owner);
    free(c);
}
static void enter(int plate)
{
    struct car *c = malloc(sizeof *c);
    c->plate = plate;
    c->owner = malloc(8);
    for (int lane = 0; lane < 2; lane++) {
        c->next[lane] = road->next[lane];
        road->next[lane] = c;
    }
}
static void leave(void)
{
    struct car *first = road->next[0];
    for (int lane = 0; lane < 2; lane++) {
        road->next[lane] = first->next[lane];
        scrap(first);
    }
}
int main(void)
{
    enter(4);
    enter(7);
    leave();
    leave();
    return road->next[0] != NULL;
}
"""


def test_what_frees_in_a_loop_does_so_behind_it(play: Callable[..., Any]) -> None:
    session = play(LANES)
    session("run\nrepair --no-question")
    edits = session.last(results.Repaired).edits
    assert [(edit.kind, edit.before or edit.after) for edit in edits] == [
        ("delete", "scrap(first)"),
        ("insert", "scrap(first);"),
    ]


JOBS = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int weight; struct job *after; };
static struct job *first, *last;
static void add(int weight)
{
    struct job *made = malloc(sizeof *made);
    made->weight = weight;
    made->after = NULL;
    if (first == NULL) {
        first = last = made;
    } else if (last->weight <= weight) {
        last->after = made;
        last = made;
    } else {
        made->after = first;
        first = made;
    }
}
static void strike(int weight)
{
    if (first->weight == weight) {
        struct job *gone = first;
        first = first->after;
        if (first == NULL)
            last = NULL;
        free(gone);
        return;
    }
    struct job *before = first, *at = first->after;
    while (at != NULL) {
        if (at->weight == weight) {
            before->after = at->after;
            free(at);
            break;
        }
        before = at;
        at = at->after;
    }
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int weight = atoi(argv[i]);
        if (weight < 0)
            strike(-weight);
        else
            add(weight);
    }
    for (struct job *at = first; at != NULL; at = at->after)
        printf("%d\\n", at->weight);
    while (first != NULL) {
        struct job *gone = first;
        first = first->after;
        free(gone);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_what_forgot_a_freed_node_is_repaired_beside_what_was_accepted(play: Callable[..., Any]) -> None:
    session = play(JOBS, arguments=("-3", "5", "8", "-8", "9"))
    session("run\nrepair --no-question\ncontinue\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "if (at == last) last = before;"
    assert 32 <= edit.line <= 36


LAST_OF_ITS_BLOCK = """\
#include <stdlib.h>
int main(void)
{
    int *kept = malloc(sizeof *kept);
    for (int turn = 0; turn < 2; turn++) {
        int *gone = kept;
        free(gone);
    }
    return 0;
}
"""


def test_what_a_block_has_is_in_view_at_a_crash_in_its_last_call(play: Callable[..., Any]) -> None:
    """The call returns behind the block, in which the statement stands all the same."""
    session = play(LAST_OF_ITS_BLOCK)
    session("run\ngraph gone")  # which raises where there is no such variable
    assert session.line() == LAST_OF_ITS_BLOCK[: LAST_OF_ITS_BLOCK.index("free(")].count("\n") + 1
