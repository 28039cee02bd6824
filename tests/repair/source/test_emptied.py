"""A node that was taken out is freed elsewhere, and an end of its list still leads to it."""

from __future__ import annotations

from pathlib import Path

from playing import crash, program_of

from wolverine.core.expressions import Binary, Constant, Load
from wolverine.core.patch import Guarded, NewAssignment
from wolverine.core.types import INT
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.source.emptied import ends_together
from wolverine.repair.source.paired import paired
from wolverine.repair.special.severed import severed
from wolverine.semantics.compiled import compile_program

QUEUES = """\
#include <stdlib.h>
struct task { int id; struct task *next; };
struct queue { struct task *front, *rear; };
struct queue queues[2];
void put(int level, int id) {
    struct queue *q = &queues[level];
    struct task *t = malloc(sizeof *t);
    t->id = id;
    t->next = NULL;
    if (q->rear == NULL)
        q->front = t;
    else
        q->rear->next = t;
    q->rear = t;
}
struct task *get(int level) {
    struct queue *q = &queues[level];
    struct task *t = q->front;
    if (t == NULL)
        return NULL;
    q->front = t->next;
    return t;
}
int main(void) {
    struct task *t;
    put(1, 1);
    put(1, 2);
    while ((t = get(1)) != NULL)
        free(t);
    put(1, 3);
    return 0;
}
"""


def test_who_took_the_node_out_is_known(tmp_path: Path) -> None:
    problem = crash(QUEUES, "main", tmp_path, strict=True)
    known = severed(problem.program, problem.traces[0])
    assert known.functions == {"get"}
    assert 8 in known.offsets  # rear, in the second queue


def test_an_end_goes_with_the_other_one_that_is_set_beside_it(tmp_path: Path) -> None:
    program = program_of(QUEUES, tmp_path)
    code = program.functions["get"].code
    q = program.functions["get"].locals[0]
    front, rear = Vocabulary(program, "get").fields(Load(q))
    empty = Binary("==", Load(front), Constant(0, front.type), INT)
    filled = Binary("==", Load(rear), Constant(0, rear.type), INT)
    assert ends_together(code, Guarded(empty, NewAssignment(rear, Constant(0, rear.type))))
    assert not ends_together(code, Guarded(empty, NewAssignment(rear, Load(front))))
    assert not ends_together(code, Guarded(filled, NewAssignment(front, Constant(0, front.type))))


def test_ends_that_a_first_node_is_put_to_are_null_together(tmp_path: Path) -> None:
    program = program_of(QUEUES, tmp_path)
    pairs = paired(program, compile_program(program).layout)
    assert {(one[1], two[1]) for one, two in pairs} == {(0, 8), (16, 24)}
