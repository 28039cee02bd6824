"""What tests report at the end of a run."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Programs stay on one processor: the C library keeps its number in memory (rseq), which is compared."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(before)[os.getpid() % len(before)]})
    yield
    os.sched_setaffinity(0, before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of the soak, also where other processes have run it."""
    for kind in ("passed", "failed"):
        for report in terminalreporter.stats.get(kind, []):
            for key, value in report.user_properties:
                if key == "soak":
                    terminalreporter.write_line(f"{report.nodeid}\n{value}")
