"""A program that forgets to allocate: the node is allocated in the process, and in the source."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PUSH = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct node { int val; struct node *next; } Node;
Node *head;
void push(int val)
{
    Node *n;
    n->val = val;
    n->next = head;
    head = n;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        push(atoi(argv[i]));
    for (Node *p = head; p != NULL; p = p->next)
        printf("%d ", p->val);
    return 0;
}
"""
PASSED = PUSH.replace("    n->val = val;\n    n->next = head;\n", "    fill(n, val);\n").replace(
    "void push", "void fill(Node *n, int val)\n{\n    n->val = val;\n    n->next = head;\n}\nvoid push"
)
APPEND = """\
#include <stdio.h>
#include <stdlib.h>
typedef struct node { int val; struct node *next; } Node;
Node *append(Node *head, int val)
{
    Node *last = head;
    while (last->next != NULL)
        last = last->next;
    last->next->val = val;
    last->next->next = NULL;
    return head;
}
int main(int argc, char **argv)
{
    Node *head = (Node *)malloc(sizeof(Node));
    head->val = 0;
    head->next = NULL;
    for (int i = 1; i < argc; i++)
        head = append(head, atoi(argv[i]));
    for (Node *p = head->next; p != NULL; p = p->next)
        printf("%d ", p->val);
    return 0;
}
"""


def printed(source: Path, arguments: Sequence[str]) -> str:
    """What the compiled program prints; it must not fail."""
    binary = source.with_suffix("")
    flags = ["-g", "-Wall", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, "-o", binary, source], check=True)
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    run = subprocess.run([binary, *arguments], check=True, capture_output=True, env=environment, text=True)
    return run.stdout


@pytest.mark.parametrize(
    ("text", "kind", "written"),
    [
        (PUSH, "insert", "n = malloc(sizeof(*n));"),
        (PUSH.replace("Node *n;", "Node *n = NULL;"), "change", "Node *n = malloc(sizeof(*n))"),
        (PASSED.replace("Node *n;", "Node *n = NULL;"), "change", "Node *n = malloc(sizeof(*n))"),
    ],
)
def test_the_node_that_crashed_is_allocated(
    text: str, kind: str, written: str, play: Callable[..., Played], tmp_path: Path
) -> None:
    session = play(text, arguments=("4", "7", "5"))
    out = tmp_path / "out.c"
    session("run\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == (kind, written)
    assert session.last(results.Repaired).applied == "native"
    assert session.fields("n1") == {"val": {"uninitialised": True}, "next": {"uninitialised": True}}
    assert session.places()["push::n"] == "n1"
    session(f"next 2\ncontinue\nrewrite {out}")
    assert session.output() == "5 7 4 "
    assert printed(out, ("4", "7", "5")) == "5 7 4 "
    assert printed(out, ()) == ""


@pytest.mark.thorough
def test_the_question_shows_new_nodes(play: Callable[..., Played], tmp_path: Path) -> None:
    """And the answer is a second execution that lacks one."""
    session = play(APPEND, arguments=("4", "7"))
    out = tmp_path / "out.c"
    session("run\nrepair")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.after) == ("insert", "last->next = (Node *)malloc(sizeof(Node));")
    question = session.last(results.Question)
    given, *wanted = (len(each.data["nodes"]) for each in (question.input, *question.results))
    assert given + 1 in wanted
    session(f"repair --answer {1 + wanted.index(given + 1)}\ncontinue\nrewrite {out}")
    assert session.output() == "4 7 "
    assert printed(out, ("1", "2", "3")) == "1 2 3 "
    assert printed(out, ()) == ""


ADD = """\
#include <stdlib.h>
#include <stdio.h>
struct pair { int key; struct pair *next; };
struct pair *first;
int count;
void add(int key)
{
    struct pair *p = malloc(sizeof *p), *q;
    q = p;
    p->key = 2 * key;
    p->next = first;
    q->key = key;
    q->next = p;
    first = q;
    count++;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add(atoi(argv[i]));
    for (struct pair *p = first; p != NULL && count-- > -9; p = p->next)
        printf("%d ", p->key);
    return 0;
}
"""


def test_a_node_that_is_not_there_is_asked_for(play: Callable[..., Played], tmp_path: Path) -> None:
    """The old node is used again where a new one is meant."""
    session = play(ADD, arguments=("4", "7"))
    session("break 12\nrun\nchange q new")
    assert session.last(results.Changed).after == "n2"
    assert session.places()["add::q"] == "n2"
    session("undo")
    assert session.places()["add::q"] == "n1"
    assert [node["name"] for node in session.last(results.Graph).data["nodes"]] == ["n1"]
    session("change q new")
    assert session.fields("n2") == {"key": {"uninitialised": True}, "next": {"uninitialised": True}}
    session("repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.before, edit.after) == ("change", "q = p", "q = malloc(sizeof *q)")
    assert session.places()["add::q"] == "n2"
    out = tmp_path / "out.c"
    session(f"next 2\nspec\nrepair\ndelete\ncontinue\nrewrite {out}")
    assert not session.last(results.Repaired).edits  # what was accepted does
    assert session.output() == "7 14 4 8 "
    assert printed(out, ("4", "7")) == "7 14 4 8 "
    assert printed(out, ("1",)) == "1 2 "
    assert printed(out, ()) == ""


def test_only_a_pointer_leads_to_a_new_node(play: Callable[..., Played]) -> None:
    session = play(ADD, arguments=("4",))
    session("break 12\nrun")
    with pytest.raises(CommandError, match="only a pointer can lead to a new node, and this holds int"):
        session("change count new")
