"""A repair after something that is not to be done twice: what went wrong stays, and that is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

LOGGED = """\
#include <stdio.h>
struct node { int data; struct node *next; };
static int sum(struct node *n)
{
    FILE *log = fopen("/dev/null", "w");
    fclose(log);
    int s = 0;
    while (n->next != NULL) {
        s += n->data;
        n = n->next;
    }
    return s;
}
int main(void)
{
    struct node two = {2, NULL}, one = {1, &two};
    return sum(&one);
}
"""


def test_what_went_wrong_before_a_repair_in_force_from_here_on(play: Callable[..., Played]) -> None:
    session = play(LOGGED, json=False)
    session("break sum; run; next 6; enter; next 3; leave; spec s; finish; repair --no-question")
    repaired = session.last(results.Repaired)
    assert repaired.applied == "screened"
    assert [edit.after for edit in repaired.edits] == ["n != NULL"]
    assert "what has gone wrong by now stays wrong, and `start` or `run` begins anew" in session.texts()
    session("delete; run")
    assert session.last(results.Exited).code == 3


WORDS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct word { char *text; struct word *next; };
static struct word *word(const char *text, struct word *next)
{
    struct word *w = malloc(sizeof *w);
    w->text = strcpy(malloc(strlen(text)), text);
    w->next = next;
    return w;
}
int main(int argc, char **argv)
{
    char line[20];
    struct word *all = NULL;
    FILE *from = stdin;
    if (argc > 1 && argv[1][0] == 'f')
        from = fopen(argv[2], "a+");
    while (fgets(line, sizeof line, from) != NULL)
        all = word(line, all);
    if (argc > 1)
        fclose(fopen(argv[2], "a"));
    fprintf(from, "seen\\n");
    while (all != NULL) {
        struct word *next = all->next;
        if (argc == 1)
            free(all->text);
        free(all);
        all = next;
    }
    return 0;
}
"""
_BEYOND = "offset 6 lies outside n2, which has 6 bytes, by line 8 in word"


def test_a_file_that_is_not_opened_does_not_keep_from_looking(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    (tmp_path / "given").write_text("house\n\n")
    session = play(WORDS, stdin=tmp_path / "given")
    session("run; repair --no-question")
    assert _BEYOND in session.texts()
    assert [edit.after for edit in session.last(results.Repaired).edits] == ["strlen(text) + 1"]


def test_up_to_where_a_file_is_opened_it_is_looked(play: Callable[..., Played], tmp_path: Path) -> None:
    (tmp_path / "given").write_text("garden")
    session = play(WORDS, stdin=tmp_path / "given", arguments=("s", str(tmp_path / "kept")))
    session("run")
    assert _BEYOND in session.texts()


def test_behind_where_a_file_is_opened_it_is_not_done_again(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    (tmp_path / "kept").write_text("garden\n")
    session = play(WORDS, arguments=("f", str(tmp_path / "kept")))
    session("run")
    assert session.last(results.Exited).code == 0
    assert (tmp_path / "kept").read_text() == "garden\nseen\n"
    with pytest.raises(CommandError, match="from line 18 in main on, where it opens files"):
        session("repair")


LOSES = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int n; struct node *next; };
int main(int argc, char **argv)
{
    FILE *from = argc > 1 ? fopen(argv[1], "r") : stdin;
    struct node *top = NULL;
    int n;
    while (fscanf(from, "%d", &n) == 1) {
        struct node *one = malloc(sizeof *one);
        one->n = n;
        one->next = top;
        top = one;
    }
    while (top != NULL) {
        struct node *next = top->next;
        if (top->n > 1)
            free(top);
        top = next;
    }
    return 0;
}
"""


@pytest.mark.parametrize("opened", [True, False])
def test_what_is_lost_is_looked_for_where_no_file_was_opened(
    play: Callable[..., Played], tmp_path: Path, opened: bool
) -> None:
    numbers = tmp_path / "numbers"
    numbers.write_text("1 2 3")
    session = play(LOSES, stdin=numbers, arguments=(str(numbers),) if opened else ())
    session("run")
    if opened:
        with pytest.raises(CommandError, match="has ended without a fault"):
            session("repair")
    else:
        session("repair --no-question")
        assert "n1 is lost at line" in session.texts()
