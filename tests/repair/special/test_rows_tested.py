"""Two statements in a row that crash on other heaps are put under a test together."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.patch import Edit, NewAssignment, Patch, Several
from wolverine.core.program import Assign, Gap
from wolverine.core.trace import Budget
from wolverine.repair.execution.work import Work
from wolverine.repair.menus.wording import describe
from wolverine.repair.special.rows_tested import rows_tested

PAIRS = """\
#include <stdlib.h>
struct card { int worth; struct card *next; };
struct card *deal(struct card *rest) {
    struct card *out = NULL;
    while (rest != NULL && rest->next != NULL) {
        struct card *one = rest, *two = rest->next;
        rest = two->next;
        one->worth += two->worth;
        one->next = out;
        out = one;
    }
    return out;
}
int main(void) {
    struct card *all = NULL;
    for (int i = 0; i < 3; i++) {
        struct card *card = malloc(sizeof *card);
        card->worth = i;
        card->next = all;
        all = card;
    }
    all = deal(all);
    return 0;
}
"""


def test_what_is_left_over_is_linked_where_there_is_something(tmp_path: Path) -> None:
    play = Play(program_of(PAIRS, tmp_path))
    play.enter_function("deal")
    play.to(12)
    play.change("n1->next", "n3")
    play.change("out", "n1")
    play.spec()
    expected = "if (rest != NULL) { rest->next = out; out = rest }"
    assert words(play.program, best(play.problem())) == expected


ROW = """\
struct node { int key; struct node *left, *up; };
void run(struct node *p, struct node *q) {
    ASKED
    p->left = q->left;
    p->left->up = p;
} // end
int main(void) {
    struct node c = {3, 0, 0}, b = {2, &c, 0}, a = {1, 0, 0};
    run(&a, &b);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("condition", "tested"), [("q == 0 || p == 0", ["q", "p"]), ("!q", ["q"]), ("p->left", [])]
)
def test_the_row_is_asked_for_what_the_function_asks_for_and_the_row_has_not_set(
    condition: str, tested: list[str], tmp_path: Path
) -> None:
    play = Play(program_of(ROW.replace("ASKED", f"if ({condition}) return;"), tmp_path))
    play.enter_function("run")
    play.to(6)
    play.spec()
    code = play.program.functions["run"].code
    row = Several(tuple(NewAssignment(s.target, s.value) for s in code if isinstance(s, Assign)))
    gap = next(each.location for each in code if isinstance(each, Gap))
    found = rows_tested(
        play.problem(), Work(Budget(), lambda: False), [Edit(gap, row), Edit(gap, row.statements[0])]
    )
    texts = [describe(play.program, Patch((each.edit,)))[7:] for each in found]
    assert texts == [f"if ({each} != NULL) {{ p->left = q->left; p->left->up = p }}" for each in tested]
