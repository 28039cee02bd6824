"""Recursion without an end: which calls fill the stack, told long before it is full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from wolverine.semantics.activation import Activation, Called, between, outwards
from wolverine.semantics.faults import Fault
from wolverine.semantics.machine import Machine
from wolverine.semantics.violations import Violation, all_entered, modelled, walked

_DEEP = 64  # calls within each other, more than any function needs that goes through the nodes twice
_PER_NODE = 2
_CYCLE = 24  # innermost calls in which every function of the recursion comes
_SEEN = 2  # calls of the recursion that wait for the one that is looked at


def first_overflow(machine: Machine, limit: int) -> tuple[Violation, Violation] | None:
    """The recursion without an end to which the machine comes: its outermost call, and one further in.

    Both stand at the first statement of the same function.  The second tells as `further` the calls that
    are made from there on until it is certain that there is no end.  `limit` is in instructions.
    """
    begun = machine.frame
    if begun is None:
        return None
    depth, machine.max_depth = machine.max_depth, begun.depth + _DEEP + _PER_NODE * machine.memory.node_count
    path: list[int] = []
    steps = machine.steps
    try:
        while (left := limit - (machine.steps - steps)) > 0 and modelled(machine):
            if machine.run(left, path) not in ("concrete", "limit"):
                return None
        return None
    except Fault as fault:
        if fault.kind != "stack":
            return None
    finally:
        machine.max_depth = depth
    calls = _recursion([each for each in outwards(machine.frame) if each.depth > begun.depth])
    if len(calls) <= _SEEN:
        return None
    name = calls[0].linked.name
    units = all_entered(machine, name)
    executed = list(walked(machine, begun, path))
    first = next((pc for number, _, pc in executed if number == calls[0].number and pc in units), None)
    if first is None:
        return None
    visits = [number for number, *at in executed if at == [name, first]]

    def violation(call: Activation, further: tuple[Called, ...]) -> Violation:
        before = visits.index(call.number) + 1
        return Violation(
            "endless", f"{name} calls itself without an end", name, first, before, further=further
        )

    inner = calls[_SEEN]
    return violation(calls[0], ()), violation(inner, between(calls[-1], inner))


def _recursion(stack: Sequence[Activation]) -> list[Activation]:
    """The calls of the function with which the recursion begins, outermost first."""
    cycle = {each.linked.name for each in stack[:_CYCLE]}
    within = list(takewhile(lambda each: each.linked.name in cycle, stack))
    within.reverse()
    return [each for each in within if within and each.linked.name == within[0].linked.name]
