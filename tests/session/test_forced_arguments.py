"""Decisions forced at conditions that call a function with another field of the node than the one meant."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

WORDS = """\
#include <stdio.h>
#include <stdlib.h>
struct entry { const char *word; const char *meaning; struct entry *less, *more; };
struct book { struct entry *first; int (*compare)(const char *, const char *); };
static int compare(const char *a, const char *b)
{
    while (*a != '\\0' && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}
static void add(struct book *book, const char *word, const char *meaning)
{
    struct entry *new = calloc(1, sizeof *new);
    struct entry **at = &book->first;
    new->word = word;
    new->meaning = meaning;
    while (*at != NULL) {
        if (book->compare(word, (*at)->meaning) < 0) {
            at = &(*at)->less;
        } else {
            at = &(*at)->more;
        }
    }
    *at = new;
}
static void show(struct entry *e)
{
    if (e) {
        show(e->less);
        printf("%s ", e->word);
        show(e->more);
    }
}
int main(void)
{
    struct book book = { NULL, compare };
    add(&book, "moon", "ashen");
    add(&book, "cloud", "white");
    add(&book, "cat", "tame");
    show(book.first);
    return 0;
}
"""


def test_what_a_forced_condition_hands_on_is_part_of_it(play: Callable[..., Played]) -> None:
    session = play(WORDS)
    session("tbreak 20; run; enter; advance 27; spec; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "(*at)->word"
    session("delete; continue")
    assert session.last(results.Exited).code == 0
    assert "cat cloud moon" in session.output()
