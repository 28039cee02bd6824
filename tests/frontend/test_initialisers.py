"""Initialiser lists mean in the model what gcc makes of them (C11 6.7.9)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wolverine.core.graph import MemoryGraph
from wolverine.core.program import Concrete
from wolverine.frontend import load
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

TYPES = """\
#include <stdio.h>
struct inner { int a, b; };
struct mixed { struct inner in; int row[3]; char name[4]; long tail; };
static int next(int *at) { return ++*at; }
"""
LISTS = [
    ("struct inner x = {0};", "x.a, x.b, 0, 0"),
    ("struct mixed x = {0};", "x.in.b, x.row[2], x.name[1], (int)x.tail"),
    ("struct mixed x = {1, 2, 3, 4, 5, 'u', 'v', 'w', 'x', 9};", "x.in.b, x.row[2], x.name[3], (int)x.tail"),
    ('struct mixed x = {1, 2, {3}, "abc", 9};', "x.in.b, x.row[1], x.name[2], (int)x.tail"),
    (
        "struct mixed x[2] = {{{1, 2}, {3}, {4}, 5}, 6, 7, 8};",
        "x[0].in.b, x[1].in.b, x[1].row[0], x[1].row[1]",
    ),
    ("struct inner y = {7, 8}; struct mixed x = {y, 9};", "x.in.a, x.in.b, x.row[0], x.row[1]"),
    ("struct inner y = {7, 8}; struct inner x[2] = {y, 9};", "x[0].b, x[1].a, x[1].b, 0"),
    ("struct mixed x = {.row = {[1] = 4, 5}, .tail = 6, };", "x.in.a, x.row[1], x.row[2], (int)x.tail"),
    ("struct mixed x = {.row[1] = 4, .in.b = 3, .row[2] = 5};", "x.row[1], x.row[2], x.in.b, x.in.a"),
    ("int x[2][3] = {1, 2, 3, 4};", "x[0][2], x[1][0], x[1][1], 0"),
    ("int x[][2] = {1, 2, 3};", "x[1][0], x[1][1], (int)sizeof x, 0"),
    ("int x[][2] = {{1}, {2}, {3}};", "x[1][0], x[1][1], (int)sizeof x, 0"),
    ("int n = 0; int x[2][2] = {next(&n), next(&n), {next(&n)}};", "x[0][0], x[0][1], x[1][0], n"),
    ("int *x[400] = {0};", "x[0] == 0, x[399] == 0, 0, 0"),
    ("int n = 3, x[900] = {[899] = 3, [7] = next(&n), 6};", "x[899], x[8], x[7], n"),
    ('char x[700] = "ab";', "x[0], x[1], x[2], x[699]"),
]


@pytest.mark.parametrize(("given", "shown"), LISTS)
def test_lists_of_values(given: str, shown: str, tmp_path: Path) -> None:
    source, binary = tmp_path / "p.c", tmp_path / "p"
    source.write_text(f'{TYPES}int main(void) {{ {given} printf("%d %d %d %d\\n", {shown}); return 0; }}\n')
    subprocess.run(["gcc", "-w", "-o", binary, source], check=True)
    wanted = subprocess.run([binary], capture_output=True, check=True, text=True).stdout
    program = load([source]).program
    reasons = [step.reason for step in program.functions["main"].code if isinstance(step, Concrete)]
    assert all("printf" in reason or reason == "long initialiser list" for reason in reasons), reasons
    machine = Machine(program)
    machine.keep_output()
    seat(machine, MemoryGraph(program.types), (("main", 0),))
    machine.run(50_000)
    assert machine.output == wanted


def test_what_is_not_modelled_is_left_to_the_process(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"{TYPES}int main(void) {{ struct mixed x = {{.row[1] = 4, 5}}; return x.row[1]; }}\n")
    steps = load([source]).program.functions["main"].code
    assert any(isinstance(step, Concrete) and "designator" in step.reason for step in steps)
