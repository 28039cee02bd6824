"""Specification refinement: statements that are not modelled by wish (Wolverine2 section 6.1).

`refined` gives a variant of a program in which these statements are `Concrete` instructions, so that the
follower takes their effects from the process and replay writes just what was recorded, and in which their
locations are "fixed", so that no engine edits them.  Every instruction keeps its index: positions, units
and decisions mean the same in both.

Control flow inside stays as it is: a condition is still evaluated by the model and compared with the
process, is not edited, and has to go in every candidate as it went in the process, as loops do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from wolverine.core.expressions import Load, LValue, VariableReference
from wolverine.core.program import (
    RESULT_NAME,
    Assign,
    Branch,
    Call,
    Concrete,
    Function,
    Gap,
    Instruction,
    Library,
    Location,
    Program,
    Span,
)

REASON = "marked concrete"


@dataclass(frozen=True)
class Refinement:
    """What is not modelled: `lines` as (file number, line from 1), and calls of `functions`."""

    lines: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    functions: frozenset[str] = field(default_factory=frozenset)

    def __or__(self, other: Refinement) -> Refinement:
        return Refinement(self.lines | other.lines, self.functions | other.functions)

    def __sub__(self, other: Refinement) -> Refinement:
        return Refinement(self.lines - other.lines, self.functions - other.functions)

    def __bool__(self) -> bool:
        return bool(self.lines or self.functions)


def refined(program: Program, refinement: Refinement) -> Program:
    """The program with those statements made concrete; the very same where nothing is."""
    if not refinement:
        return program
    return _Refining(program, refinement).program()


class _Refining:
    def __init__(self, program: Program, refinement: Refinement) -> None:
        self._program = program
        self._refinement = refinement
        self._fixed: set[int] = set()
        self._observed: set[int] = set()
        self._starts = [_line_starts(file.content) for file in program.files]

    def program(self) -> Program:
        functions = {name: self._function(function) for name, function in self._program.functions.items()}
        locations = tuple(self._location(location) for location in self._program.locations)
        return replace(self._program, functions=functions, locations=locations)

    def _location(self, location: Location) -> Location:
        if location.id in self._observed:
            return replace(location, kind="fixed", loop=True)
        return replace(location, kind="fixed") if location.id in self._fixed else location

    def _function(self, function: Function) -> Function:
        code = list(function.code)
        for index, step in enumerate(function.code):
            if isinstance(step, Call) and step.function in self._refinement.functions:
                code[index] = self._call(function, step)
            elif self._chosen(function, index, step):
                code[index] = self._concrete(step)
        return replace(function, code=tuple(code))

    def _chosen(self, function: Function, index: int, step: Instruction) -> bool:
        """Whether the instruction belongs to a statement in one of the lines."""
        if isinstance(step, Gap):
            span = self._program.location(step.location).span
            return {(span.file, span.line), (span.file, span.line - 1)} <= self._refinement.lines
        unit = function.unit_of[index]
        return unit >= 0 and self._covered(function.units[unit].span)

    def _covered(self, span: Span) -> bool:
        lines = range(span.line, self._program.last_line(span) + 1)
        return any((span.file, line) in self._refinement.lines for line in lines)

    def _concrete(self, step: Instruction) -> Instruction:
        """The instruction with its effect left to the process; what has none beyond the model stays."""
        if step.location >= 0:
            self._fixed.add(step.location)
        match step:
            case Assign(location, target) if not _temporary(target):
                return Concrete(location, REASON, _local(target))
            case Call(location, _, _, result):
                return Concrete(location, REASON, () if result is None else (result,))
            case Library(location):
                return Gap(location)
            case Concrete(location, reason, results) if not reason.startswith(REASON):
                return Concrete(location, f"{REASON}, {reason}", results)
            case Branch(location) if location >= 0:
                self._observed.add(location)
        return step

    def _call(self, function: Function, call: Call) -> Instruction:
        if call.location >= 0:
            self._fixed.add(call.location)
        handed = {argument.place for argument in call.arguments if isinstance(argument, Load)}
        for step in function.code:
            if isinstance(step, Assign) and step.target in handed and _temporary(step.target):
                self._fixed.add(step.location)
        return Concrete(call.location, REASON, () if call.result is None else (call.result,))


def _temporary(place: LValue) -> bool:
    return isinstance(place, VariableReference) and place.name.startswith("$") and place.name != RESULT_NAME


def _local(place: LValue) -> tuple[VariableReference, ...]:
    return (place,) if isinstance(place, VariableReference) and place.level == "local" else ()


# -- the same as comments in the source ------------------------------------------------------------------

_MARK = re.compile(rb"(//[ \t]*wolverine:[ \t]*concrete\b[^\n]*|/\*[ \t]*wolverine:[ \t]*concrete[ \t]*\*/)")
_PASSED = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|[{}]", re.DOTALL
)  # what a brace may hide in, and braces


def marked(program: Program) -> Refinement:
    """What comments `// wolverine: concrete` in the source ask for.

    Such a comment stands behind the code of a line, or alone on the line before.  On the opening line of a
    block it holds for the whole block, on the opening line of a function for its calls.
    """
    lines: set[tuple[int, int]] = set()
    functions: set[str] = set()
    for number, file in enumerate(program.files):
        starts = _line_starts(file.content)
        for mark in _MARK.finditer(file.content):
            line = _line_of(starts, mark.start())
            if not _code(file.content, starts, line) and line < len(starts):
                line += 1
            brace = _opening(file.content, starts, line)
            if brace is None:
                lines.add((number, line))
                continue
            named = [f.name for f in program.functions.values() if f.file == number and f.body.start == brace]
            functions.update(named)
            if not named:
                last = _line_of(starts, _closing(file.content, brace))
                lines.update((number, each) for each in range(line, last + 1))
    return Refinement(frozenset(lines), frozenset(functions))


def _line_starts(content: bytes) -> list[int]:
    return [0, *(found.end() for found in re.finditer(rb"\n", content))]


def _line_of(starts: list[int], offset: int) -> int:
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle] <= offset else (low, middle)
    return low + 1


def _text(content: bytes, starts: list[int], line: int) -> bytes:
    end = starts[line] if line < len(starts) else len(content)
    return content[starts[line - 1] : end]


def _code(content: bytes, starts: list[int], line: int) -> bytes:
    """The line without comments."""
    return re.sub(rb"//[^\n]*|/\*.*?\*/", b"", _text(content, starts, line)).strip()


def _opening(content: bytes, starts: list[int], line: int) -> int | None:
    """The offset of the brace with which the line opens a block, if it does."""
    open_braces: list[int] = []
    for found in _PASSED.finditer(_text(content, starts, line)):
        if found[0] == b"{":
            open_braces.append(starts[line - 1] + found.start())
        elif found[0] == b"}" and open_braces:
            open_braces.pop()
    return open_braces[0] if open_braces else None


def _closing(content: bytes, brace: int) -> int:
    """The offset of the brace that closes the one at `brace`."""
    depth = 0
    for found in _PASSED.finditer(content, brace):
        depth += {b"{": 1, b"}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return len(content) - 1
