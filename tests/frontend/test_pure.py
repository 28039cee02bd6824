"""An edit may take away a call of a function that only works something out, and of no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from wolverine.core.expressions import Load, VariableReference, lvalue_text
from wolverine.core.patch import Edit, NewAssignment, Patch
from wolverine.core.program import Assign
from wolverine.errors import SourceError
from wolverine.frontend import load
from wolverine.frontend.check import check
from wolverine.frontend.pure import pure

TABLE = """\
#include <stdio.h>
#include <string.h>
int *table[5], other, calls;
int half(int number) { int found = number; while (found > 9) found = found / 2; return found; }
int hash(const char *text) { return half(strlen(text)); }
int counted(const char *text) { calls++; return strlen(text); }
int told(const char *text) { printf("%s", text); return 3; }
int *made(void);
void f(char *text, int *p)
{
    table[HERE] = p;
    other = 3;
}
int main(void) { f("four", &other); return 0; }
"""


@pytest.mark.parametrize(
    ("index", "harmless"),
    [("hash(text)", True), ("counted(text)", False), ("told(text)", False), ("half(hash(text))", True)],
)
def test_a_call_goes_with_what_it_was_for(tmp_path: Path, index: str, harmless: bool) -> None:
    source = tmp_path / "table.c"
    source.write_text(TABLE.replace("HERE", index))
    program = load([source]).program
    assert {"half", "hash"} <= pure(program)
    assert not pure(program) & {"counted", "told", "f", "main"}
    [step] = [
        step
        for step in program.functions["f"].code
        if isinstance(step, Assign) and lvalue_text(step.target).startswith("table[")
    ]
    pointer = next(v for v in program.functions["f"].parameters if v.name == "p")
    place = VariableReference("p", pointer.type)
    patch = Patch((Edit(step.location, NewAssignment(place, Load(pointer))),))
    if harmless:
        check(program, patch)
    else:
        with pytest.raises(SourceError, match="does not mean"):
            check(program, patch)
