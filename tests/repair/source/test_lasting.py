"""What nodes are given when they are made of other ones, and keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Gap
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.lasting import lasting

ROPES = """\
#include <stdlib.h>
struct rope { int length, uses; struct rope *head, *rest; };
struct rope *piece(int length)
{
    struct rope *r = malloc(sizeof(struct rope));
    r->length = length;
    r->uses = 1;
    r->head = r->rest = NULL;
    return r;
}
struct rope *tie(struct rope *one, struct rope *two)
{
    struct rope *r = malloc(sizeof(struct rope));
    r->head = one;
    r->rest = two;
    r->length = one->length + two->length;
    r->uses = one->uses + two->uses;
    return r;
}
void use(struct rope *r) { r->uses = r->uses + 1; }
int main(void)
{
    struct rope *r = tie(piece(3), piece(4));
    use(r);
    return r->length;
}
"""


def test_what_is_reckoned_when_a_node_is_made_lasts(tmp_path: Path) -> None:
    assert lasting(program_of(ROPES, tmp_path)) == {("rope", "length")}


@pytest.mark.parametrize(
    "elsewhere", ["    r->length = 0;\n", "    int *at = &r->length; *at = 2;\n", "    use(&r->length);\n"]
)
def test_what_is_set_elsewhere_does_not(elsewhere: str, tmp_path: Path) -> None:
    text = ROPES.replace("    use(r);\n", "    use(r);\n" + elsewhere)
    if "use(&r" in elsewhere:
        text = text.replace("use(&r", "set(&r").replace("int main", "void set(int *n) { *n = 1; }\nint main")
    assert not lasting(program_of(text, tmp_path))


def test_it_is_rather_set_in_the_new_node(tmp_path: Path) -> None:
    program = program_of(ROPES, tmp_path)
    gap = [step.location for step in program.functions["tie"].code if isinstance(step, Gap)][-1]

    def against(target: str) -> float:
        place, value = (parse_expression(program, "tie", each) for each in (target, f"{target} + 1"))
        assert isinstance(place, Load)
        return Scores(program).edit(Edit(gap, NewAssignment(place.place, value)))

    assert against("one->length") > against("one->uses") + 0.4
    assert against("r->length") < against("one->length")
