"""The arms of an `if` that set links: what its condition asks for, and arms that say the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.expressions import Constant, Load, text
from wolverine.core.patch import Edit, Guarded, NewAssignment, NewReturn, NewValue, Repairs
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.types import INT
from wolverine.frontend import parse_expression
from wolverine.repair import search
from wolverine.repair.ranking.score import Scores
from wolverine.repair.source.arms import (
    arms,
    asks_for_link,
    begun_already,
    is_empty,
    leaves_the_rest_to_the_other,
    links_asked,
    makes_alike,
)

UNHANG = """\
#include <stdlib.h>
struct tree { int key; struct tree *low, *high; };
struct tree *root;
void unhang(int key)
{
    struct tree *above = NULL, *it = root, *kept;
    while (it != NULL && it->key != key) {
        above = it;
        it = key < it->key ? it->low : it->high;
    }
    if (it == NULL || above == NULL || (it->low != NULL && it->high != NULL))
        return;
    kept = it->low != NULL ? it->low : it->high;
    if (ASKED)
        above->low = kept;
    else
        above->high = kept;
    free(it);
}
struct tree *grow(int key, struct tree *low, struct tree *high)
{
    struct tree *made = malloc(sizeof *made);
    made->key = key;
    made->low = low;
    made->high = high;
    return made;
}
int main()
{
    root = grow(1, NULL, NULL);
    root = grow(4, root, grow(7, NULL, NULL));
    unhang(7);
    return 0;
}
"""


def _asking(condition: str, folder: Path) -> Program:
    return program_of(UNHANG.replace("ASKED", condition), folder)


def _of_the_links(program: Program) -> int:
    """The `if` whose arms set the links of the node above."""
    code = program.functions["unhang"].code
    both = ((at, arms(code, at)) for at, step in enumerate(code) if isinstance(step, Branch))
    return next(
        at
        for at, found in both
        if found is not None and [len(arm) for arm in found] == [1, 1] and "above" in str(found)
    )


@pytest.mark.parametrize(
    ("wrong", "right"), [("kept == it->low", "it == above->low"), ("it->low == kept", "above->low == it")]
)
def test_which_link_led_to_what_is_taken_out_is_asked(wrong: str, right: str, tmp_path: Path) -> None:
    """The right subtree's only node goes; the left subtree is lost instead."""
    play = Play(_asking(wrong, tmp_path))
    play.enter_function("unhang")
    play.to(1 + UNHANG[: UNHANG.index("free(it")].count("\n"))
    play.change("n3->low", "n1")
    play.change("n3->high", "null")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert words(play.program, answer.candidates[0]) == right


def test_only_the_links_that_the_arms_set_are_asked_for(tmp_path: Path) -> None:
    """Neither of what is stored nor of the node that is changed."""
    program = _asking("it->low == kept", tmp_path)
    function = program.functions["unhang"]
    at = _of_the_links(program)
    scope = program.location(function.code[at].location).scope
    [asked] = links_asked(function.code, at, [v for v in scope if v.name != "root"])
    assert str(asked).count("'it'") == 1
    loop = next(i for i, s in enumerate(function.code) if isinstance(s, Branch))
    assert arms(function.code, loop) is None
    assert not list(links_asked(function.code, loop, scope))


def test_arms_that_become_the_same_statement_speak_against_an_edit(tmp_path: Path) -> None:
    """The condition between them would be for nothing."""
    program = _asking("above->low == it", tmp_path)
    code = program.functions["unhang"].code
    found = arms(code, _of_the_links(program))
    assert found is not None
    [first], [second] = found
    assert isinstance(first, Assign) and isinstance(second, Assign)
    assert makes_alike(program, Edit(second.location, NewAssignment(first.target, first.value)))
    assert makes_alike(program, Edit(first.location, NewAssignment(second.target, second.value)))
    assert not makes_alike(program, Edit(second.location, NewAssignment(second.target, second.value)))
    assert not makes_alike(program, Edit(first.location, NewValue(second.value)))


HUNG = """\
struct link { int key; struct link *next; };
struct chain { struct link *first; int links; };
static void put(struct chain *c, struct link *made)
{
    struct link *before = 0, *at = c->first;
    while (at != 0 && at->key < made->key) {
        before = at;
        at = at->next;
    }
    made->next = at;
ARMS
    c->links++;
}
int main(void)
{
    struct link one = {1, 0};
    struct chain c = {0, 0};
    put(&c, &one);
    return c.links;
}
"""


@pytest.mark.parametrize(
    ("written", "empty"),
    [
        ("    if (before == 0)\n        ;\n    else\n        before->next = made;", {12}),
        ("    if (before == 0) {\n    } else\n        before->next = made;", {12}),
        ("    if (before != 0)\n        before->next = made;\n    else\n        ;", {14}),
        ("    if (before != 0)\n        before->next = made;\n    else {\n    }", {14}),
        ("    if (before != 0)\n        before->next = made;", set()),
        ("    while (before == 0)\n        ;", set()),
        ("    if (before == 0)\n        return;\n    before->next = made;", set()),
    ],
)
def test_an_arm_with_nothing_in_it(written: str, empty: set[int], tmp_path: Path) -> None:
    program = program_of(HUNG.replace("ARMS", written), tmp_path)
    put = program.functions["put"]
    found = {
        program.location(step.location).line
        for at, step in enumerate(put.code)
        if isinstance(step, Gap) and is_empty(program, put, at)
    }
    assert found == empty


def test_what_stands_in_it_is_near(tmp_path: Path) -> None:
    arms = "    if (before == 0)\n        ;\n    else\n        before->next = made;"
    program = program_of(HUNG.replace("ARMS", arms), tmp_path)
    first, made = (parse_expression(program, "put", each) for each in ("c->first", "made"))
    assert isinstance(first, Load)
    scores, store = Scores(program), NewAssignment(first.place, made)
    lines = {12: 0.0, 15: 0.0}
    for step in program.functions["put"].code:
        line = program.location(step.location).line if isinstance(step, Gap) else 0
        if line in lines:
            lines[line] = scores.edit(Edit(step.location, store))
    assert lines[12] < lines[15]


HANG = """\
#include <stdlib.h>
struct tree { int key; struct tree *low, *high; };
static void hang(struct tree *root, struct tree *made)
{
    struct tree *above = root, *it = root;
    WALK
    if (above->low == it)
        above->low = made;
    else
        above->high = made;
}
int main(void) { struct tree t = {1, NULL, NULL}, m = t; hang(&t, &m); return 0; }
"""
WALKS = {
    "until it is null": (
        "while (it != NULL) { above = it; it = made->key < it->key ? it->low : it->high; }",
        False,
    ),
    "as C says it in short": ("while (it) { above = it; it = it->low; }", False),
    "left before": ("while (it) { above = it; it = it->low; if (it->key == 3) break; }", True),
    "for another reason as well": ("while (it && it->key != 3) { above = it; it = it->low; }", True),
    "set again": ("while (it) { above = it; it = it->low; } it = above->high;", True),
    "no loop": ("if (it) it = it->low;", True),
}


@pytest.mark.parametrize(("walk", "asks"), WALKS.values(), ids=WALKS)
def test_which_link_leads_to_null_is_not_asked(walk: str, asks: bool, tmp_path: Path) -> None:
    """Behind a loop that ends with a variable null it says nothing which link leads to what it leads to."""
    code = program_of(HANG.replace("WALK", walk), tmp_path).functions["hang"].code
    [(at, branch)] = [
        (at, step)
        for at, step in enumerate(code)
        if isinstance(step, Branch) and text(step.condition) == "above->low == it"
    ]
    assert asks_for_link(code, at, branch.condition) is asks


PRUNED = """\
#include <stdlib.h>
struct bough { int fruit; struct bough *left, *right; };
static struct bough *cut(struct bough *b, int all)
{
    if (all)
        return NULL;
    b->fruit = 0;
    if (b->left == NULL && b->right == NULL) {
        return NULL;
    }
    return b;
}
int main(void)
{
    struct bough b = {1, NULL, NULL};
    return cut(&b, 0) != NULL;
}
"""


def test_a_test_between_two_returns_of_the_same_is_for_nothing(tmp_path: Path) -> None:
    """What is behind the `if` is given back in front of it as well; further up more is done otherwise."""
    program = program_of(PRUNED, tmp_path)
    steps = [s for s in program.functions["cut"].code if isinstance(s, Assign)]
    first, pruned, last = (s for s in steps if "return" in str(s.target))
    assert makes_alike(program, Edit(pruned.location, NewValue(last.value)))
    assert makes_alike(program, Edit(last.location, NewValue(pruned.value)))
    assert not makes_alike(program, Edit(first.location, NewValue(last.value)))
    assert not makes_alike(program, Edit(pruned.location, NewValue(pruned.value)))


CALMEST = """\
struct wave { int height; struct wave *next, *cross; };
struct wave *calmest(struct wave *w)
{
    struct wave *found = 0;
    int tries = 0;
    while (w != 0) {
        found = w->next;
        if (w->cross != 0)
            found = w->cross;
        tries = tries + 1;
        if (found == 0)
            tries = tries - 1;
        w = found;
    }
    return tries ? w : found;
}
int main(void)
{
    return calmest(0) != 0;
}
"""


def test_an_if_that_repeats_what_stands_before_it_is_for_nothing(tmp_path: Path) -> None:
    """Not so where that reckons on: it counts twice then."""
    program = program_of(CALMEST, tmp_path)
    steps = [s for s in program.functions["calmest"].code if isinstance(s, Assign) and s.location >= 0]
    [linked, crossed] = [s for s in steps if text(s.value) in ("w->next", "w->cross")]
    [up, down] = [s for s in steps if text(Load(s.target)) == "tries" and "tries" in text(s.value)]
    assert makes_alike(program, Edit(crossed.location, NewValue(linked.value)))
    assert makes_alike(program, Edit(crossed.location, NewAssignment(linked.target, linked.value)))
    assert makes_alike(program, Edit(linked.location, NewValue(crossed.value)))
    assert not makes_alike(program, Edit(linked.location, NewValue(linked.value)))
    assert not makes_alike(program, Edit(crossed.location, NewAssignment(up.target, linked.value)))
    assert not makes_alike(program, Edit(down.location, NewValue(up.value)))


DROP = """\
#include <stdlib.h>
struct leaf {{ int kept; struct leaf *under; }};
int dropped;
int drop(struct leaf *l)
{{
    if (l->under == NULL) {{
        l->kept = 0;
    {first} }} else {{
        l->under->kept = 1;
    {second} }}
    {behind}
}}
int main(void) {{ return drop(calloc(1, sizeof(struct leaf))); }}
"""
WORK = "if (!l->kept) { free(l); dropped++; } return 1;"


@pytest.mark.parametrize(
    ("first", "second", "behind", "line", "left"),
    [
        ("", "", WORK, 9, True),
        ("", "", WORK, 7, True),
        ("", "", "return 1;", 9, False),  # behind them something else is returned
        ("return 0;", "", WORK, 9, False),  # nothing goes on behind them then
        ("", "return 0;", WORK, 7, False),
        ("", "", WORK, 5, False),
    ],
)
def test_a_return_in_one_arm_may_leave_what_is_behind_to_the_other(
    first: str, second: str, behind: str, line: int, left: bool, tmp_path: Path
) -> None:
    program = program_of(DROP.format(first=first, second=second, behind=behind), tmp_path)
    function = program.functions["drop"]
    gaps = [at for at, step in enumerate(function.code) if isinstance(step, Gap)]
    assigned = (
        at
        for at, step in enumerate(function.code)
        if isinstance(step, Assign) and program.location(step.location).line == line
    )
    before = next(assigned, 0)
    at = next(gap for gap in gaps if gap >= before)
    assert leaves_the_rest_to_the_other(program, function, at) is left


def test_such_a_return_is_further_off_than_one_by_itself_or_under_a_test(tmp_path: Path) -> None:
    texts = (
        DROP.format(first="", second="", behind=WORK),
        DROP.format(first="", second="", behind="return 1;"),
    )
    scores = []
    for number, source in enumerate(texts):
        (folder := tmp_path / str(number)).mkdir()
        program = program_of(source, folder)
        code = program.functions["drop"].code
        set_there = next(
            at
            for at, s in enumerate(code)
            if isinstance(s, Assign) and program.location(s.location).line == 9
        )
        gap = next(step.location for step in code[set_there:] if isinstance(step, Gap))
        made = NewReturn(Constant(1, INT))
        asked = parse_expression(program, "drop", "l->kept != 0")
        distances = Scores(program)
        scores.append([distances.edit(Edit(gap, each)) for each in (made, Guarded(asked, made))])
    (plain, tested), (elsewhere, tested_elsewhere) = scores
    assert plain > elsewhere
    assert tested == tested_elsewhere


UNLINK = """\
struct car { struct car *before, *behind; };
struct train { struct car *first, *last; };
static void take(struct train *t, struct car *c)
{
    if (c->before != 0)
        c->before->behind = c->behind;
    else
        t->first = c->behind;
    if (c->behind != 0)
        c->behind->before = c->before;
    t->last = t->last;
}
int main(void) { return 0; }
"""


def test_the_else_of_an_if_is_not_put_in_with_that_once_more(tmp_path: Path) -> None:
    whole = "    else\n        t->last = c->before;\n"  # where it has an arm of its own
    scores = []
    for there, begun in (("", True), (whole, False)):
        program = program_of(UNLINK.replace("    t->last = t->last;\n", there), tmp_path)
        function = program.functions["take"]
        gap = next(at for at, step in enumerate(function.code) if isinstance(step, Gap))
        asked = parse_expression(program, "take", "c->behind != 0")
        up, *_ = (s for s in function.code if isinstance(s, Assign) and text(s.value) == "c->before")
        down = next(s for s in function.code if isinstance(s, Assign) and text(s.value) == "c->behind")
        one, other = NewAssignment(up.target, up.value), NewAssignment(down.target, down.value)
        assert begun_already(function.code, gap, Guarded(asked, one, other)) == begun
        assert not begun_already(function.code, gap, Guarded(asked, other, one))
        scores.append(Scores(program).edit(Edit(function.code[gap].location, Guarded(asked, one, other))))
    assert scores[0] > scores[1]
