"""What `search` does about a call that a program forgets."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from lists_in_c import USED
from playing import Play, program_of

from wolverine.core.patch import Repairs
from wolverine.core.trace import Problem
from wolverine.frontend import check, emit
from wolverine.repair import search
from wolverine.repair.menus.wording import describe
from wolverine.semantics.replay import replay

ORDER = (
    """\
#include <stdio.h>
#include <stdlib.h>
"""
    + USED
    + """\
static struct item *make(int no)
{
    struct item *n = malloc(sizeof *n);
    n->no = no;
    n->next = n->prev = NULL;
    return n;
}
static struct item *find(int no)
{
    struct item *p = first;
    while (p && p->no != no)
        p = p->next;
    return p;
}
void use(int no)
{
    struct item *n = find(no);
    if (n == NULL)
        n = make(no);
    else
        detach(n);
    attach(n);
}
int main(int argc, char **argv)
{
    attach(make(1));
    attach(make(2));
    use(NO);
    for (int i = 1; i < argc; i++)
        use(atoi(argv[i]));
    for (struct item *p = last; p; p = p->prev)
        printf("%d ", p->no);
    return 0;
}
"""
)
INPUTS = ("1 2 3", "7", "2 1 2 3 1", "5 5", "")


def inserted(problem: Problem, right: str, folder: Path, wanted: str = "") -> str:
    """What the best repair of those with a text inserts; it prints what the right program prints."""
    answer = search(replace(problem, budget=replace(problem.budget, listed=2_000)))
    assert isinstance(answer, Repairs)
    for candidate in answer.candidates[:8]:
        assert replay(problem.program, candidate.patch, problem.traces[0]).met
        check(problem.program, candidate.patch)
    having = [c for c in answer.candidates if wanted in describe(problem.program, c.patch)]
    expected = printed(right, folder / "right")
    texts = (
        emit(problem.program, each.patch)[0].decode() for each in sorted(having, key=lambda c: c.crashes)
    )
    text = next(each for each in texts if printed(each, folder / "repaired") == expected)
    before = problem.program.files[0].content.decode().split("\n")
    return " ".join(line.strip() for line in text.split("\n") if line not in before)


def printed(source: str, binary: Path) -> list[tuple[int, bytes]]:
    """What the compiled program prints on each of the inputs, and how it exits."""
    path = binary.with_suffix(".c")
    path.write_text(source)
    subprocess.run(["gcc", "-w", "-g", "-fsanitize=address", "-o", binary, path], check=True)
    runs = (subprocess.run([binary, *each.split()], capture_output=True, check=False) for each in INPUTS)
    return [(run.returncode, run.stdout) for run in runs]


def played(wrong: str, folder: Path) -> tuple[Play, int]:
    """At the entry of `use`, and the line of its closing brace."""
    play = Play(program_of(wrong, folder))
    play.enter_function("use")
    return play, wrong[: wrong.index("int main")].count("\n")


def test_a_statement(tmp_path: Path) -> None:
    """The item was not taken out before it is put in again: four cells are wrong, one call is missing."""
    right = ORDER.replace("NO", "1")
    play, end = played(right.replace("    else\n        detach(n);\n", ""), tmp_path)
    play.to(end)
    for where, value in (("first", "n2"), ("n1->next", "null"), ("n2->prev", "null"), ("n2->next", "n1")):
        play.change(where, value)
    play.spec()
    assert "detach(n);" in inserted(play.problem(), right, tmp_path)


@pytest.mark.thorough
def test_a_node_made_by_a_function(tmp_path: Path) -> None:
    """All that is known is that null is dereferenced; nodes are made by a function."""
    right = ORDER.replace("NO", "3")
    tested = "    if (n == NULL)\n        n = make(no);\n    else\n        detach(n);\n"
    play, _ = played(right.replace(tested, "    if (n != NULL)\n        detach(n);\n"), tmp_path)
    play.crash()
    assert "n = make(no);" in inserted(play.problem(), right, tmp_path, "if (n == NULL) n = make(no)")


@pytest.mark.thorough
def test_a_special_case(tmp_path: Path) -> None:
    """Nothing is known but the crash on the empty list: what is stored goes elsewhere there."""
    right = ORDER.replace("NO", "1")
    missing = "    if (last)\n        last->next = which;\n    else\n        first = which;\n"
    play = Play(program_of(right.replace(missing, "    last->next = which;\n"), tmp_path))
    play.enter_function("attach")
    play.crash()
    lines = inserted(play.problem(), right, tmp_path, "else first = which")
    assert lines == "if (last != NULL) last->next = which; first = which;"  # a bare `else` is there before
