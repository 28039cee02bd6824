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
    parts = []
    for line in unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}", lineterm="\n"):
        parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def _lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    result = [f"{line}\n" for line in lines[:-1]]
    if lines[-1]:
        result.append(lines[-1])
    return result


def _relative(path: str) -> str:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts:
        return pure.name
    return str(pure)
