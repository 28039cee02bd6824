"""A special case that is missing: the repair is a statement under a test, applied to the running process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wolverine.session import results

APPEND = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct node { int val; struct node *next; } node;
void append(node **head, int v) {
    node *n = malloc(sizeof(node));
    n->val = v;
    n->next = NULL;
    node *cur = *head;
    while (cur->next != NULL)
        cur = cur->next;
    cur->next = n;
}
int main(void) {
    node *list = NULL;
    for (int i = 0; i < 4; i++) append(&list, i * i);
    for (node *p = list; p != NULL; p = p->next) printf("%d ", p->val);
    return 0;
}
"""

SEATS = """\
#include <stdio.h>
#include <stdlib.h>
struct table { int no, guests; struct table *next; };
static struct table *tables;
static int last;
static void clear(struct table **at)
{
    struct table *gone = *at;
    *at = gone->next;
    free(gone);
}
static void come(int no, int guests)
{
    struct table *t = malloc(sizeof *t);
    t->no = no;
    t->guests = guests;
    t->next = tables;
    tables = t;
}
static void go(int no)
{
    for (struct table **at = &tables; *at; at = &(*at)->next)
        if ((*at)->no == no) {
            (*at)->guests--;
            break;
        }
    last = no;
}
int main(void)
{
    come(1, 2);
    come(2, 1);
    for (int no = 1; no < 3; no++)
        go(no);
    for (struct table *t = tables; t; t = t->next)
        printf("%d ", t->no);
    return 0;
}
"""

LAST = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int value; struct cell *next; };
int last(struct cell *list)
{
    while (list->next != NULL)
        list = list->next;
    return list->value;
}
int main(void)
{
    struct cell one = {7, NULL};
    printf("%d %d\\n", last(&one), last(NULL));
    return 0;
}
"""


def output_of(text: bytes, folder: Path) -> str:
    binary = folder / "repaired"
    subprocess.run(["gcc", "-w", "-x", "c", "-", "-o", str(binary)], input=text, check=True)
    return subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout


def test_a_crash_on_the_empty_list_is_repaired_by_a_special_case(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(APPEND)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    assert session.places()["main::list"] == "n1"
    assert session.line() == 12  # the patched process left append through the inserted statement
    session("next")
    assert (
        session.line() == 16
    )  # the rest of the loop stands on one line: append stepped over what was inserted
    session("continue")
    assert session.output() == "0 1 4 9 "
    text = (tmp_path / "out.c").read_bytes()
    assert output_of(text, tmp_path) == "0 1 4 9 "


def test_a_value_is_returned_early(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(LAST)
    session(f"run\nrepair --no-question\nrewrite {tmp_path / 'out.c'}\nnext")
    assert session.output().startswith("7 ")
    assert output_of((tmp_path / "out.c").read_bytes(), tmp_path).startswith("7 ")


def test_who_goes_last_is_followed_by_a_call(play: Callable[..., Any], tmp_path: Path) -> None:
    session = play(SEATS)
    behind = SEATS.splitlines().index("    last = no;") + 1
    session(f"break main\nrun\nnext 2\nspec\nbreak {behind}\ncontinue\nspec\ncontinue")
    session("change tables n1\nchange n2 freed\nspec")
    session(f"repair --no-question\nrewrite {tmp_path / 'out.c'}\ncontinue")
    assert session.last(results.Repaired).applied == "native"
    assert session.output() == "1 "
    text = (tmp_path / "out.c").read_bytes()
    assert b"if ((*at)->guests == 0)" in text
    assert b"clear(at);" in text
    assert output_of(text, tmp_path) == "1 "
