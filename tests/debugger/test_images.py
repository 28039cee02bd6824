from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from wolverine.errors import DebuggerError, DebuggerLostError

LIST = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
static int made;
struct node *head;
static void push(int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = head;
    head = n;
    made++;
}
static int deep(int n) { char big[256]; big[0] = (char)n; return deep(n + 1) + big[0]; }
int main(int argc, char **argv)
{
    int i, mode = 0;
    for (i = 0; i < 5; i++)
        push(i);
    printf("pushed %d\\n", made);  /* here */
    if (mode == 1) { int *p = NULL; *p = 1; }
    if (mode == 2) abort();
    if (mode == 3) deep(0);
    if (mode == 4) for (;;) made++;
    if (mode == 5) exit(7);
    if (mode == 6) { free(head); free(head); }
    if (mode == 7) { char *big = malloc(50 << 20); memset(big, 1, 50 << 20); }
    if (mode == 8) kill(getpid(), 9);
    puts("end");
    return 3;
}
"""
LIST = LIST.replace("#include <string.h>", "#include <string.h>\n#include <signal.h>\n#include <unistd.h>")


def writable(pid: int, rsp: int) -> dict[int, bytes]:
    """Every byte of the private writable mappings that has ever been touched, read independently."""
    found = {}
    with (
        Path(f"/proc/{pid}/maps").open() as maps,
        Path(f"/proc/{pid}/mem").open("rb", 0) as memory,
        Path(f"/proc/{pid}/pagemap").open("rb", 0) as pagemap,
    ):
        for line in maps:
            span, flags, *_ = line.split()
            low, high = (int(part, 16) for part in span.split("-"))
            if flags[1] != "w" or flags[3] != "p" or flags[2] == "x":
                continue
            high = min(high, low + (64 << 20)) if high - low > 1 << 30 else high
            if low <= rsp < high:
                low = (rsp - 128) & -4096
            pagemap.seek(low // 4096 * 8)
            words = pagemap.read((high - low) // 4096 * 8)
            for index in range((high - low) // 4096):
                if words[index * 8 + 7] & 0xC0:
                    memory.seek(low + index * 4096)
                    page = memory.read(4096)
                    if any(page):
                        found[low + index * 4096] = page
    return found


def state(bench):
    return writable(bench.debugger.pid, bench.debugger._execution.registers()["rsp"])


@pytest.mark.parametrize(
    "mode, reason, signal_name",
    [
        (0, "exited", ""),
        (1, "signal", "SIGSEGV"),
        (2, "signal", "SIGABRT"),
        (3, "signal", "SIGSEGV"),
        (4, "budget", ""),
        (5, "exited", ""),
        (6, "signal", "SIGABRT"),
        (7, "exited", ""),
        (8, "killed", "SIGKILL"),
    ],
)
def test_every_byte_comes_back_whatever_happened(bench, mode, reason, signal_name):
    b = bench(LIST)
    b.until("/* here */")
    before = state(b)
    frames = b.debugger.snapshot().frames
    graph = b.debugger.snapshot().graph
    image = b.debugger.take_image()
    arena, end = (  # of the tracker, see its header
        int(b.debugger.console(f"output/d ((unsigned long *)&__wolverine_header)[{field}]"))
        for field in (1, 3)
    )
    for _ in range(2):
        b.debugger.console(f"set var mode = {mode}")
        stop = b.debugger.resume("continue", budget=0.3 if mode == 4 else 30.0)
        assert (stop.reason, stop.signal) == (reason, signal_name)
        if mode in (0, 5, 7):
            assert stop.code == (7 if mode == 5 else 3)
            assert not stop.alive
        back = b.debugger.restore(image)
        assert back.frames == frames
        after = state(b)
        assert {a for a in before.keys() | after.keys() if before.get(a) != after.get(a)} <= {
            a for a in after if a not in before and arena <= a < end + (end - arena)
        }
        assert b.debugger.snapshot().graph == graph
    assert b.debugger.resume("next").frames[0].line == b.line("mode == 1")
    assert b.debugger.resume("continue").code == 3
    assert b.output.endswith(b"end\n")


def test_images_in_any_order(bench):
    b = bench(LIST)
    b.debugger.start()
    images, graphs = [], []
    for _ in range(12):
        b.debugger.resume("next")
        images.append(b.debugger.take_image())
        graphs.append(b.debugger.snapshot().graph)
    for index in (11, 0, 7, 3, 3, 10, 1):
        b.debugger.restore(images[index])
        assert b.debugger.snapshot().graph == graphs[index]
    shared = sum(images[11].pages[a] is images[10].pages.get(a) for a in images[11].pages)
    assert shared > len(images[11].pages) - 8


def test_a_breakpoint_at_the_restored_place_is_not_hit_at_once(bench):
    b = bench(LIST)
    stop = b.until("n->data = data;")
    image = b.debugger.take_image()
    b.debugger.resume("continue")
    again = b.debugger.restore(image)
    assert again.frames == stop.frames
    following = b.debugger.resume("next")
    assert (following.reason, following.frames[0].line) == ("step", b.line("n->next = head;"))


def test_into_a_new_gdb(bench):
    b = bench(LIST)
    b.until("/* here */")
    graph = b.debugger.snapshot().graph
    image = b.debugger.take_image()
    os.kill(b.debugger._execution.gdb.pid, signal.SIGKILL)
    with pytest.raises(DebuggerLostError):
        b.debugger.console("info registers")
    b.debugger.relaunch()
    b.debugger.restore(image)
    assert b.debugger.snapshot().graph == graph
    assert b.debugger.resume("continue").code == 3
    assert b.output.endswith(b"pushed 5\nend\n")


def test_breakpoints_outlive_gdb(bench):
    b = bench(LIST)
    b.debugger.start()
    b.debugger.console("break push if data == 2")
    b.debugger.console("break deep")
    b.debugger.console("disable 2")
    b.debugger.console("watch made")
    b.debugger.console("delete 3")
    image = b.debugger.take_image()
    os.kill(b.debugger._execution.gdb.pid, signal.SIGKILL)
    b.debugger.relaunch()
    b.debugger.restore(image)
    table = b.debugger.console("info breakpoints")
    assert "stop only if data == 2" in table and "watchpoint" not in table
    assert b.debugger.resume("continue").reason == "breakpoint"
    assert b.value("data", "push") == 2


def test_gdb_killed_while_the_program_runs(bench):
    b = bench(LIST)
    b.until("/* here */")
    image = b.debugger.take_image()
    b.debugger.console("set var mode = 4")
    seen = []

    def kill(message: str) -> None:
        if "*running" in message and not seen:
            seen.append(message)
            os.kill(b.debugger._execution.gdb.pid, signal.SIGKILL)

    b.debugger._execution.gdb._log = kill
    assert b.debugger.resume("continue").reason == "lost"
    b.debugger.relaunch()
    b.debugger.restore(image)
    assert b.value("made") == 5


def test_the_place_in_a_file_comes_back(bench, tmp_path):
    data = tmp_path / "data.txt"
    data.write_text("one\ntwo\nthree\n")
    b = bench(
        f"""
        #include <stdio.h>
        int main(void)
        {{
            char line[4096];
            FILE *in = fopen("{data}", "r");
            setvbuf(in, NULL, _IONBF, 0);
            fgets(line, 100, in);
            printf("%s", line); /* here */
            fgets(line, 100, in);
            printf("%s", line);
            fclose(in);
            return 0;
        }}
        """
    )
    b.until("/* here */")
    image = b.debugger.take_image()
    assert b.debugger.resume("continue").code == 0
    b.debugger.restore(image)
    assert b.debugger.resume("continue").code == 0
    assert b.output == b"one\ntwo\n" * 2


def test_a_mapping_that_was_removed_is_made_again(bench):
    b = bench(
        """
        #include <sys/mman.h>
        #include <unistd.h>
        int main(void)
        {
            char *extra = 0;
            char *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            p[5000] = 42;
            sbrk(4096); /* here */
            munmap(p, 8192);
            extra = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return extra[0]; /* there */
        }
        """
    )
    b.until("/* here */")
    image = b.debugger.take_image()
    b.debugger.resume(f"until {b.line('/* there */')}")
    b.debugger.restore(image)
    assert b.debugger.console("print p[5000]").strip().endswith("42 '*'")
    assert b.debugger.resume("continue").code == 0


def test_nothing_runs_after_the_end(bench):
    b = bench(LIST)
    b.debugger.start()
    assert b.debugger.resume("continue").reason == "exited"
    with pytest.raises(DebuggerError, match="not running"):
        b.debugger.resume("next")
    with pytest.raises(DebuggerError, match="not running"):
        b.debugger.snapshot()
    assert b.debugger.start().frames[0].function == "main"
