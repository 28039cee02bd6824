"""Predicates for Liblit and SOBER: the source is instrumented, line by line as it was.

As in Liblit et al. (PLDI 2005, section 2): at a condition whether it holds; at an assignment to a scalar how
the new value compares with each variable of its type in view and with 0 (pointers: equal or not); at a
`return` of a scalar how it compares with 0.  The negation of every predicate is a predicate as well, with
counts that follow.  Each statement and condition also begins with a call, without which gcov takes lines for
executed behind a crash, or for not executed before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wolverine.core.expressions import source_name
from wolverine.core.program import Assign, Location, Program
from wolverine.core.types import CType, IntType, PointerType

PROLOGUE = b"int wolverine_see(int, int); void wolverine_at(void);\n#line 1\n"
_ORDERS = ("<", "==", ">")


@dataclass(frozen=True, slots=True)
class Predicate:
    """At a line (from 1): `text`, "p == q" say, where p is what the statement at it computes."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Instrumented:
    """A program's text that counts its predicates, which are numbered by their place in the list."""

    text: bytes
    predicates: tuple[Predicate, ...]


def instrument(program: Program, pairs: bool = True) -> Instrumented:
    """The program (of one file) with its predicates; without `pairs` conditions only."""
    found: list[Predicate] = []
    edits: list[tuple[int, int, int, bytes]] = []
    types = _types(program)
    for location in program.locations:
        span = location.span
        if location.kind == "condition":
            head = f"(wolverine_at(), wolverine_see({len(found)}, ("
            edits += _around(span.start, span.end, head, ") != 0))")
            found.append(Predicate(location.line, location.text))
        elif pairs and location.id in types and location.kind in ("assignment", "initialiser", "return"):
            compared = list(_compared(program, location, types[location.id]))
            seen = "".join(
                f"wolverine_see({number}, wolverine_value {text}); "
                for number, text in enumerate(compared, len(found))
            )
            found += (Predicate(location.line, f"{location.text} {text}") for text in compared)
            head = "({ wolverine_at(); __auto_type wolverine_value = ("
            edits += _around(span.start, span.end, head, f"); {seen}wolverine_value; }})")
        elif pairs and location.kind == "call":
            edits += _around(span.start, span.end, "({ wolverine_at(); ", "; })")
    content = program.files[0].content
    # At one place what ends comes before what begins, the inner before the outer; those behind go first.
    for at, _, _, text in sorted(edits, key=lambda edit: edit[:3], reverse=True):
        content = content[:at] + text + content[at:]
    return Instrumented(PROLOGUE + content, tuple(found))


def _around(start: int, end: int, head: str, tail: str) -> list[tuple[int, int, int, bytes]]:
    """Edits as (place, order there, order among those, text)."""
    return [(start, 1, start - end, head.encode()), (end, 0, -start, tail.encode())]


def _types(program: Program) -> dict[int, CType]:
    """What statements compute, by location, where it is an integer or a pointer."""
    found: dict[int, CType] = {}
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Assign) and isinstance(step.target.type, IntType | PointerType):
                found[step.location] = step.target.type
    return found


def _compared(program: Program, location: Location, kind: CType) -> Sequence[str]:
    orders = _ORDERS if isinstance(kind, IntType) else ("==",)
    names = ["0"]
    if location.kind != "return":
        variables = (*location.scope, *program.globals)
        mine = (v for v in variables if v.level != "global" or v.function in ("", location.function))
        for variable in mine:
            name = source_name(variable.name)
            if variable.type == kind and not name.startswith("$") and name not in names:
                names.append(name)
    return [f"{order} {name}" for name in names for order in orders]
