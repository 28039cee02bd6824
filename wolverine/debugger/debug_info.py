"""What an object file with debug information tells: functions, variables, line-table rows.

Read with pyelftools.  Addresses are those of the file; `bias` moves them to where it is loaded.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.descriptions import set_global_machine_arch
from elftools.elf.elffile import ELFFile

from wolverine.core.process import Row
from wolverine.core.types import Types
from wolverine.debugger.debug_entries import DebugFunction, DebugVariable, EntryReader
from wolverine.debugger.debug_types import TypeReader, text
from wolverine.errors import SourceError


@dataclass
class DebugInfo:
    """One object file.  Raises SourceError when it is no ELF file or has no debug information."""

    path: Path
    functions: list[DebugFunction] = field(default_factory=list)
    globals: list[DebugVariable] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    types: Types = field(default_factory=lambda: Types({}))
    relocatable: bool = False
    renamed: Mapping[tuple[str, str], str] = field(default_factory=dict)
    entry_header: int = 0

    def __post_init__(self) -> None:
        try:
            with self.path.open("rb") as stream:
                self._read(ELFFile(stream))
        except (ELFError, DWARFError) as error:
            raise SourceError(f"{self.path} cannot be read: {error}") from error
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror}") from error
        if not self.functions:
            raise SourceError(f"{self.path} has no debug information; build it with gcc -g -O0")
        self.functions.sort(key=lambda each: each.low)
        self._lows = [each.low for each in self.functions]
        self.rows.sort(key=lambda row: (row.address, not row.end))
        self._row_addresses = [row.address for row in self.rows]

    def rename(self, names: Mapping[tuple[str, str], str]) -> None:
        """Tell apart what several files have under one name: by (name, file) the function's, the owner."""
        self.renamed = names
        if names:

            def found(name: str, file: str, otherwise: str) -> str:
                return names.get((name, str(Path(file).resolve())), otherwise)

            self.functions = [replace(f, name=found(f.name, f.file, f.name)) for f in self.functions]
            self.globals = [replace(g, owner=found(g.name, g.file, "")) for g in self.globals]

    def function_at(self, address: int) -> DebugFunction | None:
        """The function whose code holds a file address."""
        index = bisect_right(self._lows, address) - 1
        if index >= 0 and address < self.functions[index].high:
            return self.functions[index]
        return None

    def function(self, name: str) -> DebugFunction | None:
        """The function of that name (the first, where several files have a static one)."""
        return next((each for each in self.functions if each.name == name), None)

    def row_at(self, address: int) -> Row | None:
        """The row that a file address belongs to."""
        index = bisect_right(self._row_addresses, address) - 1
        return self.rows[index] if index >= 0 and not self.rows[index].end else None

    def function_rows(self, function: DebugFunction) -> tuple[Row, ...]:
        """The rows of a function's code, closed by an end row behind it."""
        low = bisect_right(self._row_addresses, function.low - 1)
        high = bisect_right(self._row_addresses, function.high - 1)
        rows = [row for row in self.rows[low:high] if not row.end]
        if not rows:
            return ()
        last = rows[-1]
        rows.append(Row(function.high, last.file, last.line, last.column, end=True))
        return tuple(rows)

    def _read(self, elf: Any) -> None:
        if elf["e_machine"] != "EM_X86_64":
            raise SourceError(f"{self.path} is not a program for x86-64")
        set_global_machine_arch(elf.get_machine_arch())
        self.relocatable = elf["e_type"] == "ET_DYN"
        for segment in elf.iter_segments("PT_PHDR"):
            self.entry_header = segment["p_vaddr"]
        if not elf.has_dwarf_info(strict=True):
            return
        dwarf = elf.get_dwarf_info()
        reader = EntryReader(TypeReader())
        for unit in dwarf.iter_CUs():
            top = unit.get_top_DIE()
            reader.unit(unit, top)
            self._lines(dwarf, unit, text(top, "DW_AT_comp_dir"))
        self.functions, self.globals, found = reader.functions, reader.globals, reader.types
        self.types = Types(found.structs, found.enumerations, found.unions)

    def _lines(self, dwarf: Any, unit: Any, directory: str) -> None:
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            return
        files = _file_names(program.header, directory)
        first = 0 if program.header.version >= 5 else 1
        dropped = False  # inside a sequence of code that the linker left out
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            dropped = dropped or not state.address
            if dropped:
                dropped = not state.end_sequence
                continue
            index = state.file - first
            name = files[index] if 0 <= index < len(files) else ""
            self.rows.append(
                Row(
                    state.address,
                    name,
                    state.line,
                    state.column,
                    bool(state.is_stmt),
                    bool(state.end_sequence),
                )
            )


def _file_names(header: Any, directory: str) -> list[str]:
    directories = [_decoded(each) for each in header.include_directory]
    if header.version < 5:
        directories.insert(0, directory)
    names = []
    for entry in header.file_entry:
        where = directories[entry.dir_index] if entry.dir_index < len(directories) else ""
        names.append(os.path.normpath(os.path.join(directory, where, _decoded(entry.name))))  # noqa: PTH118
    return names


def _decoded(name: bytes | str) -> str:
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else name
