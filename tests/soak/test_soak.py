"""A short soak: random commands, things that break, nothing lost."""

from __future__ import annotations

import pytest
from soaking import soak, sources


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_lost(seed: int) -> None:
    report = soak(100, seed, sources())
    assert report.commands >= 100
    assert sum(report.faults.values()) >= 5
    assert not report.lost, str(report)
