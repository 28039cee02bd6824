"""Two statements that link two nodes to each other over one field."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Constant, Member
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Assign
from wolverine.repair.ranking.mutual import cuts_before_closing, mutual, parts_mutual

PUT = """\
struct node { struct node *next, *prev; };
static void put(struct node *n, struct node *at)
{
    FIRST
    SECOND
}
int main(void) { put(0, 0); return 0; }
"""


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ("n->next = at;", "at->next = n;", True),
        ("n->prev = at;", "at->next = n;", False),
        ("n->next = at->next;", "at->next = n;", False),
        ("n->next = at;", "n->next = at;", False),
    ],
)
def test_one_of_them_was_to_be_linked_elsewhere(first: str, second: str, found: bool, tmp_path: Path) -> None:
    program = program_of(PUT.replace("FIRST", first).replace("SECOND", second), tmp_path)
    code = program.functions["put"].code
    for index, step in enumerate(code):
        if isinstance(step, Assign):
            assert bool(mutual(code, index)) is found
            null = Constant(0, step.target.type)
            cut = Patch((Edit(step.location, NewAssignment(step.target, null)),))
            assert parts_mutual(program, cut) is found


RING = """\
struct stop { int fare; struct stop *next; };
int main(void)
{
    struct stop one, two, three, *a = &one, *b = &two, *c = &three;
    a->next = b;
    a->fare = 1;
    b->next = c;
    LAST
    return 0;
}
"""


@pytest.mark.parametrize(
    ("last", "cut"),
    [
        ("c->next = a;", [True, True, False]),
        ("c->next = a; a = c;", [True, True, False]),
        ("c->next = c;", [False, False, False]),
        ("a = c; c->next = a;", [False, False, False]),
    ],
)
def test_it_ends_rather_where_the_last_link_would_close_it(
    last: str, cut: list[bool], tmp_path: Path
) -> None:
    program = program_of(RING.replace("LAST", last), tmp_path)
    code = program.functions["main"].code
    links = [
        s for s in code if isinstance(s, Assign) and isinstance(s.target, Member) and s.target.name == "next"
    ]
    patches = [Patch((Edit(s.location, NewAssignment(s.target, Constant(0, s.target.type))),)) for s in links]
    assert [cuts_before_closing(program, each) for each in patches] == cut
    assert [parts_mutual(program, each) for each in patches] == [any(cut)] * 3
