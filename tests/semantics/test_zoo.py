"""Programs as courses write them, under gdb: at every stop the model is in the state of the process."""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import every_other, examples

from wolverine.bench.modelled import walk

ZOO = Path(__file__).parents[2] / "samples" / "zoo"
LEAST = {"expr": 0.8, "tricks": 0.8}  # unions are left to the process


MOST = examples(45, 120)  # stops


@pytest.mark.parametrize("source", every_other(sorted(ZOO.glob("*.c"))), ids=lambda path: path.stem)
def test_programs_of_many_kinds_agree_with_gdb(source: Path, tmp_path: Path) -> None:
    given = source.with_suffix(".in")
    if not given.is_file():
        given = tmp_path / "nothing"
        given.write_bytes(b"")
    found = walk([source], stdin=given, most=MOST, cflags=["-w"])
    assert not found.differences
    assert found.ended or found.stops == MOST
    assert found.executed_share >= LEAST.get(source.stem, 0.9)
