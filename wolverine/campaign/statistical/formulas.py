"""How suspicious a line or predicate is, by the formulas of the papers.

Tarantula: Jones and Harrold, ASE 2005.  Ochiai: Abreu, Zoeteweij, Golsteijn and van Gemund, JSS 2009.
Importance: Liblit, Naik, Zheng, Aiken and Jordan, PLDI 2005.  SOBER: Liu, Yan, Fei, Han and Midkiff,
ESEC/FSE 2005.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

NEVER = 0.5  # the bias of a predicate that a run does not evaluate (SOBER section 3.1)
_LEAST = 1e-9  # stands for a deviation of 0, so that the order of the limit is kept


@dataclass(frozen=True, slots=True)
class Hits:
    """How many failing and passing tests execute a line, of how many."""

    failed: int
    passed: int
    all_failed: int
    all_passed: int


@dataclass(frozen=True, slots=True)
class Truth:
    """How many failing and passing tests see a predicate hold, and how many evaluate it at all."""

    failed_true: int
    passed_true: int
    failed_seen: int
    passed_seen: int


def tarantula(hits: Hits) -> float:
    """The hue: the failing tests' share over both shares; 0 for a line that no test executes."""
    failed = hits.failed / max(hits.all_failed, 1)
    passed = hits.passed / max(hits.all_passed, 1)
    return failed / (failed + passed) if failed else 0.0


def ochiai(hits: Hits) -> float:
    """The cosine between executing the line and failing."""
    product = hits.all_failed * (hits.failed + hits.passed)
    return hits.failed / math.sqrt(product) if product else 0.0


def importance(truth: Truth, failures: int) -> float:
    """Liblit's Importance: the harmonic mean of Increase and of the (logarithmic) share of failures.

    0 for predicates whose truth does not make failure likelier than their being evaluated does.  Of a
    single failure the share is 1 where the predicate held (the logarithms would be 0 over 0).
    """
    if not truth.failed_true:
        return 0.0
    increase = truth.failed_true / (truth.failed_true + truth.passed_true)
    increase -= truth.failed_seen / (truth.failed_seen + truth.passed_seen)
    share = math.log(truth.failed_true) / math.log(failures) if failures > 1 else 1.0
    if increase <= 0 or share <= 0:
        return 0.0
    return 2 / (1 / increase + 1 / share)


def bias(true: int, seen: int) -> float:
    """SOBER's evaluation bias of a predicate in a run: how often it held of how often it was evaluated."""
    return true / seen if seen else NEVER


def sober(failing: Sequence[float], passing: Sequence[float]) -> float:
    """SOBER's -log(L): how little the failing runs' biases look as if drawn like those of passing runs.

    L is the density of their mean under the null hypothesis, by the central limit theorem normal with
    the mean of the passing runs and their deviation over sqrt(m) for m failing runs.
    """
    if not failing or not passing:
        return -math.inf
    deviation = max(stdev(passing) if len(passing) > 1 else 0.0, _LEAST) / math.sqrt(len(failing))
    z = (fmean(failing) - fmean(passing)) / deviation
    return math.log(deviation) + z * z / 2 + math.log(2 * math.pi) / 2
