"""`playing` of the tests of repair, for those of the localizers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_spec = importlib.util.spec_from_file_location(
    "localize_playing", Path(__file__).parents[1] / "repair" / "playing.py"
)
assert _spec is not None and _spec.loader is not None
playing: ModuleType = importlib.util.module_from_spec(_spec)
sys.modules["localize_playing"] = playing
_spec.loader.exec_module(playing)
