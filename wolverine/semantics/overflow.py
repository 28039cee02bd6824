"""Recursion without an end: which calls fill the stack, told long before it is full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from wolverine.semantics.activation import Activation, Called, between, outwards
from wolverine.semantics.endless import Rounds
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
    are made from there on until it is certain that there is no end.  What comes back is not endless, however
    deep it is.  `limit` is in instructions.
    """
    begun = machine.frame
    if begun is None:
        return None
    path: list[int] = []
    until = machine.steps + limit
    while _fills_the_stack(machine, begun, until, path):
        calls = _recursion([each for each in outwards(machine.frame) if each.depth > begun.depth])
        if len(calls) <= _SEEN:
            return None
        here, length = machine.mark(), len(path)
        if not _comes_back(machine, calls[0], until, path):
            machine.undo(here)
            del path[length:]
            return _told(machine, begun, calls, path)
    return None


def _fills_the_stack(machine: Machine, begun: Activation, until: int, path: list[int]) -> bool:
    """Whether the machine comes to more calls within each other than any function needs.

    It stands in front of the next one then; `until` is the number of steps at which it gives up.
    """
    depth = machine.max_depth
    machine.max_depth = begun.depth + _DEEP + _PER_NODE * machine.memory.node_count
    try:
        while (left := until - machine.steps) > 0 and modelled(machine):
            if machine.run(left, path) not in ("concrete", "limit"):
                return False
        return False
    except Fault as fault:
        return fault.kind == "stack"
    finally:
        machine.max_depth = depth


def _comes_back(machine: Machine, call: Activation, until: int, path: list[int]) -> bool:
    """Whether the machine returns from a call within so many steps in all."""
    rounds, begun = Rounds(), machine.steps
    try:
        while (frame := machine.frame) is not None and frame.depth >= call.depth:
            if machine.steps >= until or not modelled(machine):
                return False
            if rounds.again(machine, machine.steps - begun):
                return False
            machine.step(path)
    except Fault:
        return False
    return True


def _told(
    machine: Machine, begun: Activation, calls: Sequence[Activation], path: Sequence[int]
) -> tuple[Violation, Violation] | None:
    """The recursion whose calls these are, outermost first, on the way that the machine has come."""
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
