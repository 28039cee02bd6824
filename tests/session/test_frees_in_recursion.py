"""A function that frees a tree by recursion spoils it in an outer call already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FOLDERS = """\
#include <stdio.h>
#include <stdlib.h>
struct folder { int size; struct folder *above, *inner, *after; };
static struct folder *folder(int size, struct folder *above)
{
    struct folder *f = malloc(sizeof *f);
    struct folder **end = above == NULL ? NULL : &above->inner;
    f->size = size;
    f->above = above;
    f->inner = NULL;
    f->after = NULL;
    while (end != NULL && *end != NULL)
        end = &(*end)->after;
    if (end != NULL)
        *end = f;
    return f;
}
static int sum(const struct folder *f)
{
    return f == NULL ? 0 : f->size + sum(f->inner) + sum(f->after);
}
static void drop(struct folder *f)
{
    while (f->inner != NULL) {
        struct folder *first = f->inner;
        f->inner = f->after;
        drop(first);
    }
    free(f);
}
int main(void)
{
    struct folder *root = folder(1, NULL);
    struct folder *home = folder(2, root);
    folder(3, home);
    folder(4, home);
    folder(5, root);
    printf("%d\\n", sum(root));
    drop(root);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_outermost_call_is_repaired(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(FOLDERS, work=1_000_000)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'repaired.c'}")
    assert "f->inner = first->after;" in (tmp_path / "repaired.c").read_text()
