"""What `search` does about nodes that a program forgets to allocate."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playing import Play, program_of
from test_widening_demand import LIST, asked, text_of

from wolverine.core.patch import NewNode, Patch, Repairs
from wolverine.core.trace import Problem
from wolverine.frontend import check
from wolverine.repair import search
from wolverine.semantics.replay import replay

INPUTS = (("1", "2", "3"), ("7",), ("6", "1", "9", "2"), ())


def found(problem: Problem) -> Patch:
    """The first repair; all meet the traces, and have a text."""
    answer = search(problem)
    assert isinstance(answer, Repairs)
    for candidate in answer.candidates[:12]:
        assert all(replay(problem.program, candidate.patch, trace).met for trace in problem.traces)
        check(problem.program, candidate.patch)
    return answer.candidates[0].patch


def outputs(text: str, folder: Path) -> list[str]:
    """What the compiled program prints on each of the inputs."""
    source, binary = folder / "p.c", folder / "p"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-g", "-fsanitize=address", "-o", binary, source], check=True)
    runs = (subprocess.run([binary, *given], capture_output=True, text=True, check=True) for given in INPUTS)
    return [run.stdout for run in runs]


@pytest.mark.parametrize("allocation", ["malloc(sizeof(struct node))", "calloc(1, sizeof(struct node))"])
def test_the_old_node_was_used_again(allocation: str, tmp_path: Path) -> None:
    """The new node is cleared where the program clears its others."""
    right = LIST.replace(
        "    head = fresh;\n}",
        f"    head = fresh;\n    twin = {allocation};\n    twin->next = fresh;\n    free(twin);\n}}",
    )
    right = right.replace("struct node *head;", "struct node *head, *twin;")
    missing = f"{allocation};\n    fresh"
    right = right.replace("malloc(sizeof(struct node));\n    fresh", missing)
    problem = asked(right, missing, "push", tmp_path, "head;\n    fresh")
    patch = found(problem)
    [replacement] = (edit.replacement for edit in patch.edits)
    assert isinstance(replacement, NewNode)
    assert replacement.zeroed is allocation.startswith("calloc")
    assert text_of(problem, patch).count(allocation) == 2


def test_a_new_node_and_another_edit(tmp_path: Path) -> None:
    """The allocation is missing, and the link besides."""
    right = LIST.replace(
        "malloc(sizeof(struct node));\n    fresh->data = data;\n    fresh->next = head;",
        "malloc(sizeof(struct node));\n    fresh->next = head;\n    fresh->data = data;",
    )
    missing = "malloc(sizeof(struct node));\n    fresh->next = head;"
    problem = asked(right, missing, "push", tmp_path, "head;\n    fresh->next = NULL;")
    patch = found(problem)
    assert patch.size == 2
    assert sum(isinstance(edit.replacement, NewNode) for edit in patch.edits) == 1
    assert outputs(text_of(problem, patch), tmp_path) == ["1 2 3 ", "7 ", "6 1 9 2 ", ""]


SHIFTED = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *first, *second;
void fill(int data) {
    struct node *one = first, *two;
    two = malloc(sizeof(struct node));
    one->data = data;
    one->next = two;
    two->data = data + 1;
    two->next = NULL;
    second = one;
}
int main() { first = malloc(sizeof(struct node)); first->data = 0; first->next = NULL; fill(4); return 0; }
"""


def test_later_nodes_have_other_names_then(tmp_path: Path) -> None:
    """A node that comes before those of the program: these are what they were, under other names."""
    right = SHIFTED.replace("*one = first", "*one = malloc(sizeof(struct node))")
    missing = "malloc(sizeof(struct node)), *two"
    patch = found(asked(right, missing, "fill", tmp_path, "first, *two", inputs=((),)))
    assert [type(edit.replacement) for edit in patch.edits] == [NewNode]


WALK = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int sum(struct node *p) {
    int total = 0;
    while (p->next != NULL) {
        total = total + p->data;
        p = p->next;
    }
    return total;
}
int main() { return sum(head); }
"""


def test_a_null_pointer_that_was_passed_asks_for_no_node(tmp_path: Path) -> None:
    """An empty list is a case of its own, not one node short."""
    play = Play(program_of(WALK, tmp_path))
    play.enter_function("sum")
    play.crash()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    edits = [edit for candidate in answer.candidates for edit in candidate.patch.edits]
    assert not any(isinstance(edit.replacement, NewNode) for edit in edits)


INSERT = """\
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *root;
struct tree *insert(struct tree *t, int key) {
    if (t == NULL) {
        t->key = key;
        t->left = NULL;
        t->right = NULL;
        return t;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
int main() { root = insert(root, 4); root = insert(root, 2); return 0; }
"""


@pytest.mark.parametrize("test", ["t == NULL", pytest.param("!t", marks=pytest.mark.thorough)])
def test_what_is_filled_where_it_is_null_is_a_new_node(test: str, tmp_path: Path) -> None:
    play = Play(program_of(INSERT.replace("t == NULL", test), tmp_path))
    play.enter_function("insert")
    play.crash()
    problem = play.problem()
    assert "    t = malloc(sizeof(*t));\n        t->key = key;" in text_of(problem, found(problem))


@pytest.mark.thorough
def test_a_test_the_wrong_way_round_asks_for_none(tmp_path: Path) -> None:
    text = WALK.replace("while (p->next != NULL) {", "while (p != NULL) {\n        if (p->next == NULL)")
    text = text.replace("total = total + p->data;", "p->next->data = total;")
    text = text.replace("return sum(head)", "head = calloc(1, sizeof *head); return sum(head)")
    play = Play(program_of(text, tmp_path))
    play.enter_function("sum")
    play.crash()
    assert "if (p->next != NULL)" in text_of(play.problem(), found(play.problem()))
