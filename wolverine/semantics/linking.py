"""Linking: compiled functions bound to one memory, under a patch and with stops.

Linked code passes over slots and jumps that do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn

from wolverine.core.patch import Patch, Replacement
from wolverine.core.program import Gap, Instruction, Jump
from wolverine.semantics.closures import Evaluate, Step
from wolverine.semantics.compiled import Code
from wolverine.semantics.faults import Unmodelled
from wolverine.semantics.replacing import patched

Stops = Mapping[str, Collection[int]]


class Linked:
    """A function ready to run: `table` with stops, `real` without, `arguments` of calls and returns."""

    def __init__(
        self,
        code: Code,
        name: str,
        bindings: Sequence[Any],
        replacements: Mapping[int, Replacement],
        stops: frozenset[int],
    ) -> None:
        self.compiled = compiled = code.function(name)
        self.name = name
        self.stops = stops
        steps = list(compiled.code)
        changed = {i: code.replaced(name, i, replacement) for i, replacement in replacements.items()}
        for index, (step, _) in changed.items():
            steps[index] = step
        self.steps: tuple[Instruction, ...] = tuple(steps)
        following = _following(steps, compiled.unit_of, stops)
        functions, self.arguments = compiled.factory(*bindings, following)
        for index, (_, factory) in changed.items():
            made, arguments = factory(*bindings, following)
            functions[index] = made[index]
            self.arguments.pop(index, None)
            self.arguments.update(arguments)
        self.following = following
        self.conditions: dict[int, Evaluate] = {}  # the machine's, by branch
        self.real: list[Step] = [functions[i] for i in range(len(steps))]
        self.real.append(_fall_off)
        self.table: list[Step] = list(self.real)
        for index in stops:
            self.table[index] = _stopper(~index)


class Links:
    """The functions of one machine, linked as they are called, under the present patch and stops.

    `bindings` are what the closures name (`closures.BINDINGS`), `admit` is told of the cells that a function
    uses.  `generation` counts how often a change of patch or stops has made other functions of them.
    """

    def __init__(
        self,
        code: Code,
        admit: Callable[[Iterable[int]], None],
        bindings: Sequence[Any],
        patch: Patch,
        stops: Stops | None,
    ) -> None:
        self.patch = patch
        self.generation = 0
        self._code = code
        self._admit = admit
        self._bindings = bindings
        self._patched = patched(code.program, patch)
        self._stops = {f: frozenset(i) for f, i in (stops or {}).items()}
        self._linked: dict[str, Linked] = {}
        self._plain: dict[str, Linked] = {}  # without replacements, with the present stops: these come again

    def function(self, name: str) -> Linked:
        """A function's closures under the present patch and stops; raises `Unmodelled`."""
        found = self._linked.get(name)
        if found is None:
            replacements = self._patched.get(name, {})
            found = None if replacements else self._plain.get(name)
            if found is None:
                self._admit(self._code.function(name).cells)
                stops = self._stops.get(name, frozenset())
                found = Linked(self._code, name, self._bindings, replacements, stops)
            if not replacements:
                self._plain[name] = found
            self._linked[name] = found
        return found

    def current(self, linked: Linked) -> bool:
        """Whether that is the function as it is linked now."""
        return linked is self._linked.get(linked.name)

    def set_patch(self, patch: Patch) -> bool:
        """Another patch from now on; whether that makes other functions."""
        new = patched(self._code.program, patch)
        stale = {f for f in {*new, *self._patched} if new.get(f) != self._patched.get(f)}
        self.patch, self._patched = patch, new
        return self._drop(stale)

    def set_stops(self, stops: Stops) -> bool:
        """Other stops from now on; whether that makes other functions."""
        new = {f: frozenset(i) for f, i in stops.items()}
        stale = {f for f in {*new, *self._stops} if new.get(f) != self._stops.get(f)}
        self._stops = new
        for function in stale:
            self._plain.pop(function, None)
        return self._drop(stale)

    def _drop(self, stale: Collection[str]) -> bool:
        for function in stale:
            self._linked.pop(function, None)
        self.generation += bool(stale)
        return bool(stale)


def _following(steps: Sequence[Instruction], unit_of: Sequence[int], stops: frozenset[int]) -> list[int]:
    """For each index the first instruction at or behind it that does something or has to be seen."""

    onward: dict[int, int] = {}  # from what does nothing
    for index, step in enumerate(steps):
        if index not in stops:
            if isinstance(step, Gap):
                onward[index] = index + 1
            elif isinstance(step, Jump) and unit_of[index] < 0:
                onward[index] = step.target
    result = [*range(len(steps) + 1)]
    for start in onward:
        index, seen = start, set[int]()
        while index in onward and index not in seen:
            seen.add(index)
            index = onward[index]
        result[start] = index
    return result


def _stopper(code: int) -> Step:
    return lambda _base: code


def _fall_off(_base: int) -> NoReturn:
    raise Unmodelled("execution runs past the end of a function")
