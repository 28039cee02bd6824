"""Functions that end without `return`: they are told of, not where their value does harm, and repaired."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wolverine.session import results

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *l, *r; };
static struct node *leaf(int key)
{
    struct node *n = malloc(sizeof *n);
    *n = (struct node){key, NULL, NULL};
    return n;
}
static struct node *insert(struct node *t, int key)
{
    if (t == NULL)
        return leaf(key);
    if (key < t->key)
        t->l = insert(t->l, key);
    else if (key > t->key)
        t->r = insert(t->r, key);
}
static int height(struct node *t)
{
    int l, r, h = 0;
    if (t != NULL) {
        l = height(t->l);
        r = height(t->r);
        h = 1 + (l > r ? l : r);
    }
}
int main(void)
{
    struct node *t = NULL;
    t = insert(t, 5);
    t = insert(t, 3);
    t = insert(t, 8);
    t = insert(t, 1);
    printf("%d", height(t));
    return 0;
}
"""


def test_the_function_is_named_and_returns_what_fits(play: Callable[..., Any]) -> None:
    session = play(TREE)
    session("run")
    named = "insert ends without `return`, and its value is used, by line 32 in main: t = insert(t, 3);"
    assert named in session.texts()
    assert "before it has a value" not in session.texts()
    for line in ("return t;", "return h;"):
        session("repair --no-question; continue")
        assert f"\n+    {line}\n" in session.last(results.Repaired).patch
    assert session.output().endswith("3")
    assert session.texts().count("ends without `return`, and its value is used, by") == 2


FOUND = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *heads[3];
static struct node *find(int key)
{
    for (struct node *n = heads[key % 3]; n != NULL; n = n->next)
        if (n->key == key)
            return n;
    return NULL;
}
static struct node *get(int key)
{
    struct node *n;
    int i;
    if ((n = find(key)) == NULL) {
        n = malloc(sizeof *n);
        n->key = key;
        i = key % 3;
        n->next = heads[i];
        heads[i] = n;
    }
}
int main(void)
{
    struct node *kept = NULL;
    kept = get(4);
    return kept == NULL;
}
"""


def test_where_its_value_is_corrected_it_returns_what_it_has_on_every_way(play: Callable[..., Any]) -> None:
    session = play(FOUND)
    session("break get; run; finish; next; change kept n1; repair --no-question")
    repaired = session.last(results.Repaired)
    assert [(each.line, each.after) for each in repaired.edits] == [(21, "return n;")]
