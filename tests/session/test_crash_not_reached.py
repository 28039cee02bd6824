"""A repair under which the call that crashed is not made at all."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from played_session import Played

from wolverine.session import results

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


def test_the_program_goes_on_to_the_end_of_the_function_where_the_trace_begins(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(DROPPED, arguments=("1", "1", "2"))
    session("run; repair --function without --no-question")
    assert session.last(results.Repaired).edits[0].after == "c->next = without(c->next, v)"
    end = DROPPED.rstrip().count("\n") + 1
    assert f"the program went on to line {end} in main" in session.texts()
    out = tmp_path / "out.c"
    session(f"rewrite {out}\ncontinue")
    assert session.last(results.Exited).code == 0
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", tmp_path / "out", out], check=True)
    for arguments in (["2", "1", "2", "3"], ["5", "1"], ["1", "1", "1"]):
        subprocess.run([tmp_path / "out", *arguments], check=True, env={"ASAN_OPTIONS": "detect_leaks=0"})
