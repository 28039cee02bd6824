"""Edits of a condition and of an assignment that is all of it."""

from pathlib import Path

from wolverine.core.expressions import Binary, Cast, Load
from wolverine.core.patch import Deletion, Edit, NewValue, Patch
from wolverine.core.program import Assign, Branch
from wolverine.core.types import INT
from wolverine.frontend import check, emit, load

SOURCE = """\
struct o { char key; struct o *next; };
struct o *find(struct o *o, char key)
{
    if (o->key = key)
        return o;
    return o->next;
}
"""


def test_an_assignment_that_should_have_been_a_comparison(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(SOURCE)
    program = load([path]).program
    code = program.functions["find"].code
    assigned = next(step for step in code if isinstance(step, Assign))
    branch = next(step for step in code if isinstance(step, Branch))
    same = Binary("==", Cast(Load(assigned.target), INT), Cast(assigned.value, INT), INT)
    patch = Patch((Edit(assigned.location, Deletion()), Edit(branch.location, NewValue(same))))
    assert b"    if (o->key == key)\n" in emit(program, patch)[0]
    check(program, patch)
    kept = Patch((Edit(branch.location, NewValue(same)),))
    assert b"    if ((o->key = key, o->key == key))\n" in emit(program, kept)[0] or (
        b"    if (o->key = key, o->key == key)\n" in emit(program, kept)[0]
    )
    check(program, kept)
