"""Global pointers that lead to freed nodes in what was asserted."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.program import Program
from wolverine.repair.heaps.stale import stale
from wolverine.semantics.address import number_of
from wolverine.semantics.compiled import compile_program

WAITING = """#include <stdlib.h>
struct guest { int n; struct guest *next; };
struct guest *front, *rear, *served;
void come(int n) {
    struct guest *g = malloc(sizeof *g);
    g->n = n;
    g->next = NULL;
    if (front == NULL)
        front = g;
    else
        rear->next = g;
    rear = g;
}
int go(void) {
    struct guest *g = front;
    int n = g->n;
    front = g->next;
    served = g;
    free(g);
    return n;
}
int serve(void) {
    int sum = 0;
    while (front != NULL)
        sum += go();
    return sum;
}
int main(void) {
    come(1);
    return serve();
}
"""


def _found(function: str, line: int, folder: Path, text: str = WAITING) -> set[str]:
    play = Play(program_of(text, folder))
    play.enter_function(function)
    play.to(line)
    play.spec()
    numbers = stale(play.program, compile_program(play.program).layout, play.problem().traces[0])
    return {name for name, number in _numbers(play.program).items() if number in numbers}


def _numbers(program: Program) -> dict[str, int]:
    layout = compile_program(program).layout
    return {each.name: number_of(layout.address("", each)[1]) for each in program.globals}


@pytest.mark.parametrize(
    ("function", "line", "names"),
    [
        ("serve", 26, {"rear", "served"}),
        ("go", 20, {"rear"}),  # which is still to set the other one, maybe
        ("go", 18, set()),  # before the node is freed
    ],
)
def test_they_are_so_where_nobody_sets_them_any_more(
    function: str, line: int, names: set[str], tmp_path: Path
) -> None:
    assert _found(function, line, tmp_path) == names
