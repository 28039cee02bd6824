"""The tables of Wolverine2 section 5: forward state, backward states, difference and gradient."""

from __future__ import annotations

from typing import Any

from wolverine.core.expressions import source_name
from wolverine.core.graph import NodeId, Pointer, VariableId
from wolverine.core.trace import Problem
from wolverine.core.types import StructReference
from wolverine.localize.forward import Forward, Segment
from wolverine.localize.gradient import Gradient, domain, gradients
from wolverine.semantics.address import ADDRESS_MASK, KIND_SHIFT, POINTER, STATE, cell_place, offset_of
from wolverine.semantics.state import decode_pointer

_ANY = "*"


def explain(problem: Problem) -> str:
    """For every segment that differs the table of its executed statements, as text.

    A state shows the asserted entities that the segment writes or that differ at its end; all others
    agree throughout.  `*` is an entity that may hold any node: the number of such states stands behind.
    """
    parts: list[str] = []
    for trace in problem.traces:
        run = Forward(problem.program, trace)
        agree = 0
        for segment in run.segments:
            if segment.differs:
                parts.append(_Table(run, segment).text())
            else:
                agree += 1
        if agree:
            parts.append(f"{agree} other segment{'s' * (agree != 1)} end as asserted")
        if run.reason:
            parts.append(f"the execution of the program as it stands breaks off: {run.reason}")
    return "\n\n".join(parts)


class _Table:
    def __init__(self, run: Forward, segment: Segment) -> None:
        self._run = run
        self._segment = segment
        found = gradients(run, segment)
        self._of_step: dict[int, list[Gradient]] = {}
        for each in found:
            self._of_step.setdefault(each.step, []).append(each)
        written = dict.fromkeys(each.key for each in found)
        self._keys = [*written, *(key for key in segment.wrong if key not in written)]
        self._last = {each.key: each.step for each in found}
        self._first: dict[int, int] = {}
        for each in found:
            self._first.setdefault(each.key, each.step)
        self._pre = self._values_before()

    def text(self) -> str:
        """The lines of the table."""
        segment = self._segment
        rows = [("forward", "backward", "difference", "gradient")]
        state = dict(self._pre)
        rows.append(self._row(segment.first - 1, state))
        for number in range(segment.first, segment.last):
            if number not in self._of_step and number not in segment.refused:
                continue
            self._advance(number, state)
            rows.append(self._statement(number))
            rows.append(self._row(number, state))
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        head = f"from {segment.before} to {segment.after}: {self._summary()}"
        names = "  the states show " + (", ".join(map(self._name, self._keys)) or "nothing")
        lines = [head, names]
        for row in rows:
            cells = [part.ljust(width) for part, width in zip(row, widths)]
            lines.append(f"  {cells[0]}  {cells[1]}  {row[2]:>10}  {row[3]:>8}".rstrip())
        return "\n".join(lines)

    def _summary(self) -> str:
        wrong = [self._name(key) for key in self._segment.wrong]
        what = []
        if wrong:
            what.append(f"{', '.join(wrong)} differ{'s' * (len(wrong) == 1)}")
        if self._segment.refused:
            what.append("a condition was overruled")
        if self._segment.crash:
            what.append("it crashes")
        return "; ".join(what)

    def _statement(self, number: int) -> tuple[str, str, str, str]:
        step = self._run.steps[number]
        program = self._run.program
        location = program.functions[step.function].code[step.pc].location
        where = program.location(location) if location >= 0 else None
        gradient = sum(each.literal for each in self._of_step.get(number, ()))
        if number in self._segment.refused:
            gradient = 1.0
        words = f"line {where.line}: {where.text}" if where is not None else step.function
        return f"    {words}", "", "", _number(gradient)

    def _row(self, number: int, state: dict[int, Any]) -> tuple[str, str, str, str]:
        """The states behind step `number`."""
        segment, size = self._segment, domain(self._segment)
        forward, backward, difference, splits = [], [], 0.0, 0
        for key in self._keys:
            have = state.get(key)
            forward.append(self._value(key, have))
            if key not in self._last or number >= self._last[key]:
                back = segment.wanted[key]
            elif number < self._first[key]:
                back = self._pre.get(key)
            else:
                backward.append(_ANY)
                splits += 1
                difference += 1 - 1 / size
                continue
            backward.append(self._value(key, back))
            difference += have != back
        states = f" ({size**splits} states)" if splits else ""
        return f"<{', '.join(forward)}>", f"<{', '.join(backward)}>{states}", _number(difference), ""

    # -- values ------------------------------------------------------------------------------------

    def _values_before(self) -> dict[int, Any]:
        """What the entities held at the beginning of the segment."""
        run, segment = self._run, self._segment
        before: dict[int, Any] = {}
        for number in range(segment.first, segment.last):
            step = run.steps[number]
            for at in range(step.begin, step.end, 2):
                before.setdefault(run.trail[at], run.trail[at + 1])
        missing = object()
        for key in self._keys:
            if before.get(key, missing) is missing:
                before[key] = segment.wrong.get(key, segment.wanted[key])
        return {key: before[key] for key in self._keys}

    def _advance(self, number: int, state: dict[int, Any]) -> None:
        """The state behind the step: a cell's value is what its next write finds there."""
        run, segment = self._run, self._segment
        step = run.steps[number]
        for at in range(step.begin, step.end, 2):
            key = run.trail[at]
            if key not in state:
                continue
            if number == self._last.get(key):
                state[key] = segment.wrong.get(key, segment.wanted[key])
            else:
                state[key] = next(
                    run.trail[then + 1] for then in range(at + 2, len(run.trail), 2) if run.trail[then] == key
                )

    def _name(self, key: int) -> str:
        machine = self._run.machine
        address = key & ADDRESS_MASK
        found = machine.layout.object_at(address, machine.function_at)
        if found is None:
            return f"{address:#x}"
        offset = offset_of(address)
        if not isinstance(found, NodeId):
            return source_name(found.name) + (f"+{offset}" if offset else "")
        name = f"n{found.number}"
        if key >> KIND_SHIFT == STATE:
            return f"state of {name}"
        node = self._run.trace.start.nodes.get(found)
        tag = node.type.tag if node is not None and isinstance(node.type, StructReference) else ""
        structs = self._run.program.types.structs
        size = machine.memory.node_size(found.number)
        layout = structs.get(tag) or next((s for s in structs.values() if s.size == size), None)
        fields = layout.fields if layout is not None else ()
        field = next((f.name for f in fields if f.offset == cell_place(key)), "")
        return f"{name}->{field}" if field else f"{name}+{offset}"

    def _value(self, key: int, raw: Any) -> str:
        if raw is None:
            return "?"
        if key >> KIND_SHIFT == STATE:
            return "live" if raw >= 0 else "freed"
        if key >> KIND_SHIFT != POINTER:
            return str(raw)
        value = decode_pointer(self._run.machine, raw)
        match value:
            case None:
                return "null"
            case Pointer(NodeId(number), offset):
                return f"n{number}" + (f"+{offset}" if offset else "")
            case Pointer(VariableId(_, _, name), offset):
                return f"&{source_name(name)}" + (f"+{offset}" if offset else "")
        return "outside"


def _number(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"
