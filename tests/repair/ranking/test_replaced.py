"""Repairs under which another node stands for one that was shown before."""

from __future__ import annotations

from pathlib import Path

from playing import Play, best, program_of, words

from wolverine.core.patch import Deletion, Edit, Patch
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.ranking.pictured import Replaced

SLOT = """\
#include <stdlib.h>
struct page { int no, seen; };
struct page *held;
static void use(int no)
{
    if (held != NULL && held->no == no) {
        return;
    }
    free(held);
    held = malloc(sizeof *held);
    held->no = no;
    held->seen = 0;
}
static void look(void)
{
    held->seen = 1;
}
static void turns(void)
{
    use(1);
    look();
    use(1);
    look();
}
int main()
{
    turns();
    return 0;
}
"""


def played(folder: Path, *, first: bool = True) -> Play:
    """The page that is used again is to count as unseen; with `first`, it was shown before that."""
    play = Play(program_of(SLOT, folder))
    play.enter_function("turns")
    line = SLOT[: SLOT.index("    use(1);")].count("\n") + 1
    for at in (line + 1, line + 2) if first else ():
        play.to(at, "turns")
        play.spec()
    play.to(line + 3, "turns")
    play.change("n1->seen", "0")
    play.spec()
    return play


def returning(play: Play) -> Patch:
    """That the function goes on instead of returning: it frees the page and makes one like it."""
    [jump] = (
        each.id
        for each in play.program.locations
        if each.function == "use" and each.text.startswith("return")
    )
    return Patch((Edit(jump, Deletion()),))


def test_whether_a_node_is_replaced(tmp_path: Path) -> None:
    play = played(tmp_path)
    replaced = Replaced(play.program, play.trace(), Menus(play.program))
    assert replaced
    assert replaced.replaced(returning(play))
    assert replaced.replaced(best(play.problem()).patch) is False


def test_what_is_shown_once_has_no_name_yet(tmp_path: Path) -> None:
    play = played(tmp_path, first=False)
    assert not Replaced(play.program, play.trace(), Menus(play.program))


def test_the_node_that_was_named_stays(tmp_path: Path) -> None:
    """That is farther from the source than to free it and to make another one."""
    play = played(tmp_path)
    assert words(play.program, best(play.problem())) == "held->seen = 0"
