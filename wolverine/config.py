"""Where things lie: the scripts that gdb loads, and the user's cache and state directories."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

# For `gc.set_threshold`: searches make many objects that are part of no cycle.
COLLECTED = (10_000, 20, 20)


def gdb_scripts() -> Path:
    """The directory with the code that runs inside gdb and the debugged process.

    In a checkout it lies beside the package, in an installed wheel inside it.
    """
    return _folder("gdb_scripts")


def viz() -> Path:
    """The directory with the files of the live page; it lies where `gdb_scripts` lies."""
    return _folder("viz")


def _folder(name: str) -> Path:
    package = Path(str(files("wolverine")))
    beside = package.parent / name
    return beside if beside.is_dir() else package / name


def cache_dir() -> Path:
    """What can be built again (XDG base directory specification); it need not exist yet."""
    return _xdg("XDG_CACHE_HOME", ".cache")


def state_dir() -> Path:
    """What outlives a session, such as the history (XDG base directory specification)."""
    return _xdg("XDG_STATE_HOME", ".local/state")


def private_directory(path: Path) -> Path:
    """Make `path`, readable by the user only, and return it.  Raises OSError where that fails."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def _xdg(variable: str, fallback: str) -> Path:
    base = Path(os.environ.get(variable, ""))
    if not base.is_absolute():
        base = Path.home() / fallback
    return base / "wolverine"
