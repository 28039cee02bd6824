"""From scores of lines to effort: the share of a program that is read before the fault is met."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def mean_ranks(lines: Collection[int], scores: Mapping[int, float]) -> dict[int, float]:
    """The rank of every line, 1 the most suspicious; equals share the mean of the ranks that they take.

    Lines without a score come after all others, as equals.
    """
    lowest = float("-inf")
    tied: dict[float, list[int]] = {}
    for line in lines:
        tied.setdefault(scores.get(line, lowest), []).append(line)
    found: dict[int, float] = {}
    before = 0
    for score in sorted(tied, reverse=True):
        group = tied[score]
        found.update(dict.fromkeys(group, before + (len(group) + 1) / 2))
        before += len(group)
    return found


def effort(lines: Collection[int], scores: Mapping[int, float], faulty: Collection[int]) -> float:
    """The share of the executable lines that is read until the first faulty one (Wolverine2 Figure 13).

    A faulty or scored line without code of its own, the second of a long statement say, counts as the
    next executable one before it.
    """
    moved: dict[int, float] = {}
    for line, score in scores.items():
        at = _executable(lines, line)
        moved[at] = max(score, moved.get(at, score))
    ranks = mean_ranks(lines, moved)
    return min(ranks[_executable(lines, line)] for line in faulty) / len(lines)


def _executable(lines: Collection[int], line: int) -> int:
    return max((at for at in lines if at <= line), default=min(lines))
