"""Code of one function with the variables of another for its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from wolverine.core.exchanging import Exchange
from wolverine.core.expressions import VariableReference
from wolverine.repair.menus.vocabulary import Scope

_WAYS = 6  # of exchanging the variables of one statement


def exchanges(named: Sequence[VariableReference], scope: Scope) -> Iterator[Exchange]:
    """Ways to put variables of a scope in the place of these, no two for the same one."""
    for way in islice(product(*([*_stand_ins(each, scope)] for each in named)), _WAYS):
        if len(set(way)) == len(way):
            yield dict(zip(named, way, strict=True))


def _stand_ins(variable: VariableReference, scope: Scope) -> Iterator[VariableReference]:
    """Variables of the scope for one of another function: that of its name, or all of its type."""
    alike = [each for each in scope if each.type == variable.type]
    if variable.level == "global":
        yield from (each for each in alike if each == variable)
        return
    own = [each for each in alike if each.level != "global"]
    yield from [each for each in own if each.name == variable.name] or own
