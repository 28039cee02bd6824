"""The statistical formulas on spectra computed by hand, and the ranks that come of them."""

import math

import pytest

from wolverine.campaign.statistical.formulas import Hits, Truth, bias, importance, ochiai, sober, tarantula
from wolverine.campaign.statistical.predicates import Predicate
from wolverine.campaign.statistical.ranks import effort, mean_ranks
from wolverine.campaign.statistical.spectra import Spectra, Spectrum


def spectra(*tests, predicates=()):
    return Spectra(tuple(tests), tuple(predicates), 1.0, 1.0)


# Lines 1 and 2 by all tests, 3 by both failing and one of four passing, 4 by one passing.
FOUR = spectra(
    Spectrum(True, frozenset({1, 2, 3})),
    Spectrum(True, frozenset({1, 2, 3})),
    Spectrum(False, frozenset({1, 2, 3})),
    Spectrum(False, frozenset({1, 2, 4})),
    Spectrum(False, frozenset({1, 2})),
    Spectrum(False, frozenset({1, 2})),
)


def test_tarantula():
    assert FOUR.scores("tarantula") == pytest.approx({1: 1 / 2, 2: 1 / 2, 3: 1 / (1 + 1 / 4), 4: 0})
    assert tarantula(Hits(0, 0, 2, 4)) == 0
    assert tarantula(Hits(2, 0, 2, 0)) == 1


def test_ochiai():
    expected = {1: 2 / math.sqrt(12), 2: 2 / math.sqrt(12), 3: 2 / math.sqrt(6), 4: 0}
    assert FOUR.scores("ochiai") == pytest.approx(expected)
    assert ochiai(Hits(0, 0, 0, 3)) == 0


def test_importance():
    # Failure 3/4, context 4/10, so increase 0.35; the share of failures log 3 / log 4.
    wanted = 2 / (1 / 0.35 + math.log(4) / math.log(3))
    assert importance(Truth(3, 1, 4, 6), 4) == pytest.approx(wanted)
    assert importance(Truth(1, 5, 4, 6), 4) == 0  # its truth makes failure less likely
    assert importance(Truth(1, 0, 2, 2), 2) == 0  # the logarithm of one failure
    assert importance(Truth(1, 0, 1, 1), 1) == pytest.approx(2 / (1 / 0.5 + 1))


def test_sober():
    # Passing: mean 0.5, deviation 0.5 (of a sample); failing: mean 1, m = 4, so z = 0.5 / 0.25.
    density = math.exp(-(2**2) / 2) / math.sqrt(2 * math.pi) / 0.25
    assert sober([1, 1, 1, 1], [0, 0.5, 1]) == pytest.approx(-math.log(density))
    alike = sober([0.5, 0.5], [0, 0.5, 1])
    assert alike < sober([1, 1], [0, 0.5, 1]) < sober([0.2], [0, 0, 0]) < sober([0.3], [0, 0, 0])
    assert sober([], [1]) == -math.inf
    assert bias(1, 4) == 0.25 and bias(0, 0) == 0.5


def test_a_line_has_the_score_of_its_best_predicate_or_negation():
    known = (Predicate(7, "p"), Predicate(7, "q"), Predicate(9, "r"))
    counted = spectra(
        Spectrum(True, frozenset(), ((0, 2), (1, 1), (1, 1))),
        Spectrum(False, frozenset(), ((2, 2), (1, 1), (1, 1))),
        predicates=known,
    )
    # Of p the negation holds in the failing run only: increase 1 - 1/2, and all one failures.
    assert counted.scores("liblit") == pytest.approx({7: 2 / (1 / 0.5 + 1), 9: 0})
    found = counted.scores("sober")
    assert found[7] > found[9]
    assert counted.failing == 1


def test_equals_share_the_mean_of_their_ranks():
    ranks = mean_ranks([1, 2, 3, 4, 5, 6], {3: 0.8, 1: 0.5, 2: 0.5})
    assert ranks == {3: 1, 1: 2.5, 2: 2.5, 4: 5, 5: 5, 6: 5}


def test_effort_is_the_share_of_lines_before_the_first_faulty_one():
    lines = [10, 11, 13, 20]
    assert effort(lines, {13: 1.0, 10: 0.5}, [10]) == 2 / 4
    assert effort(lines, {13: 1.0, 10: 0.5}, [10, 13]) == 1 / 4
    assert effort(lines, {13: 1.0, 10: 0.5}, [20]) == 3.5 / 4
    assert effort(lines, {12: 1.0}, [12]) == 1 / 4  # the second line of a statement
