"""The names of the picture's nodes in gdb's own commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *next; };
typedef struct { int size; struct node *list; } Box;
typedef union { int whole; float real; } Number;
int n3 = 5;
void push(Box *b, int k)
{
    struct node *n = malloc(sizeof *n);
    n->key = k;
    n->next = b->list;
    b->list = n;
}
int main(void)
{
    Box *b = malloc(sizeof *b);
    b->size = 0;
    b->list = NULL;
    Number *u = malloc(sizeof *u);
    u->whole = 4;
    char *s = strcpy(malloc(4), "n4");
    push(b, 1);
    push(b, 2);
    return s != 0;
}
"""


def test_nodes_are_named_as_in_the_picture(play: Callable[..., Any]) -> None:
    session = play(PROGRAM)
    session("break 24\nrun")

    def answer(command: str) -> str:
        before = len(session.texts())
        session(command)
        return str(session.texts()[before:]).lstrip("\n")

    assert answer("print n5->next->key").endswith("= 1\n")
    assert answer("output n5->key + n1->list->key") == "4"
    assert "{size = 0, list = 0x" in (text := answer("p *n1")) and "<n5>}" in text
    assert "(Box *)" in answer("p n1") and "whole = 4" in answer("p *n2")
    assert answer("p n3").endswith("= 5\n"), "a variable comes first"
    assert answer('printf "n4 %d", n4->key') == "n4 1"
    assert answer("p n4->next").endswith("= (struct node *) 0x0\n")
    assert "<n2>" in answer("info locals")
    assert answer("display n4->key") == "1: n4->key = 1\n"
    session("set var n4->key = 7")
    assert session.fields("n4")["key"] == 7
    before = session.last(results.Graph)
    assert answer("p n4->key").endswith("= 7\n")
    assert session.last(results.Graph) is before, "nothing was changed, also not the union"
    with pytest.raises(CommandError, match="there is no node n9"):
        session("p n9->key")
