"""What tests on the way to a condition have made sure of."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.patch import Edit, NewValue, ShortCircuit
from wolverine.core.program import Branch, Program
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.flow import predecessors
from wolverine.repair.source.settled import Settled

LANES = """\
struct car { int plate; struct car *behind; };
static int count;
static int before(struct car *one, struct car *other) { count++; return one->plate - other->plate; }
static struct car *joined(struct car *left, struct car *right, int n)
{
    struct car first = { 0, 0 }, *last = &first, *spare = 0;
    while (left && right && n > 2) {
        if (before(left, right) < 0) {
            last->behind = left;
            left = left->behind;
        } else {
            last->behind = right;
            right = right->behind;
        }
        if (left->plate < right->plate)
            count++;
        last = last->behind;
    }
    if (left->plate >= n) {
        spare = left;
        if (left->plate > n && spare)
            count++;
    } else if (left->plate == last->plate)
        left->plate = 0;
    return first.behind;
}
int main(void) { return joined(0, 0, 0) != 0; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return program_of(LANES, tmp_path_factory.mktemp("lanes"))


def _asked(program: Program, wanted: str) -> int:
    """The condition that ends in that text, or is it."""
    code = program.functions["joined"].code
    found = (i for i, s in enumerate(code) if isinstance(s, Branch) and text(s.condition).endswith(wanted))
    return next(found)


@pytest.mark.parametrize(
    ("at", "condition", "outcome"),
    [
        ("< 0", "left == 0", False),  # nothing has set it since the loop has asked
        ("< 0", "right != 0 && !left", False),
        ("< 0", "left != 0 || count > 0", True),
        ("< 0", "left != 0 && count > 0", None),
        ("< 0", "n == 1", False),
        ("< 0", "2 < n", True),
        ("< 0", "n == 3", None),
        ("< 0", "left->plate > left->plate", False),
        ("< 0", "last == 0", None),
        ("left->plate < right->plate", "left == 0", None),  # one of them has gone on
        ("left->plate < right->plate", "n > 1", True),
        ("left->plate > n && spare", "left->plate >= n", True),
        ("left->plate > n && spare", "n > left->plate", False),
        ("left->plate > n && spare", "left->plate == n", None),
        ("left->plate == last->plate", "left->plate < n", True),
        ("left->plate >= n", "left == 0", None),
    ],
)
def test_what_is_sure_there(program: Program, at: str, condition: str, outcome: bool | None) -> None:
    code = program.functions["joined"].code
    settled = Settled(code, predecessors(code))
    assert settled.outcome(_asked(program, at), parse_expression(program, "joined", condition)) is outcome


LENT = """\
struct box { int used, size; };
void refill(struct box *b);
int take(struct box *b, int n)
{
    int left = n, lent = n;
    int *rest = &lent;
    if (b->used > 0 && left > 0 && lent > 0) {
        CHANGE
        if (b->size == 1)
            return 1;
    }
    return 0;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("change", "sure"),
    [
        ("b->size = 2;", ("left",)),  # a number in a node, or one whose address is kept, may be meant
        ("refill(b);", ("left",)),
        ("*rest = 0;", ("left",)),
        ("left--;", ("b->used", "lent")),
        (";", ("b->used", "left", "lent")),
    ],
)
def test_what_may_have_been_set_is_not_sure(change: str, sure: tuple[str, ...], tmp_path: Path) -> None:
    code = (program := program_of(LENT.replace("CHANGE", change), tmp_path)).functions["take"].code
    settled = Settled(code, predecessors(code))
    index = next(
        i for i, s in enumerate(code) if isinstance(s, Branch) and text(s.condition) == "b->size == 1"
    )
    asked = {
        name: settled.outcome(index, parse_expression(program, "take", f"{name} > 0"))
        for name in ("b->used", "left", "lent")
    }
    assert asked == {name: True if name in sure else None for name in asked}


def test_a_condition_that_can_never_hold_is_written_by_nobody(program: Program) -> None:
    scores = Scores(program)
    index = _asked(program, "< 0")
    here = program.functions["joined"].code[index].location
    slot = next(each.id for each in program.locations if each.gap == "test" and each.line == 8)

    def parsed(condition: str) -> NewValue:
        return NewValue(parse_expression(program, "joined", condition))

    def before(condition: str) -> float:
        test = parse_expression(program, "joined", condition)
        return scores.edit(Edit(slot, ShortCircuit("&&", test)))

    inner = program.functions["joined"].code[_asked(program, "left->plate > n && spare")].location
    never = scores.edit(Edit(inner, parsed("left->plate > n && left->plate < n")))
    assert never > scores.edit(Edit(inner, parsed("left->plate > n && spare->plate < n"))) + 3
    assert before("left == 0") > before("left->behind == 0") + 3
    assert scores.edit(Edit(here, parsed("n < 2"))) > scores.edit(Edit(here, parsed("n < 5"))) + 3
