"""What goes wrong where it is only read: the repair lies where it was made."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int number, held; struct item *next; };
static struct item *first;
static struct item *found(int number)
{
    struct item *p = first;
    while (p != NULL && p->number != number)
        p = p->next;
    return p;
}
static void put(void)
{
    struct item *p = malloc(sizeof *p);
    if (scanf("%d %d", &p->number, &p->held) != 2)
        exit(1);
    PUT
}
static void change(void)
{
    int number, by;
    struct item *p;
    if (scanf("%d %d", &number, &by) == 2 && (p = found(number)) != NULL)
        CHANGE
}
static void turn(void)
{
    struct item *last = first, *before = NULL;
    if (first == NULL || first->next == NULL)
        return;
    for (; last->next != NULL; last = last->next)
        before = last;
    TURN
    last->next = first;
    first = last;
}
static void show(void)
{
    struct item *p;
    for (p = first; p != NULL; p = p->next)
        printf("%d:%d ", p->number, p->held);
    printf("\\n");
}
int main(void)
{
    char what;
    while (scanf(" %c", &what) == 1) {
        if (what == 'p') {
            put();
        } else if (what == 'c') {
            change();
        } else if (what == 't') {
            turn();
        } else {
            show();
        }
    }
    return 0;
}
"""
RIGHT = {
    "PUT": "p->next = first; first = p;",
    "CHANGE": "p->held += by;",
    "TURN": "before->next = NULL;",
}


def program(**wrong: str) -> str:
    text = PROGRAM
    for mark, statement in (RIGHT | wrong).items():
        text = text.replace(mark, statement)
    return text


@pytest.fixture
def started(play: Callable[..., Played], tmp_path: Path) -> Callable[..., Played]:
    def start(given: str, **wrong: str) -> Played:
        numbers = tmp_path / "given"
        numbers.write_text(given)
        return play(program(**wrong), stdin=numbers, json=False)

    return start


def printed(folder: Path, given: str) -> str:
    subprocess.run(["gcc", "-w", "-o", folder / "out", folder / "out.c"], check=True)
    return subprocess.run(
        [folder / "out"], input=given, capture_output=True, text=True, timeout=5, check=True
    ).stdout


def test_what_is_read_into_a_node_counts_as_set(started: Callable[..., Played]) -> None:
    session = started("p 1 10 p 2 20 c 1 5 s")
    session("run")
    assert session.last(results.Exited).code == 0
    assert "before it has a value" not in session.texts()


@pytest.mark.thorough
def test_a_loop_that_reads_what_goes_round_is_not_what_is_wrong(
    started: Callable[..., Played], tmp_path: Path
) -> None:
    session = started("p 1 10 p 2 20 p 3 30 t s", TURN="")
    session(f"set step-budget 1; run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert "further out" in session.texts()
    assert printed(tmp_path, "p 1 1 t p 2 2 t s p 3 3 p 4 4 t s") == "1:1 2:2 \n2:2 4:4 3:3 1:1 \n"


def test_what_is_set_instead_of_added_to_is_corrected_in_the_caller(
    started: Callable[..., Played], tmp_path: Path
) -> None:
    session = started("p 1 10 p 2 20 c 1 5 s", CHANGE="p->held = by;")
    session("break change; run; finish; change n1->held 15; spec; repair --no-question")
    session(f"rewrite {tmp_path / 'out.c'}")
    assert printed(tmp_path, "p 1 1 p 2 2 c 2 7 c 2 1 s") == "2:10 1:1 \n"


def test_a_stop_behind_the_last_call_of_an_arm_is_met_under_a_repair(
    started: Callable[..., Played], tmp_path: Path
) -> None:
    session = started("p 1 10 p 2 20 s", PUT="first = p; p->next = first;")
    session("break put; run; finish; change n1->next null; spec; repair --no-question")
    session(f"rewrite {tmp_path / 'out.c'}")
    assert printed(tmp_path, "p 1 1 p 2 2 p 3 3 s") == "3:3 2:2 1:1 \n"
