"""Loops are endless whose course depends on nothing that they change, whatever they count."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import Play, program_of
from thorough import examples

from wolverine.semantics.endless import advance
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine

TEXT = """\
#include <stdlib.h>
struct node {{ int data; struct node *next; }};
int turns, sum, table[4], parity;
int twice(int n) {{ sum += 2; return n; }}
struct node *behind(struct node *p) {{ return p->next; }}
int main(void) {{
    struct node *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two), *p = one;
    one->next = two;
    one->data = 1;
    two->next = {last};
    while (p != NULL) {{
        {body}
    }}
    return turns;
}}
"""
STEP = "p = p->next;"


def machine_of(folder: Path, body: str, last: str = "one") -> Machine:
    return Play(program_of(TEXT.format(last=last, body=body), folder)).machine


@pytest.mark.parametrize(
    ("body", "endless"),
    [
        ("turns++; " + STEP, True),
        ("turns = turns * 3 + p->data; sum = turns; " + STEP, True),
        ("p->data++; two->data = sum; sum = sum + 1; p = behind(p);", True),
        ("turns++; twice(2); " + STEP, True),
        ("turns++; if (turns > 700) break; " + STEP, False),
        ("turns++; sum = turns; if (sum > 700) break; " + STEP, False),
        ("turns++; twice(turns); if (sum > 900) p = NULL; else " + STEP, False),
        ("turns++; p = turns > 700 ? NULL : p->next;", False),
        ("turns++; table[0] = turns; table[1] = table[0]; if (table[1] > 700) break; " + STEP, False),
        ("one->data++; if (p->data > 400) break; " + STEP, False),
        ("turns++; parity = !parity; if (parity && twice(turns) > 700) return 1;" + STEP, False),
    ],
)
def test_it_is_told_where_nothing_that_changes_decides(body: str, endless: bool, tmp_path: Path) -> None:
    machine = machine_of(tmp_path, body)
    assert (advance(machine, 30_000) == "endless") is endless
    assert machine.steps < 3_000 or not endless
    assert (machine.frame is None) is not endless


@pytest.mark.parametrize(
    "body",
    [
        "turns++; sum = table[turns]; " + STEP,  # some day beyond the array
        "turns--; sum = 7 / (turns + 700); " + STEP,
        "turns++; sum = turns > 700 ? *(int *) NULL : 0; " + STEP,
        "turns++; p = calloc(1, sizeof *p); if (turns > 700) p = NULL;",
    ],
)
def test_what_fails_some_day_has_an_end(body: str, tmp_path: Path) -> None:
    machine, ended = machine_of(tmp_path, body), ""
    with suppress(Fault):
        ended = advance(machine, 30_000)
    assert ended != "endless"


def test_rounds_that_are_asked_of_one_by_one_count_nothing(tmp_path: Path) -> None:
    assert advance(machine_of(tmp_path, "turns++; " + STEP), 30_000, counting=False) == "limit"


PIECES = st.sampled_from(
    [
        "turns++;",
        "sum += turns;",
        "sum = p->data;",
        "p->data = turns;",
        "one->data++;",
        "parity = !parity;",
        "table[parity] = sum;",
        "sum = table[1];",
        "twice(1);",
        "sum = twice(turns);",
        "if (parity) turns++;",
        "if (sum > 800) break;",
        "if (p->data > 300) break;",
        "if (table[0] > 500) p = NULL; if (p == NULL) break;",
        STEP,
        "p = behind(p);",
    ]
)


@settings(
    max_examples=examples(12, 1_000),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pieces=st.lists(PIECES, min_size=1, max_size=6))
def test_nothing_that_is_called_endless_ends(pieces: list[str], tmp_path: Path) -> None:
    program = program_of(TEXT.format(last="one", body=" ".join(pieces)), tmp_path)
    if advance(Play(program).machine, 20_000) == "endless":
        assert Play(program).machine.run(60_000) == "limit"
