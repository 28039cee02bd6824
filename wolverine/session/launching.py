"""How a session begins: gcc, gdb, and what the debugger learns from the sources."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from wolverine import frontend
from wolverine.core.expressions import Cast, Load, VariableReference
from wolverine.core.program import Assign, Call, Program
from wolverine.core.types import CType, PointerType, Types
from wolverine.debugger import Debugger, compile_program
from wolverine.errors import WolverineError
from wolverine.semantics.allocation import MAKING
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
        _allocations(program),
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


def _allocations(program: Program) -> dict[tuple[str, int], CType]:
    """What is allocated where, by (function, line): the type that the result is converted to.

    A line that allocates several types tells none.
    """
    found: dict[tuple[str, int], set[CType]] = defaultdict(set)
    for function in program.functions.values():
        results = {
            step.result: program.location(step.location).line
            for step in function.code
            if isinstance(step, Call) and step.result is not None and step.function in MAKING
        }
        for step in function.code:
            if not isinstance(step, Assign) or not isinstance(step.target.type, PointerType):
                continue
            value = step.value
            while isinstance(value, Cast):
                value = value.operand
            if isinstance(value, Load) and value.place in results:
                assert isinstance(value.place, VariableReference)
                found[function.name, results[value.place]].add(step.target.type.target)
    return {place: next(iter(types)) for place, types in found.items() if len(types) == 1}
