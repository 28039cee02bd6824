"""A crash where a special case is missing: what is there is put under a test."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from played_session import Played

from wolverine import frontend
from wolverine.core.expressions import Binary, Constant, Load, lvalue_text
from wolverine.core.patch import Edit, Guarded, NewAssignment, Patch
from wolverine.core.program import Assign
from wolverine.core.types import INT
from wolverine.session import results

APPEND = """\
#include <stdio.h>
#include <stdlib.h>
struct song { int seconds; struct song *prev, *next; };
struct playlist { struct song *first, *last; int count; };
void append(struct playlist *list, int seconds)
{
    struct song *s = malloc(sizeof *s);
    s->seconds = seconds;
    s->next = NULL;
    s->prev = list->last;
    if (list->first == NULL)
        list->first = s;
    list->last->next = s;
    list->last = s;
    list->count++;
}
int main(int argc, char **argv)
{
    struct playlist list = {NULL, NULL, 0};
    for (int i = 1; i < argc; i++)
        append(&list, atoi(argv[i]));
    for (struct song *s = list.first; s != NULL; s = s->next)
        printf("%d ", s->seconds);
    for (struct song *s = list.last; s != NULL; s = s->prev)
        printf("%d ", s->seconds);
    printf("%d\\n", list.count);
    return 0;
}
"""
IN_AN_ELSE = APPEND.replace(
    "    list->last->next = s;\n", "    if (seconds > 0) list->last->next = s; else list->count += 0;\n"
)

REPLACE = """\
#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right, *parent; };
struct tree *root;
void replace(struct tree *old, struct tree *new)
{
    if (old->parent == NULL)
        root = new;
    else if (old == old->parent->left)
        old->parent->left = new;
    else
        old->parent->right = new;
    new->parent = old->parent;
}
void insert(int key)
{
    struct tree **link = &root, *above = NULL;
    while (*link != NULL) {
        above = *link;
        link = key < above->key ? &above->left : &above->right;
    }
    struct tree *t = calloc(1, sizeof *t);
    t->key = key;
    t->parent = above;
    *link = t;
}
void show(struct tree *t)
{
    if (t == NULL)
        return;
    show(t->left);
    printf("%d ", t->key);
    show(t->right);
}
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++)
        insert(atoi(argv[i]));
    struct tree *t = root;
    while (t->key != atoi(argv[1]))
        t = atoi(argv[1]) < t->key ? t->left : t->right;
    replace(t, t->left);
    show(root);
    printf("\\n");
    return 0;
}
"""


def _output(text: str, folder: Path, arguments: list[str]) -> str:
    source = folder / "repaired.c"
    source.write_text(text)
    flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wno-format-truncation"]
    subprocess.run(["gcc", *flags, "-o", folder / "repaired", source], check=True)
    run = subprocess.run(
        [folder / "repaired", *arguments],
        check=False,
        capture_output=True,
        env={"ASAN_OPTIONS": "detect_leaks=0"},
    )
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode()


@pytest.mark.thorough
def test_the_statement_that_crashes_is_put_under_a_test(play: Callable[..., Played], tmp_path: Path) -> None:
    played = play(APPEND, arguments=("3", "1", "2"))
    played("run\nrepair --no-question")
    patch = played.last(results.Repaired).patch
    assert "+    if (list->last != NULL)\n+        list->last->next = s;" in patch
    played(f"continue\nrewrite {tmp_path / 'fixed.c'}")
    assert played.output() == "3 1 2 2 1 3 3\n"
    fixed = (tmp_path / "fixed.c").read_text()
    assert _output(fixed, tmp_path, []) == "0\n"
    assert _output(fixed, tmp_path, ["7"]) == "7 7 1\n"
    assert _output(fixed, tmp_path, ["1", "2", "3", "4"]) == "1 2 3 4 4 3 2 1 4\n"


def test_an_else_behind_it_stays_with_its_own_test(tmp_path: Path) -> None:
    source = tmp_path / "else.c"
    source.write_text(IN_AN_ELSE)
    program = frontend.load([source]).program
    step = next(
        s
        for s in program.functions["append"].code
        if isinstance(s, Assign) and lvalue_text(s.target) == "list->last->next"
    )
    last = next(
        s.target
        for s in program.functions["append"].code
        if isinstance(s, Assign) and lvalue_text(s.target) == "list->last"
    )
    test = Binary("!=", Load(last), Constant(0, last.type), INT)
    guarded = Edit(step.location, Guarded(test, NewAssignment(step.target, step.value)))
    fixed = frontend.emit(program, Patch((guarded,)))[0].decode()
    assert "if (seconds > 0) { if (list->last != NULL) list->last->next = s; } else" in fixed
    assert _output(fixed, tmp_path, ["3", "1"]) == "3 1 1 3 2\n"


@pytest.mark.thorough
def test_getting_round_a_null_pointer_that_nobody_passes_counts_for_nothing(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    """An early return would also be no crash where `old` is null; it would leave the leaf where it is."""
    session = play(REPLACE, arguments=("3", "5", "3", "8"))
    session("run; repair --no-question")
    out = tmp_path / "out.c"
    session(f"rewrite {out}")
    assert _output(out.read_text(), tmp_path, ["3", "5", "3", "8"]) == "5 8 \n"
    assert _output(out.read_text(), tmp_path, ["8", "5", "3", "8"]) == "3 5 \n"
    assert _output(out.read_text(), tmp_path, ["5", "5"]) == "\n"
    assert _output(out.read_text(), tmp_path, ["5", "5", "3", "2"]) == "2 3 \n"


FINISH = """\
#include <stdio.h>
#include <stdlib.h>
struct job { int rank; struct job *next; };
static struct job *jobs;
static void add(int rank)
{
    struct job *j = malloc(sizeof *j);
    j->rank = rank;
    j->next = jobs;
    jobs = j;
}
static void finish(void)
{
    struct job *j = jobs;
    int rank = j->rank;
    if (jobs == NULL) {
        printf("nothing to do\\n");
        return;
    }
    jobs = j->next;
    printf("done %d\\n", rank);
    free(j);
}
int main(void)
{
    add(2);
    finish();
    finish();
    return 0;
}
"""


def test_what_is_read_before_the_test_for_null_is_read_behind_it(
    play: Callable[..., Played], tmp_path: Path
) -> None:
    """The function says what it does where there is nothing; to leave before that says less."""
    session = play(FINISH)
    session("run\nrepair --no-question")
    assert session.last(results.Repaired).patch.count("\n+    int rank;") == 1
    session(f"rewrite {tmp_path / 'repaired.c'}")
    text = (tmp_path / "repaired.c").read_text()
    assert text.index("return;") < text.index("rank = j->rank;") < text.index("jobs = j->next;")
