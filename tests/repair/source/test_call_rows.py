"""Two calls about one node, which another function makes in a row."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of, words

from wolverine.core.patch import Repairs
from wolverine.frontend import check
from wolverine.repair import search
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.call_rows import call_rows, calls_back

SHELF = """\
#include <stdlib.h>
struct book { int key, lent; struct book *left, *right; };
struct shelf { struct book end, *known[4]; };
static struct book **find(struct shelf *s, int key)
{
    return &s->known[key % 4];
}
static void take(struct book *b)
{
    b->left->right = b->right;
    b->right->left = b->left;
}
static void lay(struct shelf *s, struct book *b)
{
    b->left = &s->end;
    b->right = s->end.right;
    b->right->left = b;
    s->end.right = b;
}
static void give_back(struct shelf *s, int key)
{
    struct book *found = *find(s, key);
    if (found == NULL)
        return;
    found->lent--;
    take(found);
    lay(s, found);
}
static void lend(struct shelf *s, int key)
{
    struct book **at = find(s, key);
    if (*at != NULL) {
        (*at)->lent++;
    }
} // end
int main(void)
{
    struct shelf *s = calloc(1, sizeof *s);
    s->end.left = s->end.right = &s->end;
    for (int key = 1; key <= 3; key++) {
        struct book *b = calloc(1, sizeof *b);
        b->key = key;
        s->known[key] = b;
        lay(s, b);
    }
    give_back(s, 2);
    lend(s, 1);
    return 0;
}
"""


def test_the_calls_of_a_row_are_passed_the_same_node(tmp_path: Path) -> None:
    program = program_of(SHELF, tmp_path)
    [row] = call_rows(program)
    assert row.function == "give_back"
    assert [*map(replacement_text, row.block.statements)] == ["take(found)", "lay(s, found)"]
    assert not calls_back(program, row, "lend")
    assert calls_back(program, row, "take")


def test_one_branch_between_them_parts_two_calls(tmp_path: Path) -> None:
    parted = SHELF.replace("    lay(s, found);", "    if (key > 0)\n        lay(s, found);")
    assert not [*call_rows(program_of(parted, tmp_path))]


def test_both_calls_are_put_in_where_they_are_missing(tmp_path: Path) -> None:
    play = Play(program_of(SHELF, tmp_path))
    play.enter_function("lend")
    play.to(next(i for i, line in enumerate(SHELF.split("\n"), 1) if "// end" in line))
    end, right = "n1", 16  # the shelf begins with its end; where in a book the next one is
    # 2 3 1 comes to be 1 2 3
    for place, value in (
        (f"n1+{right}", "n2"),
        ("n1+8", "n4"),
        ("n2->left", end),
        ("n2->right", "n3"),
        ("n3->left", "n2"),
        ("n4->right", end),
    ):
        play.change(place, value)
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    first = answer.candidates[0]
    assert words(play.program, first) == "take(*at); lay(s, *at)"
    check(play.program, first.patch)
