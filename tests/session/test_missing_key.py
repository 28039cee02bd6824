"""What a function looks for is missing: its loop ends then, and nothing is done behind it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played
from thorough import every_other

from wolverine.session import results

DELETING = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { char key[4]; struct node *next; };
static struct node *head;
static void push(const char *key)
{
    struct node *fresh = malloc(sizeof *fresh);
    strcpy(fresh->key, key);
    fresh->next = head;
    head = fresh;
}
static int drop(const char *key)
{
    struct node *prev = NULL, *at = head;
    if (head == NULL)
        return 0;
    while (strcmp(at->key, key) != 0) {
        prev = at;
        at = at->next;
    }
    if (prev == NULL)
        head = at->next;
    else
        prev->next = at->next;
    return 1;
}
int main(void)
{
    char key[4];
    int op, done = 0;
    while (scanf("%d %3s", &op, key) == 2) {
        if (op == 1)
            push(key);
        else
            done += drop(key);
    }
    printf("%d:", done);
    while (head != NULL) {
        struct node *gone = head;
        printf(" %s", head->key);
        head = head->next;
        free(gone);
    }
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize("key", every_other(["strcmp(at->key, key) != 0", "at->key[0] != key[0]"]))
def test_the_function_returns_and_what_leaks_is_freed_later(
    key: str, play: Callable[..., Played], tmp_path: Path
) -> None:
    given, source = tmp_path / "input", DELETING.replace("strcmp(at->key, key) != 0", key)
    given.write_text("1 a 1 b 2 c 2 a 1 d")
    session = play(source, stdin=given)
    session("run\nrepair --no-question")
    assert session.last(results.Repaired).cost == 2
    assert "+    if (at == NULL)" in session.last(results.Repaired).patch
    session(f"continue\nrepair --no-question\nrewrite {tmp_path / 'out.c'}")
    binary = tmp_path / "repaired"
    subprocess.run(
        ["gcc", "-w", "-fsanitize=address", str(tmp_path / "out.c"), "-o", str(binary)], check=True
    )
    ran = subprocess.run(
        [str(binary)], input="1 a 1 b 1 c 2 x 2 b 2 c 2 c 2 a 2 a", capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "3:", "")
