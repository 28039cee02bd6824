"""Parameters that index arrays, and what they are given on fresh heaps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.program import Program
from wolverine.semantics.indexing import counts_of, index_bounds, index_fields

TABLE = """
struct cell {{ int v; struct cell *right; }};
struct table {{ struct cell *row[3]; int wide[7][4]; }};
int numbers[5];
int f(struct table *t, unsigned r, int k) {{ {body} }}
"""


@pytest.mark.parametrize(
    ("body", "bounds"),
    [
        ("struct cell **pp = &t->row[r]; return *pp != 0;", {"r": 3}),
        ("return t->wide[r][k] + t->row[r]->v;", {"r": 3, "k": 4}),
        ("t->row[r] = 0; return numbers[k + 1];", {"r": 3}),
        ("if (numbers[k] > 0) return k; return 0;", {"k": 5}),
        ("while (numbers[k] > 0) k++; return k;", {}),
        ("int *p = numbers; return p[k];", {}),
    ],
)
def test_lengths_of_the_arrays(lower: Callable[[str], Program], body: str, bounds: dict[str, int]) -> None:
    assert index_bounds(lower(TABLE.format(body=body)).functions["f"]) == bounds


GRAPH = """
struct edge {{ int to, weight; struct edge *next; }};
struct graph {{ int *seen; struct edge *out[8]; }};
int g(struct graph *all, int at) {{ return all->seen[at]; }}
int f(struct graph *all, struct edge *e) {{ {body} }}
"""


@pytest.mark.parametrize(
    ("body", "indexes"),
    [
        ("return all->out[e->to] != 0;", True),
        ("int v = e->to; return all->seen[v];", True),
        ("return g(all, e->to);", True),
        ("return all->seen[e->to - 1];", True),
        ("return all->seen[3] + e->to;", False),
        ("return all->seen[e->to % 5];", False),
    ],
)
def test_fields_that_index_arrays(lower: Callable[[str], Program], body: str, indexes: bool) -> None:
    assert index_fields(lower(GRAPH.format(body=body))) == ({("edge", 0)} if indexes else frozenset())


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("for (i = 0; i < n; i++) s += v[i];", {"n": {("v", False)}}),
        ("while (n > i) { v[i] = 0; i++; }", {"n": {("v", False)}}),
        ("for (i = 0; i < n; i++) s += rows[i] != 0;", {"n": {("rows", False)}}),
        ("for (i = 0; i < n; i++) s += rows[0][i];", {"n": {("rows", True)}}),
        ("for (i = 0; i < n; i++) s += *rows[i];", {"n": {("rows", False)}}),
        ("for (i = 0; i < n; i++) s += v[0];", {}),
        ("for (n++, i = 0; i < n; i++) s += v[i];", {}),
        ("for (v = *rows, i = 0; i < n; i++) s += v[i];", {}),
    ],
)
def test_parameters_up_to_which_arrays_are_gone_through(
    lower: Callable[[str], Program], body: str, counts: dict[str, set[tuple[str, bool]]]
) -> None:
    program = lower(f"int f(int *v, int **rows, int n) {{ int i = 0, s = 0; {body} return s; }}")
    assert counts_of(program.functions["f"]) == counts
