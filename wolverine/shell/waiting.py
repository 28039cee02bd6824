"""Whether the debugged program waits for a line of input.

The program has a terminal of its own.  What the user types is passed on only while the program reads
from it; otherwise a command typed ahead would be lost to a program that never asked.
"""

from __future__ import annotations

import os
from pathlib import Path

_READ = 0  # x86-64 system call numbers
_READV = 19
_POLLS = frozenset([7, 23, 270, 271])  # poll, select, pselect6, ppoll


def program_waits(proc: Path = Path("/proc")) -> bool:
    """True while a descendant of this process blocks in a read of another terminal.

    True also for one that may not be looked into: then typing goes where gdb would let it go.
    """
    own = {_link(proc / "self" / "fd" / str(descriptor)) for descriptor in (0, 1, 2)}
    return any(_reads_terminal(proc / str(pid), own) for pid in _descendants(proc, os.getpid()))


def _descendants(proc: Path, root: int) -> list[int]:
    found: list[int] = []
    work = [root]
    while work:
        pid = work.pop()
        for task in _entries(proc / str(pid) / "task"):
            children = [int(word) for word in _read(task / "children").split()]
            found += children
            work += children
    return found


def _reads_terminal(process: Path, own: set[str]) -> bool:
    try:
        words = (process / "syscall").read_text().split()
    except PermissionError:
        return True
    except OSError:
        return False
    if not words or not words[0].isdigit():
        return False
    number = int(words[0])
    if number in _POLLS:
        return _link(process / "fd" / "0") not in own and _link(process / "fd" / "0").startswith("/dev/pts/")
    if number not in (_READ, _READV) or len(words) < 2:
        return False
    target = _link(process / "fd" / str(int(words[1], 16)))
    return target.startswith("/dev/pts/") and target not in own


def _entries(directory: Path) -> list[Path]:
    try:
        return list(directory.iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""
