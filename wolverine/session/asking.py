"""The question after a repair: put in pictures, and what is done with the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from wolverine.core.graph import UNINITIALISED, MemoryGraph, VariableId
from wolverine.core.patch import Candidate, Repairs
from wolverine.core.trace import Trace
from wolverine.errors import CommandError
from wolverine.repair.heaps.outcomes import RESULT, Outcome, shown
from wolverine.repair.ranking.question import Question, allowed, question
from wolverine.session import results
from wolverine.session.commands import Repair
from wolverine.session.execution import Execution

UNASKED = "no question was asked at this stop; `repair` asks where repairs differ"

Aside = Callable[[MemoryGraph, str, MemoryGraph | None], results.Graph]


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

    def prepare(self, command: Repair, trace: Trace, candidates: tuple[Candidate, ...]) -> None:
        """Look for the question that tells most about the candidates, where the command allows one."""
        left = command.ask
        if command.answer is not None:
            left = max(self._asked.left if self._asked is not None else 0, command.ask - 1)
        self._asked = None
        if not command.question or left < 1:
            return
        found = question(self._execution.model, trace, candidates)
        if found is not None:
            self._asked = _Asked(found, candidates, len(self._execution.path), left - 1)

    def forget(self) -> None:
        """Nothing is asked about what is to be found now."""
        self._asked = None

    @property
    def awaits(self) -> bool:
        """Whether a question was asked at this stop."""
        return self._asked is not None and self._asked.stops == len(self._execution.path)

    def ask(self) -> None:
        """Emit the question that was found."""
        if self._asked is None:
            return
        found = self._asked.question
        given = shown(found.input)
        graphs = [outcome.graph for outcome in found.outcomes]
        self._emit(
            results.Question(
                self._aside(given, f"{found.function} () is called.", None),
                tuple(
                    self._result(each, _alike(each.graph, graphs, given), _unchanged(each, given))
                    for each in found.outcomes
                ),
                found.input,
            )
        )

    def _result(self, outcome: Outcome, before: MemoryGraph, unchanged: bool) -> results.Graph:
        words = [f"It prints {json.dumps(outcome.output)}."] if outcome.output else []
        drawn = self._aside(outcome.graph, " ".join(["Nothing changes."] * unchanged + words), before)
        more = {"output": outcome.output} if outcome.output else {}
        return replace(drawn, data={**drawn.data, **more, **({"unchanged": True} if unchanged else {})})

    def answer(self, number: int, found: Repairs) -> Repairs | None:
        """Note the answer at this stop; the repairs that keep to it, None where they have to be searched.

        Raises CommandError where nothing was asked here, and for a number that no result has.
        """
        asked, path = self._asked, self._execution.path
        present = path[-1]
        if asked is None or asked.stops != len(path) or asked.candidates is not found.candidates:
            if present.answers:
                raise CommandError("what was asked at this stop is answered; `back` and on again asks anew")
            raise CommandError(UNASKED)
        count = len(asked.question.outcomes)
        if number > count:
            raise CommandError(f"there is no result {number}; there are 1 to {count}, and 0 for none of them")
        answer = asked.question.answer(number)
        others = tuple(each for each in present.answers if each.input is not answer.input)
        self._execution.replace_present(replace(present, answers=(*others, answer)))
        kept: Sequence[Candidate] = allowed(self._execution.model, found.candidates, (answer,), met=False)
        if not kept:
            return None
        return found.only(kept)


def _unchanged(outcome: Outcome, given: MemoryGraph) -> bool:
    """Whether the call leaves the heap as it was, and returns nothing."""
    graph = outcome.graph
    states = {name: node.state for name, node in graph.nodes.items()}
    if outcome.crash or states != {name: node.state for name, node in given.nodes.items()}:
        return False
    inner = {v.id for v in graph.frames[0].variables} if graph.frames else set()
    left, was = (
        {place: value for place, value in each.cells.items() if place.object not in inner}
        for each in (graph, given)
    )
    return left == was and RESULT not in {v.name for v in inner}


def _alike(result: MemoryGraph, results: Sequence[MemoryGraph], given: MemoryGraph) -> MemoryGraph:
    """The result as it would be if nothing had happened to what differs between the results.

    What changes from there to the result is what has to be looked at.
    """
    cells = dict(result.cells)
    freed = {name for name, node in result.nodes.items() if node.state == "freed"}
    for place, value in result.cells.items():
        if place.object in freed or all(
            place in each.cells and each.cells[place] == value for each in results
        ):
            continue
        if place in given.cells:
            cells[place] = given.cells[place]
        elif isinstance(place.object, VariableId) or all(place in each.cells for each in results):
            cells[place] = UNINITIALISED  # what the call has made
        else:
            del cells[place]
    nodes = {**result.nodes}
    for name, node in result.nodes.items():
        if any(name not in each.nodes or each.nodes[name].state != node.state for each in results):
            if name in given.nodes:
                nodes[name] = given.nodes[name]
            else:
                del nodes[name]
    return replace(result, cells=cells, nodes=nodes)
