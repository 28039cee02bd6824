"""What an object file with debug information tells: functions, variables, line-table rows.

Read with pyelftools.  Addresses are those of the file; `bias` moves them to where it is loaded.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.descriptions import set_global_machine_arch
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.elf.elffile import ELFFile

from wolverine.core.process import Row
from wolverine.core.types import ArrayType, CType, Types
from wolverine.debugger.debug_types import TypeReader, number, target, text
from wolverine.errors import SourceError

Operations = tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a variable lives.

    `kind` "static": at file address `value`; "frame": `value` bytes from the canonical frame address;
    "indirect": the address is stored there (variable length arrays); "register": in DWARF register
    number `value`.
    """

    kind: str
    value: int


@dataclass(frozen=True, slots=True)
class DebugVariable:
    """A variable: valid in [low, high) of the code; `bound` is where a VLA's last index is stored.

    `file` is that of a file-scope variable, `owner` its short name where several files have one.
    """

    name: str
    type: CType
    location: Location
    line: int
    parameter: bool = False
    low: int = 0
    high: int = 0
    bound: Location | None = None
    owner: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class DebugFunction:
    """A function's code [low, high), its variables (outer scopes first) and its statics."""

    name: str
    low: int
    high: int
    file: str
    line: int
    variables: tuple[DebugVariable, ...]
    statics: tuple[DebugVariable, ...]


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
        reader = _Reader(self, TypeReader())
        for unit in dwarf.iter_CUs():
            top = unit.get_top_DIE()
            reader.unit(unit, top)
            self._lines(dwarf, unit, text(top, "DW_AT_comp_dir"))
        found = reader.types
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


class _Reader:
    """Walks the DIEs of a file."""

    def __init__(self, info: DebugInfo, types: TypeReader) -> None:
        self._info = info
        self.types = types

    def unit(self, unit: Any, top: Any) -> None:
        self._parser = DWARFExprParser(unit.structs)
        self._directory = text(top, "DW_AT_comp_dir")
        self._file = os.path.normpath(os.path.join(self._directory, text(top, "DW_AT_name")))  # noqa: PTH118
        for die in top.iter_children():
            if die.tag == "DW_TAG_subprogram":
                self._function(die)
            elif die.tag == "DW_TAG_variable":
                variable = self._variable(die, 0, 0)
                if variable is not None and variable.location.kind == "static":
                    self._info.globals.append(replace(variable, file=self._file))

    def _function(self, die: Any) -> None:
        span = _span(die)
        # The linker sets what refers to code that it left out to zero.
        if span is None or span[0] == 0:
            return
        self._rbp_based = False
        base = die.attributes.get("DW_AT_frame_base")
        if base is not None and isinstance(base.value, list):
            operations = self._operations(base.value)
            self._rbp_based = bool(operations) and operations[0][0] == "DW_OP_reg6"
        found: list[DebugVariable] = []
        for low, high, each in _variables(die, *span):
            variable = self._variable(each, low, high)
            if variable is not None:
                found.append(variable)
        self._info.functions.append(
            DebugFunction(
                _inherited_text(die, "DW_AT_name"),
                *span,
                self._file,
                number(die, "DW_AT_decl_line"),
                tuple(each for each in found if each.location.kind != "static"),
                tuple(each for each in found if each.location.kind == "static"),
            )
        )
        for child in die.iter_children():
            if child.tag == "DW_TAG_subprogram":
                self._function(child)

    def _variable(self, die: Any, low: int, high: int) -> DebugVariable | None:
        name = _inherited_text(die, "DW_AT_name")
        attribute = die.attributes.get("DW_AT_location")
        if not name or attribute is None or not isinstance(attribute.value, list):
            return None
        location = self._location(attribute.value)
        described = _inheriting(die, "DW_AT_type")
        if location is None or described is None:
            return None
        ctype = self.types.of(described)
        line = number(_inheriting(die, "DW_AT_decl_line") or die, "DW_AT_decl_line")
        bound = self._bound(described) if isinstance(ctype, ArrayType) and ctype.length == 0 else None
        parameter = die.tag == "DW_TAG_formal_parameter"
        return DebugVariable(name, ctype, location, line, parameter, low, high, bound)

    def _bound(self, die: Any) -> Location | None:
        array = target(die)
        while array is not None and array.tag in ("DW_TAG_typedef", "DW_TAG_const_type"):
            array = target(array)
        if array is None:
            return None
        for child in array.iter_children():
            attribute = child.attributes.get("DW_AT_upper_bound")
            if attribute is None:
                continue
            if attribute.form.startswith("DW_FORM_ref"):
                holder = child.get_DIE_from_attribute("DW_AT_upper_bound")
                where = holder.attributes.get("DW_AT_location")
                return self._location(where.value) if where is not None else None
            if isinstance(attribute.value, list):
                location = self._location(attribute.value)
                return Location("frame", location.value) if location is not None else None
        return None

    def _operations(self, data: list[int]) -> list[tuple[str, list[int]]]:
        return [(each.op_name, list(each.args)) for each in self._parser.parse_expr(data)]

    def _location(self, data: Any) -> Location | None:
        if not isinstance(data, list):
            return None
        match self._operations(data):
            case [("DW_OP_addr", [address])]:
                return Location("static", address)
            case [("DW_OP_fbreg", [offset])]:
                return Location("frame", offset - 16 if self._rbp_based else offset)
            case [("DW_OP_fbreg", [offset]), ("DW_OP_deref", _)]:
                return Location("indirect", offset - 16 if self._rbp_based else offset)
            case [(name, _)] if name.startswith("DW_OP_reg"):
                return Location("register", int(name.removeprefix("DW_OP_reg")))
        return None

    _rbp_based = False


def _variables(die: Any, low: int, high: int) -> Iterator[tuple[int, int, Any]]:
    """Every variable in a function, with the code in which it is in scope, outer ones first."""
    blocks = []
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield low, high, child
        elif child.tag == "DW_TAG_lexical_block":
            blocks.append(child)
    for block in blocks:
        for span in _spans(block) or [(low, high)]:
            yield from _variables(block, *span)


def _spans(block: Any) -> list[tuple[int, int]]:
    """The code of a block, which may be in several pieces."""
    whole = _span(block)
    attribute = block.attributes.get("DW_AT_ranges")
    if whole is not None or attribute is None:
        return [whole] if whole is not None else []
    lists = block.dwarfinfo.range_lists()
    if lists is None or attribute.form == "DW_FORM_rnglistx":
        return []
    top = block.cu.get_top_DIE().attributes.get("DW_AT_low_pc")
    base = top.value if top is not None else 0
    found = []
    for entry in lists.get_range_list_at_offset(attribute.value, block.cu):
        if hasattr(entry, "base_address"):
            base = entry.base_address
        else:
            offset = 0 if getattr(entry, "is_absolute", False) else base
            found.append((entry.begin_offset + offset, entry.end_offset + offset))
    return found


def _span(die: Any) -> tuple[int, int] | None:
    low = die.attributes.get("DW_AT_low_pc")
    high = die.attributes.get("DW_AT_high_pc")
    if low is None or high is None:
        return None
    end = high.value if high.form == "DW_FORM_addr" else low.value + high.value
    return low.value, end


def _inheriting(die: Any, attribute: str) -> Any | None:
    """The DIE itself or the one that it completes, whichever has the attribute."""
    for _ in range(4):
        if attribute in die.attributes:
            return die
        link = next(
            (n for n in ("DW_AT_specification", "DW_AT_abstract_origin") if n in die.attributes), None
        )
        if link is None:
            return None
        die = die.get_DIE_from_attribute(link)
    return None


def _inherited_text(die: Any, attribute: str) -> str:
    owner = _inheriting(die, attribute)
    return text(owner, attribute) if owner is not None else ""
