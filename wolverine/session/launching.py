"""How a session begins: gcc, gdb, and what the debugger learns from the sources."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from wolverine import frontend
from wolverine.core.program import Program
from wolverine.core.types import Types
from wolverine.debugger import Debugger, compile_program
from wolverine.errors import WolverineError
from wolverine.semantics.made import allocated_types
from wolverine.session.options import SessionOptions
from wolverine.session.sources import sources_of
from wolverine.tools import stop_tool

NO_PROGRAM = Program((), Types({}), (), {}, ())


def launch(
    options: SessionOptions, build: Path, output: Callable[[bytes], None]
) -> tuple[Debugger, frontend.Loaded | None]:
    """gcc compiles into the folder `build` and gdb starts; meanwhile the model's front end reads the sources.

    `output` takes what the program writes.  Without sources there is no model.
    """
    sources = options.sources
    if options.executable is not None:
        sources = sources or sources_of(options.executable)
    beside: list[int] = []
    with ThreadPoolExecutor(1, initializer=lambda: beside.append(threading.get_ident())) as pool:
        launched = pool.submit(_start_debugger, options, build, output)
        try:
            loaded = frontend.load(sources, options.cflags) if sources else None
            return launched.result(), loaded
        except KeyboardInterrupt:
            for thread in beside:
                stop_tool(thread)
            with suppress(WolverineError):
                launched.result().close()
            raise
        except WolverineError:
            launched.result().close()
            raise


def _start_debugger(options: SessionOptions, build: Path, output: Callable[[bytes], None]) -> Debugger:
    executable = options.executable
    if executable is None:
        executable = build / options.sources[0].stem
        compile_program(options.sources, options.cflags, executable)
    return Debugger(
        executable,
        options.arguments,
        stdin=options.stdin,
        batch=options.batch,
        on_output=output,
        log=_log if options.debug else None,
    )


def describe(debugger: Debugger, loaded: frontend.Loaded | None) -> None:
    """Tell the debugger what only the sources say: of names that occur twice, and of types."""
    program = loaded.program if loaded is not None else NO_PROGRAM
    debugger.describe(
        _duplicates(program),
        allocated_types(program),
        frontend.renamed(loaded.program) if loaded is not None else {},
    )


def _log(line: str) -> None:
    print(line, file=sys.stderr)


def _duplicates(program: Program) -> frozenset[tuple[str, str]]:
    found = set()
    for function in program.functions.values():
        for variable in (*function.parameters, *function.locals):
            plain, mark, _ = variable.name.partition("@")
            if mark:
                found.add((function.name, plain))
    return frozenset(found)
