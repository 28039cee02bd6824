"""What of an edited program need not be compiled, linked or hashed anew."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from wolverine.core.expressions import Binary, Constant, Load, VariableReference
from wolverine.core.graph import VariableId
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Program
from wolverine.core.types import INT
from wolverine.semantics import closures
from wolverine.semantics.closures import expressions
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.memory import Memory

Lower = Callable[[str], Program]

TWO = """\
int twice(int n) {{ return n + n; }}
int main(void) {{ int got = twice({given}); while (got > 3) got = got - 1; return got; }}
"""


def test_functions_that_stayed_are_not_compiled_again(lower: Lower, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def noted(source: str, *rest: str) -> object:
        compiled.append(source)
        return compile(source, *rest)

    monkeypatch.setattr(closures, "compile", noted, raising=False)
    closures._execute.cache_clear()
    for given in (4, 5):
        code = compile_program(lower(TWO.format(given=given)))
        code.function("twice")
        code.function("main")
    assert len(compiled) == 3


def test_one_source_makes_closures_on_many_memories() -> None:
    first, second = expressions(["cells[8] + 1"]), expressions(["cells[8] + 1"])
    assert first is second
    bindings = len(closures.BINDINGS)
    made = [first({8: held}, *(None,) * bindings)[0] for held in (1, 2)]
    assert [closure(0) for closure in made] == [2, 3]


def test_undoing_goes_back_to_each_moment() -> None:
    memory = Memory(lambda _: None)
    states, moments = [], []
    for value in (1, 2, None, 3, None):
        states.append(dict(memory.cells))
        moments.append(len(memory.trail))
        memory.put(16, value)
        memory.put(24, value)
        memory.put(16, 7)
    for state, moment in zip(reversed(states), reversed(moments), strict=True):
        memory.undo(moment)
        assert memory.cells == state
        assert len(memory.trail) == moment


def test_variables_lie_where_the_layout_says(lower: Lower) -> None:
    layout = compile_program(lower("struct p { int a; long b; } at[2]; int main(void) { return 0; }")).layout
    found = layout.variable_extent(VariableId(-1, "", "at"))
    assert found is not None
    address, start, size, scalars = found
    assert address == layout.object_address(VariableId(-1, "", "at"))
    assert (start, size) == (0, 32)
    assert sorted(scalars) == [0, 8, 16, 24]
    assert layout.variable_extent(VariableId(-1, "", "at")) is found
    assert layout.variable_extent(VariableId(-1, "", "nowhere")) is None


def test_equal_edits_have_equal_hashes_and_keep_them_to_themselves() -> None:
    def edit() -> Patch:
        here = VariableReference("n", INT, function="f")
        return Patch((Edit(3, NewValue(Binary("<", Load(here), Constant(2, INT), INT))),))

    one, other = edit(), edit()
    assert hash(one) == hash(other)
    assert {one: 1}[other] == 1
    read = pickle.loads(pickle.dumps(one))
    assert read == one
    assert not hasattr(read, "_hash")  # another process has other hashes of texts
    assert hash(read) == hash(one)
