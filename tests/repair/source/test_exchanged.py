"""A `free` of what has just changed places."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Deletion, Edit, Patch
from wolverine.core.program import Call
from wolverine.repair.source.exchanged import keeps_exchanged

TREE = """\
#include <stdlib.h>
struct tree { struct tree *left, *right; };
void f(struct tree *t, int more)
{
    struct tree *other = t->left;
    BODY
}
int main(void) { f(malloc(sizeof(struct tree)), 0); return 0; }
"""
BODIES = {
    "t->left = t->right; t->right = other; free(other);": True,
    "t->left = t->right; if (more) t->right = other; free(other);": False,
    "t->left = other->left; free(other);": False,
    "t->left = other; free(other);": False,
    "t->right = other; free(other);": False,
    "t->left = t->right; t->right = other; other = other->left; free(other);": False,
    "if (more) { other = t->right; t->right = t->left; t->left = other; free(other); }": True,
}


@pytest.mark.parametrize("body", BODIES)
def test_it_is_kept_where_another_link_leads_to_it_now(body: str, tmp_path: Path) -> None:
    program = program_of(TREE.replace("BODY", body), tmp_path)
    [call] = (
        step for step in program.functions["f"].code if isinstance(step, Call) and step.function == "free"
    )
    assert keeps_exchanged(program, Patch((Edit(call.location, Deletion()),))) is BODIES[body]
    assert not keeps_exchanged(program, Patch())
