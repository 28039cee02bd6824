"""Random programs under gdb: at every stop the model's state is the process' state.

WOLVERINE_RANDOM tells how many programs (3 short ones unless told); `make random` walks through more.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from random_programs import walked
from thorough import usual

TOLD = os.environ.get("WOLVERINE_RANDOM")
SEEDS = range(int(TOLD)) if TOLD is not None else usual(range(4), 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_agree_with_gdb(seed: int, tmp_path: Path) -> None:
    found = walked(tmp_path, seed)
    assert not found.differences
    assert found.stops > 20
    assert found.executed_share > 0.95
