"""A link that leads back from the node behind, and that nobody writes: the commonest omission of all."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

UNLINKED = """\
#include <stdio.h>
#include <stdlib.h>
struct stop { int number; struct stop *next, *prev; };
struct line { struct stop *first, *last; };
void append(struct line *l, int number)
{
    struct stop *s = malloc(sizeof *s);
    s->number = number;
    s->next = NULL;
    s->prev = l->last;
    if (l->last != NULL)
        l->last->next = s;
    else
        l->first = s;
    l->last = s;
}
void drop(struct line *l, int number)
{
    struct stop *s = l->first;
    while (s != NULL && s->number != number)
        s = s->next;
    if (s == NULL)
        return;
    if (s->prev != NULL)
        s->prev->next = s->next;
    else
        l->first = s->next;
    if (s == l->last)
        l->last = s->prev;
    free(s);
}
int main(int argc, char **argv)
{
    struct line l = {NULL, NULL};
    for (int i = 2; i < argc; i++)
        append(&l, atoi(argv[i]));
    drop(&l, atoi(argv[1]));
    for (struct stop *s = l.first; s != NULL; s = s->next)
        printf("%d ", s->number);
    for (struct stop *s = l.last; s != NULL; s = s->prev)
        printf("%d ", s->number);
    printf("\\n");
    return 0;
}
"""


def _output(text: str, folder: Path, arguments: list[str]) -> str:
    source = folder / "repaired.c"
    source.write_text(text)
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", folder / "repaired", source], check=True)
    run = subprocess.run(
        [folder / "repaired", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={"ASAN_OPTIONS": "detect_leaks=0"},
    )
    return run.stdout


@pytest.mark.thorough
def test_a_link_back_that_is_never_written_is_written(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(UNLINKED, arguments=("2", "1", "2", "3", "4"))
    line = next(n for n, text in enumerate(UNLINKED.splitlines(), 1) if "first; s != NULL" in text)
    session(f"break {line}; run; change n3->prev n1; spec; repair --no-question")
    assert session.last(results.Repaired).cost == 1
    out = tmp_path / "out.c"
    session(f"rewrite {out}")
    assert _output(out.read_text(), tmp_path, ["2", "1", "2", "3", "4"]) == "1 3 4 4 3 1 \n"
    assert _output(out.read_text(), tmp_path, ["3", "1", "2", "3", "4", "5"]) == "1 2 4 5 5 4 2 1 \n"
    assert _output(out.read_text(), tmp_path, ["4", "1", "2", "3", "4"]) == "1 2 3 3 2 1 \n"
    assert _output(out.read_text(), tmp_path, ["1", "1"]) == "\n"
