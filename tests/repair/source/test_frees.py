"""Which functions may free all nodes that there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.repair.source.frees import can_free, may_clear

TEXT = """\
#include <stdlib.h>
struct node { struct node *next, *down; };
void drop(struct node *n) { free(n); }
void pop(struct node **list) { struct node *n = *list; *list = n->next; drop(n); }
void clear(struct node *list) { while (list != NULL) { struct node *n = list->next; drop(list); list = n; } }
void fell(struct node *n) { if (n != NULL) { fell(n->next); fell(n->down); free(n); } }
void leave(struct node **list) { clear(*list); }
int count(struct node *n) { int c = 0; for (; n != NULL; n = n->next) c++; return c; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("name", "clears"),
    [("drop", False), ("pop", False), ("clear", True), ("fell", True), ("leave", True), ("count", False)],
)
def test_what_frees_in_a_loop_or_by_recursion_may_free_all(name: str, clears: bool, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    assert can_free(program)
    assert may_clear(program, name) is clears
