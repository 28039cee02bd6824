"""Arguments of macros that stand in an expression more than once: in the source they change together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import TypeVar

from wolverine.core.expressions import Cast, Expression, LValue, text
from wolverine.core.parts import parts

Node = TypeVar("Node", bound=Expression | LValue)


def repeated(value: Expression, arguments: Iterable[tuple[str, int]]) -> Iterator[Expression]:
    """Which parts of the value are these arguments (`Location.repeated`), all of them in it."""
    for written, count in arguments:
        found = [
            part
            for part in parts(value)
            if not (isinstance(part, Cast) and not part.written) and text(part).replace(" ", "") == written
        ]
        if len(found) == count and len({*found}) == 1:
            yield found[0]


def with_other(value: Node, argument: Expression, other: Expression) -> Node:
    """The value with another argument."""
    if value == argument:
        return other  # type: ignore[return-value]
    inside = {field.name: getattr(value, field.name) for field in fields(value)}
    changed = {
        name: with_other(part, argument, other)
        for name, part in inside.items()
        if isinstance(part, Expression | LValue)
    }
    return replace(value, **changed)  # type: ignore[arg-type]


def exchanged(old: Expression, new: Expression, argument: Expression) -> list[Expression]:
    """What stands in `new` where the argument stands in `old`, each once; nothing where more differs."""
    found = [*_instead(old, new, argument)]
    return [] if None in found else [*dict.fromkeys(each for each in found if each is not None)]


def _instead(old: Expression | LValue, new: object, argument: Expression) -> Iterator[Expression | None]:
    if old == argument:
        yield new if isinstance(new, Expression) else None
    elif type(old) is not type(new):
        yield None
    else:
        for field in fields(old):
            part, other = getattr(old, field.name), getattr(new, field.name)
            if isinstance(part, Expression | LValue):
                yield from _instead(part, other, argument)
            elif part != other:
                yield None
