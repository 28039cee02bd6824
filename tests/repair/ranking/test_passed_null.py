"""What a test makes of null speaks for none that still crashes there; two cases of one come behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.expressions import Binary, Constant, Dereference, Member, lvalue_text
from wolverine.core.patch import Edit, Guarded, NewAssignment, Patch
from wolverine.core.program import Assign
from wolverine.core.types import INT
from wolverine.repair.heaps.trials import Part
from wolverine.repair.ranking.reordered import plain_first

ROUND = """\
#include <stdlib.h>
struct seat { int number; struct seat *next; };
void leave(struct seat *first)
{
    struct seat *s = first, *next;
    if (first != NULL)
        return;
    do {
        next = s->next;
        free(s);
        s = next;
    } while (s != first);
}
int main(void)
{
    struct seat *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    one->number = 1;
    two->number = 2;
    one->next = two;
    two->next = one;
    leave(one);
    leave(NULL);
    return 0;
}
"""


def test_a_test_for_null_is_turned_round(tmp_path: Path) -> None:
    """`if (first != NULL && s == NULL)` would crash on null as before, `if (first == NULL)` does not."""
    program = program_of(ROUND, tmp_path)
    play = Play(program)
    play.enter_function("leave")
    play.to(6)
    play.force(False)
    play.to(13)
    play.spec()
    assert words(program, best(play.problem())) == "first == NULL"


PUSH = """\
#include <stdlib.h>
struct page { int number; struct page *next; };
void push(struct page **pages, int number)
{
    struct page *p = malloc(sizeof *p), *last = *pages;
    last->number = number;
    p->next = *pages;
    if (*pages != NULL) {
        while (last->next != *pages)
            last = last->next;
        last->next = p;
    } else
        p->next = p;
    *pages = p;
}
int main(void)
{
    struct page *pages = NULL;
    push(&pages, 4);
    push(&pages, 5);
    return 0;
}
"""


def test_one_thing_in_both_cases_comes_before_two(tmp_path: Path) -> None:
    """`if (last != NULL) last->number = number; else p->number = number;` does no more on any heap."""
    program = program_of(PUSH, tmp_path)
    steps = [step for step in program.functions["push"].code if isinstance(step, Assign)]
    wrong, linked = (s for s in steps[:6] if lvalue_text(s.target) in ("last->number", "p->next"))
    assert isinstance(wrong.target, Member) and isinstance(linked.target, Member)
    assert isinstance(wrong.target.base, Dereference)
    there = NewAssignment(wrong.target, wrong.value)
    other = replace(there, target=replace(wrong.target, base=linked.target.base))
    last = wrong.target.base.pointer
    test = Binary("!=", last, Constant(0, last.type), INT)
    cases, plain = (Patch((Edit(wrong.location, made),)) for made in (Guarded(test, there, other), other))
    for outcomes, first in (((1, 1), plain), ((1, 2), cases)):
        found = [
            ((False, 0.9, 0.9, "1"), Part({}, {}, (1, 1)), cases, 0.9),
            ((False, 1.0, 1.0, "2"), Part({}, {}, outcomes), plain, 1.0),
        ]
        assert plain_first(program, found)[0][2] == first
