"""What is near and what is far of a statement as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import (
    Binary,
    Constant,
    Dereference,
    Load,
    Logical,
    Member,
    VariableReference,
    lvalue_text,
    text,
)
from wolverine.core.patch import Edit, Guarded, NewAssignment, NewCall, NewReturn, NewValue, Patch
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.types import INT, PointerType, StructReference
from wolverine.frontend import parse_expression
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.distance import (
    assignment_distance,
    condition_distance,
    distance,
    operator_distance,
    place_distance,
)
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.called import argument_of

X, Y = (Load(VariableReference(name, INT)) for name in "xy")

UNUSED = """int last;
void keep(int value) {
    last = 1;
}
int main(void) {
    keep(3);
    return last;
}
"""
KEPT = """int last;
void keep(int value) {
    int most = 0, answer = 0;
    while (value > 0) {
        answer = value;
        if (value > 3)
            most = value;
        value = value - 1;
    }
    answer = answer - 1;
    last = answer;
}
int main(void) {
    keep(3);
    return last;
}
"""
COUNTED = """#include <stdio.h>
int main(void) {
    int i = 0, left = 3;
    while (left > 0) {
        printf("%d", i);
        left = left - 1;
    }
    printf("%d", i);
    return 0;
}
"""


def test_the_same_question_the_other_way_round_is_nearer_than_another_question() -> None:
    assert operator_distance("<", "<=") < operator_distance("<", ">") == operator_distance("<", ">=")
    assert operator_distance("<", ">") < operator_distance("<", "!=")
    assert operator_distance("+", "-") < operator_distance("&", "|") < operator_distance("+", "*")
    assert operator_distance("==", "!=") < operator_distance("+", "*") == operator_distance("*", "+")
    assert operator_distance("<", "!=") < operator_distance("<", "*")


def test_a_comparison_does_not_become_arithmetic() -> None:
    less = Binary("<", X, Y, INT)
    assert (
        condition_distance(less, Binary("-", X, Y, INT))
        > condition_distance(less, Binary(">", X, Y, INT)) + 1
    )
    assert distance(Binary("-", X, Y, INT), less) > distance(less, Binary("<=", X, Y, INT)) + 1


def test_comparing_something_with_itself_is_the_last_resort() -> None:
    less = Binary("<", X, Y, INT)
    assert condition_distance(less, Binary("<", X, X, INT)) > condition_distance(
        less, Binary("!=", X, Y, INT)
    )


def test_something_is_rather_compared_with_another_thing_than_with_itself_otherwise() -> None:
    alike = Binary("<", X, X, INT)
    assert condition_distance(alike, Binary("<", X, Y, INT)) < condition_distance(
        alike, Binary("<=", X, X, INT)
    )


def test_a_parameter_that_was_forgotten_is_nearer_than_a_constant(tmp_path: Path) -> None:
    program = program_of(UNUSED, tmp_path)
    location = _assignment(program)
    scores = Scores(program)
    value = Load(VariableReference("value", INT))
    forgotten = scores.edit(Edit(location, NewValue(value)))
    assert forgotten < scores.edit(Edit(location, NewValue(Constant(2, INT))))


@pytest.mark.parametrize(
    ("before", "after", "nearer"),
    [
        ("", "", True),
        ("= value - 1", "= value - 1 + most * 0", False),  # something reads it
        ("most = value;", "last = value;", False),  # set once it may be of no interest
    ],
)
def test_what_several_statements_keep_for_nothing_is_nearer_than_another_field(
    tmp_path: Path, before: str, after: str, nearer: bool
) -> None:
    program = program_of(KEPT.replace(before, after), tmp_path)
    code = program.functions["keep"].code
    step = next(s for s in code if isinstance(s, Assign) and text(s.value) == "answer")
    scores = Scores(program)
    kept, other = (
        scores.edit(Edit(step.location, NewValue(Load(VariableReference(name, INT)))))
        for name in ("most", "value")
    )
    assert (kept < other) is nearer


def test_what_is_kept_for_nothing_is_not_read_by_setting_it_again(tmp_path: Path) -> None:
    program = program_of(KEPT, tmp_path)
    code = program.functions["keep"].code
    step = next(s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "most")
    more = Binary("+", Load(VariableReference("most", INT)), Constant(1, INT), INT)
    assert Scores(program).edit(Edit(step.location, NewValue(more))) > 0


def test_what_is_set_on_every_way_is_nearer_than_what_is_set_on_one(tmp_path: Path) -> None:
    source = "int f(int a) { int x = 1, y; if (a) y = 2; a = x; return y; } int main(void) { return f(1); }"
    program = program_of(source, tmp_path)
    code = program.functions["f"].code
    added = next(s.location for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "a")
    one, other = (Load(VariableReference(name, INT)) for name in "ay")
    scores = Scores(program)
    assert scores.edit(Edit(added, NewValue(one))) < scores.edit(Edit(added, NewValue(other)))


def test_a_target_that_goes_on_from_where_it_was_is_nearer_than_another() -> None:
    struct, link = StructReference("s"), PointerType(StructReference("s"))
    x, y = (Load(VariableReference(name, link)) for name in "xy")
    ahead, beside = (Member(Dereference(each, struct), "f", 8, link) for each in (x, y))
    further, aside = (Member(Dereference(Load(each), struct), "f", 8, link) for each in (ahead, beside))
    on, off = (assignment_distance(ahead, y, other, y)[0] for other in (further, aside))
    assert place_distance(ahead, beside) < on < off
    assert on < assignment_distance(further, y, ahead, y)[0] < off


def test_a_step_stands_at_the_end_of_its_loop(tmp_path: Path) -> None:
    program = program_of(COUNTED, tmp_path)
    scores, counter = Scores(program), VariableReference("i", INT)
    step = NewAssignment(counter, Binary("+", Load(counter), Constant(1, INT), INT))
    gaps = [
        (program.location(s.location).line, scores.edit(Edit(s.location, step)))
        for s in program.functions["main"].code
        if isinstance(s, Gap)
    ]
    best = min(score for _, score in gaps)
    assert [line for line, score in gaps if score == best] == [6, 6]  # before and behind the last statement


ROTATED = """struct tree { struct tree *left, *right, *up; };
void rotate(struct tree *x) {
    struct tree *y = x->left;
    x->left = y->right;
    if (y->right)
        y->right->up = x;
    y->up = x->up;
    x->up = y;
}
int main(void) {
    return 0;
}
"""


def test_a_field_is_set_behind_the_statements_that_read_it_and_not_in_an_arm_of_its_own(
    tmp_path: Path,
) -> None:
    program = program_of(ROTATED, tmp_path)
    scores, code = Scores(program), program.functions["rotate"].code
    [place] = [s.value.place for s in code if isinstance(s, Assign) and text(s.value) == "y->right"]  # type: ignore[attr-defined]
    x = next(v for v in program.functions["rotate"].parameters)
    step = NewAssignment(place, Load(x))
    gaps = {
        (location.line, location.gap): scores.edit(Edit(each.location, step))
        for each in code
        if isinstance(each, Gap) and (location := program.location(each.location)).line
    }
    assert gaps[5, "before"] > gaps[7, "before"]
    assert gaps[5, "else"] > gaps[7, "before"]


OUT = """\
#include <stdlib.h>
struct node { struct node *prev, *next; };
void take(struct node **first, struct node *n) {
    if (n->prev != NULL) {
        n->prev->next = n->next;
    }
    if (n->next != NULL) {
        n->next->prev = n->prev;
    } else {
        *first = NULL;
    }
}
int main(void) {
    free(malloc(8));
    return 0;
}
"""


def test_a_node_is_rather_freed_behind_the_case_that_others_are_linked(tmp_path: Path) -> None:
    program = program_of(OUT, tmp_path)
    scores, take = Scores(program), program.functions["take"]
    call = NewCall("free", (Load(take.parameters[1]),))
    gaps = {
        (location.line, location.gap): scores.edit(Edit(each.location, call))
        for each in take.code
        if isinstance(each, Gap) and (location := program.location(each.location)).line
    }
    assert gaps[5, "after"] == gaps[5, "before"] > gaps[7, "before"] == gaps[4, "before"]


def test_what_does_nothing_is_changed_before_something_is_inserted(tmp_path: Path) -> None:
    program = program_of(COUNTED.replace("left - 1", "left"), tmp_path)
    scores, left = Scores(program), VariableReference("left", INT)
    step = NewAssignment(left, Binary("-", Load(left), Constant(1, INT), INT))
    gaps = [s.location for s in program.functions["main"].code if isinstance(s, Gap)]
    idle = next(
        s.location
        for s in program.functions["main"].code
        if isinstance(s, Assign) and s.value == Load(s.target)
    )
    assert scores.edit(Edit(idle, step)) < min(scores.edit(Edit(gap, step)) for gap in gaps)


def test_a_test_stands_before_what_it_guards_the_right_way_round(tmp_path: Path) -> None:
    program = program_of(GUARDED, tmp_path)
    step = next(s for s in program.functions["main"].code if isinstance(s, Branch))
    inner = step.condition
    pointer = Load(next(v for v in program.functions["main"].locals if v.name == "p"))
    scores = {
        operator: Scores(program).edit(
            Edit(
                step.location,
                NewValue(
                    Logical("&&", Binary(operator, pointer, Constant(0, pointer.type), INT), inner),
                ),
            )
        )
        for operator in ("==", "!=")
    }
    assert scores["!="] + 0.5 < scores["=="]


def test_constants_are_not_compared_with_each_other() -> None:
    test = Binary("==", X, Constant(1, INT), INT)
    assert condition_distance(test, Binary("==", Constant(2, INT), Constant(1, INT), INT)) > 2


GUARDED = """struct cell { int v; struct cell *next; };
struct cell one;
int main(void) {
    struct cell *p = one.next;
    while (p->v == 1)
        p = p->next;
    return 0;
}
"""


def _assignment(program: Program) -> int:
    return next(s.location for s in program.functions["keep"].code if isinstance(s, Assign))


NODES = """#define ROOM 8
struct node { struct node *left, *right, *up; int n; };
struct tree { struct node *root, *last; int size; };
int table[ROOM];
void link(struct tree *t, struct node *a, struct node *b) {
    int at = b->n % ROOM;
    a->right = b;
    t->last->left = a;
    t->last = a;
    t->size = t->size + 1;
    table[at] = 1;
}
int main(void) {
    return table[0];
}
"""


def test_the_field_on_the_other_side_is_nearer_than_another(tmp_path: Path) -> None:
    program = program_of(NODES, tmp_path)
    left, right, up = (_field(program, name) for name in ("left", "right", "up"))
    assert distance(left, right) < distance(left, up)


def test_what_the_function_links_the_other_way_round_is_nearer(tmp_path: Path) -> None:
    """`a->right = b` and `t->last->left = a` are there: `b->left = a` and `a->up = t->last` answer them."""
    program = program_of(NODES, tmp_path)
    found = {text(each.value): _best(program, each) for each in _links(program)}
    assert found["t->last"] < found["t->root"]


def test_a_constant_that_has_a_name_is_rather_right(tmp_path: Path) -> None:
    program = program_of(NODES, tmp_path)
    step = next(s for s in program.functions["link"].code if isinstance(s, Assign))
    assert isinstance(step.value, Binary)
    other = Edit(step.location, NewValue(Binary("%", step.value.left, Constant(4, INT), INT)))
    operator = Edit(step.location, NewValue(Binary("/", step.value.left, step.value.right, INT)))
    assert Scores(program).edit(operator) < Scores(program).edit(other)


def test_what_is_counted_is_counted_rather_than_set(tmp_path: Path) -> None:
    program = program_of(NODES, tmp_path)
    code = program.functions["link"].code
    size = next(s.target for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "t->size")
    less = NewAssignment(size, Binary("-", Load(size), Constant(1, INT), INT))
    assert _best(program, less) < _best(program, NewAssignment(size, Constant(1, INT)))


def _best(program: Program, made: NewAssignment) -> float:
    """The distance of the insertion where it is closest."""
    gaps = [s.location for s in program.functions["link"].code if isinstance(s, Gap)]
    return min(Scores(program).edit(Edit(gap, made)) for gap in gaps)


def _field(program: Program, name: str) -> Load:
    a = program.functions["link"].parameters[1]
    node = a.type.target  # type: ignore[union-attr]
    field = program.types.structs["node"].field(name)
    assert field is not None
    return Load(Member(Dereference(Load(a), node), name, field.offset, field.type))


def _links(program: Program) -> list[NewAssignment]:
    """`a->up` set to the last node, and to the first one."""
    target = _field(program, "up").place
    tree = program.functions["link"].parameters[0]
    ends = []
    for name in ("last", "root"):
        field = program.types.structs["tree"].field(name)
        assert field is not None
        base = Dereference(Load(tree), tree.type.target)  # type: ignore[union-attr]
        ends.append(NewAssignment(target, Load(Member(base, name, field.offset, field.type))))
    return ends


SORTED = """struct cell { int column, value; struct cell *right; };
int sum(struct cell *c, int column, int value) {
    while (c && c->column > column)
        c = c->right;
    if (c && c->column == column)
        return c->value + value;
    return value;
}
int main(void) { return sum(0, 1, 2); }
"""


def test_what_is_compared_elsewhere_as_well_stays_compared(tmp_path: Path) -> None:
    program = program_of(SORTED, tmp_path)
    code = program.functions["sum"].code
    step = next(step for step in code if isinstance(step, Branch))
    assert isinstance(step.condition, Logical)
    compared = step.condition.right
    assert isinstance(compared, Binary)
    value = Load(next(p for p in program.functions["sum"].parameters if p.name == "value"))
    turned = replace(step.condition, right=replace(compared, operator="<"))
    other = replace(step.condition, right=replace(compared, right=value))
    scores = Scores(program)
    near, far = (scores.edit(Edit(step.location, NewValue(each))) for each in (turned, other))
    assert near < far


WALKED = """struct node { struct node *next; };
struct node *last(struct node *first) {
    struct node *at = first, *other = first;
    while (at != 0)
        at = other->next;
    return other;
}
int main(void) { return last(0) != 0; }
"""


def test_a_pointer_goes_on_from_where_it_is_rather_than_from_elsewhere(tmp_path: Path) -> None:
    program = program_of(WALKED, tmp_path)
    function = program.functions["last"]
    [step] = [
        s
        for s in function.code
        if isinstance(s, Assign) and isinstance(s.value, Load) and "next" in text(s.value)
    ]
    scores = Scores(program)

    def after(name: str) -> float:
        assert isinstance(step.value, Load) and isinstance(step.value.place, Member)
        start = VariableReference(name, step.target.type, "local")
        place = replace(step.value.place, base=Dereference(Load(start), step.value.place.base.type))
        return scores.edit(Edit(step.location, NewAssignment(step.target, Load(place))))

    assert after("at") < after("first")


LINKED = """struct node { int value; struct node *prev, *next; };
void link_back(struct node *a, struct node *b)
{
    b->value = 0;
}
int main(void) { return 0; }
"""


def test_a_test_of_what_the_statement_goes_through_is_nearer(tmp_path: Path) -> None:
    program = program_of(LINKED, tmp_path)
    function = program.functions["link_back"]
    a, b = function.parameters
    assert isinstance(a.type, PointerType)
    assert isinstance(a.type.target, StructReference)
    fields = {each.name: each for each in program.types.structs["node"].fields}

    def link(node: VariableReference, name: str) -> Member:
        return Member(Dereference(Load(node), a.type.target), name, fields[name].offset, a.type)

    made = NewAssignment(
        Member(Dereference(Load(link(a, "next")), a.type.target), "prev", fields["prev"].offset, a.type),
        Load(a),
    )
    gap = next(s.location for s in function.code if isinstance(s, Gap))
    through, other = (
        Scores(program).edit(
            Edit(gap, Guarded(Binary("!=", Load(link(each, "next")), Constant(0, a.type), INT), made))
        )
        for each in (a, b)
    )
    assert through < other


ENDS = """\
#include <stdlib.h>
struct node { struct node *next, *held; };
struct list { struct node *first, *last; };
static void let_go(struct node *n) { free(n); }
static void drop(struct list *l, struct node *before, struct node *n) {
    if (before)
        before->next = n->next;
    else
        l->first = n->next;
    free(n);
}
int main(void) { struct list l = {0}; drop(&l, NULL, calloc(1, 16)); let_go(NULL); return 0; }
"""


def test_a_call_is_rather_made_in_both_arms_than_in_one(tmp_path: Path) -> None:
    program = program_of(ENDS, tmp_path)
    menus, scores = Menus(program, calls=True), Scores(program)
    found: dict[int, float] = {}
    for gap in program.locations:
        menu = menus.menu(gap.id) if gap.function == "drop" and gap.kind == "gap" else None
        for choice in menu.choices if menu is not None else ():
            patch = Patch((Edit(gap.id, choice.replacement),))
            if describe(program, patch).endswith("let_go(n->held)"):
                found[gap.id] = scores.patch(patch)
    assert len({round(each, 6) for each in found.values()}) == 2
    assert found[min(found)] == min(found.values())  # in front of the `if`


SIFTED = """\
static int row[16];
static int below(int at, int n)
{
    while (2 * at < n) {
        int next = 2 * at, other = 2 * n;
        if (row[next + 1] > row[next])
            next = next + 1;
        row[at] = row[next] + other;
        at = 2 * at;
    }
    return at;
}
int main(void) { return below(1, 8); }
"""


def test_what_was_reckoned_before_and_has_changed_is_nearer_than_another_number(tmp_path: Path) -> None:
    program = program_of(SIFTED, tmp_path)
    [step] = [
        s
        for s in program.functions["below"].code
        if isinstance(s, Assign) and lvalue_text(s.target) == "at" and isinstance(s.value, Binary)
    ]
    assert isinstance(step.value, Binary)
    scores = Scores(program)
    kept, other = (
        scores.edit(Edit(step.location, NewAssignment(step.target, Load(VariableReference(name, INT)))))
        for name in ("next", "other")
    )
    number = replace(step.value, left=Constant(3, INT))
    assert kept < scores.edit(Edit(step.location, NewAssignment(step.target, number))) < other


def test_what_a_variable_was_set_for_rather_reads_it_still(tmp_path: Path) -> None:
    source = """\
struct cell { struct cell *next; };
static struct cell *head, *tail;
static void drop(void) {
    struct cell *old = head;
    head = old;
}
int main(void) { drop(); return tail != 0; }
"""
    program = program_of(source, tmp_path)
    scores, name = Scores(program), "drop"
    at = next(each.id for each in program.locations if each.text.startswith("head = old"))
    far: dict[str, float] = {}
    for value in ("tail", "old->next"):
        target, made = parse_expression(program, name, "head"), parse_expression(program, name, value)
        assert isinstance(target, Load)
        far[value] = scores.patch(Patch((Edit(at, NewAssignment(target.place, made)),)))
        used = source.replace("head = old;", "head = old; tail = old;")
        other = program_of(used, tmp_path)
        again = next(each.id for each in other.locations if each.text.startswith("head = old"))
        elsewhere = Scores(other).patch(Patch((Edit(again, NewAssignment(target.place, made)),)))
        assert (far[value] > elsewhere + 0.3) is (value == "tail")


REUSED = """struct part { int v; struct part *next; };
struct job { int state; struct part *first, *last; struct job *next; };
struct job *idle;
struct part *parts[4];
struct job *reuse(int i) {
    struct job *j = idle;
    idle = j->next;
    j->first = 0;
    parts[i] = 0;
    j->next = 0;
    return j;
}
int main(void) {
    return reuse(1) == 0;
}
"""


PLAYED = """struct song { struct song *before, *next; };
struct player { struct song *first, *playing; };
void sell(struct player *p, struct song *s)
{
    if (s->before)
        s->before->next = s->next;
    else
        p->first = s->next;
}
int main(void) { struct song s = {0}; struct player p = {&s, &s}; sell(&p, &s); return 0; }
"""


def _inserted(
    source: str, function: str, line: int, target: str, value: str, tmp_path: Path, test: str = ""
) -> float:
    program = program_of(source, tmp_path)
    place, new = (parse_expression(program, function, each) for each in (target, value))
    assert isinstance(place, Load)
    null = Constant(0, place.type) if isinstance(new, Constant) else new
    gap = next(
        s.location
        for s in program.functions[function].code
        if isinstance(s, Gap) and s.location >= 0 and program.location(s.location).line == line
    )
    made = NewAssignment(place.place, null)
    guarded = Guarded(parse_expression(program, function, test), made) if test else made
    return Scores(program).edit(Edit(gap, guarded))


def test_what_leads_to_a_node_goes_on_from_it_under_a_test_for_it(tmp_path: Path) -> None:
    def tested(value: str) -> float:
        where = PLAYED, "sell", 5, "p->playing", value, tmp_path
        return _inserted(*where, "p->playing == s") - _inserted(*where)

    assert max(tested("s->next"), tested("s->before")) < tested("p->first") - 0.05


def test_both_ends_are_emptied_rather_than_one_is_taken_from_another_node(tmp_path: Path) -> None:
    null = _inserted(REUSED, "reuse", 10, "j->last", "0", tmp_path)
    assert null < _inserted(REUSED, "reuse", 10, "j->last", "idle->last", tmp_path)


def test_an_element_of_a_certain_number_is_strange_where_none_has_one(tmp_path: Path) -> None:
    reckoned = _inserted(REUSED, "reuse", 10, "parts[i]", "j->first", tmp_path)
    assert reckoned + 0.3 < _inserted(REUSED, "reuse", 10, "parts[1]", "j->first", tmp_path)


APPENDED = """#include <stdlib.h>
struct stop { int n; struct stop *next; };
void join(struct stop *first, struct stop *made)
{
    struct stop *last = first;
    while (made) {
        last->next = made;
        last = last;
        made = made->next;
    }
}
int main(void) { join(NULL, NULL); return 0; }
"""


def test_a_variable_goes_on_to_what_was_just_linked_behind_it(tmp_path: Path) -> None:
    program = program_of(APPENDED, tmp_path)
    code = program.functions["join"].code
    [step] = [s for s in code if isinstance(s, Assign) and text(s.value) == "last"]
    [first] = [s.value for s in code if isinstance(s, Assign) and text(s.value) == "first"]
    [link] = [s.target for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "last->next"]
    scores = Scores(program)
    onward, anew = (
        scores.edit(Edit(step.location, NewAssignment(step.target, value))) for value in (Load(link), first)
    )
    assert onward < anew


def test_what_reckons_on_one_place_names_it_once() -> None:
    x, y = (VariableReference(name, INT) for name in "xy")
    for operator in ("+", "-", "*", "/", "%", "<<", "&"):
        held, other = (Binary(operator, Load(each), Constant(3, INT), INT) for each in (x, y))
        assert assignment_distance(x, held, y, other) == (1.0, 0.0)


def test_steps_by_one_are_near_and_what_reckons_with_one_in_vain_is_not() -> None:
    two, one, three = (Binary("+", X, Constant(n, INT), INT) for n in (2, 1, 3))
    assert distance(two, one) < distance(one, two)
    assert distance(two, one) < distance(two, three)
    double, single = (Binary("*", Constant(n, INT), X, INT) for n in (2, 1))
    assert distance(double, single) > distance(double, Binary("*", Constant(3, INT), X, INT))


STORED = """#include <stdlib.h>
struct entry { int key, value; struct entry *next; };
struct entry *first;
void store(int key, int value)
{
    struct entry *e = first;
    if (e != NULL && e->key == key) {
        e->value = value;
        return;
    }
    e = malloc(sizeof *e);
    e->key = key;
    e->next = first;
    first = e;
}
int main(void) { store(1, 1); return 0; }
"""


def test_a_field_is_set_to_what_has_its_name_wherever_that_was_used_last(tmp_path: Path) -> None:
    program = program_of(STORED, tmp_path)
    function = program.functions["store"]
    at = max(i for i, s in enumerate(function.code) if isinstance(s, Assign) and "next" in str(s.target))
    gap = next(s.location for s in function.code[at:] if isinstance(s, Gap))
    [stored] = [s for s in function.code if isinstance(s, Assign) and lvalue_text(s.target) == "e->value"]
    value, key = (Load(each) for each in reversed(function.parameters))
    scores = Scores(program)
    assert scores.edit(Edit(gap, NewAssignment(stored.target, value))) < scores.edit(
        Edit(gap, NewAssignment(stored.target, key))
    )


ADDED = """#include <stdlib.h>
struct sum { int key, amount; struct sum *next; };
static void add(struct sum **list, int key, int amount) {
    struct sum *s = *list;
    while (s && s->key != key)
        s = s->next;
    if (s) {
        s->amount += amount;
    }
    if (amount == 0)
        return;
    s = malloc(sizeof *s);
    s->key = key;
    s->amount = amount;
    s->next = *list;
    *list = s;
}
int main(void) { struct sum *all = NULL; add(&all, 1, 2); return 0; }
"""


def test_a_return_is_nearer_than_a_constant_in_what_the_caller_gave(tmp_path: Path) -> None:
    program = program_of(ADDED, tmp_path)
    function, scores = program.functions["add"], Scores(program)
    gap = next(
        s.location for s in function.code if isinstance(s, Gap) and program.location(s.location).line == 8
    )
    amount = next(each for each in function.parameters if each.name == "amount")
    constant = scores.edit(Edit(gap, NewAssignment(amount, Constant(0, INT))))
    assert scores.edit(Edit(gap, NewReturn(None))) + 0.1 < constant


SHARED = """#include <stdlib.h>
struct name { int key, users; struct name *next; };
static struct name *kept;
static struct name *take(int key, int row) {
    struct name *n = malloc(sizeof *n);
    n->key = row < 9 ? key : row;
    n->next = kept;
    kept = n;
    return n;
}
static void move(struct name *to, struct name *from) {
    from->users--;
    to->users++;
    free(from);
}
int main(void) { move(take(2, 1), take(3, 1)); return 0; }
"""


@pytest.mark.parametrize(
    ("function", "field", "nearer", "farther"),
    [
        ("move", "to->key", "from->key", "to->key - 1"),  # what no statement counts takes other values
        ("take", "n->users", "1", "row"),  # what some count begins with a number
        ("take", "n->users", "row", "7"),
    ],
)
def test_what_is_counted_and_what_is_not(
    function: str, field: str, nearer: str, farther: str, tmp_path: Path
) -> None:
    program = program_of(SHARED, tmp_path)
    scores, target = Scores(program), parse_expression(program, function, field)
    assert isinstance(target, Load)
    gaps = [s.location for s in program.functions[function].code if isinstance(s, Gap)]
    last = max(gaps, key=lambda location: program.location(location).line)
    one, two = (
        scores.edit(Edit(last, NewAssignment(target.place, parse_expression(program, function, each))))
        for each in (nearer, farther)
    )
    assert one < two


PASSED = """struct node { int key; struct node *next; };
int keys(struct node *list, struct node *end) {
    int n = 0;
    for (; list != end; list = list->next)
        n = n + 1;
    return n;
}
int main(void) {
    struct node one = {1, 0};
    struct node *list = &one;
    return keys(list, 0) + keys(list, list);
}
"""


def test_null_is_passed_only_where_another_call_does_so(tmp_path: Path) -> None:
    program = program_of(PASSED, tmp_path)
    code = program.functions["main"].code
    null = Constant(0, PointerType(StructReference("node")))
    scores = Scores(program)
    against = {
        argument: scores.edit(Edit(code[at].location, NewValue(null)))
        for at in range(len(code) - 1, -1, -1)  # the first call comes last
        if (argument := argument_of(code, at)) is not None and argument[0] == "keys"
        if text(code[at].value) == "list"  # type: ignore[union-attr]
    }
    assert against["keys", 0] > against["keys", 1] + 0.5


COUNTED_BOTH_WAYS = """#include <stdlib.h>
struct node { int before; struct node *next; };
struct node *first;
void put(int before) {
    struct node *n = malloc(sizeof *n);
    n->before = before;
    n->next = first;
    if (first != NULL)
        first->before++;
    first = n;
}
void drop(void) {
    struct node *n = first->next;
    n->before--;
    GONE
    first = n;
}
int main(void) { put(0); put(0); drop(); return 0; }
"""


def test_what_is_counted_as_nodes_come_is_rather_not_counted_as_they_go(tmp_path: Path) -> None:
    scores = {}
    for gone in ("free(first);", "first->next = NULL;"):
        program = program_of(COUNTED_BOTH_WAYS.replace("GONE", gone), tmp_path)
        code = program.functions["drop"].code
        step = next(s for s in code if isinstance(s, Assign) and lvalue_text(s.target) == "n->before")
        new = parse_expression(program, "drop", "n->before + 1")
        made = NewAssignment(step.target, new)
        scores[gone] = Scores(program).patch(Patch((Edit(step.location, made),)))
    assert scores["free(first);"] > scores["first->next = NULL;"]


JOBS = """\
#include <stddef.h>
struct job { int at; struct job *next; };
struct queue { struct job *front, *rear; };
void put(struct queue *q, struct job *j)
{
    q->rear->next = j;
    q->rear = j;
}
int sum(struct queue *q)
{
    int all = 0;
    struct job *j = q->FROM;
    for (; j != NULL; j = j->next)
        all += j->at;
    return all;
}
int main(void) { return 0; }
"""


def test_a_walk_hardly_begins_where_nodes_are_appended(tmp_path: Path) -> None:
    fields = ("front", "rear")
    found = []
    for one, other in (fields, fields[::-1]):
        program = program_of(JOBS.replace("FROM", one), tmp_path)
        begun = next(
            step
            for step in program.functions["sum"].code
            if isinstance(step, Assign) and lvalue_text(step.target) == "j"
        )
        assert isinstance(begun.value, Load)
        assert isinstance(begun.value.place, Member)
        place = replace(begun.value.place, name=other, offset=8 * fields.index(other))
        found.append(Scores(program).edit(Edit(begun.location, NewValue(Load(place)))))
    assert found[0] >= found[1] + 0.5


UP_TO = """\
struct seat { int n; struct seat *next; };
int to(struct seat *at, struct seat *end)
{
    int sum = 0;
    KEYWORD (at != end) {
        sum += at->n;
        at = at->next;
    }
    return sum;
}
int main(void) { struct seat one = {1, 0}; return to(&one, 0); }
"""


@pytest.mark.parametrize(("keyword", "null_first"), [("while", True), ("if", False)])
def test_a_loop_hardly_goes_on_while_two_pointers_are_equal(
    tmp_path: Path, keyword: str, null_first: bool
) -> None:
    program = program_of(UP_TO.replace("KEYWORD", keyword), tmp_path)
    branch = next(s for s in program.functions["to"].code if isinstance(s, Branch))
    equal, null = (parse_expression(program, "to", each) for each in ("at == end", "at != (void *)0"))
    assert equal is not None and null is not None
    scores = Scores(program)
    assert (
        scores.edit(Edit(branch.location, NewValue(null)))
        < scores.edit(Edit(branch.location, NewValue(equal)))
    ) is null_first
