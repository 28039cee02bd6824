"""Native patches: changed functions are compiled, loaded beside the program, and their old entries
lead to them (Wolverine2 section 3, hot patching).

Loaded code is never overwritten: activations may still run in it, and any of the patches can be put
in force again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from wolverine.core.process import Row
from wolverine.debugger.code_index import Module, rows_of
from wolverine.debugger.compilation import MEMORY_ONLY, ROOM_BEFORE_FUNCTIONS, run_compiler, split_flags
from wolverine.debugger.debug_entries import DebugFunction
from wolverine.debugger.debug_info import DebugInfo
from wolverine.debugger.memory import PAGE, Memory
from wolverine.debugger.object_file import Prepared, ProgramSymbols, prepare
from wolverine.errors import DebuggerError, SourceError
from wolverine.overlay import laid, lay_out

_FLAGS = (
    "-c", *MEMORY_ONLY, "-fno-pic", "-fno-pie", "-mcmodel=large",
    "-ffunction-sections", "-fdata-sections", "-fno-section-anchors", "-fno-common", "-mno-red-zone",
    "-fno-asynchronous-unwind-tables", "-fcf-protection=none", "-fno-lto", "-fkeep-inline-functions",
)  # fmt: skip
_NOP = 0x90
_JUMP_BACK = bytes((0xEB, 0x100 - ROOM_BEFORE_FUNCTIONS - 2))


@dataclass(frozen=True)
class PatchedCode:
    """Functions that were compiled anew and loaded; `entries` maps a function's old entry to its new.

    `pieces` are the bytes at their addresses, for loading into another process.
    """

    functions: tuple[str, ...]
    entries: dict[int, int]
    module: Module
    pieces: tuple[tuple[int, bytes], ...]
    symbol_file: Path

    def rows(self, function: str) -> tuple[Row, ...]:
        """The line-table rows of a function's new code, with columns of the text that was compiled."""
        return rows_of(self.module, function)


@dataclass
class Area:
    """The part of the process' memory that takes new code."""

    low: int
    high: int
    used: int = 0

    def take(self, size: int) -> int:
        """A fresh address.  Raises DebuggerError when there is no room."""
        start = (self.low + self.used + 63) & -64
        if start + size > self.high - PAGE:
            raise DebuggerError("there is no more room for patched code; start the program anew")
        self.used = start + size - self.low
        return start


class Builder:
    """Compiles and links patches for one process."""

    def __init__(self, info: DebugInfo, symbols: ProgramSymbols, gcc: str = "gcc") -> None:
        self._info = info
        self._symbols = symbols
        self._gcc = gcc
        self._folder = tempfile.TemporaryDirectory(prefix="wolverine-patch-")
        self._count = 0

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()

    def build(
        self,
        hot: Sequence[tuple[str, bytes]],
        functions: Sequence[str],
        cflags: Sequence[str],
        area: Area,
        bias: int,
        lookup: Callable[[str], int],
    ) -> PatchedCode:
        """Compile the functions' new text and link it to the process.

        `hot` are the paths and texts of the sources that define them, and of headers in which they stand.
        Raises SourceError with gcc's message, DebuggerError when a function is not in the program.
        """
        self._count += 1
        work = Path(self._folder.name) / str(self._count)
        work.mkdir()
        objects: list[Prepared] = []
        wanted: list[tuple[str, str]] = []
        folder, (before, _) = work / "sources", split_flags(cflags)
        flags = lay_out(folder, hot, before)
        for number, (path, _) in enumerate(hot):
            here = [name for name in functions if _defined(self._info, name, path) is not None]
            wanted.extend((name, path) for name in here)
            if here:
                plain = [name.rpartition(":")[2] for name in here]
                compiled = self._compile(work / f"{number}.o", path, folder, flags)
                objects.append(prepare(compiled, Path(path).name, plain, self._symbols, bias, lookup))
        if not objects:
            raise DebuggerError(f"no source file defines {', '.join(functions)}")
        start = area.take(sum(each.size for each in objects) + 4096)
        linked = self._link(work, objects, start)
        info = DebugInfo(linked)
        info.rename(self._info.renamed)
        entries = {}
        for name, path in wanted:
            old, new = _defined(self._info, name, path), _defined(info, name, path)
            if old is None or new is None:
                raise DebuggerError(f"{name} is not in the program")
            entries[old.low + bias] = new.low
        return PatchedCode(tuple(functions), entries, Module(info, 0), _pieces(linked), linked)

    def _compile(self, output: Path, path: str, folder: Path, flags: Sequence[str]) -> Path:
        """The object file of one of the sources that are laid out in `folder`, headers beside them."""
        command = [
            self._gcc, *flags, *_FLAGS, f"-ffile-prefix-map={folder}=",
            "-x", "c", "-o", str(output), str(laid(folder, path)),
        ]  # fmt: skip
        try:
            run_compiler(command)
        except SourceError as error:
            raise SourceError(str(error).replace(str(folder), "")) from None
        return output

    def _link(self, work: Path, objects: Sequence[Prepared], start: int) -> Path:
        def listed(each: Prepared, names: Sequence[str]) -> str:
            return "".join(f'    "{each.path}"({name})\n' for name in names)

        kept = "".join(listed(each, each.keep) for each in objects)
        dropped = "".join(listed(each, each.drop) for each in objects)
        script = work / "patch.ld"
        script.write_text(
            "SECTIONS {\n"
            f"  /DISCARD/ : {{\n{dropped}    *(.comment)\n    *(.note*)\n  }}\n"
            f"  .hot {start:#x} : {{\n{kept}  }}\n"
            "}\n"
        )
        output = work / "patch.elf"
        run_compiler(
            ["ld", "-N", "--no-warn-rwx-segments", "-e", "0", "-T", str(script), "-o", str(output)]
            + [str(each.path) for each in objects]
        )
        return output


def _defined(info: DebugInfo, function: str, path: str) -> DebugFunction | None:
    wanted = Path(path).resolve()
    return next(
        (each for each in info.functions if each.name == function and Path(each.file).resolve() == wanted),
        None,
    )


def _pieces(path: Path) -> tuple[tuple[int, bytes], ...]:
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        return tuple(
            (section["sh_addr"], section.data())
            for section in elf.iter_sections()
            if section["sh_flags"] & 2 and section["sh_size"]
        )


class Redirects:
    """The jumps that lead from old entries to new code, in one process.

    `targets` tells where the jumps of an address range lead.
    """

    def __init__(
        self, memory: Memory, info: DebugInfo, bias: int, targets: Callable[[int, int], Collection[int]]
    ) -> None:
        self._memory = memory
        self._info = info
        self._bias = bias
        self._targets = targets
        self._saved: dict[int, bytes] = {}
        self.entries: dict[int, int] = {}

    def set(self, entries: dict[int, int], returning: Collection[int] = ()) -> None:
        """Let exactly these old entries lead to new code.

        `returning` are the addresses to which the outer activations return.  Raises DebuggerError where one
        of these would run into a jump: then nothing leads elsewhere.
        """
        for address, original in self._saved.items():
            self._memory.write(address, original)
        self._saved.clear()
        self.entries = {}
        jumps = {old: self._jump(old, new, returning) for old, new in entries.items()}
        for written in jumps.values():
            for address, data in written:
                self._write(address, data)
        self.entries = dict(entries)

    def covered(self) -> list[tuple[int, int]]:
        """The prologues of the redirected functions, where no breakpoint makes sense."""
        ends = {old: max(self._body(old) + 1, old + len(self._saved[old])) for old in self.entries}
        return list(ends.items())

    def within(self, address: int) -> bool:
        """Whether it lies in the middle of a jump."""
        return any(low < address < low + len(data) for low, data in self._saved.items())

    def _jump(self, old: int, new: int, returning: Collection[int]) -> list[tuple[int, bytes]]:
        """What to write where."""
        far = b"\xff\x25\x00\x00\x00\x00" + new.to_bytes(8, "little")
        room = self._memory.read(old - ROOM_BEFORE_FUNCTIONS, ROOM_BEFORE_FUNCTIONS)
        if room == bytes((_NOP,)) * ROOM_BEFORE_FUNCTIONS:
            return [(old - ROOM_BEFORE_FUNCTIONS, far), (old, _JUMP_BACK)]
        # A program that was built elsewhere: the jump takes the place of the prologue.
        distance = new - (old + 5)
        near = b"\xe9" + distance.to_bytes(4, "little", signed=True) if abs(distance) < 1 << 31 else far
        if self._body(old) - old < len(near):
            self._require_dead(old, len(near), returning)
        return [(old, near)]

    def _require_dead(self, old: int, size: int, returning: Collection[int]) -> None:
        """Of a prologue that is too short the jump takes more, which must not be executed any more.

        The innermost activation goes on in the new code; others may return to the bytes, or to a loop that
        begins there.
        """
        found = self._info.function_at(old - self._bias)
        if found is not None and found.high + self._bias - old >= size:
            low, high = self._body(old), old + size
            there = [address for address in returning if old < address <= found.high + self._bias]
            back = any(low <= target < high for target in self._targets(old, found.high + self._bias))
            if not there or not (back or any(address < high for address in there)):
                return
        name = found.name if found is not None else hex(old)
        raise DebuggerError(
            f"the entry of {name} is too short to lead elsewhere while {name} is active (debug the source in "
            f"place of the binary, or build that with -fpatchable-function-entry={ROOM_BEFORE_FUNCTIONS},"
            f"{ROOM_BEFORE_FUNCTIONS})"
        )

    def _write(self, address: int, data: bytes) -> None:
        self._saved[address] = self._memory.read(address, len(data))
        self._memory.write(address, data)

    def _body(self, entry: int) -> int:
        found = self._info.function_at(entry - self._bias)
        rows = self._info.function_rows(found) if found is not None else ()
        return next((row.address + self._bias for row in rows if row.address + self._bias > entry), entry)
