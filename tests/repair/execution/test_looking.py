"""Looking at expressions: what ends in a fault is evaluated once."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.types import INT
from wolverine.repair.execution.pool import FAILED, look
from wolverine.semantics.address import cell_key, is_null, node_address
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import set_stack


def _standing(tmp_path: Path) -> Machine:
    machine = Machine(program_of("int main(void) { int n; n = 2; return n; }", tmp_path), strict=True)
    set_stack(machine, (("main", 0),), ())
    return machine


def test_a_fault_is_come_to_once(tmp_path: Path) -> None:
    tried: list[int] = []

    def closure(base: int) -> int:
        tried.append(base)
        raise Fault("null", "the null pointer is dereferenced")

    machine = _standing(tmp_path)
    assert look(machine, closure) is FAILED
    assert len(tried) == 1


def test_freed_nodes_are_looked_at_again_where_they_may_be_used(tmp_path: Path) -> None:
    tried: list[int] = []
    machine = _standing(tmp_path)
    node = machine.memory.allocate(8)
    machine.memory.release(node)

    def closure(base: int) -> int:
        tried.append(base)
        if len(tried) == 1:
            raise Fault("freed", "n1 is used after it was freed", 1)
        return 5

    machine.tolerant = True
    assert look(machine, closure) == 5
    assert len(tried) == 2


@pytest.mark.parametrize("address", [8, node_address(1)])
def test_what_nothing_holds_is_come_to_once(address: int, tmp_path: Path) -> None:
    tried: list[int] = []
    machine = _standing(tmp_path)
    machine.memory.allocate(8)
    key = cell_key(INT, address)

    def closure(base: int) -> int:
        tried.append(base)
        held: int = machine.memory.cells[key]
        return held

    assert look(machine, closure) is FAILED
    assert len(tried) == 1
    assert is_null(key) is (address == 8)


def test_what_calloc_cleared_is_zero(tmp_path: Path) -> None:
    machine = _standing(tmp_path)
    key = cell_key(INT, machine.memory.allocate(8, zeroed=True))
    assert look(machine, lambda _base: machine.memory.cells[key]) == 0
