"""What is left of a number when a part of it is taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Binary, Constant, Load, VariableReference, text
from wolverine.core.types import INT
from wolverine.repair.source.rests import Rests

HALVES = """int use(int);
int part(int n, int more, int k) {
    int lower = n / 2, taken = more - 1, twice = n * 2, spare = n - 1;
    more = 0;
    if (n == 0)
        spare = 0;
    k = n % k;
    return use(lower) + use(taken) + use(twice) + use(spare) + use(n / 2);
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("lower", ["n - lower", "n - lower - 1"]),
        ("taken", []),  # what it was taken of has changed
        ("twice", []),  # that is no part
        ("spare", []),  # something else as well
    ],
)
def test_a_variable_that_is_set_to_a_part_leaves_a_rest(name: str, wanted: list[str], tmp_path: Path) -> None:
    function = program_of(HALVES, tmp_path).functions["part"]
    scope = (*function.parameters, *function.locals)
    value = Load(VariableReference(name, INT))
    assert [text(each) for each in Rests(function.code).of(value, scope)] == wanted


def test_so_does_a_part_that_is_written_out(tmp_path: Path) -> None:
    function = program_of(HALVES, tmp_path).functions["part"]
    n = function.parameters[0]
    half = Binary("/", Load(n), Constant(2, INT), INT)
    rests = Rests(function.code)
    assert [text(each) for each in rests.of(half, function.parameters)] == ["n - n / 2", "n - n / 2 - 1"]
    assert not [*rests.of(half, ())]
