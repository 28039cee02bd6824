"""What C forbids and the process survives: told with the statement, and `repair` begins there."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import results

SMALL = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct person { int id; char name[24]; struct person *next; } *person_ptr;
person_ptr make(int id, const char *name)
{
    person_ptr p = malloc(sizeof(person_ptr));
    p->id = id;
    strcpy(p->name, name);
    p->next = NULL;
    return p;
}
int main(void)
{
    person_ptr first = make(1, "Ada");
    first->next = make(2, "Alonzo Church");
    printf("%s %s\\n", first->name, first->next->name);
    return 0;
}
"""
UNSET = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct tree { int key; struct tree *l, *r; } tree;
void put(tree **t, int key)
{
    if (*t == NULL) {
        *t = calloc(1, sizeof **t);
        (*t)->key = key;
        return;
    }
    put(key < (*t)->key ? &(*t)->l : &(*t)->r, key);
}
int main(void)
{
    tree *root;
    put(&root, 5);
    put(&root, 3);
    printf("%d %d\\n", root->key, root->l->key);
    return 0;
}
"""
TWICE = """\
#include <stdio.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *push(struct n *h, int v)
{
    struct n *x = malloc(sizeof *x);
    x->v = v;
    x->next = h;
    return x;
}
void free_all(struct n *h)
{
    while (h != NULL) {
        free(h);
        h = h->next;
    }
}
struct n *without(struct n *h, int v)
{
    struct n *p = h, *prev = NULL;
    while (p != NULL) {
        if (p->v == v) {
            if (prev == NULL)
                h = p->next;
            else
                prev->next = p->next;
            free(p);
        } else
            prev = p;
        p = p->next;
    }
    return h;
}
int main(void)
{
    struct n *h = NULL;
    for (int i = 0; i < 4; i++)
        h = push(h, i % 2);
    h = without(h, 1);
    for (struct n *p = h; p; p = p->next)
        printf("%d ", p->v);
    free_all(h);
    return 0;
}
"""


def clean(source: Path, binary: Path) -> str:
    """What the program prints, compiled with the address sanitizer."""
    command = ["gcc", "-w", "-g", "-fsanitize=address,undefined", "-o", str(binary), str(source)]
    subprocess.run(command, check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    ran = subprocess.run([binary], capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert "runtime error" not in ran.stderr
    return ran.stdout


def test_a_node_that_is_too_small(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(SMALL)
    session("run")
    assert "lies outside n1, which has 8 bytes, by line 10 in make: p->next = NULL;" in session.texts()
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    fixed = SMALL.replace("malloc(sizeof(person_ptr))", "malloc(sizeof(*p))")
    assert (tmp_path / "out.c").read_text() == fixed
    assert clean(tmp_path / "out.c", tmp_path / "out") == "Ada Alonzo Church\n"
    session("continue")
    assert session.output().endswith("Ada Alonzo Church\n")


TOO_SHORT = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *link; };
static struct node *create(struct node *before, int data) {
    struct node *made = malloc(sizeof(int));
    made->data = data;
    made->link = NULL;
    before->link = made;
    return made;
}
int main(void) {
    struct node head = {0, NULL}, *last = &head;
    for (int i = 1; i < 4; i++)
        last = create(last, i);
    for (struct node *p = head.link; p != NULL; p = p->link)
        printf("%d ", p->data);
    puts("");
    return 0;
}
"""


def test_a_struct_without_room_is_told_once_with_what_allocated_it(play: Callable[..., Any]) -> None:
    session = play(TOO_SHORT, json=False)
    session("break 17; run")
    assert session.texts().count("lies outside") == 1
    assert "lies outside n1, which has 4 bytes, by line 7 in create: made->link = NULL;" in session.texts()
    assert (
        "a struct node needs 16 bytes, n1 has 4: it was allocated at line 5 in create, called at line 14 in "
        "main: struct node *made = malloc(sizeof(int));"
    ) in session.texts()
    assert "link outside its 4 bytes" in session.last(results.Graph).picture
    session("continue")
    assert session.texts().count("lies outside") == 1


TABLE = """\
#include <stdlib.h>
struct table { int rows, used; struct row **row; };
int main(void) {
    struct table *t = calloc(1, sizeof *t);
    t->rows = 4;
    t->row = malloc(t->rows * sizeof(int));
    for (int i = 0; i < t->rows; i++)
        t->row[i] = NULL;
    free(t->row);
    free(t);
    return 0;
}
"""


def test_an_array_without_room_is_no_struct_that_has_none(play: Callable[..., Any]) -> None:
    session = play(TABLE, json=False)
    session("run")
    assert "n2 was allocated at line 6: t->row = malloc(t->rows * sizeof(int));" in session.texts()
    assert "needs" not in session.texts()


BEYOND = """\
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *a = malloc(4), *b = malloc(8);
    char *text = "12345678";
    %s;
    b[0] = 1;
    return a[0] == b[0];
}
"""


@pytest.mark.parametrize("call", ["strcpy(a, text)", "memset(a, 'x', 20)", "memcpy(a, text, 6)"])
def test_a_library_call_that_writes_beyond_a_node(play: Callable[..., Any], call: str) -> None:
    told = f"lies outside n1, which has 4 bytes, by line 6 in main: {call};"
    session = play(BEYOND % call)
    session("run")
    assert told in session.texts()
    session = play(BEYOND % call)
    session("start\nnext\nnext\nnext\nnext")
    assert session.texts().count(told) == 1


@pytest.mark.parametrize("call", ["strcpy(a, text + 5)", "memset(a, 'x', 4)", "strncpy(b, text, 8)"])
def test_a_library_call_that_fills_a_node(play: Callable[..., Any], call: str) -> None:
    session = play(BEYOND % call)
    session("run")
    assert "lies outside" not in session.texts()


def test_a_variable_that_has_no_value(play: Callable[..., Any], tmp_path: Path) -> None:
    """Whatever the stack happens to hold: the execution under repair ends where that is used first."""
    session = play(UNSET)
    session("break 15\nrun\nbreak 18\ncontinue")  # stops in main, and at what comes of it
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "root = NULL;" in (tmp_path / "out.c").read_text()
    assert clean(tmp_path / "out.c", tmp_path / "out") == "5 3\n"


@pytest.mark.thorough
def test_one_violation_after_the_other(play: Callable[..., Any], tmp_path: Path) -> None:
    """After the first repair the program goes on to the second, which is repaired beside it."""
    session = play(TWICE)
    session("run\nrepair --no-question\ncontinue\nrepair --no-question\ncontinue")
    assert session.last(results.Exited).code == 0
    session(f"rewrite {tmp_path / 'out.c'}")
    text = (tmp_path / "out.c").read_text()
    assert "struct n *saved = h->next;" in text
    assert "struct n *saved = p->next;" in text
    assert clean(tmp_path / "out.c", tmp_path / "out") == "0 0 "


def test_what_the_user_says_counts_instead(play: Callable[..., Any]) -> None:
    """A correction says what is to be repaired; nothing goes back then."""
    session = play(SMALL)
    session("break 17\nrun\nspec")
    with suppress(CommandError):
        session("repair --no-question --line 15")
    assert "does what C forbids" not in session.texts()


def test_values_read_by_library_calls_are_set(play: Callable[..., Any]) -> None:
    """Also where a value read happens to be what memory held before."""
    session = play(
        """\
#include <stdio.h>
struct pair { int a, b; };
int main(void)
{
    int n, zeros[4];
    struct pair p, q;
    char name[8];
    if (sscanf("0 3 0", "%d %d %d", &n, &p.a, &p.b) != 3)
        return 1;
    for (int i = 0; i < 4; i++)
        zeros[i] = n;
    snprintf(name, sizeof name, "%d", zeros[2]);
    q = p;
    if (n || name[0] == 'x' || q.b)
        return 2;
    return zeros[1] + q.b;
}
"""
    )
    session("run")
    assert session.last(results.Exited).code == 0
    assert "before it has a value" not in session.texts()


WRITTEN = """\
#include <stdlib.h>
#include <string.h>
struct entry { const char *key; struct entry *next; };
struct entry *all;
struct entry *find(const char *key)
{
    struct entry *e;
    for (e = all; e != NULL; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}
void add(const char *key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    all = e;
}
void drop(const char *key)
{
    struct entry *e = find(key);
    if (e != NULL)
        all = e->next;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals != NULL) {
            *equals = '\\0';
            if (find(argv[i]) == NULL)
                add(argv[i]);
        } else
            drop(argv[i]);
    }
    return all != NULL;
}
"""


@pytest.mark.thorough
def test_where_the_model_goes_another_way_the_crash_itself_is_repaired(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    """The program writes into its arguments, which the model takes for constants."""
    session = play(WRITTEN, arguments=("a=1", "b=2", "c=3"))
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    assert "e->next = " in (tmp_path / "out.c").read_text()


STEPS_BEYOND = """\
#include <stdio.h>
#include <stdlib.h>
struct book { char title[64]; struct book *next; } *first;
void add(void)
{
    struct book *p, *new;
    for (p = first; p->next; p++);
    new = calloc(1, sizeof *p);
    p->next = new;
}
int main(void)
{
    int k;
    first = calloc(1, sizeof *first);
    while (scanf("%d", &k) == 1)
        add();
    free(first->next);
    free(first);
    return 0;
}
"""


def test_what_lies_beyond_is_told_of_a_program_that_has_read_and_ended(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("1 2")
    session = play(STEPS_BEYOND, stdin=given)
    session("run")
    assert "offset 136 lies outside n1, which has 72 bytes, by line 7 in add: for (p" in session.texts()


ROUNDS_BEYOND = """\
#define COUNT 2
struct node { int v; };
struct row { struct node *cells[COUNT]; };
static struct node one = { 1 };
static struct row held = { { &one, &one } };
static struct node *behind[3] = { 0, (struct node *) 8, &one };
static int look(struct row *r, int v)
{
    struct node **at = r->cells;
    for (int i = 0; i <= COUNT + 1; i++)
        if (at[i] && at[i]->v == v)
            return i;
    return -1;
}
int main(void)
{
    return look(&held, 7) != -1 && behind[0];
}
"""


def test_what_is_read_beyond_an_array_and_crashes_in_a_later_round(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(ROUNDS_BEYOND)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "i <= COUNT - 1" in (tmp_path / "out.c").read_text()


TURNED = """\
#include <stdlib.h>
struct item { int left; struct item *next; };
struct dial { struct item *at[3]; int now; };
static void turn(struct dial *d)
{
    d->now--;
    struct item *i = d->at[d->now];
    d->at[d->now] = i->next;
    free(i);
}
int main(void)
{
    static struct dial d;
    for (int k = 0; k < 3; k++)
        d.at[k] = calloc(1, sizeof(struct item));
    turn(&d);
    return 0;
}
"""


def test_for_what_lies_outside_of_an_array_no_link_is_kept(play: Callable[..., Any], tmp_path: Path) -> None:
    """The number is wrong, rather than read or changed too early."""
    session = play(TURNED)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert "d->now++;" in (tmp_path / "out.c").read_text()
