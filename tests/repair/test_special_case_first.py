"""After a mere crash of a function that gets along with most inputs: what is missing is a special case."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.frontend import emit
from wolverine.repair import search

DELETE = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int key; struct cell *next; };
struct cell *first;
void add(int key) {
    struct cell *made = malloc(sizeof *made);
    made->key = key;
    made->next = first;
    first = made;
}
void take(int key) {
    struct cell *at = first;
    if (at->key == key) {
        printf("the first\\n");
        first = at->next;
        free(at);
        return;
    }
    while (at->next->key != key) {
        at = at->next;
        if (at->next == NULL) {
            printf("there is none\\n");
            return;
        }
    }
    struct cell *gone = at->next;
    at->next = gone->next;
    free(gone);
}
int main(void) {
    FILLED
    take(5);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("filled", "tested"), [("", ("at", "first")), ("add(1);", ("at->next", "first->next"))]
)
def test_an_early_return_rather_than_another_element(
    filled: str, tested: tuple[str, str], tmp_path: Path
) -> None:
    """To put something in where something is to be taken out gets round the crash, too.

    It changes what comes of the inputs with which nothing was wrong.  What the function prints is no
    reason not to see them.
    """
    play = Play(program_of(DELETE.replace("FILLED", filled), tmp_path))
    play.enter_function("take")
    play.crash()
    problem = play.problem()
    text = emit(problem.program, search(problem).candidates[0].patch)[0].decode()
    before = play.program.files[0].content.decode()
    added = (Counter(text.split("\n")) - Counter(before.split("\n"))).elements()
    assert sorted(map(str.strip, added)) in [[f"if ({each} == NULL)", "return;"] for each in tested]
