"""rewrite: the repaired source as a file or as a diff."""

from __future__ import annotations

from pathlib import Path

from wolverine import frontend
from wolverine.core.program import Program
from wolverine.errors import CommandError
from wolverine.session import results
from wolverine.session.execution import Execution
from wolverine.session.files import write_whole
from wolverine.session.moments import Applied


def rewritten(program: Program, execution: Execution, file: str | None) -> results.Rewritten:
    """Write the repaired source to `file`, or make the diff; raises CommandError where that is impossible."""
    applied = execution.path[-1].applied if execution.path else Applied()
    patch = frontend.diff(program, applied.patch)
    if file is not None:
        contents = frontend.emit(program, applied.patch)
        if len(contents) > 1:
            changed = [i for i, f in enumerate(program.files) if f.content != contents[i]] or [0]
            if len(changed) > 1:
                raise CommandError("several files are patched; `rewrite` without a name prints the diff")
            content = contents[changed[0]]
        else:
            content = contents[0]
        try:
            write_whole(Path(file), content)
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}") from error
    return results.Rewritten(file, patch)


def overwritten(program: Program, file: str) -> str:
    """What to say where the file is one of the program's sources, "" where it is not.

    Who names the source means it, as with the editors and formatters that write in place.
    """
    if all(Path(file).resolve() != Path(each.path).resolve() for each in program.files):
        return ""
    return (
        f"{file} is the source itself: it was overwritten. The session goes on with what it was compiled "
        "from; `rewrite` alone prints the difference"
    )
