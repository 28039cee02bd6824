"""What an expression becomes when one of its parts is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.core.patch import NewValue
from wolverine.core.program import Assign
from wolverine.frontend import parse_expression
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.distance import distance

TRUTHS = """\
#include <stdbool.h>
struct node { int key; struct node *left, *right; };
bool equal(const struct node *e, int number) { return e != 0 && e->key != number; }
int between(int a, int b) { int r; r = a < b; return r; }
struct node *down(struct node *x, int key) { x = key > x->key ? x->left : x->right; return x; }
int turned(int a) { int r; r = +a; return r; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("equal", "e != NULL && e->key == number"),
        ("equal", "e == NULL && e->key != number"),
        ("equal", "e != NULL || e->key != number"),
        ("between", "a >= b"),
        ("turned", "-a"),
        ("down", "key < x->key ? x->left : x->right"),
    ],
)
def test_operators_are_exchanged(function: str, wanted: str, tmp_path: Path) -> None:
    program = program_of(TRUTHS, tmp_path)
    menus = Menus(program)
    values: set[str] = set()
    for location in menus.indices(function):
        menu = menus.menu(location)
        step = program.functions[function].code[menus.indices(function)[location]]
        if menu is not None and isinstance(step, Assign):
            texts = (replacement_text(choice.replacement) for choice in menu.choices)
            values |= {written.split(" = ")[-1] for written in texts}
    assert wanted in {value.replace("= 0 ", "= NULL ") for value in values}


def test_nothing_is_reckoned_with_what_makes_no_difference(tmp_path: Path) -> None:
    text = (
        "int f(int n, int k) { int m; m = n + k - 1; m = 2 * k; return m; }\nint main(void) { return 0; }\n"
    )
    program = program_of(text, tmp_path)
    menus = Menus(program)
    made = [menus.menu(location) for location in menus.indices("f")]
    values = {replacement_text(c.replacement).split(" = ")[-1] for menu in made if menu for c in menu.choices}
    assert {"n + k", "n + k - 2", "n + k + 1", "3 * k", "k"} <= values
    assert not values & {"(n + k) * 1", "n + k - 0", "n + k * 1", "1 * k", "k * 1"}


def test_null_is_not_followed_a_field_further(tmp_path: Path) -> None:
    text = (
        "struct node { int key; struct node *next; };\n"
        "struct node *last(struct node *x) { struct node *y; y = x->next; y = 0; return y; }\n"
        "int main(void) { return 0; }\n"
    )
    program = program_of(text, tmp_path)
    menus = Menus(program)
    made = [menus.menu(location) for location in menus.indices("last")]
    values = {replacement_text(c.replacement).split(" = ")[-1] for menu in made if menu for c in menu.choices}
    assert {"x->next", "y->next"} <= values
    assert not [each for each in values if each.startswith(("0->", "NULL->"))]


ADDRESSES = """\
int table[8], other[8];
int *slot(int key) { int *p; p = &table[key % 8]; return p; }
int sum(void)
{
    int *p, *end, all = 0;
    end = &other[7];
    for (p = &other[0]; p < end; p++)
        all += *p;
    return all + 8;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("function", "written", "offered"), [("slot", "&table[8]", False), ("sum", "&other[8]", True)]
)
def test_behind_an_array_lies_only_its_end(
    function: str, written: str, offered: bool, tmp_path: Path
) -> None:
    """Its address is a choice where pointers are compared, and no other number outside is one."""
    program = program_of(ADDRESSES, tmp_path)
    menus = Menus(program)
    found = {
        replacement_text(choice.replacement)
        for location in menus.indices(function)
        if (menu := menus.menu(location)) is not None
        for choice in menu.choices
    }
    assert any(text.endswith(written) for text in found) == offered
    assert not any(text.endswith(("[9]", "[-1]")) for text in found)


def test_pointers_that_come_towards_each_other_may_pass_between_two_nodes(tmp_path: Path) -> None:
    text = (
        "struct node { int key; struct node *next, *prev; };\n"
        "int meet(struct node *a, struct node *b) { int n; n = 0; while (n < 9 && a != b) n++; return n; }\n"
        "int main(void) { return 0; }\n"
    )
    program = program_of(text, tmp_path)
    menus = Menus(program)
    made = [menus.menu(location) for location in menus.indices("meet")]
    values = {replacement_text(choice.replacement) for menu in made if menu for choice in menu.choices}
    assert {"n < 9 && a != b && a->prev != b", "n < 9 && a != b && b->next != a"} <= values


CHARACTERS = """\
struct mark { int ups, downs; struct mark *next; };
int kind(int c) { return c == '+' ? 1 : c == '-' ? 2 : 0; }
int twice(int c) { int r; r = c == '*'; return r; }
int rated(struct mark *m) { if (m->ups > 3) return 1; return 0; }
int main(void) { return 0; }
"""


def _texts(function: str, folder: Path) -> set[str]:
    menus = Menus(program_of(CHARACTERS, folder))
    made = [menus.menu(location) for location in menus.indices(function)]
    return {replacement_text(c.replacement).split(" = ")[-1] for menu in made if menu for c in menu.choices}


def test_a_character_is_another_one_that_the_program_names(tmp_path: Path) -> None:
    values = _texts("twice", tmp_path)
    assert {"c == '+'", "c == '-'"} <= values
    assert not {"c == 41", "c == 43"} & values


def test_what_is_asked_of_a_number_is_asked_of_the_one_beside_it(tmp_path: Path) -> None:
    values = _texts("rated", tmp_path)
    assert {"m->ups > 3 || m->downs > 3", "m->ups > 3 && m->downs > 3"} <= values


CLASSES = """\
#include <ctype.h>
const char *text;
int number(const char *word)
{
    if (isdigit((unsigned char) *word) && word[1] != 2)
        return 1;
    return *text++;
}
int main(void) { return number("7"); }
"""


def test_what_a_macro_of_the_library_stands_for_is_no_text(tmp_path: Path) -> None:
    """Another character may be asked for, but nothing inside of the macro is edited, or named elsewhere."""
    program = program_of(CLASSES, tmp_path)
    menus = Menus(program)
    made = [menus.menu(location) for location in menus.indices("number")]
    texts = {replacement_text(choice.replacement) for menu in made if menu for choice in menu.choices}
    assert "isdigit(*text) && word[1] != 2" in texts
    assert "!isdigit(*word) && word[1] != 2" in texts
    assert not [each for each in texts if "ctype" in each or "2048" in each or "isdigit(2)" in each]


def test_a_pointer_that_the_program_steps_on_is_stepped_on_elsewhere(tmp_path: Path) -> None:
    program = program_of(CLASSES, tmp_path)
    menus = Menus(program)
    gaps = [n for n in menus.indices("number") if program.location(n).kind == "gap"]
    made = [menu for each in gaps if (menu := menus.menu(each)) is not None]
    texts = {replacement_text(choice.replacement) for menu in made for choice in menu.choices}
    assert "text = text + 1" in texts
    assert "word = word + 1" not in texts


POWERS = """\
struct term { int factor, power; };
void derive(struct term *t) { t->power *= t->power; }
int main(void) { return 0; }
"""


def test_another_place_is_reckoned_with_alike(tmp_path: Path) -> None:
    program = program_of(POWERS, tmp_path)
    menus = Menus(program)
    offered = {
        replacement_text(choice.replacement)
        for location in menus.indices("derive")
        if (menu := menus.menu(location)) is not None
        for choice in menu.choices
    }
    assert "t->factor = t->factor * t->power" in offered


SUMS = """\
struct part { int size; struct part *one, *two; };
void whole(struct part *p) { p->size = p->one->size + p->two->size; }
int between(int from, int to) { int n; n = to - from; return n; }
void more(struct part *p, int n) { p->size += n; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("function", "wanted", "unwanted"),
    [
        ("whole", "p->size = p->one->size + p->two->size + 1", "p->size = p->one->size + (p->two->size + 1)"),
        ("whole", "p->size = p->one->size + p->two->size - 1", "p->size = p->one->size - 1 + p->two->size"),
        ("between", "n = to - from + 1", "n = to + 1 - from"),
        ("between", "n = to - from - 1", "n = to - (from + 1)"),
        ("more", "p->size = p->size + (n + 1)", "p->size = p->size + n + 1"),  # `p->size += n + 1`
    ],
)
def test_one_more_is_added_to_the_whole_sum(
    function: str, wanted: str, unwanted: str, tmp_path: Path
) -> None:
    program = program_of(SUMS, tmp_path)
    menus = Menus(program)
    made = [menu for location in menus.indices(function) if (menu := menus.menu(location)) is not None]
    offered = {replacement_text(choice.replacement) for menu in made for choice in menu.choices}
    assert wanted in offered
    assert unwanted not in offered


def test_one_more_is_as_far_as_any_part_more(tmp_path: Path) -> None:
    program = program_of(SUMS, tmp_path)
    held, more = (parse_expression(program, "between", each) for each in ("to - from", "to - from + 1"))
    assert distance(held, more) == distance(held.left, more.left)  # type: ignore[attr-defined]


RING = """\
struct link { struct link *before, *behind; };
struct ring { struct link guard; int count; };
void put(struct link *x, struct link *a, struct link *b) { x->before = a; x->behind = b; }
void last(struct ring *r, struct link *x) { put(x, &r->guard, r->guard.behind); }
int main(void) { return 0; }
"""


def test_the_links_of_a_struct_are_one_step_from_its_address(tmp_path: Path) -> None:
    program = program_of(RING, tmp_path)
    menus, found = Menus(program), {}
    for step in program.functions["last"].code:
        if isinstance(step, Assign) and step.location >= 0:
            menu = menus.menu(step.location)
            assert menu is not None
            values = (choice.replacement for choice in menu.choices)
            made = {replacement_text(each): each.value for each in values if isinstance(each, NewValue)}
            found[text(step.value)] = {each: distance(step.value, value) for each, value in made.items()}
    to_links, to_guard = found["&r->guard"], found["r->guard.behind"]
    assert not any(written.startswith("(&") for written in to_links)
    assert to_links["r->guard.before"] == to_links["r->guard.behind"] < to_links["x->before"]
    assert to_guard["&r->guard"] < to_guard["x->before"]


def test_no_condition_is_settled_without_looking(tmp_path: Path) -> None:
    source = "int f(char c) { int u; u = c == '+' ? 0 : 1; return u; }\nint main(void) { return f('*'); }\n"
    menus = Menus(program_of(source, tmp_path))
    made = [menus.menu(location) for location in menus.indices("f")]
    values = {
        replacement_text(c.replacement).split("u = ")[-1] for menu in made if menu for c in menu.choices
    }
    assert "c != '+' ? 0 : 1" in values
    assert values.isdisjoint({"'+' ? 0 : 1", "'+' == '+' ? 0 : 1", "1 == '+' ? 0 : 1"})
