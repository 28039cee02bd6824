"""What is said of single places is said of the nodes that the picture names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from wolverine.errors import CommandError
from wolverine.session import execution, results, tracing

TWO = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *new(int v)
{
    struct node *n = calloc(1, sizeof *n);
    n->v = v;
    return n;
}
struct node *pair(void)
{
    struct node *first = new(7), *second = new(8);
    first->next = second;
    return first;
}
int main(void)
{
    return pair()->v;
}
"""


@pytest.mark.parametrize(
    ("places", "edit"),
    [
        ("change n2->next n1", "second->next = first"),  # n1->next = n2 is the same up to names
        ("change second.v 7", "second->v = 7"),  # of n1 it holds; a dot follows, as in gdb
        ("change first n2", "first = second"),
    ],
)
def test_nodes_keep_their_names(play: Callable[..., Any], places: str, edit: str) -> None:
    session = play(TWO)
    session(f"break pair\nrun\nnext 2\n{places}\nrepair --no-question")
    assert session.last(results.Repaired).cost == 1
    session("candidates")
    assert edit in session.texts()


ROUNDS = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void)
{
    struct node *head = NULL;
    int up, down = 2;
    for (up = 1; up <= 2; up++) {
        struct node *n = malloc(sizeof *n);
        n->v = up;
        n->next = head;
        head = n;
        down--;
    }
    return head->v;
}
"""


def test_nodes_that_one_statement_allocates_in_turn_keep_their_names(play: Callable[..., Any]) -> None:
    """Who turns the links round does not mean that the nodes hold each other's numbers."""
    session = play(ROUNDS)
    session("break 14\nrun\nchange head n1\nchange n1->next n2\nchange n2->next null\nspec")
    with suppress(CommandError):  # that there is no repair
        session("repair --no-question\ncandidates")
    assert "n->v = down" not in session.texts()


FAR = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
struct queue { struct node *first; int turns; };
int main(void)
{
    struct queue q = {malloc(sizeof(struct node)), 0};
    q.first->next = NULL;
    while (q.turns >= 0) {
        q.first->v = q.turns;
        q.turns++;
        q.first->next = q.first;
        if (q.turns == 2000)
            q.first = NULL;
    }
    return 0;
}
"""


@pytest.fixture
def less_far(monkeypatch: pytest.MonkeyPatch) -> int:
    """The model follows a program for so many steps only."""
    steps = 3_000
    for module in (execution, tracing):
        monkeypatch.setattr(module, "FOLLOWED", 2 * steps)
    monkeypatch.setattr(execution, "FOLLOWED_INTERRUPTED", steps)
    return steps


def test_what_was_interrupted_is_followed_less_far(play: Callable[..., Any], less_far: int) -> None:
    """Whoever stops a program that has been running waits for the prompt."""
    session = play(
        "unsigned n;\nint main(void)\n{\n    do\n        n += 2;\n    while (n != 7);\n    return 0;\n}\n"
    )
    session("set step-budget 0.5; run")
    assert session.last(results.Stopped).reason == "budget"
    assert f"the way is longer than {less_far} steps" in session.texts()


@pytest.mark.usefixtures("less_far")
def test_what_the_model_does_not_follow_is_told_by_fields(play: Callable[..., Any]) -> None:
    session = play(FAR)
    session("run")
    [told] = [line for line in session.texts().splitlines() if "the model does not follow" in line]
    assert "the way is longer than" in told
    assert "main::q.first, main::q.turns, " in told
    assert "n1.next" in told
    assert "+" not in told


@pytest.mark.usefixtures("less_far")
@pytest.mark.parametrize(("json", "events"), [(False, 0), (True, 1)])
def test_people_are_told_once_from_where_the_model_does_not_follow(
    play: Callable[..., Any], json: bool, events: int
) -> None:
    session = play(FAR, json=json)
    session("run")
    assert session.texts().count("does not follow the program from line") == 1
    assert "from line 6 in main to this stop" in session.texts()
    assert sum(isinstance(each, results.ConcreteStep) for each in session.heard) == events


READING = """\
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[32];
    int total = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *at = strchr(line, ' ');
        *at++ = '\\0';
        total += (int)strlen(at);
    }
    return total;
}
"""


def test_that_the_model_does_not_follow_is_told_once_and_behind_the_line_of_the_stop(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("a b\nc d\ne f\nquit\n")
    session = play(READING, stdin=given, json=False)
    heard = session("run")
    at = next(i for i, each in enumerate(heard) if isinstance(each, results.Stopped))
    told = [i for i, each in enumerate(heard) if "does not follow" in getattr(each, "text", "")]
    assert len(told) <= 1
    assert all(i > at for i in told)
    assert "at is null" in session.texts()


TYPES = """\
#include <stdio.h>
typedef struct { int v; } plain;
struct tagged { plain held; };
union both { int i; float f; };
enum color { RED };
int one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen;
int main(void)
{
    struct tagged t = {{RED}};
    union both b = {t.held.v};
    enum color c = b.i;
    return c;
}
"""


def test_the_types_that_the_source_names(play: Callable[..., Any]) -> None:
    session = play(TYPES)
    assert session.session.names().types == ("enum color", "struct tagged", "union both")


def test_a_name_that_may_be_meant_is_said_and_that_there_are_more(play: Callable[..., Any]) -> None:
    session = play(TYPES)
    session("start")
    with pytest.raises(CommandError, match=r"did you mean thirteen\?"):
        session("spec thirten")
    with pytest.raises(CommandError, match=r"the variables here are t, b, c, one, .* and 4 more$"):
        session("spec unlike")
