"""Only a crash is known: nothing on the way into it is vouched for, and its cause may lie before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

LIST = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *make(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = NULL;
    return n;
}
static void append(struct node **head, int data)
{
    struct node *n = make(data);
    if (*head == NULL) {
        *head = n;
        return;
    }
    struct node *last = *head;
    while (last->next != NULL)
        last = last->next;
    last->next = n;
}
int main(void)
{
    struct node *list = NULL;
    for (int i = 1; i < 4; i++)
        append(&list, i);
    return list->next->next->data;
}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "repaired", "begins"),
    [
        # A loop that went on into the crash may stop before it.
        ("while (last->next != NULL)", "while (last != NULL)", "+    while (last->next != NULL)", ""),
        # What memory held that nothing had set comes from the call before.
        ("    n->next = NULL;\n", "", "+    n->next = NULL;", "begins in main, further out"),
    ],
)
def test_the_cause_of_a_mere_crash_is_found(
    play: Callable[..., Played], right: str, wrong: str, repaired: str, begins: str
) -> None:
    session = play(LIST.replace(right, wrong), json=False)
    session("run; repair --no-question; continue")
    assert repaired in session.last(results.Repaired).patch
    assert begins in session.texts()
    known = "use of what nothing has set" if begins else "crash"
    assert f"only the {known} is known" in session.texts()
    assert session.last(results.Exited).code == 3


def test_what_was_decided_binds_where_a_state_is_asserted(play: Callable[..., Played]) -> None:
    session = play(LIST.replace("while (last->next != NULL)", "while (last != NULL)"), json=False)
    session("break append; run; continue; next 4; spec n; continue; repair --no-question")
    assert "while (last->next" not in session.last(results.Repaired).patch


@pytest.mark.thorough
def test_a_loop_that_went_round_with_what_nothing_had_set(play: Callable[..., Played]) -> None:
    """It crashes in a later round than the first, in which the pointer was what the stack held."""
    right = (Path(__file__).parents[2] / "samples" / "table2" / "b06_insert_sll.c").read_text()
    session = play(
        right.replace("    walk = first;\n", "    first = first;\n"),
        arguments=["2", "42", "3", "1", "2"],
        json=False,
    )
    session("run; repair --no-question")
    assert "+    walk = first;" in session.last(results.Repaired).patch


KEYS = """\
#include <stdlib.h>
#include <stdio.h>
struct key { char letter; int times; struct key *older; };
struct row { int users; struct row *outer; struct key *newest; };
static int rows = 0;
static struct row *begin(struct row *outer)
{
    struct row *r = malloc(sizeof *r);
    r->users = 1;
    r->outer = outer;
    r->newest = NULL;
    if (outer != NULL)
        outer->users++;
    rows++;
    return r;
}
static void leave(struct row *r)
{
    if (r == NULL || --r->users > 0)
        return;
    leave(r->outer);
    while (r->newest != NULL) {
        struct key *k = r->newest;
        r->newest = k->older;
        free(k);
    }
    free(r);
    rows--;
}
static void hit(struct row *r, char letter, int times)
{
    struct key *k = r->newest;
    while (k != NULL && k->letter != letter)
        k = k->letter;
    if (k == NULL) {
        k = malloc(sizeof *k);
        k->letter = letter;
        k->older = r->newest;
        r->newest = k;
    }
    k->times = times;
}
int main(int argc, char **argv)
{
    struct row *row = begin(NULL);
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '{')
            row = begin(row);
        else
            hit(row, argv[i][0], atoi(argv[i] + 2));
    leave(row);
    printf("%d\\n", rows);
    return 0;
}
"""


@pytest.mark.thorough
def test_what_is_of_another_type_than_its_target_is_the_fault(play: Callable[..., Played]) -> None:
    session = play(KEYS, arguments=("x=1", "y=2", "y=3"))
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (34, "k = k->older")


CALLS = """\
#include <stdio.h>
#include <stdlib.h>
struct level { int depth; struct level *outer; };
static struct level *inmost;
static void open_level(int depth)
{
    struct level *l = malloc(sizeof *l);
    l->depth = depth;
    l->outer = inmost;
    inmost = l;
}
static void close_level(void)
{
    struct level *l = inmost;
    inmost = l->outer;
    free(l);
}
static int wanted(int column)
{
    return column / 2;
}
static int shut(int column)
{
    if (inmost->depth == wanted(column) && inmost != NULL) {
        close_level();
        return 1;
    }
    return 0;
}
int main(void)
{
    open_level(1);
    printf("%d", shut(2));
    printf("%d\\n", shut(4));
    return 0;
}
"""


def test_what_a_condition_with_a_call_asks_too_late_is_asked_first(play: Callable[..., Played]) -> None:
    session = play(CALLS)
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.line, edit.after) == (24, "inmost != NULL && inmost->depth == wanted(column)")


FOLDERS = """\
#include <stdio.h>
#include <stdlib.h>
struct folder { int size; struct folder *parent, *inner, *beside; };
static struct folder *put(struct folder *parent, int size)
{
    struct folder *f = calloc(1, sizeof *f);
    f->size = size;
    f->parent = parent;
    if (parent != NULL) {
        f->beside = parent->inner;
        parent->inner = f;
    }
    return f;
}
static void take_out(struct folder *f)
{
    struct folder *before = f->parent->inner;

    while (before->beside != f)
        before = before->beside;
    before->beside = f->beside;
    f->parent = NULL;
}
static void drop(struct folder *f)
{
    while (f->inner != NULL) {
        struct folder *next = f->inner->beside;
        drop(f->inner);
        f->inner = next;
    }
    free(f);
}
int main(void)
{
    struct folder *all = put(NULL, 1), *one = put(all, 2), *two = put(all, 3);
    put(two, 4);
    take_out(one);
    put(all, 5);
    drop(one);
    one = all->inner;
    take_out(one);
    drop(one);
    drop(all);
    return 0;
}
"""


@pytest.mark.thorough
def test_the_first_child_is_taken_out_otherwise(play: Callable[..., Played]) -> None:
    session = play(FOLDERS)
    session("run\nrepair --no-question")
    written = " ".join(session.last(results.Repaired).patch.split())
    assert "if (before == f) + f->parent->inner = f->beside; + else" in written


WORDS = """\
#include <stdio.h>
#include <stdlib.h>
struct letter { struct letter *after[3]; int ends; };
static struct letter *letter(void)
{
    return calloc(1, sizeof(struct letter));
}
static void put(struct letter *l, const char *word)
{
    for (; *word; word++) {
        if (l->after[*word - 'a'] == NULL)
            l->after[*word - 'a'] = letter();
        l = l->after[*word - 'a'];
    }
    l->ends++;
}
static int times(struct letter *l, const char *word)
{
    while (*word) {
        l = l->after[*word - 'a'];
        word++;
    }
    return l->ends;
}
int main(void)
{
    struct letter *first = letter();
    put(first, "abba");
    put(first, "cab");
    printf("%d", times(first, "cab"));
    printf("%d\\n", times(first, "bac"));
    return 0;
}
"""


def test_what_came_back_before_a_crash_is_to_come_out_as_it_did(play: Callable[..., Played]) -> None:
    session = play(WORDS)
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "if (l == NULL) return 0;"
