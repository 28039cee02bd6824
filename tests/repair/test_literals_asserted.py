"""A pointer to a string literal is asserted with the rest: the literal's address keeps no repair away."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.repair import search

NAMED = """#include <stdlib.h>
struct item { const char *name; struct item *next; };
struct item *first;
int main(void) {
    const char *title = "list";
    struct item *n = malloc(sizeof *n);
    n->name = "one";
    n->next = first;
    first = NULL;
    title = "done";
    return 0;
}
"""


def test_a_literal_asserted_beside_a_correction_is_met(tmp_path: Path) -> None:
    play = Play(program_of(NAMED, tmp_path))
    play.enter_function("main")
    play.to(11)
    play.change("first", "n1")
    play.spec()
    found = search(play.problem())
    assert isinstance(found, Repairs)
    program = play.program
    assert {9} in [{program.location(e.location).line for e in c.patch.edits} for c in found.candidates]
