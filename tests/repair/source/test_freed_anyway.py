"""What is freed in one case, and in every case behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import Load
from wolverine.core.patch import Deletion, Edit, Guarded, NewAssignment
from wolverine.core.program import Branch, Call
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.freed_anyway import freed_anyway

FOLDER = """\
#include <stdlib.h>
struct folder { int size; struct folder *inner, *after; };
void discard(struct folder *f, struct folder *g)
{
    BODY
}
int main(void) { return 0; }
"""

BODIES = {
    "one case": ("if (f->inner) { discard(f->inner, g); free(f); } free(f);", [0]),
    "either case": ("if (f->inner) free(f); else { free(f); } free(f);", [0, 1]),
    "each case": ("free(f); if (g) g->size = 0; free(f);", []),
    "another one": ("if (f->inner) free(f->inner); if (g) free(g); free(f);", []),
    "set in between": ("if (f->inner) { g = f->inner; free(f); f = g; } free(f);", []),
    "left": ("if (f->inner) { free(f); if (g) return; } free(f);", []),
    "the other arm": ("if (f->inner) free(f); else free(f);", []),
    "a loop": ("while (f) { if (f->inner) free(f); free(f); f = g; }", []),
}


@pytest.mark.parametrize(("body", "superfluous"), BODIES.values(), ids=BODIES)
def test_the_earlier_free_of_what_is_freed_behind_it(
    body: str, superfluous: list[int], tmp_path: Path
) -> None:
    program = program_of(FOLDER.replace("BODY", body), tmp_path)
    code = program.functions["discard"].code
    frees = [step.location for step in code if isinstance(step, Call) and step.function == "free"]
    assert list(freed_anyway(program, frees[-1])) == [frees[at] for at in superfluous]


PARCELS = """\
#include <stdlib.h>
struct parcel { int weight; struct parcel *holds, *beside; };
void unpack(struct parcel *p)
{
    if (p->holds != NULL) {
        if (p->holds->beside == NULL) {
            unpack(p->holds);
            free(p);
        } else {
            for (struct parcel *q = p->holds->beside; q != NULL; q = q->beside)
                unpack(q);
            unpack(p->holds);
        }
        free(p);
    } else {
        free(p);
    }
}
int main(void)
{
    struct parcel *outer = calloc(1, sizeof *outer);
    outer->holds = calloc(1, sizeof *outer);
    unpack(outer);
    return 0;
}
"""


def test_it_goes_where_a_node_is_freed_twice(tmp_path: Path) -> None:
    problem = crash(PARCELS, "main", tmp_path, strict=True)
    problem = replace(problem, budget=replace(problem.budget, edits=1, work=20_000))
    found = best(problem)
    (edit,) = found.patch.edits
    assert isinstance(edit.replacement, Deletion), words(problem.program, found)
    assert problem.program.location(edit.location).line == 8


def test_nobody_sets_what_is_asked_next_to_a_node_it_has_gone_through(tmp_path: Path) -> None:
    program = program_of(PARCELS, tmp_path)
    scores = Scores(program)
    target, value = (parse_expression(program, "unpack", each) for each in ("p->holds->beside", "p->holds"))
    assert isinstance(target, Load)
    made = NewAssignment(target.place, value)
    around = next(s.condition for s in program.functions["unpack"].code if isinstance(s, Branch))
    other = parse_expression(program, "unpack", "p->beside != 0")

    def distance(line: int, made: NewAssignment | Guarded) -> float:
        gap = next(each for each in program.locations if (each.kind, each.line) == ("gap", line))
        return scores.edit(Edit(gap.id, made))

    assert distance(6, made) > distance(7, made) + 1
    assert distance(5, Guarded(around, made)) > distance(5, Guarded(other, made)) + 1
