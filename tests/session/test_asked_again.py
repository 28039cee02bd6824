"""A repair of `main` under which the program asks for the next command where it crashed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.session import results

MENU = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int value; struct item *next; };
int main(void)
{
    struct item *first = NULL, *last = NULL, *at;
    int what, value;
    while (1) {
        printf("1 add, 2 show\\n");
        if (scanf("%d", &what) != 1)
            exit(0);
        if (what == 1) {
            if (scanf("%d", &value) != 1)
                exit(1);
            if (first == NULL) {
                first = malloc(sizeof *first);
                first->value = value;
                first->next = NULL;
                last = first;
            } else {
                last->next = malloc(sizeof *last);
                last->next->value = value;
                last = last->next;
            }
        } else {
            for (at = first; at != NULL; at = at->next)
                printf("%d\\n", at->value);
        }
    }
}
"""


@pytest.mark.thorough
def test_main_goes_on_to_what_it_reads_next(play: Callable[..., Any], tmp_path: Path) -> None:
    typed = tmp_path / "typed"
    typed.write_text("1 10 1 20 2 1 30 2\n", encoding="utf-8")
    session = play(MENU, stdin=typed)
    session("run\nrepair --no-question")
    [answer] = [each for each in session.heard if isinstance(each, results.Repaired)]
    [edit] = answer.edits
    assert edit.line in (21, 22, 23, 24)
    assert "next" in edit.after or "calloc" in edit.after
    assert session.line() == 10
    session("continue")
    assert session.output().count("30") == 1
