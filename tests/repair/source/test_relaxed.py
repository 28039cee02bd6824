"""What an `if` compares is what it then stores, and what that replaces."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.expressions import Expression, Load, Member, text
from wolverine.core.parts import parts
from wolverine.core.patch import Repairs
from wolverine.core.program import Assign, Branch, Instruction, Program
from wolverine.repair import search
from wolverine.repair.source.relaxed import relaxed, stored_alike
from wolverine.repair.source.walk import expressions_of

JOBS = """\
#include <stdlib.h>
struct job { int begin, length; struct job *next; };
int end;
void finish(struct job *j)
{
    end = 0;
    while (j != NULL) {
        if (ASKED)
            end = j->begin + j->length;
        j = j->next;
    }
}
struct job *job(int begin, int length, struct job *next)
{
    struct job *made = malloc(sizeof *made);
    made->begin = begin;
    made->length = length;
    made->next = next;
    return made;
}
int main()
{
    finish(job(2, 2, job(3, 4, job(1, 5, NULL))));
    return 0;
}
"""
RIGHT = "j->begin + j->length > end"


def _offered(program: Program) -> list[str]:
    """What is offered in the place of the condition within the loop."""
    code = program.functions["finish"].code
    [_, asked] = [at for at, step in enumerate(code) if isinstance(step, Branch)]
    return [text(each) for each in relaxed(code, asked)]


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("j->length > end", [RIGHT]),
        ("j->begin + j->length > 9", [RIGHT]),
        ("end < j->begin", ["end < j->begin + j->length"]),
        ("j->length > 0 && j->begin >= end", ["j->length > 0 && j->begin + j->length >= end"]),
        (RIGHT, []),
        ("j->length > 3", []),  # nothing says that the greatest is kept
        ("end != j->length", []),
    ],
)
def test_one_side_is_what_is_stored_and_the_other_what_it_replaces(
    asked: str, offered: list[str], tmp_path: Path
) -> None:
    assert _offered(program_of(JOBS.replace("ASKED", asked), tmp_path)) == offered


@pytest.mark.parametrize("stored", ["end = 7", "end = end + j->length", "end = next(j)"])
def test_what_is_fixed_or_reckoned_on_or_called_is_not_compared(stored: str, tmp_path: Path) -> None:
    source = JOBS.replace("end = j->begin + j->length", stored).replace("ASKED", "j->length > end")
    source = source.replace("int end;", "int end;\nint next(struct job *j) { return j->begin; }")
    assert not _offered(program_of(source, tmp_path))


def test_what_was_changed_before_is_another_number(tmp_path: Path) -> None:
    stored = "{ j->begin = 1; end = j->begin + j->length; }"
    source = JOBS.replace("end = j->begin + j->length;", stored).replace("ASKED", "j->length > end")
    assert not _offered(program_of(source, tmp_path))


def test_it_comes_before_other_operands(tmp_path: Path) -> None:
    play = Play(program_of(JOBS.replace("ASKED", "j->begin > end"), tmp_path))
    play.enter_function("finish")
    play.to(12)
    play.change("end", "7")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert words(play.program, answer.candidates[0]) == RIGHT


HEAP = """\
struct event { int time; };
struct heap { struct event *held[8]; int n; };
int least(struct heap *h, int i)
{
    int best = i, r = 2 * i + 2;
    if (ASKED)
        best = r;
    return best;
}
int main() { return 0; }
"""


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        (
            "r < h->n && h->held[r]->time < h->held[i]->time",
            ["r < h->n && h->held[r]->time < h->held[best]->time"],
        ),
        ("h->held[0]->time > h->held[r]->time", ["h->held[best]->time > h->held[r]->time"]),
        ("h->held[i]->time < h->held[best]->time", ["h->held[r]->time < h->held[best]->time"]),
        ("h->held[r]->time < h->held[best]->time", []),
        ("r < h->n && h->held[r] != h->held[i]", []),
    ],
)
def test_elements_are_compared_at_the_indices_of_which_one_is_stored(
    asked: str, offered: list[str], tmp_path: Path
) -> None:
    code = program_of(HEAP.replace("ASKED", asked), tmp_path).functions["least"].code
    [at] = [at for at, step in enumerate(code) if isinstance(step, Branch)]
    found = [text(each) for each in relaxed(code, at)]
    assert [each for each in found if "held" in each] == offered


TIRES = """\
struct tire { int wear, size; struct tire *spare, *next; };
struct tire *worst(struct tire *t)
{
    struct tire *found = t;
    if (ASKED)
        STORED
    return found;
}
int main(void) { return worst(0) != 0; }
"""


@pytest.mark.parametrize(
    ("asked", "stored", "offered"),
    [
        ("t->spare->wear > t->wear", "found = t->spare;", ["t->spare->wear > found->wear"]),
        ("t->next->wear < found->wear", "found = t->spare;", ["t->spare->wear < found->wear"]),
        (
            "t->spare != 0 && t->wear < t->spare->wear",
            "found = t->spare;",
            ["t->spare != 0 && found->wear < t->spare->wear"],
        ),
        ("t->spare->wear > found->wear", "found = t->spare;", []),
        ("t->spare->wear > t->size", "found = t->spare;", []),  # what is compared is no one field
        ("t->spare->wear == t->wear", "found = t->spare;", []),
        ("found->spare->wear > t->wear", "found = found->spare;", []),  # it goes on
        ("t->spare->wear > t->wear", "found = t->spare; else found = t->next;", []),  # nothing is kept
    ],
)
def test_the_node_that_is_kept_is_compared_with_the_one_that_goes(
    asked: str, stored: str, offered: list[str], tmp_path: Path
) -> None:
    source = TIRES.replace("ASKED", asked).replace("STORED", stored)
    code = program_of(source, tmp_path).functions["worst"].code
    [at] = [at for at, step in enumerate(code) if isinstance(step, Branch)]
    assert [text(each) for each in relaxed(code, at)] == offered


@pytest.mark.parametrize(
    ("asked", "stored", "alike"),
    [
        ("j->begin > end", "j->length", ["j->begin"]),
        ("j != NULL && end <= j->begin", "end", ["j->begin"]),
        ("j->begin > j->length", "end", []),
        ("end > 0", "j->begin", []),
    ],
)
def test_what_is_stored_is_what_was_compared(
    asked: str, stored: str, alike: list[str], tmp_path: Path
) -> None:
    program = program_of(
        JOBS.replace("ASKED", asked).replace("j->begin + j->length;", f"{stored};"), tmp_path
    )
    code = program.functions["finish"].code
    targets = [i for i, s in enumerate(code) if isinstance(s, Assign) and text(Load(s.target)) == "end"]
    values = {text(each): each for step in code for each in _numbers(step)}
    found = [name for name, value in values.items() if stored_alike(code, targets[-1], value)]
    assert found == alike


def _numbers(step: Instruction) -> list[Expression]:
    """The fields that an instruction reads."""
    inside = (part for each in expressions_of(step) for part in parts(each))
    return [part for part in inside if isinstance(part, Load) and isinstance(part.place, Member)]
