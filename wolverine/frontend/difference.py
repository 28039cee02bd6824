"""Unified diffs that `patch -p1` applies to the original bytes."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import PurePosixPath

from wolverine.core.patch import Patch
from wolverine.core.program import Program
from wolverine.frontend.emit import emit


def diff(program: Program, patch: Patch) -> str:
    """The patch as a unified diff over all files, "" when nothing changes.

    Bytes that are not UTF-8 are surrogate escapes, carriage returns stay: write it with
    `errors="surrogateescape"` and `newline=""`.
    """
    result = []
    for file, content in zip(program.files, emit(program, patch)):
        if content != file.content:
            result.append(file_difference(file.path, file.content, content))
    return "".join(result)


def file_difference(path: str, before: bytes, after: bytes) -> str:
    """One file's unified diff."""
    name = _relative(path)
    old, new = _header(f"a/{name}"), _header(f"b/{name}")
    parts = []
    for line in unified_diff(_lines(before), _lines(after), old, new, lineterm="\n"):
        parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    result = [f"{line}\n" for line in lines[:-1]]
    if lines[-1]:
        result.append(lines[-1])
    return result


def _header(name: str) -> str:
    """A name as `patch` reads it: up to white space, unless a TAB ends it; what is no text stands in quotes.

    Source: GNU diffutils, "Unified format" and its file names; git does the same.
    """
    if all(char >= " " for char in name):
        return f"{name}\t" if " " in name else name
    quoted = (
        f"\\{char}" if char in '\\"' else char if char >= " " else f"\\{ord(char):03o}" for char in name
    )
    return f'"{"".join(quoted)}"'


def _relative(path: str) -> str:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        return pure.name
    return str(pure)
