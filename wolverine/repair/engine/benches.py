"""The benches of one problem: which choices its stages have."""

from __future__ import annotations

from functools import cached_property
from itertools import product

from wolverine.core.trace import Problem
from wolverine.repair.explicit.bench import Bench
from wolverine.repair.special.approved import since_approved
from wolverine.repair.special.stages import Stage

_Choices = tuple[bool, bool, bool, bool]  # statements under tests, spares, new nodes, calls

_PLAIN = (False, False, False, False)
_WIDENINGS = tuple(product((False, True), repeat=4))  # with calls, new nodes, spares, statements under tests


class Benches:
    """The plain bench of a problem, and those with more choices, made when first needed."""

    def __init__(self, problem: Problem, plain: Bench) -> None:
        self.plain = plain
        self._accepted = problem.accepted
        self._wider: dict[_Choices, Bench] = {_PLAIN: plain}
        self._keeping: dict[_Choices, Bench | None] = {}

    @cached_property
    def approved(self) -> Bench | None:
        """The plain bench behind the last picture that was right; None where there is none."""
        return since_approved(self.plain)

    def of(self, stage: Stage) -> Bench | None:
        """The choices for a stage; None where they do not include what was accepted before."""
        name = stage.guarded, stage.spares, stage.nodes, stage.calls
        if not stage.kept:
            return self.wider(*name)
        if name not in self._keeping:
            widenings = (
                self.wider(
                    stage.guarded or guarded,
                    stage.spares or spares,
                    stage.nodes or nodes,
                    stage.calls or calls,
                )
                for calls, nodes, spares, guarded in _WIDENINGS
            )
            benches = (bench.keeping(self._accepted) for bench in widenings)
            self._keeping[name] = next((bench for bench in benches if bench is not None), None)
        return self._keeping[name]

    def wider(
        self, guarded: bool = False, spares: bool = False, nodes: bool = False, calls: bool = False
    ) -> Bench:
        """The plain choices and these."""
        name = guarded, spares, nodes, calls
        if name not in self._wider:
            self._wider[name] = self.plain.widened(guarded=guarded, spares=spares, nodes=nodes, calls=calls)
        return self._wider[name]
