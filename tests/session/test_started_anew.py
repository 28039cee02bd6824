"""A program that is started anew keeps the patch in force, and the session knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *push(struct node *list, struct node *fresh)
{
    fresh->next = NULL;
    return list;
}
int main(void)
{
    struct node one = { 1, NULL }, two = { 2, NULL };
    struct node *list = NULL;
    list = push(list, &one);
    list = push(&one, &two);
    printf("%d %d\\n", list->data, list->next == &one);
    return 0;
}
"""


@pytest.fixture
def repaired(play: Callable[..., Played]) -> Played:
    session = play(PROGRAM, json=False)
    session("break 8; run; continue; change two.next one; spec two.next; repair --no-question")
    assert "+    fresh->next = list;" in session.last(results.Repaired).patch
    return session


def test_it_runs_patched_and_is_written_so(repaired: Played) -> None:
    repaired("delete; run")
    assert "started anew with the patch: the trace ends here" in repaired.texts()
    repaired("rewrite")
    assert "+    fresh->next = list;" in repaired.last(results.Rewritten).patch
    with pytest.raises(CommandError, match="ended"):
        repaired("repair")


def test_a_second_repair_keeps_the_first(repaired: Played) -> None:
    repaired("delete; break 8; run; continue")
    assert repaired.last(results.Stopped).line == 8
    with pytest.raises(CommandError, match="no repair at this stop"):
        repaired("accept 2")
    repaired("finish; next; change list two; spec list two.next; repair --no-question")
    found = repaired.last(results.Repaired)
    assert "+    fresh->next = list;" in found.patch
    repaired("delete; run")
    assert repaired.output().endswith("2 1\n")


def test_a_patch_of_main_is_known_where_main_begins(play: Callable[..., Played]) -> None:
    session = play("int main(void) {\n    int one = 1;\n    one = 3;\n    return one;\n}\n")
    session("start; next 2; change one 2; spec; repair; start; change one 1; next 2")
    assert session.places()["main::one"] == 2
    session("spec; next")
    assert session.line() == 5


def test_a_patch_is_taken_out_of_force(repaired: Played) -> None:
    repaired("accept 0")
    assert "not in force any more" in repaired.texts()
    assert not _difference(repaired)
    with pytest.raises(CommandError, match="no patch is in force"):
        repaired("accept 0")
    repaired("delete; run")
    assert "started anew: the trace ends here" in repaired.texts()
    assert repaired.output().endswith("1 0\n")


def test_it_is_taken_out_of_force_within_the_function_that_it_patches(repaired: Played) -> None:
    repaired("delete; break 6; run; continue; accept 0; next")
    assert repaired.places()["main::two"]["next"] is None
    repaired("delete; continue")
    assert repaired.output().endswith("1 0\n")


def test_a_program_that_has_ended_is_started_with_the_patch(repaired: Played) -> None:
    repaired("delete; continue; start")
    assert "started anew with the patch; `accept 0` takes the patch out of force" in repaired.texts()
    repaired("accept 0; continue")
    assert repaired.output().endswith("1 0\n")


def test_going_back_tells_when_another_patch_is_in_force(repaired: Played) -> None:
    repaired("back")
    assert repaired.texts().count("the patch is not in force any more: there was none at this stop") == 1
    assert not _difference(repaired)
    repaired("continue; change two.next one; spec two.next; repair --no-question; next; accept 0; back")
    assert repaired.texts().count("in force again") == 1
    assert "+    fresh->next = list;" in _difference(repaired)
    repaired("resume 0")
    assert repaired.texts().count("not in force any more: there was none at this stop") == 2


def _difference(session: Played) -> str:
    session("rewrite")
    patch: str = session.last(results.Rewritten).patch
    return patch


STRAIGHT = """\
#include <stdio.h>
int main(void)
{
    int x = 1;
    puts("begin");
    x = x + 1;
    puts("end");
    return x;
}
"""


def test_with_main_patched_the_program_runs_once(play: Callable[..., Played]) -> None:
    session = play(STRAIGHT)
    session("break 7; run; change x 3; spec; repair --no-question; delete")
    assert session.last(results.Repaired).patch
    before = session.output()
    session("run")
    assert session.output().removeprefix(before) == "begin\nend\n"
    session("start")
    assert (session.last(results.Stopped).line, session.places()["main::x"]) == (4, {"uninitialised": True})
    session("next; next; next")
    assert (session.last(results.Stopped).line, session.places()["main::x"]) == (7, 3)


BEYOND = """\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *team[2];
    int i, sum = 0;
    puts("begin");
    for (i = 0; i < 2; i++) {
        team[i] = malloc(sizeof(int));
        *team[i] = 20 + i;
    }
    for (i = 0; i <= 2; i++)
        sum += *team[i];
    printf("sum %d\\n", sum);
    for (i = 0; i < 2; i++)
        free(team[i]);
    puts("end");
    return 0;
}
"""


@pytest.mark.thorough
def test_what_the_patched_program_writes_behind_the_crash_is_told(play: Callable[..., Played]) -> None:
    session = play(BEYOND)
    session("run; repair --no-question")
    assert "+    for (i = 0; i < 2; i++)" in session.last(results.Repaired).patch
    assert "the program has also written:\nsum 41\nend" in session.texts()
    assert session.output() == "begin\n"
    session("continue")
    assert session.output() == "begin\n"
