"""A link that is followed too late is kept before its node is freed, or led elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, best, crash, program_of

from wolverine.core.expressions import Cast, Load, text
from wolverine.core.graph import NodeId
from wolverine.core.parts import unconverted
from wolverine.core.patch import Edit, NewAssignment, NewValue, Patch
from wolverine.core.program import Assign, Call, Instruction
from wolverine.core.trace import Assertion
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.special.early import read_early
from wolverine.repair.special.keeping import keepable

NODES = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static void push(struct node **list, int key)
{
    struct node *made = malloc(sizeof *made);
    made->key = key;
    made->next = *list;
    *list = made;
}
static struct node *list;
static struct node *odd, *even;
"""
FREED = (
    NODES
    + """\
static void drop(int key)
{
    struct node *p = list, *q = NULL;
    while (p != NULL) {
        OTHER
        if (p->key == key) {
            if (q == NULL)
                list = p->next;
            else
                q->next = p->next;
            free(p);
        } else {
            q = p;
        }
        p = p->next;
    }
}
int main(void)
{
    push(&list, 1);
    push(&list, 2);
    push(&list, 3);
    drop(2);
    return 0;
}
"""
)
HEADER = """\
static void drop(void)
{
    int keys = 0;
    for (struct node *p = list; p != NULL; p = p->next) {
        keys += p->key;
        free(p);
    }
    list = NULL;
}
"""
RELINKED = (
    NODES
    + """\
static void part(struct node *from)
{
    struct node *p = from;
    while (p != NULL) {
        struct node **home = p->key % 2 ? &odd : &even;
        p->next = *home;
        *home = p;
        p = p->next;
    }
}
int main(void)
{
    push(&list, 1);
    push(&list, 2);
    push(&list, 3);
    part(list);
    return 0;
}
"""
)


HANDLED = (
    NODES
    + """\
static void release(struct node *n)
{
    list = n->next;
    free(n);
}
static void drop(void (*handle)(struct node *))
{
    for (struct node *p = list; p != NULL; p = p->next)
        handle(p);
}
int main(void)
{
    push(&list, 1);
    push(&list, 2);
    drop(release);
    return 0;
}
"""
)


@pytest.mark.parametrize(
    "program, repair",
    [
        (FREED.replace("OTHER", ""), ["saved = p->next", "p = saved"]),
        (FREED.replace("OTHER", "struct node *next = p->next;"), ["p = next"]),
        (
            NODES + HEADER + FREED[FREED.index("int main") :].replace("drop(2)", "drop()"),
            ["p = saved", "saved = p->next"],
        ),
        (HANDLED, ["p = saved", "saved = p->next"]),
    ],
)
def test_a_link_is_kept_before_its_node_is_freed(program: str, repair: list[str], tmp_path: Path) -> None:
    problem = crash(program, "drop", tmp_path, strict=True)
    assert [replacement_text(edit.replacement) for edit in best(problem).patch.edits] == repair


def test_a_loop_goes_on_for_longer_with_a_link_that_is_kept(tmp_path: Path) -> None:
    play = Play(program_of(RELINKED, tmp_path))
    play.enter_function("part")
    play.open()
    play.to(RELINKED[: RELINKED.index("    return 0")].count("\n") + 1, "main")
    play.change("odd", "n1")
    play.change("even", "n2")
    play.change("n1->next", "n3")
    play.change("n2->next", "null")
    play.spec("odd", "even", "n1->next", "n2->next", "n3->next")
    made = [replacement_text(edit.replacement) for edit in best(play.problem()).patch.edits]
    assert made == ["saved = p->next", "p = saved"]


def test_it_is_kept_where_every_way_leads_through_and_before_what_spoils_it(tmp_path: Path) -> None:
    program = program_of(FREED.replace("OTHER", ""), tmp_path)
    function = program.functions["drop"]
    found = {}
    for index, gap in keepable(program, function):
        step, where = function.code[index], program.location(function.code[gap].location)
        assert isinstance(step, Assign)
        found[text(step.value), program.location(step.location).line] = where.line
    begun = FREED[: FREED.index("if (p->key")].count("\n") + 1
    last = FREED[: FREED.index("p = p->next;")].count("\n") + 1
    assert found["p->next", last] == begun


ANEW = (
    NODES
    + """\
static void put(int key)
{
    struct node *e = list;
    while (e != NULL && e->key != key)
        e = e->next;
    if (e != NULL)
        return;
    e = malloc(sizeof *e);
    e->key = key;
    e->next = list;
    list = e;
}
int main(void)
{
    push(&odd, 1);
    put(2);
    return 0;
}
"""
)


def test_a_variable_that_is_set_anew_is_not_kept(tmp_path: Path) -> None:
    program = program_of(ANEW, tmp_path)
    function = program.functions["put"]
    values = [
        step.value
        for index, _ in keepable(program, function)
        if isinstance(step := function.code[index], Assign)
    ]
    assert "e" not in {text(value) for value in values}


UNLINKED = (
    NODES
    + """\
static void skip(struct node *p)
{
    p->next = p->next->next;
}
static void drop_behind(struct node *p)
{
    if (p->next != NULL) {
        DECLARED
        skip(p);
        free(p->next);
    }
}
int main(void)
{
    push(&list, 1);
    push(&list, 2);
    push(&list, 3);
    drop_behind(list);
    return 0;
}
"""
)


@pytest.mark.parametrize(
    ("declared", "repair"),
    [
        ("", ["saved = p->next", "saved"]),
        ("struct node *gone = p->next;", ["gone"]),
    ],
)
def test_what_is_to_be_freed_is_kept_before_it_is_unlinked(
    declared: str, repair: list[str], tmp_path: Path
) -> None:
    text = UNLINKED.replace("DECLARED", declared)
    play = Play(program_of(text, tmp_path))
    play.enter_function("drop_behind")
    play.open()
    play.to(text[: text.index("    return 0;")].count("\n") + 1, "main")
    play.spec()
    found = play.events[-1]
    assert isinstance(found, Assertion)
    states = {**found.states, NodeId(1): "live", NodeId(2): "freed"}
    play.events[-1] = replace(found, states=states)
    made = [replacement_text(edit.replacement) for edit in best(play.problem()).patch.edits]
    assert made == repair


def test_what_is_freed_is_one_of_the_links_that_may_be_kept(tmp_path: Path) -> None:
    program = program_of(UNLINKED.replace("DECLARED", ""), tmp_path)
    function = program.functions["drop_behind"]
    freeing = next(i for i, step in enumerate(function.code) if _frees(step))
    gaps = [gap for index, gap in keepable(program, function) if index == freeing - 1]
    lines = [program.location(function.code[gap].location).line for gap in gaps]
    assert lines[0] == UNLINKED[: UNLINKED.index("skip(p);")].count("\n") + 1


def test_that_it_is_kept_early_is_one_change(tmp_path: Path) -> None:
    program = program_of(UNLINKED.replace("DECLARED", ""), tmp_path)
    function = program.functions["drop_behind"]
    index, gap = next(each for each in keepable(program, function) if _frees(function.code[each[0] + 1]))
    step = function.code[index]
    assert isinstance(step, Assign)
    value = unconverted(step.value)
    spare = next(each for each in function.spares if each.type == value.type)
    keeping = Edit(function.code[gap].location, NewAssignment(spare, value))
    freeing = Edit(step.location, NewValue(Cast(Load(spare), step.value.type)))
    assert list(read_early(program, Patch((keeping, freeing)))) == [(keeping, freeing)]


def _frees(step: Instruction) -> bool:
    return isinstance(step, Call) and step.function == "free"
