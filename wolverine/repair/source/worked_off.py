"""Loops that work something off: each round takes away from what the condition asks for.

`while (queue != NULL) { job = take(&queue); if (job->again) put_back(job); release(job); }` goes on until
there is nothing left to do.  Who leaves out the rest of one round there means `continue`, or an `else`; a
`break` leaves behind what the loop is for.
"""

from __future__ import annotations

from collections.abc import Sequence

from wolverine.core.expressions import Load, variables
from wolverine.core.parts import parts
from wolverine.core.program import Branch, Instruction
from wolverine.repair.source.flow import loops_around
from wolverine.repair.source.invariant import may_change


def leaves_work(code: Sequence[Instruction], index: int) -> bool:
    """Whether a `break` in the gap `index` leaves such a loop, where it stands under a test of the loop.

    What is taken away is so in front of that test, whatever comes of it, and a `continue` would do there.
    """
    gap, around = code[index], next(loops_around(code, index), range(0))
    if getattr(gap, "again", -1) != around.start:  # a step of a `for` would be passed over
        return False
    asked = [s.condition for at in around if isinstance(s := code[at], Branch) and s.if_false >= around.stop]
    tests = [
        at
        for at in range(around.start, index)
        if isinstance(s := code[at], Branch) and at < s.if_true <= index < s.if_false < around.stop
    ]
    if not asked or not tests:
        return False
    read = [part.place for each in asked for part in parts(each) if isinstance(part, Load)]
    names = frozenset[str]().union(*map(variables, asked))
    return any(may_change(code[at], read, names) for at in range(around.start, tests[0]))
