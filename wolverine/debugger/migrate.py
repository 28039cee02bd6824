"""Moving activations from one version of a function's code to another.

At -O0 everything that lives across statements is in the frame, at offsets from the canonical frame
address which the debug information tells for both versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wolverine.core.graph import Place, Pointer, VariableId
from wolverine.core.process import ProcessFrame, Snapshot
from wolverine.debugger.code_index import CodeIndex, Found
from wolverine.debugger.debug_entries import DebugVariable
from wolverine.debugger.execution import Execution
from wolverine.debugger.flow import Flow
from wolverine.debugger.stops import Reading
from wolverine.debugger.target import Process
from wolverine.errors import DebuggerError

_SAVED = ("rbx", "r12", "r13", "r14", "r15")


@dataclass(frozen=True, slots=True)
class Shape:
    """A frame's build: callee-saved registers pushed after rbp, then `locals` bytes."""

    pushes: tuple[str, ...]
    locals: int


def move_innermost(execution: Execution, flow: Flow, reading: Reading, pc: int) -> None:
    """Let the innermost activation go on at `pc`, in other code of the same function.

    Raises DebuggerError when `pc` is in another function or the frame cannot be rebuilt.
    """
    process = execution.require()
    frame = reading.frames[0]
    old, new = _both(process.code, frame.pc if not reading.foreign else frame.pc - 1, pc)
    if any(each.location.kind == "indirect" for each in (*old.function.variables, *new.function.variables)):
        raise DebuggerError(
            f"{new.function.name} has an array of variable length; its frame cannot be rebuilt"
        )
    shape = frame_shape(flow, new)
    registers = execution.unwound(reading.level)
    caller = execution.unwound(reading.level + 1) if _has_caller(execution, reading.level) else registers
    values = _values(process, frame, old, new)
    base = frame.cfa - 16
    saved = {base - 8 * (index + 1): caller[name] for index, name in enumerate(shape.pushes)}
    for address, number in saved.items():
        process.memory.write(address, number.to_bytes(8, "little"))
    for variable, data in values:
        process.memory.write(frame.cfa + variable.location.value, data)
    execution.set_registers(
        {
            **{name: caller[name] for name in _SAVED},
            "rbp": base,
            "rsp": base - 8 * len(shape.pushes) - shape.locals,
            "rip": pc,
        }
    )


def move_callers(
    execution: Execution, flow: Flow, frames: Sequence[ProcessFrame], entries: dict[int, int]
) -> tuple[str, ...]:
    """Let the outer activations of functions whose code changed return into the code in force.

    `entries` maps the original entries to the code in force.  The names of the functions that have
    activations which must stay in their code, because their frames differ, are returned.
    """
    process = execution.require()
    left: dict[str, None] = {}
    for inner, frame in pairwise(frames):
        old = process.code.function_at(frame.pc - 1)
        new = _in_force(process, frame.function, entries)
        if old is None or new is None or old.low == new.low:
            continue
        target = _same_call(flow, process.code, old, new, frame.pc)
        # Library frames in between keep the return address: it stands below the outer frame's callee.
        where = inner.cfa - 8
        stored = int.from_bytes(process.memory.read(where, 8), "little")
        if target is None or stored != frame.pc or not _alike(flow, old, new):
            left[frame.function] = None
            continue
        process.memory.write(where, target.to_bytes(8, "little"))
    if len(frames) > 1:
        execution.set_registers({})
    return tuple(left)


def frame_shape(flow: Flow, found: Found) -> Shape:
    """What the function's prologue makes room for."""
    rows = found.module.info.function_rows(found.function)
    body = next(
        (row.address + found.module.bias for row in rows if row.address > found.function.low), found.high
    )
    pushes: list[str] = []
    space = 0
    for each in flow.instructions([(found.low, body)]):
        name, _, rest = each.text.partition(" ")
        rest = rest.strip()
        if name.startswith("push") and rest != "%rbp":
            pushes.append(rest.lstrip("%"))
        elif name.startswith("sub") and rest.endswith(",%rsp") and rest.startswith("$"):
            space += int(rest[1:].partition(",")[0], 16)
        elif name.startswith("add") and rest.endswith(",%rsp") and rest.startswith("$0xffffff"):
            space += (1 << 64) - int(rest[1:].partition(",")[0], 16)
    return Shape(tuple(pushes), space)


def _both(code: CodeIndex, old_pc: int, new_pc: int) -> tuple[Found, Found]:
    old, new = code.function_at(old_pc), code.function_at(new_pc)
    if old is None or new is None or old.function.name != new.function.name:
        raise DebuggerError("the activation can only be moved to other code of its own function")
    return old, new


def _has_caller(execution: Execution, level: int) -> bool:
    try:
        execution.unwound(level + 1)
    except DebuggerError:
        return False
    return True


def _values(
    process: Process, frame: ProcessFrame, old: Found, new: Found
) -> list[tuple[DebugVariable, bytes]]:
    """The bytes of each variable of the new code, from where the old code has it."""
    types = new.module.info.types
    sources = {_key(each): each for each in old.function.variables}
    by_name = {each.name: each for each in old.function.variables}
    found = []
    for each in new.function.variables:
        source = sources.get(_key(each)) or by_name.get(each.name)
        if source is None or source.location.kind != "frame" or each.location.kind != "frame":
            continue
        size = types.size(each.type)
        found.append((each, process.memory.read(frame.cfa + source.location.value, size)))
    return found


def _key(variable: DebugVariable) -> tuple[str, int]:
    return variable.name, variable.line


def _in_force(process: Process, name: str, entries: dict[int, int]) -> Found | None:
    original = process.code.modules[0]
    function = original.info.function(name)
    if function is None:
        return None
    entry = function.low + original.bias
    return process.code.function_at(entries.get(entry, entry))


def _same_call(flow: Flow, code: CodeIndex, old: Found, new: Found, pc: int) -> int | None:
    """The return address in the new code of the call that returns to `pc` in the old."""
    row = code.row_at(pc - 1)
    if row is None:
        return None

    def on_line(found: Found) -> list[int]:
        calls = flow.calls([(found.low, found.high)])
        return [each for each in calls if (at := code.row_at(each - 1)) is not None and at.line == row.line]

    before, after = on_line(old), on_line(new)
    if pc not in before or len(before) != len(after):
        return None
    return after[before.index(pc)]


def _alike(flow: Flow, old: Found, new: Found) -> bool:
    """Whether both versions lay out their frames in the same way."""
    # A variable is there once for each piece of its block's code.
    places = [
        list(dict.fromkeys((*_key(each), each.location) for each in found.function.variables))
        for found in (old, new)
    ]
    return places[0] == places[1] and frame_shape(flow, old) == frame_shape(flow, new)


def moved_pointers(before: Snapshot, after: Snapshot) -> Iterator[tuple[Place, Pointer]]:
    """The pointers to variables that have moved: where they are to lead to the new places."""
    frame = before.frames[0]
    old = {each.id: each.address for each in before.graph.frames[0].variables}
    new = {each.id: each.address for each in after.graph.frames[0].variables}
    moved = {name for name, address in new.items() if name in old and old[name] != address}
    for place, value in before.graph.cells.items() if moved else ():
        if isinstance(value, Pointer) and value.object in moved:
            identity = place.object
            if isinstance(identity, VariableId) and identity.depth == frame.depth and identity not in new:
                continue
            yield place, value
