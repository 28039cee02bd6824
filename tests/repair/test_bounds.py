"""A number that is assigned only where it is greater than the one that is there, or less."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen, words

TEXT = """\
#include <stdlib.h>
struct part { int low, high; struct part *next; };
struct part *first;
int most, n;
void push(int low, int high) {
    struct part *p = malloc(sizeof *p);
    p->low = low;
    p->high = high;
    p->next = first;
    first = p;
}
void run(struct part *p) {
    struct part *gone;
    while (p->next && p->next->low <= p->high) {
        gone = p->next;
        p->high = gone->high; // join
        p->next = gone->next;
        free(gone);
        n++;
    }
    for (p = first; p; p = p->next)
        n++; // count
} // end
int main(void) {
    push(20, 7); push(5, 6); push(3, 9); push(1, 8);
    run(first);
    return 0;
}
"""


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.split("\n"), 1) if part in line)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"n4->high": "9"}, "if (gone->high > p->high) p->high = gone->high"),
        ({"most": "9"}, "if (p->high > most) most = p->high"),
    ],
)
def test_the_greatest_is_kept(changes: dict[str, str], expected: str, tmp_path: Path) -> None:
    text = TEXT if "most" not in changes else TEXT.replace("low <= p->high", "low < 0")
    play = Play(program_of(text, tmp_path))
    play.enter_function("run")
    play.to(line_of(text, "// end"))
    for place, value in changes.items():
        play.change(place, value)
    play.spec()
    assert words(play.program, best(unseen(play.problem()))) == expected
