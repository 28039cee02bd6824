"""Input for the program that comes out of a pipe: it is kept in a file, as every run reads it anew."""

from __future__ import annotations

import atexit
import os
import select
import stat
import sys
import tempfile
from pathlib import Path

from wolverine.errors import SourceError

_MOST = 256 << 20  # bytes
_PIECE = 1 << 16
_SOON = 1000  # milliseconds without a word


def as_file(source: Path) -> Path:
    """The file itself; what comes out of a pipe up to its end as a file that lasts as long as this process.

    Raises SourceError where it cannot be read, or has no end in sight.
    """
    try:
        piped = stat.S_ISFIFO(source.stat().st_mode)
        if not piped and source.resolve().exists():  # /dev/stdin may be a file that has no name any more
            return source
        # Without O_NONBLOCK nobody could be told what is waited for where no one writes yet.
        descriptor = os.open(source, os.O_RDONLY | os.O_NONBLOCK)
    except OSError as error:
        raise SourceError(f"{source} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SourceError(f"{str(source)!r} is no file name") from error
    try:
        return _kept(_all(descriptor, source))
    finally:
        os.close(descriptor)


def _all(descriptor: int, source: Path) -> bytes:
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    if not waiting.poll(_SOON):
        print(
            f"waiting for the program's input, up to its end, from the pipe {source}",
            file=sys.stderr,
            flush=True,
        )
    read = bytearray()
    while True:
        waiting.poll()
        try:
            piece = os.read(descriptor, _PIECE)
        except BlockingIOError:
            continue
        if not piece:
            return bytes(read)
        read += piece
        if len(read) > _MOST:
            raise SourceError(
                f"{source} is a pipe from which more than {_MOST >> 20} MB have come: give a file"
            )


def _kept(data: bytes) -> Path:
    with tempfile.NamedTemporaryFile(prefix="wolverine-stdin-", delete=False) as file:
        path = Path(file.name)
        atexit.register(path.unlink, missing_ok=True)
        file.write(data)
    return path
