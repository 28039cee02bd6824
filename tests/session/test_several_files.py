"""Functions and variables that several source files have each for itself under one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from wolverine.core.program import Call
from wolverine.frontend import load
from wolverine.session import results
from wolverine.session.options import SessionOptions
from wolverine.session.parse import parse
from wolverine.session.session import Session

FIRST = """#include <stdlib.h>
#include "list.h"
static int count;
static struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof(*fresh));
    fresh->value = value;
    fresh->next = head;
    count++;
    return fresh;
}
int main(void)
{
    struct node *front = push(push(NULL, 1), 2);
    struct node *back = build(3);
    return front->value + back->value + count;
}
"""

SECOND = """#include <stdlib.h>
#include "list.h"
static int count = 10;
static struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof(struct node));
    fresh->value = value;
    fresh->next = head;
    count += 2;
    if (head == NULL)
        return fresh;
    struct node *last = head;
    while (last->next != NULL)
        last = last->next;
    last->next = fresh;
    return head;
}
struct node *build(int n)
{
    struct node *head = NULL;
    for (int i = 1; i <= n; i++)
        head = push(head, i);
    return head;
}
"""

HEADER = "struct node { int value; struct node *next; };\nstruct node *build(int n);\n"


def test_each_file_has_its_own_static_function_and_variable(tmp_path: Path) -> None:
    for name, content in (("one.c", FIRST), ("two.c", SECOND), ("list.h", HEADER)):
        (tmp_path / name).write_text(content)
    heard: list[results.Result] = []
    sources = tmp_path / "one.c", tmp_path / "two.c"
    session = Session(SessionOptions(sources, batch=True, json=True), heard.append)

    def play(lines: str) -> None:
        for line in lines.splitlines():
            for command in parse(line):
                session.execute(command)  # type: ignore[arg-type]

    try:
        assert set(session.program.functions) == {"main", "push", "two.c:push", "build"}
        assert session.names().code == ("build", "main", "push", "two.c:push", "one.c:", "two.c:")
        assert not [each for each in heard if isinstance(each, results.Note)]
        play("break build\nrun\nnext 4\nstep\nnext 8")
        picture = [each for each in heard if isinstance(each, results.Graph)][-1]
        assert picture.data["places"]["count"] == 2
        assert picture.data["places"]["two.c::count"] == 14
        assert not [each for each in heard if isinstance(each, results.ConcreteStep)]
        play("change last->next->next NULL\nspec\nrepair\nrewrite\ncontinue")
        play(f"rewrite {tmp_path / 'whole.c'}\nrewrite {tmp_path / 'out'}/")
    finally:
        session.close()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["two.c"]
    assert (tmp_path / "whole.c").read_text() == (tmp_path / "out" / "two.c").read_text()
    assert "whole.c is two.c, repaired" in "".join(e.text for e in heard if isinstance(e, results.Note))
    patch = next(each.patch for each in heard if isinstance(each, results.Rewritten))
    assert "two.c" in patch and "one.c" not in patch and "+    fresh->next" in patch
    assert any(isinstance(each, results.Exited) and each.code == 5 for each in heard)


@pytest.mark.parametrize(
    ("function", "warned"),
    [
        ("static int twice(int x) { return 2 * x; }", False),
        ("static int twice(int x) { static int calls; calls++; return 2 * x; }", True),
        ("static int calls;\nstatic int twice(int x) { calls++; return 2 * x; }", True),
    ],
)
def test_a_function_of_a_header_is_one_function_and_copies_with_statics_are_told(
    function: str, warned: bool, tmp_path: Path
) -> None:
    (tmp_path / "both.h").write_text(f"{function}\nint other(int x);\n")
    (tmp_path / "one.c").write_text('#include "both.h"\nint main(void) { return twice(1) + other(2); }\n')
    (tmp_path / "two.c").write_text('#include "both.h"\nint other(int x)\n{\n    return twice(x);\n}\n')
    loaded = load([tmp_path / "one.c", tmp_path / "two.c"])
    assert set(loaded.program.functions) == {"main", "twice", "other"}
    assert ["own copy of twice" in each for each in loaded.warnings] == [True] * warned


def test_a_function_of_another_file_alone_is_not_called_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "one.c").write_text("int hidden(int);\nint f(int x) { return hidden(x); }\n")
    (tmp_path / "two.c").write_text(
        "static int hidden(int x) { return x; }\nint g(void) { return hidden(1); }\n"
    )
    program = load([tmp_path / "one.c", tmp_path / "two.c"]).program
    called = {
        name: [s.function for s in program.functions[name].code if isinstance(s, Call)] for name in ("f", "g")
    }
    assert called == {"f": [], "g": ["hidden"]}
