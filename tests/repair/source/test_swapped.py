"""Two arguments of a call in the wrong order."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.frontend import check, emit
from wolverine.repair import search
from wolverine.repair.source.swapped import by_name, exchanges, in_order, in_other_order, making_alike, stored

JOIN = """\
#include <stdlib.h>
struct node { int data; struct node *left, *right; };
struct node *root;
struct node *join(int data, struct node *left, struct node *right)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->left = left;
    n->right = right;
    return n;
}
void make(int data)
{
    struct node *low = join(data - 1, NULL, NULL), *high = join(data + 1, NULL, NULL);
    root = join(data, low, high);
}
int main()
{
    make(5);
    return 0;
}
"""


@pytest.mark.thorough
def test_one_change(tmp_path: Path) -> None:
    """Both are changed at once, and the source is right to the letter."""
    play = Play(program_of(JOIN.replace("low, high)", "high, low)"), tmp_path))
    play.enter_function("make")
    play.to(JOIN[: JOIN.index("int main")].count("\n"), "make")
    play.change("n3->left", "n1")
    play.change("n3->right", "n2")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    patch = answer.candidates[0].patch
    check(play.program, patch)
    assert emit(play.program, patch)[0].decode() == JOIN


COIN = """\
#include <stdlib.h>
enum side { HEADS, TAILS };
struct coin { enum side side; int worth; const char *maker; };
struct coin *mint(enum side side, int worth, const char *maker)
{
    struct coin *c = malloc(sizeof *c);
    c->side = side;
    c->worth = worth;
    c->maker = maker;
    return c;
}
struct coin *last;
void strike(int worth)
{
    last = mint(TAILS, worth, "here");
}
int main()
{
    strike(5);
    return 0;
}
"""


def test_numbers_of_other_types(tmp_path: Path) -> None:
    """An `enum` and an `int` are exchanged as well, each converted to the type of the other."""
    play = Play(program_of(COIN.replace("TAILS, worth", "worth, TAILS"), tmp_path))
    play.enter_function("strike")
    play.to(COIN[: COIN.index("int main")].count("\n"), "strike")
    play.change("n1->side", "1")
    play.change("n1->worth", "5")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert emit(play.program, answer.candidates[0].patch)[0].decode() == COIN


def test_only_what_can_stand_in_the_other_place(tmp_path: Path) -> None:
    """A number is not exchanged with a pointer."""
    program = program_of(COIN, tmp_path)
    arguments = {
        edit.location for pair in exchanges(program.functions["strike"]) for edit in pair if not stored(edit)
    }
    assert [program.location(each).text for each in sorted(arguments)] == ["TAILS", "worth"]


GRID = """\
static int cells[9];
static int at(int row, int col)
{
    return cells[row * 3 + col];
}
static int through(int row, int col)
{
    return row > col ? through(col, row) : at(ROW, COL);
}
int main(void)
{
    return through(1, 2);
}
"""


@pytest.mark.parametrize(
    ("row", "col", "named"), [("col", "row", True), ("row", "col", False), ("col", "row + 1", False)]
)
def test_variables_with_the_names_of_parameters(row: str, col: str, named: bool, tmp_path: Path) -> None:
    """Of what the function hands on to itself nothing is told."""
    program = program_of(GRID.replace("ROW", row).replace("COL", col), tmp_path)
    found = [by_name(program, *pair) for pair in exchanges(program.functions["through"])]
    assert len(found) == 2
    assert any(found) is named


QUEUES = """\
#include <stdlib.h>
struct task { int rank; struct task *after; };
static struct task *put(int rank, struct task *after)
{
    struct task *t = malloc(sizeof *t);
    t->rank = rank;
    t->after = after;
    return t;
}
static struct task *both(struct task *old, struct task *young)
{
    if (old == NULL)
        return young;
    if (young == NULL)
        return old;
    if (old->rank <= young->rank) {
        old->after = both(old->after, young);
        return old;
    }
    young->after = both(old, young->after);
    return young;
}
struct task *all;
static void join(struct task *old, struct task *young)
{
    all = both(old, young);
}
int main(void)
{
    join(put(2, NULL), put(1, put(2, NULL)));
    return 0;
}
"""
LINE = QUEUES[: QUEUES.index("young->after = both")].count("\n") + 1


@pytest.mark.parametrize(
    ("first", "second", "meant"),
    [
        ("old->after, young", "young->after, old", True),
        ("young, old->after", "young->after, old", False),  # they take turns
        ("old->after, young", "young, old", False),  # as they are
        ("old->after, young", "old, young->after", False),
        ("old, young", "young->after, old", False),
    ],
)
def test_a_recursion_in_the_order_of_another(first: str, second: str, meant: bool, tmp_path: Path) -> None:
    text = QUEUES.replace("old->after, young", first).replace("old, young->after", second)
    program = program_of(text, tmp_path)
    pairs = [pair for pair in exchanges(program.functions["both"]) if not stored(pair[0])]
    found = {program.location(pair[0].location).line: in_order(program, *pair) for pair in pairs}
    assert found.pop(LINE) is meant
    assert not any(found.values())


def test_a_recursion_rather_than_the_test_before_it(tmp_path: Path) -> None:
    """Equal ones change their order: `<` would let them do so in other places."""
    play = Play(program_of(QUEUES.replace("old, young->after", "young->after, old"), tmp_path))
    play.enter_function("join")
    play.to(QUEUES[: QUEUES.index("int main")].count("\n"), "join")
    play.change("n2->after", "n3")
    play.change("n3->after", "n1")
    play.change("n1->after", "null")
    play.spec("n1->after", "n2->after", "n3->after")
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert emit(play.program, answer.candidates[0].patch)[0].decode() == QUEUES


BOXES = """\
#include <stdlib.h>
struct box { int deep; struct box *inner; };
static void measure(struct box *b)
{
    b->deep = b->inner == NULL ? 1 : b->inner->deep + 1;
}
static void wrap(struct box *outer, struct box *kept)
{
    outer->inner = kept;
    measure(kept);
    measure(outer);
}
int main(void)
{
    struct box *all = calloc(1, sizeof *all);
    for (int i = 0; i < 2; i++) {
        struct box *more = calloc(1, sizeof *more);
        all->deep = 0;
        wrap(more, all);
        all = more;
    }
    return all->deep;
}
"""
WRONG = BOXES.replace("measure(kept);\n    measure(outer);", "measure(outer);\n    measure(kept);")


def test_two_calls_stand_in_the_other_order(tmp_path: Path) -> None:
    """Rather than that one is made twice."""
    play = Play(program_of(WRONG, tmp_path))
    play.enter_function("wrap")
    play.to(12, "wrap")
    play.change("n2->deep", "2")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert emit(play.program, answer.candidates[0].patch)[0].decode() == BOXES


@pytest.mark.parametrize(
    ("between", "count"),
    [
        ("", 1),
        ("int *p = &kept->deep;", 0),
        ("if (kept->inner != NULL)", 0),
    ],
)
def test_calls_of_which_one_is_right_behind_the_other(between: str, count: int, tmp_path: Path) -> None:
    text = BOXES.replace("measure(outer);", f"{between}\n    measure(outer);")
    program = program_of(text, tmp_path)
    found = [*in_other_order(program.functions["wrap"])]
    assert len(found) == count
    alike = making_alike(program.functions["wrap"])
    assert len(alike) == 2 * count


def test_what_another_call_returns_is_not_handed_on_in_another_order(tmp_path: Path) -> None:
    text = BOXES.replace(
        "struct box *inner; };", "struct box *inner; };\nstruct box *same(struct box *b) { return b; }"
    )
    text = text.replace("measure(kept)", "measure(same(kept))")
    assert not [*in_other_order(program_of(text, tmp_path).functions["wrap"])]
