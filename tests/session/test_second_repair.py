"""Two bugs that show one after the other: the second repair keeps what the first one changed."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from lists_in_c import ROTATED
from sanitized import printed, sanitized

from wolverine.core.trace import Decision
from wolverine.semantics.replay import replay
from wolverine.session import results
from wolverine.session.constraints import trace_of

ROTATE = f"""\
#include <stdio.h>
#include <stdlib.h>
{ROTATED}int main(void) {{
    push_back(1);
    push_back(2);
    push_back(3);
    rotate();
    rotate();
    for (struct node *p = head; p; p = p->next) printf("%d ", p->data);
    return 0;
}}
"""


def test_the_second_repair_keeps_the_first(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(ROTATE)
    session("break main\nrun\nspec\nnext\nspec\nnext\nchange n1->next n2\nspec\nrepair --no-question")
    session("next\nspec\nnext\nchange tail n1\nspec\nrepair --no-question")
    second = session.last(results.Repaired)
    assert second.cost == 1
    assert second.edits[0].line > ROTATE.splitlines().index("void rotate(void) {")
    session("candidates")
    listed = re.findall(r"^.*\(behaviour.*$", session.texts(), re.MULTILINE)
    assert listed
    [kept] = re.findall(r"each of them with (.*)", session.texts())
    assert "tail->next = n" in kept and not any("tail->next = n" in line for line in listed)
    session(f"rewrite {tmp_path / 'out.c'}")
    binary = tmp_path / "repaired"
    subprocess.run(["gcc", "-w", str(tmp_path / "out.c"), "-o", str(binary)], check=True)
    assert subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout == "3 1 2 "


DEQUE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *left, *right; };
struct deque { struct node *front, *rear; };
static void push(struct deque *d, int data)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    fresh->right = NULL;
    if (d->rear == NULL) {
        d->front = fresh;
        fresh->left == NULL;
    } else {
        d->rear->right = fresh;
        fresh->left = d->rear;
    }
    d->rear = fresh;
}
static int pop(struct deque *d)
{
    struct node *old = d->front;
    int data;
    if (d->front == NULL)
        return 0;
    data = old->data;
    if (old->right == NULL) {
        d->front == NULL;
        d->rear = NULL;
    } else {
        d->front = old->right;
        d->front->left = NULL;
    }
    free(old);
    return data;
}
int main(void)
{
    struct deque d = { NULL, NULL };
    push(&d, 1);
    push(&d, 2);
    pop(&d);
    pop(&d);
    push(&d, 3);
    printf("%d", pop(&d));
    return 0;
}
"""


@pytest.mark.thorough
def test_the_second_repair_is_sought_beside_the_first_where_that_is_likelier(
    play: Callable[..., Any],
) -> None:
    session = play(DEQUE)
    session("break push\nrun\nfinish\nchange n1->left null\nrepair --no-question")
    assert "fresh->left = NULL;" in session.last(results.Repaired).patch
    session("delete\nbreak pop\ncontinue\ncontinue\nfinish\nchange d.front null\nrepair --no-question")
    second = session.last(results.Repaired).patch
    assert "+        d->front = NULL;" in second


SHIFTS = """\
#include <stdlib.h>
struct shift { int left; struct shift *next; };
static struct shift *first, *last;
static void enter(int left)
{
    struct shift *s = malloc(sizeof *s);
    s->left = left;
    s->next = NULL;
    if (first == NULL)
        first = s;
    else
        last->next = last;
    last = s;
}
static void again(void)
{
    struct shift *s = first;
    first = s->next;
    s->left--;
    s->next = NULL;
    last = s;
    last->next = s;
}
int main(void)
{
    enter(3);
    enter(2);
    again();
    return first->left;
}
"""


def test_a_statement_is_set_elsewhere_beside_the_first_repair(play: Callable[..., Any]) -> None:
    session = play(SHIFTS)
    session("break enter\nrun\ncontinue\nfinish\nchange n1->next n2\nrepair --no-question")
    assert "last->next = s" in session.last(results.Repaired).edits[0].after
    session("delete\nbreak again\ncontinue\nfinish\nchange n2->next n1\nchange n1->next null")
    session("repair --no-question")
    second = session.last(results.Repaired)
    assert {each.kind for each in second.edits} == {"delete", "insert"}
    assert {each.after for each in second.edits} & {"last = s;", "last->next = s;"}


READ = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *head;
static void push(int key)
{
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->next = head;
}
int main(void)
{
    unsigned sum = 0;
    int key;
    while ((key = getchar()) != EOF) {
        sum = 31 * sum + key;
        if (sum % 2)
            push(key);
    }
    return 0;
}
"""


@pytest.mark.thorough
def test_what_is_read_behind_a_repair_follows_what_was_read_before(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "in.txt"
    given.write_text("abcdefghij")
    session = play(READ, stdin=given)
    session("break main\nrun\nbreak push\ncontinue\ncontinue\nfinish\nchange n2->next n1; change head n2")
    session("spec\nrepair --no-question\ncontinue\nfinish\nspec\nrepair --no-question")
    second = session.last(results.Repaired)
    assert second.cost == 0


SLOTS = """\
#include <stdlib.h>
struct node { int key; };
static struct node *slots[3];
static int count, sum;
static void push(int key)
{
    slots[count] = malloc(sizeof(struct node));
    slots[count++]->key = key;
}
static void add_up(void)
{
    for (int i = 0; i <= count; i++)
        sum += slots[i]->key;
}
int main(void)
{
    push(1);
    push(2);
    add_up();
    return 0;
}
"""


def test_how_a_loop_went_into_a_crash_does_not_bind_behind_its_repair(play: Callable[..., Any]) -> None:
    session = play(SLOTS)
    session("break main\nrun\nspec\ncontinue\nrepair --no-question")
    assert session.last(results.Repaired).cost == 1
    session("finish\nspec")
    execution = session.session.execution
    trace = trace_of(execution.model, execution.path, execution.start, frozenset())
    assert not any(isinstance(event, Decision) for event in trace.events)


def test_nor_where_it_is_stepped_through_later(play: Callable[..., Any]) -> None:
    """Part of its decisions would leave a straight line that not even the repair goes along."""
    session = play(SLOTS.replace("    add_up();\n    return", "    add_up();\n    add_up();\n    return"))
    session("break main\nrun\nspec\ncontinue\nrepair --no-question\ntbreak add_up\ncontinue\nnext 3\nspec")
    execution = session.session.execution
    trace = trace_of(execution.model, execution.path, execution.start, frozenset())
    accepted = execution.path[-1].applied.patch
    assert accepted.edits
    assert replay(execution.model, accepted, trace).met


SHELF = """\
#include <stdio.h>
#include <stdlib.h>
struct box { int size; struct box *left, *right; };
static struct box *pack(struct box *one, struct box *other)
{
    struct box *b = calloc(1, sizeof *b);
    b->left = one;
    b->right = other;
    b->size = one->size - other->size;
    return b;
}
static struct box *box(int size)
{
    struct box *b = calloc(1, sizeof *b);
    b->size = size;
    return b;
}
static int unpack(struct box *b)
{
    int size;
    if (b == NULL)
        return 0;
    size = b->size;
    unpack(b->left);
    free(b);
    return size;
}
int main(void)
{
    struct box *all = pack(box(1), box(2));
    printf("%d", unpack(all));
    return 0;
}
"""


def test_what_main_has_lost_is_repaired_where_all_that_was_said_is(play: Callable[..., Any]) -> None:
    session = play(SHELF)
    session("break pack\nrun\nnext 4\nchange b->size 3\nrepair --no-question")
    assert "+    b->size = one->size + other->size;" in session.last(results.Repaired).patch
    line = SHELF.splitlines().index("    return 0;") + 1
    session(f"delete\nbreak {line}\ncontinue\nrepair --no-question")
    assert "lost here, and nothing is asserted" in session.texts()
    second = session.last(results.Repaired)
    assert second.edits[0].after == "unpack(b->right);"
    assert "+    b->size = one->size + other->size;" in second.patch


QUEUED = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int key; struct job *next; };
static struct job *jobs;
static int count;
static void add(int key)
{
    struct job *j = malloc(sizeof *j);
    j->key = key;
    j->next = NULL;
    jobs = j;
    count++;
}
static struct job *find(int key)
{
    struct job *j = jobs;
    while (j && j->key != key)
        j = j->next;
    return j;
}
static void rename_to(struct job *j, int key)
{
    j->key = key;
}
static void renumber(int from, int to)
{
    struct job *j = find(from);
    rename_to(j, to);
}
int main(void)
{
    add(1);
    add(2);
    renumber(3, 4);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_crash_behind_a_repair_may_come_of_what_a_caller_passes(play: Callable[..., Any]) -> None:
    session = play(QUEUED)
    session("break add\nrun\ncontinue\nfinish\nchange n2->next n1\nrepair --no-question")
    assert "+    j->next = jobs;" in session.last(results.Repaired).patch
    session("delete\ncontinue\nrepair --no-question")
    assert "rename_to was given null: the execution under repair begins in renumber" in session.texts()


COUNTED = """\
#include <stdlib.h>
struct mark { int points; struct mark *next; };
static struct mark *first;
static int count;
static void enter(int points)
{
    struct mark *m = malloc(sizeof *m);
    m->points = points;
    m->next = first;
    first = m;
    count++;
}
static void turn(void)
{
    struct mark *done = NULL, *rest = first;
    while (rest != NULL) {
        struct mark *m = rest;
        rest = rest->next;
        m->next = done;
        done = m;
    }
}
static int weed(int least)
{
    struct mark *m = first, *before = NULL;
    int gone = 0;
    while (m != NULL) {
        struct mark *next = m->next;
        if (m->points < least) {
            if (before == NULL)
                first = next;
            else
                before->next = next;
            free(m);
            gone++;
        } else
            before = m;
        m = next;
    }
    return gone;
}
int main(int argc, char **argv)
{
    int gone;
    for (int i = 1; i < argc; i++)
        enter(atoi(argv[i]));
    turn();
    gone = weed(5);
    return 10 * count + gone;
}
"""


@pytest.mark.thorough
def test_what_a_function_is_given_is_told_by_the_program_with_the_first_repair(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    """So that the number beside the list is known to count it, whatever is weeded out."""
    session = play(COUNTED, arguments=["7", "3", "9"])
    session("break turn; run; finish; change first n1; repair --no-question")
    (edit,) = session.last(results.Repaired).edits
    assert edit.after == "first = done;"  # once, though `first = rest;` in each round comes to the same
    leaving = COUNTED.splitlines().index("    return gone;") + 1
    session(f"break {leaving}; continue; change count 2; repair --no-question; rewrite {tmp_path / 'out.c'}")
    mended = sanitized(tmp_path / "out.c")
    for arguments in ("7 3 9", "3 4", "4 9 1", "9 8"):
        numbers = [int(each) for each in arguments.split()]
        weeded = sum(each < 5 for each in numbers)
        status, _ = printed(mended, arguments)
        assert status == 10 * (len(numbers) - weeded) + weeded, arguments


RECURSIVE = """\
#include <stdlib.h>
struct load { int weight; struct load *behind; };
static int heaviest(const struct load *l)
{
    int rest = heaviest(l->behind);
    return l->weight > rest ? l->weight : rest;
}
static int trips(int weight)
{
    if (weight == 0)
        return 0;
    return 1 + trips(weight - 3);
}
int main(void)
{
    struct load *loads = NULL;
    int needed;
    for (int i = 1; i < 4; i++) {
        struct load *l = malloc(sizeof *l);
        l->weight = 2 * i + 1;
        l->behind = loads;
        loads = l;
    }
    needed = heaviest(loads);
    return 10 * needed + trips(needed);
}
"""


@pytest.mark.thorough
def test_a_second_recursion_without_end_leaves_the_first_function_alone(play: Callable[..., Any]) -> None:
    """It begins in `main`, before the first repair was made: from there it is that of the repaired one."""
    session = play(RECURSIVE, work=None)
    session("run; repair --no-question; continue; repair --no-question; continue")
    assert "<= 0" in session.last(results.Repaired).edits[0].after
    assert len(session.last(results.Repaired).edits) == 1
    assert session.last(results.Exited).code == 73


SPLIT = """\
#include <stdlib.h>
struct span { int from, to; struct span *next; };
static struct span *all;
static struct span *span(int from, int to) {
    struct span *s = calloc(1, sizeof *s);
    s->from = from;
    s->to = to;
    return s;
}
static void add(int from, int to) {
    struct span *s = span(from, to);
    all = s;
}
static void take(int one) {
    struct span *s = all, *rest;
    while (s != NULL && (one < s->from || one > s->to))
        s = s->next;
    if (s == NULL)
        return;
    s->to = one - 1;
    rest = span(one + 1, s->to);
    rest->next = s->next;
    s->next = rest;
}
int main(void) {
    add(5, 9);
    add(1, 3);
    take(7);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_takes_too_long_from_the_first_repair_on_begins_behind_it(play: Callable[..., Any]) -> None:
    """The first repair stays, and nothing of what it was found for is explained once more."""
    session = play(SPLIT, work=300_000)
    session("break add if from == 1; run; finish; change n2->next n1; spec; repair --no-question")
    assert "+    s->next = all;" in session.last(results.Repaired).patch
    session("tbreak 24; continue; change n3->to 9; spec; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    s->next = all;" in patch and "+    rest = span(one + 1, s->to);" in patch
    assert any("begins in take" in note for note in session.texts().splitlines())


_SHOWN = """\
static void show(void) {
    for (struct span *s = all; s != NULL; s = s->next)
        printf("%d..%d ", s->from, s->to);
    printf("\\n");
}
"""


@pytest.mark.thorough
def test_what_a_call_was_given_is_repaired_in_the_nearest_caller(play: Callable[..., Any]) -> None:
    """The call in which the picture is wrong only looks, and the search from the first repair takes long."""
    shown = _SHOWN + "static void split(int one) {\n    take(one);\n    show();\n}\nint main(void) {"
    source = "#include <stdio.h>\n" + SPLIT.replace("int main(void) {", shown).replace(
        "    take(7)", "    split(7)"
    )
    session = play(source, work=300_000)
    session("break add if from == 1; run; finish; change n2->next n1; spec; repair --no-question")
    session("delete; tbreak show; continue; change n3->to 9; spec; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    s->next = all;" in patch and "+    rest = span(one + 1, s->to);" in patch
    assert any("begins in split" in note for note in session.texts().splitlines())


def test_what_a_call_was_given_is_no_repair_of_it(play: Callable[..., Any]) -> None:
    """What is found from its caller on, by a statement that moves, is none: the search takes long besides."""
    shown = _SHOWN + "int main(void) {"
    source = "#include <stdio.h>\n" + SPLIT.replace("int main(void) {", shown).replace(
        "take(7);", "take(7);\n    show();"
    )
    session = play(source, work=300_000)
    session("break add if from == 1; run; finish; change n2->next n1; spec; repair --no-question")
    session("delete; tbreak show; continue; change n3->to 9; spec; repair --no-question")
    patch = session.last(results.Repaired).patch
    assert "+    rest = span(one + 1, s->to);\n     s->to = one - 1;\n-    rest" in patch
    assert not any("begins in show" in note for note in session.texts().splitlines())
