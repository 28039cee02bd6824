"""Source positions as byte offsets."""

from __future__ import annotations

from pathlib import Path

from wolverine.core.program import Program
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.tokens import Lines


def file_number(program: Program, file: str) -> int | None:
    """The number of a file by its path as given, else by its resolved path."""
    for number, source in enumerate(program.files):
        if source.path == file:
            return number
    wanted = Path(file).resolve()
    for number, source in enumerate(program.files):
        if Path(source.path).resolve() == wanted:
            return number
    return None


def offset_of(program: Program, file: str, line: int, column: int) -> int | None:
    """The byte at gcc's line and column (both from 1) of a file of the program, else None."""
    number = file_number(program, file)
    if number is None:
        return None
    if isinstance(program, LoadedProgram):
        return program.source.lines[number].offset(line, column)
    return Lines(program.files[number].content).offset(line, column)


def is_header(program: Program, file: int) -> bool:
    """Whether a file of the program is part of those that are compiled, and none by itself."""
    return isinstance(program, LoadedProgram) and program.files[file].path not in program.paths
