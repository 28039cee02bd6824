"""Decisions forced at conditions that call a function behind a test: `*at && strcmp((*at)->name, n) > 0`."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

NAMES = """\
#include <stdlib.h>
#include <string.h>
struct file { char name[8]; struct file *next; };
static struct file *files;
static void add(struct file *f)
{
    struct file **at = &files;
    while (*at && strcmp((*at)->name, f->name) > 0)
        at = &(*at)->next;
    f->next = *at;
    *at = f;
}
int main(void)
{
    const char *names[] = { "b", "a", "c" };
    for (int i = 0; i < 3; i++) {
        struct file *f = calloc(1, sizeof *f);
        strcpy(f->name, names[i]);
        add(f);
    }
    return strcmp(files->name, "a") != 0 || strcmp(files->next->name, "b") != 0;
}
"""


def test_a_decision_behind_a_call_is_modelled(play: Callable[..., Played]) -> None:
    session = play(NAMES)
    session("break add; run; continue; next; leave; next; next")
    assert "not follow" not in session.texts()
    session("continue; next; enter; next; enter; next; next; next; next; spec; repair --no-question")
    assert session.last(results.Repaired).edits[0].after == "strcmp((*at)->name, f->name) < 0"
    session("delete; continue")
    assert session.last(results.Exited).code == 0
