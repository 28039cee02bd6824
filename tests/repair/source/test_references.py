"""Which structs count who refers to their nodes."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.repair.source.references import counting_references

TEXT = """\
#include <stdlib.h>
struct text { int length, users; };
struct font { int users; };
struct line { struct text *text; struct font *font; };
struct page { int lines; struct line *line; };
void drop(struct text *t) { free(t); }
void forget(struct line *l)
{
    if (--l->text->users == 0)
        drop(l->text);
    l->font->users--;
    free(l);
}
void shorten(struct page *p) { p->lines--; free(p->line); }
int main(void) { return 0; }
"""


def test_what_is_counted_down_and_freed_counts_references(tmp_path: Path) -> None:
    assert counting_references(program_of(TEXT, tmp_path)) == {"text"}
