"""Numbers of nodes that are reckoned from those of other nodes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.repair.menus.sums import reckoned

EXTENTS = """\
#include <stdlib.h>
struct extent { unsigned count, begin; struct extent *next; };
struct extent *disk;
char *blocks;
struct extent *extent(unsigned from, unsigned count, struct extent *next) {
    struct extent *e = malloc(sizeof *e);
    e->begin = from;
    e->count = count;
    e->next = next;
    return e;
}
void halve(struct extent *e, unsigned at) {
    SECOND
    e->count = at;
}
int full(struct extent *e) {
    char *first = blocks + e->begin;
    return *first != 0;
}
int main(void) {
    blocks = calloc(100, 1);
    disk = extent(0, 50, NULL);
    halve(disk, 20);
    halve(disk->next, 12);
    return full(disk->next);
}
"""
PASSED = "e->next = extent(at, e->count - at, e->next);"
STORED = """struct extent *rest = malloc(sizeof *rest);
    rest->next = e->next;
    rest->count = e->count - at;
    rest->begin = at;
    e->next = rest;"""


@pytest.mark.parametrize(
    ("second", "line", "wanted"),
    [(PASSED, 25, "e->begin + at"), (STORED, 29, "rest->begin = e->begin + at")],
)
def test_a_part_begins_as_far_behind_what_it_is_a_part_of(
    second: str, line: int, wanted: str, tmp_path: Path
) -> None:
    play = Play(program_of(EXTENTS.replace("SECOND", second), tmp_path))
    play.open()
    play.to(line)
    play.change("n4->begin", "32")
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == wanted


def test_what_is_added_to_nothing_is_reckoned_from_nothing(tmp_path: Path) -> None:
    text = EXTENTS.replace("SECOND", PASSED)
    begin = ("extent", "begin")
    assert begin in reckoned(program_of(text, tmp_path), converted=True)
    text = text.replace("blocks + e->begin", "blocks")
    assert begin not in reckoned(program_of(text, tmp_path), converted=True)


QUEUE = """\
#include <stdint.h>
#include <stdlib.h>
struct wait { uint16_t more; struct wait *then; };
struct wait *first;
void enter(uint16_t ticks) {
    struct wait **at = &first, *w = malloc(sizeof *w);
    while (*at != NULL && (*at)->more <= ticks) {
        ticks -= (*at)->more;
        at = &(*at)->then;
    }
    w->more = ticks;
    w->then = *at;
    *at = w;
}
static struct wait *waiting(uint16_t more, struct wait *then) {
    struct wait *w = malloc(sizeof *w);
    w->more = more;
    w->then = then;
    return w;
}
int main(void) {
    first = waiting(5, waiting(20, NULL));
    enter(15);
    return first->more;
}
"""


def test_a_narrow_number_is_reckoned_with_as_well(tmp_path: Path) -> None:
    """C reckons with it as an `int`; it is less than it was, rather than what another one is by chance."""
    play = Play(program_of(QUEUE, tmp_path))
    play.enter_function("enter")
    play.to(14, "enter")
    play.change("n1->more", "10")
    play.spec()
    problem = play.problem()
    assert ("wait", "more") in reckoned(problem.program)
    assert words(problem.program, best(problem)) == "if (*at != NULL) (*at)->more = (*at)->more - ticks"
