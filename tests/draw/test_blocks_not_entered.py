"""Variables of one name in several blocks: those of blocks that were not entered are not shown."""

from __future__ import annotations

from wolverine import draw
from wolverine.core.graph import UNINITIALISED, Frame, MemoryGraph, Place, Variable, VariableId
from wolverine.core.types import INT, Types


def test_only_the_one_in_use_is_shown() -> None:
    one, two, plain = (VariableId(0, "main", name) for name in ("i@5", "i@7", "k"))
    frame = Frame(0, "main", tuple(Variable(each, INT, 0) for each in (one, two, plain)))
    cells = {Place(one, 0): 1, Place(two, 0): UNINITIALISED, Place(plain, 0): UNINITIALISED}
    drawn = draw.terminal(
        draw.layout(MemoryGraph(Types({}), frames=(frame,), cells=cells)), width=80, color=False, unicode=True
    )
    assert "i@5 = 1" in drawn
    assert "k = ?" in drawn
    assert "i@7" not in drawn
