"""What counts, and by how much."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.frontend import parse_expression
from wolverine.repair.source.counting import counts_otherwise

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
