"""What makes room is called where there is none left."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.repair.menus.full import in_front, room_tests

TEXT = """\
#include <stdlib.h>
struct line { struct line *next; };
struct log { int lines, most, pages; struct line *first; };
static int open_logs, limit = 3;
static struct log *logs[4];
void shorten(struct log *l) { struct line *n = l->first; l->first = n->next; free(n); l->lines--; }
void shut(void) { free(logs[--open_logs]); }
void note(struct log *l)
{
    struct line *n = malloc(sizeof *n);
    n->next = l->first;
    l->first = n;
    l->lines++;
}
void start(void) { logs[open_logs] = calloc(1, sizeof(struct log)); open_logs++; }
int main(void) { return limit; }
"""


@pytest.mark.parametrize(
    ("name", "called", "asked"),
    [
        ("note", "shorten", ["l->lines == l->most", "l->lines >= l->most", "l->lines == l->pages"]),
        ("start", "shut", ["open_logs == limit", "open_logs >= limit"]),
        ("note", "shut", []),
        ("shorten", "note", []),
    ],
)
def test_what_is_counted_up_and_down_is_compared(
    name: str, called: str, asked: list[str], tmp_path: Path
) -> None:
    program = program_of(TEXT, tmp_path)
    function = program.functions[name]
    scope = (*program.globals, *function.parameters)
    found = [text(each) for each in room_tests(program, function, scope, called)]
    assert found[: len(asked)] == asked
    assert bool(found) is bool(asked)


def test_there_is_room_before_anything_is_made(tmp_path: Path) -> None:
    program = program_of(TEXT, tmp_path)
    note = program.functions["note"]
    assert in_front(program, note, 0)
    assert not in_front(program, note, note.end)
    assert not in_front(program, program.functions["shorten"], 0)
