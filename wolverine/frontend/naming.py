"""Names of functions and variables that several source files have each for itself.

The first keeps its plain name, or the one that all files can see; the others are named as gdb writes
places, with their file before them: function `list.c:walk`.  A variable has its file where a static
of a function has the function.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.functions import Reading


def labels(paths: Sequence[str]) -> dict[str, str]:
    """Short names of source files, by path: the base name where no two share it."""
    counts = Counter(Path(path).name for path in paths)
    return {path: Path(path).name if counts[Path(path).name] == 1 else path for path in paths}


def tell_apart(readings: Sequence[Reading], labelled: Mapping[str, str]) -> None:
    """Give each file's own functions and variables a name of their own where another file has one too.

    `labelled` are the files' short names by path.  Signatures get the `key` under which the program
    knows the function, definitions of other files that a file cannot see are taken from its view.
    """
    for name in _shared(readings, lambda reading: (each for _, each in reading.definitions)):
        having = [r for r in readings if any(each == name for _, each in r.definitions)]
        plain = next((r for r in having if name not in r.statics), having[0])
        for reading in having:
            if reading is not plain and not _same_place(reading, plain, name):
                key = f"{labelled[reading.path]}:{name}"
                reading.signatures[name] = replace(reading.signatures[name], key=key)
    for name in _shared(readings, lambda reading: reading.globals):
        having = [reading for reading in readings if name in reading.globals]
        seen = [reading for reading in having if name not in reading.statics]
        plain = seen[0] if seen else having[0]
        for reading in having:
            if name in reading.statics and reading is not plain:
                reading.globals[name] = replace(reading.globals[name], function=labelled[reading.path])


def visible_elsewhere(readings: Iterable[Reading]) -> frozenset[str]:
    """The functions that any file may call."""
    return frozenset(
        name for reading in readings for _, name in reading.definitions if name not in reading.statics
    )


def renamed(program: LoadedProgram) -> dict[tuple[str, str], str]:
    """The program's name of what is called `name` in the file at `path` (resolved), by (name, path)."""
    labelled = labels(program.paths)
    paths = {label: str(Path(path).resolve()) for path, label in labelled.items()}
    found = {}
    for key in program.functions:
        label, colon, name = key.rpartition(":")
        if colon and label in paths:
            found[name, paths[label]] = key
    for variable in program.globals:
        if variable.function in paths and variable.function not in program.functions:
            found[variable.name, paths[variable.function]] = variable.function
    return found


def _shared(readings: Sequence[Reading], names: object) -> list[str]:
    counts = Counter(name for reading in readings for name in set(names(reading)))  # type: ignore[operator]
    return sorted(name for name, count in counts.items() if count > 1)


def _same_place(one: Reading, two: Reading, name: str) -> bool:
    """Whether both definitions are one text, in a header."""

    def place(reading: Reading) -> tuple[int, int]:
        node = next(node for node, each in reading.definitions if each == name)
        token = reading.unit.items.tokens[node.body.coord.start]
        return token.file, token.start

    return place(one) == place(two)
