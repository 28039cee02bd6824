"""MI commands inside gdb: the stack and the registers, each in one round trip.

-wolverine-stack LIMIT    -> stack="PC:CFA:HAS_DEBUG ..." innermost first, at most LIMIT frames, then
                             count="frames left out", and the outermost frame as the last entry;
                             sp is the stack pointer
-wolverine-selected       -> cfa="CFA" of the frame that `up`, `down` and `frame` chose
-wolverine-unwound LEVEL  -> registers, as they are in an outer frame
-wolverine-registers [vector]   -> registers="NAME=HEX ...", the vector registers too when asked for
-wolverine-set-registers NAME=HEX ...   (also forgets what gdb has cached of the process)
"""

import re
import struct
from itertools import islice
from pathlib import Path

import gdb

_STACK = re.compile(r"stack=(0x[0-9a-f]+)")
_GENERAL = (
    *("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13"),
    *("r14", "r15", "rip", "eflags", "fs_base", "gs_base", "orig_rax", "mxcsr", "fctrl"),
)
_MASK = (1 << 64) - 1


def _cfa(frame):
    """The canonical frame address, which gdb shows only in the frame's description."""
    match = _STACK.search(str(frame))
    if match:
        return int(match.group(1), 16)
    return (int(frame.read_register("rbp")) + 16) & _MASK


def _describe(frame):
    return f"{frame.pc():x}:{_cfa(frame):x}:{int(frame.function() is not None)}"


def _outwards(frame):
    """The frame and those further out, but for inlined ones: these have no memory of their own."""
    while frame is not None:
        if frame.type() != gdb.INLINE_FRAME:
            yield frame
        try:
            frame = frame.older()
        except gdb.error:
            return


class Stack(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-stack")

    def invoke(self, arguments):
        limit = int(arguments[0])
        try:
            innermost = gdb.newest_frame()
        except gdb.error:
            return {"stack": "", "count": 0, "sp": 0}
        pointer = int(innermost.read_register("rsp")) & _MASK
        found = []
        left = 0
        for frame in _outwards(innermost):
            if len(found) == limit:
                left, outermost = _walk(frame)
                found.extend(outermost)
                break
            found.append(_describe(frame))
        return {"stack": " ".join(found), "count": left, "sp": pointer}


def _walk(frame):
    """Count the frames from `frame` outwards over saved frame pointers; gdb's unwinder is too slow.

    Returns the number of frames that are not described, and the outermost frame's description.
    """
    memory = gdb.selected_inferior()
    rsp = int(frame.read_register("rsp")) & _MASK
    rbp = int(frame.read_register("rbp")) & _MASK
    size = 64 << 20
    data = b""
    with Path(f"/proc/{memory.pid}/maps").open() as maps:
        for line in maps:
            low, high = (int(part, 16) for part in line.split()[0].split("-"))
            if low <= rsp < high:
                size = min(high - rsp, size)
    with Path(f"/proc/{memory.pid}/mem").open("rb", 0) as file:
        file.seek(rsp)
        data = file.read(size)
    unpack = struct.Struct("<QQ").unpack_from
    frames = []
    function = {}
    address = frame.pc()
    while True:
        if address not in function:
            block = gdb.current_progspace().find_pc_line(max(address - 1, 0)).symtab is not None
            function[address] = block
        if not function[address]:
            break
        frames.append((address, rbp + 16))
        offset = rbp - rsp
        if not 0 <= offset <= len(data) - 16:
            break
        rbp, address = unpack(data, offset)
    if not frames:
        return 0, []
    pc, cfa = frames[-1]
    return len(frames) - 1, [f"{pc:x}:{cfa:x}:1"]


class Selected(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-selected")

    def invoke(self, arguments):
        try:
            return {"cfa": f"{_cfa(gdb.selected_frame()):x}"}
        except gdb.error:
            return {"cfa": "0"}


class Registers(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-registers")

    def invoke(self, arguments):
        frame = gdb.newest_frame()
        found = []
        for name in _GENERAL:
            try:
                found.append(f"{name}={int(frame.read_register(name)) & _MASK:x}")
            except (gdb.error, ValueError):
                continue
        if arguments:
            found.extend(_vectors(frame))
        return {"registers": " ".join(found)}


def _vectors(frame):
    """The registers as wide as the processor has them, up to 256 bits."""
    for kind, parts in (("ymm", 4), ("xmm", 2)):
        try:
            values = [frame.read_register(f"{kind}{number}") for number in range(16)]
        except (gdb.error, ValueError):
            continue
        for number, value in enumerate(values):
            words = (int(value[f"v{parts}_int64"][index]) & _MASK for index in range(parts))
            whole = sum(word << 64 * index for index, word in enumerate(words))
            yield f"{kind}{number}={whole:x}"
        return


class Unwound(gdb.MICommand):
    """-wolverine-unwound LEVEL -> the registers as the caller at that level will find them."""

    def __init__(self):
        super().__init__("-wolverine-unwound")

    def invoke(self, arguments):
        frame = next(islice(_outwards(gdb.newest_frame()), int(arguments[0]), None), None)
        if frame is None:
            raise gdb.GdbError(f"there is no frame at level {arguments[0]}")
        found = []
        for name in ("rbx", "rbp", "rsp", "r12", "r13", "r14", "r15", "rip"):
            found.append(f"{name}={int(frame.read_register(name)) & _MASK:x}")
        return {"registers": " ".join(found)}


def _same(frame, name, number):
    """Whether a register of the innermost frame holds the number already."""
    if name.startswith(("xmm", "ymm")):
        return False
    return int(frame.read_register(name)) & _MASK == number


class SetRegisters(gdb.MICommand):
    def __init__(self):
        super().__init__("-wolverine-set-registers")

    def invoke(self, arguments):
        gdb.execute("maint flush dcache", to_string=True)
        for each in arguments:
            name, value = each.split("=")
            number = int(value, 16)
            # Half-way the frame that is selected may be one that no longer exists.
            frame = gdb.newest_frame()
            frame.select()
            # Reading is much cheaper than writing; a pc that is written is noted by gdb in any case.
            if name != "rip" and _same(frame, name, number):
                continue
            if name.startswith(("xmm", "ymm")):
                parts = 2 if name[0] == "x" else 4
                words = ",".join(f"{number >> 64 * index & _MASK:#x}UL" for index in range(parts))
                gdb.execute(f"set ${name}.v{parts}_int64 = {{{words}}}")
            elif name in ("eflags", "mxcsr", "fctrl"):
                gdb.execute(f"set ${name} = {number:#x}")
            else:
                gdb.execute(f"set ${name} = (long){number:#x}")
        # Also forgets the address of the last stop: a breakpoint there is hit only when it is reached anew.
        gdb.execute("maint flush register-cache", to_string=True)
        gdb.newest_frame().select()
        return {}


Stack()
Selected()
Registers()
Unwound()
SetRegisters()
