"""Pointers into different objects, compared by where these lie, under gdb."""

from __future__ import annotations

from pathlib import Path

from wolverine.bench.modelled import walk

COMPARED = """\
#include <stdlib.h>
struct header { struct header *next; unsigned size; };
static struct header base;
static int before(struct header *one, struct header *two) { return one < two; }
static int within(struct header *from, struct header *at, struct header *to) { return at > from && at < to; }
int main(void)
{
    struct header own;
    struct header *first = malloc(16 * sizeof *first), *second = malloc(sizeof *second);
    int told[10];
    told[0] = before(NULL, &base);
    told[1] = before(NULL, first);
    told[2] = before(&base, first);
    told[3] = before(first + 3, &base);
    told[4] = before(first, second);
    told[5] = before(second, first + 15);
    told[6] = before(second, &own);
    told[7] = before(&own, &base);
    told[8] = within(&base, first, &own);
    told[9] = within(first, first + 2, second);
    free(first);
    free(second);
    return told[0] + told[9];
}
"""


def test_the_model_compares_as_the_process_does(tmp_path: Path) -> None:
    source = tmp_path / "compared.c"
    source.write_text(COMPARED)
    nothing = tmp_path / "nothing"
    nothing.write_bytes(b"")
    found = walk([source], stdin=nothing, most=60, cflags=["-w"])
    assert not found.differences
    assert found.ended
    assert found.executed_share == 1.0
