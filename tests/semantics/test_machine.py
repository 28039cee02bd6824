"""The machine: what C means, what it must not do, and undoing."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wolverine.core.expressions import Binary, Constant, Load, VariableReference
from wolverine.core.graph import MemoryGraph, Node, NodeId, Place, Pointer, VariableId
from wolverine.core.patch import Deletion, Edit, NewAssignment, NewCall, NewValue, Patch
from wolverine.core.program import Assign, Branch, Gap, Program
from wolverine.core.types import INT, LONG, StructReference
from wolverine.frontend import load
from wolverine.semantics.address import KIND_SHIFT, POINTER, node_address
from wolverine.semantics.encoding import encode_graph
from wolverine.semantics.faults import Fault, Unmodelled
from wolverine.semantics.machine import NO_PATCH, PATH_MARK, Machine
from wolverine.semantics.state import graph_of, seat

Lower = Callable[[str], Program]
Entry = Callable[[Program], MemoryGraph]

HEAD = """
#include <stdlib.h>
struct pair { int x; long y; };
struct node { int data; struct node *next; struct pair pair; char name[4]; };
struct node *head; int result; unsigned int u; unsigned char uc; long l; double d;
"""


def started(program: Program, entry: Entry, patch: Patch = NO_PATCH, **options: bool) -> Machine:
    machine = Machine(program, patch, **options)
    seat(machine, entry(program), (("main", 0),))
    return machine


def final(program: Program, entry: Entry, patch: Patch = NO_PATCH) -> MemoryGraph:
    machine = started(program, entry, patch)
    while machine.run(1_000_000) != "exited":
        assert machine.steps < 3_000_000
    return graph_of(machine, entry(program))


def value_of(graph: MemoryGraph, name: str, offset: int = 0) -> object:
    return graph.cells[Place(VariableId(-1, "", name), offset)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("int i; for (i = 0; i < 5; i++) result += i;", 10),
        ("unsigned char c = 250; c += 10; result = c;", 4),
        ("char c = 127; c++; result = c;", -128),
        ("u = 0; u--; result = u > 5;", 1),
        ("int a = -1; unsigned b = 1; result = a < b;", 0),
        ("int a = -7; result = a / 2 * 10 + a % 2;", -31),
        ("result = sizeof(struct node);", 40),
        ("int a[4] = {1, 2, 3}; int *p = a + 1; p++; result = *p * 10 + (p - a) + a[3];", 32),
        ("int x = 3; int *p = &x; int **q = &p; **q = 9; result = x;", 9),
        ("struct pair p, q; p.x = 4; p.y = 5; q = p; p.x = 0; result = q.x + q.y;", 9),
        ("struct node *n = calloc(1, sizeof *n); result = n->data + (n->next == NULL) * 2;", 2),
        (
            "int *p = malloc(2 * sizeof(int)); p[0] = 4; p[1] = 5; p = realloc(p, 12); "
            "p[2] = 6; result = p[0] * 100 + p[1] * 10 + p[2];",
            456,
        ),
        ("int *p = NULL; result = p == NULL || *p == 3;", 1),
        ("int *p = NULL; result = !(p && *p);", 1),
        ("int *p = realloc(NULL, 4); *p = 8; result = *p; free(p); free(NULL);", 8),
        ("l = 1; l <<= 40; result = l >> 38;", 4),
        ("int i = 5, s = 0; do { s += i--; if (s > 11) break; } while (i); result = s;", 12),
        ("uc = 200; result = (signed char)uc;", -56),
    ],
)
def test_statements(lower: Lower, entry: Entry, body: str, expected: int) -> None:
    program = lower(f"{HEAD} int main(void) {{ {body} return 0; }}")
    assert value_of(final(program, entry), "result") == expected


def test_calls_recursion_and_struct_results(lower: Lower, entry: Entry) -> None:
    program = lower(
        HEAD
        + """
        struct pair swap(struct pair p) { struct pair q; q.x = (int)p.y; q.y = p.x; return q; }
        int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
        void store(int *where, int what) { *where = what; }
        int main(void) {
            struct pair p; p.x = 3; p.y = 4; p = swap(p);
            store(&result, fib(10) * 100 + p.x * 10 + (int)p.y); return 0;
        }"""
    )
    assert value_of(final(program, entry), "result") == 5543


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("head->data = 1;", "null"),
        ("result = head->next->data;", "null"),
        ("struct node *p; p->data = 1;", "uninitialised"),
        ("int x; if (x) result = 1;", "uninitialised"),
        ("int *p = malloc(4); result = *p + 1;", "uninitialised"),
        ("int a[3]; a[1] = 0; a[3] = 1;", "bounds"),
        ("int *p = malloc(8); p[2] = 1;", "bounds"),
        ("int *p = malloc(8); p[-1] = 1;", "bounds"),
        ("int *p = malloc(8); free(p); free(p);", "double-free"),
        ("int *p = malloc(8); free(p + 1);", "bad-free"),
        ("free(&result);", "bad-free"),
        ("result = 1 / result;", "division"),
        ("int *p = (int *)12345L; *p = 1;", "wild"),
    ],
)
def test_faults(lower: Lower, entry: Entry, body: str, kind: str) -> None:
    program = lower(f"{HEAD} int main(void) {{ {body} return 0; }}")
    machine = started(program, entry)
    with pytest.raises(Fault) as fault:
        machine.run(10_000)
    assert fault.value.kind == kind
    assert machine.frame is not None
    assert not isinstance(machine.frame.linked.steps[machine.pc], Branch) or "if" in body


def test_freed_memory_works_unless_strict(lower: Lower, entry: Entry) -> None:
    program = lower(
        HEAD
        + """int main(void) {
        int *p = malloc(8); p[0] = 7; free(p); result = p[0]; p[1] = 2; return 0; }"""
    )
    assert value_of(final(program, entry), "result") == 7
    machine = started(program, entry, strict=True)
    with pytest.raises(Fault) as fault:
        machine.run(10_000)
    assert fault.value.kind == "freed"
    assert graph_of(machine, entry(program)).nodes[NodeId(1)].state == "freed"


def test_punning_is_not_modelled(lower: Lower, entry: Entry) -> None:
    program = lower(f"{HEAD} int main(void) {{ l = 5; result = *(int *)&l; return 0; }}")
    with pytest.raises(Unmodelled, match="another type"):
        started(program, entry).run(1000)


def test_endless_recursion_ends(lower: Lower, entry: Entry) -> None:
    program = lower("int f(int x) { return f(x + 1); } int main(void) { return f(0); }")
    machine = Machine(program, max_depth=500)
    seat(machine, entry(program), (("main", 0),))
    with pytest.raises(Fault) as fault:
        machine.run(100_000)
    assert fault.value.kind == "stack"


def test_limit(lower: Lower, entry: Entry) -> None:
    program = lower("int main(void) { while (1) { } return 0; }")
    machine = started(program, entry)
    assert machine.run(1000) == "limit"
    assert 1000 <= machine.steps <= 1001


LIST = (
    HEAD
    + """
void push(int v) { struct node *n = malloc(sizeof *n); n->data = v; n->next = head; head = n; }
int main(void) {
    int i, turn;
    for (i = 0; i < 4; i++) push(i * i);
    for (turn = 0; turn < 3; turn++) {
        struct node *n = head;
        while (n->next != NULL) { n->data += n->next->data; result += n->data; n = n->next; }
        n = head; head = head->next; free(n);
    }
    return 0;
}
"""
)


@pytest.fixture(scope="module")
def list_program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("list") / "list.c"
    path.write_text(LIST)
    return load([path]).program


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.integers(1, 40), min_size=1, max_size=12), keep=st.data())
def test_undo_restores_state_and_key(list_program: Program, steps: list[int], keep: st.DataObject) -> None:
    machine = Machine(list_program)
    seat(machine, MemoryGraph(list_program.types), (("main", 0),))
    machine.memory.put(machine.evaluators.keys("main", [_global(list_program, "head")])[0](0), 0)
    machine.memory.put(machine.evaluators.keys("main", [_global(list_program, "result")])[0](0), 0)
    marks = []
    for count in steps:
        marks.append((machine.mark(), machine.key(), dict(machine.memory.cells), machine.stack()))
        for _ in range(count):
            if machine.step() == "exited":
                break
    while marks:
        index = keep.draw(st.integers(0, len(marks) - 1))
        mark, key, cells, stack = marks[index]
        machine.undo(mark)
        assert machine.memory.cells == cells
        assert machine.key() == key
        assert machine.stack() == stack
        del marks[index:]


def _global(program: Program, name: str):  # type: ignore[no-untyped-def]
    return next(g for g in program.globals if g.name == name)


def test_equal_states_have_equal_keys(list_program: Program) -> None:
    keys = []
    for order in ((3, 4), (4, 3)):
        machine = Machine(list_program)
        seat(machine, MemoryGraph(list_program.types), (("main", 0),))
        places = {3: _global(list_program, "result"), 4: _global(list_program, "u")}
        for number in order:
            machine.memory.put(machine.evaluators.keys("main", [places[number]])[0](0), number)
        machine.memory.put(machine.evaluators.keys("main", [places[3]])[0](0), -1)
        first = machine.key()
        machine.memory.put(machine.evaluators.keys("main", [places[3]])[0](0), -2)
        assert machine.key() != first
        keys.append(machine.key())
    assert keys[0] == keys[1]


def test_the_size_of_a_node_tells_its_type_where_its_cells_agree(lower: Lower, entry: Entry) -> None:
    program = lower(
        """#include <stdlib.h>
        struct span { short low; int left; struct span *next; };
        int main(void) {
        int *marks = calloc(4, sizeof *marks);
        struct span *one = malloc(sizeof *one);
        one->low = 1;
        one->left = 2;
        one->next = NULL;
        marks[3] = 7;
        free(marks);
        free(one);
        marks = NULL;
        one = NULL;
        return 0; }"""
    )
    graph = final(program, entry)
    assert graph.cells[Place(NodeId(1), 12)] == 7
    assert graph.nodes[NodeId(1)].type is None
    assert graph.nodes[NodeId(2)].type == StructReference("span")


def test_patches(lower: Lower, entry: Entry) -> None:
    program = lower(
        HEAD
        + """int main(void) {
        int i = 2;
        result = 5;
        if (result > 4) result = 6;
        int *p = malloc(4);
        free(p);
        return 0; }"""
    )
    by_text = {location.text: location for location in program.locations if location.kind != "gap"}
    code = program.functions["main"].code
    assign = next(s for s in code if isinstance(s, Assign) and s.location == by_text["result = 5"].id)
    condition = next(s for s in code if isinstance(s, Branch))
    other = NewValue(type(condition.condition)("<", *_operands(condition.condition), INT))
    assert value_of(final(program, entry, Patch((Edit(condition.location, other),))), "result") == 5
    changed = NewAssignment(assign.target, _constant(3))
    assert value_of(final(program, entry, Patch((Edit(assign.location, changed),))), "result") == 3
    gap = next(i for i, s in enumerate(code) if s is assign) + 1
    inserted = Edit(code[gap].location, NewAssignment(assign.target, _constant(1)))
    assert value_of(final(program, entry, Patch((inserted,))), "result") == 1
    call = by_text["free(p)"]
    assert final(program, entry).nodes[NodeId(1)].state == "freed"
    assert final(program, entry, Patch((Edit(call.id, Deletion()),))).nodes[NodeId(1)].state == "live"
    pointer = next(s for s in code if getattr(s, "location", -1) == call.id).arguments
    end = next(s for s in reversed(code) if type(s).__name__ == "Gap")
    twice = Machine(program, Patch((Edit(end.location, NewCall("free", pointer)),)))
    seat(twice, entry(program), (("main", 0),))
    with pytest.raises(Fault, match="freed twice"):
        twice.run(1000)


def test_a_path_tells_the_functions_of_calls_inside_inserted_ones(lower: Lower, entry: Entry) -> None:
    """An inserted call that recurs by itself does not give its numbers to the calls behind it."""
    program = lower(
        "int r; void tick(void) { r++; } void walk(int n) { if (n == 0) return; tick(); }"
        "int main(void) { walk(2); return 0; }"
    )
    call = next(x for x in program.locations if x.text == "tick()")
    code = program.functions["walk"].code
    gap = next(s.location for s, t in pairwise(code) if isinstance(s, Gap) and t.location == call.id)
    fewer = Binary("-", Load(VariableReference("n", INT, "local")), Constant(1, INT), INT)
    machine = Machine(program, Patch((Edit(gap, NewCall("walk", (fewer,))),)))
    seat(machine, entry(program), (("main", 0),))
    path: list[int] = []
    machine.run(1000, path)
    entered = [machine.names.get(step + PATH_MARK, "main") for step in path if step < 0]
    assert entered == ["walk", "walk", "walk", "walk", "tick", "walk", "walk", "tick", "walk", "main"]


def _operands(expression):  # type: ignore[no-untyped-def]
    return expression.left, expression.right


def _constant(value: int):  # type: ignore[no-untyped-def]
    return Constant(value, LONG)


def test_deep_nesting_is_unmodelled_not_fatal(lower: Lower, entry: Entry) -> None:
    program = lower("int r; int main(void) { r = 1; return 0; }")
    value = _constant(1)
    for _ in range(300):
        value = Binary("+", _constant(1), value, LONG)
    location = next(x.id for x in program.locations if x.text == "r = 1")
    with pytest.raises(Unmodelled, match="nested too deeply"):
        started(program, entry, Patch((Edit(location, NewValue(value)),))).run(100)


def test_pointer_values_in_graph(list_program: Program, entry: Entry) -> None:
    machine = started(list_program, entry)
    while (frame := machine.frame) is not None and machine.memory.node_count < 2:
        machine.step()
    assert frame is not None
    graph = graph_of(machine, entry(list_program))
    assert value_of(graph, "head") == Pointer(NodeId(1))
    assert graph.cells[Place(NodeId(1), 0)] == 0


def test_what_fills_the_end_of_a_node_has_its_own_type(lower: Lower, entry: Entry) -> None:
    program = lower(
        """
        #include <stdlib.h>
        struct ring { short id; short room; struct ring *side[]; };
        struct ring *first;
        int main(void)
        {
            first = calloc(1, sizeof *first + 3 * sizeof(struct ring *));
            first->room = 3;
            first->side[0] = first->side[2] = first;
            return 0;
        }
        """
    )
    machine = started(program, entry)
    while machine.run(1_000_000) != "exited":
        assert machine.steps < 3_000_000
    graph = graph_of(machine, entry(program))
    node = graph.nodes[NodeId(1)]
    assert (node.type, node.count) == (StructReference("ring"), 1)
    held = {place.offset: value for place, value in graph.cells.items() if place.object == NodeId(1)}
    here = Pointer(NodeId(1))
    assert held == {0: 0, 2: 3, 8: here, 16: None, 24: here}
    encoded = encode_graph(machine.layout, graph).cells
    assert encoded[node_address(1) + 24 + (POINTER << KIND_SHIFT)] == node_address(1)
    assert encoded[node_address(1) + 16 + (POINTER << KIND_SHIFT)] == 0


# -- against gcc -----------------------------------------------------------------------------------

_TYPES = ("int", "unsigned", "char", "unsigned char", "short", "long", "unsigned long", "unsigned short")


def _expression(pick: random.Random, depth: int) -> str:
    if depth == 0 or pick.random() < 0.15:
        return pick.choice([*"abcdefgh", str(pick.randint(0, 300)), f"{pick.randint(0, 2**31 - 1)}"])
    one, two = _expression(pick, depth - 1), _expression(pick, depth - 1)
    match pick.randint(0, 13):
        case 0 | 1 | 2:
            return f"({one} {pick.choice('+-*')} {two})"
        case 3:
            return f"({one} {pick.choice('&|^')} {two})"
        case 4:
            return f"({one} {pick.choice('/%')} {pick.randint(1, 9)})"
        case 5:
            return f"({one} {pick.choice(('<<', '>>'))} {pick.randint(0, 31)})"
        case 6 | 7:
            return f"({one} {pick.choice(('<', '<=', '>', '>=', '==', '!='))} {two})"
        case 8:
            return f"({one} {pick.choice(('&&', '||'))} {two})"
        case 9:
            return f"({one} ? {two} : {_expression(pick, depth - 1)})"
        case 10:
            return f"({pick.choice('-~!+')}{one})"
        case _:
            return f"(({pick.choice(_TYPES)}){one})"


def _arguments(values: list[int]) -> str:
    return ", ".join(f"({t}){v}L" for t, v in zip(_TYPES, values, strict=True))


def test_integer_arithmetic_agrees_with_gcc(tmp_path: Path) -> None:
    pick = random.Random(20)
    parameters = ", ".join(f"{t} {n}" for t, n in zip(_TYPES, "abcdefgh", strict=True))
    functions = [
        f"{pick.choice(_TYPES)} f{i}({parameters}) {{ return {_expression(pick, 4)}; }}" for i in range(150)
    ]
    inputs = [[pick.choice((0, 1, -1, 5, 127, 128, 255, -32768, 2**31 - 1, -(2**31), 2**40 + 3))
               for _ in range(8)] for _ in range(6)]  # fmt: skip
    calls = [(i, values) for i in range(len(functions)) for values in inputs]
    body = "".join(f' printf("%ld\\n", (long)f{i}({_arguments(values)}));' for i, values in calls)
    text = "#include <stdio.h>\n" + "\n".join(functions)
    source, program_source = tmp_path / "all.c", tmp_path / "model.c"
    source.write_text(f"{text}\nint main(void) {{ {body} return 0; }}\n")
    program_source.write_text(f"{text}\nint main(void) {{ return 0; }}\n")
    binary = tmp_path / "all"
    subprocess.run(["gcc", "-w", "-O0", "-fwrapv", "-o", binary, source], check=True)
    wanted = [int(line) for line in subprocess.run([binary], capture_output=True, check=True).stdout.split()]
    program = load([program_source]).program
    assert all(not f.unsupported for f in program.functions.values())
    machine = Machine(program)
    for (index, values), expected in zip(calls, wanted, strict=True):
        function = program.functions[f"f{index}"]
        cells = {}
        for parameter, value in zip(function.parameters, values, strict=True):
            cells[Place(VariableId(0, function.name, parameter.name), 0)] = parameter.type.wrap(value)
        seat(machine, MemoryGraph(program.types, cells=cells), ((function.name, 0),))
        [result] = machine.evaluators.values(function.name, [(function.code[-1].value, LONG)])
        while machine.step() is None and machine.pc != len(function.code) - 1:
            pass
        have = machine.attempt(result)
        assert have == (expected + 2**63) % 2**64 - 2**63, (functions[index], values)


def test_what_no_pointer_tells_of_is_not_known(lower: Lower, entry: Entry) -> None:
    """A node to which only `void *` leads: its contents are not in the graph, and have not been forgotten."""
    program = lower(HEAD + "void *any; int main(void) { result = *(long *)any; l = 1; return 0; }")
    graph = entry(program)
    node = NodeId(1)
    any_ = next(place for place in graph.cells if getattr(place.object, "name", "") == "any")
    for shown in (None, LONG):
        held = replace(
            graph,
            nodes={node: Node(node, 8, shown)},
            cells={**graph.cells, any_: Pointer(node)},
        )
        machine = Machine(program, strict=True)
        seat(machine, held, (("main", 0),))
        with pytest.raises(Unmodelled if shown is None else Fault):
            machine.run(100)


def test_functions_without_edits_are_linked_once(lower: Lower, entry: Entry) -> None:
    program = lower(HEAD + "int one(void) { return 1; }\nint main(void) { result = one(); return 0; }")
    machine = started(program, entry)
    plain = {name: machine.linked(name) for name in ("main", "one")}
    location = next(each.location for each in program.functions["main"].code if isinstance(each, Assign))
    machine.set_patch(Patch((Edit(location, Deletion()),)))
    assert machine.linked("main") is not plain["main"]
    assert machine.linked("one") is plain["one"]
    machine.set_patch(NO_PATCH)
    assert all(machine.linked(name) is linked for name, linked in plain.items())
    machine.set_stops({"main": {0}})
    assert machine.linked("main") is not plain["main"]


@pytest.mark.parametrize(
    ("made", "stored"),
    [
        ("malloc(8)", "e->number = 3;"),
        ("malloc(8)", "e->number = 0;"),
        ("calloc(1, 8)", "e->number = 3;"),
        ("malloc(8)", "e->text = malloc(2); free(e->text); e->number = 3;"),
    ],
)
def test_a_pointer_of_which_only_a_part_is_stored_leads_nowhere_where_it_is_strict(
    lower: Lower, entry: Entry, made: str, stored: str
) -> None:
    body = f"union {{ int number; char *text; }} *e = {made}; {stored} free(e->text);"
    program = lower(f"{HEAD} int main(void) {{ {body} return 0; }}")
    with pytest.raises(Fault) as fault:
        started(program, entry, strict=True).run(1000)
    assert fault.value.kind == "uninitialised"
    with pytest.raises(Unmodelled, match="another type"):
        started(program, entry).run(1000)


@pytest.mark.parametrize(("member", "made"), [("int number", "calloc(1, 8)"), ("long number", "malloc(8)")])
def test_what_may_be_a_pointer_is_not_judged(lower: Lower, entry: Entry, member: str, made: str) -> None:
    body = f"union {{ {member}; char *text; }} *e = {made}; e->number = 0; free(e->text);"
    program = lower(f"{HEAD} int main(void) {{ {body} return 0; }}")
    with pytest.raises(Unmodelled, match="another type"):
        started(program, entry, strict=True).run(1000)
