"""Tests for null that are the wrong way round, and those that look at another pointer than is used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import Logical, text
from wolverine.core.program import Branch
from wolverine.repair.engine import search
from wolverine.repair.ranking.contradicted import contradicted, looked_at_first, only_asked
from wolverine.repair.ranking.origins import origins

LISTS = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static int shown;
static void show(struct node *last)
{
    SHOW
}
static void take(struct node *head, int v)
{
    struct node *before = head, *at = head->next;
    TAKE
    before->next = at->next;
}
int main(void)
{
    struct node one = {1, 0};
    one.next = NEXT;
    CALL;
    return shown;
}
"""
RING = """
        return;
    struct node *p = last->next;
    do { shown += p->v; p = p->next; } while (p != last->next);"""


def wrong(show: str = "", take: str = "", call: str = "show(0)", following: str = "&one") -> str:
    made = LISTS.replace("SHOW", show).replace("TAKE", take).replace("CALL", call)
    return made.replace("NEXT", following)


@pytest.mark.parametrize(
    ("show", "repaired"),
    [
        ("if (last != NULL)" + RING, "last == NULL"),
        ("if (!(last == NULL))" + RING, "last == NULL"),
        # what is set anew behind the loop is another pointer
        (
            "struct node *p;\n    for (p = last; p == NULL; p = p->next)\n        shown += p->v;"
            "\n    for (p = last; p != NULL; p = NULL)\n        shown += p->v;",
            "p != NULL",
        ),
        # by a copy of the pointer
        ("struct node *p = last;\n    if (last)\n        return;\n    shown = p->v;", "!last"),
        # inside one condition
        ("if (last == NULL && last->v > 2)\n        shown++;", "last != NULL && last->v > 2"),
        ("if (last != NULL || last->v > 2)\n        shown++;", "last == NULL || last->v > 2"),
        # which is joined the other way where null is not to get further
        ("while (last != NULL || last->v > 2)\n        last = last->next;", "last != NULL && last->v > 2"),
        ("if (!last && last->v > 2)\n        return;\n    shown = last->v;", "!last || last->v > 2"),
        (
            "if (last != NULL || last->v > 2)\n        shown++;\n    if (last)\n        shown += last->v;",
            "last == NULL || last->v > 2",
        ),
    ],
)
def test_a_test_that_lets_only_null_through_is_turned_round(show: str, repaired: str, tmp_path: Path) -> None:
    problem = crash(wrong(show), "show", tmp_path)
    assert words(problem.program, best(problem)) == repaired


MADE = """\
#include <stdlib.h>
struct part { int n; };
struct whole { struct part *first, *other; int parts; };
static void count(struct whole *w)
{
    TEST
        MAKE
    w->first->n++;
}
int main(void)
{
    struct whole w = {NULL, NULL, 0};
    count(&w);
    return w.first->n;
}
"""


@pytest.mark.parametrize(
    ("make", "turned"),
    [
        ("w->first = calloc(1, sizeof(struct part));", {"w->first == NULL"}),
        ("{ w->parts++; w->first = w->other; }", {"w->first == NULL"}),
        ("{ w->parts += w->first->n; w->first = w->other; }", set()),  # it has been of use
        ("{ free(w->first); w->first = w->other; }", set()),
        ("w->first = NULL;", set()),
        ("w->parts++;", set()),
    ],
)
def test_a_test_by_which_only_what_is_there_is_made_anew_is_turned_round(
    make: str, turned: set[str], tmp_path: Path
) -> None:
    written = MADE.replace("TEST", "if (w->first != NULL)").replace("MAKE", make)
    problem = crash(written, "count", tmp_path)
    trace = problem.traces[0]
    found = contradicted(problem.program, trace, origins(problem.program, trace))
    assert {each for texts in found.values() for each in texts} == turned


def test_a_guard_that_does_its_work_is_not(tmp_path: Path) -> None:
    """That the loop may end at null was not thought of behind it."""
    loop = "while (at != NULL && at->v != v) { before = at; at = at->next; }"
    problem = crash(wrong(take=loop, call="take(&one, 5)", following="NULL"), "take", tmp_path)
    trace = problem.traces[0]
    assert contradicted(problem.program, trace, origins(problem.program, trace)) == {}


def test_to_take_the_address_of_a_link_goes_through_the_pointer(tmp_path: Path) -> None:
    """The loop to the last link goes one too far: it is not to stop at the first one."""
    loop = (
        "struct node **end = &last;\n    while (*end)\n        end = &(*end)->next;\n    shown = (*end)->v;"
    )
    problem = crash(wrong(loop, call="show(&one)", following="NULL"), "show", tmp_path)
    trace = problem.traces[0]
    assert contradicted(problem.program, trace, origins(problem.program, trace)) == {}
    assert words(problem.program, best(problem)) == "(*end)->next"


def test_what_is_tested_is_what_is_gone_through(tmp_path: Path) -> None:
    loop = "while (at != NULL && before->next->v < v) { before = at; at = at->next; }\n    if (!at) return;"
    program = program_of(wrong("if (last && last->v > 2) shown++;", loop), tmp_path)
    tests = {
        text(s.condition): s.condition
        for f in program.functions.values()
        for s in f.code
        if isinstance(s, Branch)
    }
    counts = {written: looked_at_first(condition) for written, condition in tests.items()}
    assert counts == {"at != NULL && before->next->v < v": 0, "!at": 0, "last && last->v > 2": 1}


def test_a_loop_that_steps_to_what_it_tests_is_not(tmp_path: Path) -> None:
    step = """for (int i = 1; i < v && before->next != NULL; i++)
        before = before->next;
    at = before->next;"""
    problem = crash(wrong(take=step, call="take(&one, 2)", following="NULL"), "take", tmp_path)
    trace = problem.traces[0]
    assert contradicted(problem.program, trace, origins(problem.program, trace)) == {}


WAYS = """\
#include <stdlib.h>
struct place { int inn; struct place *way[3]; };
static int furthest(struct place *p, const char *ways)
{
    int gone = 0, best = -1;
    while (ways[gone] != 0) {
        p = p->way[ways[gone] - '0'];
        gone++;
        if (p->inn)
            best = gone;
    }
    return best;
}
int main(void)
{
    struct place *from = calloc(1, sizeof *from), *to = calloc(1, sizeof *to);
    from->way[1] = to;
    to->inn = 1;
    return furthest(from, "12");
}
"""


def test_a_loop_is_left_where_a_test_for_null_does_not_keep_its_next_round_from_it(tmp_path: Path) -> None:
    """`p != NULL && p->inn` would crash one way further on."""
    problem = crash(WAYS, "furthest", tmp_path)
    assert words(problem.program, best(problem)) == "if (p == NULL) break"


@pytest.mark.parametrize(
    ("behind", "vain"),
    [
        ("", True),
        ("if (p == NULL) break;", False),
        ("if (p == NULL) p = from;", False),
        ("break;", False),
    ],
)
def test_a_new_test_for_null_is_in_vain_where_null_is_gone_through_behind_it(
    behind: str, vain: bool, tmp_path: Path
) -> None:
    """Null comes to `p->way` in the next round, unless something is done about it."""
    written = WAYS.replace("int gone", "struct place *from = p; int gone")
    written = written.replace("if (p->inn)", "if (p != NULL && p->inn)").replace(
        "= gone;", f"= gone; {behind}"
    )
    code = program_of(written, tmp_path).functions["furthest"].code
    steps = ((at, step) for at, step in enumerate(code) if isinstance(step, Branch))
    at, step = next(each for each in steps if isinstance(each[1].condition, Logical))
    assert isinstance(step.condition, Logical)
    assert only_asked(code, at, replace(step, condition=step.condition.right), step.condition) == vain
    assert not only_asked(code, at, step, step.condition)  # it was asked before


ROWS = """\
#include <stdlib.h>
struct node { int v; struct node *next, *below; };
static void drop(struct node *prev, struct node *curr)
{
    while (curr) {
        prev->next = curr->next;
        curr = curr->below;
        prev = prev->below;
        while (prev->next != curr)
            prev = prev->next;
    }
}
int main(void)
{
    struct node *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two), *under = calloc(1, sizeof *one);
    struct node *low = calloc(1, sizeof *low);
    one->next = two;
    one->below = under;
    under->next = low;
    two->below = low;
    drop(one, two);
    return one->next != NULL;
}
"""


def test_a_search_that_ends_with_null_may_be_the_last(tmp_path: Path) -> None:
    """That there is no row below ends both loops, which the text alone does not tell."""
    problem = crash(ROWS, "drop", tmp_path)
    told = [words(problem.program, each) for each in search(problem).candidates]
    assert told.index("prev != NULL && prev->next != curr") < told.index("curr != NULL && prev->next != curr")
