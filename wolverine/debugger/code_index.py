"""Which function and source row an address of the running process belongs to.

The program's own code comes first, then the code of each patch that was loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile

from wolverine.core.graph import Site
from wolverine.core.process import ProcessFrame, Row
from wolverine.debugger.debug_entries import DebugFunction
from wolverine.debugger.debug_info import DebugInfo


@dataclass(frozen=True, slots=True)
class Module:
    """Debug information and the distance between its addresses and the process'."""

    info: DebugInfo
    bias: int


@dataclass(frozen=True, slots=True)
class Found:
    """A function at run time: its code is [low, high)."""

    module: Module
    function: DebugFunction

    @property
    def low(self) -> int:
        """First address."""
        return self.function.low + self.module.bias

    @property
    def high(self) -> int:
        """Address behind the code."""
        return self.function.high + self.module.bias


class CodeIndex:
    """The modules of one process."""

    def __init__(self) -> None:
        self.modules: list[Module] = []
        self._functions: dict[int, Found | None] = {}
        self._sites: dict[int, Site | None] = {}
        self._chains: dict[tuple[int, ...], tuple[Site, ...]] = {}

    def add(self, module: Module) -> None:
        """Take a module in."""
        self.modules.append(module)
        self._functions.clear()
        self._sites.clear()
        self._chains.clear()

    def function_at(self, address: int) -> Found | None:
        """The function whose code holds the address."""
        if address not in self._functions:
            found = None
            for module in self.modules:
                function = module.info.function_at(address - module.bias)
                if function is not None:
                    found = Found(module, function)
                    break
            self._functions[address] = found
        return self._functions[address]

    def entry(self, address: int) -> str | None:
        """The name of the function that begins at the address."""
        found = self.function_at(address)
        return found.function.name if found is not None and found.low == address else None

    def row_at(self, address: int) -> Row | None:
        """The line-table row that the address belongs to, with run-time addresses."""
        found = self.function_at(address)
        if found is None:
            return None
        row = found.module.info.row_at(address - found.module.bias)
        return replace(row, address=row.address + found.module.bias) if row is not None else None

    def site(self, return_address: int) -> Site | None:
        """The source place of the call that returns there."""
        if return_address not in self._sites:
            found, row = self.function_at(return_address - 1), self.row_at(return_address - 1)
            self._sites[return_address] = (
                Site(row.file, row.line, found.function.name) if found and row else None
            )
        return self._sites[return_address]

    def sites(self, return_addresses: tuple[int, ...]) -> tuple[Site, ...]:
        """The source places of calls, up to the first that is not known (0)."""
        if return_addresses not in self._chains:
            known = takewhile(bool, (self.site(each) if each else None for each in return_addresses))
            self._chains[return_addresses] = tuple(each for each in known if each is not None)
        return self._chains[return_addresses]

    def frame(self, depth: int, pc: int, cfa: int, innermost: bool) -> ProcessFrame | None:
        """The frame of a function with debug information that stands at `pc`, else None."""
        found = self.function_at(pc if innermost else pc - 1)
        if found is None:
            return None
        row = self.row_at(pc if innermost else pc - 1)
        file, line = (row.file, row.line) if row else (found.function.file, found.function.line)
        return ProcessFrame(depth, found.function.name, file, line, pc, cfa)


def rows_of(module: Module, name: str) -> tuple[Row, ...]:
    """The rows of every function of that name in a module, at run-time addresses."""
    rows: list[Row] = []
    for function in module.info.functions:
        if function.name == name:
            rows.extend(
                replace(row, address=row.address + module.bias) for row in module.info.function_rows(function)
            )
    return tuple(rows)
