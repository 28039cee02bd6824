"""Terms fold what is known; the solver answers with values."""

from __future__ import annotations

from wolverine.solve import terms
from wolverine.solve.solver import Sat, Solver, Unsat


def test_what_is_known_is_folded() -> None:
    x = terms.integer("x")
    assert terms.conjunction((True, terms.equality(3, 3))) is True
    assert terms.conjunction((terms.equality(x, 1), False)) is False
    assert terms.disjunction((terms.equality(x, 1), True)) is True
    assert terms.choice(False, x, 4) == 4
    assert terms.same(terms.choice(terms.boolean("b"), x, x), x)
    assert terms.comparison("<=", 2, 3) is True


def test_a_solution_and_a_core() -> None:
    solver = Solver()
    x, a, b = terms.integer("x"), terms.boolean("a"), terms.boolean("b")
    solver.add(terms.implication(a, terms.equality(x, 1)))
    solver.add(terms.implication(b, terms.equality(x, 2)))
    found = solver.ask([a])
    assert isinstance(found, Sat)
    assert found.value(x) == 1
    none = solver.ask([terms.boolean("c"), a, b])
    assert isinstance(none, Unsat)
    assert none.core == (1, 2)


def test_a_bound_on_how_many_hold() -> None:
    solver = Solver()
    names = [terms.boolean(f"n{i}") for i in range(4)]
    solver.add(terms.at_most(names, 2))
    assert isinstance(solver.ask(names[:2]), Sat)
    assert isinstance(solver.ask(names[:3]), Unsat)
    assert terms.at_most(names, 4) is True


def test_a_contradiction_has_an_empty_core() -> None:
    solver = Solver()
    solver.add(terms.equality(1, 2))
    assert solver.ask([terms.boolean("a")]) == Unsat(())
