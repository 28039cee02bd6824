"""What a new `return` in a special case gives back, after a mere crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, words

UNUSED = """\
struct item { int key; struct item *next; };
int last(struct item *l, int none) {
    while (l->next)
        l = l->next;
    return l->key;
}
int main(void) {
    struct item one = {3, 0};
    return last(&one, 0) + last(0, 7);
}
"""
AS_ELSEWHERE = """\
struct item { int key; struct item *next; };
int second(struct item *l) {
    struct item *n = l->next;
    if (n == 0)
        return -1;
    return n->key;
}
int main(void) {
    struct item one = {3, 0}, two = {4, &one};
    return second(&two) + second(&one) + second(0);
}
"""


@pytest.mark.parametrize(
    ("text", "function", "given"),
    [
        (UNUSED, "last", "none"),  # a parameter that nothing else reads
        (AS_ELSEWHERE, "second", "-1"),  # as where something else is null
    ],
)
def test_what_is_given_back(text: str, function: str, given: str, tmp_path: Path) -> None:
    problem = crash(text, "main", tmp_path)
    assert words(problem.program, best(problem)) == f"if (l == NULL) return {given}"


ERASE = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct list { struct item *first; int size; };
void add(struct list *l, int key) {
    struct item *i = malloc(sizeof *i);
    i->key = key;
    i->next = l->first;
    l->first = i;
    l->size++;
}
int erase(struct list *l, int key) {
    struct item *p = l->first, *before = NULL;
    while (p != NULL && p->key != key) {
        before = p;
        p = p->next;
    }
    if (before == NULL)
        l->first = p->next;
    else
        before->next = p->next;
    free(p);
    l->size--;
    return 1;
}
int main(void) {
    struct list l = {NULL, 0};
    add(&l, 1);
    add(&l, 2);
    add(&l, 3);
    erase(&l, 9);
    return l.size;
}
"""


@pytest.mark.thorough
def test_what_goes_on_with_the_null_pointer_is_not_enough(tmp_path: Path) -> None:
    """Behind `if (p != NULL) before->next = p->next;` nothing would be freed, and counted off."""
    problem = crash(ERASE, "erase", tmp_path)
    assert words(problem.program, best(problem)) == "if (p == NULL) return 0"


DISCARD = """\
#include <stddef.h>
struct item { int key, uses; struct item *next; };
struct item *sought(struct item *all, int key) {
    while (all != NULL && all->key != key)
        all = all->next;
    return all;
}
int discard(struct item *all, int key) {
    struct item *p = sought(all, key);
    while (p->uses > 0)
        p->uses--;
    return 1;
}
int main(void) {
    struct item one = {3, 1, NULL}, two = {4, 2, &one};
    READ
    return 0;
}
"""


@pytest.mark.parametrize(
    ("read", "wanted"),
    [
        ("if (discard(&two, 5)) return 1;", "if (p == NULL) return 0"),
        ("discard(&two, 5);", "p != NULL && p->uses > 0"),
    ],
)
def test_callers_that_read_the_only_number_want_another_one(read: str, wanted: str, tmp_path: Path) -> None:
    problem = crash(DISCARD.replace("READ", read), "discard", tmp_path)
    assert words(problem.program, best(problem)) == wanted
