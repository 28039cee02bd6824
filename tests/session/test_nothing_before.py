"""`back` where the program has not stopped before: what is the case, and what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError

PROGRAM = """\
#include <stdlib.h>
int main(int argc, char **argv) {
    int *p = argc > 0 ? NULL : &argc;
    return *p;
}
"""


def test_at_a_crash_without_a_stop_before(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("run")
    with pytest.raises(CommandError, match="has not stopped before this SIGSEGV: `start` stops at main"):
        session("back")


def test_after_the_end_without_a_stop_before(play: Callable[..., Played]) -> None:
    session = play(PROGRAM.replace("argc > 0", "argc < 0"))
    session("run")
    with pytest.raises(CommandError, match="the program has ended and had not stopped before: `start`"):
        session("back")
    session("start")
    with pytest.raises(CommandError, match="this is the first stop"):
        session("back")
