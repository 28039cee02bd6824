"""The versions of the program's machine code: the original, and one for each patch in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wolverine.core.patch import Patch
from wolverine.core.process import ProcessFrame
from wolverine.core.program import Program, Span
from wolverine.debugger import Debugger
from wolverine.frontend import HotText, check, emit_hot, is_header, offset_of
from wolverine.session.moments import Stack
from wolverine.session.positions import UNMAPPED, CodeMap, Offset


@dataclass(frozen=True)
class Version:
    """Compiled code of some functions; `code` is the debugger's handle, None for the original."""

    functions: frozenset[str]
    map: CodeMap
    code: Any = None


class Codes:
    """Finds the version that a pc belongs to, and compiles new ones."""

    def __init__(self, program: Program, debugger: Debugger, cflags: Sequence[str]) -> None:
        self._program = program
        self._debugger = debugger
        self._cflags = tuple(cflags)
        own = frozenset(program.functions)
        self.original = Version(own, CodeMap(program, debugger.rows, self._offset, debugger.calls))
        self._versions: list[Version] = [self.original]
        self._by_patch: dict[Patch, Version] = {Patch(): self.original}

    def _offset(self, file: str, line: int, column: int) -> Offset | None:
        offset = offset_of(self._program, file, line, column)
        return None if offset is None else (offset, False)

    def edited_functions(self, patch: Patch) -> frozenset[str]:
        """The functions that the patch touches."""
        return frozenset(self._program.location(edit.location).function for edit in patch.edits)

    def compile(self, patch: Patch) -> Version:
        """The code of the patched functions, loaded into the process but not yet in force.

        Raises SourceError where the patched text does not compile, or does not mean what the patch does.
        """
        if patch not in self._by_patch:
            check(self._program, patch)
            functions = self.edited_functions(patch)
            texts = emit_hot(self._program, patch)
            compiled = self._compiled(functions)
            sources = [
                (file.path, declared_only(self._program, index, text.content, functions))
                for index, (file, text) in enumerate(zip(self._program.files, texts))
                if index in compiled
            ]
            code = self._debugger.patch(sources, sorted(functions), self._cflags)
            codes = CodeMap(self._program, code.rows, _Translator(self._program, texts), self._debugger.calls)
            version = Version(functions, codes, code)
            self._versions.append(version)
            self._by_patch[patch] = version
        return self._by_patch[patch]

    def _compiled(self, functions: frozenset[str]) -> frozenset[int]:
        """The files of which their code is made: headers are parts of those that are given."""
        program = self._program
        defining = frozenset(program.functions[name].file for name in functions)
        if not any(is_header(program, file) for file in defining):
            return defining
        return defining.union(file for file in range(len(program.files)) if not is_header(program, file))

    def of(self, function: str, pc: int) -> Version | None:
        """The version whose code of `function` holds `pc`, the newest first."""
        for version in reversed(self._versions):
            if function in version.functions and version.map.holds(function, pc):
                return version
        return None

    def running(self, function: str, version: Version | None) -> Version:
        """The version whose code of a function runs while that version (None: the original) is in force."""
        return version if version is not None and function in version.functions else self.original

    def instruction(self, frame: ProcessFrame, innermost: bool, callee: str = "") -> int:
        """The instruction that the frame executes next, whichever version it runs."""
        version = self.of(frame.function, frame.pc if innermost else frame.pc - 1)
        return version.map.instruction(frame, innermost, callee) if version is not None else UNMAPPED

    def stack(self, frames: Sequence[ProcessFrame]) -> Stack:
        """The instructions of all frames, innermost first."""
        return tuple(
            (frame.function, self.instruction(frame, index == 0, frames[index - 1].function if index else ""))
            for index, frame in enumerate(frames)
        )


def declared_only(program: Program, file: int, content: bytes, kept: frozenset[str]) -> bytes:
    """The text with the bodies of all functions but `kept` taken out, every line and column in place.

    So only the patched functions are compiled anew; the others are called where they are.
    """
    original = program.files[file].content
    lines = content.splitlines(keepends=True)
    for function in program.functions.values():
        body = function.body
        if function.file != file or function.name in kept or not _is_body(original, body):
            continue
        lines = _blank(lines, original, body)
    return b"".join(lines)


def _is_body(original: bytes, body: Span) -> bool:
    head = original[: body.start].rstrip()
    return original[body.start : body.start + 1] == b"{" and head.endswith(b")")


def _blank(lines: list[bytes], original: bytes, body: Span) -> list[bytes]:
    first = original.count(b"\n", 0, body.start)
    last = original.count(b"\n", 0, body.end)
    column = body.start - (original.rfind(b"\n", 0, body.start) + 1)
    end = body.end - (original.rfind(b"\n", 0, body.end) + 1)
    given = original.splitlines(keepends=True)
    if lines[first] != given[first] or lines[last] != given[last]:
        return lines
    for number in range(first, last + 1):
        line = lines[number]
        low = column if number == first else 0
        high = end if number == last else len(line)
        blank = bytes(each if each in b"\r\n" else 32 for each in line[low:high])
        if number == first:
            blank = b";" + blank[1:]
        lines[number] = line[:low] + blank + line[high:]
    return lines


class _Translator:
    """Positions in the texts that were compiled, as positions in the source as given."""

    def __init__(self, program: Program, texts: Sequence[HotText]) -> None:
        self._files = {file.path: text for file, text in zip(program.files, texts)}
        self._program = program

    def __call__(self, file: str, line: int, column: int) -> Offset | None:
        text = self._files.get(file)
        if text is None:
            named = [
                f.path for f in self._program.files if f.path.rsplit("/", 1)[-1] == file.rsplit("/", 1)[-1]
            ]
            text = self._files.get(named[0]) if len(named) == 1 else None
        if text is None:
            return None
        offset = text.original_offset(line, column)
        return None if offset is None else (offset, text.inserted(line, column))


def start_address(version: Version, function: str, instruction: int) -> int | None:
    """Where the patched code is entered: with what was inserted before the first statement."""
    if instruction == 0:
        return version.map.body(function)
    return version.map.address(function, instruction)
