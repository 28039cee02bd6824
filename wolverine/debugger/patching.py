"""The patches of a session: which are loaded, which is in force, and how gdb knows of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wolverine.debugger.code_index import Module
from wolverine.debugger.debug_info import DebugInfo
from wolverine.debugger.execution import Execution
from wolverine.debugger.flow import Flow
from wolverine.debugger.hotpatch import Area, Builder, PatchedCode, Redirects
from wolverine.debugger.object_file import ProgramSymbols, program_symbols
from wolverine.debugger.requests import console
from wolverine.debugger.target import Process
from wolverine.errors import DebuggerError, SourceError


class Patching:
    """Loads patches into the process, and again into the processes that follow it."""

    def __init__(self, info: DebugInfo, executable: Path) -> None:
        self._info = info
        self._executable = executable
        self._symbols: ProgramSymbols | None = None
        self._builder: Builder | None = None
        self._loaded: list[PatchedCode] = []
        self._in_force: PatchedCode | None = None
        self._area: Area | None = None
        self._redirects: Redirects | None = None
        self._shown: set[Path] = set()
        self.execution: Execution
        self._flow: Flow

    @property
    def entries(self) -> dict[int, int]:
        """Old entries that lead elsewhere now, and where."""
        return self._redirects.entries if self._redirects is not None else {}

    def close(self) -> None:
        """Remove the files of the patches."""
        if self._builder is not None:
            self._builder.close()

    def gdb_started(self, execution: Execution, flow: Flow) -> None:
        """A new gdb: it knows of no patch yet."""
        self.execution = execution
        self._flow = flow
        self._shown.clear()
        self._redirects = None

    def before_launch(self) -> None:
        """Breakpoints in patched code cannot be set before there is memory for it: gdb forgets it."""
        for path in self._shown:
            self.execution.gdb.command(console(f"remove-symbol-file {path}"))
        self._shown.clear()
        self._redirects = None

    def process_started(self, process: Process) -> None:
        """A new process: all patches are loaded at their places, that in force leads to its code."""
        header = process.tracker.header() if process.tracker is not None else None
        used = self._area.used if self._area is not None else 0
        self._area = None
        if header is not None and header.code:
            self._area = Area(header.code, header.code + header.code_size, used)
        self._redirects = Redirects(process.memory, self._info, process.bias, self._targets)
        for each in self._loaded:
            self._write(process, each)
        self._redirects.set(self._in_force.entries if self._in_force is not None else {})

    def load(
        self, hot: Sequence[tuple[str, bytes]], functions: Sequence[str], cflags: Sequence[str]
    ) -> PatchedCode:
        """Compile and load; not yet in force."""
        process = self.execution.require()
        if self._area is None:
            raise DebuggerError("the program cannot be patched while it runs: the tracker is not in it")
        if self._symbols is None or self._builder is None:
            self._symbols = program_symbols(self._executable)
            self._builder = Builder(self._info, self._symbols)
        code = self._builder.build(hot, functions, cflags, self._area, process.bias, self._lookup)
        self._write(process, code)
        self._loaded.append(code)
        return code

    def use(self, code: PatchedCode | None) -> None:
        """Put a patch in force; the innermost activation of a patched function is to go on in its code.

        Raises DebuggerError where that cannot be; then the program is as it was built.
        """
        self.execution.require()
        assert self._redirects is not None
        self.check(code)
        returning = [frame.pc for frame in self.execution.stack().frames[1:]] if code is not None else []
        self._in_force = None
        try:
            self._redirects.set(code.entries if code is not None else {}, returning)
            self._in_force = code
        finally:
            self.execution.generation += 1
            self._tidy()

    def check(self, code: PatchedCode | None) -> None:
        """Raises DebuggerError for a patch that is not of this session."""
        if code is not None and code not in self._loaded:
            raise DebuggerError("this patch is not loaded")

    def body(self, entry: int) -> int:
        """The first address behind the prologue of the code that an old entry leads to."""
        assert self._in_force is not None
        new = self.entries[entry]
        found = self.execution.require().code.function_at(new)
        rows = found.module.info.function_rows(found.function) if found is not None else ()
        return next((row.address for row in rows if row.address > new), new)

    def body_of(self, name: str) -> int | None:
        """The same for a function of that name; None where it is as it was built."""
        code = self.execution.require().code
        return next((self.body(entry) for entry in self.entries if code.entry(entry) == name), None)

    def tidy(self) -> None:
        """Breakpoints that gdb has set at the entry of redirected functions are of no use: disable them.

        Raises DebuggerError where the process would go on in the middle of a jump.
        """
        if self.entries:
            assert self._redirects is not None
            alive = self.execution.process is not None and not self.execution.held_exit
            frames = self.execution.stack().frames if alive else ()
            if frames and self._redirects.within(frames[0].pc):
                raise DebuggerError("what the process is to execute next has given way to a patch; go `back`")
            self._tidy()

    def _tidy(self) -> None:
        assert self._redirects is not None
        ranges = " ".join(f"{low:x}-{high:x}" for low, high in self._redirects.covered())
        self.execution.gdb.command(f"-wolverine-tidy {ranges}")

    def _write(self, process: Process, code: PatchedCode) -> None:
        for address, data in code.pieces:
            process.memory.write(address, data)
        process.code.add(Module(code.module.info, 0))
        self.execution.gdb.command(console(f"add-symbol-file {code.symbol_file} -o 0"))
        self._shown.add(code.symbol_file)
        self.execution.generation += 1

    def _targets(self, low: int, high: int) -> set[int]:
        """Where the jumps in an address range lead."""
        found = self._flow.instructions(((low, high),))
        return {each.target for each in found if each.target is not None and each.mnemonic.startswith("j")}

    def _lookup(self, name: str) -> int:
        """The process' address of a function or variable that the patched file does not define."""
        process = self.execution.require()
        assert self._symbols is not None
        if name in self._symbols.globals:
            return self._symbols.globals[name] + process.bias
        if name in self._symbols.slots:
            slot = process.memory.read(self._symbols.slots[name] + process.bias, 8)
            if any(slot):
                return int.from_bytes(slot, "little")
        text = self.execution.scratch(name.encode() + b"\0")
        found = self.execution.call("__wolverine_lookup", text)
        if not found:
            raise SourceError(f"undefined reference to '{name}'")
        return found
