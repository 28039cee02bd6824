"""Files that a command writes: whole, or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """Put `content` into `file`; where that fails (a full disk, say) the file keeps what it had.

    Raises OSError.
    """
    target = file.resolve() if file.is_symlink() else file
    if target.exists() and not target.is_file():
        target.write_bytes(content)
        return
    mode = target.stat().st_mode & 0o7777 if target.exists() else None
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as made:
        fresh = Path(made.name)
        try:
            made.write(content)
            made.flush()
            os.fsync(made.fileno())
            umask = os.umask(0)
            os.umask(umask)
            fresh.chmod(mode if mode is not None else 0o666 & ~umask)
            fresh.replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
