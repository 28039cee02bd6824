"""What ends a node that is counted, under the test whether nothing refers to it any more.

`x->uses = x->uses - 1; if (x->uses == 0) free(x);`: what several others share goes with the last of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from wolverine.core.expressions import (
    Dereference,
    Member,
    lvalue_text,
    variables,
)
from wolverine.core.parts import against_zero, gone_through
from wolverine.core.patch import Guarded, NewSkip, Replacement
from wolverine.core.program import Assign, Before, Branch, Function, Instruction, Jump, Program, Return
from wolverine.repair.menus.skips import passed_over
from wolverine.repair.source.blocks import led_to
from wolverine.repair.source.counting import counts_down
from wolverine.repair.source.references import ended


def unreferenced(
    program: Program, function: Function, index: int, named: AbstractSet[str]
) -> Iterator[Guarded]:
    """What frees a node behind the gap at an instruction, where what counts it was just counted down.

    `named` are the variables that are in scope in the gap.
    """
    code = function.code
    counters = [each for each in _counted_down(code, index) if variables(each) <= named]
    if not counters:
        return
    for each in passed_over(program, function, index):
        freed = {*ended(program, code[each.at : each.behind])}
        for counter in counters:
            assert isinstance(counter.base, Dereference)
            if counter.base.pointer in freed:
                left = against_zero("!=", counter)
                yield Guarded(left, NewSkip(each.until, each.last))


def is_unreferenced(program: Program, function: Function, index: int, made: Replacement) -> bool:
    """Whether that is what stands in the gap at an instruction."""
    match made:
        case Guarded(condition, NewSkip(_, _, None)):
            return made in unreferenced(program, function, index, variables(condition))
    return False


def _counted_down(code: Sequence[Instruction], index: int) -> Iterator[Member]:
    """The fields of nodes that the statements in front of a gap, in the same block, count down."""
    labels, changed = led_to(code), set[str]()
    for at in range(index - 1, -1, -1):
        step = code[at]
        if isinstance(step, Before | Branch | Jump | Return) or at + 1 in labels:
            return
        if not isinstance(step, Assign):
            continue
        match step.target:
            case Member(Dereference()) as field if counts_down(field, step.value):
                if changed.isdisjoint(lvalue_text(each) for each in (field, *gone_through(field))):
                    yield field
        changed.add(lvalue_text(step.target))
