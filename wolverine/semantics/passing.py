"""What crosses a call: arguments into parameters, a result to where the caller has it; and whole structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Call, Concrete
from wolverine.core.types import is_scalar
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import ADDRESS_MASK, cell_key, number_of
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.generate import spread
from wolverine.semantics.layout import Layout
from wolverine.semantics.memory import Memory


class Passing:
    """Moves values between the activations of one machine; the value of a struct is its address."""

    def __init__(self, memory: Memory, layout: Layout) -> None:
        self._memory = memory
        self._layout = layout

    def fill(self, new: Activation, values: Sequence[Any]) -> None:
        """Write the arguments of a call into the parameters of its activation."""
        put = self._memory.put
        for (offset, ctype), value in zip(new.linked.compiled.parameters, values, strict=False):
            if is_scalar(ctype):
                put(cell_key(ctype, new.base + offset), value)
            else:
                get, miss = self._memory.cells.get, self._memory.miss
                for key in spread(self._layout.types, ctype):
                    held = get(value + key)
                    put(new.base + offset + key, miss(value + key) if held is None else held)

    def taken(self, frame: Activation, value: Any) -> Any:
        """The result of an activation that ends, for `deliver`; its variables hold nothing from now on."""
        memory, compiled, base = self._memory, frame.linked.compiled, frame.base
        cells, put = memory.cells, memory.put
        if value is not None and not is_scalar(compiled.result):
            value = [cells.get(value + key) for key in spread(self._layout.types, compiled.result)]
        for offset in compiled.cells:
            if base + offset in cells:
                put(base + offset, None)
        for offset in compiled.unmeasured:
            self.clear(base + offset, ())
        return value

    def deliver(self, frame: Activation, result: VariableReference | None, value: Any) -> None:
        """Write what a call returned into the variable of the caller that takes it; a struct is a list."""
        if result is None:
            return
        relative, address = self._layout.address(frame.linked.name, result)
        address += frame.base if relative else 0
        if isinstance(value, list):
            for key, cell in zip(spread(self._layout.types, result.type), value, strict=True):
                self._memory.put(address + key, cell)
        else:
            self._memory.put(cell_key(result.type, address), value)

    def hand_back(self, frame: Activation, caller: Activation, value: Any) -> None:
        """Bring the result of an activation that has ended to where the caller has it.

        Raises `Unmodelled` where a library function called it.
        """
        memory = self._memory
        if frame.onward is not None:
            if frame.into:
                if memory.cells.get(frame.into) is None:
                    memory.check(frame.into)
                memory.put(frame.into, value)
            return
        step = caller.linked.steps[frame.back - 1] if frame.back else None
        original = caller.linked.compiled.code[frame.back - 1] if frame.back else None
        for call in (step, original):
            if isinstance(call, Call) and call.function == frame.linked.name:
                self.deliver(caller, call.result, value)
                break
            if isinstance(call, Concrete):
                raise Unmodelled(f"{frame.linked.name} returns into a library function")

    def copy(self, target: int, source: int, cells: Sequence[int]) -> None:
        """Struct assignment: the cells (keys from address 0) at `source` go to `target`."""
        memory = self._memory
        get = memory.cells.get
        values = []
        for key in cells:
            value = get(source + key)
            values.append(memory.miss(source + key) if value is None else value)
        for key, value in zip(cells, values, strict=True):
            if get(target + key) is None:
                memory.check(target + key)
            memory.put(target + key, value)

    def clear(self, address: int, cells: Sequence[int]) -> None:
        """Make cells uninitialised; no cells: all of an array whose length is not known."""
        held, put = self._memory.cells, self._memory.put
        if not cells:
            number = number_of(address)
            for key in [k for k in held if k > 0 and number_of(k & ADDRESS_MASK) == number]:
                put(key, None)
        for key in cells:
            if address + key in held:
                put(address + key, None)
