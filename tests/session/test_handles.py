"""Corrections through `void *`, and to nodes that are freed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from wolverine.errors import CommandError

SOURCE = """\
#include <stdlib.h>
struct n { int v; struct n *next; };
int main(void)
{
    struct n *arena = calloc(4, sizeof *arena), *at = &arena[1], *one = calloc(1, sizeof *one);
    void *handle = one, *second = at;
    struct n *gone = calloc(1, sizeof *gone);
    free(gone);
    (void)handle; (void)second;
    return 0;
}
"""


def test_a_field_behind_a_void_pointer_is_named_as_in_the_picture(play: Callable[..., Any]) -> None:
    session = play(SOURCE)
    session("break 9; run")
    for text, named in (("handle->next", "n2->next"), ("second->next", r"n1\[1\]\.next")):
        with pytest.raises(CommandError, match=f"a void has no fields; in the picture it is {named}$"):
            session(f"change {text} null")
    with pytest.raises(CommandError, match=r"a void has no fields$"):
        session("change handle->other null")
    session("change n1[1].next &n1[2]")
    assert session.fields("n1")[1]["next"] == {"node": "n1", "field": "[2]"}


def test_that_a_change_leads_to_a_freed_node_is_told(play: Callable[..., Any]) -> None:
    session = play(SOURCE)
    session("break 9; run")
    session("change at n2")
    assert "is freed" not in session.texts()
    session("change at n3")
    assert "n3 is freed: if it should not be, `change n3 live`, else `undo`" in session.texts()
