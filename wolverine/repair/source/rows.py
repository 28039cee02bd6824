"""Two assignments in a row that belong together: `n->left = k->left; n->left->up = n;`.

The second one goes on with what the first has set, or does the like: `x = x->next; y = y->next;`.  Who
forgets one of them in another place mostly forgets both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wolverine.core.expressions import Constant, Dereference, Load, LValue, Member, text
from wolverine.core.parts import parts, place_parts
from wolverine.core.patch import NewAssignment, NewBlock, NewCall
from wolverine.core.program import Branch, Function, Gap, Jump, Program
from wolverine.core.types import INT
from wolverine.repair.source.blocks import statement
from wolverine.repair.source.flow import tests_around
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


def passed_over(function: Function, index: int, statements: Sequence[NewAssignment | NewCall]) -> bool:
    """Whether a jump behind the gap `index` passes such a row over that its block would come to without it.

    `if (x == 0) continue;` in front of `p = p->next; q = q->next;` lacks both of them.
    """
    code = function.code
    behind = next((at for at in range(index + 1, len(code)) if not isinstance(code[at], Gap)), index)
    leap = code[behind]
    if not isinstance(leap, Jump) or leap.location < 0 or not statements:
        return False
    tests = [*tests_around(code, index)]
    rest: list[tuple[str, str]] = []
    for at in range(tests[-1].if_false if tests else len(code), len(code)):
        if isinstance(code[at], Branch | Jump):
            break
        made = _plain(function, at)
        rest += [] if isinstance(code[at], Gap) else [_said(made) if made is not None else ("", "")]
    wanted = [_said(each) for each in statements if isinstance(each, NewAssignment)]
    return len(wanted) == len(statements) and any(
        rest[at : at + len(wanted)] == wanted for at in range(len(rest))
    )


def _said(made: NewAssignment) -> tuple[str, str]:
    return text(Load(made.target)), text(made.value)


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
