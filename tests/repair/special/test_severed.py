"""Which functions may have been meant to set what leads to a freed node."""

from __future__ import annotations

from pathlib import Path

from playing import crash

from wolverine.repair.special.severed import severed

CLUB = """\
#include <stdlib.h>
struct member { int number; struct member *later; };
struct member *first;
void join(int number) {
    struct member *m = malloc(sizeof *m);
    m->number = number;
    m->later = first;
    first = m;
}
void strike(struct member *m) {
    struct member **at = &first;
    while (*at != m)
        at = &(*at)->later;
}
void greet(struct member *m) {
    m->number++;
}
void quit(struct member *m) {
    greet(first->later);
    strike(m);
    free(m);
}
int main(void) {
    join(1);
    join(2);
    quit(first);
    return first->number;
}
"""


def test_what_was_given_the_node_that_is_freed_may_have_been(tmp_path: Path) -> None:
    problem = crash(CLUB, "main", tmp_path, strict=True)
    assert severed(problem.program, problem.traces[0]).functions == {"quit", "strike"}
