"""Loops without an end: `repair` goes back to where they go round, and the program ends."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

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


@pytest.mark.parametrize("told", BODIES)
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
