"""A `break` or `continue` that was forgotten, and jumps that are too much."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, crash, program_of, unseen, words

from wolverine.core.patch import Candidate, Deletion, Repairs
from wolverine.core.program import Gap
from wolverine.core.trace import Problem
from wolverine.repair import search
from wolverine.repair.menus.jumps import offered, removable, whole_arm
from wolverine.repair.menus.wording import replacement_text
from wolverine.semantics.replay import replay

LIST = """\
#include <stdlib.h>
struct node { int key; int value; struct node *next; };
struct node *head, *last;
int count;
void push(int key) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->key = key;
    fresh->value = 0;
    fresh->next = head;
    head = fresh;
}
FUNCTION
int main(void) {
    push(9); push(7); push(7); push(7); push(4);
    run(head, 7);
    return 0;
}
"""

UNIQUE = """\
void run(struct node *cur, int key) {
    while (cur && cur->next) {
        if (cur->key == cur->next->key) {
            struct node *same = cur->next;
            cur->next = same->next;
            free(same);
            count++;
        }
        cur = cur->next; // on
    }
}
"""

REPLACED = """\
void run(struct node *cur, int key) {
    while (cur) {
        if (cur->key == key) {
            cur->value = 1;
            last = cur;
            count++;
        }
        cur = cur->next;
    }
    count *= 2; // behind
}
"""

PAIRS = """\
void run(struct node *cur, int key) {
    struct node *other;
    while (cur) {
        last = cur;
        other = cur->next;
        while (other) { // inner
            if (other->key == key) {
                count++;
            }
            other = other->next;
        }
        cur = cur->next;
    }
}
"""


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.split("\n"), 1) if part in line)


def played(function: str, folder: Path) -> tuple[Play, str]:
    text = LIST.replace("FUNCTION\n", function)
    play = Play(program_of(text, folder))
    play.enter_function("run")
    return play, text


def test_what_is_an_else_where_it_was_forgotten(tmp_path: Path) -> None:
    play, text = played(UNIQUE, tmp_path)
    for _ in range(2):
        play.to(line_of(text, "// on"))
    play.to(line_of(text, "while (cur"))
    play.change("cur", "n4")
    play.spec()
    problem = unseen(play.problem())
    repairs = search(problem)
    assert isinstance(repairs, Repairs)
    assert words(play.program, repairs.candidates[0]) == "continue"
    [trace] = problem.traces
    assert all(replay(play.program, each.patch, trace).met for each in repairs.candidates)


def test_the_first_one_is_enough(tmp_path: Path) -> None:
    play, text = played(REPLACED, tmp_path)
    play.to(line_of(text, "// behind"))
    for place, value in (("n3->value", "0"), ("n2->value", "0"), ("last", "n4"), ("count", "1")):
        play.change(place, value)
    play.change("cur", "n4")
    play.spec()
    assert words(play.program, best(unseen(play.problem()))) == "break"


def test_a_jump_leads_to_what_is_written_only_in_an_outer_loop(tmp_path: Path) -> None:
    play, text = played(PAIRS, tmp_path)
    play.to(line_of(text, "// inner"))
    play.to(line_of(text, "// inner"))
    for place, value in (("last", "n4"), ("other", "n3"), ("cur", "n4")):
        play.change(place, value)
    play.spec()
    assert words(play.program, best(unseen(play.problem()))) == "break"


FREED = """\
void run(struct node *cur, int key) {
    struct node *before = NULL;
    while (cur) {
        if (cur->key == key) {
            if (before == NULL)
                head = cur->next;
            else
                before->next = cur->next;
            free(cur);
        }
        before = cur;
        cur = cur->next;
    }
}
"""


@pytest.mark.thorough
def test_a_loop_that_has_freed_its_node_goes_on_no_more(tmp_path: Path) -> None:
    problem = crash(LIST.replace("FUNCTION\n", FREED), "run", tmp_path, strict=True)
    assert words(problem.program, best(problem)) == "break"


@pytest.mark.parametrize(
    ("body", "jumps"),
    [
        ("while (n) { if (n == 2) { n = 1; } n--; }", {"break", "continue", "while for if"}),  # at its end
        ("while (n) { n--; }", set()),  # a loop that is none any more, what goes on anyway
        ("while (n) { n--; n = 3; }", set()),
        ("if (n) { n = 1; } n = 2;", {"while for if"}),
        ("switch (n) { case 1: n = 4; case 2: n = 5; }", {"break"}),
        ("while (n) switch (n) { case 1: n = 0; case 2: n--; }", {"break", "continue"}),
    ],
)
def test_no_statement_is_idle_behind_a_jump(body: str, jumps: set[str], tmp_path: Path) -> None:
    program = program_of(f"void run(int n) {{ {body} }}\nint main(void) {{ run(3); return 0; }}\n", tmp_path)
    code = program.functions["run"].code
    gaps = (index for index, step in enumerate(code) if isinstance(step, Gap))
    found = {replacement_text(made) for index in gaps for made in offered(program, "run", index)}
    assert found == jumps


def test_a_loop_goes_on_where_it_ended_too_early(tmp_path: Path) -> None:
    play, text = played(REPLACED.replace("count++;", "count++; break;"), tmp_path)
    play.to(line_of(text, "// behind"))
    for place, value in (("n3->value", "1"), ("n2->value", "1"), ("last", "n2"), ("count", "3")):
        play.change(place, value)
    play.change("cur", "null")
    play.spec()
    problem = unseen(play.problem())
    found = best(problem)
    assert gone(problem, found) == ["break"]
    [trace] = problem.traces
    assert replay(problem.program, found.patch, trace, own_control=True).met


MARKED = """\
int marked(struct node *cur, int key) {
    if (!cur)
        return 0;
    if (cur->key == key) {
        cur->value = 1;
        return marked(cur->next, key) + 1;
    }
    if (cur->next)
        return marked(cur->next, key);
    cur->value = 2;
    for (;;) {
        if (key) break;
        key++;
    }
    return 0;
}
void run(struct node *cur, int key) {
    while (cur) {
        if (cur->key < key) return;
        count += marked(cur, key);
        return;
    }
    count = 7; // end
}
"""


def test_which_jumps_may_go(tmp_path: Path) -> None:
    """Not what a function with a value ends with, nor the only way out of a loop."""
    program = program_of(LIST.replace("FUNCTION\n", MARKED), tmp_path)
    found = {
        program.location(step.location).text: removable(function, index)
        for function in (program.functions["marked"], program.functions["run"])
        for index, step in enumerate(function.code)
        if step.location >= 0 and program.location(step.location).kind == "jump"
    }
    assert found == {
        "return 0": False,  # the last of two
        "return marked(cur->next, key) + 1": True,
        "return marked(cur->next, key)": True,
        "break": False,
        "return": True,
    }


def test_what_a_jump_returns_is_done_besides(tmp_path: Path) -> None:
    """So such a jump is not all that a condition leads to."""
    program = program_of(LIST.replace("FUNCTION\n", MARKED), tmp_path)
    found = {
        program.location(step.location).text: whole_arm(function, index)
        for function in (program.functions["marked"],)
        for index, step in enumerate(function.code)
        if step.location >= 0 and program.location(step.location).kind == "jump"
    }
    assert found == {
        "return 0": False,  # the last of two
        "return marked(cur->next, key) + 1": False,
        "return marked(cur->next, key)": False,
        "break": True,
    }


def gone(problem: Problem, found: Candidate) -> list[str]:
    """What is deleted."""
    return [
        problem.program.location(edit.location).text
        for edit in found.patch.edits
        if isinstance(edit.replacement, Deletion)
    ]
