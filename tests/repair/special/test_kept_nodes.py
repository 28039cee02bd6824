"""Which repairs that keep nodes come first, by what they leave at the end."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from playing import program_of

from wolverine.core.expressions import Constant
from wolverine.core.patch import Candidate, Edit, NewValue, Patch
from wolverine.core.types import INT
from wolverine.repair.special.leaks import _sound
from wolverine.repair.special.leftover import Leftover, Whole


class Left:
    """Tells what was made up of repairs."""

    def __init__(self, found: dict[Patch, Leftover]) -> None:
        self._found = found

    def left(self, patch: Patch) -> Leftover:
        return self._found[patch]


def test_what_makes_fewer_nodes_does_not_leave_fewer(tmp_path: Path) -> None:
    """To look for a key in vain is no better for storing what comes with it in the first entry."""
    program = program_of("int main(void) { return 0; }", tmp_path)
    keeping, making = (Patch((Edit(0, NewValue(Constant(each, INT))),)) for each in range(2))
    found = {
        keeping: Leftover(lost=0, live=10, made=12, printed="a=1 b=2"),
        making: Leftover(lost=0, live=4, made=4, printed="a=2 b=2"),
    }
    candidates = [Candidate(keeping, 1, 1.5, against=3.2), Candidate(making, 1, 2.0, against=3.7)]
    before = Leftover(lost=6, live=10, made=10, printed="a=- b=2")
    whole = cast(Whole, Left(found))
    first, _ = _sound(program, whole, before, candidates, alone=True, freed=0.0)
    assert first.patch == keeping
    found[making] = found[making]._replace(made=12)  # it frees some
    first, _ = _sound(program, whole, before, candidates, alone=True, freed=0.0)
    assert first.patch == making
