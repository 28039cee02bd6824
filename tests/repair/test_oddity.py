"""What makes an edit unlikely where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.program import Gap
from wolverine.repair.oddity import back_again

SWAP = """\
struct node { int v; struct node *next; };
static struct node *swap(struct node *head, struct node *other)
{
    struct node *prev, *curr;
    FIRST
    prev = head;
    AGAIN
    return curr;
}
int main(void) { return swap(0, 0) != 0; }
"""


@pytest.mark.parametrize(
    ("first", "again", "value", "stored"),
    [
        ("", "head = curr;", "head", True),  # curr = head, and then head = curr
        ("other = head;", "other = curr;", "head", True),  # by a copy in front
        ("", "prev = curr;", "head", True),  # by one in between
        ("if (head == 0) return 0;", "head = curr;", "head", True),
        ("", "head = curr;", "other", False),
        ("", "head = other; head = curr;", "head", False),  # it is another one by then
        ("", "curr = other; head = curr;", "head", False),
        ("", "head->next = curr;", "head", False),
        ("", "swap(prev, 0); head = curr;", "head", False),
    ],
)
def test_what_is_there_already_is_stored_again(
    first: str, again: str, value: str, stored: bool, tmp_path: Path
) -> None:
    program = program_of(SWAP.replace("FIRST", first).replace("AGAIN", again), tmp_path)
    function = program.functions["swap"]
    named = {v.name: v for v in (*function.parameters, *function.locals)}
    gaps = [i for i, step in enumerate(function.code) if isinstance(step, Gap)]
    at = gaps[1 + (first.startswith("other"))]  # in front of `prev = head`, or of the test
    assert back_again(function.code, at, named["curr"], Load(named[value])) is stored
