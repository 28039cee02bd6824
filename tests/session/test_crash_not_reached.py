"""A repair under which the call that crashed is not made at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "repair"))

import pytest
from played_session import Played
from playing import crash

from wolverine.core.patch import Repairs
from wolverine.errors import CommandError
from wolverine.repair import search
from wolverine.session import results
from wolverine.session.answers import unmet

DROPPED = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *push(struct cell *c, int v)
{
    struct cell *made = malloc(sizeof *made);
    made->v = v;
    made->next = c;
    return made;
}
struct cell *without(struct cell *c, int v)
{
    if (c == NULL)
        return NULL;
    if (c->v == v) {
        struct cell *rest = c->next;
        free(c);
        return rest;
    }
    without(c->next, v);
    return c;
}
void clear(struct cell *c)
{
    if (c->next != NULL)
        clear(c->next);
    free(c);
}
int main(int argc, char **argv)
{
    struct cell *all = NULL;
    for (int i = 2; i < argc; i++)
        all = push(all, atoi(argv[i]));
    all = without(all, atoi(argv[1]));
    if (all != NULL)
        clear(all);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_program_goes_on_to_the_end_of_the_call_in_which_it_crashed(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(DROPPED, arguments=("1", "1", "2"))
    session("run; repair --function without --no-question")
    assert session.last(results.Repaired).edits[0].after == "c->next = without(c->next, v)"
    end = DROPPED[: DROPPED.index("int main")].rstrip().count("\n") + 1
    stopped = session.last(results.Stopped)
    assert (stopped.function, stopped.line) == ("clear", end)
    out = tmp_path / "out.c"
    session(f"rewrite {out}\ncontinue")
    assert session.last(results.Exited).code == 0
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", tmp_path / "out", out], check=True)
    for arguments in (["2", "1", "2", "3"], ["5", "1"], ["1", "1", "1"]):
        subprocess.run([tmp_path / "out", *arguments], check=True, env={"ASAN_OPTIONS": "detect_leaks=0"})


UNTOLD = """\
#include <stdlib.h>
struct cell { int v; struct cell *next; };
static int first(struct cell *c)
{
    return c->v;
}
int main(void)
{
    return first(calloc(1, sizeof(struct cell)));
}
"""


def test_a_crash_to_which_the_model_does_not_come_needs_more_than_no_edit(tmp_path: Path) -> None:
    problem = crash(UNTOLD.replace("calloc(1, sizeof(struct cell))", "NULL"), "first", tmp_path)
    answer = search(problem)
    assert isinstance(answer, Repairs)
    assert not unmet(problem, answer)
    given = crash(UNTOLD.replace("return c->v", "return c->next->v"), "first", tmp_path).traces[0].start
    other = replace(problem, traces=(replace(problem.traces[0], start=given),))
    found = search(other)
    assert isinstance(found, Repairs)
    assert unmet(other, found)


MARKED = """\
#include <stdint.h>
#include <stdlib.h>
struct node { int v; uintptr_t next; };
static struct node *front(struct node *old, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = (uintptr_t)old ^ ((uintptr_t)v << 44);
    return n;
}
int main(void)
{
    struct node *all = front(front(NULL, 0), 3);
    struct node *second = (struct node *)(all->next ^ ((uintptr_t)2 << 44));
    return second->v;
}
"""


def test_what_the_model_does_not_follow_is_why_there_is_no_repair(play: Callable[..., Played]) -> None:
    session = play(MARKED)
    session("run")
    with pytest.raises(CommandError, match=r"line 8 in front: a pointer is used as an integer.*no edit"):
        session("repair --function front")
    assert session.last(results.NotRepaired).reason == "unsupported"
