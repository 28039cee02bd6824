"""rewrite: the repaired source as a file or as a diff."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wolverine import frontend
from wolverine.core.program import Program
from wolverine.errors import CommandError
from wolverine.session import results
from wolverine.session.execution import Execution
from wolverine.session.files import write_whole
from wolverine.session.moments import Applied


def rewritten(
    program: Program, execution: Execution, file: str | None
) -> tuple[results.Rewritten, Sequence[str]]:
    """Write the repaired source to `file`, or make the diff; raises CommandError where that is impossible.

    Into a directory go all files that are patched, by their names; without a patch all that there are.
    What is to be said besides is which of several files were written, and that these were the sources.
    """
    applied = execution.path[-1].applied if execution.path else Applied()
    patch = frontend.diff(program, applied.patch)
    if file is None:
        return results.Rewritten(None, patch), ()
    contents = frontend.emit(program, applied.patch)
    changed = [i for i, source in enumerate(program.files) if source.content != contents[i]]
    names = [Path(program.files[i].path).name for i in changed]
    into = Path(file)
    if file.endswith("/") or into.is_dir():
        made = {into / Path(program.files[i].path).name: contents[i] for i in changed or range(len(contents))}
    elif len(changed) > 1:
        raise CommandError(
            f"several files are patched ({', '.join(names)}): `rewrite DIRECTORY/` writes all of them, "
            "`rewrite` alone prints the difference"
        )
    else:
        made = {into: contents[(changed or [0])[0]]}
    try:
        if file.endswith("/"):
            into.mkdir(parents=True, exist_ok=True)
        for path, content in made.items():
            write_whole(path, content)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error
    words = []
    if len(program.files) > 1 and names:
        words.append(f"what was written to {file} is {' and '.join(names)}, repaired")
    if patch and (over := _overwritten(program, file)):
        words.append(over)
    return results.Rewritten(file, patch), words


def _overwritten(program: Program, file: str) -> str:
    """What to say where the file is one of the program's sources, "" where it is not.

    Who names the source means it, as with the editors and formatters that write in place.
    """
    sources = [Path(each.path).resolve() for each in program.files]
    into = Path(file).resolve()
    if into not in sources and not (into.is_dir() and any(each.parent == into for each in sources)):
        return ""
    what = "where the sources are: what is repaired" if into.is_dir() else "the source itself: it"
    return (
        f"{file} is {what} was overwritten. The session goes on with what it was compiled from; "
        "`rewrite` alone prints the difference"
    )
