"""The question after a repair: put in pictures, and what is done with the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wolverine.core.graph import MemoryGraph
from wolverine.core.patch import Candidate, Repairs
from wolverine.core.trace import Trace
from wolverine.errors import CommandError
from wolverine.repair.outcomes import Outcome, shown
from wolverine.repair.question import Question, allowed, question
from wolverine.session import results
from wolverine.session.commands import Repair
from wolverine.session.execution import Execution

Aside = Callable[[MemoryGraph, str], results.Graph]


@dataclass(frozen=True)
class _Asked:
    """A question that awaits its answer: about which candidates, at which stop; how many may follow."""

    question: Question
    candidates: tuple[Candidate, ...]
    stops: int
    left: int


class Asking:
    """Asks one question at a time, and takes its answer."""

    def __init__(self, execution: Execution, emit: Callable[[results.Result], None], aside: Aside) -> None:
        self._execution = execution
        self._emit = emit
        self._aside = aside
        self._asked: _Asked | None = None

    def ask(self, command: Repair, trace: Trace, candidates: tuple[Candidate, ...]) -> None:
        """Emit the question that tells most about the candidates, where the command allows one."""
        left = command.ask
        if command.answer is not None:
            left = max(self._asked.left if self._asked is not None else 0, command.ask - 1)
        self._asked = None
        if not command.question or left < 1:
            return
        found = question(self._execution.model, trace, candidates)
        if found is None:
            return
        self._asked = _Asked(found, candidates, len(self._execution.path), left - 1)
        self._emit(
            results.Question(
                self._aside(shown(found.input), f"{found.function} () is called."),
                tuple(self._result(outcome) for outcome in found.outcomes),
                found.input,
            )
        )

    def _result(self, outcome: Outcome) -> results.Graph:
        if not outcome.crash:
            printed = f"It prints {json.dumps(outcome.output)}." if outcome.output else ""
            drawn = self._aside(outcome.graph, printed)
            return replace(drawn, data={**drawn.data, "output": outcome.output}) if printed else drawn
        drawn = self._aside(outcome.graph, f"It fails: {outcome.crash}.")
        return replace(drawn, data={**drawn.data, "crash": outcome.crash})

    def answer(self, number: int, found: Repairs) -> Repairs | None:
        """Note the answer at this stop; the repairs that keep to it, None where they have to be searched.

        Raises CommandError where nothing was asked here, and for a number that no result has.
        """
        asked, path = self._asked, self._execution.path
        if asked is None or asked.stops != len(path) or asked.candidates is not found.candidates:
            raise CommandError("no question was asked at this stop; `repair` asks where repairs differ")
        count = len(asked.question.outcomes)
        if number > count:
            raise CommandError(f"there is no result {number}; there are 1 to {count}, and 0 for none of them")
        answer = asked.question.answer(number)
        present = path[-1]
        others = tuple(each for each in present.answers if each.input is not answer.input)
        self._execution.replace_present(replace(present, answers=(*others, answer)))
        kept: Sequence[Candidate] = allowed(self._execution.model, found.candidates, (answer,), met=False)
        if not kept or found.total > len(found.candidates):
            return None
        return found.only(kept)
