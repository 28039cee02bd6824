"""Jumps and calls in the machine code of a condition (objdump-free: gdb disassembles)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wolverine.core.process import Edge, Row
from wolverine.debugger.mi import Answer

Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Instruction:
    """A machine instruction with gdb's text; `target` of a direct jump or call."""

    address: int
    size: int
    mnemonic: str
    target: int | None
    text: str = ""

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size

    @property
    def conditional(self) -> bool:
        """A jump that may fall through."""
        return self.mnemonic.startswith("j") and self.mnemonic != "jmp"


class Flow:
    """Reads machine code through gdb's disassembler; code never changes at an address once it is read."""

    def __init__(self, command: Callable[[str], Answer]) -> None:
        self._command = command
        self._known: dict[tuple[int, int], tuple[Instruction, ...]] = {}

    def instructions(self, ranges: Ranges) -> tuple[Instruction, ...]:
        """The instructions in address ranges."""
        return tuple(each for low, high in ranges for each in self._range(low, high))

    def jumps(self, ranges: Ranges) -> tuple[int, ...]:
        """The addresses of the conditional jumps that may lead out of the ranges."""

        def inside(address: int | None) -> bool:
            return address is not None and any(low <= address < high for low, high in ranges)

        return tuple(
            sorted(
                each.address
                for each in self.instructions(ranges)
                if each.conditional and not (inside(each.target) and inside(each.end))
            )
        )

    def calls(self, ranges: Ranges) -> tuple[int, ...]:
        """The return addresses of the calls, in address order."""
        return tuple(
            sorted(each.end for each in self.instructions(ranges) if each.mnemonic.startswith("call"))
        )

    def jump_at(self, address: int) -> int | None:
        """Where the unconditional jump at an address leads; None where there is none."""
        found = self.instructions(((address, address + 1),))
        return found[0].target if found and found[0].mnemonic == "jmp" else None

    def idle(self, ranges: Ranges) -> bool:
        """Whether the code in the ranges does nothing at all (`nop`)."""
        return all(each.mnemonic.startswith("nop") for each in self.instructions(ranges))

    def edges(self, ranges: Ranges, row_at: Callable[[int], Row | None]) -> tuple[Edge, ...]:
        """The addresses outside of the ranges to which their code leads."""
        found: dict[int, None] = {}

        def inside(address: int) -> bool:
            return any(low <= address < high for low, high in ranges)

        for each in self.instructions(ranges):
            if each.mnemonic.startswith("j") and each.target is not None and not inside(each.target):
                found[each.target] = None
            if each.mnemonic not in ("jmp", "ret") and not inside(each.end):
                found[each.end] = None
        return tuple(Edge(address, row_at(address)) for address in found)

    def _range(self, low: int, high: int) -> tuple[Instruction, ...]:
        if (low, high) not in self._known:
            payload = self._command(f"-data-disassemble -s {low:#x} -e {high:#x} -- 2").payload
            listed: list[dict[str, Any]] = payload.get("asm_insns", [])
            self._known[low, high] = tuple(_parsed(each) for each in listed if int(each["address"], 0) < high)
        return self._known[low, high]


def _parsed(record: dict[str, Any]) -> Instruction:
    words = str(record["inst"]).split()
    while words and words[0] in ("bnd", "notrack", "rep", "repz"):
        words = words[1:]
    mnemonic = words[0] if words else ""
    mnemonic = {"jmpq": "jmp", "callq": "call", "retq": "ret"}.get(mnemonic, mnemonic)
    target = None
    if mnemonic.startswith(("j", "call")) and len(words) > 1 and words[1].startswith("0x"):
        target = int(words[1], 16)
    return Instruction(
        int(str(record["address"]), 0),
        len(str(record["opcodes"]).split()),
        mnemonic,
        target,
        str(record["inst"]),
    )
