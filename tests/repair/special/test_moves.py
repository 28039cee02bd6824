"""Statements in the wrong order are set where they belong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, crash, program_of

from wolverine.core.expressions import Load
from wolverine.core.patch import Deletion, Edit, NewAssignment, NewCall, Patch, Repairs
from wolverine.core.program import Location, Program
from wolverine.core.trace import Decision
from wolverine.frontend import emit, parse_expression
from wolverine.repair import search
from wolverine.repair.menus.vocabulary import occurring_locations
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.blocks import gaps, plain_call, statement
from wolverine.repair.special.moves import enters_an_arm, in_turn, set_elsewhere, shifts

HEAD = """\
#include <stdlib.h>
struct span { int lo, hi; struct span *next; };
struct span *first;
static struct span *new(int lo, int hi, struct span *next)
{
    struct span *made = malloc(sizeof(struct span));
    made->lo = lo;
    made->hi = hi;
    made->next = next;
    return made;
}
"""
CUT = (
    HEAD
    + """\
void cut(struct span *p, int x)
{
ONE
TWO
}
int main(void)
{
    first = new(1, 5, NULL);
    cut(first, 3);
    return 0;
}
"""
)
DROP = (
    HEAD
    + """\
void drop(struct span *before)
{
    struct span *p = before->next;
ONE
TWO
}
int main(void)
{
    first = new(5, 6, new(3, 4, new(1, 2, NULL)));
    drop(first);
    return 0;
}
"""
)
LINK = (
    HEAD
    + """\
void put(int lo)
{
    struct span *made = new(lo, lo, NULL);
ONE
    if (made->next != NULL)
        made->next->hi = made->lo;
TWO
}
int main(void)
{
    put(1);
    put(2);
    return 0;
}
"""
)


def program(text: str, *statements: str) -> str:
    for mark, written in zip(("ONE", "TWO"), statements, strict=True):
        text = text.replace(mark, written)
    return text


@pytest.mark.parametrize(
    ("text", "statements", "changes"),
    [
        (CUT, ("    p->next = new(x + 1, p->hi, p->next);", "    p->hi = x - 1;"), [("n2->hi", "5")]),
        (
            LINK.replace("    if (made->next != NULL)\n        made->next->hi = made->lo;\n", ""),
            ("    made->next = first;", "    first = made;"),
            [("n1->next", "null")],
        ),
        (DROP, ("    before->next = p->next;", "    p->next = NULL;"), [("n3->next", "n1")]),
    ],
)
def test_neighbours_change_places(
    tmp_path: Path, text: str, statements: tuple[str, str], changes: list[tuple[str, str]]
) -> None:
    wrong = program(text, *reversed(statements))
    play = Play(program_of(wrong, tmp_path))
    name = {CUT: "cut", DROP: "drop"}.get(text, "put")
    play.enter_function(name)
    function = play.program.functions[name]
    play.to(wrong[: function.body.end].count("\n") + 1)
    for place, value in changes:
        play.change(place, value)
    play.spec()
    repairs = search(play.problem())
    assert isinstance(repairs, Repairs)
    written = emit(play.program, repairs.candidates[0].patch)[0].decode()  # type: ignore[arg-type]
    assert written == program(text, *statements)


def test_a_statement_stays_in_its_block(tmp_path: Path) -> None:
    text = program(LINK, "    made->next = first;", "    first = made;")
    loaded = program_of(text, tmp_path)
    function = loaded.functions["put"]
    places = {index: location for location, index in occurring_locations(loaded, "put").items()}
    lines: dict[str, set[int]] = {}
    for index, location in places.items():
        if loaded.location(location).kind == "assignment":
            reached = gaps(loaded, function, index, places)
            lines[loaded.location(location).text] = {loaded.location(each).line for each in reached}
    inner = "made->next->hi = made->lo"
    before, conditional, behind = (
        text[: text.index(part)].count("\n") + 1
        for part in ("struct span *made = new(lo", inner, "first = made")
    )
    assert lines[inner] == set()
    assert lines["first = made"] == set()
    assert {line for line in lines["made->next = first"] if line > conditional} == {behind}
    assert min(lines["made->next = first"]) >= before


NAMED = """\
#include <stdlib.h>
#include <string.h>
struct label { char name[8]; struct label *next; };
struct label *labels;
static void add(const char *name)
{
    struct label *made = NULL;
ONE
TWO
    made->next = labels;
    labels = made;
}
int main(void)
{
    add("a");
    add("b");
    return 0;
}
"""


@pytest.mark.parametrize(
    "made", ["malloc(sizeof *made)", "(struct label *) calloc(1, sizeof(*made))", "calloc(1, 16)"]
)
@pytest.mark.parametrize("used", ["strcpy(made->name, name);", "strncpy(made->name, name, 7);"])
def test_a_node_is_made_before_it_is_used(made: str, used: str, tmp_path: Path) -> None:
    """What uses it is a call of the library: the other statement moves."""
    statements = f"    made = {made};", f"    {used}"
    problem = crash(program(NAMED, *reversed(statements)), "add", tmp_path)
    found = best(problem)
    assert emit(problem.program, found.patch)[0].decode() == program(NAMED, *statements)  # type: ignore[arg-type]
    assert found.cost == 2


FREEING = (
    HEAD
    + """\
int taken(int lo)
{
    struct span *one, *before = NULL;
    int found = 0;
    for (one = first; one != NULL && one->lo != lo; one = one->next)
        before = one;
    if (one == NULL)
        return 0;
    ONE
    if (before == NULL)
        first = one->next;
    else
        before->next = one->next;
    for (one = first; one != NULL; one = one->next)
        found++;
    return found;
}
int main(void)
{
    first = new(1, 1, new(2, 2, new(3, 3, NULL)));
    return taken(2);
}
"""
)


def test_a_statement_is_put_behind_an_if_or_loop_but_not_into_it(tmp_path: Path) -> None:
    text = FREEING.replace("ONE", "free(one);")
    loaded = program_of(text, tmp_path)
    function = loaded.functions["taken"]
    places = {index: location for location, index in occurring_locations(loaded, "taken").items()}
    free = next(index for index, each in places.items() if loaded.location(each).text == "free(one)")
    reached = {loaded.location(each).line for each in gaps(loaded, function, free, places)}
    arms, loop, ends = (
        text[: text.index(part)].count("\n") + 1
        for part in ("before->next =", "for (one = first; one != NULL; one =", "return found")
    )
    behind = {line for line in reached if line > text[: text.index("free(one)")].count("\n") + 1}
    assert behind <= {arms, loop, loop + 1, ends}
    assert len(behind) == 2


MARKS = (
    HEAD
    + """\
void mark(int lo, int times)
{
    struct span *at = first;
    for (int i = 0; i < times; i++) {
        if (at->lo < lo)
            at = at->next;
        ROUND
    }
    LATER
}
int main(void)
{
    first = new(1, 15, new(2, 26, new(3, 37, new(4, 48, NULL))));
    mark(9, 3);
    return 0;
}
"""
)


def test_a_statement_is_set_out_of_a_loop(tmp_path: Path) -> None:
    text = MARKS.replace("ROUND", "at->hi = 9;").replace("LATER", ";")
    play = Play(program_of(text, tmp_path))
    play.enter_function("mark")
    function = play.program.functions["mark"]
    play.to(text[: function.body.end].count("\n") + 1)
    play.change("n2->hi", "37")
    play.change("n3->hi", "26")
    play.spec()
    repairs = search(play.problem())
    assert isinstance(repairs, Repairs)
    written = emit(play.program, repairs.candidates[0].patch)[0].decode()  # type: ignore[arg-type]
    right = MARKS.replace("ROUND", "").replace("LATER", "at->hi = 9;")
    assert "".join(written.split()).replace(";;", ";") == "".join(right.split())


TWICE = (
    HEAD
    + """\
void rest(struct span *at)
{
    at->hi = 9;
}
void mark(struct span *at)
{
    at->hi = 9;
}
int main(void)
{
    first = new(1, 15, NULL);
    rest(first);
    mark(first);
    return 0;
}
"""
)


def test_what_is_put_into_another_function_is_not_moved(tmp_path: Path) -> None:
    program = program_of(TWICE, tmp_path)
    [gone, _] = [each for each in program.locations if each.text == "at->hi = 9"]
    made = statement(program.functions["rest"], _index(program, gone))
    assert made is not None
    for name, moved in (("rest", 1), ("mark", 0)):
        last = next(each for each in program.locations if each.function == name and each.gap == "after")
        patch = Patch((Edit(gone.id, Deletion()), Edit(last.id, made)))
        assert len(list(shifts(program, patch))) == moved


def _index(program: Program, location: Location) -> int:
    code = program.functions[location.function].code
    return next(index for index, step in enumerate(code) if step.location == location.id)


RELINK = (
    HEAD
    + """\
void drop(struct span *at)
{
    struct span *gone = at->next;
    at->lo = 1;
    at->hi = gone->hi;
    at->next = 0;
}
int main(void)
{
    first = new(1, 15, new(2, 26, 0));
    drop(first);
    return 0;
}
"""
)


def test_a_place_is_set_to_something_else_close_by(tmp_path: Path) -> None:
    program = program_of(RELINK, tmp_path)
    gone = next(each for each in program.locations if each.text == "at->next = 0")
    made, unlike = _assigned(program, "at->next", "gone->next"), _assigned(program, "at->lo", "at->hi")
    same = _assigned(program, "at->next", "0")  # that is a move
    slots = [each.id for each in program.locations if each.function == "drop" and each.kind == "gap"]
    for gap, replacement, found in ((slots[2], made, 1), (slots[2], unlike, 0), (slots[2], same, 0)):
        patch = Patch((Edit(gap, replacement), Edit(gone.id, Deletion())))
        assert len(list(set_elsewhere(program, patch))) == found


def _assigned(program: Program, *written: str) -> NewAssignment:
    target, value = (parse_expression(program, "drop", each) for each in written)
    assert isinstance(target, Load)
    return NewAssignment(target.place, value)


ORDERED = (
    HEAD
    + """\
static struct span *order, *last;
static void list(struct span *p)
{
    if (last)
        last->next = p;
    else
        order = p;
    last = p;
}
static void take(struct span *p)
{
    struct span *other = p->next;
    p->next = NULL;
    p->hi = 0;
BEFORE    while (other) {
        struct span *after = other->next;
        other->next = NULL;
        list(other);
        other = after;
    }
    p->lo = 0;
BEHIND}
int main(void)
{
    first = new(1, 1, new(2, 2, new(3, 3, NULL)));
    take(first);
    return 0;
}
"""
)


@pytest.mark.thorough
def test_a_call_is_made_behind_a_loop(tmp_path: Path) -> None:
    call = "    list(p);\n"
    wrong = ORDERED.replace("BEFORE", call).replace("BEHIND", "")
    play = Play(program_of(wrong, tmp_path))
    play.enter_function("take")
    play.to(wrong[: play.program.functions["take"].body.end].count("\n") + 1)
    for place, value in (("order", "n2"), ("last", "n3"), ("n2->next", "n1")):
        play.change(place, value)
    for place, value in (("n1->next", "n3"), ("n3->next", "null")):
        play.change(place, value)
    play.spec()
    repairs = search(play.problem())
    assert isinstance(repairs, Repairs)
    gone, put = repairs.candidates[0].patch.edits
    assert isinstance(gone.replacement, Deletion)
    assert isinstance(put.replacement, NewCall)
    [(_, _, between)] = shifts(play.program, repairs.candidates[0].patch)
    assert between


APPENDED = """\
#include <stdlib.h>
struct stop { int n; struct stop *next; };
struct stop *join(struct stop *first, int count)
{
    struct stop *last = first;
    for (int n = 1; n < count; n++) {
        struct stop *made = malloc(sizeof(struct stop));
        made->n = n;
        made->next = NULL;
        last = made;
        last->next = made;
    }
    return first;
}
int main(void)
{
    struct stop *first = calloc(1, sizeof(struct stop));
    return join(first, 2)->n;
}
"""


def test_what_links_a_node_to_itself_comes_before_what_leads_on(tmp_path: Path) -> None:
    play = Play(program_of(APPENDED, tmp_path))
    play.enter_function("join")
    play.to(13)
    play.change("n1->next", "n2")
    play.change("n2->next", "null")
    play.spec()
    repairs = search(play.problem())
    assert isinstance(repairs, Repairs)
    [(gone, put, _)] = shifts(play.program, repairs.candidates[0].patch)
    assert in_turn(play.program, gone, put)


QUEUED = """\
#include <stdlib.h>
struct card { int n; struct card *next; };
struct card *home;
void put(struct card **deck, struct card *made)
{
    struct card *at = *deck, *end = home;
    if (at->next == NULL) {
        at->next = made;
    } else if (at->next == end) {
        at->next = made;
        made->next = at->next;
    }
}
int main(void)
{
    struct card *deck = calloc(1, sizeof(struct card)), *made = calloc(1, sizeof(struct card));
    home = calloc(1, sizeof(struct card));
    deck->n = 1;
    put(&deck, calloc(1, sizeof(struct card)));
    deck->next = home;
    put(&deck, made);
    return 0;
}
"""


def test_neighbours_change_places_within_the_arm_for_what_is_not_null(tmp_path: Path) -> None:
    """The first arm is for a link that is null, the other is not; in front of the `if` is another thing."""
    play = Play(program_of(QUEUED, tmp_path))
    play.to(20)
    play.enter_function("put")
    play.to(13)
    play.change("n2->next", "n3")
    play.spec()
    repairs = search(play.problem())
    assert isinstance(repairs, Repairs)
    patch = repairs.candidates[0].patch
    [(gone, put, _)] = shifts(play.program, patch)
    assert in_turn(play.program, gone, put)
    written = emit(play.program, patch)[0].decode()  # type: ignore[arg-type]
    linked = "} else if (at->next == end) {\n        made->next = at->next;\n        at->next = made;"
    assert linked in written


LENT = """\
struct book { int reader, days; };
struct desk { int back; };
void give_back(struct desk *d, struct book *b, int times)
{
    b->reader = 0;
    b->days = 0;
    d->back = d->back + times;
}
int fee(struct desk *d, struct book *b)
{
    int paid = 0;
ONE
TWO
    return paid;
}
int main(void)
{
    struct desk d = {0};
    struct book b = {3, 5};
    return fee(&d, &b) + d.back;
}
"""


def test_a_call_with_several_arguments_is_made_behind_what_it_spoils(tmp_path: Path) -> None:
    """Arguments need not be evaluated from left to right."""
    wrong, right = "    give_back(d, b, 1);", "    paid = b->days * 2;"
    program = program_of(LENT.replace("ONE", wrong).replace("TWO", right), tmp_path)
    code = program.functions["fee"].code
    calls = [call for at in range(len(code)) if (call := plain_call(program.functions["fee"], at))]
    assert [replacement_text(call) for call in calls] == ["give_back(d, b, 1)"]
    play = Play(program)
    play.enter_function("fee")
    play.to(14)
    play.change("paid", "10")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert answer.candidates[0].cost == 2
    [patched] = emit(program, answer.candidates[0].patch)
    assert patched.decode() == LENT.replace("ONE", right).replace("TWO", wrong)


LEFT = (
    HEAD
    + """\
int level;
void leave(int hi)
{
    level--;
    while (first != NULL && first->lo >= level) {
        first->hi = 0;
        first->lo = 0;
        first = first->next;
    }
    level = level + hi;
}
int main(void)
{
    leave(2);
    return 0;
}
"""
)


def test_a_loop_that_a_statement_is_moved_over_is_one(tmp_path: Path) -> None:
    program = program_of(LEFT, tmp_path)
    function = program.functions["leave"]
    places = {index: location for location, index in occurring_locations(program, "leave").items()}
    index = next(at for at, each in places.items() if program.location(each).kind == "assignment")
    made = statement(function, index)
    assert made is not None
    between = [
        crossed
        for gap in gaps(program, function, index, places)
        for _, _, crossed in shifts(program, Patch((Edit(places[index], Deletion()), Edit(gap, made))))
    ]
    assert between == [1, 2]


BITS = """\
#include <stdlib.h>
struct task { int at; struct task *next; };
struct task *rows[4];
unsigned used;
static void enter(int at)
{
    struct task *made = malloc(sizeof *made);
    made->at = at;
    made->next = rows[at];
    rows[at] = made;
    used |= 1u << at;
}
static void leave(struct task *t)
{
    int at = t->at;
FRONT
    if (t->next == NULL) {
        rows[at] = NULL;
    } else {
        rows[at] = t->next;
    }
BACK
    free(t);
}
int main(void)
{
    enter(3);
    enter(2);
    enter(2);
    leave(rows[2]);
    return 0;
}
"""
CLEARS = "    used &= ~(1u << at);"


@pytest.mark.parametrize(
    ("front", "back", "gaps_of"), [(CLEARS, "", "before"), ("", CLEARS, "after")], ids=["front", "back"]
)
def test_a_statement_is_set_into_the_arm_that_did_not_run(
    front: str, back: str, gaps_of: str, tmp_path: Path
) -> None:
    """The row is not empty: nothing of what belongs to an empty one was to be done."""
    text = BITS.replace("FRONT", front).replace("BACK", back)
    play = Play(program_of(text, tmp_path))
    play.enter_function("leave")
    play.to(text.count("\n", 0, text.index("return 0;")) + 1, "main")
    play.change("used", "12")
    play.spec()
    candidate = best(play.problem())
    gone, put = sorted(candidate.patch.edits, key=lambda edit: not isinstance(edit.replacement, Deletion))
    where = play.program.location(put.location)
    assert isinstance(gone.replacement, Deletion)
    assert where.gap == gaps_of
    assert where.line == text.count("\n", 0, text.index("rows[at] = NULL")) + 1
    assert enters_an_arm(play.program, gone, put)
    assert not enters_an_arm(play.program, put, gone)


SORTED_OUT = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
static struct item *odd, *even;
static int in_place;
static void put(struct item *p)
{
    struct item **list = p->key % 2 ? &odd : &even;
    p->next = *list;
    *list = p;
    COUNTED
}
static void sort_out(struct item *p)
{
    struct item *after;
    while (p) {
        put(p);
        after = p->next;
        p = after;
    }
}
int main(void)
{
    struct item *first = malloc(sizeof *first);
    first->key = 1;
    first->next = malloc(sizeof *first);
    first->next->key = 2;
    first->next->next = NULL;
    sort_out(first);
    return 0;
}
"""


@pytest.mark.parametrize("counted", ["", "in_place++;"])
def test_a_statement_in_the_wrong_place_comes_before_what_does_here(counted: str, tmp_path: Path) -> None:
    """`even = p->next;` would, or `put(p->next);`, but crash wherever there are one or three."""
    play = Play(program_of(SORTED_OUT.replace("COUNTED", counted), tmp_path))
    play.enter_function("sort_out")
    play.to(20)
    play.change("even", "n2")
    if counted:
        play.change("in_place", "2")
    play.spec()
    problem = play.problem()
    traces = []
    for trace in problem.traces:  # what was stepped over says nothing of its loops
        events = (
            trace.events if not counted else tuple(e for e in trace.events if not isinstance(e, Decision))
        )
        traces.append(replace(trace, events=events))
    repairs = search(replace(problem, traces=tuple(traces)))
    assert isinstance(repairs, Repairs)
    [(gone, _, between)] = shifts(play.program, repairs.candidates[0].patch)
    assert play.program.location(gone.location).line == 17
    assert between == 1
