"""What is freed and then set, in the wrong order: the new node is freed, and the old one is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from played_session import Played

from wolverine.session import results

LABELS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct label { char *text; struct label *next; };
static struct label *all;
static void call(int at, const char *text)
{
    struct label *l = all;
    while (at-- > 0 && l != NULL)
        l = l->next;
    if (l != NULL) {
        l->text = strdup(text);
        free(l->text);
        return;
    }
    l = malloc(sizeof *l);
    l->text = strdup(text);
    l->next = all;
    all = l;
}
int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        call(atoi(argv[i]), argv[i + 1]);
    for (struct label *l = all; l != NULL; l = all) {
        puts(l->text);
        all = l->next;
        free(l->text);
        free(l);
    }
    return 0;
}
"""


def test_a_free_is_put_in_front_of_what_sets_the_pointer(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(LABELS, arguments=("0", "one", "1", "two", "0", "other"), json=False)
    session(f"run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert {edit.line for edit in session.last(results.Repaired).edits} == {12, 13}
    exe = tmp_path / "out"
    subprocess.run(["gcc", "-w", "-fsanitize=address", "-o", exe, tmp_path / "out.c"], check=True)
    ran = subprocess.run([exe, "0", "a", "0", "b", "1", "c"], capture_output=True, text=True, timeout=9)
    assert (ran.returncode, ran.stdout) == (0, "c\nb\n")
