"""Preparing a compiled object file for linking into a running process.

References of the code that is wanted are turned into plain numbers: variables and functions of the
program are where the process has them, library symbols where the loader put them.  What is left for
the linker is the placing of the new code and its debug information.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from wolverine.errors import SourceError

_RELA = struct.Struct("<QQq")
_ALLOCATED = 2  # SHF_ALLOC
_THREAD_LOCAL = 0x400  # SHF_TLS
_SUFFIX = re.compile(r"^(.*)\.(\d+)$")


@dataclass(frozen=True, slots=True)
class Symbol:
    """An ELF symbol; `value` is an offset in its section, or an address in a linked file."""

    name: str
    value: int
    size: int
    kind: str
    section: int | str
    local: bool
    file: str = ""


@dataclass
class ProgramSymbols:
    """Where the program's own functions and variables are, as file addresses."""

    globals: dict[str, int] = field(default_factory=dict)
    locals: dict[str, dict[str, int]] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)

    def own(self, file: str, name: str) -> int | None:
        """The address of a symbol as seen from a source file (by its base name)."""
        found = self.locals.get(file, {}).get(name)
        return found if found is not None else self.globals.get(name)

    def numbered(self, file: str, base: str) -> list[int]:
        """The addresses of the function statics `base.N` of a file, in order of N."""
        return [address for _, address in sorted(_numbered(self.locals.get(file, {}), base))]


def program_symbols(path: Path) -> ProgramSymbols:
    """Read them from the program's file."""
    found = ProgramSymbols()
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        for symbol in _symbols(elf):
            if symbol.section == "SHN_UNDEF" or symbol.kind not in ("STT_FUNC", "STT_OBJECT"):
                continue
            name = symbol.name.partition("@")[0]
            if symbol.local:
                found.locals.setdefault(symbol.file, {})[name] = symbol.value
            else:
                found.globals[name] = symbol.value
        for name in (".rela.plt", ".rela.dyn"):
            section: Any = elf.get_section_by_name(name)
            if section is None:
                continue
            names: Any = elf.get_section(section["sh_link"])
            for entry in section.iter_relocations():
                # Jump slots and global data: the loader has put the final address there.
                if entry["r_info_type"] in (6, 7) and entry["r_info_sym"]:
                    found.slots[names.get_symbol(entry["r_info_sym"]).name] = entry["r_offset"]
    return found


@dataclass(frozen=True, slots=True)
class Prepared:
    """An object file ready for the linker: the sections to load and those to leave out."""

    path: Path
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    size: int


def prepare(
    path: Path,
    file: str,
    functions: Iterable[str],
    program: ProgramSymbols,
    bias: int,
    lookup: Callable[[str], int],
) -> Prepared:
    """Rewrite the references of the object file in place.

    `file` is the source's base name, `functions` those to load, `lookup` gives the process' address of
    a library symbol.  What they call that the program does not have is loaded with them: gcc leaves inline
    functions out that nothing called.  Raises SourceError for what cannot be linked this way.
    """
    data = bytearray(path.read_bytes())
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        symbols = list(_symbols(elf))
        placed = _placed(symbols, file, program, bias)
        sections = list(elf.iter_sections())
        wanted = _with_called({f".text.{name}" for name in functions}, sections, symbols, placed, data)
        keep, drop, size = [], [], 0
        for index, section in enumerate(sections):
            if not section["sh_flags"] & _ALLOCATED:
                continue
            if section["sh_flags"] & _THREAD_LOCAL:
                raise SourceError("thread-local variables cannot be patched")
            if section.name in wanted or (not section.name.startswith(".text") and index not in placed):
                keep.append(section.name)
                size += section["sh_size"] + 64
            else:
                drop.append(section.name)
        loaded = frozenset(index for index, each in enumerate(sections) if each.name in wanted)

        def find(name: str) -> int:
            # A static function of the same file that is only declared in the text at hand.
            own = program.locals.get(file, {}).get(name)
            return lookup(name) if own is None else own + bias

        for section in sections:
            if section["sh_type"] == "SHT_RELA":
                owner = sections[section["sh_info"]].name
                _rewrite(data, section, owner, symbols, placed, keep, loaded, find)
    path.write_bytes(data)
    return Prepared(path, tuple(dict.fromkeys(keep)), tuple(dict.fromkeys(drop)), size)


def _with_called(
    wanted: Collection[str],
    sections: Sequence[Any],
    symbols: Sequence[Symbol],
    placed: Collection[int],
    data: bytes | bytearray,
) -> frozenset[str]:
    """The names of sections with those of the code to which they lead and that the program does not have."""
    leads: dict[str, set[str]] = {}
    for section in sections:
        if section["sh_type"] == "SHT_RELA":
            led = leads.setdefault(sections[section["sh_info"]].name, set())
            for _, _, info, _ in _entries(section, data):
                to = symbols[info >> 32].section
                if isinstance(to, int) and to not in placed and sections[to].name.startswith(".text."):
                    led.add(sections[to].name)
    found, work = set(wanted), list(wanted)
    while work:
        more = leads.get(work.pop(), set()) - found
        found |= more
        work += more
    return frozenset(found)


def _entries(section: Any, data: bytes | bytearray) -> Iterator[tuple[int, int, int, int]]:
    """The relocations of a section: where they stand, offset, symbol and type, addend (ELF-64)."""
    for at in range(section["sh_offset"], section["sh_offset"] + section["sh_size"], _RELA.size):
        yield at, *_RELA.unpack_from(data, at)


def _placed(symbols: list[Symbol], file: str, program: ProgramSymbols, bias: int) -> dict[int, int]:
    """Section index -> address in the process, for sections that hold what the program has already."""
    found: dict[int, int] = {}
    bases: dict[str, list[tuple[int, Symbol]]] = {}
    for symbol in symbols:
        if not isinstance(symbol.section, int) or symbol.kind not in ("STT_FUNC", "STT_OBJECT"):
            continue
        match = _SUFFIX.match(symbol.name) if symbol.local else None
        if match:
            bases.setdefault(match[1], []).append((int(match[2]), symbol))
            continue
        address = program.own(file, symbol.name)
        if address is not None:
            found[symbol.section] = address + bias - symbol.value
    # gcc numbers function statics of one name; the numbers may differ, their order does not.
    for base, numbered in bases.items():
        addresses = program.numbered(file, base)
        if len(addresses) != len(numbered):
            continue
        for (_, symbol), address in zip(sorted(numbered, key=lambda each: each[0]), addresses):
            assert isinstance(symbol.section, int)
            found[symbol.section] = address + bias - symbol.value
    return found


def _rewrite(
    data: bytearray,
    section: Any,
    owner: str,
    symbols: list[Symbol],
    placed: dict[int, int],
    keep: list[str],
    loaded: frozenset[int],
    find: Callable[[str], int],
) -> None:
    debug = owner.startswith(".debug")
    if not debug and owner not in keep:
        return
    for at, offset, info, addend in _entries(section, data):
        symbol = symbols[info >> 32]
        if isinstance(symbol.section, int):
            if symbol.section not in placed:
                continue
            # Debug information of code that is not loaded stays with that code: it goes with it.
            if debug and symbol.kind != "STT_OBJECT" and _is_code(symbols, symbol.section):
                continue
            # A label inside (of a jump table) moves with the code; the entry is that of the program.
            if symbol.section in loaded and symbol.kind == "STT_SECTION" and addend:
                continue
            value = placed[symbol.section] + symbol.value + addend
        elif symbol.section == "SHN_UNDEF" and symbol.name and not debug:
            value = find(symbol.name) + addend
        else:
            continue
        signed = value - (1 << 64) if value >> 63 else value
        _RELA.pack_into(data, at, offset, info & 0xFFFFFFFF, signed)


def _is_code(symbols: list[Symbol], section: int) -> bool:
    return any(each.section == section and each.kind == "STT_FUNC" for each in symbols)


def _numbered(table: dict[str, int], base: str) -> list[tuple[int, int]]:
    found = []
    for name, address in table.items():
        match = _SUFFIX.match(name)
        if match and match[1] == base:
            found.append((int(match[2]), address))
    return found


def _symbols(elf: Any) -> Iterable[Symbol]:
    table = elf.get_section_by_name(".symtab")
    if table is None:
        return
    file = ""
    for symbol in table.iter_symbols():
        kind = symbol["st_info"]["type"]
        if kind == "STT_FILE":
            file = symbol.name
        yield Symbol(
            symbol.name,
            symbol["st_value"],
            symbol["st_size"],
            kind,
            symbol["st_shndx"],
            symbol["st_info"]["bind"] == "STB_LOCAL",
            file,
        )
