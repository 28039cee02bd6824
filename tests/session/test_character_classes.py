"""`isspace` and its like are macros that look into a table: functions of the character, and no pointers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

WORDS = """\
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
struct word { char text[8]; struct word *next; };
char kept[4];
int count;
int getch(void)
{
    return count > 0 ? kept[--count] : getchar();
}
void ungetch(int c)
{
    kept[count++] = c;
}
int getword(char *word)
{
    int c, n = 0;
    while (isspace(c = getch()) && c != '\\n')
        ;
    if (c != EOF)
        word[n++] = toupper(c);
    if (isalpha(c)) {
        while (isalnum(word[n] = getch()) || word[n] == '_')
            n++;
        ungetch(word[n]);
    }
    word[n] = '\\0';
    return c;
}
struct word *push(struct word *first, const char *text)
{
    struct word *fresh = malloc(sizeof *fresh);
    for (int i = 0; (fresh->text[i] = text[i]) && !(isdigit)(text[i]); i++)
        ;
    fresh->next = first;
    return fresh;
}
int main(void)
{
    struct word *first = NULL, *kept_one;
    char word[8];
    while (getword(word) != EOF)
        if (isalpha(word[0]))
            first = push(first, word);
    for (; first; first = kept_one) {
        kept_one = first->next;
        puts(first->text);
        free(first);
    }
    return 0;
}
"""


def test_a_program_that_reads_words_is_followed_and_not_accused(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("a b_c\n  de f\n")
    session = play(WORDS, stdin=given)
    session("run")
    assert session.output().split() == ["F", "De", "B_c", "A"]
    assert session.texts() == ""
