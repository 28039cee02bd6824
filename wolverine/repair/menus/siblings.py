"""Statements of other functions with their variables exchanged: `g->degree[u]--` where another has `++`.

What functions of one program do beside the same links they do alike (Engler et al., "Bugs as deviant
behavior", SOSP 2001): sizes, heights and counts are kept up in each of them, or in none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from wolverine.core.exchanging import exchanged_place, exchanged_value, named
from wolverine.core.expressions import (
    Binary,
    Load,
    VariableReference,
)
from wolverine.core.parts import parts
from wolverine.core.patch import NewAssignment
from wolverine.core.program import Assign, Program
from wolverine.core.types import is_number
from wolverine.repair.menus.exchanging import exchanges
from wolverine.repair.menus.vocabulary import MANY_PLACES, Scope, Vocabulary

_MOST = 48  # statements for one scope


def borrowed(
    program: Program, function: str, vocabulary: Vocabulary, scope: Scope
) -> Iterator[NewAssignment]:
    """What other functions set numbers in nodes and arrays to, as it would be written in a scope."""
    if len(vocabulary.places(scope)) <= MANY_PLACES:
        yield from islice(_borrowed(program, function, scope), _MOST)


def _borrowed(program: Program, function: str, scope: Scope) -> Iterator[NewAssignment]:
    seen: set[NewAssignment] = set()
    for name, other in program.functions.items():
        for step in other.code if name != function else ():
            if not isinstance(step, Assign) or not _kept_up(program, step):
                continue
            for made in _exchanged(step, scope):
                if made not in seen:
                    seen.add(made)
                    yield made


def _kept_up(program: Program, step: Assign) -> bool:
    """Whether a statement sets a number that lives on by what is more than one place or a constant."""
    if isinstance(step.target, VariableReference) or not is_number(step.target.type):
        return False
    if step.location < 0 or program.location(step.location).kind != "assignment":
        return False
    reckoned = isinstance(step.value, Binary) and any(isinstance(p, Load) for p in parts(step.value))
    return reckoned and all(not v.name.startswith("$") for v in named(step))


def _exchanged(step: Assign, scope: Scope) -> Iterator[NewAssignment]:
    """The statement with variables of the scope for its own, and what takes back what it adds."""
    for exchange in exchanges(named(step), scope):
        target, value = exchanged_place(step.target, exchange), exchanged_value(step.value, exchange)
        if target is None or value is None:
            continue
        yield NewAssignment(target, value)
        match value:
            case Binary("+" | "-" as operator, Load(same)) if same == target:
                yield NewAssignment(target, replace(value, operator="-" if operator == "+" else "+"))
