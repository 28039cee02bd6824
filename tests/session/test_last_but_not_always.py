"""What is right for the last node only is set under a test for it, though the list was sorted by chance."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sanitized import plain, printed, sanitized
from thorough import every_other

QUEUE = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int urgency; struct job *next; } *front, *rear;
void enter(int urgency)
{
    struct job *j = malloc(sizeof *j);
    j->urgency = urgency;
    j->next = NULL;
    if (front == NULL)
        front = j;
    else
        rear->next = j;
    rear = j;
}
int take(void)
{
    struct job *best = front, *before = NULL;
    int urgency;
    SEARCH
    urgency = best->urgency;
    if (best == front)
        front = front->next;
    else
        before->next = best->next;
    REAR
    free(best);
    return urgency;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == 't')
            printf("took %d\\n", take());
        else
            enter(atoi(argv[i]));
    for (struct job *j = front; j != NULL; j = j->next)
        printf("%d ", j->urgency);
    if (front != NULL)
        printf("(last %d)", rear->urgency);
    return 0;
}
"""
RIGHT = "if (best == rear) rear = before;"


NODE = """\
for (struct job *j = front; j->next != NULL; j = j->next)
        if (j->next->urgency < best->urgency) {
            before = j;
            best = j->next;
        }
"""
NUMBER = """\
struct job *j = front, *prev = NULL;
    int least = front->urgency;
    while (j != NULL) {
        if (j->urgency < least) {
            least = j->urgency;
            before = prev;
            best = j;
        }
        prev = j;
        j = j->next;
    }
"""


@pytest.mark.thorough
@pytest.mark.parametrize("sought", every_other([NODE, NUMBER]))
def test_the_rear_moves_back_only_where_the_last_one_is_taken(
    play: Callable[..., Any], tmp_path: Path, sought: str
) -> None:
    text = QUEUE.replace("SEARCH", sought)
    session = play(text.replace("REAR", ""), arguments=("9", "7", "5", "t"))
    session("break take\nrun\nfinish\nchange rear n2\nrepair --no-question")
    session(f"rewrite {tmp_path / 'repaired.c'}")
    (tmp_path / "right.c").write_text(text.replace("REAR", RIGHT))
    right, repaired = plain(tmp_path / "right.c"), sanitized(tmp_path / "repaired.c")
    for given in ("9 7 5 t", "1 2 3 t 4 t", "3 2 1 t 5", "2 1 3 t t 7", "4 9 4 t t", "1 3 2 t"):
        assert printed(repaired, given) == printed(right, given), given
