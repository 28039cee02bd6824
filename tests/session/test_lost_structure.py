"""What leaks because it was cut off from its structure: a repair keeps it there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from played_session import Played
from thorough import LITTLE, usual

from wolverine.session import results

LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
struct list { struct node *head; int n; };
static void push(struct list *l, int v)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = l->head;
    l->head = fresh;
    l->n++;
}
static int pop(struct list *l)
{
    struct node *first = l->head;
    int v = first->v;
    l->head = first->next;
    l->n--;
    free(first);
    return v;
}
static void cut(struct list *l, int v)
{
    struct node *prev = NULL, *at = l->head;
    while (at != NULL && at->v != v) {
        prev = at;
        at = at->next;
    }
    if (at == NULL)
        return;
    if (prev == NULL)
        l->head = at->next;
    else
        prev->next = at->next;
    l->n--;
    free(at);
}
int main(void)
{
    struct list l = { NULL, 0 };
    int v;
    while (scanf("%d", &v) == 1)
        push(&l, v);
    cut(&l, 4);
    while (l.head != NULL)
        printf("%d\\n", pop(&l));
    return 0;
}
"""


@pytest.fixture
def mended(play: Callable[..., Played], tmp_path: Path) -> Callable[..., str]:
    """The patch by which a program with a fault put into it, fed so many numbers, leaks no more."""

    def start(source: str, right: str, wrong: str, numbers: str = "3 4 5 6") -> str:
        given = tmp_path / "numbers"
        given.write_text(numbers)
        assert source.count(right) == 1
        session = play(source.replace(right, wrong), stdin=given, work=LITTLE)
        session("run\nrepair --no-question")
        assert "asserted:" not in session.texts()
        before = session.texts()
        session("continue")
        assert session.last(results.Exited).code == 0
        assert "never freed" not in session.texts()[len(before) :]
        return session.last(results.Repaired).patch

    return start


CUT = [
    ("fresh->next = l->head;", "fresh->next = NULL;"),
    ("l->head = first->next;", "l->head = NULL;"),
    ("prev->next = at->next;", "prev->next = NULL;"),
]


@pytest.mark.parametrize(("right", "wrong"), usual(CUT, CUT[-1]))
def test_the_rest_of_a_list_is_not_cut_off(mended: Callable[..., str], right: str, wrong: str) -> None:
    assert f"+{right}" in mended(LIST, right, wrong).replace(" " * 4, "")


MOVING = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static void move(struct node **to, struct node **from)
{
    struct node *first = *from;
    *from = first->next;
    first->next = *to;
    *to = first;
}
int main(void)
{
    struct node *a = NULL, *b = NULL;
    int v;
    while (scanf("%d", &v) == 1) {
        struct node *n = malloc(sizeof *n);
        n->v = v;
        n->next = a;
        a = n;
    }
    while (a != NULL)
        move(&b, &a);
    while (b != NULL) {
        struct node *n = b;
        b = b->next;
        free(n);
    }
    return 0;
}
"""


def test_statements_in_the_wrong_order_are_put_in_order(mended: Callable[..., str]) -> None:
    right = "*from = first->next;\n    first->next = *to;"
    wrong = "first->next = *to;\n    *from = first->next;"
    patch = mended(MOVING, right, wrong)
    assert "-    *from = first->next;" in patch
    assert "+    *from = first->next;" in patch


TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *l, *r; };
static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->l = t->r = NULL;
    } else if (key < t->key)
        t->l = insert(t->l, key);
    else if (key > t->key)
        t->r = insert(t->r, key);
    return t;
}
static void chop(struct tree *t)
{
    if (t == NULL)
        return;
    chop(t->l);
    chop(t->r);
    free(t);
}
int main(void)
{
    struct tree *root = NULL;
    int v;
    while (scanf("%d", &v) == 1)
        root = insert(root, v);
    chop(root);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_subtree_is_not_replaced(mended: Callable[..., str]) -> None:
    patch = mended(TREE, "t->r = insert(t->r, key);", "t->r = insert(t->l, key);", "5 8 9 2")
    assert "+        t->r = insert(t->r, key);" in patch


@pytest.mark.thorough
def test_what_takes_a_tree_apart_frees_all_of_it(mended: Callable[..., str]) -> None:
    patch = mended(TREE, "    chop(t->r);\n", "", "5 8 9 2")
    assert "+    chop(t->r);" in patch


ARRAY = """\
#include <stdio.h>
#include <stdlib.h>
struct row { char *name; int *data; int used, size; };
static void grow(struct row *r)
{
    int size = r->size ? 2 * r->size : 2;
    int *data = malloc(size * sizeof *data);
    for (int i = 0; i < r->used; i++)
        data[i] = r->data[i];
    free(r->data);
    r->data = data;
    r->size = size;
}
int main(void)
{
    struct row *r = calloc(1, sizeof *r);
    int v;
    r->name = malloc(2);
    while (scanf("%d", &v) == 1) {
        if (r->used == r->size)
            grow(r);
        r->data[r->used++] = v;
    }
    free(r->data);
    free(r->name);
    free(r);
    return 0;
}
"""


@pytest.mark.parametrize("statement", ["free(r->data);\n    r->data = data;", "free(r->name);"])
def test_what_a_struct_owns_is_freed(mended: Callable[..., str], statement: str) -> None:
    freed = statement.split("\n")[0]
    assert f"+    {freed}" in mended(ARRAY, statement, statement.removeprefix(freed))


TABLE = """\
#include <stdio.h>
#include <stdlib.h>
struct entry { int key; struct entry *next; };
static struct entry *table[3];
static void add(int key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = table[key % 3];
    table[key % 3] = e;
}
static void drop(int key)
{
    struct entry *e, *prev = NULL;
    for (e = table[key % 3]; e != NULL; e = e->next) {
        if (e->key == key) {
            if (prev == NULL)
                table[key % 3] = e->next;
            else
                prev->next = e->next;
            free(e);
            return;
        }
        prev = e;
    }
}
int main(void)
{
    int v;
    while (scanf("%d", &v) == 1)
        add(v);
    drop(4);
    for (int i = 0; i < 3; i++)
        while (table[i] != NULL)
            drop(table[i]->key);
    return 0;
}
"""


@pytest.mark.thorough
def test_one_node_in_front_of_what_is_deleted_stays(mended: Callable[..., str]) -> None:
    assert "+        prev = e;" in mended(TABLE, "        prev = e;\n", "", "1 4 7 2")


FLATTEN = """\
#include <stdlib.h>
struct tree { int value; struct tree *left, *right; };
struct tree *made(int value, struct tree *left, struct tree *right)
{
    struct tree *t = malloc(sizeof *t);
    t->value = value;
    t->left = left;
    t->right = right;
    return t;
}
void flatten(struct tree *t)
{
    for (; t != NULL; t = t->right) {
        if (t->left == NULL)
            continue;
        struct tree *last = t->left;
        while (last->right != NULL)
            last = last->right;
        last->left = t->right;
        t->right = t->left;
        t->left = NULL;
    }
}
int main(void)
{
    struct tree *t = made(1, made(2, made(3, NULL, NULL), NULL), made(4, NULL, NULL));
    flatten(t);
    while (t != NULL) {
        struct tree *next = t->right;
        free(t);
        t = next;
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_a_node_stays_in_the_place_of_which_another_one_is_linked(play: Callable[..., Any]) -> None:
    session = play(FLATTEN)
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (19, "last->right = t->right")


WORDS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { int n; char *word; struct entry *next; };
static struct entry *all;
static void count(const char *word)
{
    struct entry *e = malloc(sizeof *e), *at = all;
    e->n = 1;
    e->next = NULL;
    e->word = malloc(strlen(word) + 1);
    strcpy(e->word, word);
    for (; at != NULL; at = at->next)
        if (strcmp(at->word, word) == 0) {
            at->n++;
            free(e->word);
            free(e);
            return;
        }
    e->next = all;
    all = e;
}
int main(void)
{
    char word[20];
    while (scanf("%19s", word) == 1)
        count(word);
    while (all != NULL) {
        struct entry *e = all;
        all = e->next;
        free(e->word);
        free(e);
    }
    return 0;
}
"""


def test_a_node_made_in_vain_is_freed_with_what_it_owns(mended: Callable[..., str]) -> None:
    freed = "            free(e->word);\n            free(e);\n            return;"
    patch = mended(WORDS, freed, "            return;", "ha la ba la")
    assert [line.strip("+ ") for line in patch.splitlines() if line.startswith("+ ")] == [
        "free(e->word);",
        "free(e);",
    ]


BEHIND = TABLE.replace("*prev = NULL;", "*prev = table[key % 3];").replace(
    "if (prev == NULL)", "if (e == table[key % 3])"
)


@pytest.mark.thorough
def test_a_pointer_that_lags_behind_is_moved_on_rather_than_what_it_skips_freed(
    mended: Callable[..., str],
) -> None:
    patch = mended(BEHIND, "        prev = e;\n", "", "4 7 10 3 5")
    assert "+        prev = e;" in patch.replace("\t", "        ")


WHOLE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *add(struct node *list, int v)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = list;
    return fresh;
}
static struct node *drop(struct node *list, int v)
{
    struct node *before = NULL, *at = list;
    while (at != NULL && at->v != v) {
        before = at;
        at = at->next;
    }
    if (at == NULL)
        return list;
    if (before == NULL)
        list = at->next;
    else
        before->next = at->next;
    free(at);
    return list;
}
int main(void)
{
    struct node *list = NULL;
    int v;
    while (scanf("%d", &v) == 1) {
        if (v > 0)
            list = add(list, v);
        else
            list = drop(list, -v);
    }
    while (list != NULL) {
        struct node *first = list;
        list = list->next;
        free(first);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_what_a_result_replaces_is_kept_by_the_function_that_returns_it(mended: Callable[..., str]) -> None:
    patch = mended(WHOLE, "        return list;\n    if", "        return NULL;\n    if", "3 4 5 -3 -7 6")
    assert "-        return NULL;\n+        return list;" in patch


APPENDED = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next, *prev; };
static struct node *first, *last;
static void append(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = n->prev = NULL;
    if (first == NULL) {
        first = last = n;
        return;
    }
    n->prev = last;
    last->next = n;
    last = n;
}
int main(void)
{
    int v;
    while (scanf("%d", &v) == 1)
        append(v);
    while (first != NULL) {
        struct node *n = first;
        first = n->next;
        printf("%d ", n->v);
        free(n);
    }
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize("back", ["    n->prev = last;\n", ""])
def test_the_pointer_to_the_last_node_is_moved_on(mended: Callable[..., str], back: str) -> None:
    """Under the fault it leads to the first one, and what is lost is what another call has added."""
    patch = mended(APPENDED.replace("    n->prev = last;\n", back), "    last = n;\n", "", "4 5 6 7")
    added = [line.strip("+ ") for line in patch.splitlines() if line.startswith("+ ")]
    assert added in (["last = n;"], ["last = last->next;"])


ROTATED = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int v; struct tree *l, *r; };
static struct tree *top;
static void turn(struct tree **at)
{
    struct tree *x = (*at)->l, *old = *at;
    old->l = x->r;
    x->r = old;
    *at = x;
}
static struct tree *made(int v)
{
    struct tree *t = malloc(sizeof *t);
    t->v = v;
    t->l = t->r = NULL;
    return t;
}
static void put(struct tree **at, int v)
{
    if (*at == NULL)
        *at = made(v);
    else
        put(v < (*at)->v ? &(*at)->l : &(*at)->r, v);
}
static void destroy(struct tree *t)
{
    if (t != NULL) {
        destroy(t->l);
        printf("%d ", t->v);
        destroy(t->r);
        free(t);
    }
}
int main(void)
{
    int v;
    while (scanf("%d", &v) == 1)
        put(&top, v);
    if (top != NULL && top->l != NULL)
        turn(&top);
    destroy(top);
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("right", "wrong", "added"),
    [
        ("    *at = x;\n", "", "*at = x;"),  # what had set links of nodes did not mean to drop them
        ("    return t;\n", "    return top;\n", "return t;"),  # nor who has just made one
    ],
)
def test_who_rebuilds_or_makes_a_node_hands_it_on(
    mended: Callable[..., str], right: str, wrong: str, added: str
) -> None:
    assert f"+    {added}" in mended(ROTATED, right, wrong, "5 3 8 2 4")


TALLY = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct tally { char *name; int n; struct tally *next; };
static struct tally *with_one_more(struct tally *all, const char *name)
{
    struct tally *t;
    for (t = all; t != NULL; t = t->next)
        if (strcmp(t->name, name) == 0) {
            t->n++;
            return all;
        }
    t = malloc(sizeof *t);
    t->name = malloc(strlen(name) + 1);
    strcpy(t->name, name);
    t->n = 1;
    t->next = all;
    return all;
}
int main(void)
{
    char word[20];
    struct tally *all = NULL;
    while (scanf("%19s", word) == 1)
        all = with_one_more(all, word);
    for (struct tally *t = all; t != NULL; t = t->next)
        printf("%s %d ", t->name, t->n);
    while (all != NULL) {
        struct tally *next = all->next;
        free(all->name);
        free(all);
        all = next;
    }
    return 0;
}
"""


def test_what_a_function_makes_and_never_keeps_is_given_back(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    words = tmp_path / "words"
    words.write_text("ha la ba la\n")
    session = play(TALLY, stdin=words)
    session("run; repair --no-question; continue")
    (edit,) = session.last(results.Repaired).edits
    assert (edit.before, edit.after) == ("all", "t")  # of `return all;` in the last line
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts().rpartition("repair frees")[2]
