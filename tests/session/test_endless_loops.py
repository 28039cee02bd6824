"""Loops without an end: `repair` goes back to where they go round, and the program ends."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from thorough import every_other

from wolverine.debugger import waiting
from wolverine.session import results

LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
static int count(struct node *list)
{{
    int found = 0;
    while (list != NULL) {{
        {body}
    }}
    return found;
}}
int main(void)
{{
    struct node *list = NULL;
    int data;
    while (scanf("%d", &data) == 1) {{
        struct node *n = malloc(sizeof(struct node));
        n->data = data;
        n->next = list;
        list = n;
    }}
    printf("%d", count(list));
    return 0;
}}
"""
BODIES = {
    "it is in the same state again": ("found = list->data;", "4"),
    "no pointer changes": ("found += list->data;", "22"),
}  # with what the right program prints for 4 5 6 7


@pytest.mark.parametrize("told", every_other(BODIES))
def test_a_loop_without_an_end_is_repaired(told: str, play: Callable[..., Played], tmp_path: Path) -> None:
    body, printed = BODIES[told]
    numbers = tmp_path / "numbers"
    numbers.write_text("3 1 2\n")
    session = play(LIST.format(body=body), stdin=numbers, json=False)
    session(f"set step-budget 0.4; run; repair --no-question; rewrite {tmp_path / 'out.c'}; continue")
    assert "+        list = list->next;" in session.last(results.Repaired).patch
    assert told in session.texts()
    assert session.last(results.Exited).code == 0
    subprocess.run(["gcc", "-w", "-o", tmp_path / "out", tmp_path / "out.c"], check=True)
    ran = subprocess.run([tmp_path / "out"], input="4 5 6 7", capture_output=True, text=True, timeout=5)
    assert ran.stdout == printed


LAST = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
static void put(struct node *list, struct node *one)
{
    struct node *at = list;
    while (at->next != NULL && at->next->data < one->data) {
    }
    one->next = at->next;
    at->next = one;
}
int main(void)
{
    struct node three = {3, NULL}, two = {2, NULL}, one = {1, &two};
    put(&one, &three);
    return three.next != NULL || two.next != &three;
}
"""


@pytest.mark.thorough
def test_a_loop_without_a_body_gets_one(play: Callable[..., Played]) -> None:
    session = play(LAST)
    session("set step-budget 0.3; run; repair --no-question; continue")
    assert "+        at = at->next;" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 0


@pytest.mark.thorough
def test_a_step_to_itself_for_which_there_is_no_code_goes_on(play: Callable[..., Played]) -> None:
    loop = "while (at->next != NULL && at->next->data < one->data) {\n    }"
    assert loop in LAST
    session = play(LAST.replace(loop, "for (; at->next != NULL && at->next->data < one->data; at = at);"))
    session("set step-budget 0.3; run; repair --no-question; continue")
    assert "one->data; at = at->next);" in session.last(results.Repaired).patch
    assert session.last(results.Exited).code == 0


COPY = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *copy(const struct node *from)
{
    struct node *head = NULL, **end = &head;
    const struct node *p = from;
    while (p != NULL) {
        *end = malloc(sizeof **end);
        (*end)->data = p->data;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return head;
}
static void print(const struct node *p)
{
    for (; p != NULL; p = p->next)
        printf("%d ", p->data);
}
int main(void)
{
    struct node *list = NULL;
    int data;
    while (scanf("%d", &data) == 1) {
        struct node *n = malloc(sizeof *n);
        n->data = data;
        n->next = list;
        list = n;
    }
    struct node *other = copy(list);
    print(list);
    print(other);
    return 0;
}
"""
TABLE = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *build(const int *numbers, int count)
{
    struct node *list = NULL;
    for (int i = 0; i < count; i--) {
        struct node *n = malloc(sizeof *n);
        n->data = numbers[i];
        n->next = list;
        list = n;
    }
    return list;
}
int main(void)
{
    int numbers[8], count = 0;
    while (count < 8 && scanf("%d", &numbers[count]) == 1)
        count++;
    for (struct node *p = build(numbers, count); p != NULL; p = p->next)
        printf("%d ", p->data);
    return 0;
}
"""
ALLOCATING = {
    "the loop goes round and round": (COPY, "p = p->next;", "7 6 5 4 7 6 5 4 "),
    "offset -4 lies outside main::numbers, which has 32 bytes": (TABLE, "i++) {", "7 6 5 4 "),
}  # what is told, the repair, and what the right program prints


@pytest.mark.thorough
@pytest.mark.parametrize("told", every_other(ALLOCATING))
def test_allocation_without_an_end_is_repaired(
    told: str, play: Callable[..., Played], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, repair, printed = ALLOCATING[told]
    monkeypatch.setattr(waiting, "_MOST_BLOCKS", 300)
    monkeypatch.setattr(waiting, "_LOOKED_AFTER", 60.0)  # the process says it by itself
    numbers = tmp_path / "numbers"
    numbers.write_text("3 1 2\n")
    session = play(text, stdin=numbers, json=False)
    session(f"run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert repair in session.last(results.Repaired).patch
    assert told in session.texts()
    subprocess.run(["gcc", "-w", "-o", tmp_path / "out", tmp_path / "out.c"], check=True)
    ran = subprocess.run([tmp_path / "out"], input="4 5 6 7", capture_output=True, text=True, timeout=5)
    assert ran.stdout == printed


RING = """\
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *odd_first(struct node *list)
{
    struct node odd = {0, NULL}, even = {0, NULL}, *o = &odd, *e = &even;
    for (; list != NULL; list = list->next) {
        if (list->data % 2 != 0)
            o = o->next = list;
        else
            e = e->next = list;
    }
    o->next = even.next;
    return odd.next;
}
static int length(struct node *list)
{
    int found = 0;
    for (; list != NULL; list = list->next)
        found++;
    return found;
}
int main(void)
{
    struct node *list = NULL;
    int data;
    while (scanf("%d", &data) == 1) {
        struct node *n = malloc(sizeof *n);
        n->data = data;
        n->next = list;
        list = n;
    }
    list = odd_first(list);
    printf("%d:", length(list));
    for (; list != NULL; list = list->next)
        printf(" %d", list->data);
    return 0;
}
"""


@pytest.mark.thorough
def test_a_ring_is_repaired_where_it_was_made(play: Callable[..., Played], tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    numbers.write_text("1 4 2 3\n")
    session = play(RING, stdin=numbers, json=False)
    session(f"set step-budget 0.4; run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert "what length goes through is as it was when length began" in session.texts()
    subprocess.run(["gcc", "-w", "-o", tmp_path / "out", tmp_path / "out.c"], check=True)
    ran = subprocess.run([tmp_path / "out"], input="4 5 6 7", capture_output=True, text=True, timeout=5)
    assert ran.stdout == "4: 7 5 6 4"
