"""What statements wrote that only the process knows: it is no longer unset, and nothing else is set by it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from played_session import Played

from wolverine.session import results

UNSET = {"uninitialised": True}

PROGRAM = """\
#include <stdio.h>
union word { int *p; int k; };
struct pair { union word v; int t; };
struct row { int number; char name[20]; int total; };
static void fill(struct row *rows, int count) {
    for (int i = 0; i < count; i++) {
        scanf("%d", &rows[i].number);
        scanf("%s", rows[i].name);
    }
}
int main(void) {
    struct row rows[9];
    FILE *in = stdin, *out;
    union word a = {.k = 5}, b;
    struct pair w;
    w.v.k = 6;
    fill(rows, 2);
    b.k = a.k;
    out = stdout;
    return in == out;
}
"""


def test_only_what_was_written_is_set(play: Callable[..., Played], tmp_path: Path) -> None:
    (tmp_path / "in").write_text("7 Zed 8 Amy")
    played = play(PROGRAM, stdin=tmp_path / "in")

    def at(line: int) -> dict[str, Any]:
        played(f"advance {line}")
        return {name.removeprefix("main::"): value for name, value in played.places().items()}

    played("start")
    seen = at(16)
    assert seen["in"] != UNSET and seen["a"] != UNSET
    assert seen["out"] == seen["b"] == seen["w"]["v"] == seen["w"]["t"] == UNSET
    seen = at(18)
    assert seen["w"]["v"] != UNSET and seen["w"]["t"] == UNSET and seen["b"] == UNSET
    rows = seen["rows"]
    assert [row["number"] for row in rows[:3]] == [7, 8, UNSET]
    assert rows[1]["name"] != UNSET and rows[1]["total"] == UNSET
    assert all(cell == UNSET for cell in rows[2]["name"])
    seen = at(20)
    assert seen["b"] != UNSET and seen["out"] != UNSET


DISTANCE = """\
#include <stdlib.h>
int main(void) {
    const char *text = "2.5, 7";
    int numbers[4] = {0}, *last = numbers, skipped = 0;
    char *end;
    double value = strtod(text, &end);
    skipped = end - text;
    last = numbers + skipped;
    return (int) value;
}
"""


def test_the_distance_to_a_pointer_that_only_the_process_knows(play: Callable[..., Played]) -> None:
    played = play(DISTANCE)
    played("break 9\nrun")
    assert played.places()["main::skipped"] == 3
    assert played.places()["main::last"] == {"place": "main::numbers[3]"}


UNNAMED = """\
#include <stdlib.h>
#include <string.h>
struct shape { int kind; char *name; union { double r; struct { double w, h; } box; } u; };
static struct shape *made(int kind, const char *name)
{
    struct shape *s = malloc(sizeof *s);
    *s = (struct shape){ .kind = kind, .name = strdup(name) };
    s->u.box.h = kind;
    return s;
}
int main(void)
{
    struct shape *some[2] = { made(0, "a"), made(1, "bcd") };
    char *middle = some[1]->name + 1;
    int length = strlen(middle);
    for (int i = 0; i < 2; i++) {
        free(some[i]->name);
        free(some[i]);
    }
    return length;
}
"""


def test_a_statement_that_assigns_what_a_call_returns_does_more_than_call(
    play: Callable[..., Played],
) -> None:
    """Its allocation has a number, and what it assigns has a value."""
    session = play(UNNAMED)
    session("run")
    assert session.last(results.Exited).code == 2
    assert not [
        text for text in session.texts().splitlines() if "used before" in text or "leads to no" in text
    ]
    assert "never freed" not in session.texts()
