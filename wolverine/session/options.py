"""What a session is started with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Either `sources` (compiled with `cflags`) or a ready `executable` built with -g -O0.

    `arguments` go to the debugged program.  `stdin` is a file that it reads; without one it reads what
    the user types, or nothing in `batch`.  With `json` no pictures are drawn.  `debug` shows the gdb
    dialogue on stderr.  `width` (columns), `height` (rows; 0: any), `color` and `unicode` describe the
    terminal that pictures are drawn for.  `work` bounds each repair in steps of the machine (None:
    `Budget.work`).
    """

    sources: tuple[Path, ...] = ()
    executable: Path | None = None
    arguments: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    stdin: Path | None = None
    batch: bool = False
    json: bool = False
    debug: bool = False
    width: int = 100
    height: int = 0
    color: bool = False
    unicode: bool = True
    work: int | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """What can be completed at this stop: places (`head`, `n4->prev`), nodes (`n4`), and where code is.

    `types` are the structs, unions and enumerations of the program, with their keywords.
    """

    places: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
