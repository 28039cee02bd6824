"""Compiling programs with the user's gcc."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from wolverine.errors import SourceError
from wolverine.tools import run_tool

# The sixteen bytes in front of each function hold a jump to patched code, which its entry then leads to.
ROOM_BEFORE_FUNCTIONS = 16
# At -O0 only `register` keeps a variable out of memory, and only this attribute takes a function its frame;
# system headers, whose intrinsics need it, spell it with underscores.
MEMORY_ONLY = ("-O0", "-g", "-fno-omit-frame-pointer", "-Dregister=", "-Dalways_inline=unused")


def compile_program(sources: Sequence[Path], cflags: Sequence[str], output: Path, gcc: str = "gcc") -> None:
    """Compile C files into a program that can be debugged and patched.

    The user's flags are passed on, but an -O among them is overridden by -O0, and `register` and
    `always_inline` are ignored: patches and the model need every variable in memory, every statement to
    have code of its own and every call to have a frame.  Raises SourceError
    with gcc's message, ToolMissingError without gcc.
    """
    room = f"-fpatchable-function-entry={ROOM_BEFORE_FUNCTIONS},{ROOM_BEFORE_FUNCTIONS}"
    before, libraries = split_flags(cflags)
    files = [str(source) for source in sources]
    rest = [room, "-o", str(output), *files, *libraries]
    try:
        run_compiler([gcc, *before, *MEMORY_ONLY, *rest])
    except SourceError as error:
        if "undefined reference" not in str(error):
            raise
        with suppress(SourceError):  # `inline` alone defines nothing that could be called
            run_compiler([gcc, *before, *MEMORY_ONLY, "-Ualways_inline", *rest])
            return
        hint = "a library is named in --cflags (`--cflags -lm`), further files beside the first"
        raise SourceError(f"{error}\n{hint}") from error


def split_flags(cflags: Sequence[str]) -> tuple[list[str], list[str]]:
    """Flags that stand before the sources, and libraries, which gcc wants behind them."""
    before = [flag for flag in cflags if not flag.startswith("-l")]
    return before, [flag for flag in cflags if flag.startswith("-l")]


def run_compiler(command: Sequence[str]) -> bytes:
    """Run a compiler or linker; its standard output.

    Raises SourceError with its message; ToolMissingError and CommandError as `run_tool` does.
    """
    done = run_tool(command)
    if done.returncode:
        raise SourceError(done.stderr.decode("utf-8", "replace").strip() or f"{command[0]} failed")
    return done.stdout
