"""What is copied as a piece of memory may begin elsewhere, or be longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.patch import Repairs
from wolverine.frontend import check
from wolverine.repair import search

HALVES = """\
#include <stdlib.h>
#include <string.h>
struct bag { int used; int items[6]; struct bag *next; };
struct bag *first;
static void halve(struct bag *b)
{
    int kept = b->used / 2;
    struct bag *more = calloc(1, sizeof *more);
    more->used = b->used - kept;
    COPIED
    b->used = kept;
    more->next = b->next;
    b->next = more;
}
int main(void)
{
    first = calloc(1, sizeof *first);
    first->used = 2;
    for (int i = 0; i < 2; i++)
        first->items[i] = i + 5;
    halve(first);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("copied", "found"),
    [
        ("memcpy(more->items, b->items, more->used * sizeof(int));", "&b->items[kept]"),
        ("memmove(more->items, &b->items[0], more->used * sizeof(int));", "&b->items[kept]"),
        ("memcpy(b->items, b->items + kept, more->used * sizeof(int));", "more->items"),
    ],
)
def test_arguments_of_what_copies_memory_are_repaired(copied: str, found: str, tmp_path: Path) -> None:
    source = HALVES.replace("COPIED", copied)
    play = Play(program_of(source, tmp_path))
    play.enter_function("halve")
    play.to(13)
    play.change("n2->items", "6")  # the first one
    if "memcpy(b->items" in copied:
        play.change("n1->items", "5")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    first = answer.candidates[:2]  # one number may be as good as the other
    assert found in [words(play.program, each) for each in first]
    for each in first:
        [edit] = each.patch.edits
        assert play.program.location(edit.location).line == 10
        check(play.program, each.patch)
