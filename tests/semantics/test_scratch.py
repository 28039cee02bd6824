"""Global pointers that hold nothing from one call to the next, and such as walk to and fro."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.graph import VariableId
from wolverine.core.program import Program
from wolverine.semantics.scratch import scratch, set_behind
from wolverine.semantics.walked import walked

MENU = """\
#include <stdlib.h>
struct node { int v; struct node *next, *prev; } *head, *cur, *made, **link;
void push(int v)
{
    made = malloc(sizeof *made);
    made->v = v;
    made->next = head;
    head = made;
}
int sum(void)
{
    int s = 0;
    for (cur = head; cur != NULL; cur = cur->next)
        s += cur->v;
    return s;
}
"""
RESULT = """\
struct node *found;
void find(int v)
{
    for (found = head; found != NULL && found->v != v; found = found->next)
        ;
}
int main(void) { push(1); find(1); return found != NULL; }
"""
KEPT = "int main(void) { cur = head; push(1); return cur != NULL; }\n"
LED_TO = "int main(void) { link = &cur; push(1); return sum(); }\n"
PRINTED = '#include <stdio.h>\nvoid show(void) { printf("%p", (void *)cur); }\n'


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ("", {"cur", "made", "link"}),
        (RESULT, {"cur", "made", "link"}),
        (KEPT, {"made", "link"}),
        (LED_TO, {"made", "link"}),
        (PRINTED, {"made", "link"}),
    ],
)
def test_what_is_set_before_it_is_read_is_scratch(
    lower: Callable[[str], Program], more: str, names: set[str]
) -> None:
    assert {each.name for each in scratch(lower(MENU + more))} == names


CLOSING = """\
#include <stdlib.h>
struct page { struct page *before; } *open, **link;
void drop(struct page *p) { free(p); }
void look(void) { }
void close_page(void) { struct page *p = open->before; drop(open); BEHIND open = p; }
"""


@pytest.mark.parametrize(
    ("behind", "more", "names"),
    [
        ("", "", {"open"}),
        ("p = p->before;", "void all(void) { close_page(); close_page(); }", {"open"}),
        ("look();", "", set()),
        ("if (open)", "", set()),
        ("if (p)", "", set()),
        ("", "void other(void) { drop(open); }", set()),
        ("", "void lead(void) { link = &open; }", set()),
    ],
)
def test_what_all_callers_set_behind_a_function(
    lower: Callable[[str], Program], behind: str, more: str, names: set[str]
) -> None:
    program = lower(CLOSING.replace("BEHIND", behind) + more)
    assert {each.name for each in set_behind(program, "drop")} == names
    assert not set_behind(program, "nobody calls it")


def test_who_walks_to_and_fro_is_at_no_end(lower: Callable[[str], Program]) -> None:
    program = lower(
        """\
struct node { int v; struct node *next, *prev; } *at, *head, *tail;
void down(void) { if (at->next) at = at->next; }
void up(void) { if (at->prev) at = at->prev; }
void append(struct node *n) { tail->next = n; n->prev = tail; tail = tail->next; }
void shorten(void) { tail = tail->prev; tail->next = 0; }
int last(struct node *head) { while (head->next) head = head->next; head = head->prev; return head->v; }
void pop(void) { head = head->next; }
"""
    )
    sent = {name for name in ("at", "head", "tail") if walked(program, VariableId(-1, "", name))}
    assert sent == {"at"}
    assert walked(program, VariableId(0, "last", "head"))
    assert not walked(program, VariableId(0, "pop", "head"))
