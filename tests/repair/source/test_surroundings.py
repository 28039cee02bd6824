"""What stands around a statement tells what is usual in its function."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import NewCall
from wolverine.core.program import Gap, Program
from wolverine.frontend import parse_expression
from wolverine.repair.source.surroundings import Surrounding, Surroundings

GRID = """\
int grid[4][4], seen[4][4], row[4];
static int look(int r, int c, int n) {
    if (grid[r][c] == 0 || seen[r][c])
        return 0;
    return row[c] + n;
}
int main(void) { return look(1, 2, 3); }
"""


@pytest.mark.parametrize(
    ("target", "value", "misplaced"),
    [
        ("seen[r][c]", "1", 0),
        ("seen[c][c]", "1", 1),
        ("seen[c][r]", "1", 2),
        ("seen[n][c]", "1", 0),  # no index elsewhere
        ("row[r]", "grid[r][r]", 1),
        ("row[r]", "1", 0),
    ],
)
def test_indices_of_another_dimension(target: str, value: str, misplaced: int, tmp_path: Path) -> None:
    program = program_of(GRID, tmp_path)
    place, new = (parse_expression(program, "look", each) for each in (target, value))
    assert isinstance(place, Load)
    assert Surrounding(program.functions["look"]).misplaced(place.place, new) == misplaced


LIST = """\
struct node { struct node *next; };
struct list { struct node *head, *at; int pos, size; };
static int work(struct list *l, struct list *o, struct node *n) {
    int i = 0; // one
    if (n == 0) {
        i = 2; // inner
    }
    i++; // two
    l->head = n; // three
    o->at = n; // four
    i--; // five
    return i;
}
int main(void) { return work(0, 0, 0); }
"""


@pytest.mark.parametrize(
    ("target", "lines"),
    [("l->pos", {"three", "four"}), ("o->pos", {"four", "five"}), ("i", set()), ("l->head->next", set())],
)
def test_other_fields_of_the_struct_are_set_beside(target: str, lines: set[str], tmp_path: Path) -> None:
    program = program_of(LIST, tmp_path)
    place = parse_expression(program, "work", target)
    assert isinstance(place, Load)
    function = program.functions["work"]
    around = Surrounding(function)
    found = set()
    for index, step in enumerate(function.code):
        if isinstance(step, Gap) and around.beside(index, place.place):
            following = next(
                s for s in function.code[index + 1 :] if s.location >= 0 and not isinstance(s, Gap)
            )
            line = LIST.split("\n")[program.location(following.location).line - 1]
            found.add(line.partition("// ")[2])
    assert found == lines


BLOCK = """\
struct block { int lo, hi; struct block *next; };
struct block *first;
static void grow(struct block *b) {
    if (first == 0 || first->lo == 0) {
        b->lo = 7; // set
        if (first != 0)
            b->hi = 8; // arm
        b->next = first->next->next->next; // joined
        first = b; // last
    }
    first->lo--; // less
    b->hi = b->lo; // read
    b->next = first; // behind
}
int main(void) { return 0; }
"""


def gap(program: Program, comment: str, text: str) -> int:
    """The gap in front of the statement on the line with a comment."""
    line = 1 + next(n for n, each in enumerate(text.splitlines()) if f"// {comment}" in each)
    code = program.functions["grow"].code
    return next(
        index
        for index, step in enumerate(code)
        if isinstance(step, Gap) and step.location >= 0 and program.location(step.location).line == line
    )


def test_what_every_way_has_just_set(tmp_path: Path) -> None:
    program = program_of(BLOCK, tmp_path)
    around = Surrounding(program.functions["grow"])
    place = parse_expression(program, "grow", "b->lo")
    assert isinstance(place, Load)
    found = {
        each: around.newly_set(gap(program, each, BLOCK), place.place)
        for each in ("set", "arm", "joined", "last", "less", "read", "behind")
    }
    assert found == {
        "set": False, "arm": True, "joined": True, "last": True, "less": False, "read": False, "behind": False
    }  # fmt: skip


def test_what_is_counted_back_at_once(tmp_path: Path) -> None:
    program = program_of(BLOCK, tmp_path)
    around = Surrounding(program.functions["grow"])
    place = parse_expression(program, "grow", "first->lo")
    assert isinstance(place, Load)
    more, less = (parse_expression(program, "grow", f"first->lo {sign} 1") for sign in "+-")
    at = gap(program, "less", BLOCK)
    assert around.takes_back(at, place.place, more)
    assert not around.takes_back(at, place.place, less)
    assert not around.takes_back(gap(program, "last", BLOCK), place.place, more)


def test_links_further_than_the_program_goes(tmp_path: Path) -> None:
    around = Surroundings(program := program_of(BLOCK, tmp_path))
    ways = ("first->next->next", "first->next->next->next", "first->next->next->next->next->next")
    values = [parse_expression(program, "grow", each) for each in ways]
    assert [around.steps_further([each]) for each in values] == [0, 0, 2]


PIECES = """\
struct piece { int start, len; struct piece *next; };
static void cut(struct piece **link, struct piece *other, int n) {
    struct piece *p = *link;
    p->start = n;
    p->len -= n; // here
    other->next = *link;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("place", "again"),
    [("p->start", True), ("(*link)->start", True), ("other->start", False), ("(*link)->next", False)],
)
def test_a_field_is_set_again_by_another_name(place: str, again: bool, tmp_path: Path) -> None:
    program = program_of(PIECES, tmp_path)
    function = program.functions["cut"]
    line = next(i for i, text in enumerate(PIECES.splitlines(), 1) if "here" in text)
    at = [i for i, step in enumerate(function.code) if isinstance(step, Gap) and _line(program, step) == line]
    loaded = parse_expression(program, "cut", place)
    assert isinstance(loaded, Load)
    assert Surrounding(function).sets_again(at[0], loaded.place) is again


def _line(program: Program, step: Gap) -> int:
    return program.location(step.location).line


OPENED = """\
struct cell { int v; struct cell *next; };
struct line { struct cell *first, *last; char *name; struct line *up, *down; };
struct cell *slot[5], *spare[2];
static void open(struct line *l, struct line *o, int i) {
    l->name = 0;
    l->first = 0;
    if (i == 0) {
        l->up = 0; // other
    } else {
        slot[i] = spare[0]; // here
    }
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("target", "emptied"),
    [("l->last", True), ("l->first", False), ("o->last", False), ("l->down", False), ("slot[i]", False)],
)
def test_another_end_of_the_struct_is_set_to_null(target: str, emptied: bool, tmp_path: Path) -> None:
    program = program_of(OPENED, tmp_path)
    function, place = program.functions["open"], parse_expression(program, "open", target)
    assert isinstance(place, Load)
    here = [
        index
        for index, step in enumerate(function.code)
        if isinstance(step, Gap) and step.location >= 0 and program.location(step.location).line == 10
    ]
    assert [Surrounding(function).empties(index, place.place) for index in here] == [emptied] * len(here)


@pytest.mark.parametrize(
    ("value", "fixed"), [("slot[1]", 1), ("slot[i]", 0), ("spare[1]", 0), ("slot[i + 1]", 0), ("l->first", 0)]
)
def test_elements_of_a_certain_number(value: str, fixed: int, tmp_path: Path) -> None:
    program = program_of(OPENED, tmp_path)
    assert Surroundings(program).fixed_indices([parse_expression(program, "open", value)]) == fixed


ARMS = """\
struct task { int left; struct task *next; };
static void grow(struct task *t, struct task *o) {
    if (t->left > 0) {
        t->left--; // lacks
    } else {
        grow(t, o->next); // calls
        o->left = 0; // behind
    }
    o->left = 1; // joined
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("arguments", "lines"), [(("t", "o->next"), {"lacks"}), (("t", "o"), set()), (("o", "o->next"), set())]
)
def test_calls_that_are_made_in_another_arm(
    arguments: tuple[str, ...], lines: set[str], tmp_path: Path
) -> None:
    program = program_of(ARMS, tmp_path)
    around = Surrounding(program.functions["grow"])
    made = NewCall("grow", tuple(parse_expression(program, "grow", each) for each in arguments))
    places = ("lacks", "calls", "behind", "joined")
    assert {each for each in places if around.called_aside(gap(program, each, ARMS), made)} == lines


INDEX = """\
struct page { int key, number, hits; };
struct page *index[9];
void enter(struct page *p, int key)
{
    p->key = key;
    p->hits = 1;
    index[key] = p;
}
int main(void) { return index[2 * 1] != 0; }
"""


@pytest.mark.parametrize(("field", "strange"), [("key", 0), ("number", 1), ("hits", 1)])
def test_fields_that_hold_what_indexes_are_indices(field: str, strange: int, tmp_path: Path) -> None:
    program = program_of(INDEX, tmp_path)
    after = [parse_expression(program, "enter", f"index[p->{field}]")]
    assert Surroundings(program).strange_indices([], after) == strange


SIDES = """\
struct rope { int held[2]; };
int free_end;
void tie(struct rope *r, int hand)
{
    int side = 1 - hand;
    if (r->held[side] == 0) free_end = hand;
    r->held[side] = free_end;
}
void let_go(struct rope *r, int hand) { r->held[0] = r->held[1] = hand; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("function", "index", "odd"), [("tie", "side", 0), ("tie", "hand", 1), ("let_go", "hand", 0)]
)
def test_variables_that_are_no_indices_elsewhere_are_odd_ones(
    function: str, index: str, odd: int, tmp_path: Path
) -> None:
    program = program_of(SIDES, tmp_path)
    after = [parse_expression(program, function, f"r->held[{index}]")]
    assert Surroundings(program).odd_indices(function, [], after) == odd
    assert Surroundings(program).odd_indices(function, after, after) == 0
