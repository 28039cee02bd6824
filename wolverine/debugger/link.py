"""Machine code for patched functions that shares all data and all other code with the running program.

The patched text is compiled without optimisation into one section a variable and a function.  A linker
script puts every variable that the program already has at the address that it has there, and leaves
those sections out of what is loaded; functions that are only declared, and library functions, are
given by address.  What remains, the patched functions and their literals, goes to a fresh address.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from wolverine.errors import DebuggerError, SourceError, ToolMissingError

FLAGS = (
    "-c", "-g", "-fno-omit-frame-pointer", "-fno-pic", "-fno-pie", "-mcmodel=large", "-ffunction-sections",
    "-fdata-sections", "-fno-section-anchors", "-fno-asynchronous-unwind-tables", "-fcf-protection=none",
    "-w",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A patched file: `path` as the original was compiled, `content` with the same lines."""

    path: str
    content: bytes


@dataclass(frozen=True)
class Linked:
    """Code to be written at `base`; `entries` are the addresses of the functions in it.

    `file` is an ELF file with its symbols and line tables at these addresses.
    """

    base: int
    code: bytes
    entries: Mapping[str, int]
    file: Path


@dataclass(frozen=True)
class Defined:
    """What the original executable defines, at addresses without the load bias.

    `variables` and `functions` are keyed by (file name or "" for any, owner function or "", name);
    `slots` are the cells of the global offset table by symbol.
    """

    variables: Mapping[tuple[str, str, str], int]
    functions: Mapping[tuple[str, str], int]
    slots: Mapping[str, int]


def compile_object(
    source: Source, flags: Sequence[str], target: Path, gcc: str = "gcc", timeout: float = 60
) -> None:
    """Compile a patched file to `target`; raises SourceError with gcc's message."""
    text = target.with_suffix(".c")
    name = source.path.replace("\\", "\\\\").replace('"', '\\"')
    text.write_bytes(f'# 1 "{name}"\n'.encode() + source.content)
    own = Path(source.path).resolve().parent
    kept = [flag for flag in flags if not flag.startswith("-O")]
    command = [gcc, *kept, *FLAGS, "-O0", "-iquote", str(own), "-o", str(target), str(text)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False
        )
    except FileNotFoundError as error:
        raise ToolMissingError(f"{gcc} is not installed") from error
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"the compiler did not finish within {timeout:g} seconds") from error
    if done.returncode:
        raise SourceError(done.stderr.strip() or f"{gcc} failed")


def link(
    objects: Mapping[str, Path],
    functions: Sequence[str],
    base: int,
    bias: int,
    defined: Defined,
    resolve: Callable[[str], int | None],
    target: Path,
) -> Linked:
    """Link compiled files (by source path) so that `functions` lie at `base` and on.

    `bias` is where the executable is loaded; `resolve` gives the run-time address of a symbol that the
    executable does not define.  Raises DebuggerError where a symbol has no address.
    """
    placed: list[str] = []
    known: set[str] = set()
    for path, file in objects.items():
        known |= _place_variables(path, file, functions, bias, defined, placed)
    wanted = sorted({name for file in objects.values() for name in _undefined(file)} - known)
    definitions = [f"--defsym={name}={_address(name, objects, bias, defined, resolve):#x}" for name in wanted]
    script = target.with_suffix(".ld")
    fixed = "\n".join(placed)
    script.write_text(
        f"SECTIONS {{\n{fixed}\n  .text {base:#x} : {{ *(.text.*) *(.text) *(.rodata*) *(.data*) "
        "*(.bss*) *(COMMON) }\n  /DISCARD/ : { *(.note*) *(.eh_frame*) }\n}\n"
    )
    names = [str(file) for file in objects.values()]
    command = ["ld", "-T", str(script), "--no-check-sections", "--no-warn-rwx-segments", "-e", "0",
               *definitions, "-o", str(target), *names]  # fmt: skip
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DebuggerError(f"the patched code could not be linked: {done.stderr.strip()}")
    return _read(target, functions, base)


def _place_variables(
    path: str, file: Path, functions: Sequence[str], bias: int, defined: Defined, placed: list[str]
) -> set[str]:
    """Add a line of the linker script for each variable of `file` that the program has already."""
    found: set[str] = set()
    stem = Path(path).name
    with file.open("rb") as stream:
        elf = ELFFile(stream)
        sections = [section.name for section in elf.iter_sections()]
        for symbol in _symbols(elf):
            index = symbol["st_shndx"]
            if symbol["st_info"]["type"] != "STT_OBJECT" or not isinstance(index, int):
                continue
            address = _variable(symbol.name, stem, functions, defined)
            if address is None:
                continue
            found.add(symbol.name)
            number = len(placed)
            placed.append(
                f"  .fixed{number} {address + bias:#x} (NOLOAD) : {{ *{file.name}({sections[index]}) }}"
            )
    return found


def _variable(name: str, stem: str, functions: Sequence[str], defined: Defined) -> int | None:
    plain, _, number = name.partition(".")
    if number.isdigit():
        owners = [f for f in functions if (stem, f, plain) in defined.variables]
        return defined.variables[stem, owners[0], plain] if len(owners) == 1 else None
    return defined.variables.get((stem, "", name), defined.variables.get(("", "", name)))


def _symbols(elf: ELFFile) -> Iterator[Any]:
    for section in elf.iter_sections():
        if isinstance(section, SymbolTableSection):
            yield from section.iter_symbols()


def _undefined(file: Path) -> list[str]:
    with file.open("rb") as stream:
        return [s.name for s in _symbols(ELFFile(stream)) if s["st_shndx"] == "SHN_UNDEF" and s.name]


def _address(
    name: str,
    objects: Mapping[str, Path],
    bias: int,
    defined: Defined,
    resolve: Callable[[str], int | None],
) -> int:
    for path in objects:
        for key in ((Path(path).name, name), ("", name)):
            if key in defined.functions:
                return defined.functions[key] + bias
    for path in objects:
        for owner in (Path(path).name, ""):
            if (owner, "", name) in defined.variables:
                return defined.variables[owner, "", name] + bias
    address = resolve(name)
    if address is None:
        raise DebuggerError(f"the patched code needs {name}, which the running program does not have")
    return address


def _read(file: Path, functions: Sequence[str], base: int) -> Linked:
    with file.open("rb") as stream:
        elf = ELFFile(stream)
        text: Any = elf.get_section_by_name(".text")
        entries = {
            symbol.name: symbol["st_value"]
            for symbol in _symbols(elf)
            if symbol["st_info"]["type"] == "STT_FUNC" and symbol.name in functions
        }
        missing = [name for name in functions if name not in entries]
        if missing:
            raise DebuggerError(f"the compiler made no code for {', '.join(missing)}")
        return Linked(base, text.data(), entries, file)


@cache
def defined_in(executable: Path) -> Defined:
    """What `executable` defines, from its symbol table and debug information."""
    variables: dict[tuple[str, str, str], int] = {}
    functions: dict[tuple[str, str], int] = {}
    slots: dict[str, int] = {}
    with executable.open("rb") as stream:
        elf = ELFFile(stream)
        for symbol in _symbols(elf):
            if not isinstance(symbol["st_shndx"], int):
                continue
            name = symbol.name.partition("@")[0]
            kind, local = symbol["st_info"]["type"], symbol["st_info"]["bind"] == "STB_LOCAL"
            if kind == "STT_OBJECT" and not local:
                variables["", "", name] = symbol["st_value"]
            elif kind == "STT_FUNC" and not local:
                functions["", name] = symbol["st_value"]
        for section in elf.iter_sections():
            if isinstance(section, RelocationSection) and section["sh_link"]:
                table: Any = elf.get_section(section["sh_link"])
                for relocation in section.iter_relocations():
                    symbol = table.get_symbol(relocation["r_info_sym"])
                    if symbol.name:
                        slots[symbol.name.partition("@")[0]] = relocation["r_offset"]
        if elf.has_dwarf_info():
            _from_debug_information(elf, variables, functions)
    return Defined(variables, functions, slots)


def _from_debug_information(
    elf: ELFFile, variables: dict[tuple[str, str, str], int], functions: dict[tuple[str, str], int]
) -> None:
    for unit in elf.get_dwarf_info().iter_CUs():
        top = unit.get_top_DIE()
        stem = Path(_text(top, "DW_AT_name")).name
        for die in top.iter_children():
            name = _text(die, "DW_AT_name")
            if die.tag == "DW_TAG_variable":
                _note_variable(die, (stem, "", name), variables)
            elif die.tag == "DW_TAG_subprogram" and "DW_AT_low_pc" in die.attributes:
                functions[stem, name] = die.attributes["DW_AT_low_pc"].value
                for inner in _below(die):
                    if inner.tag == "DW_TAG_variable":
                        _note_variable(inner, (stem, name, _text(inner, "DW_AT_name")), variables)


def _below(die: Any) -> Iterator[Any]:
    for child in die.iter_children():
        yield child
        if child.tag == "DW_TAG_lexical_block":
            yield from _below(child)


def _note_variable(die: Any, key: tuple[str, str, str], variables: dict[tuple[str, str, str], int]) -> None:
    location = die.attributes.get("DW_AT_location")
    name = key[2]
    if "DW_AT_specification" in die.attributes and not name:
        declared = die.get_DIE_from_attribute("DW_AT_specification")
        key = (key[0], key[1], _text(declared, "DW_AT_name"))
    if location is not None and isinstance(location.value, list) and location.value[:1] == [0x03]:
        variables[key] = int.from_bytes(bytes(location.value[1:9]), "little")


def _text(die: Any, attribute: str) -> str:
    value = die.attributes.get(attribute)
    return value.value.decode() if value is not None else ""
