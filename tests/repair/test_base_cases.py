"""A base case that is missing: `if (list == NULL) return make(v, list);`, after a mere crash."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.frontend import check, emit
from wolverine.repair import search
from wolverine.semantics.replay import replay

TREE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
struct tree *leaf(int key) {
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    return t;
}
struct tree *grow(struct tree *t, int key) {
    if (t == NULL)
        return leaf(key);
    if (key < t->key)
        t->left = grow(t->left, key);
    else if (key > t->key)
        t->right = grow(t->right, key);
    return t;
}
void show(struct tree *t) {
    if (t != NULL) {
        show(t->left);
        printf("%d ", t->key);
        show(t->right);
    }
}
int main(int argc, char **argv) {
    struct tree *t = leaf(4);
    t = grow(t, 3);
    for (int i = 1; i < argc; i++)
        t = grow(t, atoi(argv[i]));
    show(t);
    return 0;
}
"""
LIST = """\
#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct cell *make(int v, struct cell *next) {
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = next;
    return c;
}
struct cell *at_the_end(struct cell *list, int v) {
    if (list == NULL)
        return make(v, NULL);
    list->next = at_the_end(list->next, v);
    return list;
}
int main(int argc, char **argv) {
    struct cell *l = NULL;
    l = at_the_end(l, 3);
    for (int i = 1; i < argc; i++)
        l = at_the_end(l, atoi(argv[i]));
    for (; l; l = l->next)
        printf("%d ", l->v);
    return 0;
}
"""
INPUTS: tuple[tuple[str, ...], ...] = ((), ("1",), ("3", "4"), ("9", "2", "5", "2"), ("1", "2", "3"))


@pytest.mark.parametrize(
    ("right", "missing", "function"),
    [
        (TREE, "    if (t == NULL)\n        return leaf(key);\n", "grow"),
        (LIST, "    if (list == NULL)\n        return make(v, NULL);\n", "at_the_end"),
    ],
)
def test_what_is_returned_is_what_a_function_makes(
    right: str, missing: str, function: str, tmp_path: Path
) -> None:
    """`return NULL` gets round the crash as well, and nothing is ever put in."""
    play = Play(program_of(right.replace(missing, ""), tmp_path))
    play.enter_function(function)
    play.crash()
    problem = play.problem()
    answer = search(problem)
    assert isinstance(answer, Repairs)
    for candidate in answer.candidates[:8]:
        assert replay(problem.program, candidate.patch, problem.traces[0]).met
        check(problem.program, candidate.patch)
    first = emit(problem.program, answer.candidates[0].patch)[0].decode()
    assert printed(first, tmp_path / "repaired") == printed(right, tmp_path / "right")


def test_it_is_written_as_one_statement(tmp_path: Path) -> None:
    """The call stands in the return, without a temporary."""
    missing = "    if (list == NULL)\n        return make(v, NULL);\n"
    play = Play(program_of(LIST.replace(missing, ""), tmp_path))
    play.enter_function("at_the_end")
    play.crash()
    problem = play.problem()
    texts = [emit(problem.program, c.patch)[0].decode() for c in search(problem).candidates]
    assert any("    if (list == NULL)\n        return make(v, list);\n" in text for text in texts)


def printed(source: str, binary: Path) -> list[tuple[int, bytes]]:
    """What the compiled program prints on each of the inputs, and how it exits."""
    path = binary.with_suffix(".c")
    path.write_text(source)
    subprocess.run(["gcc", "-w", "-g", "-o", binary, path], check=True)
    runs = (subprocess.run([binary, *each], capture_output=True, check=False) for each in INPUTS)
    return [(run.returncode, run.stdout) for run in runs]
