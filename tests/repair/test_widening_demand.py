"""What `widening` makes available on demand: tests before statements, temporaries, more slots, new nodes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.campaign.align import Alignment
from wolverine.campaign.injector import Fault, inject
from wolverine.campaign.specs import record, select
from wolverine.core.patch import Guarded, NewNode, NewReturn, Patch, Repairs, Several
from wolverine.core.program import Program
from wolverine.core.trace import Problem
from wolverine.frontend import check, emit
from wolverine.repair.widening.algorithm import Options, widening
from wolverine.semantics.replay import replay

LIST = """#include <stdio.h>
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *fresh = malloc(sizeof(struct node));
    fresh->data = data;
    fresh->next = head;
    head = fresh;
}
void reverse(void) {
    struct node *done = NULL;
    while (head != NULL) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    head = done;
}
int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc; i++)
        push(atoi(argv[i]));
    reverse();
    while (head != NULL) {
        struct node *old = head;
        printf("%d ", head->data);
        head = head->next;
        free(old);
    }
    return 0;
}
"""


def printed(text: str, folder: Path, arguments: Sequence[str]) -> str:
    """Exit status and output of the compiled text."""
    folder.mkdir(parents=True)
    source, binary = folder / "p.c", folder / "p"
    source.write_text(text)
    subprocess.run(["gcc", "-w", "-g", "-fsanitize=address", "-o", str(binary), str(source)], check=True)
    found = subprocess.run([str(binary), *arguments], capture_output=True, text=True, check=False)
    return f"{found.returncode}: {found.stdout}"


def text_of(problem: Problem, patch: Patch) -> str:
    """The repaired source."""
    return emit(problem.program, patch)[0].decode()


def asked(
    right: str,
    missing: str,
    function: str,
    folder: Path,
    instead: str = "",
    inputs: Sequence[Sequence[str]] = (("1", "2", "3"),),
) -> Problem:
    """The program with `instead` for `missing`, and what the right one does with these lists."""
    assert right.count(missing) == 1
    start = right.index(missing)
    fault = Fault("deletion", start, start + len(missing), missing, instead, 0, 0, missing)
    made = []
    for name, text in (("right", right), ("wrong", inject(right.encode(), [fault]).decode())):
        (folder / name).mkdir()
        made.append(program_of(text, folder / name))
    aligned = Alignment(made[0], made[1], function, [fault])
    found = [aligned.trace(select(record(made[0], function, each).traces[-1], "ends")) for each in inputs]
    return Problem(made[1], tuple(trace for trace in found if trace is not None))


def repaired(problem: Problem, right: str, folder: Path) -> tuple[Patch, list[str]]:
    """The first repair, which has to print on all inputs what the right program prints."""
    told: list[str] = []
    found = widening(problem, options=Options(told=told.append))
    assert isinstance(found, Repairs), told
    for candidate in found.candidates:
        assert replay(problem.program, candidate.patch, problem.traces[0]).met
        check(problem.program, candidate.patch)
    patch = found.candidates[0].patch
    text = text_of(problem, patch)
    for number, given in enumerate((("1", "2", "3"), ("5", "4"), ("7",), ("6", "1", "9", "2"), ())):
        there = folder / str(number)
        assert printed(text, there / "a", given) == printed(right, there / "b", given), text
    return patch, told


@pytest.mark.thorough
def test_two_statements_in_one_gap(tmp_path: Path) -> None:
    """Both statements that were side by side are missing."""
    problem = asked(LIST, "done = head;\n        head = next;", "reverse", tmp_path)
    patch, _ = repaired(problem, LIST, tmp_path)
    assert [type(edit.replacement) for edit in patch.edits] == [Several]
    assert patch.size == 2


@pytest.mark.thorough
def test_a_new_node_is_allocated(tmp_path: Path) -> None:
    """The call of malloc is missing: the node that is asserted has to come from somewhere."""
    problem = asked(LIST, "malloc(sizeof(struct node))", "push", tmp_path, "head")
    patch, told = repaired(problem, LIST, tmp_path)
    assert [type(edit.replacement) for edit in patch.edits] == [NewNode]
    assert any("with new nodes" in line for line in told)


@pytest.mark.thorough
def test_nodes_behind_a_new_one_keep_their_names(tmp_path: Path) -> None:
    """The first of two allocations is missing, so that the second is another node than it was."""
    right = LIST.replace(
        "    head = fresh;\n}",
        "    head = fresh;\n    twin = malloc(sizeof(struct node));\n"
        "    twin->next = fresh;\n    free(twin);\n}",
    ).replace("struct node *head;", "struct node *head, *twin;")
    problem = asked(right, "malloc(sizeof(struct node));\n    fresh", "push", tmp_path, "head;\n    fresh")
    patch, _ = repaired(problem, right, tmp_path)
    assert [type(edit.replacement) for edit in patch.edits] == [NewNode]


TREE = """struct node { struct node *left, *right; };
struct node a, b, c;
struct node *root;
void mirror(struct node *top) {
    top->left = top->right;
    top->right = top->left;
}
int main() { root = &a; a.left = &b; a.right = &c; mirror(root); return 0; }
"""


@pytest.mark.thorough
def test_a_value_is_kept_in_a_temporary(tmp_path: Path) -> None:
    """Two fields change places, for which no variable is at hand."""
    text = TREE.replace("&a", "malloc(16)").replace("&b", "malloc(16)").replace("&c", "malloc(16)")
    text = "#include <stdlib.h>\n" + text.replace("a.", "root->")
    play = Play(program_of(text, tmp_path))
    play.enter_function("mirror")
    play.to(8)
    play.change("n1->left", "n3")
    play.change("n1->right", "n2")
    play.spec()
    problem = play.problem()
    told: list[str] = []
    found = widening(problem, options=Options(told=told.append))
    assert isinstance(found, Repairs), told
    patch = found.candidates[0].patch
    assert patch.size == 2
    assert replay(problem.program, patch, problem.traces[0]).met
    assert any("with temporaries" in line and line.endswith(": satisfiable") for line in told)
    assert "saved" in text_of(problem, patch)
    check(problem.program, patch)


CASES = """#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int seen, empty;
void note(struct node *each) {
    seen = seen + 2;
}
void drop(void) {
    struct node *old = head;
    head = old->next;
    free(old);
}
int main() {
    note(head);
    drop();
    head = malloc(16);
    head->next = calloc(1, 16);
    head->data = 5;
    note(head);
    drop();
    return 0;
}
"""


def traces(program: Program, *plays: Callable[[Play], None]) -> Problem:
    """One problem of several executions of one program."""
    played = []
    for each in plays:
        play = Play(program)
        each(play)
        played.append(play.problem())
    return replace(played[0], traces=tuple(trace for problem in played for trace in problem.traces))


def test_a_statement_under_a_test(tmp_path: Path) -> None:
    """What is missing is to be done for null only, so that no plain statement does."""

    def for_null(play: Play) -> None:
        play.enter_function("note")
        play.to(7)
        play.change("empty", "1")
        play.spec()

    def for_a_node(play: Play) -> None:
        play.to(18, "main")
        play.enter_function("note")
        play.to(7)
        play.spec()

    text = CASES.replace("    drop();\n    head = malloc", "    head = malloc")
    problem = traces(program_of(text, tmp_path), for_null, for_a_node)
    told: list[str] = []
    found = widening(problem, options=Options(told=told.append))
    assert isinstance(found, Repairs)
    assert any("with statements under tests: satisfiable" in line for line in told)
    for candidate in found.candidates:
        [edit] = candidate.patch.edits
        assert isinstance(edit.replacement, Guarded)
        assert "        empty = " in text_of(problem, candidate.patch)
        assert all(replay(problem.program, candidate.patch, each).met for each in problem.traces)


@pytest.mark.thorough
def test_a_return_under_a_test(tmp_path: Path) -> None:
    """The function has nothing to do on the empty list; two of its statements crash there."""
    drop = """void drop(void) {
    struct node *old = head;
    if (old == NULL)
        return;
    head = old->next;
    old->next = NULL;
    free(old);
}
int main("""
    right = LIST.replace("int main(", drop).replace("    reverse();\n", "    reverse();\n    drop();\n")
    missing = "if (old == NULL)\n        return;\n"
    problem = asked(right, missing, "drop", tmp_path, ";\n", (("1", "2", "3"), ()))
    patch, told = repaired(problem, right, tmp_path)
    [edit] = patch.edits
    assert isinstance(edit.replacement, Guarded)
    assert isinstance(edit.replacement.statement, NewReturn)
    assert any("with statements under tests" in line for line in told)


@pytest.mark.thorough
def test_calls_in_conditions(tmp_path: Path) -> None:
    """The loop's condition calls a function and a library function, of nodes with text in them."""
    text = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; char name[8]; struct node *next; };
struct node *head, *found;
int same(const char *one, const char *two) { return strcmp(one, two) == 0; }
void push(int data, const char *name) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->data = data;
    strcpy(fresh->name, name);
    fresh->next = head;
    head = fresh;
}
void look(const char *name) {
    struct node *each = head;
    while (each != NULL && !same(each->name, name))
        each = each->next;
    found = head;
}
int main() {
    push(1, "a");
    push(2, "b");
    push(3, "c");
    look("b");
    return 0;
}
"""
    play = Play(program_of(text, tmp_path))
    play.open()
    play.to(25, "main")
    play.change("found", "n2")
    play.spec()
    problem = play.problem()
    found = widening(problem)
    assert isinstance(found, Repairs)
    texts = [text_of(problem, candidate.patch) for candidate in found.candidates]
    assert any("    found = each;" in each for each in texts)
    assert all(candidate.cost == 1 for candidate in found.candidates)
