"""Finds the files that run outside of this Python, and builds the libraries among them that are preloaded."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path

from wolverine.errors import SourceError, ToolMissingError

_FOLDER = "gdb_scripts"
_FLAGS = ("-O2", "-fPIC", "-shared", "-fno-builtin-malloc", "-fvisibility=hidden", "-s")


def script(name: str) -> Path:
    """The path of a file in gdb_scripts: of the checkout, else of the installed package."""
    beside = Path(__file__).resolve().parents[2] / _FOLDER / name
    if beside.is_file():
        return beside
    with contextlib.suppress(ModuleNotFoundError):
        found = resources.files(_FOLDER).joinpath(name)
        if found.is_file():
            return Path(str(found))
    raise ToolMissingError(f"{_FOLDER}/{name} is not installed with Wolverine")


def tracker_library(gcc: str = "gcc") -> Path:
    """What is preloaded into the debugged program: its allocator, and its clocks; see `_library`."""
    return _library(gcc, "tracker", "clock")


def regset_library(gcc: str = "gcc") -> Path:
    """What is preloaded into gdb so that it can write extended registers of any size; see `_library`."""
    return _library(gcc, "regset")


def _library(gcc: str, *names: str) -> Path:
    """C files of gdb_scripts as one shared library, built at first use, kept in the user's cache directory.

    Raises ToolMissingError without gcc, SourceError when it does not compile.
    """
    sources = [script(f"{name}.c") for name in names]
    compiler = shutil.which(gcc)
    if compiler is None:
        raise ToolMissingError(f"{gcc} is not installed (Debian: apt install gcc)")
    status = Path(compiler).resolve().stat()
    key = hashlib.sha256(b"".join(source.read_bytes() for source in sources))
    key.update(f"{compiler} {status.st_size} {status.st_mtime_ns} {_FLAGS}".encode())
    target = _cache() / f"{names[0]}-{key.hexdigest()[:16]}.so"
    if target.is_file():
        return target
    with tempfile.NamedTemporaryFile(dir=target.parent, suffix=".so", delete=False) as file:
        scratch = Path(file.name)
    try:
        built = subprocess.run(
            [compiler, *_FLAGS, "-o", scratch, *sources, "-ldl"], capture_output=True, text=True, check=False
        )
        if built.returncode:
            raise SourceError(f"{sources[0]} does not compile:\n{built.stderr}")
        scratch.chmod(0o755)
        scratch.replace(target)
    finally:
        scratch.unlink(missing_ok=True)
    return target


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    home = Path(base) if base else Path.home() / ".cache"
    folder = home / "wolverine"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            # LD_PRELOAD knows no way to quote these.
            if not set(" :") & set(str(folder)):
                return folder
    except OSError:
        pass
    # A read-only home, say: a folder of this process' own.
    return Path(tempfile.mkdtemp(prefix="wolverine-cache-"))
