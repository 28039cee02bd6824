"""What every way to start has in common: what a session is given, and who presents its results."""

from __future__ import annotations

import io
import os
import shutil
import sys
from pathlib import Path

from wolverine.cli.arguments import Arguments
from wolverine.cli.piped import as_file
from wolverine.errors import SourceError, UsageError
from wolverine.session.options import SessionOptions
from wolverine.shell.presenter import JsonPresenter, Presenter, TextPresenter

_ELF = b"\x7fELF"
_CPLUSPLUS = frozenset([".cpp", ".cc", ".cxx", ".cp", ".c++", ".C", ".CPP", ".hpp", ".hh", ".hxx"])


def tolerate_any_text() -> None:
    """Text that is not UTF-8 comes through: arguments, what programs print."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")


def at_terminal() -> bool:
    """Whether somebody types."""
    # Python has no sys.stdin where the descriptor is closed.
    return sys.stdin is not None and sys.stdin.isatty()


def session_options(arguments: Arguments) -> SessionOptions:
    """What the session is given.  Raises SourceError where a file cannot be read."""
    for source in arguments.sources:
        _check_readable(source, of_program=source is not arguments.sources[0])
        _check_source(source)
    if arguments.executable is not None:
        _check_readable(arguments.executable)
    stdin = as_file(arguments.stdin) if arguments.stdin is not None else None
    if stdin is not None:
        _check_readable(stdin)
    encoding = (sys.stdout.encoding or "").lower()
    return SessionOptions(
        sources=arguments.sources,
        executable=arguments.executable,
        arguments=arguments.arguments,
        cflags=arguments.cflags,
        stdin=stdin,
        batch=arguments.batch or not at_terminal(),
        json=arguments.json,
        debug=arguments.debug,
        width=shutil.get_terminal_size((100, 24)).columns,
        height=_height(arguments),
        color=with_color(arguments),
        unicode=encoding.startswith("utf"),
    )


def _check_readable(file: Path, *, of_program: bool = False) -> None:
    """Raises SourceError where a file cannot be read, which may be an argument meant `of_program`."""
    try:
        with file.open("rb"):
            return
    except OSError as error:
        meant = "; what is given to the program stands behind --" if of_program and not file.suffix else ""
        raise SourceError(f"{file} cannot be read: {error.strerror}{meant}") from error
    except ValueError as error:
        raise SourceError(f"{str(file)!r} is no file name") from error


def _check_source(file: Path) -> None:
    """Raises SourceError where a file is none of C that can be compiled to a program."""
    if file.is_file():
        with file.open("rb") as opened:
            if opened.read(len(_ELF)) == _ELF:
                raise SourceError(f"{file} is a binary, no C file: --exe {file} debugs it")
    if file.suffix in _CPLUSPLUS:
        raise SourceError(f"{file} is named as a file of C++; Wolverine debugs C only")
    if file.suffix == ".h":
        raise SourceError(f"{file} is a header, no program: give the C file that includes it")


def check_platform() -> None:
    """Raises UsageError on another system than Linux on x86-64."""
    here = os.uname()
    system, machine = here.sysname, here.machine
    if (system, machine) != ("Linux", "x86_64"):
        raise UsageError(f"Wolverine runs on Linux on x86-64 only; this is {system} on {machine}")


def with_color(arguments: Arguments) -> bool:
    """Whether results are coloured: at a terminal, unless something forbids it."""
    return (
        arguments.color
        and not arguments.json
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
        and sys.stdout.isatty()
    )


def presenter_for(arguments: Arguments) -> Presenter:
    """Who presents the results: words and pictures, or JSON."""
    if arguments.json:
        return JsonPresenter(sys.stdout, sys.stderr)
    terminal = sys.stdout.isatty() and sys.stderr.isatty()  # in a file a sentence is one line
    width = shutil.get_terminal_size().columns if terminal else 0
    return TextPresenter(sys.stdout, sys.stderr, with_color(arguments), width, _height(arguments))


def _height(arguments: Arguments) -> int:
    """The rows that somebody at the prompt sees at once; 0 where nobody is."""
    if arguments.batch or arguments.json or not at_terminal() or not sys.stdout.isatty():
        return 0
    return shutil.get_terminal_size().lines
