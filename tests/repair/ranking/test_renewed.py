"""Calls whose answer is out of date."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import Dereference, Load, VariableReference
from wolverine.core.patch import NewCall
from wolverine.core.program import Assign, Gap
from wolverine.repair.ranking.renewed import Renewed

CHAIN = """\
#include <stdlib.h>
struct item { int key; struct item *next; };
struct item *first;
static struct item **place(int key)
{
    struct item **p = &first;
    while (*p != NULL && (*p)->key < key)
        p = &(*p)->next;
    return p;
}
static void trim(void)
{
    struct item *gone = first;
    first = gone->next;
    free(gone);
}
static int length(void) { int n = 0; for (struct item *i = first; i != NULL; i = i->next) n++; return n; }
void put(int key, struct item *made)
{
    struct item **at, **other = NULL;
    BODY
    *at = made;
}
int main(void)
{
    return 0;
}
"""
BODIES = {
    "at = place(key); trim();": 0,
    "at = place(key); if (key > 3) trim();": 0,
    "at = place(key); trim(); made->key = key;": 1,
    "at = place(key); made->key = length();": None,
    "trim(); at = place(key);": None,
    "at = place(key + 1); trim();": None,
    "other = place(key); trim(); at = other;": None,
    "at = place(key); free(first);": 1,
}


@pytest.mark.parametrize("body", BODIES)
def test_a_call_is_made_again_behind_what_may_have_changed_its_answer(body: str, tmp_path: Path) -> None:
    program = program_of(CHAIN.replace("BODY", body), tmp_path)
    function = program.functions["put"]
    [stored] = [
        i
        for i, step in enumerate(function.code)
        if isinstance(step, Assign)
        and isinstance(step.target, Dereference)
        and step.target.pointer == Load(VariableReference("at", step.target.pointer.type))
    ]
    gap = max(i for i in range(stored) if isinstance(function.code[i], Gap))
    at = next(each for each in function.locals if each.name == "at")
    [key] = [each for each in function.parameters if each.name == "key"]
    assert Renewed(program).behind("put", gap, NewCall("place", (Load(key),), at)) == BODIES[body]
