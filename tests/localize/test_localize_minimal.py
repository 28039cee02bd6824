"""The localizer `exact`: what minimal repairs change, insertions included."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from wolverine.localize.suspicion import ranked

spec = importlib.util.spec_from_file_location(
    "minimal_playing", Path(__file__).parents[1] / "repair" / "playing.py"
)
assert spec is not None and spec.loader is not None
playing: ModuleType = importlib.util.module_from_spec(spec)
sys.modules["minimal_playing"] = playing
spec.loader.exec_module(playing)


def test_a_gap_says_what_could_be_put_there(tmp_path: Path) -> None:
    program = playing.program_of(
        "int *p, n;\nint main() {\n    n = 1;\n    if (n) {\n    }\n    return n;\n}\n", tmp_path
    )
    found = ranked(program, {location.id: (1.0, 0.0) for location in program.locations})
    assert all(suspicion.text for suspicion in found)
    told = {(suspicion.line, suspicion.text) for suspicion in found}
    assert {(3, "n = 1"), (3, "(a new statement before it)"), (4, "(a new else)")} <= told
