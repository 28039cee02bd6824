"""Seconds of random commands with things that break; nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from soaking import FAULTS, soak, sources
from thorough import usual


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", usual([1, 2], 2))
def test_nothing_is_lost(seed: int, record_property: Callable[[str, object], None]) -> None:
    report = soak(5, seed, sources())
    record_property("soak", str(report))
    assert len(report.faults) == FAULTS
    assert report.commands > sum(report.faults.values())
    assert not report.lost, str(report)
