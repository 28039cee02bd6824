"""What crosses a call: arguments into parameters, a result to where the caller has it; and whole structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Call, Concrete
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import ADDRESS_MASK, KIND_SHIFT, KIND_SIZE, cell_key, number_of
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.layout import Layout
from wolverine.semantics.memory import Memory


class Passing:
    """Moves values between the activations of one machine; the value of a struct is its address."""

    def __init__(self, memory: Memory, layout: Layout) -> None:
        self._memory = memory
        self._cells = memory.cells
        self._get = memory.cells.get
        self._put = memory.put
        self._address = layout.address

    def fill(self, new: Activation, values: Sequence[Any]) -> None:
        """Write the arguments of a call into the parameters of its activation."""
        put, base = self._put, new.base
        for (key, cells), value in zip(new.linked.compiled.parameter_cells, values, strict=False):
            if not cells:
                put(base + key, value)
            else:
                for cell, held in self._taken(value, cells).items():
                    put(base + key + cell, held)

    def leave(self, frame: Activation, caller: Activation | None, value: Any) -> None:
        """Take the result out of an activation that ends, and bring it to where the caller has it.

        Its variables hold nothing from now on.  Raises `Unmodelled` where a library function called it.
        """
        put, cells, base, compiled = self._put, self._cells, frame.base, frame.linked.compiled
        keys = compiled.result_cells if value is not None else ()
        if keys:
            value = [cells.get(value + key) for key in keys]
        for offset in compiled.cells:
            if base + offset in cells:
                put(base + offset, None)
        for offset in compiled.unmeasured:
            self.clear(base + offset, ())
        if caller is None:
            return
        if frame.inserted or frame.into:
            if frame.into:
                if cells.get(frame.into) is None:
                    self._memory.prepare(frame.into)
                put(frame.into, value)
            return
        at, name = frame.back - 1, frame.linked.name
        step = caller.linked.steps[at] if frame.back else None
        original = caller.linked.compiled.code[at] if frame.back else None
        for call in (step, original):
            if isinstance(call, Call) and call.function == name:
                if call.result is not None:
                    self.deliver(caller, call.result, value, keys)
                break
            if isinstance(call, Concrete):
                raise Unmodelled(f"{name} returns into a library function")

    def deliver(
        self, frame: Activation, result: VariableReference, value: Any, keys: Sequence[int] = ()
    ) -> None:
        """Write what a call returned into the variable of the caller that takes it.

        The value of a struct is a list for the cells `keys` (from address 0).
        """
        relative, address = self._address(frame.linked.name, result)
        if relative:
            address += frame.base
        if keys:
            for key, cell in zip(keys, value, strict=True):
                self._put(address + key, cell)
        else:
            self._put(cell_key(result.type, address), value)

    def copy(self, target: int, source: int, cells: Sequence[int]) -> None:
        """Struct assignment: the cells (keys from address 0) at `source` go to `target`."""
        get, put, memory = self._get, self._put, self._memory
        values = self._taken(source, cells)
        for key in values:
            if get(target + key) is None:
                memory.prepare(target + key)  # what is in the way goes
        for key, value in values.items():
            put(target + key, value)

    def _taken(self, source: int, cells: Sequence[int]) -> dict[int, Any]:
        """What a struct at `source` holds, by key from address 0.

        Of the members of a union, whose cells share bytes, those that are in use.
        """
        get, memory = self._get, self._memory
        found: dict[int, Any] = {}
        zeroed: set[int] = set()  # bytes
        for key in cells:
            value = get(source + key)
            if value is not None:
                found[key] = value
                continue
            instead = list(memory.overlapping(source + key))
            for other in instead:
                found[other - source] = get(other)
            value = None if instead else memory.miss(source + key)
            if value is not None:
                start = key & ADDRESS_MASK
                own = range(start, start + KIND_SIZE.get(key >> KIND_SHIFT, 1))
                value = value if zeroed.isdisjoint(own) else None
                zeroed.update(own)
            found.setdefault(key, value)
        return found

    def clear(self, address: int, cells: Sequence[int]) -> None:
        """Make cells uninitialised; no cells: all of an array whose length is not known."""
        held, put = self._cells, self._put
        if not cells:
            number = number_of(address)
            for key in [k for k in held if k > 0 and number_of(k & ADDRESS_MASK) == number]:
                put(key, None)
        for key in cells:
            if address + key in held:
                put(address + key, None)
