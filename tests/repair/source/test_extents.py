"""Numbers that are reckoned with what their array has elements."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.expressions import text
from wolverine.core.patch import NewAssignment, NewValue, Repairs
from wolverine.core.program import Assign, Branch
from wolverine.frontend import parse_expression
from wolverine.repair import search
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.source.extents import Extents, going_round, remainders

TEXT = """\
#include <stdlib.h>
#define ROWS 5
struct item { int key; struct item *next; };
struct table { struct item **rows; unsigned used, room; };
struct item *fixed[ROWS];
unsigned hash(int key) { return key * 7u; }
struct table *make(unsigned room)
{
    struct table *t = malloc(sizeof *t);
    t->room = room;
    t->used = 0;
    t->rows = calloc(t->room, sizeof *t->rows);
    return t;
}
void grow(struct table *t, unsigned n)
{
    struct item **fresh = malloc(n * sizeof(struct item *));
    for (unsigned i = 0; i < t->used; i++)
        fresh[i] = t->rows[i];
    unsigned at = hash(7) % t->used;
    at = hash(7) & (t->used - 1);
    fresh[at] = NULL;
    free(t->rows);
    t->rows = fresh;
    t->room = n;
}
struct item *find(struct table *t, int key)
{
    struct item *it = t->rows[hash(key) % t->used];
    if (it == NULL)
        it = fixed[key % 3];
    return it;
}
int main(void)
{
    struct table *t = make(4);
    grow(t, 8);
    return find(t, 3) != NULL;
}
"""


@pytest.mark.parametrize(
    ("line", "favoured"),
    [
        (18, {"i < n", "i < t->room"}),
        (20, {"$4 % n"}),
        (29, {"$1[$3 % t->room]"}),
        (21, {"$6 & (n - 1)"}),
        (17, set()),
    ],
)
def test_numbers_that_bound_the_index_are_favoured(line: int, favoured: set[str], tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    extents, menus, found = Extents(program), Menus(program), set()
    for function in program.functions:
        for location, index in menus.indices(function).items():
            menu = menus.menu(location)
            if menu is None or program.location(location).line != line:
                continue
            for choice in menu.choices:
                made = choice.replacement
                if isinstance(made, NewAssignment | NewValue) and extents.favours(
                    function, index, made.value
                ):
                    found.add(text(made.value))
    assert found == favoured


WHEEL = """\
struct wheel { int slot[8], now; };
int look(struct wheel *w, int *p) {
    int s = w->slot[w->now % 7];
    if (*p > 0)
        return s;
    return 0;
}
int main(void) { return 0; }
"""


def test_an_element_in_the_place_of_something_else_is_not_favoured(tmp_path: Path) -> None:
    program = program_of(WHEEL, tmp_path)
    code, extents = program.functions["look"].code, Extents(program)
    [assigned] = [at for at, step in enumerate(code) if isinstance(step, Assign) and "7" in text(step.value)]
    [asked] = [at for at, step in enumerate(code) if isinstance(step, Branch)]
    element = parse_expression(program, "look", "w->slot[w->now % 8]")
    assert extents.favours("look", assigned, element)
    assert not extents.favours("look", asked, parse_expression(program, "look", "w->slot[w->now % 8] > 0"))


TRAIN = """\
#include <stdlib.h>
struct train { int *car; int room, load, first, last, fixed[6], at; };
struct other { int room, last; };
static void put(struct train *t, struct other *o, int x)
{
    if (t->load == t->room)
        return;
    t->car[t->last] = x;
    t->last = t->last + 1;
    t->load++;
    o->last = o->last + 1;
    t->fixed[t->at] = x;
    t->at++;
}
static int get(struct train *t)
{
    int x = t->car[t->first] + t->fixed[3 % 6];
    t->first = (t->first + 1) % t->room;
    t->load--;
    return x;
}
int main(void)
{
    struct train *t = calloc(1, sizeof *t);
    t->car = malloc(8);
    t->room = 2;
    t->last = 1;
    struct other o = {0};
    for (int i = 0; i < 5; i++) {
        put(t, &o, i);
        get(t);
    }
    free(t->car);
    free(t);
    return 0;
}
"""


def test_a_field_goes_round_in_the_array_of_its_struct_as_another_does(tmp_path: Path) -> None:
    program = program_of(TRAIN, tmp_path)
    code, taken = program.functions["put"].code, remainders(program)
    made = {text(value) for at in range(len(code)) for _, value in going_round(code, at, taken)}
    assert made == {"(t->last + 1) % t->room", "(t->at + 1) % 6"}


def test_an_index_goes_round_rather_than_it_is_set_to_something_else(tmp_path: Path) -> None:
    play = Play(program_of(TRAIN, tmp_path))
    play.enter_function("put")
    play.to(11)
    play.change("n1->last", "0")
    play.spec()
    problem = play.problem()
    found = search(problem)
    assert isinstance(found, Repairs)
    nearest = min(found.candidates, key=lambda each: each.score)
    assert words(problem.program, nearest) == "t->last = (t->last + 1) % t->room"
