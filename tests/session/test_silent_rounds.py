"""A loop without an end that has done its work in its first rounds: what these printed is right."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.session import results

QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
struct job { void (*run)(struct job *); int id; struct job *next; };
struct queue { struct job *first; int pending; unsigned turns; };
static void show(struct job *j)
{
    printf("job %d\\n", j->id);
    free(j);
}
static void add(struct queue *q, int id)
{
    struct job *j = malloc(sizeof *j);
    j->run = show;
    j->id = id;
    j->next = q->first;
    q->first = j;
    q->pending++;
}
static void turn(struct queue *q)
{
    struct job *j = q->first;
    q->turns++;
    while (j != NULL && q->turns % 3 == 0) {
        struct job *due = j;
        q->first = j->next;
        j = NULL;
        due->run(due);
    }
}
int main(void)
{
    struct queue q = { NULL, 0, 0 };
    int most = 0;
    if (sscanf("2", "%d", &most) != 1)
        return 1;
    for (int i = 1; i <= most; i++)
        add(&q, i);
    while (q.pending > 0)
        turn(&q);
    printf("done\\n");
    return 0;
}
"""


@pytest.mark.thorough
def test_what_was_printed_before_it_went_round_in_silence_is_printed_again(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(QUEUE)
    transits: list[bool] = []
    arrive = session.session.execution.arrive

    def counted(*given: Any, **named: Any) -> Any:
        transits.append(named.get("transit", False))
        return arrive(*given, **named)

    session.session.execution.arrive = counted
    session(f"set step-budget 2; run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert sum(transits) < 100  # behind a call through a pointer comes a loop's condition, in each round
    [edit] = session.last(results.Repaired).edits
    assert "q->pending" in edit.after
    binary = tmp_path / "out"
    subprocess.run(["gcc", "-o", str(binary), str(tmp_path / "out.c")], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, timeout=10, check=True)
    assert done.stdout == "job 2\njob 1\ndone\n"
