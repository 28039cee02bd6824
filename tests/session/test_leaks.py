"""Nodes that are lost and never freed: `repair` goes back to where the first of them was lost."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import sanitized

from wolverine.errors import CommandError
from wolverine.session import results

SUMS = """\
#include <stdlib.h>
struct digit { int d; struct digit *next; };
static struct digit *cons(int d, struct digit *next)
{
    struct digit *n = malloc(sizeof *n);
    n->d = d;
    n->next = next;
    return n;
}
static struct digit *longer(struct digit *a)
{
    return a == NULL ? cons(0, NULL) : cons(a->d + 1, longer(a->next));
}
static void destroy(struct digit *n)
{
    while (n != NULL) {
        struct digit *t = n;
        n = n->next;
        free(t);
    }
}
int main(void)
{
    struct digit *sum = cons(7, NULL), *t;
    for (int i = 0; i < 4; i++) {
        t = longer(sum);
        sum = t;
    }
    destroy(sum);
    return 0;
}
"""


def test_what_the_function_loses_later_is_to_be_freed_as_well(play: Callable[..., Played]) -> None:
    session = play(SUMS)
    session("run\nrepair --no-question")
    assert "n1 is lost at line 27 in main, and n2, n3; n4, n5, n6 later on" in session.texts()
    (edit,) = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (27, "destroy(sum);")
    before = session.texts()
    session("continue")
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()[len(before) :]


BANK = """\
#include <stdlib.h>
#include <string.h>
struct customer { char *name; struct customer *next; };
struct entry { int amount; struct entry *below; };
static struct customer *waiting;
static struct entry *top;
static void arrive(const char *name)
{
    struct customer *c = malloc(sizeof *c);
    c->name = malloc(strlen(name) + 1);
    strcpy(c->name, name);
    c->next = waiting;
    waiting = c;
}
static int serve(void)
{
    struct customer *c = waiting;
    if (c == NULL)
        return 0;
    waiting = c->next;
    struct entry *e = malloc(sizeof *e);
    e->amount = strlen(c->name);
    e->below = top;
    top = e;
    free(c->name);
    return 1;
}
static int undo(void)
{
    struct entry *e = top;
    free(e);
    top = e->below;
    return top != NULL;
}
int main(void)
{
    arrive("Ann");
    arrive("Bob");
    while (serve())
        ;
    while (undo())
        ;
    return 0;
}
"""


def test_what_a_returning_function_loses_is_freed_beside_what_was_repaired_before(
    play: Callable[..., Played],
) -> None:
    session = play(BANK)
    session("run\nrepair --no-question\ncontinue")
    first = session.last(results.Repaired)
    assert {each.line for each in first.edits} == {31, 33}
    assert session.last(results.Exited).code == 0
    session("repair --no-question")
    assert "n3 is lost where serve returns (line 27)" in session.texts()
    second = session.last(results.Repaired)
    (edit,) = second.edits
    assert edit.after == "free(c);"
    assert "+    top = e->below;" in second.patch
    before = session.texts()
    session("continue")
    assert "never freed" not in session.texts()[len(before) :]


DROPPED = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int v; char *label; struct item *next; };
struct list { struct item *head; int count; };
static struct list all;
static void add(int v)
{
    struct item *n = malloc(sizeof *n);
    n->v = v;
    n->label = malloc(2);
    n->next = all.head;
    all.head = n;
}
static void relabel(void)
{
    struct item *n = all.head;
    n->label = malloc(3);
}
static void drop(struct list *l)
{
    struct item **at = &l->head;
    free((*at)->label);
    *at = (*at)->next;
}
static int pop(void)
{
    struct item *n = all.head;
    all.head = n->next;
    free(n->label);
    return n->v;
}
int main(void)
{
    int v;
    while (scanf("%d", &v) == 1)
        add(v);
    LOSING;
    while (all.head != NULL) {
        struct item *n = all.head;
        all.head = n->next;
        free(n->label);
        free(n);
    }
    return 0;
}
"""


@pytest.fixture
def losing(play: Callable[..., Played], tmp_path: Path) -> Callable[..., Played]:
    """A session on a program that reads four numbers, makes a list, and loses a node by a statement."""

    def start(statement: str, returned: str = "n->v") -> Played:
        numbers = tmp_path / "numbers"
        numbers.write_text("3 4 5 6\n")
        source = DROPPED.replace("LOSING", statement).replace("return n->v;", f"return {returned};")
        return play(source, stdin=numbers)

    return start


@pytest.mark.parametrize(
    ("statement", "inserted"),
    [
        ("relabel()", [(17, "free(n->label);")]),
        ("drop(&all)", [(23, "struct item *saved = *at;"), (23, "free(saved);")]),
        ("pop()", [(28, "int result = n->v;"), (30, "free(n);"), (30, "result")]),
    ],
)
def test_it_is_freed_where_it_was_lost(
    losing: Callable[[str], Played], statement: str, inserted: list[tuple[int, str]]
) -> None:
    session = losing(statement)
    session("run\nrepair --no-question")
    assert [(each.line, each.after) for each in session.last(results.Repaired).edits] == inserted
    before = session.texts()
    session("continue")
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()[len(before) :]


def test_where_no_edit_fits_it_is_said_what_to_do(losing: Callable[..., Played]) -> None:
    session = losing("pop()", "n->v + all.count")
    session("run")
    told = r"no repair: no edit fits; n7 is lost at line 31 in pop: stop where n7 is to be freed \(`break"
    with pytest.raises(CommandError, match=told):
        session("repair --no-question")
    with pytest.raises(CommandError, match="the program has ended"):
        session("next")


def test_a_program_that_frees_nothing_has_just_ended(play: Callable[..., Played]) -> None:
    session = play(SUMS.replace("free(t)", "t->d = 0"))
    session("run")
    with pytest.raises(CommandError, match=r"the program has ended; .*`start` runs it anew"):
        session("repair --no-question")


def test_what_can_be_reached_in_the_end_is_freed_at_the_end(play: Callable[..., Played]) -> None:
    session = play(SUMS.replace("i < 4", "i < 0").replace("    destroy(sum);\n", ""))
    session("run; repair --no-question")
    assert "+    destroy(sum);\n     return 0;" in session.last(results.Repaired).patch


@pytest.mark.thorough
def test_a_node_that_was_linked_where_it_is_lost_was_not_to_be_dropped(play: Callable[..., Played]) -> None:
    swapped = "t = sum;\n        sum = longer(sum);\n        t->next = NULL;"
    session = play(SUMS.replace("t = longer(sum);\n        sum = t;", swapped))
    session("run; repair --no-question")
    before = session.texts()
    assert "never freed: the execution under repair ends where the program does" in before
    session("continue")
    assert "never freed" not in session.texts()[len(before) :]


BEHIND = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int n; struct cell *next; };
int take(struct cell **first)
{
    struct cell *gone = *first;
    int n = gone->n;
    *first = gone->next;
    return n;
    free(gone);
}
int main(void)
{
    struct cell *first = malloc(sizeof *first);
    first->n = 3;
    first->next = NULL;
    printf("%d", take(&first));
    return 0;
}
"""


def test_a_free_behind_the_return_is_none(play: Callable[..., Played]) -> None:
    """Of what is never come to gcc makes no code, and the function ends all the same."""
    session = play(BEHIND)
    session("run\nrepair --no-question")
    assert "n1 is lost where take returns (line 11)" in session.texts()
    assert "+    free(gone);" in session.last(results.Repaired).patch
    session("continue")
    assert session.output().endswith("3")


NAMES = """\
#include <stdlib.h>
struct item { char *name; struct item *next; };
struct list { struct item *first; };
static void push(struct list *l)
{
    struct item *i = malloc(sizeof *i);
    i->name = malloc(2);
    i->next = l->first;
    l->first = i;
}
static void pop(struct list *l)
{
    struct item *i = l->first;
    l->first = i->next;
    free(i->name);
}
static void destroy(struct list *l)
{
    free(l);
}
int main(void)
{
    struct list *l = malloc(sizeof *l), *m = malloc(sizeof *m);
    l->first = m->first = NULL;
    for (int i = 0; i < 2; i++) {
        push(l);
        push(m);
    }
    destroy(l);
    pop(m);
    destroy(m);
    return 0;
}
"""
ITEMS = """\
+    while (l->first != NULL) {
+        struct item *rest = l->first->next;
+        free(l->first->name);
+        free(l->first);
+        l->first = rest;
+    }
"""


def test_a_list_is_freed_where_its_holder_is_and_so_it_stays(play: Callable[..., Played]) -> None:
    session = play(NAMES)
    session("run; repair --no-question")
    assert ITEMS in session.last(results.Repaired).patch
    session("continue; repair --no-question")
    assert "+    free(i);\n" in session.last(results.Repaired).patch
    assert ITEMS in session.last(results.Repaired).patch
    before = session.texts()
    session("continue")
    assert "never freed" not in session.texts()[len(before) :]


STACK = """\
#include <stdio.h>
#include <stdlib.h>
struct frame { int n; struct frame *under; };
struct stack { struct frame *top; };
static void push(struct stack *s, int n)
{
    struct frame *f = malloc(sizeof *f);
    f->n = n;
    f->under = s->top;
    s->top = f;
}
static int pop(struct stack *s)
{
    struct frame *f = s->top;
    int n = f->n;
    s->top = f->under;
    free(f);
    return n;
}
int main(void)
{
    struct stack s = { NULL };
    for (int i = 0; i < 3; i++)
        push(&s, i);
    printf("%d", pop(&s));
    free(s.top);
    return 0;
}
"""


@pytest.mark.parametrize("freed", ["    free(s.top);\n", ""])
def test_a_list_of_which_one_node_is_freed_or_none_is_freed_as_a_whole(
    freed: str, play: Callable[..., Played]
) -> None:
    session = play(STACK.replace("    free(s.top);\n", freed))
    session("run; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "while (s.top != NULL) {\n+        struct frame *rest = s.top->under;\n" in patch
    before = session.texts()
    session("continue")
    assert "never freed" not in session.texts()[len(before) :]


NEEDLESS = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *first;
static void append(int v)
{
    struct node *n = calloc(1, sizeof *n);
    n->v = v;
    if (first == NULL) {
        first = n;
    } else {
        struct node *at = (struct node *)malloc(sizeof(struct node));
        at = first;
        while (1) {
            if (at->next == NULL) {
                at->next = n;
                break;
            }
            at = at->next;
        }
    }
}
int main(void)
{
    append(1);
    append(2);
    while (first != NULL) {
        struct node *rest = first->next;
        printf("%d ", first->v);
        free(first);
        first = rest;
    }
    return 0;
}
"""


def test_a_node_that_nobody_uses_is_not_made(play: Callable[..., Played]) -> None:
    session = play(NEEDLESS)
    session("run\nrepair --no-question")
    patch = session.last(results.Repaired).patch
    assert (
        "-        struct node *at = (struct node *)malloc(sizeof(struct node));\n+        struct node *at;"
        in patch
    )
    session("continue")
    assert session.last(results.Exited).code == 0


HELD = """\
#include <stdlib.h>
struct book { int no; struct book *next; };
struct member { struct book *books; struct member *next; };
static struct member *members;
static void join(void)
{
    struct member *m = calloc(1, sizeof *m);
    m->next = members;
    members = m;
}
static void borrow(struct member *m, int no)
{
    struct book *b = malloc(sizeof *b);
    b->no = no;
    b->next = m->books;
    m->books = b;
}
static void give_back(struct member *m)
{
    struct book *b = m->books;
    m->books = b->next;
    free(b);
}
static void leave(void)
{
    struct member *m = members;
    members = m->next;
    free(m);
}
int main(void)
{
    join();
    borrow(members, 1);
    join();
    borrow(members, 2);
    borrow(members, 3);
    give_back(members);
    while (members != NULL)
        leave();
    return 0;
}
"""


def test_what_only_a_freed_node_of_another_kind_held_goes_with_it(play: Callable[..., Played]) -> None:
    session = play(HELD)
    session("run\nrepair --no-question")
    assert "+    while (m->books != NULL) {" in session.last(results.Repaired).patch


# Who moves a node to the front forgets to say so; who parts a list forgets the second half.
MOVING = """\
#include <stdlib.h>
struct cell { int n; struct cell *next; };
static void front(struct cell **all, int n)
{
    struct cell *before = *all, *at = before->next;
    while (at != NULL) {
        if (at->n == n) {
            before->next = at->next;
            at->next = *all;
            *all = at;
            at = before;
        } else
            before = at;
        at = at->next;
    }
}
static struct cell *parted(struct cell *at, int n)
{
    struct cell *few = NULL, *last = NULL, *many = NULL, *end = NULL;
    for (; at != NULL; at = at->next) {
        if (at->n < n) {
            if (few == NULL)
                few = at;
            else
                last->next = at;
            last = at;
        } else {
            if (many == NULL)
                many = at;
            else
                end->next = at;
            end = at;
        }
    }
    if (end != NULL)
        end->next = NULL;
    if (few == NULL)
        return many;
    last->next = many;
    return few;
}
int main(void)
{
    struct cell *all = NULL, *at;
    for (int i = 0; i < 5; i++) {
        at = malloc(sizeof *at);
        at->n = i;
        at->next = all;
        all = at;
    }
    front(&all, 2);
    all = parted(all, 3);
    for (at = all; at != NULL; at = all) {
        all = at->next;
        free(at);
    }
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("forgotten", "line"),
    [("*all = at;", 10), ("last->next = many;", 39)],
)
def test_a_link_that_is_forgotten_among_others_is_set(
    forgotten: str, line: int, play: Callable[..., Played]
) -> None:
    session = play(MOVING.replace(forgotten, ";"))
    session("run; repair --no-question")
    assert [(each.line, each.after) for each in session.last(results.Repaired).edits] == [(line, forgotten)]


# Who joins two queues forgets to move the rear: what comes next is put in front of what was joined.
JOINED = """\
#include <stdlib.h>
struct one { int n; struct one *next; };
struct queue { struct one *front, *rear; };
static struct queue some, more;
static void come(struct queue *q, int n)
{
    struct one *p = malloc(sizeof *p);
    p->n = n;
    p->next = NULL;
    if (q->front == NULL)
        q->front = p;
    else
        q->rear->next = p;
    q->rear = p;
}
static void join(struct queue *to, struct queue *from)
{
    if (from->front == NULL)
        return;
    if (to->front == NULL)
        to->front = from->front;
    else
        to->rear->next = from->front;
    from->front = from->rear = NULL;
}
int main(void)
{
    struct one *p;
    come(&some, 1);
    come(&more, 2);
    come(&more, 3);
    join(&some, &more);
    come(&some, 4);
    while ((p = some.front) != NULL) {
        some.front = p->next;
        free(p);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_a_rear_that_lags_behind_is_moved_where_that_began(play: Callable[..., Played]) -> None:
    session = play(JOINED)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "to->rear = from->rear;"


# What is handed to a function that leads it on to others is to be put in there.
HANDED = """\
#include <stdlib.h>
struct cell { int n; struct cell *next; };
static struct cell *made(int n, struct cell *next)
{
    struct cell *c = malloc(sizeof *c);
    c->n = n;
    c->next = next;
    return c;
}
static void put_in(struct cell **all, struct cell *one)
{
    while (*all != NULL && (*all)->n < one->n)
        all = &(*all)->next;
    one->next = *all;
}
int main(void)
{
    struct cell *row = made(3, made(1, made(2, NULL))), *sorted = made(9, NULL), *c;
    while (row != NULL) {
        struct cell *rest = row->next;
        put_in(&sorted, row);
        row = rest;
    }
    while ((c = sorted) != NULL) {
        sorted = c->next;
        free(c);
    }
    return 0;
}
"""


def test_what_a_function_is_handed_to_put_in_is_put_in(play: Callable[..., Played]) -> None:
    session = play(HANDED)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (14, "*all = one;")


# What frees a node and goes on to the next one was to do so as long as there is one.
CUT = """\
#include <stdlib.h>
struct link { int n; struct link *behind; };
static void shorten(struct link *l, int most)
{
    while (l != NULL && --most > 0)
        l = l->behind;
    if (l != NULL) {
        struct link *rest = l->behind;
        if (rest) {
            struct link *gone = rest;
            rest = rest->behind;
            free(gone);
        }
        l->behind = NULL;
    }
}
int main(void)
{
    struct link *all = NULL;
    for (int i = 0; i < 5; i++) {
        struct link *l = malloc(sizeof *l);
        l->n = i;
        l->behind = all;
        all = l;
    }
    shorten(all, 2);
    shorten(all, 0);
    free(all);
    return 0;
}
"""


def test_what_frees_one_and_goes_on_frees_all(play: Callable[..., Played]) -> None:
    session = play(CUT)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (9, "while (rest)")


# What makes nodes elsewhere has taken one out here: both arms do, so it is freed behind them.
TAKEN_OUT = """\
#include <stdlib.h>
struct tally { int key, count; struct tally *next; };
static void add(struct tally **all, int key, int count)
{
    struct tally *before = NULL, *at = *all;
    while (at != NULL && at->key < key) {
        before = at;
        at = at->next;
    }
    if (at != NULL && at->key == key) {
        at->count += count;
        if (at->count == 0) {
            if (before == NULL)
                *all = at->next;
            else
                before->next = at->next;
        }
        return;
    }
    struct tally *made = malloc(sizeof *made);
    made->key = key;
    made->count = count;
    made->next = at;
    if (before == NULL)
        *all = made;
    else
        before->next = made;
}
int main(void)
{
    struct tally *all = NULL, *rest;
    add(&all, 4, 1);
    add(&all, 7, 2);
    add(&all, 7, -2);
    for (; all != NULL; all = rest) {
        rest = all->next;
        free(all);
    }
    return 0;
}
"""


def test_what_is_taken_out_is_freed_though_other_ways_make_nodes(play: Callable[..., Played]) -> None:
    session = play(TAKEN_OUT)
    session("run; repair --no-question")
    repaired = session.last(results.Repaired)
    [edit] = repaired.edits
    assert (edit.line, edit.after) == (16, "free(at);")
    assert "else {" not in repaired.patch


WRAPPED = """\
#include <stdlib.h>
struct letter { int id; };
struct tray { struct letter *letter; struct tray *below; };
struct desk { struct tray *top; int used; };
static void lay(struct desk *desk, int id)
{
    struct tray *tray = malloc(sizeof *tray);
    tray->letter = malloc(sizeof *tray->letter);
    tray->letter->id = id;
    tray->below = desk->top;
    desk->top = tray;
    desk->used++;
}
static struct letter *take(struct desk *desk)
{
    struct tray *tray = desk->top;
    struct letter *letter;
    if (tray == NULL)
        return NULL;
    letter = tray->letter;
    desk->top = tray->below;
    desk->used--;
    return letter;
}
int main(void)
{
    struct desk desk = { NULL, 0 };
    struct letter *letter;
    for (int i = 0; i < 4; i++)
        lay(&desk, i);
    while ((letter = take(&desk)) != NULL)
        free(letter);
    return 0;
}
"""


def test_what_is_lost_is_freed_though_nothing_like_it_ever_is(play: Callable[..., Played]) -> None:
    """Where the program frees its other nodes, and would else have to make none."""
    session = play(WRAPPED)
    session("run; repair --no-question; continue")
    (edit,) = session.last(results.Repaired).edits
    assert edit.after == "free(tray);" and 19 <= edit.line <= 22
    assert session.last(results.Exited).code == 0


SHELVES = """\
#include <stdlib.h>
struct book { int year; struct book *next; };
struct shelf { int number; struct book *books; struct shelf *next; };
static struct shelf *shelves;
static void put(int number, int year)
{
    struct shelf *s = shelves;
    struct book *b = malloc(sizeof *b);
    while (s != NULL && s->number != number)
        s = s->next;
    if (s == NULL) {
        s = malloc(sizeof *s);
        s->number = number;
        s->books = NULL;
        s->next = shelves;
        shelves = s;
    }
    b->year = year;
    b->next = s->books;
    s->books = b;
}
static void clear(int number)
{
    struct shelf **at = &shelves, *gone;
    while (*at != NULL && (*at)->number != number)
        at = &(*at)->next;
    gone = *at;
    if (gone == NULL)
        return;
    *at = gone->next;
    free(gone->books);
    free(gone);
}
int main(void)
{
    for (int i = 0; i < 7; i++)
        put(i % 2, 1990 + i);
    clear(1);
    clear(5);
    clear(0);
    return 0;
}
"""


@pytest.mark.thorough
def test_where_the_holder_of_a_list_goes_all_of_the_list_goes(play: Callable[..., Played]) -> None:
    """Though other lists like it are there yet."""
    session = play(SHELVES)
    session("run; repair --no-question; continue")
    assert "while (gone->books != NULL) {" in session.last(results.Repaired).patch
    assert "-    free(gone->books);" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 0


BOOKS = """\
#include <stdio.h>
#include <stdlib.h>
struct book { int isbn; struct book *before, *after; };
static struct book *book(int isbn)
{
    struct book *b = malloc(sizeof *b);
    b->isbn = isbn;
    b->before = b->after = NULL;
    return b;
}
static void add(struct book **root, int isbn)
{
    struct book *b = book(isbn);
    struct book *at = *root;
    if (at == NULL) {
        *root = b;
        return;
    }
    for (;;) {
        if (b->isbn < at->isbn) {
            if (at->before == NULL) {
                at->before = b;
                return;
            }
            at = at->before;
        } else if (b->isbn > at->isbn) {
            if (at->after == NULL) {
                at->after = b;
                return;
            }
            at = at->after;
        } else {
            return;
        }
    }
}
static void clear(struct book *at)
{
    if (at == NULL)
        return;
    clear(at->before);
    clear(at->after);
    printf("%d ", at->isbn);
    free(at);
}
int main(void)
{
    struct book *root = NULL;
    add(&root, 5);
    add(&root, 3);
    add(&root, 5);
    add(&root, 8);
    add(&root, 3);
    clear(root);
    return 0;
}
"""


def test_what_is_made_for_a_key_that_is_there_is_freed(play: Callable[..., Played]) -> None:
    session = play(BOOKS)
    session("run\nrepair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.after == "free(b);"
    assert edit.line == BOOKS.splitlines().index("        } else {") + 2


def test_what_a_declaration_loses_in_a_new_round_is_lost_at_its_line(play: Callable[..., Played]) -> None:
    """No instruction of its own ends the variable of a block: the round that declares it anew does."""
    given = SUMS.replace("NULL), *t;", "NULL);").replace(
        "        t = longer", "        struct digit *t = longer"
    )
    session = play(given.replace("        sum = t;\n", "        sum->d = t->d;\n"))
    session("run\nrepair --no-question")
    assert "lost at line 26 in main" in session.texts()


SHED = """\
#include <stdlib.h>
struct twig { int leaves; struct twig *left, *right; };
static struct twig *grow(int leaves, struct twig *left, struct twig *right)
{
    struct twig *t = malloc(sizeof *t);
    t->leaves = leaves;
    t->left = left;
    t->right = right;
    return t;
}
static struct twig *shed(struct twig *t, int most)
{
    if (t == NULL)
        return NULL;
    t->left = shed(t->left, most);
    t->right = shed(t->right, most);
    if (t->leaves <= most)
        t->leaves = 0;
    if (t->leaves == 0 && t->left == NULL && t->right == NULL) {
        return NULL;
    }
    return t;
}
static void fell(struct twig *t)
{
    if (t == NULL)
        return;
    fell(t->left);
    fell(t->right);
    free(t);
}
int main(void)
{
    struct twig *t = grow(3, grow(1, NULL, grow(4, NULL, NULL)), grow(2, NULL, NULL));
    t = shed(t, 2);
    fell(t);
    return 0;
}
"""


def test_what_is_given_back_as_gone_is_freed(play: Callable[..., Played]) -> None:
    """Rather than given back all the same, by which the test for it would be for nothing."""
    session = play(SHED)
    session("run; repair --no-question; continue")
    (edit,) = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (20, "free(t);")
    assert session.last(results.Exited).code == 0


SHOWN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct page { int number; struct page *next; };
static void add(struct page **book, int number)
{
    struct page *p = malloc(sizeof *p);
    p->number = number;
    p->next = *book;
    *book = p;
}
static void burn(struct page **book)
{
    while (*book != NULL) {
        struct page *p = *book;
        *book = p->next;
        free(p);
    }
}
int main(int argc, char **argv)
{
    struct page *book = NULL;
    for (int i = 1; i < argc; i++)
        add(&book, atoi(argv[i]));
    while (book != NULL) {
        printf("%d ", book->number);
        book = book->next;
    }
    burn(&book);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_is_printed_does_not_go_with_the_leak(play: Callable[..., Played], tmp_path: Path) -> None:
    """To free all as soon as it is made loses nothing, but there is nothing left to print then."""
    session = play(SHOWN, arguments=("4", "2", "7"))
    session(f"run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    mended = sanitized(tmp_path / "out.c")
    for arguments, output in (("4 2 7", "7 2 4 "), ("5", "5 "), ("", "")):
        ran = subprocess.run([mended, *arguments.split()], check=True, capture_output=True, text=True)
        assert ran.stdout == output  # a leak is an error
