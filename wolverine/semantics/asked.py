"""Calls of the program's functions for what they return: with one key after the other, in a given state."""

from __future__ import annotations

from dataclasses import replace

from wolverine.core.graph import Frame, MemoryGraph, Node, NodeId, Place, Pointer, Variable, VariableId
from wolverine.core.program import Function, Program
from wolverine.core.types import CHAR, CType, IntType, PointerType
from wolverine.semantics.address import cell_key, local_offset, node_address
from wolverine.semantics.anew import Key
from wolverine.semantics.encoding import encode
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.state import seat

WORD = 60  # bytes of a text, at most
_STEPS = 2_000  # for one key


class Asked:
    """A function of the program, called with a key in place of one of its parameters."""

    def __init__(
        self, program: Program, start: MemoryGraph, function: Function, at: int, length: int
    ) -> None:
        self._function = function.name
        self._at = at
        self._known: dict[Key, int | None] = {}
        self._text = NodeId(max((node.number for node in start.nodes), default=0) + 1)
        depth = max((frame.depth for frame in start.frames), default=-1) + 1
        parameters = tuple(
            Variable(VariableId(depth, function.name, p.name), p.type) for p in function.parameters
        )
        graph = replace(
            start,
            frames=(Frame(depth, function.name, parameters), *start.frames),
            nodes={**start.nodes, self._text: Node(self._text, WORD, CHAR, WORD)},
        )
        self._machine = machine = Machine(program)
        self._values: list[object] = []
        self.ready = True
        for index, parameter in enumerate(function.parameters):
            if index == at:
                self._values.append(0)
            elif isinstance(parameter.type, IntType):
                self._values.append(length)
            else:
                led = _leading(start, parameter.type)
                self.ready = self.ready and led is not None
                self._values.append(encode(machine.layout, led, parameter.type))
        if self.ready:
            try:
                seat(machine, graph, ((function.name, 0),))
            except Halt:
                self.ready = False
        self._result = function.result

    def tell(self, key: Key) -> int | None:
        """What the function returns for a key; None where that is not known."""
        if key not in self._known:
            self._known[key] = self._ask(key)
        return self._known[key]

    def _ask(self, key: Key) -> int | None:
        machine, base = self._machine, self._machine.frame
        assert base is not None
        mark = machine.mark()
        into = cell_key(self._result, base.base + local_offset(0))
        try:
            machine.memory.put(into, 0)
            values = [*self._values]
            values[self._at] = key if isinstance(key, int) else self._written(key)
            machine.insert(self._function, values, into)
            for _ in range(_STEPS):
                if machine.step() is not None:
                    return None
                if machine.frame is base:
                    found = machine.memory.cells.get(into)
                    return self._result.wrap(found) if isinstance(found, int) else None  # type: ignore[union-attr]
        except (Halt, KeyError):
            return None
        finally:
            machine.undo(mark)
        return None

    def _written(self, text: bytes) -> int:
        at = node_address(self._text.number)
        for offset, code in enumerate(text[: WORD - 1] + b"\0"):
            self._machine.memory.put(cell_key(CHAR, at + offset), code - 256 * (code > 127))
        return at


def _leading(start: MemoryGraph, ctype: CType) -> Pointer | None:
    """What a variable of that type leads to, the innermost first."""
    for variable in (*(v for frame in start.frames for v in frame.variables), *start.globals):
        value = start.cells.get(Place(variable.id, 0))
        if variable.type == ctype and isinstance(ctype, PointerType) and isinstance(value, Pointer):
            return value
    return None
