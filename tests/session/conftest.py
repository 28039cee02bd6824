"""A session on a real process, driven by command lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from played_session import Played


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Played]]:
    """Start a session on C text."""
    opened: list[Played] = []

    def start(text: str, **options: Any) -> Played:
        source = tmp_path / f"program{len(opened)}.c"
        source.write_text(text)
        opened.append(Played(source, **options))
        return opened[-1]

    yield start
    for each in opened:
        each.session.close()
