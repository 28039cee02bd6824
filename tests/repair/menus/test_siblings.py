"""What other functions keep up beside the same links."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.expressions import lvalue_text, text
from wolverine.repair.menus.siblings import borrowed
from wolverine.repair.menus.vocabulary import Vocabulary

POOL = """\
#include <stdlib.h>
struct block { int kind, size; struct block *next; };
struct block *used;
int counts[3];
void take(int kind) {
    struct block *b = malloc(sizeof *b);
    b->kind = kind;
    b->next = used;
    b->size = 1;
    if (used != NULL)
        b->size = b->next->size + 1;
    used = b;
    counts[b->kind]++;
}
void drop(void) {
    struct block *x = used;
    if (x == NULL)
        return;
    used = x->next;
    free(x);
}
int main(void) {
    take(2);
    take(0);
    drop();
    return counts[0];
}
"""


def test_statements_of_others_are_written_with_the_variables_at_hand(tmp_path: Path) -> None:
    program = program_of(POOL, tmp_path)
    scope = (*program.functions["drop"].locals, *program.globals)
    made = borrowed(program, "drop", Vocabulary(program, "drop"), scope)
    assert {f"{lvalue_text(each.target)} = {text(each.value)}" for each in made} == {
        "counts[x->kind] = counts[x->kind] + 1",
        "counts[x->kind] = counts[x->kind] - 1",
        "x->size = x->next->size + 1",
    }


def test_what_one_function_counts_another_counts_off(tmp_path: Path) -> None:
    play = Play(program_of(POOL, tmp_path))
    play.enter_function("drop")
    play.to(26, "main")
    play.change("counts", "0")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == "counts[x->kind] = counts[x->kind] - 1"
