"""Edited files of a program, laid out so that gcc reads them in the place of those as given."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

_SEARCHED = ("-iquote", "-I")  # options that are followed by a folder of headers


def lay_out(folder: Path, files: Sequence[tuple[str, bytes]], cflags: Sequence[str]) -> tuple[str, ...]:
    """Write the contents of the files, by the paths of those as given, below `folder`.

    They lie there as they do in the file system, so that a file's includes lead to the headers beside it.
    Gives `cflags` with those for gcc to find the others: first below `folder`, then where they are.
    """
    for path, content in files:
        target = laid(folder, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    beside = dict.fromkeys(str(Path(path).absolute().parent) for path, _ in files)
    quoted = (part for parent in beside for part in ("-iquote", parent))
    return *_searched(folder, cflags), *cflags, *quoted


def laid(folder: Path, path: str) -> Path:
    """Where a file of the program lies below `folder`."""
    return Path(f"{folder}{os.path.abspath(path)}")  # noqa: PTH100 (what links lead to lies elsewhere)


def _searched(folder: Path, cflags: Sequence[str]) -> Iterator[str]:
    """The options of `cflags` that name folders of headers, with those below `folder`."""
    for flag, following in zip(cflags, (*cflags[1:], "")):
        option = next((each for each in _SEARCHED if flag.startswith(each)), None)
        where = flag.removeprefix(option) or following if option is not None else ""
        if option is not None and where:
            yield from (option, str(laid(folder, where)))
