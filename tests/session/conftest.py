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


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Played]]:
    """The session on a C text that the module has begun before; the test runs the program anew."""
    opened: dict[str, Played] = {}

    def start(text: str) -> Played:
        if text not in opened:
            source = tmp_path_factory.mktemp("again") / "program.c"
            source.write_text(text)
            opened[text] = Played(source)
        opened[text]("delete")
        return opened[text]

    yield start
    for each in opened.values():
        each.session.close()
