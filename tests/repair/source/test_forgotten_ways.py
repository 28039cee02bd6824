"""Fields of a new node that are set on some ways through a function only."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import best, crash, program_of, words

from wolverine.core.expressions import lvalue_text
from wolverine.core.program import Assign
from wolverine.repair.source.forgotten import sets_on_some_ways

NOTES = """\
#include <stdlib.h>
struct page { int number; struct page *before; };
struct note { struct page *page, *behind; };
static struct note *noted(struct page *page)
{
    struct note *note = malloc(sizeof *note);
    note->page = page;
    SET
    return note;
}
static void put_back(struct note *note)
{
    if (note->behind != NULL)
        note->page->number = note->behind->number + 1;
    else
        note->page->number = 1;
}
int main(void)
{
    struct page pages[2] = { { 1, NULL }, { 5, &pages[0] } };
    struct note *second = noted(&pages[1]), *first = noted(&pages[0]);
    put_back(second);
    put_back(first);
    free(second);
    free(first);
    return 0;
}
"""
UNDER_A_TEST = "if (page->before != NULL) note->behind = page->before;"


@pytest.mark.parametrize(
    ("setting", "partly"),
    [
        (UNDER_A_TEST, True),
        ("note->behind = page->before;", False),
        (f"{UNDER_A_TEST} else note->behind = NULL;", False),
        (f"note->behind = NULL; {UNDER_A_TEST}", False),
        ("if (page->before == NULL) return note; note->behind = page->before;", True),
    ],
)
def test_a_field_is_set_on_some_ways_or_on_all(setting: str, partly: bool, tmp_path: Path) -> None:
    program = program_of(NOTES.replace("SET", setting), tmp_path)
    targets = [s.target for s in program.functions["noted"].code if isinstance(s, Assign)]
    behind = next(each for each in targets if lvalue_text(each) == "note->behind")
    page = next(each for each in targets if lvalue_text(each) == "note->page")
    assert sets_on_some_ways(program, "noted", behind) is partly
    assert not sets_on_some_ways(program, "noted", page)
    assert not sets_on_some_ways(program, "put_back", behind)


def test_without_the_test_it_holds_a_default(tmp_path: Path) -> None:
    """The process used what nothing had set: the field is set to null first, or in the other case."""
    problem = crash(NOTES.replace("SET", UNDER_A_TEST), "main", tmp_path, strict=True)
    candidate = best(problem)
    assert words(problem.program, candidate) in ("note->behind = NULL", "else note->behind = NULL")
