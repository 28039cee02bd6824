"""Behind a search nothing has decided whether it found anything: the test for null is near there."""

from __future__ import annotations

from pathlib import Path

from playing import best, program_of, words
from playing import crash as crash_of

from wolverine.core.expressions import text
from wolverine.core.parts import evaluated
from wolverine.core.program import Branch, Gap
from wolverine.frontend import emit, parse_expression
from wolverine.repair.ranking.oddity import asks_what_is_set
from wolverine.repair.source.flow import predecessors

DROPPED = """\
#include <stdlib.h>
struct node { int key; struct node *rest; };
struct list { struct node *first; int size; };
static void drop(struct list *l, int key)
{
    struct node *at = l->first, *before = NULL;
    while (at != NULL && at->key != key) {
        before = at;
        at = at->rest;
    }
    if (before == NULL)
        l->first = at->rest;
    else
        before->rest = at->rest;
    l->size--;
    free(at);
}
int main(void)
{
    struct list l = {NULL, 0};
    drop(&l, 3);
    return l.size;
}
"""


def test_both_arms_are_put_under_the_test(tmp_path: Path) -> None:
    problem = crash_of(DROPPED, "drop", tmp_path)
    found = best(problem)
    [edit] = found.patch.edits
    assert problem.program.location(edit.location).line == 11
    assert words(problem.program, found) in ("if (at == NULL) return", "if (at != NULL) { ... }")
    written = emit(problem.program, found.patch)[0].decode()
    assert "l->size--;\n    }\n" in written or "return;\n    if (before == NULL)" in written


def test_a_condition_settles_what_it_surely_evaluates(tmp_path: Path) -> None:
    source = """\
struct node { int key; struct node *rest; };
int f(struct node *p, struct node *q, int n)
{
    if (p != 0 && p->key != n) {
        n = 1;
    } else {
        n = 2;
    }
    if (q->key != n && n > 3) {
        n = 3;
    } else {
        n = 4;
    }
    return n;
}
int main(void) { return 0; }
"""
    program = program_of(source, tmp_path)
    code = program.functions["f"].code
    leading = predecessors(code)

    def asked(line: int, test: str) -> bool:
        """Whether the gap in front of what stands there has it settled."""
        gaps = (i for i, s in enumerate(code) if type(s) is Gap)
        gap = next(i for i in gaps if program.location(code[i].location).line == line)
        nothing = parse_expression(program, "f", "1")
        return asks_what_is_set(code, leading, gap, nothing, parse_expression(program, "f", test))

    assert asked(5, "p == 0")
    assert not asked(7, "p == 0")
    assert asked(10, "q == 0")
    assert asked(12, "q == 0")
    branch = next(s for s in code if isinstance(s, Branch))
    left = {text(each) for each in evaluated(branch.condition)}
    assert "p->key" not in left == {text(each) for each in evaluated(branch.condition, False)}
    assert {"p != 0", "p->key"} <= {text(each) for each in evaluated(branch.condition, True)}
    either = parse_expression(program, "f", "!(p == 0 || p->key == n)")
    assert "p->key" in {text(each) for each in evaluated(either, True)}
