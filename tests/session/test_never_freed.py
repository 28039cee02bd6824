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
    assert "never freed, up to the end: n2, n3, n4 (allocated at line 5)" in session.texts()


def test_many_are_counted(play: Callable[..., Played]) -> None:
    session = play(PROGRAM.replace("LIMIT", "&& 0"))
    session("start; continue")
    assert "n2, n3, n4, n5, n6, n7, n8, n9 and 2 more (allocated at line 5)" in session.texts()


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
