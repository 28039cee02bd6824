"""A jump in front of statements that are never executed stands under a test rather than nowhere."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of

from wolverine.core.patch import Deletion, Edit, Guarded, NewJump, NewReturn, Patch
from wolverine.core.program import Jump, Program
from wolverine.frontend import emit, parse_expression
from wolverine.repair.execution.accepted import choices_of
from wolverine.repair.heaps.trials import Part
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.unasked import puts_under_a_test, unasked
from wolverine.repair.ranking.closest import Closest
from wolverine.repair.ranking.score import Scores

TEXT = """\
#include <stdlib.h>
struct node { int key, seen; struct node *next; };
static struct node *first;
static int take(void)
{
    struct node *n = first;
    int key;
    if (n == NULL);
        return -1;
    key = n->key;
    first = n->next;
    free(n);
    return key;
}
static int upto(struct node *n, int key)
{
    int seen = 0;
    while (n != NULL) {
        if (n->key == key);
            break;
        n->seen = 1;
        seen++;
        n = n->next;
    }
    return seen;
}
int main(void)
{
    for (int i = 3; i > 0; i--) {
        struct node *n = malloc(sizeof *n);
        n->key = i;
        n->seen = 0;
        n->next = first;
        first = n;
    }
    int seen = upto(first, 3);
    take();
    return seen;
}
"""


def jumps(program: Program, function: str) -> dict[int, NewReturn | NewJump]:
    """Those of a function by location."""
    inside = program.functions[function]
    found = {
        step.location: unasked(inside, i) for i, step in enumerate(inside.code) if isinstance(step, Jump)
    }
    return {location: made for location, made in found.items() if made is not None}


def test_what_returns_in_every_case_does_so_where_there_is_nothing(tmp_path: Path) -> None:
    play = Play(program_of(TEXT, tmp_path))
    play.enter_function("take")
    play.to(14)
    play.change("first", "n2")
    play.spec("first")
    problem = play.problem()
    found = best(problem)
    assert {type(edit.replacement) for edit in found.patch.edits} == {Guarded, Deletion}
    written = emit(problem.program, found.patch)[0].decode()
    assert "if (n == NULL)\n            return -1;\n    key = n->key;" in written


def test_they_are_told_from_those_that_are_asked_for(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    [(location, made)] = jumps(program, "take").items()
    assert isinstance(made, NewReturn)
    assert program.location(location).line == 9
    [(location, jump)] = jumps(program, "upto").items()
    assert jump == NewJump("break")
    asked = program_of(TEXT.replace("key);", "key)").replace("NULL);", "NULL)"), tmp_path)
    assert not jumps(asked, "take")
    assert not jumps(asked, "upto")
    assert not jumps(program, "main")


def test_one_that_leaves_a_loop_is_near_under_its_test(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    menus, scores = Menus(program, guarded=True), Scores(program)
    [(location, jump)] = jumps(program, "upto").items()
    test = parse_expression(program, "upto", "n->key == key")
    gap = next(i for i in menus.indices("upto") if program.location(i).line == 21)
    gone = Edit(location, Deletion())
    patch = Patch((gone, Edit(gap, Guarded(test, jump))))
    assert puts_under_a_test(program, patch) == gone
    assert puts_under_a_test(program, Patch((gone, Edit(gap, Guarded(test, NewReturn()))))) is None
    masks = choices_of(patch, menus)
    assert masks is not None
    closest, _ = next(Closest(program, menus, scores).cheapest(Part(masks), 1))
    assert closest < scores.edit(gone) + 0.1 < scores.patch(patch)
