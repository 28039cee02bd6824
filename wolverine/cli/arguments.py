"""What stands on the command line."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wolverine.errors import UsageError

_USAGE = """wolverine PROGRAM.c [MORE.c ...] [options] [-- ARGS...]
       wolverine --exe BINARY [options] [-- ARGS...]
       wolverine --resume [SESSION] [options]
       wolverine fix PROGRAM.c [MORE.c ...] [options] [-- ARGS...]
       wolverine sessions
       wolverine campaign [options]"""
_FIX_USAGE = "wolverine fix PROGRAM.c [MORE.c ...] [options] [-- ARGS...]"

_EPILOG = """\
What follows -- goes to the debugged program. In the shell, `help` lists the commands.
`wolverine sessions` lists the sessions that --resume can repeat. A session at a terminal is recorded
below $XDG_STATE_HOME/wolverine/sessions (~/.local/state), readable by you only; the newest 50 are kept.
`wolverine fix` runs the program, repairs what a crash, a loop without an end or a leak shows, and prints the
difference or writes the repaired file; its own --help lists its options.
`wolverine campaign` injects faults into correct programs, repairs them and judges the repairs; its own
--help lists its options.

exit status:
  0  all commands succeeded
  1  a command failed: no repair was found, or an error was reported
  2  there was nothing to start with: wrong usage, a file that cannot be read, a program that does
     not compile or lacks debug information, gdb or gcc missing
"""

_FIX_EPILOG = """\
What follows -- goes to the program. Nothing but the fault tells what is right: look at the difference before
you take it over. In a session (`wolverine PROGRAM.c`) pictures can be corrected, which tells more.

exit status:
  0  the program ends without a fault, from the outset or under the repairs
  1  a fault is left: no repair was found, or as many as are allowed did not suffice
  2  as for wolverine
"""

# These take a value, which may begin with a dash; what is no text is no option of ours either.
_VALUED = ("--exe", "-x", "-ex", "--cflags", "--stdin", "-o", "--most", "--budget")
_TEXTS = ("-ex", "--cflags")


@dataclass(frozen=True, slots=True)
class Script:
    """`-x FILE`."""

    file: Path


@dataclass(frozen=True, slots=True)
class Inline:
    """`-ex CMD`."""

    text: str


@dataclass(frozen=True, slots=True)
class Fixing:
    """`wolverine fix`: at most so many repairs, each in so many seconds; the source goes to `output`."""

    most: int
    budget: float | None
    output: Path | None


@dataclass(frozen=True, slots=True)
class Arguments:
    """The command line, understood.  `scripts` keeps the order of -x and -ex.

    `resume` is the session to repeat ("": the newest); `journal` is None where nothing was said; `fixing` is
    there for `wolverine fix`.
    """

    sources: tuple[Path, ...]
    executable: Path | None
    arguments: tuple[str, ...]
    scripts: tuple[Script | Inline, ...]
    cflags: tuple[str, ...]
    stdin: Path | None
    batch: bool
    json: bool
    color: bool
    debug: bool
    view: bool = False
    resume: str | None = None
    journal: bool | None = None
    fixing: Fixing | None = None


class _Append(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        made = Script(Path(str(values))) if option_string == "-x" else Inline(str(values))
        namespace.scripts = [*namespace.scripts, made]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise UsageError(f"{message}\nusage: {self.usage}\n`{self.prog} --help` explains the options.")


def read_arguments(argv: Sequence[str]) -> Arguments:
    """Understand the command line.

    Raises UsageError where it is wrong; prints and raises SystemExit for --help and --version.
    """
    own, program = _split(list(argv))
    given = _parser().parse_intermixed_args(own)
    if given.resume is not None and (given.exe or program or given.cflags or given.stdin):
        raise UsageError("--resume takes the program and its options from the recorded session")
    if given.resume is None and bool(given.sources) == bool(given.exe):
        raise UsageError(f"give C files to debug, or --exe BINARY\nusage: {_USAGE}")
    return Arguments(
        sources=tuple(given.sources),
        executable=given.exe,
        arguments=tuple(program),
        scripts=tuple(given.scripts),
        cflags=_flags(given.cflags),
        stdin=given.stdin,
        batch=given.batch,
        json=given.json,
        color=not given.no_color,
        debug=given.debug,
        view=given.view,
        resume=given.resume,
        journal=given.journal,
    )


def read_fix(argv: Sequence[str]) -> Arguments:
    """Understand what follows `wolverine fix`; as `read_arguments`."""
    own, program = _split(list(argv))
    given = _fix_parser().parse_intermixed_args(own)
    return Arguments(
        sources=tuple(given.sources),
        executable=None,
        arguments=tuple(program),
        scripts=(),
        cflags=_flags(given.cflags),
        stdin=given.stdin,
        batch=True,
        json=given.json,
        color=not given.no_color,
        debug=given.debug,
        journal=False,
        fixing=Fixing(given.most, given.budget, given.output),
    )


def _flags(given: Sequence[str]) -> tuple[str, ...]:
    try:
        return tuple(flag for text in given for flag in shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--cflags cannot be split into words: {error}") from error


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """What is ours, with values joined to their options, and what follows `--`."""
    own: list[str] = []
    while argv:
        word = argv.pop(0)
        if word == "--":
            return own, argv
        if word in _VALUED and argv and (word in _TEXTS or not _option(argv[0])):
            word = f"{word}={argv.pop(0)}"
        own.append(word)
    return own, []


def _option(word: str) -> bool:
    return word.startswith("--") or word in _VALUED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="wolverine",
        usage=_USAGE,
        description="Debug a C program with pictures of its heap, and have it repaired.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "sources", nargs="*", type=Path, metavar="PROGRAM.c", help="C files, compiled together"
    )
    parser.add_argument("--exe", type=Path, metavar="BINARY", help="a binary built with -g -O0")
    parser.add_argument(
        "-x", dest="scripts", action=_Append, default=[], metavar="FILE", help="run the commands in FILE"
    )
    parser.add_argument(
        "-ex", dest="scripts", action=_Append, metavar="CMD", help="run one command; -x and -ex in order"
    )
    parser.add_argument("--batch", action="store_true", help="no prompt; leave at the first failing command")
    _add_shared(parser)
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="SESSION",
        help="repeat a recorded session (its name or source; the newest) up to its end, and go on",
    )
    parser.add_argument(
        "--journal",
        action=argparse.BooleanOptionalAction,
        help="record the session, or do not (default: at a terminal, without --batch)",
    )
    parser.add_argument("--view", action="store_true", help="show the session in a browser as well")
    parser.add_argument("--version", action=_Version, nargs=0)
    return parser


def _fix_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="wolverine fix",
        usage=_FIX_USAGE,
        description="Run a C program, repair what a crash, a loop without an end or a leak shows, and run it "
        "again under the repair, until it ends without a fault. The difference is printed, or the repaired "
        "source written.",
        epilog=_FIX_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "sources", nargs="+", type=Path, metavar="PROGRAM.c", help="C files, compiled together"
    )
    parser.add_argument("-o", dest="output", type=Path, metavar="FILE", help="where the repaired source goes")
    parser.add_argument(
        "--most", type=_positive, default=3, metavar="N", help="repairs in a row, at most (default: 3)"
    )
    parser.add_argument(
        "--budget", type=float, metavar="SECONDS", help="the time for each search (default: none)"
    )
    _add_shared(parser)
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _add_shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="results as JSON objects, one a line")
    parser.add_argument(
        "--cflags", action="append", default=[], metavar="FLAGS", help="flags for the compiler"
    )
    parser.add_argument("--stdin", type=Path, metavar="FILE", help="what the program reads")
    parser.add_argument("--no-color", action="store_true", help="no colours (NO_COLOR does the same)")
    parser.add_argument("--debug", action="store_true", help="show tracebacks and the dialogue with gdb")


class _Version(argparse.Action):
    """Prints the version and ends the program."""

    def __call__(self, *_: object) -> None:
        print(f"wolverine {_version()}")
        raise SystemExit(0)


def _version() -> str:
    # Imported here: it takes longer than all the rest of the command line.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("wolverine-debugger")
    except PackageNotFoundError:
        return "(not installed)"
