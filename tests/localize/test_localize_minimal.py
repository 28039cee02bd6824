"""The localizer `exact`: what minimal repairs change, insertions included."""

from __future__ import annotations

from pathlib import Path

from localize_executions import playing

from wolverine.localize.suspicion import ranked


def test_a_gap_says_what_could_be_put_there(tmp_path: Path) -> None:
    program = playing.program_of(
        "int *p, n;\nint main() {\n    n = 1;\n    if (n) {\n    }\n    return n;\n}\n", tmp_path
    )
    found = ranked(program, {location.id: (1.0, 0.0) for location in program.locations})
    assert all(suspicion.text for suspicion in found)
    told = {(suspicion.line, suspicion.text) for suspicion in found}
    assert {(3, "n = 1"), (3, "(a new statement before it)"), (4, "(a new else)")} <= told
