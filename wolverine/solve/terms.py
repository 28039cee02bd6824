"""Terms: Python integers and booleans where the value is known, z3 terms where it is not.

An encoding makes 100,000 terms; z3's own operators coerce and check each operand, which takes most of the
time.  All terms here are of sort Int or Bool and of one context: the C interface's functions suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import z3
from z3 import z3core

_z3: Any = z3  # it has no types
_c: Any = z3core
_context: Any = _z3.main_ctx()
_reference: Any = _context.ref()
_numbers: dict[int, Any] = {}
_equalities: dict[tuple[int, bool, int], Any] = {}  # made most often, and of few terms
Term = Any  # int or bool, or a z3 term of sort Int or Bool

_COMPARISONS = {"<": _c.Z3_mk_lt, "<=": _c.Z3_mk_le, ">": _c.Z3_mk_gt, ">=": _c.Z3_mk_ge}


def begin() -> None:
    """Begin with terms of their own: the solver's answers then do not depend on what was asked before.

    Terms made earlier must not be mixed with later ones.
    """
    global _context, _reference, _numbers, _equalities
    _context = _z3.Context()
    _reference = _context.ref()
    _numbers, _equalities = {}, {}


@contextmanager
def apart() -> Iterator[None]:
    """Other terms may begin inside; behind it those from before are the present ones again."""
    global _context, _reference, _numbers, _equalities
    before = _context, _reference, _numbers, _equalities
    try:
        yield
    finally:
        _context, _reference, _numbers, _equalities = before


def context() -> Any:
    """Where the present terms live."""
    return _context


def boolean(name: str) -> Term:
    """A boolean unknown."""
    return _z3.Bool(name, _context)


def integer(name: str) -> Term:
    """An integer unknown."""
    return _z3.Int(name, _context)


def known(term: Term) -> bool:
    """Whether the term is a plain Python value."""
    return isinstance(term, int)


def same(one: Term, two: Term) -> bool:
    """Whether both are the very same term."""
    if known(one) or known(two):
        return known(one) and known(two) and one == two
    return bool(one.ast.value == two.ast.value)


def negation(term: Term) -> Term:
    """not term"""
    return not term if known(term) else _z3.BoolRef(_c.Z3_mk_not(_reference, term.ast), _context)


def conjunction(terms: Iterable[Term]) -> Term:
    """All of them."""
    left = []
    for term in terms:
        if known(term):
            if not term:
                return False
        else:
            left.append(term)
    return True if not left else left[0] if len(left) == 1 else _joined(_c.Z3_mk_and, left)


def disjunction(terms: Iterable[Term]) -> Term:
    """Some of them."""
    left = []
    for term in terms:
        if known(term):
            if term:
                return True
        else:
            left.append(term)
    return False if not left else left[0] if len(left) == 1 else _joined(_c.Z3_mk_or, left)


def _joined(function: Any, terms: list[Term]) -> Term:
    array = (_z3.Ast * len(terms))(*(term.ast for term in terms))
    return _z3.BoolRef(function(_reference, len(terms), array), _context)


def implication(condition: Term, then: Term) -> Term:
    """condition => then"""
    return disjunction((negation(condition), then))


def choice(condition: Term, then: Term, otherwise: Term) -> Term:
    """condition ? then : otherwise"""
    if known(condition):
        return then if condition else otherwise
    if same(then, otherwise):
        return then
    one, two = _lifted(then), _lifted(otherwise)
    made = _c.Z3_mk_ite(_reference, condition.ast, one.ast, two.ast)
    return _z3.BoolRef(made, _context) if isinstance(one, _z3.BoolRef) else _z3.ArithRef(made, _context)


def _number(value: int) -> Term:
    found = _numbers.get(value)
    if found is None:
        found = _numbers[value] = _z3.IntVal(value, _context)
    return found


def _lifted(term: Term) -> Term:
    if isinstance(term, bool):
        return _z3.BoolVal(term, _context)
    return _number(term) if isinstance(term, int) else term


def equality(one: Term, two: Term) -> Term:
    """one == two"""
    if isinstance(one, int):
        if isinstance(two, int):
            return one == two
        one, two = two, one
    named = isinstance(two, int)
    key = (one.ast.value, named, two if named else two.ast.value)
    found = _equalities.get(key)
    if found is None:
        if not named and key[0] == key[2]:
            return True
        made = _c.Z3_mk_eq(_reference, one.ast, _lifted(two).ast)
        found = _equalities[key] = _z3.BoolRef(made, _context)
    return found


def comparison(operator: str, one: Term, two: Term) -> Term:
    """One of C's comparisons."""
    match operator:
        case "==":
            return equality(one, two)
        case "!=":
            return negation(equality(one, two))
    if known(one) and known(two):
        return {"<": one < two, "<=": one <= two, ">": one > two}.get(operator, one >= two)
    made = _COMPARISONS[operator](_reference, _lifted(one).ast, _lifted(two).ast)
    return _z3.BoolRef(made, _context)


def at_most(terms: list[Term], bound: int) -> Term:
    """So many of the booleans at most are true."""
    return _z3.AtMost(*terms, bound) if len(terms) > bound else True


def at_least(terms: list[Term], bound: int) -> Term:
    """So many of the booleans at least are true."""
    return bound <= 0 or (_z3.AtLeast(*terms, bound) if len(terms) >= bound else False)
