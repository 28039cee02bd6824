"""What an image brings back beside memory: vector registers, rounding, places in files; in place and anew."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wolverine.errors import DebuggerLostError


def in_place(bench: Any) -> None:
    """The process has run on; it is still there."""


def process_killed(bench: Any) -> None:
    os.kill(bench.debugger.pid, signal.SIGKILL)


def gdb_killed(bench: Any) -> None:
    os.kill(bench.debugger._execution.gdb.pid, signal.SIGKILL)
    with pytest.raises(DebuggerLostError):
        bench.debugger.console("info registers")
    bench.debugger.relaunch()


AGAIN = pytest.mark.parametrize("again", [in_place, process_killed, gdb_killed])


def vectors(move: str, name: str, size: int) -> str:
    numbers = range(16)
    load = "".join(f'"{move} {32 * n}(%0), %%{name}{n}\\n"' for n in numbers)
    store = "".join(f'"{move} %%{name}{n}, {32 * n}(%1)\\n"' for n in numbers)
    clobbered = ", ".join(f'"xmm{n}"' for n in numbers)
    return f"""
    #include <string.h>
    static unsigned char in[512], out[512];
    static volatile int go;
    int main(void)
    {{
        int same = 0;
        for (int i = 0; i < 512; i++) in[i] = (unsigned char)(i * 7 + i / 256 * 3 + 1);
        asm volatile ({load} "1: cmpl $0, %2\\n" "je 1b\\n" {store}
            :: "r"(in), "r"(out), "m"(go) : {clobbered}, "memory");
        for (int n = 0; n < 16; n++) same += memcmp(in + 32 * n, out + 32 * n, {size}) == 0;
        memset(in, 0, 512);
        return same;
    }}
    """


def wide() -> list[tuple[str, str, int]]:
    known = " avx2 " in Path("/proc/cpuinfo").read_text()
    return [("movdqu", "xmm", 16), *([("vmovdqu", "ymm", 32)] if known else [])]


@AGAIN
@pytest.mark.parametrize(("move", "name", "size"), wide())
def test_vector_registers_in_the_middle_of_a_statement(
    bench: Callable[..., Any], again: Callable[[Any], None], move: str, name: str, size: int
) -> None:
    b = bench(vectors(move, name, size))
    b.until("asm volatile")
    stop = b.debugger.resume("continue", budget=0.3)
    assert stop.reason == "budget"
    image = b.debugger.take_image()
    held = b.debugger._execution.registers(vector=True)
    vector = [value for key, value in held.items() if key.startswith(("xmm", "ymm"))]
    assert len(set(vector)) == 16
    for _ in range(2):
        b.debugger.console("set var go = 1")
        b.debugger.console(f"tbreak {b.line('memset(in')}")
        b.debugger.resume("continue")
        b.debugger.resume("next")
        b.debugger.console("set $xmm3.v2_int64[0] = 99")
        again(b)
        assert b.debugger.restore(image).frames == stop.frames
        now = b.debugger._execution.registers(vector=True)
        assert {**now, "orig_rax": 0} == {**held, "orig_rax": 0}
    b.debugger.console("set var go = 1")
    assert b.debugger.resume("continue").code == 16


@AGAIN
def test_the_mode_of_rounding(bench: Callable[..., Any], again: Callable[[Any], None]) -> None:
    b = bench(
        """
        #include <fenv.h>
        #include <stdio.h>
        int main(void)
        {
            volatile double third = 1, three = 3;
            volatile long double long_third = 1, long_three = 3;
            fesetround(FE_UPWARD);
            printf("%a %La\\n", third / three, long_third / long_three); /* here */
            fesetround(FE_DOWNWARD);
            printf("%a %La\\n", third / three, long_third / long_three);
            return 0;
        }
        """,
        "-lm",
    )
    b.until("/* here */")
    image = b.debugger.take_image()
    assert b.debugger.resume("continue").code == 0
    first = b.output
    assert len(set(first.splitlines())) == 2
    again(b)
    b.debugger.restore(image)
    assert b.debugger.resume("continue").code == 0
    assert b.output == first * 2


@AGAIN
def test_places_in_files_and_their_descriptors(
    bench: Callable[..., Any], again: Callable[[Any], None], tmp_path: Path
) -> None:
    (tmp_path / "read.txt").write_text("0123456789" * 10)
    b = bench(
        f"""
        #include <fcntl.h>
        #include <stdio.h>
        #include <unistd.h>
        int main(void)
        {{
            char some[8] = "";
            int first = open("{tmp_path}/read.txt", O_RDONLY), second = open("{tmp_path}/read.txt", O_RDONLY);
            int third = dup2(second, 17), written = open("{tmp_path}/written.txt", O_RDWR | O_CREAT, 0600);
            read(first, some, 3);
            read(third, some, 5);
            write(written, "abc", 3);
            lseek(written, 1, SEEK_SET); /* here */
            read(first, some, 7);
            close(second);
            close(written);
            lseek(third, 50, SEEK_SET);
            close(third);
            open("{tmp_path}/read.txt", O_RDONLY);
            return 0;
        }}
        """
    )
    b.until("/* here */")
    b.debugger.resume("next")
    image = b.debugger.take_image()
    before = b.debugger._execution.process.memory.pid, places(b.debugger.pid)
    assert [place for _, place in before[1].values()].count(5) == 2
    b.debugger.console(f"tbreak {b.line('return 0')}")
    b.debugger.resume("continue")
    assert places(b.debugger.pid) != before[1]
    again(b)
    b.debugger.restore(image)
    assert places(b.debugger.pid) == before[1]
    assert b.debugger.resume("continue").code == 0


def places(pid: int) -> dict[str, tuple[str, int]]:
    """What the descriptors of a process lead to, and where in it."""
    found = {}
    for each in Path(f"/proc/{pid}/fd").iterdir():
        if not each.readlink().is_char_device():
            place = Path(f"/proc/{pid}/fdinfo/{each.name}").read_text().split()[1]
            found[each.name] = (str(each.readlink()), int(place))
    return found
