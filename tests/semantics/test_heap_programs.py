"""Random well-defined heap programs: the model's result against gcc's."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from thorough import examples

from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.frontend import load
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

HEAD = """
#include <stdio.h>
#include <stdlib.h>
struct inner { short a; unsigned char b[3]; };
struct node { int data; struct node *next; struct node *prev; struct inner in; long w; };
struct node *g; int depth;
static struct node *make(int v, struct node *next) {
    struct node *n = calloc(1, sizeof *n);
    n->data = v; n->next = next; n->in.b[v & 1] = (unsigned char)(v * 7);
    if (next) next->prev = n;
    return n;
}
static void put(struct node **where, struct node *what) { if (where != NULL) *where = what; }
static int count(struct node *p, int bound) {
    return p == NULL || bound == 0 ? 0 : 1 + count(p->next, bound - 1);
}
static struct inner mix(struct inner one, struct node *p) { one.a += p->data; one.b[2] ^= 3; return one; }
static long hash(struct node *p) {
    long h = 17; int steps = 0;
    for (; p != NULL && steps < 12; p = p->next, steps++) {
        h = h * 31 + p->data + p->in.a * 5 + p->in.b[1] + (p->prev != NULL) + p->w % 1000;
        if (p->prev == p) break;
    }
    return h;
}
"""


def _statement(pick: random.Random, depth: int) -> str:
    p, q, r = (pick.choice("pqr") for _ in range(3))
    field = pick.choice(("next", "prev"))
    number = pick.randint(-5, 40)
    simple = [
        f"{p} = make({number}, {q});",
        f"{p} = {q};",
        f"if ({p}) {p}->{field} = {q};",
        f"if ({p} && {p}->{field}) {q} = {p}->{field};",
        f"if ({p} != NULL) {p}->data = {number} * i + ({q} == {r});",
        f"if ({p}) {p}->w += {p}->data << {pick.randint(0, 20)};",
        f"if ({p} && {q}) {p}->in = {q}->in;",
        f"if ({p}) {p}->in = mix({p}->in, {p});",
        f"put({p} ? &{p}->{field} : &g, {q});",
        f"put(&{p}, {q});",
        f"a[{pick.randint(0, 3)}] = count({p}, 6) - a[{pick.randint(0, 3)}]++;",
        "{ int *c = &a[1]; c[1] = *c - *(c + 2); }",
        f"i = {p} ? {p}->data % 7 : i + 1;",
        f"if ({p}) {{ struct node copy = *{p}; copy.data++; *{p} = copy; }}",
        f"g = {p};",
        f"{p} = g;",
    ]
    if depth == 0:
        return pick.choice(simple)
    body = " ".join(_statement(pick, depth - 1) for _ in range(pick.randint(1, 3)))
    match pick.randint(0, 5):
        case 0:
            return f"for (k{depth} = 0; k{depth} < {pick.randint(1, 4)}; k{depth}++) {{ {body} }}"
        case 1:
            other = _statement(pick, depth - 1)
            return f"if ({p} != {q} || a[0] > {number}) {{ {body} }} else {{ {other} }}"
        case 2:
            m = f"m{depth}"
            return f"{m} = {pick.randint(1, 5)}; do {{ {body} if (--{m} == 2) continue; }} while ({m} > 0);"
        case _:
            return body


def _function(pick: random.Random, index: int) -> str:
    body = "\n    ".join(_statement(pick, 2) for _ in range(8))
    return f"""static long f{index}(void) {{
    struct node *p = NULL, *q = NULL, *r = NULL; int a[4] = {{1, 2}}; int i = 1, k1, k2, m1, m2;
    g = NULL;
    {body}
    return hash(p) ^ hash(q) * 3 ^ hash(r) * 5 ^ hash(g) * 7 ^ (a[0] + a[1] * 2 + a[2] * 4 + a[3] * 8 + i);
}}
"""


def test_random_heap_programs_agree_with_gcc(tmp_path: Path) -> None:
    pick = random.Random(7)
    total = examples(25, 60)
    text = HEAD + "".join(_function(pick, i) for i in range(total))
    calls = " ".join(f'printf("%ld\\n", f{i}());' for i in range(total))
    native, model = tmp_path / "native.c", tmp_path / "model.c"
    native.write_text(f"{text}int main(void) {{ {calls} return 0; }}\n")
    model.write_text(
        f"{text}long results[{total}];\nint main(void) {{ "
        + " ".join(f"results[{i}] = f{i}();" for i in range(total))
        + " return 0; }\n"
    )
    binary = tmp_path / "native"
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-o", binary, native], check=True)
    done = subprocess.run([binary], capture_output=True, check=True, timeout=20)
    wanted = [int(line) for line in done.stdout.split()]
    program = load([model]).program
    assert [f.unsupported for f in program.functions.values() if f.unsupported] == []
    machine = Machine(program)
    start = MemoryGraph(program.types, cells={Place(VariableId(-1, "", "g"), 0): None})
    seat(machine, start, (("main", 0),))
    try:
        outcome = machine.run(5_000_000)
    except Unmodelled as problem:
        raise AssertionError(problem.reason) from problem
    assert outcome == "exited"
    final = graph_of(machine, start)
    results = VariableId(-1, "", "results")
    assert [final.cells[Place(results, 8 * i)] for i in range(total)] == wanted
