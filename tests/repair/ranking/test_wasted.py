"""A node that a function makes and loses by writing one field twice: it was meant for another field."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from playing import crash, only, program_of, words

from wolverine.core.patch import Repairs
from wolverine.core.trace import Budget
from wolverine.repair import search
from wolverine.repair.source.overwritten import overwritten

GROWING = """\
#include <stdlib.h>
struct tree { int key; struct tree *yes, *no; };
static struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->yes = t->no = NULL;
    return t;
}
static void grow(struct tree *t, int key)
{
    struct tree *one = leaf(key), *two = leaf(t->key);
    t->yes = one;
    t->yes = two;
    t->key = key + 1;
}
int main(void)
{
    struct tree *t = leaf(1);
    grow(t, 7);
    while (t->yes != NULL)
        t = t->no;
    return t->key;
}
"""


def test_a_node_made_in_vain_is_put_where_the_function_puts_nothing(tmp_path: Path) -> None:
    """That it comes to something else then, on all heaps, does not speak against it."""
    problem = only(crash(GROWING, "main", tmp_path), "grow")
    found = search(replace(problem, budget=Budget(3_000)))
    assert isinstance(found, Repairs)
    first = found.candidates[0]
    assert words(problem.program, first) == "t->no = two"
    assert first.changed == 0


def test_a_field_is_written_twice_where_nothing_reads_it_in_between(tmp_path: Path) -> None:
    def told(text: str) -> list[str]:
        program = program_of(text, tmp_path)
        written = {step.text: step.id for step in program.locations if step.text.startswith("t->yes = ")}
        return [
            overwritten(program.functions["grow"], written[f"t->yes = {each}"]) for each in ("one", "two")
        ]

    assert told(GROWING) == ["first", "copy"]
    for between in ("key = t->yes->key;", "t = one;", "leaf(2);", "if (key)"):
        assert told(GROWING.replace("t->yes = two", f"{between} t->yes = two")) == ["", ""]
