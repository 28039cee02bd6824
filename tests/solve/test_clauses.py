"""Clauses: what is counted, what is joined, and how a question is given up."""

from itertools import product

import pytest

from wolverine.solve.clauses import TRUE, Clauses


def solutions(clauses: Clauses, literals: list[int]) -> set[tuple[bool, ...]]:
    """The values of the literals in all solutions."""
    found = set()
    for values in product((False, True), repeat=len(literals)):
        assumed = [x if value else -x for x, value in zip(literals, values, strict=True)]
        if clauses.ask(assumed, 1_000) != "unsat":
            found.add(values)
    return found


@pytest.mark.parametrize("count", [2, 6, 7, 13])
def test_at_most_one_holds(count: int) -> None:
    clauses = Clauses()
    literals = [clauses.new() for _ in range(count)]
    clauses.at_most_one(literals)
    assert solutions(clauses, literals) == {v for v in product((False, True), repeat=count) if sum(v) < 2}


def test_joined_literals_hold_exactly_when_they_should() -> None:
    clauses = Clauses()
    one, two = clauses.new(), clauses.new()
    both, some = clauses.both((one, two)), clauses.some((one, two))
    assert solutions(clauses, [one, two, both, some]) == {
        (a, b, a and b, a or b) for a in (False, True) for b in (False, True)
    }
    assert clauses.both(()) == TRUE
    assert clauses.some(()) == -TRUE
    assert clauses.both((one, TRUE)) == one
    assert clauses.some((one, TRUE)) == TRUE


def test_a_counter_bounds_how_many_hold() -> None:
    clauses = Clauses()
    literals = [clauses.new() for _ in range(5)]
    more = clauses.counter(literals, 3)
    assert clauses.ask([-more[0]], 1_000) != "unsat"
    assert clauses.ask([-more[0], literals[2]], 1_000) == "unsat"
    assert clauses.ask([-more[1], literals[0], literals[3]], 1_000) == "unsat"
    assert clauses.ask([-more[2], literals[0], literals[3]], 1_000) != "unsat"


def test_a_question_is_given_up_after_so_many_conflicts() -> None:
    clauses, holes = Clauses(), 8
    pigeons = [[clauses.new() for _ in range(holes)] for _ in range(holes + 1)]
    for pigeon in pigeons:
        clauses.add(pigeon)
    for hole in range(holes):
        clauses.at_most_one([pigeon[hole] for pigeon in pigeons])
    assert clauses.ask([], 5) == "unknown"
    spent = clauses.conflicts
    assert 0 < spent < 2_000  # looked at where the solver starts anew
    assert clauses.ask([], 100_000_000) == "unsat"
    assert clauses.conflicts > spent
