"""A function that calls itself with numbers alone does the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit, NewAssignment, NewValue
from wolverine.core.program import Assign, Call, Gap
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.unvarying import leaves_numbers_alone, passes_numbers_alone

COINS = """\
static int ways(int sum, int coin)
{
    if (sum <= 0 || coin == 0)
        return sum == 0;
    return ways(sum - coin, OTHER) + ways(sum, coin - 1);
}
int main(void)
{
    return ways(5, 3);
}
"""


@pytest.mark.parametrize(
    ("other", "value", "alone"),
    [
        ("3", "0", True),
        ("3", "coin", False),
        ("coin", "0", False),  # it still goes on with the other coins
    ],
)
def test_a_recursion_is_given_something_that_varies(
    other: str, value: str, alone: bool, tmp_path: Path
) -> None:
    program = program_of(COINS.replace("OTHER", other), tmp_path)
    function = program.functions["ways"]
    call = next(i for i, step in enumerate(function.code) if isinstance(step, Call))
    rest = parse_expression(program, "ways", "sum - coin")
    passing = enumerate(function.code[:call])
    index = next(i for i, step in passing if isinstance(step, Assign) and step.value == rest)
    new = parse_expression(program, "ways", value)
    assert passes_numbers_alone(function, index, new) is alone


COUNT = """\
static int digits(int n)
{
    if (n < 10)
        return 1;
    STEP
    return 1 + digits(n / 10);
}
int main(void)
{
    return digits(1234);
}
"""


@pytest.mark.parametrize(
    ("value", "step", "alone"),
    [("0", "", True), ("n - 1", "", False), ("0", "n = 2 * n;", False)],
)
def test_nor_is_what_it_is_given_made_a_number_before(
    value: str, step: str, alone: bool, tmp_path: Path
) -> None:
    program = program_of(COUNT.replace("STEP", step), tmp_path)
    function = program.functions["digits"]
    begin = next(i for i, each in enumerate(function.code) if isinstance(each, Gap))
    new = parse_expression(program, "digits", value)
    assert leaves_numbers_alone(function, begin, function.parameters[0], new) is alone


def test_that_speaks_against_a_repair(tmp_path: Path) -> None:
    program = program_of(COUNT.replace("STEP", ""), tmp_path)
    scores, code = Scores(program), program.functions["digits"].code
    quotient = parse_expression(program, "digits", "n / 10")
    passed = next(s for s in code if isinstance(s, Assign) and s.value == quotient)
    gap = next(each for each in code if isinstance(each, Gap) and each.location < passed.location)
    fixed, other = (parse_expression(program, "digits", each) for each in ("0", "n"))
    n = program.functions["digits"].parameters[0]
    changed = [scores.edit(Edit(passed.location, NewValue(each))) for each in (fixed, other)]
    assert changed[0] > changed[1]
    put_in = [scores.edit(Edit(gap.location, NewAssignment(n, each))) for each in (fixed, other)]
    assert put_in[0] > put_in[1]
