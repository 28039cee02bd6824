"""Two assignments in a row that belong together: `n->left = k->left; n->left->up = n;`.

The second one goes on with what the first has set, or does the like: `x = x->next; y = y->next;`.  Who
forgets one of them in another place mostly forgets both.
"""

from __future__ import annotations

from collections.abc import Iterator

from wolverine.core.expressions import Constant, Dereference, Load, LValue, Member, text
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import NewAssignment, NewBlock
from wolverine.core.program import Function, Gap, Program
from wolverine.core.types import INT
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.pieces import Piece

ALWAYS = Constant(1, INT)  # the condition of such a piece


def rows(program: Program) -> Iterator[Piece]:
    """The rows of a program, as pieces of code under a condition that always holds."""
    for name, function in program.functions.items():
        before: tuple[int, NewAssignment] | None = None
        for at, step in enumerate(function.code):
            if isinstance(step, Gap):
                continue
            made = _plain(function, at)
            if before is not None and made is not None and _together(before[1], made):
                yield Piece(name, before[0], at + 1, ALWAYS, NewBlock((before[1], made)))
            before = (at, made) if made is not None else None


def _plain(function: Function, at: int) -> NewAssignment | None:
    """The assignment at an instruction that is a statement of its own."""
    made = statement(function, at)
    named = f"{text(Load(made.target))} {text(made.value)}" if isinstance(made, NewAssignment) else "$"
    return made if isinstance(made, NewAssignment) and "$" not in named else None


def _together(first: NewAssignment, second: NewAssignment) -> bool:
    set_first = text(Load(first.target))
    read = [*place_parts(second.target), *parts(second.value)]
    if any(text(part) == set_first for part in read):
        return isinstance(second.target, Member)
    if _node(first.target) is not None and text(second.value) == _node(first.target):
        return True
    step = _step(first)
    return step is not None and step == _step(second)


def _node(place: LValue) -> str | None:
    """The pointer to the node in which a field lies."""
    match place:
        case Member(Dereference(pointer)):
            return text(pointer)
    return None


def _step(made: NewAssignment) -> tuple[object, int] | None:
    """The struct and the offset of the link over which a variable goes on."""
    match made.value:
        case Load(Member(Dereference(Load(place)) as node, _, offset)) if place == made.target:
            return node.type, offset
    return None
