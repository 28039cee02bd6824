"""Assignments that end a loop by force."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Assign
from wolverine.repair.ranking.forcing import forced, miscounts
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


ROUNDS = """\
struct item { int key; struct item *next; };
int rounds(struct item *p, int n)
{
    int i = 0, last = 0;
    MADE;
    for (i = 0; i < n; STEP) {
        last = i;
        p = p->next;
    }
    return last;
}
int main(void) { return rounds(0, 0); }
"""


@pytest.mark.parametrize(
    ("step", "made", "wanted"),
    [
        ("i++", "i = p->key", True),
        ("i += 2", "i = p->next->key + 1", True),
        ("i++", "i = i + p->key", False),  # on from where it is
        ("i++", "i = n - 2", False),
        ("i++", "last = p->key", False),  # it counts nothing
        ("i = last + 1", "i = p->key", False),  # it is no mere count
    ],
)
def test_what_counts_rounds_is_not_set_to_a_field(step: str, made: str, wanted: bool, tmp_path: Path) -> None:
    program = program_of(ROUNDS.replace("STEP", step).replace("MADE", made), tmp_path)
    code = program.functions["rounds"].code
    lines = {program.location(each.location).line: at for at, each in enumerate(code) if each.location >= 0}
    new = next(e for e in code if isinstance(e, Assign) and program.location(e.location).line == 5)
    assert miscounts(code, lines[8], new.target, new.value) is wanted
    assert not miscounts(code, lines[10], new.target, new.value)
