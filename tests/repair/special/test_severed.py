"""What a function returns although it has freed it, and what is to be returned then."""

from __future__ import annotations

from pathlib import Path

from playing import best, crash, words

RING = """\
#include <stdlib.h>
struct child { int id; struct child *next; };
struct child *join(struct child *last, int id) {
    struct child *c = malloc(sizeof *c);
    c->id = id;
    c->next = c;
    if (last != NULL) {
        c->next = last->next;
        last->next = c;
    }
    return c;
}
struct child *take_out(struct child *last, struct child *before) {
    struct child *out = before->next;
    if (out == before) {
        free(out);
        return NULL;
    }
    before->next = out->next;
    free(out);
    return last;
}
int main(void) {
    struct child *last = NULL;
    for (int i = 0; i < 3; i++)
        last = join(last, i);
    struct child *before = last;
    while (before->next->id != 2)
        before = before->next;
    last = take_out(last, before);
    return last->next->id;
}
"""


def test_another_node_is_returned_only_where_that_one_was_freed(tmp_path: Path) -> None:
    """`return before` would do it, too, and returns something else where the last node stays."""
    problem = crash(RING, "main", tmp_path, strict=True)
    assert words(problem.program, best(problem)) == "if (out == last) last = before"
