"""Texts that the library copies, and that go lost with the nodes that hold them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from played_session import Played
from sanitized import printed, sanitized

from wolverine.errors import CommandError
from wolverine.session import results

GUESTS = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct guest { char *name; struct guest *next; };
static struct guest *seated;
static void seat(const char *name)
{
    struct guest *guest = malloc(sizeof *guest);
    guest->name = strdup(name);
    guest->next = seated;
    seated = guest;
}
static void leave(void)
{
    struct guest *guest = seated;
    seated = guest->next;
    free(guest);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        seat(argv[i]);
    while (seated != NULL) {
        printf("%s ", seated->name);
        leave();
    }
    printf("\\n");
    return 0;
}
"""


def test_a_text_is_freed_before_the_node_that_holds_it(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(GUESTS, arguments=("ann", "bob"))
    out = tmp_path / "out.c"
    session(f"run\nrepair --no-question\nrewrite {out}")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.line, edit.after) == ("insert", 17, "free(guest->name);")
    assert printed(sanitized(out), "eve") == (0, "eve \n")


def test_the_rest_of_a_list_that_is_kept_is_not_freed_with_its_first_node(
    play: Callable[..., Played],
) -> None:
    session = play(GUESTS, arguments=("ann",))
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.line, edit.after) == ("insert", 17, "free(guest->name);")


def test_where_main_has_lost_them_the_program_goes_on_to_its_end(play: Callable[..., Played]) -> None:
    session = play(GUESTS, arguments=("ann", "bob", "cat", "dan", "eve"))
    session("break 28\nrun\nrepair --no-question")
    assert "n2, n4, n6, ... are lost here, and nothing is asserted" in session.texts()
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "free(guest->name);"


def test_elsewhere_it_is_said_what_may_be_done(play: Callable[..., Played]) -> None:
    session = play(GUESTS, arguments=("ann", "bob"))
    session("break 18\nrun")
    wanted = r"nothing is asserted yet.*n4 is lost here: once the program has ended"
    with pytest.raises(CommandError, match=wanted):
        session("repair")


def test_a_breakpoint_on_the_way_is_told(play: Callable[..., Played]) -> None:
    session = play(GUESTS, arguments=("ann", "bob", "cat"))
    session("break 24\nrun\ncontinue")
    with pytest.raises(CommandError, match=r"stopped before its end: `continue`"):
        session("repair")


TALLY = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct vote { char *party; int n; struct vote *next; };
static struct vote *votes;
static char *text_of(const char *given)
{
    char *made = malloc(strlen(given) + 1);
    strcpy(made, given);
    return made;
}
static void cast(const char *given)
{
    char *party = MAKE(given);
    for (struct vote *v = votes; v != NULL; v = v->next)
        if (strcmp(v->party, party) == 0) {
            v->n++;
            return;
        }
    struct vote *fresh = malloc(sizeof *fresh);
    fresh->party = party;
    fresh->n = 1;
    fresh->next = votes;
    votes = fresh;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        cast(argv[i]);
    while (votes != NULL) {
        struct vote *next = votes->next;
        printf("%s %d ", votes->party, votes->n);
        free(votes->party);
        free(votes);
        votes = next;
    }
    printf("\\n");
    return 0;
}
"""


@pytest.mark.parametrize("make", ["strdup", "text_of"])
def test_a_text_that_was_made_in_vain_is_freed(
    play: Callable[..., Played], tmp_path: Path, make: str
) -> None:
    session = play(TALLY.replace("MAKE", make), arguments=("red", "blue", "red"))
    out = tmp_path / "out.c"
    session(f"run\nrepair --no-question\nrewrite {out}")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "free(party);")
    assert printed(sanitized(out), "blue blue red") == (0, "red 1 blue 2 \n")
