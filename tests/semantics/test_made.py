"""What is allocated where, by what takes the result."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.program import Program
from wolverine.core.types import CHAR, StructReference
from wolverine.semantics.made import allocated_types

BAG = """\
#include <stdlib.h>
#include <string.h>
struct bag { void *held; struct bag *next; };
void put(struct bag **to, void *held)
{
    struct bag *bag = malloc(sizeof(struct bag));
    bag->held = held;
    bag->next = *to;
    *to = bag;
}
void fill(struct bag **to, const char *text, void **room)
{
    put(to, COPY);
}
"""
LINE = 1 + BAG[: BAG.index("    put(to, COPY)")].count("\n")


@pytest.mark.parametrize(
    ("copied", "text"),
    [
        ("strdup(text)", True),
        ("strndup(text, 3)", True),
        ("malloc(8)", False),
        ("(*room = malloc(8), strdup(text))", False),
    ],
)
def test_a_copy_of_a_text_holds_characters_whatever_keeps_it(
    lower: Callable[[str], Program], copied: str, text: bool
) -> None:
    """Nothing is told of a line that allocates something else as well."""
    found = allocated_types(lower(BAG.replace("COPY", copied)))
    assert found["put", 6] == StructReference("bag")
    assert (found.get(("fill", LINE)) == CHAR) is text
