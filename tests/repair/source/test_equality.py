"""`=` where `==` was meant, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.frontend import check, describe, emit
from wolverine.repair import search
from wolverine.repair.source.equality import meant

DROP = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void drop(int data)
{
    struct node *p = head, *behind;
    if (p == NULL)
        return;
    if (p->data == data) {
        head = p->next;
        return;
    }
    behind = p->next;
    if (behind == NULL)
        return;
    p->next = behind->next;
    behind->next = NULL;
}
int main()
{
    for (int i = 1; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->data = i;
        n->next = head;
        head = n;
    }
    drop(2);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "changes"),
    [
        (
            "p->data == data",
            "p->data = data",
            {"n3->data": "3", "head": "n3", "n3->next": "n1", "n2->next": "null"},
        ),
        ("p->next = behind->next;", "p->next == behind->next;", {"n3->next": "n1"}),
        ("head = p->next;", "head == p->next;", {}),
    ],
)
def test_the_source_is_right_again(right: str, wrong: str, changes: dict[str, str], tmp_path: Path) -> None:
    """The first repair is the program before the bug, to the letter."""
    good = DROP if changes else DROP.replace("drop(2)", "drop(3)")
    play = Play(program_of(good.replace(right, wrong), tmp_path))
    play.enter_function("drop")
    play.to(good[: good.index("int main")].count("\n"))
    for place, value in (changes or {"head": "n2"}).items():
        play.change(place, value)
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    patch = answer.candidates[0].patch
    check(play.program, patch)
    assert len(describe(play.program, patch)) == 1
    assert emit(play.program, patch)[0].decode() == good


def test_the_step_of_a_loop_is_no_comparison(tmp_path: Path) -> None:
    """In `for (; p; p = p->next)` the condition is behind the step; nobody wrote it as one."""
    loops = (
        "struct node { struct node *next; };\n"
        "int f(struct node *p) { int n = 0; %s n++; return n; }\n"
        "int main() { return f(0); }\n"
    )

    def found(loop: str) -> list[int]:
        function = program_of(loops % loop, tmp_path).functions["f"]
        return [index for index in range(len(function.code)) if meant(function, index) is not None]

    assert not found("for (; p; p = p->next)")
    assert found("while (p = p->next)")
