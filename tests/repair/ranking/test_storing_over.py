"""New statements that store over what the one in front of them has stored by another name."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.patch import NO_EDITS, Edit, Repairs
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.storing_over import storing_over

CARDS = """\
#include <stdlib.h>
struct card { int n; struct card *next; };
struct card *top;
static void drop(int n)
{
    struct card **at = &top, *gone;
    while ((*at)->n != n)
        at = &(*at)->next;
    gone = *at;
    *at = NULL;
    free(gone);
}
int main(void)
{
    for (int i = 4; i > 0; i--) {
        struct card *c = malloc(sizeof *c);
        c->n = i;
        c->next = top;
        top = c;
    }
    drop(DROPPED);
    DROPPED_TOO;
    return 0;
}
"""
OVER = "top->next = gone->next"
IN_FRONT = 10  # the line of what stores


@pytest.mark.parametrize(
    ("dropped", "too", "over"),
    [
        ("2", "", {OVER}),  # `at` leads to the link of the first card
        ("3", "", set()),
        ("3", "drop(2)", set()),  # not always
    ],
)
def test_which_names_are_one_place_tells_the_execution(
    dropped: str, too: str, over: set[str], tmp_path: Path
) -> None:
    play = Play(program_of(CARDS.replace("DROPPED_TOO", too).replace("DROPPED", dropped), tmp_path))
    play.open()
    play.to(23, "main")
    play.spec()
    program, menus = play.program, Menus(play.program)
    gaps = [e.id for e in program.locations if e.kind == "gap" and e.line == IN_FRONT + 1]
    wanted = {OVER, "*at = gone->next", "top->next = top->next"}
    edits = [
        Edit(gap, choice.replacement)
        for gap in gaps
        if (menu := menus.menu(gap)) is not None
        for choice in menu.choices
        if replacement_text(choice.replacement) in wanted
    ]
    found = storing_over(program, play.trace(), NO_EDITS, edits)
    assert len(edits) > 1
    assert {replacement_text(each.replacement) for each in found} == over


def test_what_stored_is_given_the_other_value(tmp_path: Path) -> None:
    play = Play(program_of(CARDS.replace("DROPPED_TOO", "").replace("DROPPED", "2"), tmp_path))
    play.open()
    play.to(23, "main")
    play.change("n4->next", "n2")
    play.spec()
    found = search(play.problem())
    assert isinstance(found, Repairs)
    words_of = [words(play.program, each) for each in found.candidates]
    assert words_of[0] in ("*at = gone->next", "*at = (*at)->next")
    tested = found.candidates[words_of.index(f"if (gone != NULL) {OVER}")]
    alike = [c for c in found.candidates if c.behaviour == tested.behaviour]
    plain = next(each for each in alike if words(play.program, each) == OVER)
    assert plain.against - plain.score > tested.against - tested.score  # which stores over in a special case
