"""What takes one of a few constants is hardly reckoned with."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.program import Program
from wolverine.frontend import parse_expression
from wolverine.repair.source.flags import Flags

TEXT = """\
#include <stdlib.h>
#include <string.h>
#define RED 1
struct node { int colour, size, state, seen, mark, key; struct node *next; };
int visited[8], total;
static void run(struct node *x, struct node *y, int n) {
    int found = 0, i;
    x->colour = RED; y->colour = 0; x->colour = y->colour;
    x->size = 0;
    x->state = n == 2; x->mark = 3; x->mark = n;
    memset(visited, 0, sizeof visited);
    for (i = 0; i < n; i++)
        if (!visited[i] && !x->seen && x->size < n)
            found = 1;
    total = found + x->size;
}
int main(void) { struct node a, b; run(&a, &b, 3); return total; }
"""


@pytest.mark.parametrize(
    ("target", "value", "likely"),
    [
        ("x->colour", "1", True),
        ("x->colour", "2", False),
        ("x->colour", "x->colour + 1", False),
        ("x->colour", "n", False),
        ("x->colour", "y->colour", None),
        ("x->state", "0", True),
        ("x->state", "x->key == n", None),
        ("found", "0", True),
        ("found", "found + 1", False),
        ("visited[n]", "1", True),  # is only tested
        ("visited[n]", "n", False),
        ("x->seen", "1", True),
        ("x->size", "x->size + 1", None),  # is set once, and read otherwise
        ("x->mark", "n", None),
        ("x->key", "n", None),
        ("n", "1", None),
        ("i", "i + 1", None),
    ],
)
def test_constants_speak_for_an_assignment(
    target: str, value: str, likely: bool | None, tmp_path: Path
) -> None:
    program = program_of(TEXT, tmp_path)
    place, new = (parse_expression(program, "run", each) for each in (target, value))
    assert isinstance(place, Load)
    against = Flags(program).against("run", place.place, new)
    assert (None if against == 0 else against < 0) is likely


def test_a_condition_does_not_reckon_with_one(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    flags = Flags(program)
    old, new, other = (
        parse_expression(program, "run", each)
        for each in ("!x->colour", "!(x->colour + 1)", "!(x->size + 1)")
    )
    assert flags.reckoned("run", old, new) > 0
    assert flags.reckoned("run", new, new) == flags.reckoned("run", old, other) == 0


@pytest.mark.parametrize(
    ("target", "value", "first"),
    [
        ("visited[n]", "1", True),
        ("x->seen", "1", True),
        ("x->seen", "0", False),
        ("visited[n]", "n", False),
        ("x->state", "1", False),  # is set elsewhere
        ("found", "1", False),
    ],
)
def test_the_first_that_sets_what_is_tested(target: str, value: str, first: bool, tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    place, new = (parse_expression(program, "run", each) for each in (target, value))
    assert isinstance(place, Load)
    flags = Flags(program)
    assert flags.sets_first("run", place.place, new) is first
    if first:
        assert flags.against("run", place.place, new) < -0.3


def test_a_function_that_does_not_test_a_mark_does_not_set_it_first(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    place, new = (parse_expression(program, "main", each) for each in ("visited[0]", "1"))
    assert isinstance(place, Load)
    assert not Flags(program).sets_first("main", place.place, new)


VISITED = """\
struct place { int been, far; struct place *next; };
static void go(struct place *p, struct place *q)
{
    if (!p->been && q->been == 0) {
        p->far++;
        q->been = 0;
        p->far--;
    } else {
        p->far = 2;
    }
}
int main(void) { struct place a, b; a.been = b.been = 1; go(&a, &b); return a.far; }
"""


@pytest.mark.parametrize(
    ("target", "value", "behind", "settles"),
    [
        ("p->been", "1", "p->far++", True),
        ("p->been", "1", "p->far--", True),
        ("p->been", "0", "p->far++", False),  # it is 0 anyway
        ("p->far", "1", "p->far++", False),  # nobody asks for that
        ("q->been", "1", "p->far++", True),
        ("q->been", "1", "p->far--", False),  # it has been set since
        ("p->been", "1", "p->far = 2", False),  # in the other arm
    ],
)
def test_what_is_asked_for_is_set_there(
    target: str, value: str, behind: str, settles: bool, tmp_path: Path
) -> None:
    program = program_of(VISITED, tmp_path)
    place, new = (parse_expression(program, "go", each) for each in (target, value))
    assert isinstance(place, Load)
    function = program.functions["go"]
    at = next(
        i for i, s in enumerate(function.code) if s.location >= 0 and _text(program, s.location) == behind
    )
    assert Flags(program).settles(function, at + 1, place.place, new) is settles


def _text(program: Program, location: int) -> str:
    return " ".join(program.location(location).text.split())


ASKED = """\
#include <stdbool.h>
#define RED 1
struct leaf { bool ends, gone; int hue, full, size; } leaf;
int left;
int main(void) {
    struct leaf *l = &leaf;
    l->ends = true; l->ends = false;
    l->hue = 0; l->hue = RED;
    l->full = 0; l->full = 2;
    l->size = 0; l->size = 1; l->size = left;
    if (l->ends || l->hue == RED || !l->size)
        left = l->ends;
    if (l->gone)
        return 1;
    return !l->full;
}
"""


def test_truths_are_asked_for_as_they_are(tmp_path: Path) -> None:
    program = program_of(ASKED, tmp_path)
    leaf = program.globals[0].type
    assert Flags(program).truths() == {(leaf, name) for name in ("ends", "gone")}
