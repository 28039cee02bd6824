"""concrete: what is not modelled by wish, by comments and commands (Wolverine2 section 6.1)."""

from __future__ import annotations

from collections.abc import Callable

from wolverine.core.program import Call, Program
from wolverine.errors import CommandError
from wolverine.semantics.refinement import Refinement, marked, refined
from wolverine.session.beginning import remodel
from wolverine.session.commands import Concrete, LineRange
from wolverine.session.execution import Execution


class Refining:
    """Keeps the wishes and has the path followed anew when they change."""

    def __init__(self, program: Program, execution: Execution, note: Callable[[str], None]) -> None:
        self._program = program
        self._execution = execution
        self._note = note
        self._wished = marked(program)
        if self._wished:
            remodel(execution, refined(program, self._wished))

    def concrete(self, command: Concrete) -> None:
        """Leave statements to the process, or model them again; raises CommandError for what is not there."""
        wish = self._wished if command.what is None else self._wish(command.what)
        now = self._wished - wish if command.off else self._wished | wish
        if now == self._wished:
            state = "modelled" if command.off else "not modelled"
            self._note(f"{_words(command.what)}: {state} already")
            return
        model = refined(self._program, now)
        path = self._execution.path
        patch = path[-1].applied.patch if path else None
        for edit in patch.edits if patch is not None else ():
            location = model.location(edit.location)
            if location.kind == "fixed":
                raise CommandError(f"line {location.line} is repaired; it cannot be left to the process")
        self._wished = now
        kept = remodel(self._execution, model)
        what = _words(command.what)
        self._note(f"{what}: {'modelled again' if command.off else 'not modelled, taken from the process'}")
        if not kept:
            self._note("a patch is in force: the trace begins anew here")

    def _wish(self, what: LineRange | str) -> Refinement:
        if isinstance(what, str):
            known = set(self._program.functions)
            for function in self._program.functions.values():
                known.update(step.function for step in function.code if isinstance(step, Call))
            if what not in known:
                raise CommandError(f"there is no function {what}, and no call of one")
            return Refinement(functions=frozenset((what,)))
        number = self._file(what.file)
        lines = frozenset((number, line) for line in range(what.first, what.last + 1))
        spans = [
            unit.span
            for function in self._program.functions.values()
            if function.file == number
            for unit in function.units
            if not unit.header
        ]
        ends = [(span.line, self._program.last_line(span)) for span in spans]
        if not any(first <= what.last and what.first <= last for first, last in ends):
            raise CommandError(f"there is no statement on {_words(what)}")
        return Refinement(lines)

    def _file(self, name: str) -> int:
        paths = [file.path for file in self._program.files]
        moment = self._execution.moment
        if not name and moment is not None and moment.stop.frames:
            name = moment.stop.frames[0].file
        if not name or not paths:
            return 0
        for tail in (name, name.rsplit("/", 1)[-1]):
            found = [n for n, path in enumerate(paths) if path == tail or path.endswith(f"/{tail}")]
            if len(found) == 1:
                return found[0]
        raise CommandError(f"there is no source file {name}; there are: {', '.join(paths)}")


def _words(what: LineRange | str | None) -> str:
    match what:
        case None:
            return "all statements"
        case str():
            return f"calls of {what}"
        case LineRange(first, last):
            return f"line {first}" if first == last else f"lines {first} to {last}"
