"""The cells that instructions and edits read, and where they write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from wolverine.core.expressions import Expression, Load, LValue
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import Deletion, NewAssignment, NewCall, NewNode, NewValue
from wolverine.core.program import Assign, Branch, Call, Instruction, Return
from wolverine.core.types import is_scalar
from wolverine.repair.execution.pool import FAILED, compiled, look_again
from wolverine.repair.execution.runner import Runner
from wolverine.repair.execution.truths import Conditionals
from wolverine.repair.menus.menu import Assigned, Menu
from wolverine.semantics.closures import Evaluate
from wolverine.semantics.faults import Halt

_CHOICES = 24  # of an edit that was made, whose operands are looked at


class Unknown(Exception):  # noqa: N818
    """What an instruction reads is not understood."""


class Operands:
    """What is read on the machine of one trace."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._reads: dict[tuple[str, int], tuple[list[Evaluate], list[Evaluate], Evaluate | None]] = {}
        self._readers: dict[
            tuple[str, int], tuple[Assigned, tuple[list[tuple[Evaluate, int]], int] | None]
        ] = {}
        self._chosen: dict[tuple[int, int], list[Evaluate] | None] = {}

    def keys(self, closures: Collection[Evaluate]) -> list[int]:
        """The cells that are read now; what lies behind a pointer that leads nowhere is not."""
        machine = self._runner.machine
        base = machine.frame.base  # type: ignore[union-attr]
        found = []
        for closure in closures:
            try:
                found.append(closure(base))
            except (KeyError, Halt) as problem:
                key = look_again(machine, closure, problem)
                if key is not FAILED:
                    found.append(key)
        return found

    def of(
        self, function: str, pc: int, step: Instruction
    ) -> tuple[list[Evaluate], list[Evaluate], Evaluate | None]:
        """Closures of the cells that tell where an instruction writes, of those it reads, of the target."""
        known = self._reads.get((function, pc))
        if known is None:
            target: LValue | None = None
            addresses: list[LValue] = []
            values: list[LValue] = []
            match step:
                case Assign(_, place, value):
                    target = place
                    addresses, values = list(_loads(place_parts(place))), list(_loads(parts(value)))
                case Branch(_, condition):
                    values = list(_loads(parts(condition)))
                case Call(_, _, arguments):
                    values = [load for argument in arguments for load in _loads(parts(argument))]
                case Return(_, value) if value is not None:
                    values = list(_loads(parts(value)))
                case Return():
                    pass
                case _:
                    raise Unknown
            if not all(is_scalar(place.type) for place in (*addresses, *values)):
                raise Unknown
            if target is not None and not is_scalar(target.type):
                raise Unknown
            keys = self._runner.machine.evaluators.keys
            made = compiled(keys, function, [*addresses, *values, *([] if target is None else [target])])
            split = len(addresses)
            written = made.pop() if target is not None else None
            known = self._reads[function, pc] = (made[:split], made[split:], written)
        return known

    def chosen(self, location: int, mask: int) -> list[Evaluate] | None:
        """Closures of the cells that an edit reads, whichever of the choices it is; None for too many."""
        name = location, mask
        if name not in self._chosen:
            self._chosen[name] = self._read_by(location, mask)
        return self._chosen[name]

    def _read_by(self, location: int, mask: int) -> list[Evaluate] | None:
        opened = self._runner.menu(location)
        if opened is None or mask.bit_count() > _CHOICES:
            return None
        wanted: dict[LValue, None] = {}
        while mask:
            bit = mask & -mask
            mask ^= bit
            match opened.menu.choices[bit.bit_length() - 1].replacement:
                case NewAssignment(target, value):
                    read: Sequence[Expression] = [*place_parts(target), *parts(value)]
                case NewValue(value) if isinstance(opened, Conditionals):
                    read = [*parts(value)]
                case NewValue(value):
                    step = self._runner.machine.program.functions[opened.menu.function].code[
                        opened.menu.index
                    ]
                    if not isinstance(step, Assign):
                        return None
                    read = [*place_parts(step.target), *parts(value)]
                case NewNode(target, string=string):
                    read = [*place_parts(target), *(parts(string) if string is not None else ())]
                case NewCall("free", arguments):
                    read = [part for argument in arguments for part in parts(argument)]
                case Deletion():
                    read = []
                case _:
                    return None
            wanted.update(dict.fromkeys(_loads(read)))
        if not all(is_scalar(place.type) for place in wanted):
            return None
        return compiled(self._runner.machine.evaluators.keys, opened.menu.function, list(wanted))

    def readers(self, menu: Menu) -> tuple[list[tuple[Evaluate, int]], int] | None:
        """By closures of cells the choices that read them, and the choices that do more than assign.

        None where what the choices read is not understood.
        """
        choices = menu.choices
        if not isinstance(choices, Assigned):
            return None
        name = menu.function, id(choices)
        if name not in self._readers:
            self._readers[name] = choices, self._readers_of(menu.function, choices)
        return self._readers[name][1]

    def _readers_of(self, function: str, choices: Assigned) -> tuple[list[tuple[Evaluate, int]], int] | None:
        rows, columns = choices.masks()
        found: dict[LValue, int] = {}
        for read, mask in (
            *((place_parts(place), row) for place, row in zip(choices.targets, rows, strict=True)),
            *((parts(value), column) for value, column in zip(choices.values, columns, strict=True)),
        ):
            for place in _loads(read) if mask else ():
                found[place] = found.get(place, 0) | mask
        if not all(is_scalar(place.type) for place in found):
            return None
        others = 0
        for number, choice in enumerate(choices.more, choices.pairs):
            if not isinstance(choice.replacement, Deletion):
                others |= 1 << number
        closures = compiled(self._runner.machine.evaluators.keys, function, list(found))
        return list(zip(closures, found.values(), strict=True)), others


def _loads(found: Iterable[Expression]) -> Iterator[LValue]:
    """The places that expressions read."""
    return (each.place for each in found if isinstance(each, Load))
