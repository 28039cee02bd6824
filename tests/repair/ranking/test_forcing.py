"""Assignments that end a loop by force."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Assign
from wolverine.repair.ranking.forcing import forced
from wolverine.repair.source.flow import behind

STEPS = """\
int steps(int n, int most)
{
    int i, done = 0;
    for (i = 0; i < n && done <= most; i++) {
        if (done > n)
            done = 1;
        INSIDE;
    }
    BEHIND;
    return done;
}
int main(void) { return steps(3, 4); }
"""


def _forced(text: str, made: str, folder: Path) -> bool:
    """Of the statement that is made, where it stands."""
    program = program_of(text, folder)
    code = program.functions["steps"].code
    line = text[: text.index(made)].count("\n") + 1
    found = [
        forced(code, at, behind(code, at), step.target, step.value)
        for at, step in enumerate(code)
        if isinstance(step, Assign) and program.location(step.location).line == line
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        ("i = n", True),
        ("n = i", True),
        ("done = most + 1", True),
        ("done = most", False),  # it may be as much
        ("most = done - 1", True),
        ("i = n - 1", False),
        ("n = i + 1", False),
        ("done = n", False),  # the `if` leads out of no loop
        ("i = done", False),
    ],
)
def test_what_a_loop_counts_up_to_is_not_set(made: str, wanted: bool, tmp_path: Path) -> None:
    assert _forced(STEPS.replace("INSIDE", made).replace("BEHIND", ""), made, tmp_path) == wanted
    assert not _forced(STEPS.replace("INSIDE", "").replace("BEHIND", made), made, tmp_path)


def test_what_it_looks_for_is_not_set_either(tmp_path: Path) -> None:
    sought = STEPS.replace("i < n && done <= most", "i != n").replace("BEHIND", "")
    assert _forced(sought.replace("INSIDE", "i = n"), "i = n", tmp_path)
    assert not _forced(sought.replace("INSIDE", "i = most"), "i = most", tmp_path)
