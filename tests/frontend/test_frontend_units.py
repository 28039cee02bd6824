"""Units against gcc's line table: every row lies in a unit, every call instruction belongs to its unit."""

import re
import subprocess
from bisect import bisect_right
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from frontend_support import PROGRAMS

from wolverine.core.program import Function
from wolverine.frontend import load, offset_of


def rows_and_functions(binary: Path):
    with binary.open("rb") as stream:
        elf = ELFFile(stream)
        rows = [
            (entry.state.address, entry.state.line, entry.state.column, entry.state.end_sequence)
            for unit in elf.get_dwarf_info().iter_CUs()
            for entry in elf.get_dwarf_info().line_program_for_CU(unit).get_entries()
            if entry.state
        ]
        functions = {
            symbol.name: (symbol["st_value"], symbol["st_value"] + symbol["st_size"])
            for symbol in elf.get_section_by_name(".symtab").iter_symbols()
            if symbol["st_info"]["type"] == "STT_FUNC"
        }
    return rows, functions


def innermost(function: Function, offset: int | None) -> int | None:
    found = [
        (unit.span.end - unit.span.start, number)
        for number, unit in enumerate(function.units)
        if offset is not None and unit.span.start <= offset < unit.span.end
    ]
    return min(found)[1] if found else None


@pytest.mark.parametrize("name", ["control.c", "lists.c", "order.c", "oldstyle.c", "features.c"])
def test_rows_and_calls(name, tmp_path):
    path = PROGRAMS / name
    binary = tmp_path / "p.o"
    subprocess.run(["gcc", "-w", "-g", "-O0", "-c", str(path), "-o", str(binary)], check=True)
    program = load([path]).program
    rows, functions = rows_and_functions(binary)
    listing = subprocess.run(
        ["objdump", "-d", str(binary)], capture_output=True, text=True, check=True
    ).stdout
    calls = [int(match[1], 16) for match in re.finditer(r"^\s*([0-9a-f]+):.*\bcall\b", listing, re.M)]
    assert set(functions) == set(program.functions)
    for function_name, (low, high) in functions.items():
        function = program.functions[function_name]
        assert function.unsupported == ""
        mine = [row for row in rows if low <= row[0] < high and not row[3]]
        units = []
        for _, line, column, _ in mine:
            unit = innermost(function, offset_of(program, str(path), line, column))
            assert unit is not None, (function_name, line, column)
            units.append(unit)
        counted = dict.fromkeys(range(len(function.units)), 0)
        for address in calls:
            if low <= address < high:
                counted[units[bisect_right([row[0] for row in mine], address) - 1]] += 1
        for number, unit in enumerate(function.units):
            whole = [
                step
                for step, owner in zip(function.code, function.unit_of)
                if owner == number and type(step).__name__ == "Concrete"
            ]
            if len(unit.calls) != counted[number]:
                assert whole, (function_name, program.files[0].content[unit.span.start : unit.span.end])
                assert not unit.calls
