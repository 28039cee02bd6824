"""How tests are handed out to several processes, and what they report at the end of a run."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from thorough import THOROUGH

from wolverine.config import COLLECTED

# Without bytecode each of the many programs that tests start would compile some 200 modules first.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
gc.set_threshold(*COLLECTED)  # as in the program
# The usual run tries the same examples every time; `make thorough` goes on to others.
settings.register_profile("usual", derandomize=True)
settings.load_profile("default" if THOROUGH else "usual")


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Programs stay on one processor: the C library keeps its number in memory (rseq), which is compared."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(before)[os.getpid() % len(before)]})
    yield
    os.sched_setaffinity(0, before)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a thorough run executes, unless it is named, or asked for by its mark."""
    if THOROUGH or config.option.markexpr or any("::" in argument for argument in config.args):
        return
    long = [item for item in items if item.get_closest_marker("thorough") is not None]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process gets a stretch of the tests, and takes over what others have left when it is through.

    So tests of a module come together, with what they share, and the processes end at the same time.
    """
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures of the soak, also where other processes have run it."""
    for kind in ("passed", "failed"):
        for report in terminalreporter.stats.get(kind, []):
            for key, value in report.user_properties:
                if key == "soak":
                    terminalreporter.write_line(f"{report.nodeid}\n{value}")
