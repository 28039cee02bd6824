"""What takes a node out frees nothing where none has that key: a repair need not free as much as before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

TABLE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key; int value; struct entry *next; };
static struct entry *slots[3];
static struct entry **slot(const char *key)
{
    unsigned sum = 0;
    while (*key)
        sum = sum * 3 + (unsigned char)*key++;
    return &slots[sum % 3];
}
static void put(const char *key, int value)
{
    struct entry **at = slot(key), *e = malloc(sizeof *e);
    e->key = strdup(key);
    e->value = value;
    e->next = *at;
    *at = e;
}
static int drop(const char *key)
{
    struct entry **at = slot(key), *e;
    while ((e = *at) != NULL) {
        if (strcmp(e->key, key) != 0) {
            *at = e->next;
            free(e->key);
            free(e);
            return 1;
        }
        at = &e->next;
    }
    return 0;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            drop(argv[i] + 1);
        else
            put(argv[i], i);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_comparison_of_keys_is_turned_round(play: Callable[..., Played]) -> None:
    session = play(TABLE, arguments=("ab", "ba", "cd", "aa", "bd", "-ab", "dd", "-bd"))
    session("break drop; run; finish; change slots[2] null; change n1 freed; change n2 freed")
    session("repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (25, "strcmp(e->key, key) == 0")
