"""Renderers against stored pictures; look at `pictures/*.txt` in review, `draw_cases.py` writes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from draw_cases import CASES, PICTURES

from wolverine.draw.columns import columns


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_picture(case: Callable[[], str]) -> None:
    stored = (PICTURES / f"{case.__name__}.txt").read_text()
    assert case() + "\n" == stored


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_picture_fits_and_is_printable(case: Callable[[], str]) -> None:
    for line in case().splitlines():
        assert columns(line) <= 100
        assert line.isprintable()


def test_every_stored_picture_has_a_case() -> None:
    assert {path.stem for path in PICTURES.glob("*.txt")} == {case.__name__ for case in CASES}
