"""Functions and variables read from the DIEs of an executable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from elftools.dwarf.dwarf_expr import DWARFExprParser

from wolverine.core.types import ArrayType, CType
from wolverine.debugger.debug_types import TypeReader, number, target, text


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


class EntryReader:
    """Walks the DIEs of a file, and collects its `functions` and `globals`."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types
        self.functions: list[DebugFunction] = []
        self.globals: list[DebugVariable] = []

    def unit(self, unit: Any, top: Any) -> None:
        """Read a unit; `top` is the DIE of all of it."""
        self._parser = DWARFExprParser(unit.structs)
        self._directory = text(top, "DW_AT_comp_dir")
        self._file = os.path.normpath(os.path.join(self._directory, text(top, "DW_AT_name")))  # noqa: PTH118
        for die in top.iter_children():
            if die.tag == "DW_TAG_subprogram":
                self._function(die)
            elif die.tag == "DW_TAG_variable":
                variable = self._variable(die, 0, 0)
                if variable is not None and variable.location.kind == "static":
                    self.globals.append(replace(variable, file=self._file))

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
        self.functions.append(
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
        if location.kind == "static" and "DW_AT_artificial" in die.attributes:  # __func__ and its like
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
