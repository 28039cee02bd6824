"""A number that is assigned only where it is greater than the one that is there, or less."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen, words

from wolverine.core.expressions import Member
from wolverine.core.program import Assign
from wolverine.repair.menus.bounds import among_several, bounds

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


ONCE = """\
#include <stdlib.h>
struct range { int from, end; struct range *next; };
struct range *first;
int gone;
void merge(struct range *r) {
    struct range *other = r->next;
    r->end = other->end;
    r->next = other->next;
    gone++;
    free(other);
} // end
int main(void) {
    struct range *low = malloc(sizeof *low), *high = malloc(sizeof *high);
    low->from = 1; low->end = 9; low->next = high;
    high->from = 3; high->end = 5; high->next = NULL;
    first = low;
    merge(low);
    return 0;
}
"""


def test_what_is_greater_already_stays_where_the_assignment_is_made_once(tmp_path: Path) -> None:
    play = Play(program_of(ONCE, tmp_path))
    play.enter_function("merge")
    play.to(line_of(ONCE, "// end"))
    play.change("n1->end", "9")
    play.spec()
    assert words(play.program, best(unseen(play.problem()))) == "if (other->end > r->end) r->end = other->end"


COVERED = """\
#include <stdlib.h>
struct span { int low, high; struct span *next; };
struct span *first;
struct span *new(int low, int high) {
    struct span *s = malloc(sizeof *s);
    s->low = low;
    s->high = high;
    s->next = first;
    return first = s;
}
void cover(int low, int high) {
    struct span *s = new(low, high), *gone;
    while (s->next && s->next->low <= s->high) {
        gone = s->next;
        s->high = gone->high;
        s->next = gone->next;
        free(gone);
    }
} // end
int main(void) {
    new(30, 35); new(20, 24);
    cover(10, 28);
    return 0;
}
"""


def test_what_is_there_anyway_is_not_assigned_instead(tmp_path: Path) -> None:
    """`s->high = high;` would do nothing, as it was done when the span was made."""
    play = Play(program_of(COVERED, tmp_path))
    play.enter_function("cover")
    play.to(line_of(COVERED, "// end"))
    play.change("n3->high", "28")
    play.spec()
    assert (
        words(play.program, best(unseen(play.problem()))) == "if (gone->high > s->high) s->high = gone->high"
    )


STORED = """\
struct node { int high, v; struct node *next; };
struct stats { int greatest, last; } s;
int run(struct node *p, int v) {
    int n = 0;
    BODY // here
    return n;
}
int main(void) { return run(0, 0); }
"""


@pytest.mark.parametrize(
    ("body", "among"),
    [
        ("s.greatest = v;", True),  # the name says so
        ("s.last = v;", False),
        ("while (n < v) { n++; s.last = v; }", True),  # of several
        ("p->high = p->next->high;", True),  # of two nodes
        ("p->v = p->next->high;", False),
        ("if (v > s.last) n++; s.last = v;", False),  # compared for something else
    ],
)
def test_what_says_that_the_greatest_is_kept(body: str, among: bool, tmp_path: Path) -> None:
    code = program_of(STORED.replace("BODY", body), tmp_path).functions["run"].code
    index = next(
        i for i, step in enumerate(code) if isinstance(step, Assign) and isinstance(step.target, Member)
    )
    step = code[index]
    assert isinstance(step, Assign)
    edits = list(bounds(step.target, step.value))
    assert edits
    for made in edits:
        assert among_several(code, index, made) is among
