"""The gate for emitted text: read again, it has to lower to the patched program."""

from __future__ import annotations

import tempfile
from itertools import product
from pathlib import Path

from wolverine.core.patch import Patch
from wolverine.core.program import Function, Program
from wolverine.errors import SourceError
from wolverine.frontend.context import LoadedProgram
from wolverine.frontend.emit import emit
from wolverine.frontend.loading import load
from wolverine.frontend.meant import patched
from wolverine.frontend.pure import pure
from wolverine.frontend.signature import signature
from wolverine.overlay import laid, lay_out


def check(program: Program, patch: Patch) -> None:
    """Emit the patch, read the result again, and compare it with the patched program.

    Raises SourceError when the text does not mean what the patch means, or does not compile.
    """
    if not isinstance(program, LoadedProgram):
        raise SourceError("only a program that was read from source can be written back")
    contents = emit(program, patch)
    with tempfile.TemporaryDirectory(prefix="wolverine-") as name:
        folder = Path(name)
        files = [(file.path, content) for file, content in zip(program.files, contents)]
        flags = lay_out(folder, files, program.cflags)
        paths = [laid(folder, path) for path in program.paths]
        again = load(paths, flags, program.gcc, program.paths).program
    idle = pure(program)
    touched = {program.location(edit.location).function for edit in patch.edits}
    for name, function in program.functions.items():
        other = again.functions.get(name)
        if other is None:
            raise SourceError(f"the edited text has lost the function {name}")
        if name in touched and not _means(program, function, patch, other, idle):
            raise SourceError(f"the edited text of {name} does not mean what the edits mean")


def _means(program: Program, function: Function, patch: Patch, other: Function, idle: frozenset[str]) -> bool:
    """Whether the other function is the patched one, whenever it works out where a new node is stored.

    Calls of the `idle` functions may be missing, and what a condition asks first need not be asked last.
    """
    wanted = signature(other, idle)
    ways = product((False, True), (False, True))
    meant = (patched(program, function, patch, early=early, once=once) for early, once in ways)
    return any(signature(each, idle) == wanted for each in meant)
