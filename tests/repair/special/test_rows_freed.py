"""Lists that hang on the elements of an array, of which only the first nodes are freed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Call
from wolverine.repair.special.loops import frees_first

TABLE = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct table { int size; struct item **rows; };
static void drop(struct table *t)
{
    for (int i = 0; i < t->size; i++)
        free(FIRST);
    free(HOLDER);
}
int main(void)
{
    struct table t = {0, NULL};
    drop(&t);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("first", "holder", "told"),
    [
        ("t->rows[i]", "t->rows", True),
        ("t->rows[i]", "t", True),
        ("t->rows[0]->next", "t->rows[1]", False),
        ("t->rows", "t->rows[0]", False),
    ],
)
def test_whoever_frees_the_array_frees_what_hangs_on_it(
    first: str, holder: str, told: bool, tmp_path: Path
) -> None:
    program = program_of(TABLE.replace("FIRST", first).replace("HOLDER", holder), tmp_path)
    code = program.functions["drop"].code
    index = next(at for at, step in enumerate(code) if isinstance(step, Call) and step.function == "free")
    assert frees_first(program, "drop", index) is told
