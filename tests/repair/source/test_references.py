"""Which structs count who refers to their nodes, and who refers to these uncounted."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Load, lvalue_text
from wolverine.core.patch import Deletion, NewAssignment, NewCall
from wolverine.frontend import parse_expression
from wolverine.repair.source.references import References, counting_references, giving_back

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


SHEETS = """\
#include <stdlib.h>
struct paint { int shade, users; };
struct sheet { struct paint *front, *back; };
static struct paint *spare;
static struct paint *paint(int shade)
{
    struct paint *p = calloc(1, sizeof *p);
    p->shade = shade;
    p->users = 1;
    return p;
}
KEEP
static void drop(struct paint *p)
{
    p->users--;
    if (p->users == 0)
        free(p);
}
static void cover(struct sheet *s, struct paint *p)
{
    s->front = p;
    s->back = paint(p->shade);
}
static void turn(struct sheet *s, struct paint *p)
{
    COUNT
    s->back = p;
}
static void put_by(struct paint *p)
{
    struct paint *other = p;
    spare = other;
}
int main(void)
{
    struct sheet s;
    cover(&s, paint(1));
    struct paint *mine = s.back;
    drop(mine);
    drop(s.front);
    return 0;
}
"""
KEEP = "static struct paint *keep(struct paint *p) { p->users++; return p; }"


@pytest.mark.parametrize(
    ("keep", "count"), [("", "p->users++;"), (KEEP, "p->users++;"), (KEEP, "keep(p);")], ids=str
)
def test_who_keeps_a_pointer_counts_it_as_the_program_can(keep: str, count: str, tmp_path: Path) -> None:
    program = program_of(SHEETS.replace("KEEP", keep).replace("COUNT", count), tmp_path)
    references = References(program)
    assert {(e.function, lvalue_text(e.kept)) for e in references.uncounted} == {
        ("cover", "s->front"),
        ("put_by", "spare"),
    }
    assert [*references.counting] == (["keep"] if keep else [])
    beside = next(e.locations[0] for e in references.uncounted if e.function == "cover")
    elsewhere = next(e.locations[0] for e in references.uncounted if e.function == "put_by")
    users, pointer = (parse_expression(program, "cover", each) for each in ("p->users", "p"))
    assert isinstance(users, Load)
    up = NewAssignment(users.place, parse_expression(program, "cover", "p->users + 1"))
    down = NewAssignment(users.place, parse_expression(program, "cover", "p->users - 1"))
    assert references.counts(beside, up) is not bool(keep)
    assert references.counts(beside, NewCall("keep", (pointer,))) is bool(keep)
    assert not references.counts(beside, down)
    assert not references.counts(elsewhere, up)
    assert not references.counts_nothing(beside, up)
    in_main = next(each.id for each in program.locations if each.function == "main" and each.kind == "gap")
    assert references.counts_nothing(in_main, up)
    assert giving_back(program) == {"drop"}
    [dropping] = [each.id for each in program.locations if each.text == "drop(mine)" and each.kind == "call"]
    assert not references.gives_less_back(dropping, Deletion())


def test_where_all_is_counted_one_was_given_back_too_often(tmp_path: Path) -> None:
    source = SHEETS.replace("KEEP", KEEP).replace("COUNT", "keep(p);")
    source = source.replace("s->front = p;", "s->front = keep(p);").replace(
        "spare = other", "spare = keep(p)"
    )
    program = program_of(source, tmp_path)
    references = References(program)
    assert not references.uncounted
    [dropping] = [each.id for each in program.locations if each.text == "drop(mine)" and each.kind == "call"]
    assert references.gives_less_back(dropping, Deletion())
