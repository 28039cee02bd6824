"""One slip in several places of a function, found and mended at once."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from playing import program_of

from wolverine.core.patch import Patch
from wolverine.repair.slips import Together
from wolverine.repair.throughout import everywhere, throughout
from wolverine.repair.wording import replacement_text

CHAIN = """\
#include <stddef.h>
struct pair { struct pair *next, *chain; int key; };
struct pair *first;
int count(void)
{
    struct pair *at = first->next;
    int n = 0;
    while (at != NULL) {
        at = at->next;
        n++;
    }
    return n;
}
int main(void) { return first != NULL ? count() : 0; }
"""
SIZES = """\
#include <stdlib.h>
struct node { struct node *next; long value; };
struct node *make(void)
{
    struct node *one = malloc(sizeof(struct node *));
    struct node *two = malloc(sizeof(struct node *));
    one->next = two;
    return one;
}
int main(void) { return make() == NULL; }
"""


@pytest.mark.parametrize(
    ("text", "function", "wanted"),
    [
        (CHAIN, "count", {"first->chain", "at = at->chain"}),
        (SIZES, "make", {"sizeof(*one)", "sizeof(*two)"}),
    ],
)
def test_all_places_of_a_slip_are_mended(tmp_path: Path, text: str, function: str, wanted: set[str]) -> None:
    program = program_of(text, tmp_path)
    offered = [*throughout(program, program.functions[function])]
    texts = [{replacement_text(edit.replacement).rstrip(";") for edit in edits} for edits in offered]
    assert wanted in texts, texts
    edits = offered[texts.index(wanted)]
    assert len(edits) > 1
    together = Together(program, partial(everywhere, program))
    assert set(edits) in map(set, together.made_by(Patch(edits)))
    assert [*together.made_by(Patch(edits[:1]))] == []
