"""What is debugged, and how gdb and the program are set up for it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from wolverine.debugger.code_index import CodeIndex, Module
from wolverine.debugger.debug_info import DebugInfo
from wolverine.debugger.memory import Memory
from wolverine.debugger.resources import regset_library, tracker_library
from wolverine.debugger.tracker import Tracker

LAUNCH = (
    "-nx", "-q", "--interpreter=mi3",
    "-iex", "set auto-load off",
    "-iex", "set debuginfod enabled off",
    "-iex", "set debug-file-directory /nonexistent",
)  # fmt: skip
SETTINGS = (
    "confirm off",
    "pagination off",
    "mi-async on",
    "unwindonsignal on",
    "disable-randomization on",
    # The host writes the process' memory too: gdb must not keep copies.
    "stack-cache off",
    "code-cache off",
)
# Library code then leaves the registers alone that images do not hold, and the kernel does not note in the
# process' memory on which processor it runs: images of one moment would differ.
_TUNABLES = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX2_Usable,-EVEX:glibc.pthread.rseq=0"


@dataclass
class Target:
    """What is debugged, and how it is started."""

    executable: Path
    arguments: Sequence[str]
    stdin: Path | None
    info: DebugInfo
    gdb: str
    log: Callable[[str], None] | None


@dataclass
class Process:
    """A live process: its memory, tracker and code."""

    pid: int
    memory: Memory
    tracker: Tracker | None
    tracker_address: int
    code: CodeIndex
    bias: int


def gdb_command(target: Target) -> list[str]:
    """The command line that starts gdb."""
    return [target.gdb, *LAUNCH, "--args", str(target.executable), *target.arguments]


def gdb_environment() -> dict[str, str]:
    """What gdb is started with.  Raises ToolMissingError without gcc."""
    preloaded = [str(regset_library()), *filter(None, [os.environ.get("LD_PRELOAD")])]
    # gdb starts the program through this shell.
    return {**os.environ, "SHELL": "/bin/sh", "LD_PRELOAD": ":".join(preloaded)}


def environment_settings(target: Target) -> list[str]:
    """gdb commands for what only the program gets, not the shell that splits its arguments."""
    given = os.environ.get("LD_PRELOAD")
    preloaded = [str(tracker_library()), *filter(None, [given])]
    variables = [
        f"LD_PRELOAD={':'.join(preloaded)}",
        "LD_BIND_NOW=1",
        f"GLIBC_TUNABLES={_TUNABLES}",
    ]
    if target.stdin is not None:
        variables.append(f"WOLVERINE_STDIN={target.stdin.resolve()}")
    settings = [f"set exec-wrapper env {' '.join(map(shlex.quote, variables))}"]
    shell = os.environ.get("SHELL")
    settings.append(f"set environment SHELL {shell}" if shell else "unset environment SHELL")
    settings.append(f"set environment LD_PRELOAD {given}" if given else "unset environment LD_PRELOAD")
    settings += ["unset environment LINES", "unset environment COLUMNS"]
    return settings


def attach(target: Target, pid: int, header: int | None) -> Process:
    """What is known of a process; `header` is the address of the tracker's header, None without one."""
    memory = Memory(pid)
    bias = _bias(target.info, pid)
    code = CodeIndex()
    code.add(Module(target.info, bias))
    return Process(
        pid, memory, Tracker(memory, header) if header is not None else None, header or 0, code, bias
    )


def _bias(info: DebugInfo, pid: int) -> int:
    if not info.relocatable:
        return 0
    data = Path(f"/proc/{pid}/auxv").read_bytes()
    for at in range(0, len(data) - 15, 16):
        if int.from_bytes(data[at : at + 8], "little") == 3:  # AT_PHDR
            return int.from_bytes(data[at + 8 : at + 16], "little") - info.entry_header
    return 0
