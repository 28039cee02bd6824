"""A loop goes on from a node that a function which it calls has freed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sanitized import sanitized
from thorough import every_other

SHELF = """\
#include <stdio.h>
#include <stdlib.h>
struct item { int id; int weight; struct item *next; };
struct item *shelf;
void put(int id, int weight)
{
    struct item *n = malloc(sizeof *n);
    n->id = id;
    n->weight = weight;
    n->next = shelf;
    shelf = n;
}
void throw_out(int id)
{
    struct item **link = &shelf;
    while (*link != NULL && (*link)->id != id)
        link = &(*link)->next;
    if (*link != NULL) {
        struct item *gone = *link;
        *link = gone->next;
        free(gone);
    }
}
WORK
int main(void)
{
    int weight, id = 0;
    char command;
    while (scanf(" %c%d", &command, &weight) == 2)
        if (command == '+')
            put(++id, weight);
        else
            work(weight);
    for (struct item *s = shelf; s != NULL; s = s->next)
        printf("%d ", s->weight);
    return 0;
}
"""

HEAVIER = """\
void work(int weight)
{
    struct item *cur = shelf;
    while (cur != NULL) {
        if (cur->weight > weight)
            throw_out(cur->id);
        cur = cur->next;
    }
}
"""

# What is to be done is read: the loop lies where one of the characters leads to.
ASKING = """\
void work(int weight)
{
    char how;
    if (scanf(" %c", &how) != 1)
        return;
    if (how == 'i')
        throw_out(weight);
    else if (how == 'w') {
        for (struct item *cur = shelf; cur != NULL; cur = cur->next)
            if (cur->weight == weight)
                throw_out(cur->id);
    }
}
"""

LOOPS = {
    "to its end": (HEAVIER, "+3 +9 +4 -5", ("+9 -5", "+9 +9 +1 +8 -5", "+1 -5", "-5", "+1 +7 +7 -6 +2")),
    "where a character leads": (
        ASKING,
        "+3 +9 +4 -9w",
        ("+9 -9w", "+9 +9 +1 +9 -9w", "+9 +8 -2i", "+9 -3i", "+9 +2 -2w -9w"),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("work", "typed", "others"), every_other(LOOPS.values()), ids=every_other(LOOPS))
def test_the_loop_goes_on_to_what_came_behind_the_freed_node(
    play: Callable[..., Any], tmp_path: Path, work: str, typed: str, others: tuple[str, ...]
) -> None:
    given = tmp_path / "typed"
    given.write_text(typed.replace("-", "- "))
    session = play(SHELF.replace("WORK", work), stdin=given)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'repaired.c'}")
    binary = sanitized(tmp_path / "repaired.c")
    kept = {"w": lambda each, of: each != of, "": lambda each, of: each <= of}
    for text in (typed, *others):
        ran = subprocess.run(
            [binary],
            check=False,
            capture_output=True,
            text=True,
            input=text.replace("-", "- "),
            env={"ASAN_OPTIONS": "detect_leaks=0"},
        )
        shelf: list[tuple[int, int]] = []
        ids = 0
        for word in text.split():
            number = int(word[1:].rstrip("iw"))
            how = word[-1] if word[-1] in "iw" else ""
            if word[0] == "+":
                ids += 1
                shelf.insert(0, (ids, number))
            elif how == "i":
                shelf = [each for each in shelf if each[0] != number]
            else:
                shelf = [each for each in shelf if kept[how](each[1], number)]
        assert (ran.returncode, ran.stdout) == (0, "".join(f"{w} " for _, w in shelf)), text
