"""Where the last operand of a chain of tests begins in a text."""

from __future__ import annotations

import pytest

from wolverine.frontend.spelling import last_operand


@pytest.mark.parametrize(
    ("written", "operator", "first"),
    [
        ("p->n == f(n) && p != NULL", "&&", "p->n == f(n)"),
        ("f(a && b) && g(c)  &&  p", "&&", "f(a && b) && g(c)"),
        ("f(a) || !p", "||", "f(a)"),
        ("f(a) || (b && p)", "&&", None),  # the chain is another one
        ("(f(a) && p)", "&&", None),
        ("f(a) ? b : c && p", "&&", None),
        ("f(a)", "&&", None),
    ],
)
def test_it_is_found_outside_of_brackets(written: str, operator: str, first: str | None) -> None:
    at = last_operand(written, operator)
    assert (None if at is None else written[:at]) == first
