"""What a program names elsewhere, and comparisons of fields."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Constant, Load, VariableReference
from wolverine.core.patch import Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Branch
from wolverine.core.types import INT
from wolverine.frontend import parse_expression
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.distance import condition_distance, distance
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.familiar import compares_namesakes, orders_no_more

TABLE = """\
#include <stdlib.h>
struct cell { int row, col; struct cell *right, *down; };
struct cell *rows[4], *cols[4];
void put(struct cell *e) {
    e->right = rows[e->row];
    rows[e->row] = e;
    e->down = cols[e->col];
    cols[e->col] = e;
}
void drop(struct cell *e) {
    struct cell **at = &rows[e->col];
    while (*at != e)
        at = &(*at)->down;
    *at = e->down;
}
struct cell *below(struct cell *e, struct cell *p) {
    while (p->down != NULL && p->down->col < e->col)
        p = p->down;
    return p;
}
int main(void) { put(malloc(sizeof(struct cell))); return 0; }
"""


SYMBOLS = """\
#include <stdlib.h>
struct symbol { int number, uses; const char *name; struct symbol *chain; };
struct symbol *chains[7];
int made;
int same(const char *one, const char *other) { return *one == *other; }
int code_of(const char *name) { return *name; }
struct symbol *find(const char *name) {
    int code = code_of(name);
    struct symbol *s = chains[code % 7];
    while (s && !(s->number == code || same(s->name, name) == 1))
        s = s->chain;
    return s;
}
void add(const char *name) {
    int code = code_of(name);
    struct symbol *s = malloc(sizeof *s);
    s->number = code;
    s->uses = 0;
    s->name = name;
    s->chain = chains[code % 7];
    chains[code % 7] = s;
    made++;
}
int main(void) { add("x"); return find("x") == NULL; }
"""


@pytest.mark.parametrize(
    ("line", "at", "change", "further"),
    [
        (10, "s->number == code", "s->uses == code", 0.1),  # `s->number = code` elsewhere
        (10, "s->number == code", "s->number == made", 0.1),
        (10, "s->number == code", "s->number != code", 0.1),  # one of two equalities is to hold
        (10, "s->number == code", "s->number >= code", 0.0),
        (9, "chains[code % 7]", "chains[(code + 1) % 7]", 0.1),  # both other statements have the same
        (8, "code_of(name)", "made", 0.3),  # the call would be made in vain
    ],
)
def test_what_other_statements_say_of_a_value_stays_as_it_is(
    line: int, at: str, change: str, further: float, tmp_path: Path
) -> None:
    program = program_of(SYMBOLS, tmp_path)
    function = program.functions["find"]
    new = parse_expression(program, "find", change)
    step = next(
        step
        for step in function.code
        if isinstance(step, Assign | Branch) and program.location(step.location).line == line
        if program.location(step.location).text.endswith(at)
    )
    old = step.condition if isinstance(step, Branch) else step.value
    apart = condition_distance if isinstance(step, Branch) else distance
    scored = Scores(program).edit(Edit(step.location, NewValue(new)))
    assert round(scored - apart(old, new), 6) == further


def distances(tmp_path: Path, line: int) -> dict[str, float]:
    """The distance of each edit of a line, by its text behind the location."""
    program = program_of(TABLE, tmp_path)
    menus, scores = Menus(program), Scores(program)
    found = {}
    for location in program.locations:
        menu = menus.menu(location.id) if location.line == line else None
        for choice in menu.choices if menu is not None else ():
            if isinstance(choice.replacement, NewAssignment | NewValue):
                patch = Patch((Edit(location.id, choice.replacement),))
                found[f"{location.kind}: {describe(program, patch)[7:]}"] = scores.patch(patch)
    return found


def test_of_two_names_that_is_nearer_which_stands_with_the_subscript_elsewhere(tmp_path: Path) -> None:
    found = distances(tmp_path, 11)
    [wanted] = [d for words, d in found.items() if words.endswith("cols[e->col]")]
    [other] = [d for words, d in found.items() if words.endswith("rows[e->row]")]
    assert wanted < other  # `e->col` is named elsewhere, too, `rows[e->col]` is not


def test_what_a_loop_looks_for_is_not_put_where_it_looks(tmp_path: Path) -> None:
    found = distances(tmp_path, 13)
    assert found["gap: *at = e"] > min(d for words, d in found.items() if words.startswith("gap")) + 0.9


def test_another_field_is_compared_on_both_sides(tmp_path: Path) -> None:
    found = distances(tmp_path, 17)
    both = found["condition: p->down != NULL && p->down->row < e->row"]
    mixed = found["condition: p->down != NULL && p->down->row < e->col"]
    assert both < mixed


def test_a_number_is_hardly_a_size() -> None:
    one, two, size = Constant(-1, INT), Constant(3, INT), Constant(24, INT, "sizeof(struct cell)")
    assert distance(one, two) < distance(one, size) < distance(one, Load(VariableReference("n", INT))) + 0.5
    assert distance(Constant(8, INT, "sizeof(int)"), size) == distance(one, two)


PAIR = """\
#include <stdlib.h>
struct tree { struct tree *left, *right; };
struct tree *make(struct tree *left, struct tree *right) {
    struct tree *t = malloc(sizeof *t);
    t->left = left;
    t->right = left;
    return t;
}
int main(void) { make(NULL, NULL); return 0; }
"""


def test_a_field_is_rather_set_to_the_variable_of_its_name(tmp_path: Path) -> None:
    program = program_of(PAIR, tmp_path)
    right = parse_expression(program, "make", "right")
    assigned = {
        program.location(step.location).line: step
        for step in program.functions["make"].code
        if isinstance(step, Assign)
    }
    first, second = (
        Scores(program).edit(Edit(assigned[line].location, NewAssignment(assigned[line].target, right)))
        for line in (5, 6)
    )
    assert second < first


@pytest.mark.parametrize(
    ("condition", "count"),
    [
        ("p->key == key", 1),
        ("p->key != q->key", 1),
        ("p->count == key", 0),
        ("p && p->key < key", 1),
        ("key == 3", 0),
    ],
)
def test_comparisons_of_places_with_one_name(condition: str, count: int, tmp_path: Path) -> None:
    text = "struct n { int key, count; }; int f(struct n *p, struct n *q, int key) { return p && q && key; }"
    program = program_of(text + " int main(void) { return 0; }", tmp_path)
    assert compares_namesakes(parse_expression(program, "f", condition)) == count


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("p->v <= p->next->v", "p->v <= 0", True),
        ("p->v <= p->next->v", "0 > p->next->v", True),
        ("p->v <= p->next->v", "p->v < p->next->v", False),
        ("p->v <= n", "p->v <= 0", False),
        ("p->v == p->next->v", "p->v == 0", False),
    ],
)
def test_nodes_are_ordered_by_what_is_compared_between_them(
    old: str, new: str, lost: bool, tmp_path: Path
) -> None:
    source = """struct node { int v; struct node *next; };
int f(struct node *p, int n) { return p->v + n; }
int main(void) { return 0; }
"""
    program = program_of(source, tmp_path)
    one, other = (parse_expression(program, "f", each) for each in (old, new))
    assert orders_no_more(one, other) is lost
