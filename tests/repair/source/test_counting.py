"""What counts, and by how much."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.program import Branch
from wolverine.frontend import parse_expression
from wolverine.repair.source.counting import counts_otherwise, passes_by

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
