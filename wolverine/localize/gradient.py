"""Algorithm 2 of Wolverine2 (section 5.2.3), by its closed form, in one linear pass.

The forward states are those of the execution; the backward states start from what is asserted at the end
of a segment and undo one statement after the other.  A statement that undoes the only (or the first)
write of an entity takes its value from the precondition; before another write the entity may hold any of
the |D| nodes, so the states split.  Every statement changes only its own entities in both, and split
states are a uniform product, so the normalised distance of point i is a sum over the asserted entities:

    delta_i(e) = [forward_i(e) != backward_i(e)]   where e is not split, else (|D| - 1) / |D|

and the gradient at a statement is the change of delta at the entities that it writes:

    the only writer of e         1 if the end of the segment differs from the assertion in e, else 0
    the first of several         (|D| - 1) / |D|, whatever the end is
    the last of several          1 / |D| if the end differs, else (|D| - 1) / |D|
    a writer between those       0 (the appendix adds these by decree)

The paper's worked tables take the closest of the split states instead: then only the last writer of an
entity that differs has gradient 1.  The score is the mean of both, so that a sole or last writer of a
wrong entity stands before statements that are flagged because their entity is written twice.  Segments
that end as asserted say nothing and are left out.

A forced branch is an assertion too: of the condition's value, which has one writer.  So a condition that
the user overruled has gradient 1.  The paper's backward rule leaves conditions out altogether.

The claim that the statements found contain the fault (Theorem A.2, and section 5's statement locks) does
not hold in general; use the order to look and to search, never to exclude.  It fails for

* wrong conditions that nobody forced: `if` undoes nothing, so it has no gradient;
* wrong left sides: the entity that differs may have no writer, and the one written may agree;
* missing statements: there is nothing to flag;
* two faults that cancel or overwrite each other (the proof supposes one fault);
* what is not executed, and entities that are not asserted.
"""

from __future__ import annotations

from dataclasses import dataclass

from wolverine.core.trace import Problem
from wolverine.localize.forward import Forward, Segment
from wolverine.localize.suspicion import Suspicion, ranked

NAME = "gradient"


@dataclass(frozen=True, slots=True)
class Gradient:
    """What one executed step (its number in the run) contributes at one entity.

    `literal` is Algorithm 2's gradient, `closest` the one of the paper's tables; both without sign.
    """

    step: int
    key: int
    literal: float
    closest: float

    @property
    def score(self) -> float:
        """How suspicious the step is for this entity."""
        return (self.literal + self.closest) / 2


def localize(problem: Problem) -> tuple[Suspicion, ...]:
    """Rank the executed statements by gradient, over all segments of all traces.

    Empty where every assertion and forced branch is met as the program stands.  Linear in the length of
    the traces.
    """
    scores: dict[int, tuple[float, float]] = {}
    for trace in problem.traces:
        run = Forward(problem.program, trace)
        for segment in run.segments:
            if not segment.differs:
                continue
            blamed = [(g.step, g.key, g.score) for g in gradients(run, segment)]
            blamed += [(number, None, 1.0) for number in segment.refused]  # type: ignore[misc]
            for number, key, score in blamed:
                location = run.location(run.steps[number], key)
                if location >= 0 and score > 0:
                    best = scores.get(location)
                    if best is None or score > best[0]:
                        scores[location] = (score, number)
    return ranked(problem.program, scores)


def gradients(run: Forward, segment: Segment) -> list[Gradient]:
    """The gradients of a segment's steps at the asserted entities, zeros included, in order."""
    wanted, trail, steps = segment.wanted, run.trail, run.steps
    writers: dict[int, list[int]] = {}
    for number in range(segment.first, segment.last):
        _, _, _, begin, end = steps[number]
        for at in range(begin, end, 2):
            key = trail[at]
            if key in wanted:
                numbers = writers.setdefault(key, [])
                if not numbers or numbers[-1] != number:
                    numbers.append(number)
    split = 1 - 1 / domain(segment)
    found: list[Gradient] = []
    for key, numbers in writers.items():
        wrong = float(key in segment.wrong)
        if len(numbers) == 1:
            found.append(Gradient(numbers[0], key, wrong, wrong))
            continue
        found.append(Gradient(numbers[0], key, split, 0.0))
        found += [Gradient(number, key, 0.0, 0.0) for number in numbers[1:-1]]
        found.append(Gradient(numbers[-1], key, abs(wrong - split), wrong))
    found.sort(key=lambda gradient: gradient.step)
    return found


def domain(segment: Segment) -> int:
    """|D|: how many values a split entity may have, the nodes and null."""
    return max(segment.nodes + 1, 2)
