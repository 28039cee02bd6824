"""A fifth of the slice of faults that `make slice` repairs: its figures may not fall."""

from __future__ import annotations

from pathlib import Path

import pytest
from slicing import FIFTH, FLOORS_OF_A_FIFTH, below, repaired

from wolverine.campaign.summary import table


@pytest.mark.timeout(600)
def test_the_figures_of_the_slice_do_not_fall(tmp_path: Path) -> None:
    records = repaired(FIFTH, tmp_path, 1)
    assert len(records) == 20
    assert [r.error for r in records if r.error] == []
    assert not below(records, FLOORS_OF_A_FIFTH), table(records)
