"""What makes an edit unlikely where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Expression, Load, text, variables
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Branch, Gap
from wolverine.frontend import parse_expression
from wolverine.repair.ranking.oddity import (
    abreast,
    asks_again,
    asks_what_is_set,
    back_again,
    checked,
    checking,
    done_next,
    feigns,
    follows_twice,
    is_freed_next,
    leaves_its_links,
    looping,
    pairs_as_beside,
    passed_beside,
    passed_twice,
    reason_against,
    reckons_with_key,
    renames,
    settles,
    shape,
    walks_within,
    writes_back,
)
from wolverine.repair.source.flow import predecessors

SWAP = """\
struct node { int v; struct node *next; };
static struct node *swap(struct node *head, struct node *other)
{
    struct node *prev, *curr;
    FIRST
    prev = head;
    AGAIN
    return curr;
}
int main(void) { return swap(0, 0) != 0; }
"""


@pytest.mark.parametrize(
    ("first", "again", "value", "stored"),
    [
        ("", "head = curr;", "head", True),  # curr = head, and then head = curr
        ("other = head;", "other = curr;", "head", True),  # by a copy in front
        ("", "prev = curr;", "head", True),  # by one in between
        ("if (head == 0) return 0;", "head = curr;", "head", True),
        ("", "head = curr;", "other", False),
        ("", "head = other; head = curr;", "head", False),  # it is another one by then
        ("", "curr = other; head = curr;", "head", False),
        ("", "head->next = curr;", "head", False),
        ("", "swap(prev, 0); head = curr;", "head", False),
    ],
)
def test_what_is_there_already_is_stored_again(
    first: str, again: str, value: str, stored: bool, tmp_path: Path
) -> None:
    program = program_of(SWAP.replace("FIRST", first).replace("AGAIN", again), tmp_path)
    function = program.functions["swap"]
    named = {v.name: v for v in (*function.parameters, *function.locals)}
    gaps = [i for i, step in enumerate(function.code) if isinstance(step, Gap)]
    at = gaps[1 + (first.startswith("other"))]  # in front of `prev = head`, or of the test
    assert back_again(function.code, at, named["curr"], Load(named[value])) is stored


NESTED = """\
struct node { int v; struct node *next; };
static int pairs(struct node *head)
{
    int found = 0;
    struct node *one = head, *other = head, *last = head;
    while (one) {
        found += one->v;
        while (other) { other = other->next; found++; }
        if (one->v) one->v--;
        else one->v = one->v + 2;
        one = one->next;
    }
    while (last) last = last->next;
    return found;
}
int main(void) { return pairs(0); }
"""


def test_who_walks_in_an_inner_loop_starts_anew_in_every_round(tmp_path: Path) -> None:
    function = program_of(NESTED, tmp_path).functions["pairs"]
    named = {v.name: v for v in function.locals}
    code = function.code
    first = next(i for i, s in enumerate(code) if isinstance(s, Assign) and "one" in variables(s.value))
    at = max(i for i in range(first) if isinstance(code[i], Gap))  # in the body of the outer loop
    walking = {name for name, place in named.items() if walks_within(code, at, place)}
    assert walking == {"other"}
    for gap in (i for i, step in enumerate(code) if isinstance(step, Gap)):
        assert not walks_within(code, gap, named["one"])  # not even where the loop goes round it


def test_a_node_is_taken_out_by_the_link_of_the_same_name(tmp_path: Path) -> None:
    text = """\
    struct node { struct node *next, *prev, *chain; };
    void f(struct node *x)
    {
        x->next->prev = x->prev;
        x->next->prev = x->chain;
        x->next->prev = x->next->chain;
    }
    int main(void) { return 0; }
    """
    code = program_of(text, tmp_path).functions["f"].code
    scores = [shape(step.target, step.value) for step in code if isinstance(step, Assign)]
    assert scores == sorted(set(scores))
    assert scores[0] == 0.0


CALLS = """\
static int order(int a, int b, int c) { return a == b ? c : a - b; }
int main(void) {
    int row = 1, col = 2;
    order(row, 7, 7);
    return order(col + 1, row, col);
}
"""


def test_one_value_is_hardly_passed_twice(tmp_path: Path) -> None:
    program = program_of(CALLS, tmp_path)
    function = program.functions["main"]
    row, col = (Load(v) for v in function.locals)
    passing = [
        index
        for index, step in enumerate(function.code)
        if isinstance(step, Assign) and program.location(step.location).kind == "argument"
    ]
    calls = passing[:3], passing[3:]
    assert all(len(call) == 3 for call in calls)
    odd = [
        [passed_twice(function.code, index, value) for index in call for value in (row, col)]
        for call in calls
    ]
    assert [sum(each) for each in odd] == [2, 4]  # `row` for one of the sevens; `row` and `col` for others


def test_a_test_for_null_does_not_stand_before_what_goes_through_it(tmp_path: Path) -> None:
    text = """\
struct node { struct node *next; };
struct node *first;
void drop(struct node *old, struct node *other) { first = old->next; }
int main(void) { return 0; }
"""
    program = program_of(text, tmp_path)
    step = next(step for step in program.functions["drop"].code if isinstance(step, Assign))
    null, not_null, others = (
        parse_expression(program, "drop", each) for each in ("old == 0", "old != 0", "other == 0")
    )
    assert reason_against(step, not_null) == 0 < reason_against(step, others) < reason_against(step, null)


def test_what_the_way_there_has_settled_is_not_asked(tmp_path: Path) -> None:
    source = """\
struct node { int v; struct node *next; };
int f(struct node *p, struct node *q)
{
    int n = 0;
    struct node *last = 0;
    if (q == 0)
        return 2;
    if (p->v == q->v)
        return 1;
    while (p->next != 0) {
        if (p->v == q->next->v)
            return 3;
        last = p;
        p = p->next;
    }
    return last == 0 + n;
}
int main(void) { return 0; }
"""
    program = program_of(source, tmp_path)
    code = program.functions["f"].code
    leading = predecessors(code)
    tests = [(i, step.condition) for i, step in enumerate(code) if isinstance(step, Branch)]
    empty, equal, inner = (
        next((i, each) for i, each in tests if text(each) == asked)
        for asked in ("q == 0", "p->v == q->v", "p->v == q->next->v")
    )

    def parsed(each: str) -> Expression:
        return parse_expression(program, "f", each)

    assert asks_what_is_set(code, leading, *empty, parsed("last == 0"))
    assert asks_what_is_set(code, leading, *empty, parsed("n <= 0"))
    assert not asks_what_is_set(code, leading, *empty, parsed("p == 0"))
    assert not asks_what_is_set(
        code, leading, *equal, parsed("last == 0")
    )  # something else was asked between
    assert asks_again(code, leading, inner[0], parsed("q->v != p->v"))  # on the way into the loop
    assert not asks_again(code, leading, inner[0], parsed("p->next->v == q->v"))


@pytest.mark.parametrize(
    ("condition", "always"),
    [
        ("u == s->top", True),  # just copied from there
        ("s->top != u", True),
        ("s != 0", True),  # gone through
        ("u == 0 || s != 0", True),
        ("u == t->top", False),
        ("u == s->low", False),  # what is written between may be that
        ("u == 0", False),
        ("u->next == 0", False),
        ("t->low == 0", True),
    ],
)
def test_what_was_just_copied_or_gone_through_is_not_asked(
    condition: str, always: bool, tmp_path: Path
) -> None:
    source = """\
struct node { int v; struct node *next; };
struct stack { struct node *top, *low; };
int f(struct stack *s, struct stack *t)
{
    struct node *l = s->low;
    struct node *u;
    t->low = 0;
    u = s->top;
    l->v = 1;
    if (u == 0)
        return 1;
    return l == u;
}
int main(void) { return 0; }
"""
    program = program_of(source, tmp_path)
    code = program.functions["f"].code
    at, asked = next((i, step.condition) for i, step in enumerate(code) if isinstance(step, Branch))
    new = parse_expression(program, "f", condition)
    assert asks_what_is_set(code, predecessors(code), at, asked, new) is always


PAIRS = """\
struct node { int v; struct node *next; };
void pairs(struct node *p)
{
    while (CONDITION) {
        p->v += p->next->v;
    }
}
int main(void) { pairs(0); return 0; }
"""


@pytest.mark.parametrize(
    ("condition", "beyond"),
    [
        ("p != 0 && p->next != 0", True),
        ("p && p->next", True),
        ("p != 0 && !p->next", False),
        ("p != 0 || p->next != 0", False),
        ("p != 0", False),
    ],
)
def test_who_goes_through_pairs_steps_beyond_what_the_loop_asks_for(
    condition: str, beyond: bool, tmp_path: Path
) -> None:
    program = program_of(PAIRS.replace("CONDITION", condition), tmp_path)
    code = program.functions["pairs"].code
    gap = max(i for i, s in enumerate(code) if isinstance(s, Gap) and s.again >= 0)
    scope = program.location(code[gap].location).scope
    one, two = (parse_expression(program, "pairs", written) for written in ("p->next", "p->next->next"))
    target = next(v for v in scope if v.name == "p")
    single, double = (looping(code, gap, target, each) for each in (one, two))
    assert single == looping(code, gap, target, two, otherwise=True) < 0
    assert (double < single) is beyond


TREE = """\
struct node { int v; struct node *down, *across; };
static int sum(struct node *p)
{
    int total = 0;
    for (; p; p = p->LINK) {
        total += p->v;
        total += sum(p->down);
    }
    return total;
}
static int longest(struct node *p)
{
    int n = 0;
    for (; p; p = p->down)
        n += sum(p->down) > 0;
    return n;
}
int main(void) { return sum(0) + longest(0); }
"""


@pytest.mark.parametrize(
    ("name", "link", "twice"),
    [("sum", "down", True), ("sum", "across", False), ("longest", "", False)],
)
def test_a_link_is_followed_by_the_loop_or_by_the_call(
    name: str, link: str, twice: bool, tmp_path: Path
) -> None:
    function = program_of(TREE.replace("LINK", link or "down"), tmp_path).functions[name]
    index, step = next(
        (i, s)
        for i, s in enumerate(function.code)
        if isinstance(s, Assign)
        and s.target.type == s.value.type
        and text(s.value).startswith("p->")
        and variables(s.target) == {"p"}
    )
    assert follows_twice(function, index, step.target, step.value) is twice


@pytest.mark.parametrize(
    ("first", "second", "back"),
    [
        ("p = q->next;", "q->next = p;", True),
        ("p = q->next;", "q->next = q;", False),
        ("p = p->next;", "p->next = p;", False),  # that is another node by then
        ("q = p;", "p = p;", True),
    ],
)
def test_what_was_just_read_out_of_a_place_is_written_back(
    first: str, second: str, back: bool, tmp_path: Path
) -> None:
    source = f"""\
struct node {{ struct node *next; }};
static void walk(struct node *p, struct node *q)
{{
    {first}
    {second}
}}
int main(void) {{ walk(0, 0); return 0; }}
"""
    code = program_of(source, tmp_path).functions["walk"].code
    last = max(index for index, step in enumerate(code) if isinstance(step, Assign))
    assert writes_back(code, last) is back


def test_what_other_calls_of_the_statement_are_given(tmp_path: Path) -> None:
    source = """\
struct pair { int one, two, sum; };
static int less(int a) { return a - 1; }
static int both(int a, int b) { return a * b; }
static int mixed(struct pair *p)
{
    return both(less(p->one), p->two) + both(p->one, less(p->sum));
}
int main(void) { struct pair p = {1, 2, 3}; return mixed(&p); }
"""
    function = program_of(source, tmp_path).functions["mixed"]
    given = {text(s.value): at for at, s in enumerate(function.code) if isinstance(s, Assign)}
    one, two = (function.code[given[f"p->{name}"]] for name in ("one", "two"))
    assert isinstance(one, Assign) and isinstance(two, Assign)
    last = given["p->sum"]
    assert passed_beside(function, last, one.value) == 2
    assert passed_beside(function, last, two.value) == 1


@pytest.mark.parametrize(
    ("written", "alike"),
    [
        ("p->dy + q->dy", True),
        ("q->dy - p->dy", True),
        ("p->dy + p->dy", False),
        ("p->dy + r->dy", False),
        ("p->dy + q->dx", False),
        ("q->dy", False),
    ],
)
def test_values_that_are_passed_are_of_the_same_two_nodes(written: str, alike: bool, tmp_path: Path) -> None:
    source = """\
struct step { int dx, dy; };
static int area(int x, int y) { return x * y; }
static int within(struct step *p, struct step *q, struct step *r)
{
    return area(p->dx * q->dx, r->dy);
}
int main(void) { return within(0, 0, 0); }
"""
    program = program_of(source, tmp_path)
    function = program.functions["within"]
    given = {text(s.value): at for at, s in enumerate(function.code) if isinstance(s, Assign)}
    value = parse_expression(program, "within", written)
    assert pairs_as_beside(function, given["r->dy"], value) is alike


CURSORS = """\
struct link { int v; struct link *next; };
struct tape { struct link *from, *to; int n; };
static void go_on(struct tape *t, struct tape *o)
{
    t->n++;
    BETWEEN
    t->to = t->to->next;
    o->to = t->from->next;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("between", "target", "value", "along"),
    [
        ("", "t->from", "t->to->next", True),
        ("t->n--;", "t->from", "t->to->next", True),
        ("if (t->n) return;", "t->from", "t->to->next", False),  # on some ways only
        ("", "t->from", "t->from->next", False),
        ("", "t->from", "t->to", False),  # where that one was
        ("", "o->from", "t->to->next", False),  # of another one
    ],
)
def test_one_place_is_not_led_on_along_with_the_other(
    between: str, target: str, value: str, along: bool, tmp_path: Path
) -> None:
    program = program_of(CURSORS.replace("BETWEEN", between), tmp_path)
    code = program.functions["go_on"].code
    gap = next(i for i, step in enumerate(code) if isinstance(step, Gap))
    place, given = (parse_expression(program, "go_on", each) for each in (target, value))
    assert isinstance(place, Load)
    assert abreast(code, gap, place.place, given) is along


CHECKED = """\
#include <assert.h>
#include <stdlib.h>
struct node { int size; struct node *next; };
int count(struct node *list, int wanted)
{
    int n = 0, seen = 0;
    for (struct node *p = list; p != NULL; p = p->next)
        n = n + p->size;
    if (n != wanted)
        abort();
    assert(seen == 5);
    return n;
}
int main(void) { return count(NULL, 0); }
"""


def test_what_a_program_checks_is_not_feigned(tmp_path: Path) -> None:
    program = program_of(CHECKED, tmp_path)
    compared = checked(program.functions["count"].code)
    written = {"n": "wanted", "seen": "5", "wanted": "n"}
    for name, value in written.items():
        target, made = (parse_expression(program, "count", each) for each in (name, value))
        assert isinstance(target, Load) and feigns(compared, target.place, made)
    for name, value in (("n", "5"), ("seen", "wanted")):
        target, made = (parse_expression(program, "count", each) for each in (name, value))
        assert isinstance(target, Load) and not feigns(compared, target.place, made)


SWITCHED = """\
struct token { int kind; struct token *next; };
int count(struct token *t)
{
    int n = 0;
    switch (t->kind) {
    case 1: n = 1; break;
    case 2: n = 2; break;
    }
    return n;
}
int main(void) { return 0; }
"""


def test_a_switch_asks_for_what_may_be_several_things(tmp_path: Path) -> None:
    program = program_of(SWITCHED, tmp_path)
    code = program.functions["count"].code
    asking = next(n for n, s in enumerate(code) if isinstance(s, Assign) and text(s.value) == "t->kind")
    step, gap = code[asking], code[asking - 1]
    assert isinstance(step, Assign) and isinstance(gap, Gap)
    two, kind, n = (parse_expression(program, "count", each) for each in ("2", "t->kind", "n"))
    assert isinstance(kind, Load) and isinstance(n, Load)
    assert settles(code, asking, step.target, two)
    assert settles(code, asking - 1, kind.place, two)
    assert not settles(code, asking, step.target, n)
    assert not settles(code, asking - 1, n.place, two)


UNLINKED = """\
struct node { struct node *next, *prev, *chain; };
void out(struct node **table, struct node *n)
{
    struct node **at = table;
    while (*at != n)
        at = &(*at)->chain;
    n->prev = 0;
    *at = n->chain;
    n->next = 0;
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(("value", "leaves"), [("n->chain", False), ("n->next", True), ("n->prev", True)])
def test_who_walks_over_links_by_address_stores_one_of_them(value: str, leaves: bool, tmp_path: Path) -> None:
    program = program_of(UNLINKED, tmp_path)
    code = program.functions["out"].code
    target, stored = (parse_expression(program, "out", each) for each in ("*at", value))
    assert isinstance(target, Load)
    assert leaves_its_links(code, target.place, stored) == leaves
    other = parse_expression(program, "out", "*table")
    assert isinstance(other, Load) and not leaves_its_links(code, other.place, stored)


def test_what_is_done_otherwise_is_done_next(tmp_path: Path) -> None:
    program = program_of(UNLINKED, tmp_path)
    code = program.functions["out"].code
    steps = [
        (n, s) for n, s in enumerate(code) if isinstance(s, Assign) and text(s.value) in ("0", "n->chain")
    ]
    (first, cleared), (second, linked), (_, last) = steps
    assert done_next(code, first, NewAssignment(linked.target, linked.value))
    assert not done_next(code, first, NewAssignment(last.target, last.value))
    assert not done_next(code, second, NewAssignment(cleared.target, cleared.value))


def test_null_is_not_set_where_it_is_null(tmp_path: Path) -> None:
    program = program_of(UNLINKED, tmp_path)
    step = next(s for s in program.functions["out"].code if isinstance(s, Assign) and text(s.value) == "0")
    same, other = (parse_expression(program, "out", each) for each in ("n->prev == 0", "n->chain == 0"))
    assert reason_against(step, same) > reason_against(step, other)


FREED = """\
#include <stdlib.h>
struct node { int n; struct node *next; };
void out(struct node *a, struct node *b)
{
    a->n = 1;
    b->n = 2;
    b->next = a;
    free(b);
    a->n = 3;
    b = a->next;
    a->n = 4;
    a->next = b->next;
    free(b);
}
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("behind", "place", "lost"),
    [
        ("1", "b->n", True),
        ("2", "b->next", True),
        ("2", "a->n", False),
        ("3", "b->n", False),  # it is another node that is freed then
        ("4", "b->n", True),
        ("4", "a->next->n", True),
        ("4", "a->n", False),
    ],
)
def test_what_is_stored_in_a_node_that_is_freed_next_is_lost(
    behind: str, place: str, lost: bool, tmp_path: Path
) -> None:
    program = program_of(FREED, tmp_path)
    code = program.functions["out"].code
    at = next(n for n, s in enumerate(code) if isinstance(s, Assign) and text(s.value) == behind)
    target = parse_expression(program, "out", place)
    assert isinstance(target, Load)
    assert is_freed_next(code, at, target.place) == lost


KEYS = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *find(struct node *at, int key) {
    while (at != NULL && at->key != key)
        at = at->next;
    return at;
}
static struct node *make(struct node *at, int key) {
    struct node *made = malloc(sizeof *made);
    if (at != NULL && at->key < key)
        made->next = at;
    return made;
}
static int nth(int *at, int n) { return n < 2 ? at[n] : 0; }
int main(void) { int a[2] = { 0 }; return find(make(0, 1), 2) != NULL + nth(a, 1); }
"""


@pytest.mark.parametrize(
    ("function", "written", "reckons", "renamed"),
    [
        ("find", "key + 1", True, False),
        ("find", "at->key + 1", False, False),
        ("nth", "n + 1", False, False),
        ("find", "key", False, True),
        ("make", "key", False, False),
        ("find", "at->key", False, False),
    ],
)
def test_keys_are_compared_only(
    function: str, written: str, reckons: bool, renamed: bool, tmp_path: Path
) -> None:
    program = program_of(KEYS, tmp_path)
    inside = program.functions[function]
    value = parse_expression(program, function, written)
    assert reckons_with_key(inside, value) is reckons
    if function != "nth":
        field = parse_expression(program, function, "at->key")
        assert isinstance(field, Load)
        assert renames(inside, field.place, value) is renamed


CHECKS = """\
#include <assert.h>
int n;
int small(void) { return n < 3; }
int even(void) { return n % 2 == 0; }
int same(int k) { return k == n; }
void count(void) { n++; }
int main(void) {
    count();
    if (even())
        count();
    assert(small() && same(1));
    assert(!even());
    return 0;
}
"""


def test_what_only_assertions_call_only_checks(tmp_path: Path) -> None:
    assert checking(program_of(CHECKS, tmp_path)) == {"small", "same"}
