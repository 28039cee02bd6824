"""Programs written to a temporary directory, compiled and held by a real gdb."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wolverine.debugger import Debugger, compile_program


class Bench:
    """A debugger on a program, the program's text, and all that it printed."""

    def __init__(self, folder: Path, text: str, flags: tuple[str, ...] = (), **options: Any) -> None:
        self.source = folder / "prog.c"
        self.text = textwrap.dedent(text).lstrip("\n")
        self.source.write_text(self.text)
        self.flags = flags
        executable = folder / "prog"
        compile_program([self.source], flags, executable)
        self.output = b""
        self.debugger = Debugger(executable, on_output=self._take, **options)

    def _take(self, data: bytes) -> None:
        self.output += data

    def line(self, marker: str) -> int:
        """The number of the line that contains the marker."""
        return next(n for n, line in enumerate(self.text.splitlines(), 1) if marker in line)

    def until(self, marker: str) -> Any:
        """Start, and run to a breakpoint on the marked line."""
        self.debugger.console("delete")
        self.debugger.start()
        self.debugger.console(f"break prog.c:{self.line(marker)}")
        stop = self.debugger.resume("continue")
        assert stop.reason == "breakpoint", stop
        return stop

    def value(self, name: str, function: str = "main") -> Any:
        """The first cell of a variable of the innermost activation of a function (or of a global)."""
        graph = self.debugger.snapshot().graph
        for variable in (*(v for f in graph.frames for v in f.variables), *graph.globals):
            if variable.id.name == name and variable.id.function in (function, ""):
                return next(v for place, v in graph.cells.items() if place.object == variable.id)
        raise AssertionError(f"no variable {name}")

    def patch(self, old: str, new: str, *functions: str, use: bool = True) -> Any:
        """Load the text with `old` replaced by `new`."""
        assert old in self.text
        changed = self.text.replace(old, new, 1).encode()
        code = self.debugger.patch([(str(self.source), changed)], functions, self.flags)
        if use:
            self.debugger.use(code)
        return code


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(text: str, *flags: str, **options: Any) -> Bench:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Bench(folder, text, flags, **options))
        return made[-1]

    yield make
    for each in made:
        each.debugger.close()
