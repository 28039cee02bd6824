"""A loop that frees a whole list, as an edit: what the model does is what the text means."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wolverine.core.expressions import Dereference, Load, Member, VariableReference
from wolverine.core.graph import MemoryGraph, Place, VariableId
from wolverine.core.patch import Deletion, Edit, FreedList, Patch
from wolverine.core.program import Call, Gap, Program
from wolverine.frontend import check, emit
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import graph_of, seat

DESTROY = """\
static void destroy(void)
{
    if (all)
        free(all);
    else
        add();
}
"""
TEXT = f"""\
#include <stdlib.h>
typedef struct item {{ char *name; struct item *next; }} item;
static item *all;
static void add(void)
{{
    item *rest = malloc(sizeof(item));
    rest->name = malloc(1);
    rest->next = all;
    all = rest;
}}
{DESTROY}int main(void)
{{
    add();
    add();
    add();
    destroy();
    return 0;
}}
"""
FREED = """\
static void destroy(void)
{
    if (all) {
        while (all != NULL) {
            item *next_one = all->next;
            free(all->name);
            free(all);
            all = next_one;
        }
    }
    else
        add();
}
"""


ONE_LINE = "static void destroy(void) { free(all); }\n"
FREED_THERE = (
    "static void destroy(void) { while (all != NULL) { item *next_one = all->next; free(all->name); "
    "free(all); all = next_one; } }\n"
)


@pytest.mark.parametrize(("written", "freed"), [(DESTROY, FREED), (ONE_LINE, FREED_THERE)])
def test_the_text_means_what_the_model_does(
    written: str, freed: str, lower: Callable[[str], Program], entry: Callable[[Program], MemoryGraph]
) -> None:
    program = lower(TEXT.replace(DESTROY, written))
    patch = _freeing(program)
    check(program, patch)
    assert freed in emit(program, patch)[0].decode()
    machine = Machine(program, patch, strict=True)
    seat(machine, entry(program), (("main", 0),))
    while machine.run(1_000) != "exited":
        assert machine.steps < 1_000
    graph = graph_of(machine, entry(program))
    assert [node.state for node in graph.nodes.values()] == ["freed"] * 6
    assert graph.cells[Place(VariableId(-1, "", "all"), 0)] is None


def _freeing(program: Program) -> Patch:
    """The whole list is freed where its first node was."""
    [first] = program.globals
    struct = program.types.structs["item"]
    name, link = (
        Member(Dereference(Load(first), first.type.target), each.name, each.offset, each.type)
        for each in struct.fields
    )
    code = program.functions["destroy"].code
    [freed] = [step.location for step in code if isinstance(step, Call) and step.function == "free"]
    gap = max(step.location for step in code if isinstance(step, Gap) and step.location < freed)
    made = FreedList(first, link, VariableReference("next_one", first.type), (name,))
    return Patch((Edit(gap, made), Edit(freed, Deletion())))
