"""What a program leaves allocated when it ends, as the end itself shows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *head, int v) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->v = v;
    fresh->next = head;
    return fresh;
}
static void *kept;
static void tidy(void) { free(kept); }
int main(void) {
    struct node *head = NULL;
    kept = malloc(4);
    atexit(tidy);
    for (int i = 0; i < 10; i++)
        head = push(head, i);
    printf("%d\\n", head->v);
    while (head != NULL LIMIT) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
"""
ALL, SOME = PROGRAM.replace("LIMIT", ""), PROGRAM.replace("LIMIT", "&& head->v != 2")


@pytest.mark.parametrize("commands", ["start; continue", "run", "break 18; run; continue"])
def test_a_program_that_frees_everything_leaves_nothing(play: Callable[..., Played], commands: str) -> None:
    session = play(ALL)
    session(commands)
    assert session.last(results.Exited).code == 0
    assert "never freed" not in session.texts()


@pytest.mark.parametrize("commands", ["start; continue", "run", "break 18; run; continue"])
def test_what_is_left_is_named_with_the_line_that_allocated_it(
    play: Callable[..., Played], commands: str
) -> None:
    session = play(SOME)
    session(commands)
    assert session.last(results.Exited).code == 0
    told = "n2, n3, n4 (allocated at line 5 in push, called at line 17 in main)"
    assert f"never freed, up to the end: {told}" in session.texts()


def test_many_are_counted(play: Callable[..., Played]) -> None:
    session = play(PROGRAM.replace("LIMIT", "&& 0"))
    session("start; continue")
    assert "n2, n3, n4, n5, n6, n7, n8, n9 and 2 more (allocated at line 5 in push" in session.texts()


CALLERS = """\
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *next; };
static void *allot(size_t size) { return malloc(size); }
static struct node *fresh(int v) {
    struct node *p = allot(sizeof *p);
    p->v = v;
    p->next = NULL;
    return p;
}
static void push(struct node **head, int v) {
    struct node *p = fresh(v);
    p->next = *head;
    *head = p;
}
static struct node *insert(struct node *list, int v) {
    if (list == NULL) {
        list = calloc(1, sizeof *list);
        list->v = v;
    } else
        list->next = insert(list->next, v);
    return list;
}
static char *copy(const char *text) { return strdup(text); }
int main(void) {
    struct node *head = NULL, *list = NULL;
    push(&head, 1);
    push(&head, 2);
    fresh(3);
    for (int i = 0; i < 3; i++)
        list = insert(list, i);
    copy("a");
    copy("b");
    return list == NULL;
}
"""


def test_what_one_function_allocates_is_told_by_its_callers(play: Callable[..., Played]) -> None:
    session = play(CALLERS)
    session("run")
    allot = "allocated at line 4 in allot, called at line 6 in fresh, called at line"
    assert session.texts().endswith(
        f"never freed, up to the end: n1, n2 ({allot} 12 in push); n3 ({allot} 29 in main); "
        "n4, n5, n6 (allocated at line 18); "
        "n7, n8 (allocated at line 24 in copy, called at lines 32 and 33 in main)"
    )


def test_nothing_is_told_of_a_process_that_was_killed(play: Callable[..., Played]) -> None:
    session = play(PROGRAM.replace("LIMIT", "&& 0").replace("return 0;", "*(int *)0 = 1; return 0;"))
    session("start; continue; continue")
    assert "never freed" not in session.texts()


def test_a_line_with_allocations_of_two_types_tells_neither(play: Callable[..., Played]) -> None:
    session = play(
        "#include <stdlib.h>\n"
        "struct in { int v; struct in *next; };\n"
        "struct out { struct out *next; struct in *items; };\n"
        "int main(void) {\n"
        "    struct out *o = malloc(sizeof *o); struct in *i = malloc(sizeof *i);\n"
        "    i->v = 3; i->next = NULL; o->next = NULL; o->items = i;\n"
        "    return 0;\n"
        "}\n"
    )
    session("start; next 2")
    nodes = session.last(results.Graph).data["nodes"]
    assert [node["type"] for node in nodes] == ["struct out", "struct in"]
