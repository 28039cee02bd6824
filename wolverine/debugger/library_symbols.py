"""The names of functions in shared libraries, from their dynamic symbols and the program's imports."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from wolverine.debugger.memory import Memory
from wolverine.debugger.object_file import program_symbols


class LibrarySymbols:
    """Looks names up in the files that one process has mapped; each file is read once, when it is needed."""

    def __init__(self, memory: Memory, program: Path, bias: int) -> None:
        self._memory = memory
        self._program = program
        self._bias = bias
        self._files: dict[str, dict[int, str]] = {}
        self._known: dict[int, str | None] = {}

    def name(self, address: int) -> str | None:
        """The function that begins at the address, None where no file says so."""
        if address not in self._known:
            self._known[address] = self._look(address)
        return self._known[address]

    def entries(self, names: Iterable[str]) -> frozenset[int]:
        """Where the program's own calls of those of these functions lead that it imports."""
        return frozenset(self._led_to(name) for name in names if name in self._slots)

    def _look(self, address: int) -> str | None:
        mappings = self._memory.mappings()
        file = next((each.name for each in mappings if each.low <= address < each.high), "")
        if not file.startswith("/"):
            return None
        if file not in self._files:
            self._files[file] = _functions(file)
        begin = min(each.low for each in mappings if each.name == file)
        return self._files[file].get(address - begin) or self._imported.get(address)

    @cached_property
    def _imported(self) -> dict[int, str]:
        """The functions that the program calls, by where the loader has found them.

        For `strcmp` and its like that is the variant for this processor, which has no name for others.
        """
        return {self._led_to(name): name for name in self._slots}

    @cached_property
    def _slots(self) -> dict[str, int]:
        return program_symbols(self._program).slots

    def _led_to(self, name: str) -> int:
        """Where a call of a function that the program imports leads now: there, or first to the loader."""
        return int.from_bytes(self._memory.read_some(self._slots[name] + self._bias, 8), "little")


def _functions(path: str) -> dict[int, str]:
    """The functions that a library offers, by their distance from its beginning.

    Of several names for one function the plainest: `puts`, rather than `_IO_puts`.
    """
    found: dict[int, str] = {}
    try:
        with open(path, "rb") as stream:  # noqa: PTH123
            elf: Any = ELFFile(stream)
            table = elf.get_section_by_name(".dynsym")
            first = min((s["p_vaddr"] for s in elf.iter_segments() if s["p_type"] == "PT_LOAD"), default=0)
            for symbol in table.iter_symbols() if table is not None else ():
                if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_value"]:
                    at, name = symbol["st_value"] - first, str(symbol.name)
                    if at not in found or _plainness(name) < _plainness(found[at]):
                        found[at] = name
    except (OSError, ELFError):
        return {}
    return found


def _plainness(name: str) -> tuple[bool, int, str]:
    return name.startswith("_"), len(name), name
