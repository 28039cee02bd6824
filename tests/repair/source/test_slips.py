"""A variable of the line that a call was copied from, and a step at the wrong argument."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.expressions import text
from wolverine.core.patch import NewValue, Repairs
from wolverine.frontend import check, emit
from wolverine.repair import search
from wolverine.repair.source.slips import slips

PAIRS = """\
#include <stdlib.h>
struct pair { int key, value; struct pair *next; };
struct pair *all;
static void put(int key, int value)
{
    struct pair *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->value = value;
    fresh->next = all;
    all = fresh;
}
static void both(struct pair *a, struct pair *b)
{
    put(a->key, a->value);
    put(b->key, b->value);
}
int main(void)
{
    struct pair one = {1, 10, NULL}, two = {2, 20, NULL};
    both(&one, &two);
    return 0;
}
"""
MERGE = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *merge(struct node *a, struct node *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    a->next = merge(a->next, b);
    return a;
}
int main(void) { return merge(NULL, NULL) != NULL; }
"""


def _mended(source: str, function: str, folder: Path) -> set[tuple[str, ...]]:
    program = program_of(source, folder)
    found = set()
    for edits in slips(program.functions[function]):
        values = [edit.replacement for edit in edits]
        found.add(tuple(text(each.value) for each in values if isinstance(each, NewValue)))
    return found


def test_a_variable_is_replaced_throughout(tmp_path: Path) -> None:
    assert _mended(PAIRS, "both", tmp_path) >= {("b->key", "b->value"), ("a->key", "a->value")}


def test_a_step_goes_to_another_argument(tmp_path: Path) -> None:
    assert ("a", "b->next") in _mended(MERGE, "merge", tmp_path)


@pytest.mark.parametrize(("line", "key", "value"), [(14, 1, 10), (15, 2, 20)])
def test_the_source_is_right_again_to_the_letter(line: int, key: int, value: int, tmp_path: Path) -> None:
    lines = PAIRS.splitlines(keepends=True)
    here, other = ("a", "b") if line == 14 else ("b", "a")
    lines[line - 1] = lines[line - 1].replace(f"{here}->", f"{other}->")
    play = Play(program_of("".join(lines), tmp_path))
    play.enter_function("both")
    play.to(16)
    node = f"n{line - 13}"
    play.change(f"{node}->key", str(key))
    play.change(f"{node}->value", str(value))
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    patch = answer.candidates[0].patch
    check(play.program, patch)
    assert emit(play.program, patch)[0].decode() == PAIRS
