"""Assertions of the program that fail: they say what is right, and what was built wrongly is repaired."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

QUEUE = """\
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct list { struct node *first, *last; };
static void append(struct list *list, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = NULL;
    if (list->first == NULL)
        list->first = n;
    else
        list->last->next = n;
    if (list->last == NULL)
        list->last = n;
}
static void check(struct list *list)
{
    struct node *p = list->first;
    while (p->next != NULL)
        p = p->next;
    assert(p == list->last);
}
int main(int argc, char **argv)
{
    struct list list = { NULL, NULL };
    for (int i = 1; i < argc; i++) {
        append(&list, atoi(argv[i]));
        check(&list);
    }
    for (const struct node *p = list.first; p != NULL; p = p->next)
        printf("%d ", p->data);
    return 0;
}
"""
STACK = """\
#include <assert.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
static struct node *push(struct node *list, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = NULL;
    return n;
}
static int length(const struct node *p)
{
    int n = 0;
    for (; p != NULL; p = p->next)
        n++;
    return n;
}
int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++)
        list = push(list, i);
    assert(length(list) == 3);
    return 0;
}
"""
BEGINS = "an assertion failed in check, which changes nothing: the execution under repair begins in main"


def _ran(source: Path, *arguments: str) -> tuple[int, str]:
    binary = source.with_suffix("")
    subprocess.run(["gcc", "-w", "-o", str(binary), str(source)], check=True)
    ran = subprocess.run([str(binary), *arguments], capture_output=True, text=True, check=False, timeout=5)
    return ran.returncode, ran.stdout


@pytest.mark.thorough
def test_what_a_checking_function_finds_wrong_is_repaired_where_it_was_built(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(QUEUE, arguments=("3", "1", "2"), json=False)
    session(f"run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert BEGINS in session.texts()
    assert "    list->last = n;" in session.last(results.Repaired).patch
    assert _ran(tmp_path / "out.c", "5", "4", "7", "6") == (0, "5 4 7 6 ")
    assert all(6 <= edit.line <= 17 for edit in session.last(results.Repaired).edits)


@pytest.mark.thorough
def test_an_assertion_behind_what_builds_is_met(play: Callable[..., Played], tmp_path: Path) -> None:
    session = play(STACK, json=False)
    session(f"run; repair --no-question; rewrite {tmp_path / 'out.c'}")
    assert session.last(results.Signalled).signal == "SIGABRT"
    assert "+    n->next = list;" in session.last(results.Repaired).patch
    assert _ran(tmp_path / "out.c") == (0, "")


@pytest.mark.parametrize("told", ["", 'fprintf(stderr, "wrong\\n"); '])
def test_a_program_that_aborts_says_what_is_right_as_well(play: Callable[..., Played], told: str) -> None:
    checked = f"if (length(list) != 3) {{ {told}abort(); }}"
    source = STACK.replace("assert(length(list) == 3);", checked).replace("<assert.h>", "<stdio.h>")
    session = play(source, json=False)
    session("run; repair --no-question")
    assert session.last(results.Signalled).signal == "SIGABRT"
    assert "+    n->next = list;" in session.last(results.Repaired).patch


def test_the_checking_function_is_edited_where_it_is_named(play: Callable[..., Played]) -> None:
    session = play(QUEUE, arguments=("3", "1", "2"), json=False)
    session("run; repair --function check --no-question")
    lines = {edit.line for edit in session.last(results.Repaired).edits}
    assert lines <= set(range(18, 24))
