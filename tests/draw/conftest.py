"""Lets the tests of this folder import `draw_heaps`, whatever the import mode."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
