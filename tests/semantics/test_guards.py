"""Guarded statements and returns put into gaps: the model does what the compiled text does."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Literal

import pytest

from wolverine.core.expressions import Binary, Constant, Load, VariableReference, lvalue_text
from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.patch import (
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewJump,
    NewNode,
    NewReturn,
    NewSkip,
    Patch,
    Several,
    ShortCircuit,
)
from wolverine.core.program import Assign, Before, Gap, Keyword, Program
from wolverine.core.types import INT
from wolverine.frontend import check, describe, emit
from wolverine.repair.menus.skips import passed_over, skips
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.replacing import patched
from wolverine.semantics.state import graph_of, seat

TEXT = """\
int result;
int f(int a, int b)
{
    int c = a - b;
    while (c > 2)
        c--;
    return c;
}
void g(int a)
{
    result = result * 10 + a;
    result++;
}
int main(void)
{
    g(1);
    g(f(9, 4));
    g(f(3, 3));
    g(2);
    return 0;
}
"""
A, B, C = (VariableReference(name, INT) for name in "abc")
RESULT = VariableReference("result", INT, "global")


def number(value: int) -> Constant:
    return Constant(value, INT)


def compare(operator: str, place: VariableReference, value: int) -> Binary:
    return Binary(operator, Load(place), number(value), INT)


def inserted(
    program: Program, function: str, line: int, what: Guarded | NewReturn | NewJump | Several | NewNode
) -> Patch:
    gaps = {step.location for step in program.functions[function].code if isinstance(step, Gap)}
    return Patch((Edit(next(g for g in sorted(gaps) if program.location(g).line == line), what),))


CASES = {
    "assignment": ("f", 5, Guarded(compare("==", C, 5), NewAssignment(C, number(1)))),
    "assignment in a loop": ("f", 6, Guarded(compare(">", C, 4), NewAssignment(C, number(2)))),
    "one of two assignments": (
        "f",
        6,
        Guarded(compare(">", C, 4), NewAssignment(C, number(2)), NewAssignment(B, Load(C))),
    ),
    "return of a value": ("f", 5, Guarded(compare("==", A, 3), NewReturn(Load(B)))),
    "return out of a loop": ("f", 6, Guarded(compare("<", C, 5), NewReturn(number(8)))),
    "bare return": ("g", 11, Guarded(compare("==", A, 2), NewReturn())),
    "assignment and return": (
        "g",
        12,
        Guarded(compare("!=", A, 1), NewReturn(None, NewAssignment(RESULT, Load(A)))),
    ),
    "several statements": (
        "f",
        6,
        Guarded(compare(">", C, 4), NewBlock((NewAssignment(B, Load(C)), NewAssignment(C, number(1))))),
    ),
    "a statement and a return of a value": (
        "f",
        5,
        Guarded(compare("==", A, 3), NewBlock((NewAssignment(RESULT, number(3)),), NewReturn(Load(B)))),
    ),
    "several statements and a return": (
        "g",
        12,
        Guarded(
            compare("!=", A, 1),
            NewBlock((NewAssignment(RESULT, Load(A)), NewAssignment(A, number(4))), NewReturn()),
        ),
    ),
    "several statements and a jump": (
        "f",
        6,
        Guarded(
            compare(">", C, 4),
            NewBlock((NewAssignment(B, Load(C)), NewAssignment(C, number(1))), onward=NewJump("break")),
        ),
    ),
    "calls among several statements": (
        "main",
        17,
        Guarded(
            compare("<", RESULT, 20),
            NewBlock(
                (
                    NewCall("g", (number(5),)),
                    NewAssignment(RESULT, Binary("+", Load(RESULT), number(3), INT)),
                    NewCall("g", (Load(RESULT),)),
                )
            ),
        ),
    ),
    "unguarded": ("g", 12, NewReturn()),
    "two in a row": (
        "f",
        5,
        Several((NewAssignment(C, number(9)), NewAssignment(A, Load(C)), NewAssignment(C, number(4)))),
    ),
    "in a row in a loop": ("f", 6, Several((NewAssignment(B, Load(C)), NewAssignment(C, number(2))))),
}


def exit_status(text: str, folder: Path) -> int:
    source, binary = folder / "guards.c", folder / "guards"
    source.write_text(text.replace("return 0;", "return result & 127;"))
    subprocess.run(["gcc", "-w", "-o", str(binary), str(source)], check=True)
    return subprocess.run([str(binary)], check=False).returncode


@pytest.mark.parametrize("name", CASES)
def test_the_model_agrees_with_the_compiled_text(
    name: str,
    lower: Callable[[str], Program],
    entry: Callable[[Program], MemoryGraph],
    tmp_path: Path,
) -> None:
    program = lower(TEXT)
    patch = inserted(program, *CASES[name])
    check(program, patch)
    expected = exit_status(emit(program, patch)[0].decode(), tmp_path)
    assert exit_status(TEXT, tmp_path) != expected
    result = _result(program, patch, entry(program))
    assert result is not None and result & 127 == expected


def test_several_statements_are_done_instead_of_what_is_there(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    program = lower(TEXT)
    function = program.functions["g"]
    passed = next(
        (step.location, each)
        for index, step in enumerate(function.code)
        for each in passed_over(program, function, index)
        if isinstance(step, Gap) and not each.whole and each.at == index
    )
    location, over = passed
    call = NewCall("f", (number(9), number(4)))
    statements = (NewAssignment(RESULT, number(40)), call, NewAssignment(A, number(0)))
    block = NewBlock(statements, onward=NewSkip(over.until, over.last))
    patch = Patch((Edit(location, Guarded(compare("==", A, 2), block)),))
    check(program, patch)
    text = emit(program, patch)[0].decode()
    assert (
        "    if (a == 2) {\n        result = 40;\n        f(9, 4);\n        a = 0;\n    } else {\n"
        "        result = result * 10 + a;\n    }\n" in text
    )
    expected = exit_status(text, tmp_path)
    assert exit_status(TEXT, tmp_path) != expected
    assert _result(program, patch, entry(program)) == expected


FREEING = """\
#include <stdlib.h>
struct node { struct node *next; };
int result;
int main(void)
{
    struct node *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    one->next = other;
    other->next = NULL;
    result = 1 + (one->next == NULL);
    return 0;
}
"""


def test_what_is_freed_among_several_statements_is_so_in_the_model_and_in_the_text(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    program = lower(FREEING)
    steps = [step for step in program.functions["main"].code if isinstance(step, Assign)]
    link = next(step.target for step in steps if lvalue_text(step.target) == "one->next")
    freed, cleared = NewCall("free", (Load(link),)), NewAssignment(link, Constant(0, link.type))
    test = Binary("!=", Load(link), Constant(0, link.type), INT)
    patch = inserted(program, "main", 9, Guarded(test, NewBlock((freed, cleared, freed))))
    check(program, patch)
    assert _result(program, patch, entry(program)) == 2
    assert exit_status(emit(program, patch)[0].decode(), tmp_path) == 2
    twice = inserted(program, "main", 9, Guarded(test, NewBlock((freed, freed))))
    with pytest.raises(Fault):
        _result(program, twice, entry(program))


def _result(program: Program, patch: Patch, start: MemoryGraph) -> int | None:
    """What the model leaves in the global `result` under a patch; None where it comes to no end."""
    machine = Machine(program, patch)
    seat(machine, start, (("main", 0),))
    while machine.run(10_000) != "exited":
        if machine.steps >= 10_000:
            return None
    found = graph_of(machine, start).cells[Place(VariableId(-1, "", "result"), 0)]
    assert isinstance(found, int)
    return found


LOOPS = """\
int result;
int each(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        sum += 1;
        switch (i) {
        case 1:
            sum += 10;
            i++;
            sum += 20;
        default:
            sum += 2;
        }
        while (sum > 40) {
            sum = sum - 3;
            sum = sum - 4;
        }
        do {
            sum = sum + 1;
            sum = sum + 2;
        } while (sum < 9);
        sum += 5;
    }
    return sum;
}
int main(void)
{
    result = each(6);
    return 0;
}
"""


@pytest.mark.parametrize("test", [None, 2, 4])
@pytest.mark.parametrize(
    ("keyword", "line"),
    [
        *product(["break"], [6, 10, 11, 13, 16, 17, 20, 21, 23]),
        *product(["continue"], [6, 10, 11, 13, 17, 21, 23]),
    ],
)
def test_a_jump_goes_on_where_it_does_in_c(
    keyword: Keyword,
    test: int | None,
    line: int,
    lower: Callable[[str], Program],
    entry: Callable[[Program], MemoryGraph],
    tmp_path: Path,
) -> None:
    program = lower(LOOPS)
    i = VariableReference("i", INT)
    jump = NewJump(keyword)
    made = jump if test is None else Guarded(compare("==", i, test), jump)
    patch = inserted(program, "each", line, made)
    check(program, patch)
    expected = exit_status(emit(program, patch)[0].decode(), tmp_path)
    result = _result(program, patch, entry(program))
    assert result is not None and result & 127 == expected


REPEATED = """\
int result;
int each(int n)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        if (sum % 8 < 5 && i != 2) {
            sum += 3;
        }
        if (i == 3) { sum++; break; }
        if (sum % 5 > 1) { if (sum % 2 == 1) sum++; sum++; }
        if (i == 1) sum += 5; else if (sum % 3 != 1) sum++;
        do { if (sum & 1) { if (sum > 40) break; sum += 4; } sum++; } while (sum < 8);
    }
    if (sum < 30) { while (sum % 7) sum++; sum++; }
    return sum;
}
int main(void)
{
    result = each(6);
    return 0;
}
"""


def test_an_if_that_becomes_a_while_does_what_it_does_in_c(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    program = lower(REPEATED)
    slots = [step for step in program.functions["each"].code if isinstance(step, Gap) and step.repeats >= 0]
    lines = [each.line for each in describe(program, Patch(tuple(map(_repeated, slots))))]
    assert lines == [6, 10, 10, 11, 14]  # not where `break` or `else` would be the loop's
    for slot in slots:
        patch = Patch((_repeated(slot),))
        check(program, patch)
        found = _result(program, patch, entry(program))
        written = emit(program, patch)[0].decode()
        assert written.count("while (") == REPEATED.count("while (") + 1
        assert found is not None and found & 127 == exit_status(written, tmp_path)


def _repeated(slot: Gap) -> Edit:
    return Edit(slot.location, NewJump("while"))


def test_what_is_passed_over_is_in_c_as_well(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    program = lower(LOOPS)
    function = program.functions["each"]
    place = VariableReference("sum", INT)
    passed: list[tuple[int, NewSkip]] = []
    for index, step in enumerate(function.code):
        if isinstance(step, Gap) and step.location >= 0:
            passed += ((step.location, each) for each in skips(program, function, index, {"i", "sum"}, []))
    assert len(passed) > 5
    special = NewAssignment(place, Constant(90, INT))
    for (gap, skip), instead in product(passed, (None, special)):
        made = Guarded(compare("==", VariableReference("i", INT), 2), replace(skip, instead=instead))
        patch = Patch((Edit(gap, made),))
        check(program, patch)
        found = _result(program, patch, entry(program))
        if found is not None:
            assert exit_status(emit(program, patch)[0].decode(), tmp_path) == found & 127


LEFT = """\
int result;
int down(int n)
{
    if (n <= 0)
        return 0;
    result += n;
    if (n == 4) return down(n - 2);
    result++;
    return down(n - 1);
}
int each(int n)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i == 1) {
            result += 3;
            continue;
        } else if (i == 3)
            break;
        result++;
        if (i == 5)
            goto out;
    }
    while (n > 0) {
        n--;
        if (result > 90) { result -= 7; return n; }
        result += 2;
        if (n % 2 == 0)
            break;
    }
out:
    return result;
}
void last(void)
{
    do {
        if (result > 20)
            return;
        result += 5;
    } while (result < 30);
    result *= 2;
}
int main(void)
{
    each(6);
    down(5);
    last();
    return 0;
}
"""


@pytest.mark.parametrize("line", [5, 7, 17, 19, 22, 29, 38])
def test_without_a_jump_it_goes_on_as_in_c(
    line: int, lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    """`return f(x);` is still a call, which the function does not end with."""
    program = lower(LEFT)
    [at] = [each.id for each in program.locations if each.kind == "jump" and each.line == line]
    patch = Patch((Edit(at, Deletion()),))
    check(program, patch)
    written = emit(program, patch)[0].decode()
    if line == 5:  # without an end
        assert "if (n <= 0)\n        {}\n" in written
        return
    assert _result(program, patch, entry(program)) & 127 == exit_status(written, tmp_path)


HIDDEN = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
int result;
void link(void)
{
    struct node *fresh = head;
    fresh->data = 5;
    fresh->next = head;
    head = fresh;
    result = head->next->data * 10 + head->data;
}
int main(void)
{
    head = calloc(1, sizeof(struct node));
    link();
    return 0;
}
"""


@pytest.mark.parametrize("target", ["fresh", "saved"])
def test_a_hidden_node_is_allocated(
    target: str,
    lower: Callable[[str], Program],
    entry: Callable[[Program], MemoryGraph],
    tmp_path: Path,
) -> None:
    program = lower(HIDDEN)
    function = program.functions["link"]
    known = (*function.locals, *function.temporaries, *program.globals)
    variable = next(v for v in known if v.name == target)
    patch = inserted(program, "link", 8, NewNode(variable, 16))
    check(program, patch)
    expected = exit_status(emit(program, patch)[0].decode(), tmp_path)
    assert expected == {"fresh": 5, "saved": 55}[target]
    machine = Machine(program, patch)
    seat(machine, entry(program), (("main", 0),))
    while machine.run(10_000) != "exited":
        assert machine.steps < 10_000
    graph = graph_of(machine, entry(program))
    assert graph.cells[Place(VariableId(-1, "", "result"), 0)] == expected
    assert len(graph.nodes) == 2


def test_several_count_as_several(lower: Callable[[str], Program]) -> None:
    made = Several((NewAssignment(C, number(1)), NewAssignment(A, number(2))))
    assert inserted(lower(TEXT), "f", 5, made).size == 2


def test_an_assignment_before_a_return_with_a_value_is_refused(lower: Callable[[str], Program]) -> None:
    program = lower(TEXT)
    both = NewReturn(number(1), NewAssignment(C, number(2)))
    with pytest.raises(ValueError, match="no instruction"):
        patched(program, inserted(program, "f", 5, both))


CALLING = """\
int result, calls;
int less(int a, int b)
{
    calls++;
    return a < b;
}
int f(int a, int b)
{
    int c = 0;
    while (less(c, a)) {
        c++;
        if (!less(a, b) && c > 1)
            c += 2;
        if (c > 20 || less(b, c)) break;
    }
    for (; less(c, 30) && b; c += 7)
        ;
    return c;
}
int main(void)
{
    result = f(3, 9) + f(9, 3) + f(12, 10) * calls;
    return 0;
}
"""
TESTS: tuple[tuple[Literal["&&", "||"], str, int], ...] = (("&&", "<", 5), ("&&", ">", 3), ("||", "<", 5))


def test_a_test_in_front_of_a_condition_that_calls(
    lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph], tmp_path: Path
) -> None:
    program = lower(CALLING)
    slots = [step.location for step in program.functions["f"].code if isinstance(step, Before)]
    assert len(slots) == 4
    different = set()
    for slot, (operator, comparison, value) in product(slots, TESTS):
        patch = Patch((Edit(slot, ShortCircuit(operator, compare(comparison, C, value))),))
        check(program, patch)
        expected = exit_status(emit(program, patch)[0].decode(), tmp_path)
        assert _result(program, patch, entry(program)) & 127 == expected
        different.add(expected)
    assert len(different) > 6
