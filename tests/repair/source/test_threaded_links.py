"""Links that may lead to a child or be a thread: another field tells which."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.patch import Edit, NewValue
from wolverine.core.program import Branch
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.threads import Threads

PAGES = """\
#include <stdlib.h>
struct page { int key, last; struct page *left, *right; } *top;
static struct page *after(struct page *p)
{
    if (p->last == 1)
        return p->right;
    for (p = p->right; p->left; p = p->left)
        ;
    return p;
}
static int size(struct page *p)
{
    int found = 1;
    if (p->left != NULL)
        found += size(p->left);
    if (ASKED)
        found += size(p->right);
    return found;
}
static void destroy(struct page *page)
{
    if (page->left != NULL)
        destroy(page->left);
    if (FREED)
        destroy(page->right);
    free(page);
}
int main(void)
{
    size(top);
    after(top);
    destroy(top);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("asked", "freed", "instead"),
    [
        ("p->right != NULL", "page->last == 0", ["p->last == 0"]),
        ("p->right == NULL", "page->last == 0", ["p->last != 0"]),
        ("p->right", "!page->last", ["!p->last"]),
        ("p->left != NULL", "page->last == 0", []),
        ("p->right != NULL", "page->right != NULL", []),  # one place tells nothing
    ],
)
def test_what_is_asked_before_a_link_is_followed(
    asked: str, freed: str, instead: list[str], tmp_path: Path
) -> None:
    program = program_of(PAGES.replace("ASKED", asked).replace("FREED", freed), tmp_path)
    _, branch = (step for step in program.functions["size"].code if isinstance(step, Branch))
    found = Threads(program).instead_of(branch.condition)
    assert [text(each) for each in found] == instead
    menu = Menus(program).menu(branch.location)
    assert menu is not None
    scores = Scores(program)
    distances = {
        text(made.value): scores.edit(Edit(branch.location, made))
        for each in menu.choices
        if isinstance(made := each.replacement, NewValue)
    }
    top = asked.replace("NULL", "top")
    assert all(distances[each] < distances.get(top, 9.0) for each in instead)
