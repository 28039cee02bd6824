"""Closures of single expressions, for those who look at a machine's memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wolverine.core.expressions import Expression, LValue
from wolverine.core.types import CType
from wolverine.semantics.closures import Evaluate, expressions
from wolverine.semantics.compiled import Code
from wolverine.semantics.direct import Direct
from wolverine.semantics.generate import Generator
from wolverine.semantics.memory import Memory


class Evaluators:
    """Makes closures on one memory; `bindings` are what their source names (`closures.BINDINGS`).

    Evaluate them through `Machine.attempt`, or expect KeyError where that raises a `Fault`.
    """

    def __init__(self, code: Code, memory: Memory, bindings: Sequence[Any]) -> None:
        self._code = code
        self._memory = memory
        self._bindings = bindings
        self._directs: dict[str, Direct] = {}

    def values(self, function: str, wanted: Sequence[tuple[Expression, CType]]) -> list[Evaluate]:
        """Closures `base -> raw` of expressions, converted to a type as an assignment to it would."""
        direct = self._direct(function)
        made = [direct.raw(e, t) for e, t in wanted]
        return self._completed(function, made, lambda generator, at: generator.raw(*wanted[at]))

    def truths(self, function: str, wanted: Sequence[Expression]) -> list[Evaluate]:
        """Closures `base -> truth` (any Python value) of conditions."""
        direct = self._direct(function)
        made = [direct.truth(e) for e in wanted]
        return self._completed(function, made, lambda generator, at: generator.truth(wanted[at]))

    def keys(self, function: str, wanted: Sequence[LValue]) -> list[Evaluate]:
        """Closures `base -> key` of the cells that scalar lvalues name (not checked to exist)."""
        direct = self._direct(function)
        made = [direct.key(place) for place in wanted]
        return self._completed(function, made, lambda generator, at: generator.key(wanted[at]))

    def _direct(self, function: str) -> Direct:
        found = self._directs.get(function)
        if found is None:
            memory, address = self._memory, self._code.layout.address
            types = self._code.program.types
            found = Direct(
                memory.cells,
                memory.miss,
                lambda variable: address(function, variable),
                types,
                memory.within,
            )
            self._directs[function] = found
        return found

    def _completed(
        self, function: str, made: list[Evaluate | None], source: Callable[[Generator, int], str]
    ) -> list[Evaluate]:
        """The closures, those that are None compiled from source."""
        missing = [at for at, closure in enumerate(made) if closure is None]
        if missing:
            generator = self._code.generator(function)
            factory = expressions([source(generator, at) for at in missing])
            for at, closure in zip(missing, factory(*self._bindings, ()), strict=True):
                made[at] = closure
        return made  # type: ignore[return-value]
