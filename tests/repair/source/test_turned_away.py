"""Returns that come as soon as two values are equal."""

from pathlib import Path

import pytest

from wolverine.core.program import Jump
from wolverine.frontend import load
from wolverine.repair.source.turned_away import turns_away

HEAD = """\
#include <string.h>
struct book { int isbn; char *title; struct book *next; };
struct shelf { int count, room; struct book *first; };
struct book *find(struct shelf *s, int isbn);
void put(struct shelf *s, struct book *b)
{
    struct book *at = s->first;
"""


@pytest.mark.parametrize(
    ("leaving", "away"),
    [
        ("while (at) { if (at->isbn == b->isbn) return; at = at->next; }", True),
        ("while (at) { if (at && at->isbn == b->isbn) { return; } at = at->next; }", True),
        ("if (b->isbn > at->isbn) at = at->next; else if (b->isbn < at->isbn) at = b; else return;", True),
        ("if (b->isbn > at->isbn) at = at->next; else if (at->isbn > b->isbn) at = b; else return;", True),
        ("if (strcmp(at->title, b->title) == 0) return;", True),
        ("if (!strcmp(at->title, b->title)) return;", True),
        ("if (find(s, b->isbn)) return;", True),
        ("if (find(s, b->isbn) != NULL) return;", True),
        ("if (s->count >= s->room) return;", False),
        ("if (s->count == s->room) return;", True),
        ("if (find(s, b->isbn) == NULL) return;", False),
        ("if (at == NULL) return;", False),
        ("if (s->count == 0) return;", False),
        ("if (b->isbn < at->isbn) return;", False),
        ("if (b->isbn > at->isbn) at = at->next; else return;", False),
        ("if (at->isbn == b->isbn) { s->count--; return; }", False),
        ("if (at == NULL || at->isbn == b->isbn) return;", False),
    ],
)
def test_where_a_function_leaves_as_there_is_nothing_to_do(tmp_path: Path, leaving: str, away: bool) -> None:
    path = tmp_path / "p.c"
    path.write_text(HEAD + f"    {leaving}\n    s->first = b;\n}}\n")
    function = load([path]).program.functions["put"]
    returns = [i for i, step in enumerate(function.code) if isinstance(step, Jump) and step.location >= 0]
    assert [turns_away(function, each) for each in returns] == [away]


def test_a_value_may_be_returned(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text("int add(int *v, int k) { if (*v == k) return 0; *v = k; return 1; }")
    function = load([path]).program.functions["add"]
    returns = [i for i, step in enumerate(function.code) if isinstance(step, Jump) and step.location >= 0]
    assert [turns_away(function, each) for each in returns] == [True, False]
