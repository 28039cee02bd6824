"""Two statements that are missing in one place, as they stand in a row elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from sanitized import printed, sanitized

from wolverine.session import results

HANGER = """\
#include <stdio.h>
#include <stdlib.h>
struct arm { int weight; struct arm *left, *right, *up; };
static struct arm *arm(int weight, struct arm *left, struct arm *right)
{
    struct arm *a = malloc(sizeof *a);
    a->weight = weight;
    a->left = left;
    a->right = right;
    a->up = NULL;
    if (left != NULL)
        left->up = a;
    if (right != NULL)
        right->up = a;
    return a;
}
static void replace(struct arm *old, struct arm *by)
{
    if (old->left != NULL) {
        by->left = old->left;
        by->left->up = by;
    }
    if (old->right != NULL) {
        by->right = old->right;
        by->right->up = by;
    }
    free(old);
}
static int sum(const struct arm *a)
{
    return a == NULL ? 0 : a->weight + sum(a->left) + sum(a->right) + (a->up != NULL ? a->up->weight : 0);
}
static void drop(struct arm *a)
{
    if (a == NULL)
        return;
    drop(a->left);
    drop(a->right);
    free(a);
}
int main(int argc, char **argv)
{
    int kind = argc > 1 ? atoi(argv[1]) : 3;
    struct arm *left = kind & 1 ? arm(2, NULL, NULL) : NULL, *right = kind & 2 ? arm(3, NULL, NULL) : NULL;
    struct arm *old = arm(1, left, right), *by = arm(5, NULL, NULL);
    replace(old, by);
    printf("%d", sum(by));
    drop(by);
    return 0;
}
"""
ROW = "        by->right = old->right;\n        by->right->up = by;\n"


@pytest.mark.parametrize("braces", ["", pytest.param("        ;\n", marks=pytest.mark.thorough)])
def test_both_are_put_in_as_they_stand_elsewhere_with_the_other_link(
    play: Callable[..., Played], tmp_path: Path, braces: str
) -> None:
    session = play(HANGER.replace(ROW, braces), arguments=["3"])
    last = HANGER.replace(ROW, braces).splitlines().index("    free(old);") + 1
    session(f"break {last}; run; change by->right n2; change n2->up n4; repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.after == "by->right = old->right; by->right->up = by;"
    session(f"rewrite {tmp_path / 'out.c'}")
    (tmp_path / "right.c").write_text(HANGER)
    right, mended = sanitized(tmp_path / "right.c"), sanitized(tmp_path / "out.c")
    for kind in "0123":
        assert printed(mended, kind) == printed(right, kind)
