"""How far the tests go: with WOLVERINE_THOROUGH set, as by `make thorough`, as far as can be waited for."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("WOLVERINE_THOROUGH"))

# Steps of the machine for one repair (None: as many as users have).
WORK = None if THOROUGH else 1_500_000
LITTLE = None if THOROUGH else 400_000


def examples(few: int, many: int) -> int:
    """So many examples, or many in a thorough run."""
    return many if THOROUGH else few
