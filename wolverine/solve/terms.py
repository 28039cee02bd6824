"""Terms: Python integers and booleans where the value is known, z3 terms where it is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

_z3: Any = z3  # it has no types
Term = Any  # int or bool, or a z3 term of sort Int or Bool


def boolean(name: str) -> Term:
    """A boolean unknown."""
    return _z3.Bool(name)


def integer(name: str) -> Term:
    """An integer unknown."""
    return _z3.Int(name)


def known(term: Term) -> bool:
    """Whether the term is a plain Python value."""
    return isinstance(term, int)


def same(one: Term, two: Term) -> bool:
    """Whether both are the very same term."""
    if known(one) or known(two):
        return known(one) and known(two) and one == two
    return bool(one.eq(two))


def negation(term: Term) -> Term:
    """not term"""
    return not term if known(term) else _z3.Not(term)


def conjunction(terms: Iterable[Term]) -> Term:
    """All of them."""
    left = []
    for term in terms:
        if known(term):
            if not term:
                return False
        else:
            left.append(term)
    return True if not left else left[0] if len(left) == 1 else _z3.And(left)


def disjunction(terms: Iterable[Term]) -> Term:
    """Some of them."""
    left = []
    for term in terms:
        if known(term):
            if term:
                return True
        else:
            left.append(term)
    return False if not left else left[0] if len(left) == 1 else _z3.Or(left)


def implication(condition: Term, then: Term) -> Term:
    """condition => then"""
    return disjunction((negation(condition), then))


def choice(condition: Term, then: Term, otherwise: Term) -> Term:
    """condition ? then : otherwise"""
    if known(condition):
        return then if condition else otherwise
    if same(then, otherwise):
        return then
    return _z3.If(condition, _lifted(then), _lifted(otherwise))


def _lifted(term: Term) -> Term:
    if isinstance(term, bool):
        return _z3.BoolVal(term)
    return _z3.IntVal(term) if isinstance(term, int) else term


def equality(one: Term, two: Term) -> Term:
    """one == two"""
    if known(one) and known(two):
        return one == two
    return True if same(one, two) else one == two


def comparison(operator: str, one: Term, two: Term) -> Term:
    """One of C's comparisons."""
    match operator:
        case "==":
            return equality(one, two)
        case "!=":
            return negation(equality(one, two))
        case "<":
            return one < two
        case "<=":
            return one <= two
        case ">":
            return one > two
        case _:
            return one >= two


def at_most(terms: list[Term], bound: int) -> Term:
    """So many of the booleans at most are true."""
    return _z3.AtMost(*terms, bound) if len(terms) > bound else True
