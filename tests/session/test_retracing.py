"""Programs that read what to do: what they read is told apart by stops in front of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.core.trace import Interval
from wolverine.session import results

WITHOUT_LEAKS = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct item { int no; struct item *next; } item;
item *front, *rear;
void enter(int no)
{
    item *fresh = malloc(sizeof *fresh);
    fresh->no = no;
    fresh->next = NULL;
    if (front == NULL && rear == NULL) {
        front = rear = fresh;
    } else {
        rear->next = fresh;
        rear = fresh;
    }
}
void leave(void)
{
    item *first = front;
    if (first == NULL)
        return;
    front = first->next;
    free(first);
}
void show(void)
{
    item *at = front;
    while (at->next != NULL) {
        printf("%d ", at->no);
        at = at->next;
    }
    printf("%d\\n", at->no);
}
int main(void)
{
    int what, no;
    while (scanf("%d", &what) == 1) {
        switch (what) {
        case 1:
            scanf("%d", &no);
            enter(no);
            break;
        case 2:
            leave();
            break;
        default:
            show();
        }
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_a_crash_is_traced_back_to_the_use_of_a_freed_node(play: Callable[..., Any], tmp_path: Path) -> None:
    """`rear` is left behind when the queue becomes empty; the crash comes two commands later."""
    numbers = tmp_path / "numbers"
    numbers.write_text("1 5 2 1 6 1 7 3")
    session = play(QUEUE, stdin=numbers)
    session("run")
    assert session.last(results.Signalled).line == 28
    assert "n1 is used after it was freed, by line 13 in enter: rear->next = fresh;" in session.texts()
    assert "is not followed" not in session.texts()
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}\ncontinue")
    assert session.last(results.Repaired).applied == "native"
    assert session.output() == "6 7\n"
    assert session.last(results.Exited).code == 0
    subprocess.run(
        ["gcc", "-w", "-fsanitize=address", "-o", tmp_path / "out", tmp_path / "out.c"], check=True
    )
    for given, left in (("1 5 2 1 6 2 1 8 3", "8"), ("1 5 1 6 2 1 7 3", "6 7"), ("1 5 1 6 2 2 1 7 3", "7")):
        ran = subprocess.run(
            [tmp_path / "out"], input=given, capture_output=True, text=True, check=False, env=WITHOUT_LEAKS
        )
        assert (ran.returncode, ran.stdout) == (0, f"{left}\n")


@pytest.mark.thorough
def test_what_was_typed_is_read_again(play: Callable[..., Any], tmp_path: Path) -> None:
    """At a terminal, too; a command typed ahead is still there when the repaired program goes on."""
    session = play(QUEUE, batch=False)
    session("start")
    session.session.send_input(b"1 5\n2\n1 6\n1 7\n3\n2\n3\n\x04")
    session("continue")
    assert session.last(results.Signalled).line == 28
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.last(results.Repaired).applied == "native"
    session("continue")
    assert session.output().split() == ["6", "7", "7"]
    assert session.last(results.Exited).code == 0


def interrupt_when_it_waits(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C where the program waits for input for the first time."""
    execution = session.session.debugger._execution
    reads, waiting = execution._reads, []

    def look() -> bool:
        if (found := reads()) and not waiting:
            waiting.append(found)
            session.session.interrupt()
        return bool(found)

    monkeypatch.setattr(execution, "_reads", look)


def test_rounds_that_leave_nothing_behind_are_told_apart_where_it_was_interrupted(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C has stopped the program, and does not end the look at how it came there."""
    session = play(QUEUE, batch=False)
    session("start")
    session.session.send_input(b"1 5\n2\n2\n2\n1 6\n2\n")
    interrupt_when_it_waits(session, monkeypatch)
    session("continue")
    assert session.last(results.Stopped).reason == "interrupt"
    path = session.session.execution.path
    assert sum(each.stop.frames[0].function == "main" for each in path if each.transit) > 6
    session("repair --no-question")
    assert session.last(results.Repaired).applied == "native"


PUSHES = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; } *head;
static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
}
int main(void)
{
    int what, v;
    while (scanf("%d", &what) == 1) {
        if (what == 1 && scanf("%d", &v) == 1)
            push(v);
        else
            break;
    }
    return 0;
}
"""


def test_who_interrupts_a_program_that_waits_for_input_looks_at_what_is_followed(
    play: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands where it would read, and has not moved since the last statement that was followed."""
    session = play(PUSHES, batch=False)
    session("start")
    session.session.send_input(b"1 5\n1 6\n")
    interrupt_when_it_waits(session, monkeypatch)
    session("continue")
    assert session.last(results.Stopped).reason == "interrupt"
    assert "does not follow" not in session.texts()
    events = [event for moment in session.session.execution.path for event in moment.arrived]
    assert not [event for event in events if isinstance(event, Interval)]


def test_it_comes_back_to_where_the_program_stopped(play: Callable[..., Any], tmp_path: Path) -> None:
    """A breakpoint that is passed several times before the stop: its visits look alike, but for the state."""
    numbers = tmp_path / "numbers"
    numbers.write_text("1 5 1 6 3 1 7 3 2 2 2 3")
    session = play(QUEUE, stdin=numbers)
    session("break 27 if front->no == 5 && front->next->next\nrun")
    assert session.fields("n2")["next"] == "n3"
    assert "not followed" not in session.texts()
    session("next")
    assert session.places()["show::at"] == "n1"


def test_a_count_goes_to_the_breakpoint_where_it_came_back(play: Callable[..., Any], tmp_path: Path) -> None:
    """As in gdb: `continue N` stops at the Nth hit from there on."""
    numbers = tmp_path / "numbers"
    numbers.write_text("1 5 1 6 1 7 1 8 1 9")
    session = play(QUEUE, stdin=numbers)
    session("break enter\nrun\ncontinue 2")
    assert session.places()["enter::no"] == 7
    session("continue 1 + 1")
    assert session.places()["enter::no"] == 9


def test_a_count_where_no_breakpoint_is_has_no_meaning(play: Callable[..., Any], tmp_path: Path) -> None:
    """gdb would give it to whatever stopped the process last, which need not be the user's."""
    numbers = tmp_path / "numbers"
    numbers.write_text("1 5 1 6 1 7 1 8 1 9")
    session = play(QUEUE, stdin=numbers)
    session("break enter\nrun\nnext 2\ncontinue 2")
    assert session.places()["enter::no"] == 6
    assert "continue 2 counts how often the breakpoint at which the program stands" in session.texts()
    assert "it stands at none: 2 is ignored" in session.texts()


TABLE = """\
#include <stdio.h>
#include <stdlib.h>
struct entry { int key; struct entry *chain; };
struct entry *table[3];
int known(int key)
{
    for (struct entry *e = table[key % 3]; e != NULL; e = e->chain)
        if (e->key == key)
            return 1;
    return 0;
}
int main(int argc, char **argv)
{
    int key = 0, found = 0;
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "+%d", &key) == 1) {
            struct entry *e = malloc(sizeof *e);
            e->key = key;
            e->chain = table[key % 3];
            table[key % 3] = e;
        } else
            found += known(key);
    }
    return found;
}
"""


def test_a_way_through_a_pointer_that_is_not_known_is_given_up(play: Callable[..., Any]) -> None:
    """Where the condition reads, one way leads into the table with whatever the others may have put there."""
    session = play(TABLE, arguments=("+4", "?", "+1", "?", "?"))
    session("break 16\nrun\nnext")
    assert session.last(results.Stopped).line == 17
    assert "too much depends" not in session.texts()
    session("continue\nnext\ncontinue\nnext")
    assert "too much depends" not in session.texts()


GROUPS = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int v; struct item *next; };
struct group { int no; struct item *items; struct group *next; };
struct group *groups;
struct group *group(int no)
{
    struct group *g = groups;
    while (g != NULL && g->no != no)
        g = g->next;
    if (g == NULL) {
        g = malloc(sizeof *g);
        g->no = no;
        g->next = groups;
        groups = g;
    }
    return g;
}
void enter(int no, int v)
{
    struct group *g = group(no);
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = g->items;
    g->items = i;
}
int main(void)
{
    int no, v;
    while (scanf("%d %d", &no, &v) == 2)
        enter(no, v);
    for (struct group *g = groups; g != NULL; g = g->next)
        for (struct item *i = g->items; i != NULL; i = i->next)
            printf("%d ", i->v);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_variable_that_takes_what_nothing_has_set_is_not_what_it_was(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    """The model went round the list's first node for ever, where the process crashed."""
    numbers = tmp_path / "numbers"
    numbers.write_text("1 5 2 6 1 7")
    session = play(GROUPS, stdin=numbers)
    session("run")
    assert "the way is longer" not in session.texts()
    session("repair --no-question --function group")
    assert "g->items = NULL;" in session.last(results.Repaired).patch
