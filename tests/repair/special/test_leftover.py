"""What a program leaves in the end under a repair, and which repairs ruin it."""

from __future__ import annotations

from pathlib import Path

from playing import Play, program_of

from wolverine.core.expressions import Constant
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Branch, Program
from wolverine.core.types import INT
from wolverine.repair.special.leftover import Leftover, Whole


def whole_at(program: Program, line: int) -> Whole:
    """What comes of executions of `main` whose trace ends at the line."""
    play = Play(program)
    play.open()
    play.to(line)
    return Whole(program, play.trace())


MAKING = """\
#include <stdlib.h>
struct node { struct node *next; };
int main(void)
{
    struct node *all = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = all;
        all = n;
    }
    return 0;
}
"""


def test_to_make_nothing_any_more_ruins_a_program(tmp_path: Path) -> None:
    """Nothing is left then; that is so as well where it never comes to its end."""
    program = program_of(MAKING, tmp_path)
    whole = whole_at(program, 11)
    [condition] = [s.location for s in program.functions["main"].code if isinstance(s, Branch)]
    never, always = (Patch((Edit(condition, NewValue(Constant(value, INT))),)) for value in (0, 1))
    assert whole.before is not None
    assert (whole.before.made, whole.before.fails) == (3, False)
    assert not whole.ruined(Patch(()))
    assert whole.ruined(never)
    assert whole.ruined(always)


OWNING = """\
#include <stdlib.h>
struct value { int owns; union { char *text; int number; } is; struct value *next; };
int main(void)
{
    struct value *all = NULL;
    for (int i = 0; i < 2; i++) {
        struct value *v = malloc(sizeof *v);
        v->owns = i;
        if (i != 0)
            v->is.text = malloc(8);
        else
            v->is.number = i;
        v->next = all;
        all = v;
    }
    while (all != NULL) {
        struct value *next = all->next;
        if (all->owns)
            free(all->is.text);
        free(all);
        all = next;
    }
    return 0;
}
"""


def test_to_free_what_holds_another_member_fails(tmp_path: Path) -> None:
    """A number is no pointer to what was allocated: the process would crash there."""
    program = program_of(OWNING, tmp_path)
    whole = whole_at(program, 20)
    asked = [step.location for step in program.functions["main"].code if isinstance(step, Branch)]
    [owns] = [each for each in asked if program.location(each).text == "all->owns"]
    always = whole.left(Patch((Edit(owns, NewValue(Constant(1, INT))),)))
    assert whole.before is not None and not whole.before.fails
    assert always is not None and always.fails


def test_to_make_fewer_nodes_or_none_is_no_way_to_leave_fewer() -> None:
    before = Leftover(live=3, made=5)
    assert Leftover(live=1, made=5).leaks_less(before)
    assert not Leftover(live=1, made=3).leaks_less(before)
    assert not Leftover(live=3, made=5).leaks_less(before)
    assert not Leftover(fails=True, made=5).leaks_less(before)


SECOND_FAULT = """\
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *new(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = next;
    return n;
}
static struct node *joined(struct node *a, struct node *b)
{
    struct node *end = a;
    while (end->next != NULL)
        end = end->next;
    if (b == NULL)
        end->next = b;
    return a;
}
static void once(struct node *n)
{
    while (n->next != NULL) {
        struct node *after = n->next;
        if (after->key == n->key) {
            free(after);
            n->next = after->next;
        } else
            n = after;
    }
}
int main(void)
{
    struct node *all = joined(new(1, NULL), new(1, NULL));
    once(all);
    while (all != NULL) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
"""


def test_who_repairs_the_first_of_two_faults_comes_across_the_other(tmp_path: Path) -> None:
    """What was lost gets to a function that uses what it has freed: no reason to lose it."""
    program = program_of(SECOND_FAULT, tmp_path)
    whole = whole_at(program, 33)

    def asking(text: str, value: int) -> Edit:
        [found] = [each.id for each in program.locations if each.text == text]
        return Edit(found, NewValue(Constant(value, INT)))

    assert whole.before is not None
    assert (whole.before.lost, whole.before.fails, whole.before.across) == (1, False, False)
    linked = whole.left(Patch((asking("b == NULL", 1),)))
    assert linked is not None
    assert (linked.lost, linked.live, linked.fails, linked.across) == (0, 0, False, True)
    both = Patch((asking("b == NULL", 1), asking("after->key == n->key", 1)))
    reading = whole.left(both)
    assert reading is not None and reading.fails, "it is in the function that is repaired"
