"""A value that is overwritten too early is kept in a variable that the repair declares."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.core.expressions import Load, VariableReference
from wolverine.core.patch import Edit, NewAssignment, Patch, Several
from wolverine.session import results

REVERSE = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct node { int val; struct node *next; } node;
node *reverse(node *head) {
    node *prev = NULL;
    while (head) {
        head->next = prev;
        prev = head;
        head = head->next;
    }
    return prev;
}
int main(void)
{
    node *list = NULL;
    for (int i = 0; i < 3; i++) {
        node *n = malloc(sizeof *n);
        n->val = i;
        n->next = list;
        list = n;
    }
    list = reverse(list);
    for (node *p = list; p; p = p->next)
        printf("%d ", p->val);
    return 0;
}
"""


def test_the_repair_declares_a_variable(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(REVERSE)
    session("break reverse\nrun\nnext 5\nchange head n2\nspec\nenter\nnext 3\nchange head n1\nspec\nenter")
    session("next 3\nchange head null\nspec\nrepair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits] == [
        "node *saved = head->next;",
        "head = saved",
    ]
    assert session.last(results.Repaired).applied == "native"
    session(f"rewrite {tmp_path / 'out.c'}\ncontinue")
    assert session.output() == "0 1 2 "
    binary = tmp_path / "out"
    subprocess.run(["gcc", "-o", str(binary), str(tmp_path / "out.c")], check=True)
    assert subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout == "0 1 2 "


def test_a_patch_declares_what_it_sets_and_uses(play: Callable[..., Any]) -> None:
    program = play(REVERSE).session.program
    function = program.functions["reverse"]
    [spare] = function.spares
    head = next(v for v in function.parameters if v.name == "head")
    first, second = [each.id for each in program.locations if each.function == "reverse"][:2]

    def assign(target: VariableReference, value: VariableReference) -> NewAssignment:
        return NewAssignment(target, Load(value))

    kept, used, other = assign(spare, head), assign(head, spare), assign(head, head)
    assert Patch((Edit(first, kept), Edit(second, used))).declares(program)
    assert Patch((Edit(first, Several((kept, used))),)).declares(program)
    assert not Patch((Edit(first, kept), Edit(second, other))).declares(program)
    assert not Patch((Edit(first, other),)).declares(program)


CUT = """\
#include <stdlib.h>
struct page { struct page *next; };
void cut(struct page *p)
{
    while (p->next != NULL) {
        struct page *ahead = p->next;
        p->next = NULL;
        free(ahead);
    }
}
int main(void)
{
    struct page *first = calloc(1, sizeof *first);
    for (int i = 0; i < 3; i++) {
        struct page *made = malloc(sizeof *made);
        made->next = first->next;
        first->next = made;
    }
    cut(first);
    free(first);
    return 0;
}
"""


def test_a_later_round_of_a_loop_is_not_where_its_function_begins(play: Callable[..., Any]) -> None:
    session = play(CUT)
    session("run\nrepair --no-question --function cut")
    assert "all that was said lies where cut begins" not in str(session.heard)
    [edit] = session.last(results.Repaired).edits
    assert edit.after in ("p->next = ahead->next", "p->next = p->next->next")


MACRO = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int id; struct job *link; };
#define EACH(at, list) for ((at) = (list); (at) != NULL; (at) = (at)->link)
static struct job *jobs;
static void finish(void)
{
    struct job *j;
    EACH (j, jobs)
        free(j);
    jobs = NULL;
}
int main(void)
{
    struct job *j;
    for (int i = 0; i < 3; i++) {
        j = malloc(sizeof *j);
        j->id = i;
        j->link = jobs;
        jobs = j;
    }
    EACH (j, jobs)
        printf("%d ", j->id);
    finish();
    return 0;
}
"""


def test_the_head_of_a_loop_that_is_a_macros_is_written_out(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(MACRO)
    session("run; repair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits] == [
        "for (j = jobs; j != NULL; j = saved)",
        "saved = j->link;",
    ]
    assert session.last(results.Repaired).applied == "native"
    session(f"rewrite {tmp_path / 'out.c'}; continue")
    written = (tmp_path / "out.c").read_text()
    assert (
        "    for (j = jobs; j != NULL; j = saved) {\n        saved = j->link;\n        free(j);\n" in written
    )
    assert written.count("EACH (j, jobs)") == 1
    binary = tmp_path / "out"
    subprocess.run(
        ["gcc", "-g", "-fsanitize=address", "-o", str(binary), str(tmp_path / "out.c")], check=True
    )
    assert subprocess.run([str(binary)], capture_output=True, text=True, check=True).stdout == "2 1 0 "


DEAL = """\
#include <stdio.h>
#include <stdlib.h>
struct card { int value; struct card *below; };
struct table { struct card *stack[4]; int stacks; };

static void lay(struct table *t, int value)
{
    struct card *c = malloc(sizeof *c);
    int at = value % t->stacks;
    c->value = value;
    c->below = NULL;
    t->stack[at] = c;
}

static void split(struct table *t)
{
    struct card *stack[4] = {NULL, NULL, NULL, NULL};
    t->stacks *= 2;
    for (int i = 0; i < t->stacks / 2; i++) {
        struct card *c = t->stack[i];
        while (c != NULL) {
            int at = c->value % t->stacks;
            c->below = stack[at];
            stack[at] = c;
            c = c->below;
        }
    }
    for (int i = 0; i < t->stacks; i++)
        t->stack[i] = stack[i];
}

int main(void)
{
    struct table t = {{NULL}, 2};
    lay(&t, 1);
    lay(&t, 3);
    lay(&t, 5);
    split(&t);
    for (int i = 0; i < t.stacks; i++)
        for (struct card *c = t.stack[i]; c != NULL; c = c->below)
            printf("%d.%d ", i, c->value);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_second_repair_may_keep_a_value_however_far_the_first_one_went(play: Callable[..., Any]) -> None:
    """What was accepted counts for itself."""
    session = play(DEAL, work=3_000_000)
    session("break lay\nrun\ncontinue\nfinish\nchange n2->below n1\nspec\nrepair --no-question")
    [first] = session.last(results.Repaired).edits
    assert first.after == "c->below = t->stack[at]"
    session("delete\nbreak split\ncontinue\nfinish\nchange t.stack[1] n1\nchange n1->below n3")
    session("change n3->below null\nchange t.stack[3] n2\nchange n2->below null\nspec\nrepair --no-question")
    assert [edit.after for edit in session.last(results.Repaired).edits][-2:] == [
        "struct card *saved = c->below;",
        "c = saved",
    ]
    session("continue")
    assert session.output() == "1.1 1.5 3.3 "
