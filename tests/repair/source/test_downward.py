"""Recursions over trees whose nodes know their first child and their next sibling."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Assign
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.downward import goes_down_twice

PAGES = """\
struct page { int words; struct page *inner, *after; };
static int words(struct page *p)
{
    int sum = p->words;
    for (struct page *q = BEGIN; q != 0; q = STEP)
        sum += CALL;
    return sum;
}
int main(void)
{
    struct page one = {1, 0, 0};
    return words(&one);
}
"""


@pytest.mark.parametrize(
    ("begin", "call", "step", "twice"),
    [
        ("p->inner", "words(q)", "q->inner", True),
        ("p->inner", "words(q)", "q->after", False),
        ("p->inner", "q->words", "q->inner", False),  # a list
        ("p->after", "words(q)", "q->inner", False),
        ("p->inner", "words(p->after)", "q->inner", False),
    ],
)
def test_a_loop_goes_on_over_another_link(
    begin: str, call: str, step: str, twice: bool, tmp_path: Path
) -> None:
    text = PAGES.replace("BEGIN", begin).replace("CALL", call).replace("STEP", "q")
    program = program_of(text, tmp_path)
    function = program.functions["words"]
    [staying] = (
        s for s in function.code if isinstance(s, Assign) and s.location >= 0 and s.value == Load(s.target)
    )
    value = parse_expression(program, "words", step)
    assert goes_down_twice(function, staying.target, value) is twice
    other = parse_expression(program, "words", {"q->inner": "q->after", "q->after": "q->inner"}[step])
    one, two = (
        Scores(program).edit(Edit(staying.location, NewAssignment(staying.target, each)))
        for each in (value, other)
    )
    assert (one > two) is twice
