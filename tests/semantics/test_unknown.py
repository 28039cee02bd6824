"""Values that only the process knows, under divisions and conversions: found, or told as a whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wolverine.semantics import numeric
from wolverine.semantics.arithmetic import divide, double, fdivide, remainder, single, truncate
from wolverine.semantics.unknown import Unknown, solve

_RANDOM_MOST = 2**31 - 1
_small = st.integers(1, 1000)


def _chance(value: object) -> object:
    return fdivide(double(value), double(_RANDOM_MOST))


@given(value=st.integers(0, _RANDOM_MOST), by=_small, more=st.integers(-50, 50))
def test_a_remainder_is_explained(value: int, by: int, more: int) -> None:
    token = Unknown()
    tree = remainder(token, by) + more
    known = solve([(tree, value % by + more)], [])
    assert known is not None
    assert known[token.number] % by == value % by


@given(value=st.integers(-_RANDOM_MOST, _RANDOM_MOST), by=_small)
def test_a_quotient_is_explained(value: int, by: int) -> None:
    token = Unknown()
    wanted = numeric.quotient(value, by)
    known = solve([(divide(token, by), wanted)], [])
    assert known is not None
    assert numeric.quotient(known[token.number], by) == wanted


@given(value=st.integers(0, _RANDOM_MOST - 1), sides=_small)
def test_a_die_that_is_thrown_with_floats_is_explained(value: int, sides: int) -> None:
    token = Unknown()
    wanted = truncate(_chance(value) * sides) + 1  # type: ignore[operator]
    known = solve([(truncate(_chance(token) * sides) + 1, wanted)], [])  # type: ignore[operator]
    assert known is not None
    assert truncate(_chance(known[token.number]) * sides) + 1 == wanted  # type: ignore[operator]


@given(value=st.integers(0, _RANDOM_MOST), heads=st.booleans())
def test_a_coin_that_was_thrown_is_explained(value: int, heads: bool) -> None:
    token = Unknown()
    known = solve([], [(remainder(token, 2) == 0, heads)])
    assert known is not None
    assert (known[token.number] % 2 == 0) == heads


@given(value=st.integers(0, _RANDOM_MOST), by=_small, rounds=st.integers(0, 12))
def test_rounds_that_were_counted_down_are_explained(value: int, by: int, rounds: int) -> None:
    token = Unknown()
    left, wanted, truths = remainder(token, by), value % by, []
    for _ in range(rounds):
        truths.append((left > 0, wanted > 0))
        left, wanted = left - 1, wanted - 1
    known = solve([], truths)
    assert known is not None
    assert all(tree.value(known) == truth for tree, truth in truths)


def test_what_no_value_explains_is_told_as_a_whole() -> None:
    token = Unknown()
    one, other = remainder(token * token, 1009), single(double(token))
    known = solve([(one, 3), (one + 1, 4), (one - one * 2, -3), (other, 0.1)], [])
    assert known is not None
    assert token.number not in known
    assert (one + 1).value(known) == 4
    assert other.value(known) == 0.1


def test_what_contradicts_itself_is_not_explained() -> None:
    token = Unknown()
    assert solve([(token, 1), (token + 1, 4)], []) is None
