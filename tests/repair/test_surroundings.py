"""What stands around a statement tells what is usual in its function."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.frontend import parse_expression
from wolverine.repair.surroundings import Surrounding

GRID = """\
int grid[4][4], seen[4][4], row[4];
static int look(int r, int c, int n) {
    if (grid[r][c] == 0 || seen[r][c])
        return 0;
    return row[c] + n;
}
int main(void) { return look(1, 2, 3); }
"""


@pytest.mark.parametrize(
    ("target", "value", "misplaced"),
    [
        ("seen[r][c]", "1", 0),
        ("seen[c][c]", "1", 1),
        ("seen[c][r]", "1", 2),
        ("seen[n][c]", "1", 0),  # no index elsewhere
        ("row[r]", "grid[r][r]", 1),
        ("row[r]", "1", 0),
    ],
)
def test_indices_of_another_dimension(target: str, value: str, misplaced: int, tmp_path: Path) -> None:
    program = program_of(GRID, tmp_path)
    place, new = (parse_expression(program, "look", each) for each in (target, value))
    assert isinstance(place, Load)
    assert Surrounding(program.functions["look"]).misplaced(place.place, new) == misplaced
