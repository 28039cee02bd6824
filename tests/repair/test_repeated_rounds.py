"""What an `if` does once is to be done in rounds, in which more is set than can be set in one."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.patch import NewJump, Repairs
from wolverine.repair import search

EMPTIED = """\
#include <stdlib.h>
struct coin { struct coin *below; };
struct purse { struct coin *coins; int spent; };
static void put(struct purse *purse) {
    struct coin *coin = malloc(sizeof *coin);
    coin->below = purse->coins;
    purse->coins = coin;
}
static void empty(struct purse *from, struct purse *into) {
    if (from->coins != NULL) {
        struct coin *coin = from->coins;
        from->coins = coin->below;
        coin->below = into->coins;
        into->coins = coin;
        from->spent++;
    }
}
struct coin *left, *right;
int spent;
int main(void) {
    struct purse one = { NULL, 0 }, two = { NULL, 0 };
    put(&one); put(&one); put(&one);
    empty(&one, &two);
    left = one.coins;
    right = two.coins;
    spent = one.spent;
    return 0;
}
"""


def test_no_more_need_be_written_in_one_round_than_there_are_rounds(tmp_path: Path) -> None:
    play = Play(program_of(EMPTIED, tmp_path))
    play.to(23)
    play.open()
    play.to(27)
    play.change("left", "null")
    play.change("right", "n1")
    play.change("spent", "3")
    play.change("n1->below", "n2")
    play.change("n2->below", "n3")
    play.spec("left", "right", "spent", "n1->below", "n2->below", "n3->below")
    found = search(play.problem())
    assert isinstance(found, Repairs)
    [edit] = found.candidates[0].patch.edits
    assert edit.replacement == NewJump("while")


MARKED = """\
#include <stdlib.h>
struct part { int seen; struct part *inside, *beside; };
static void visit(struct part *p) {
    if (p != NULL && !p->seen) {
        p->seen = 1;
        visit(p->inside);
        p = p->beside;
    }
}
static struct part *part(struct part *inside, struct part *beside) {
    struct part *p = calloc(1, sizeof *p);
    p->inside = inside;
    p->beside = beside;
    return p;
}
struct part *all;
int main(void) {
    all = part(part(NULL, NULL), part(NULL, NULL));
    visit(all);
    return 0;
}
"""


def test_rounds_are_thought_of_where_a_call_would_do_as_well(tmp_path: Path) -> None:
    play = Play(program_of(MARKED, tmp_path))
    play.to(19)
    play.open()
    play.to(20)
    play.change("n1->seen", "1")
    play.spec()
    found = search(play.problem())
    assert isinstance(found, Repairs)
    [edit] = found.candidates[0].patch.edits
    assert edit.replacement == NewJump("while")
