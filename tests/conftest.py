"""What tests report at the end of a run."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of the soak, also where other processes have run it."""
    for kind in ("passed", "failed"):
        for report in terminalreporter.stats.get(kind, []):
            for key, value in report.user_properties:
                if key == "soak":
                    terminalreporter.write_line(f"{report.nodeid}\n{value}")
