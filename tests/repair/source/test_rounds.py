"""What each round of a loop begins with, where it was forgotten."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.core.expressions import Constant, Load, text
from wolverine.core.patch import Edit, NewAssignment
from wolverine.core.program import Branch, Gap, Program
from wolverine.core.types import INT
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.ringed import comes_back
from wolverine.repair.source.rounds import begins_a_round, begins_another_search, goes_through_null, left_over

ROWS = """struct item { int weight; struct item *next; };
struct shelf { struct item *first; int sum, heavy; struct shelf *next; };
int all;
int weigh(struct shelf *s) {
    int sum = 0, heavy = 0, shelves = 0;
    struct item *i;
    while (s != 0) {
        if (s->first == 0) {
            s = s->next;
            continue;
        }
        heavy = 0;
        for (i = s->first; i != 0; i = i->next) {
            sum = sum + i->weight;
            heavy = heavy + 1;
            all = all + 1;
        }
        s->sum = sum;
        s->heavy = heavy;
        shelves = shelves + 1;
        s = s->next;
    }
    return shelves;
}
int main(void) { return weigh(0); }
"""


def _lines(program: Program, name: str, value: int = 0) -> list[int]:
    """The lines before which the loop may set the variable anew."""
    function = program.functions["weigh"]
    target = next(v for v in (*function.locals, *program.globals) if v.name == name)
    return [
        program.location(step.location).line
        for at, step in enumerate(function.code)
        if isinstance(step, Gap) and begins_a_round(function, at, target, Constant(value, INT))
    ]


def test_what_only_an_inner_loop_adds_to_begins_anew_in_each_round_of_the_outer_one(tmp_path: Path) -> None:
    program = program_of(ROWS, tmp_path)
    lines = _lines(program, "sum")
    assert {8, 12, 13} <= set(lines)
    assert not set(lines) & {
        5,
        9,
        14,
        15,
        17,
        18,
        19,
        20,
    }  # elsewhere it is too early, too late, or passed over


def test_what_the_outer_loop_counts_or_nothing_reads_does_not(tmp_path: Path) -> None:
    program = program_of(ROWS, tmp_path)
    assert not _lines(program, "shelves")
    assert not _lines(program, "all")
    assert not _lines(program, "heavy")
    assert not _lines(program, "sum", 1)


def test_it_is_nearest_beside_what_begins_anew_as_well(tmp_path: Path) -> None:
    program = program_of(ROWS, tmp_path)
    sum_ = next(v for v in program.functions["weigh"].locals if v.name == "sum")
    scores = Scores(program)
    found = {
        step.location: scores.edit(Edit(step.location, NewAssignment(sum_, Constant(0, INT))))
        for step in program.functions["weigh"].code
        if isinstance(step, Gap)
    }
    nearest = min(found, key=lambda location: found[location])
    assert program.location(nearest).line in (12, 13)
    assert found[nearest] < 0.8


COINS = """struct pile { int coins; struct pile *next; };
int room;
void share(struct pile *p, int most) {
    int over = 0, piles = 0, all = 0, now;
    while (p != 0) {
        now = p->coins + over;
        all = all + now;
        over = now / most;
        p->coins = now - over;
        piles = piles + 1;
        p = p->next;
    }
    room = over + piles + all;
}
int main(void) { share(0, 1); return room; }
"""


def test_a_round_hands_on_what_it_computes_and_the_next_one_reads_first(tmp_path: Path) -> None:
    """No counter, no sum, and nothing that each round sets before it reads it."""
    function = program_of(COINS, tmp_path).functions["share"]
    branch = next(at for at, step in enumerate(function.code) if isinstance(step, Branch))
    scope = (*function.parameters, *function.locals)
    assert [text(each) for each in left_over(function, branch, scope)] == ["p != 0 || over"]


ROUND = """struct seat { int taken; struct seat *right; };
int guests(struct seat *last) {
    int n = 0;
    struct seat *s = last->right;
    do {
        n = n + s->taken;
        s = s->right;
    } while (s != 0);
    while (last != 0) {
        last = last->right;
        n = n - 1;
    }
    return n;
}
int main(void) { return 0; }
"""


def test_a_walk_round_a_ring_is_over_where_it_began(tmp_path: Path) -> None:
    program = program_of(ROUND, tmp_path)
    code = program.functions["guests"].code
    first, second = (at for at, step in enumerate(code) if isinstance(step, Branch))
    for at, condition, back, null in (
        (first, "s != last->right", True, False),
        (first, "last->right != s", True, False),
        (first, "s != last", False, False),
        (first, "s == last->right", False, False),
        (first, "s == 0", False, True),
        (first, "n > 3 && s == 0", False, True),
        (first, "last == 0", False, False),  # the next round goes through another pointer
        (second, "last == 0", False, True),
        (second, "last != last->right", False, False),
    ):
        wanted = parse_expression(program, "guests", condition)
        assert comes_back(code, at, wanted) is back, condition
        assert goes_through_null(code, at, wanted) is null, condition


SHELVED = """struct book { int year, shelf; struct book *later, *right; };
struct book *years, *shelves[4];
void enter(struct book *b) {
    struct book *at = years, *before = 0;
    while (at != 0 && at->year < b->year) {
        before = at;
        at = at->later;
    }
    b->later = at;
    if (before == 0) {
        years = b;
    } else {
        before->later = b;
    }
    at = shelves[b->shelf];
    while (at != 0 && at->year < b->year) {
        STEP
        at = at->right;
    }
    b->right = at;
    if (before == 0)
        shelves[b->shelf] = b;
    else
        before->right = b;
}
int main(void) { enter(0); return 0; }
"""


def _searched(text: str, tmp_path: Path) -> list[int]:
    """The lines before which what follows a search may be set anew."""
    program = program_of(text, tmp_path)
    function = program.functions["enter"]
    target = next(each for each in function.locals if each.name == "before")
    null = Constant(0, target.type)
    found = (
        (at, step)
        for at, step in enumerate(function.code)
        if begins_another_search(function, at, target, null)
    )
    return [program.location(step.location).line for _, step in found if isinstance(step, Gap)]


def test_what_follows_a_search_begins_anew_before_the_next_one(tmp_path: Path) -> None:
    shelved = SHELVED.replace("STEP", "before = at;")
    assert _searched(shelved, tmp_path) == [15, 16]
    assert not _searched(SHELVED.replace("STEP", "before = at->right;"), tmp_path)
    assert not _searched(SHELVED.replace("STEP", "before->right = at; before = at;"), tmp_path)
    assert not _searched(shelved.replace("    at = shelves[b->shelf];\n", ""), tmp_path)
    assert not _searched(shelved.replace("    at = shelves", "    before = 0; at = shelves"), tmp_path)


def test_to_begin_another_search_anew_is_nearer_than_what_the_first_has_come_to(tmp_path: Path) -> None:
    program = program_of(SHELVED.replace("STEP", "before = at;"), tmp_path)
    scores, function = Scores(program), program.functions["enter"]
    at, before = (next(v for v in function.locals if v.name == name) for name in ("at", "before"))
    gap = next(e for e in program.locations if e.function == "enter" and e.kind == "gap" and e.line == 15)
    null = Edit(gap.id, NewAssignment(before, Constant(0, before.type)))
    assert scores.edit(null) < scores.edit(Edit(gap.id, NewAssignment(before, Load(at))))
