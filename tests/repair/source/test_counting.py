"""What counts, and by how much."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load, lvalue_text
from wolverine.core.program import Assign, Branch, Call
from wolverine.frontend import parse_expression
from wolverine.repair.source.counting import (
    counted_by_others,
    counts_back,
    counts_only_up,
    counts_otherwise,
    passes_by,
)

TEXT = "int work(int n, int k) { return n + k; } int main(void) { return 0; }"


@pytest.mark.parametrize(
    ("old", "new", "otherwise"),
    [
        ("n - 1", "n - 2", True),
        ("n + 1", "n + 1 + 1", True),
        ("n - 1", "n + 1", False),
        ("n - 1", "n - k", False),
        ("n - 2", "n - 1", False),
        ("n + 1", "k + 2", False),
    ],
)
def test_what_counts_by_one_counts_by_another_number(
    old: str, new: str, otherwise: bool, tmp_path: Path
) -> None:
    program = program_of(TEXT, tmp_path)
    place, before, after = (parse_expression(program, "work", each) for each in ("n", old, new))
    assert isinstance(place, Load)
    assert counts_otherwise(place.place, before, after) is otherwise


STEPS = """int work(int n, int k) {
    while (n != 100) {
        if (n == 0)
            return k;
        STEP
    }
    return 0;
}
int main(void) { return work(2, 1); }
"""


@pytest.mark.parametrize(
    ("step", "new", "passed"),
    [
        ("n -= k;", ["n > 100", "n <= 0"], True),
        ("n = n + 3;", ["n < 100", "n >= 0"], True),
        ("n -= k;", ["n < 100", "n >= 0", "n <= k", "n != 0"], False),
        ("n--;", ["n > 100", "n <= 0"], False),
        ("n -= k; n += 2;", ["n > 100", "n <= 0", "n >= 0"], False),
        ("n = k; n -= k;", ["n > 100", "n <= 0"], False),
    ],
)
def test_steps_lead_past_what_is_asked_for(step: str, new: list[str], passed: bool, tmp_path: Path) -> None:
    program = program_of(STEPS.replace("STEP", step), tmp_path)
    code = program.functions["work"].code
    asking = [index for index, each in enumerate(code) if isinstance(each, Branch)]
    found = [
        any(passes_by(code, index, parse_expression(program, "work", each)) for index in asking)
        for each in new
    ]
    assert found == [passed] * len(new)


LEVELS = """struct node { int v; struct node *next; };
struct node *first;
int level, found;
void enter(void) { level++; }
void leave(void) { level--; }
void work(int k) {
    while (k > 0) {
        enter();
        k--;
    }
    found--;
    WORK
    leave();
}
int main(void) { work(3); return 0; }
"""


@pytest.mark.parametrize("link", ["", "first = first->next;"])
def test_what_is_called_counts_for_who_calls_it(link: str, tmp_path: Path) -> None:
    program = program_of(LEVELS.replace("WORK", link), tmp_path)

    def elsewhere(function: str, name: str, value: str) -> bool:
        place, made = (parse_expression(program, function, each) for each in (name, value))
        assert isinstance(place, Load)
        return counted_by_others(program, function, place.place, made)

    assert elsewhere("work", "level", "level + 1") == (not link)
    assert elsewhere("work", "level", "level - 1") == (not link)
    assert not elsewhere("work", "level", "level + 2")
    assert not elsewhere("work", "found", "found - 1")
    assert not elsewhere("main", "level", "level + 1")
    assert not elsewhere("leave", "level", "level + 1")


def test_what_is_counted_down_is_not_counted_up_in_a_loop_beside(tmp_path: Path) -> None:
    program = program_of(LEVELS.replace("WORK", ""), tmp_path)
    code = program.functions["work"].code
    found, up, down, k = (
        parse_expression(program, "work", each) for each in ("found", "found + 1", "found - 1", "k")
    )
    assert isinstance(found, Load)
    assert isinstance(k, Load)
    inside = next(at for at, step in enumerate(code) if isinstance(step, Call))
    behind = next(at for at in range(len(code) - 1, 0, -1) if isinstance(code[at], Call))
    assert counts_back(code, inside, found.place, up)
    assert not counts_back(code, inside, found.place, down)
    assert not counts_back(code, behind, found.place, up)
    assert not counts_back(code, inside, k.place, parse_expression(program, "work", "k + 1"))


GUESTS = """#include <stdlib.h>
struct guest { struct guest *next; };
struct room { int guests, left; struct guest *first; };
void comes(struct room *r) {
    struct guest *g = malloc(sizeof *g);
    g->next = r->first;
    r->first = g;
    r->guests++;
    r->left++;
}
void goes(struct room *r) {
    struct guest *g = r->first;
    r->first = g->next;
    DOWN
    GONE
}
int main(void) { struct room r = {0, 0, NULL}; comes(&r); goes(&r); return 0; }
"""


@pytest.mark.parametrize(
    ("down", "gone", "new", "only_up"),
    [
        ("r->guests--;", "free(g);", "r->guests + 1", True),
        ("r->guests--;", "", "r->guests + 1", False),  # nothing goes
        ("r->guests--;", "free(g);", "r->guests - 2", False),
        ("r->guests--;", "free(g);", "r->left + 1", False),
        ("r->guests--; r->guests--;", "free(g);", "r->guests + 1", False),  # one of them may be wrong
    ],
)
def test_what_is_counted_as_nodes_come_is_counted_down_as_they_go(
    down: str, gone: str, new: str, only_up: bool, tmp_path: Path
) -> None:
    program = program_of(GUESTS.replace("DOWN", down).replace("GONE", gone), tmp_path)
    goes = program.functions["goes"]
    step = next(s for s in goes.code if isinstance(s, Assign) and lvalue_text(s.target) == "r->guests")
    value = parse_expression(program, "goes", new)
    assert counts_only_up(program, goes, step.target, step.value, value) is only_up
