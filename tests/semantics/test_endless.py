"""Executions that go round are told from those that merely take long."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "repair"))

from playing import Play, program_of

from wolverine.repair.execution.onward import onward
from wolverine.semantics.endless import Rounds, advance
from wolverine.semantics.machine import Machine
from wolverine.semantics.overflow import first_overflow
from wolverine.semantics.violations import first_endless

TEXT = """\
#include <stdio.h>
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
int turns;
int main(void) {{
    struct node *one = malloc(sizeof *one), *two = malloc(sizeof *two), *p = one;
    one->next = two;
    one->data = 1;
    two->next = {last};
    two->data = 2;
    while ({condition}) {{
        {body}
        p = p->next;
    }}
    return 0;
}}
"""


def machine_of(folder: Path, last: str, condition: str, body: str) -> Machine:
    return Play(program_of(TEXT.format(last=last, condition=condition, body=body), folder)).machine


CASES = [
    ("one", "p", "one->data = 5;", True),  # the same is written again and again
    ("one", "p != 0 && turns >= 0", "turns = 1 - turns;", True),  # two turns until a state comes again
    ("one", "turns < 900", "turns = turns + 1;", False),
    ("one", "turns < 900", "turns += p->data;", False),
    ("NULL", "p", "turns = 3;", False),
]


@pytest.mark.parametrize(("last", "condition", "body", "endless"), CASES)
def test_only_what_never_ends_is_ended(
    last: str, condition: str, body: str, endless: bool, tmp_path: Path
) -> None:
    machine = machine_of(tmp_path, last, condition, body)
    assert (advance(machine, 20_000) == "endless") is endless
    assert (machine.frame is None) is not endless
    assert endless is (machine.steps < 2_000 and machine.frame is not None)


@pytest.mark.parametrize(("last", "condition", "body", "endless"), CASES)
def test_the_path_is_that_of_single_steps(
    last: str, condition: str, body: str, endless: bool, tmp_path: Path
) -> None:
    plain, told, stepping = (machine_of(tmp_path, last, condition, body) for _ in range(3))
    path: list[int] = []
    stepped: list[int] = []
    assert advance(told, 20_000, path) == advance(plain, 20_000)
    assert told.steps == plain.steps
    while stepping.steps < told.steps:
        stepping.step(stepped)
    assert path == stepped[: len(path)]  # that of `run` leaves out the return with which it ends
    assert len(stepped) <= len(path) + 1
    assert stepping.key() == told.key() == plain.key()


def test_it_ends_before_a_stop_that_it_comes_to_last(tmp_path: Path) -> None:
    body = "turns = other(turns);"
    text = TEXT.replace("int main", "int other(int n) {{ n = n + 1; return n; }}\nint main")
    program = program_of(text.format(last="one", condition="turns < 900", body=body), tmp_path)
    machine = Play(program).machine
    machine.set_stops({"other": {0}})
    seen = 0
    while (outcome := advance(machine, 437)) in ("stop", "limit"):
        frame = machine.frame
        standing = frame is not None and frame.linked.name == "other" and machine.pc == 0
        assert standing is (outcome == "stop")
        seen += standing
    assert (outcome, seen) == ("exited", 900)


@pytest.mark.parametrize(("last", "condition", "body", "endless"), CASES)
def test_rounds_are_noticed_at_stops(
    last: str, condition: str, body: str, endless: bool, tmp_path: Path
) -> None:
    machine = machine_of(tmp_path, last, condition, body)
    rounds, found = Rounds(), False
    while machine.frame is not None and machine.steps < 20_000 and not found:
        machine.step()
        found = rounds.again(machine, machine.steps)
    assert found is endless


def test_what_is_printed_makes_no_other_state(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "one", "p", 'printf("%d ", p->data);')
    machine.keep_output()
    assert list(onward(machine, 20_000))[-1] == "endless"
    assert 0 < len(machine.output) < 500


def test_states_of_before_do_not_count_where_something_is_counted(tmp_path: Path) -> None:
    machine = machine_of(tmp_path, "one", "p", "turns = 4;")
    rounds = Rounds()
    for _ in range(3_000):
        machine.step()
        rounds.forget()
        assert not rounds.again(machine, machine.steps)


def test_what_is_counted_hides_rounds_in_the_same_activation_only(tmp_path: Path) -> None:
    looping = machine_of(tmp_path, "one", "p", "turns = 4;")
    rounds = Rounds()
    for _ in range(3_000):
        looping.step()
        rounds.count()
        assert not rounds.again(looping, looping.steps)
    recursive = Play(program_of(RECURSION.format(body="own += other(p);"), tmp_path)).machine
    rounds, found = Rounds(), False
    while not found and recursive.steps < 1_000:
        recursive.step()
        rounds.count()
        found = rounds.again(recursive, recursive.steps)
    assert found


RECURSION = """\
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
struct node one, two;
int turns;
int other(struct node *p);
int walk(struct node *p) {{
    int own = 1;
    {body}
    return own;
}}
int other(struct node *p) {{ return walk(p); }}
int main(void) {{
    two.next = &one;
    return walk(&two);
}}
"""
RECURSIONS = [
    ("own += walk(&one);", True),
    ("own += other(p);", True),
    ("own = p->data; own += walk(p->next ? p->next : p);", True),
    ("if (turns < 500) { turns++; own += walk(&one); }", False),
    ("if (p != NULL) own += walk(p->next);", False),
    ("one.data = own; if (two.data++ < 400) own += other(&one);", False),
    ("if (turns > 300) return 0; turns += 1; own += other(p) + walk(&two);", False),
]


@pytest.mark.parametrize(("body", "endless"), RECURSIONS)
def test_recursion_that_never_ends_is_told_from_deep_recursion(
    body: str, endless: bool, tmp_path: Path
) -> None:
    machine = Play(program_of(RECURSION.format(body=body), tmp_path)).machine
    rounds, found = Rounds(), False
    while machine.frame is not None and machine.steps < 20_000 and not found:
        machine.step()
        found = rounds.again(machine, machine.steps)
    assert found is endless
    assert (machine.steps < 1_000) is endless or machine.frame is None


GROWING = """\
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
struct node *first;
static void put(int data)
{{
    struct node *made = malloc(sizeof *made);
    made->data = data;
    made->next = first;
    first = made;
}}
static int depth(struct node *list)
{{
    if (list == NULL)
        return 0;
    return 1 + depth(list{further});
}}
int main(void)
{{
    int count = 0;
    while (count < 5) {{
        put(count);
        {body}
    }}
    return depth(first);
}}
"""


def test_a_loop_that_makes_a_node_in_each_round_is_the_outermost_that_goes_on(tmp_path: Path) -> None:
    program = program_of(GROWING.format(further="->next", body=""), tmp_path)
    found = first_endless(Play(program).machine, 20_000)
    assert found is not None
    assert found.function == "main"
    step = program.functions["main"].code[found.instruction]
    assert program.location(step.location).line == 20
    assert (
        first_endless(
            Play(program_of(GROWING.format(further="->next", body="count++;"), tmp_path)).machine, 20_000
        )
        is None
    )


def test_calls_without_an_end_are_told_long_before_the_stack_is_full(tmp_path: Path) -> None:
    program = program_of(GROWING.format(further="", body="count++;"), tmp_path)
    machine = Play(program).machine
    found = first_overflow(machine, 100_000)
    assert found is not None
    outer, inner = found
    assert (outer.function, inner.function) == ("depth", "depth")
    assert (outer.visits, inner.visits, outer.further) == (1, 3, ())
    assert 60 < len(inner.further) < 100
    assert machine.steps < 1_000
    right = program_of(GROWING.format(further="->next", body="count++;"), tmp_path)
    assert first_overflow(Play(right).machine, 100_000) is None


BUILT = """\
#include <stdlib.h>
struct bead {{ int size; struct bead *next; }};
static struct bead *strung(int left)
{{
    struct bead *one;
    if (left == 0)
        return NULL;
    one = malloc(sizeof *one);
    one->size = left;
    one->next = strung(left - 1);
    return one;
}}
static int sizes(struct bead *b)
{{
    return b == NULL ? 0 : b->size + sizes(b{step});
}}
int main(void)
{{
    return sizes(strung(200));
}}
"""


def test_calls_that_come_back_are_not_endless_however_deep(tmp_path: Path) -> None:
    found = first_overflow(Play(program_of(BUILT.format(step=""), tmp_path)).machine, 100_000)
    assert found is not None
    assert [each.function for each in found] == ["sizes", "sizes"]
    assert first_overflow(Play(program_of(BUILT.format(step="->next"), tmp_path)).machine, 100_000) is None


def test_calls_that_go_on_with_other_numbers_are_endless(tmp_path: Path) -> None:
    text = BUILT.format(step="->next").replace("left == 0", "left == 1000")
    found = first_overflow(Play(program_of(text, tmp_path)).machine, 20_000)
    assert found is not None
    assert found[0].function == "strung"


WALK = """\
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
int main(void) {{
    struct node one = {{1, NULL}}, *p = &one;
    while (p != NULL) {{
        if (p->data > 8) p = p->next; {arms}
    }}
    return 0;
}}
"""


def test_no_execution_is_to_stop_where_a_condition_decides_nothing(tmp_path: Path) -> None:
    """A condition that leads to the same statement either way has no machine code."""
    arms = "".join(f"else if (p->data == {n}) {{ }} " for n in range(9))
    program = program_of(WALK.format(arms=arms), tmp_path)
    found = first_endless(Play(program).machine, 20_000)
    assert found is not None
    function = program.functions["main"]
    span = function.units[function.unit_of[found.instruction]].span
    assert WALK.format(arms=arms)[span.start : span.end] in ("p != NULL", "p->data > 8", "if (p->data > 8)")
