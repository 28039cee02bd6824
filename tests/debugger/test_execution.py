from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from wolverine.core.graph import NodeId
from wolverine.debugger import Debugger, compile_program
from wolverine.errors import DebuggerError, SourceError, ToolMissingError

LOOP = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int square(int x)
{
    int r = x * x;
    return r;
}
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b; /* compare */
}
int depth;
static int down(int n)
{
    depth = n;
    return down(n + 1) + 1;
}
int main(void)
{
    int i, sum = 0, mode = 0;
    int a[4] = { 3, 1, 2, 0 };
    char line[80];
    for (i = 0; i < 3; i++) {
        sum += square(i);
        printf("i=%d ", i);
        printf("sum=%d\\n", sum);
    }
    qsort(a, 4, sizeof a[0], compare); /* sort */
    if (mode == 1) while (1) sum++;
    if (mode == 2) for (;;) puts("much output, again and again");
    if (mode == 3) while (fgets(line, sizeof line, stdin)) printf("<%s>", line);
    if (mode == 4) { char *p = NULL; sum = strlen(p); } /* strlen */
    if (mode == 5) down(0);
    if (mode == 6) { int *p = malloc(8); free(p + 1); } /* inside */
    if (mode == 7) { char *p = strdup("x"); free(p); free(p); } /* twice */
    if (mode == 8) { close(1); close(0); puts("nobody hears"); }
    return sum; /* end */
}
"""


def here(stop):
    return stop.frames[0].function, stop.frames[0].line


def test_statement_by_statement(bench):
    b = bench(LOOP)
    stop = b.debugger.start()
    assert (stop.reason, here(stop)) == ("location", ("main", b.line("sum = 0, mode")))
    lines = []
    for command in ["next"] * 4 + ["step", "next", "next 2"]:
        stop = b.debugger.resume(command)
        lines.append((stop.reason, *here(stop)))
    at = {name: b.line(name) for name in ("int a[4]", "for (i", "sum += ", '"i=', '"sum=')}
    assert lines == [
        ("step", "main", at["int a[4]"]),
        ("step", "main", at["for (i"]),
        ("step", "main", at["sum += "]),
        ("step", "main", at['"i=']),
        ("step", "main", at['"sum=']),
        ("step", "main", at["for (i"]),
        ("step", "main", at['"i=']),
    ]
    with pytest.raises(DebuggerError, match="outermost frame"):
        b.debugger.resume("finish")


def test_into_a_function_and_out(bench):
    b = bench(LOOP)
    b.until("sum += square(i);")
    b.debugger.resume("continue")
    stop = b.debugger.resume("step")
    assert [(f.depth, f.function) for f in stop.frames] == [(1, "square"), (0, "main")]
    assert stop.frames[1].line == b.line("sum += ")
    stop = b.debugger.resume("finish")
    assert (stop.reason, stop.text) == ("finish", "Value returned is $1 = 1")
    assert b.value("i") == 1
    b.debugger.resume("continue")
    assert b.value("i") == 2
    assert b.debugger.resume("continue 2").reason == "exited"


def test_output_comes_before_the_stop_that_follows_it(bench):
    b = bench(LOOP)
    b.until('printf("sum=')
    assert b.output == b""  # the terminal is line buffered, as in a shell
    b.debugger.resume("next")
    assert b.output == b"i=0 sum=0\n"
    b.debugger.resume("continue")
    b.debugger.resume("next")
    assert b.output == b"i=0 sum=0\ni=1 sum=1\n"
    b.debugger.console("delete")
    stop = b.debugger.resume("continue")
    assert (stop.reason, stop.code, stop.alive) == ("exited", 5, False)
    assert b.output == b"i=0 sum=0\ni=1 sum=1\ni=2 sum=5\n"


def test_library_frames_are_passed_over_in_the_count(bench):
    b = bench(LOOP)
    stop = b.until("/* compare */")
    assert [(f.depth, f.function) for f in stop.frames] == [(1, "compare"), (0, "main")]
    assert stop.frames[1].line == b.line("/* sort */")
    assert not stop.foreign


def test_a_run_without_end_is_ended_by_the_budget(bench):
    b = bench("int main(void)\n{\n    volatile int i = 1;\n    while (i)\n        ;\n    return 0;\n}\n")
    seen = []
    stop = b.debugger.run(at_main=seen.append, budget=0.2)
    assert len(seen) == 1
    assert (stop.reason, here(stop)) == ("budget", ("main", b.line("while (i)")))


def test_time_in_which_a_run_waits_for_input_counts_for_nothing(bench, monkeypatch):
    b = bench("#include <stdio.h>\nint main(void)\n{\n    int c = getchar();\n    return c == 'x';\n}\n")
    execution = b.debugger._execution
    reads = execution._reads

    def answer() -> bool:
        found = reads()
        if found:
            execution.terminal.type(b"x\n")
        return found

    monkeypatch.setattr(execution, "_reads", answer)
    stop = b.debugger.run(budget=0.2)
    assert (stop.reason, stop.code) == ("exited", 1)


def test_a_budget_ends_an_endless_loop(bench):
    b = bench(LOOP)
    b.until("mode == 1")
    b.debugger.console("set var mode = 1")
    stop = b.debugger.resume("next", budget=0.2)
    assert (stop.reason, here(stop)) == ("budget", ("main", b.line("mode == 1")))
    b.debugger.console("set var mode = 0")
    b.debugger.set_pc(next(r.address for r in b.debugger.rows("main") if r.line == b.line("mode == 2")))
    assert here(b.debugger.resume("next"))[1] == b.line("mode == 3")


@pytest.mark.parametrize("mode", [1, 2])
def test_interrupt_from_another_thread(bench, mode):
    b = bench(LOOP)
    b.until("mode == 1")
    b.debugger.console(f"set var mode = {mode}")
    b.debugger.console("delete")
    running = threading.Event()
    b.debugger._execution.gdb._log = lambda text: running.set() if "*running" in text else None

    def press() -> None:
        assert running.wait(10)
        b.debugger.interrupt()

    thread = threading.Thread(target=press)
    thread.start()
    stop = b.debugger.resume("continue")
    thread.join()
    assert stop.reason == "interrupt"
    assert stop.frames[-1].function == "main"
    b.debugger.interrupt()  # nothing runs: nothing happens
    stop = b.debugger.resume("stepi")
    assert stop.reason == "step"


def test_interrupt_of_a_call_made_by_gdb(bench):
    b = bench("int forever(void) { for (;;) ; }\nint main(void)\n{\n    int x = 1;\n    return x;\n}\n")
    b.debugger.start()
    running = threading.Event()
    b.debugger._execution.gdb._log = lambda text: running.set() if "forever" in text else None
    threading.Thread(target=lambda: (running.wait(10), b.debugger.interrupt())).start()
    with pytest.raises(DebuggerError, match="the call was interrupted in forever"):
        b.debugger.console("print forever()")
    assert here(b.debugger.resume("next")) == ("main", 5)
    assert here(b.debugger.resume("next")) == ("main", 6)
    # Stepping out of main runs to the end; there is nothing to see in between.
    assert b.debugger.resume("next").reason == "exited"


def test_input(bench):
    b = bench(LOOP)
    b.until("mode == 1")
    b.debugger.console("set var mode = 3")
    b.debugger.console("delete")
    image = b.debugger.take_image()
    b.debugger.send_input(b"one\ntwo\n\x04")
    for times in (1, 2):
        assert b.debugger.resume("continue").reason == "exited"
        assert b.output.count(b"<one\n><two\n>") == times
        b.debugger.repeat_from(image)


def test_input_from_a_file_and_in_batch(bench, tmp_path):
    given = tmp_path / "given.txt"
    given.write_text("from the file\n")
    for options, expected in (({"stdin": given}, b"<from the file\n>"), ({"batch": True}, b"sum=5\n")):
        b = bench(LOOP, **options)
        b.until("mode == 1")
        b.debugger.console("set var mode = 3")
        b.debugger.console("delete")
        image = b.debugger.take_image()
        for _ in range(2):
            assert b.debugger.resume("continue").reason == "exited"
            assert b.output.endswith(expected)
            b.debugger.restore(image)


@pytest.mark.parametrize(
    "mode, name, text, marker",
    [
        (4, "SIGSEGV", "Segmentation fault at address 0x0", "/* strlen */"),
        (5, "SIGSEGV", "the stack is full (recursion without end?)", "return down(n + 1)"),
        (6, "SIGABRT", "free of an address inside n1", "/* inside */"),
        (7, "SIGABRT", "double free of n1", "/* twice */"),
    ],
)
def test_faults(bench, mode, name, text, marker):
    b = bench(LOOP)
    b.until("mode == 1")
    b.debugger.console(f"set var mode = {mode}")
    b.debugger.console("delete")
    stop = b.debugger.resume("continue")
    assert (stop.reason, stop.signal, stop.text) == ("signal", name, text)
    assert stop.alive
    assert stop.foreign == (mode != 5)
    assert stop.frames[0].line in (b.line(marker), b.line(marker) - 1, b.line("static int down") + 1)
    snapshot = b.debugger.snapshot()
    assert snapshot.frames == stop.frames
    if mode == 5:
        assert len(stop.frames) == 65
        assert stop.frames[0].depth - stop.frames[63].depth == 63
        assert (stop.frames[64].depth, stop.frames[64].function) == (0, "main")
        assert abs(stop.frames[0].depth - 1 - b.value("depth")) <= 1
    # The way out: the pc of the program's own frame is set, the signal is dropped.
    if mode != 5:
        b.debugger.set_pc(next(r.address for r in b.debugger.rows("main") if r.line == b.line("/* end */")))
        stop = b.debugger.stop_info()
        assert (here(stop), stop.foreign) == (("main", b.line("/* end */")), False)
        assert b.value("mode") == mode
        assert b.debugger.resume("continue").reason == "exited"


def test_closed_streams(bench):
    b = bench(LOOP)
    b.until("mode == 1")
    b.debugger.console("set var mode = 8")
    b.debugger.console("delete")
    assert b.debugger.resume("continue").code == 5
    assert b.output.endswith(b"sum=5\n")


def test_run_to_counts_hits_and_passes_breakpoints(bench):
    b = bench(LOOP)
    b.debugger.start()
    b.debugger.console("break square")
    address = next(r.address for r in b.debugger.rows("main") if r.line == b.line('"sum='))
    stop = b.debugger.run_to(address, hits=3)
    assert (stop.reason, b.value("i")) == ("location", 2)
    stop = b.debugger.run_to(address, hits=1)
    assert stop.reason == "exited"
    stop = b.debugger.run()
    assert (stop.reason, stop.breakpoint, here(stop)[0]) == ("breakpoint", 1, "square")


def test_run_to_in_one_activation(bench):
    b = bench(
        """
        int f(int n) {
            int r = 0;
            if (n > 0) r = f(n - 1);
            return r + n; /* last */
        }
        int main(void) { int x = f(3); return x; }
        """
    )
    b.debugger.start()
    address = next(r.address for r in b.debugger.rows("f") if r.line == b.line("/* last */"))
    stop = b.debugger.run_to(address, thread_frame_depth=2)
    assert (stop.reason, stop.frames[0].depth, b.value("n", "f")) == ("location", 2, 2)


def test_each_watchpoint_that_ends_with_its_frame_is_told(bench):
    b = bench(
        """
        static int f(int n) {
            int twice = n;
            twice += n; /* here */
            return twice;
        }
        int main(void) { int x = f(3); return x; }
        """
    )
    b.debugger.start()
    b.debugger.console(f"break {b.line('/* here */')}")
    b.debugger.resume("continue")
    first = b.debugger.console("watch n").split(":")[0].split()[-1]
    second = b.debugger.console("watch twice").split(":")[0].split()[-1]
    assert b.debugger.resume("continue").reason == "watchpoint"
    stop = b.debugger.resume("continue")
    assert stop.text.splitlines() == [
        f"watchpoint {number} is deleted: its frame has been left" for number in (first, second)
    ]


def test_watchpoint(bench):
    b = bench(LOOP)
    b.debugger.start()
    b.debugger.resume("next 2")
    b.debugger.console("watch sum")
    stop = b.debugger.resume("continue")
    assert stop.reason == "watchpoint"
    assert "Old value = 0" in stop.text and "New value = 1" in stop.text


def test_gdb_commands_pass_through(bench):
    b = bench(LOOP)
    b.debugger.start()
    assert b.debugger.console("print 6 * 7") == "$1 = 42\n"
    assert b.debugger.last_stop is None
    assert "square" in b.debugger.console("info line square")
    b.debugger.console("define twostep\nnext\nnext\nend")
    b.debugger.console("twostep")
    assert b.debugger.last_stop is not None
    assert b.debugger.last_stop.frames[0].line == b.line("for (i")
    b.debugger.console(f"tbreak {b.line('/* end */')}")
    b.debugger.console(f"jump {b.line('/* sort */')}")
    assert b.debugger.last_stop.reason == "breakpoint"
    with pytest.raises(DebuggerError, match="No symbol"):
        b.debugger.console("print no_such_thing")
    assert b.debugger.console('echo "a\\nb"') == '"a\nb"'
    assert b.debugger.complete("info breakp") == ["info breakpoints"]
    b.debugger.console("kill")
    assert b.debugger.pid is None
    with pytest.raises(DebuggerError, match="not running"):
        b.debugger.resume("next")


def test_the_program_sees_its_own_environment_and_arguments(bench, tmp_path):
    b = bench(
        """
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv)
        {
            int i;
            for (i = 1; i < argc; i++) printf("[%s]", argv[i]);
            printf("%d%d%d\\n", !getenv("LD_PRELOAD"), !getenv("LD_BIND_NOW"), !getenv("WOLVERINE_STDIN"));
            return 0;
        }
        """,
        arguments=["a b", "$HOME", "*"],
        batch=True,
    )
    assert b.debugger.run().code == 0
    assert b.output == b"[a b][$HOME][*]111\n"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_the_state_does_not_tell_the_processor(bench):
    b = bench(
        """
        #include <sched.h>
        int main(void)
        {
            for (;;)
                sched_yield();
        }
        """
    )
    b.debugger.start()
    b.debugger.console("break 5")
    images = []
    for processor in sorted(os.sched_getaffinity(0))[:2]:
        os.sched_setaffinity(b.debugger.pid, {processor})
        for _ in range(2):
            assert b.debugger.resume("continue").reason == "breakpoint"
        images.append(b.debugger.take_image())
    assert images[0].there(images[1])


def test_what_calls_left_behind_is_no_part_of_where_it_is(bench):
    """As `fstat` does, which tells when a file was last read; what lives on the stack is a part of it."""
    b = bench(
        """
        #include <string.h>
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>
        static void work(char *given, long *first)
        {
            struct timespec now;
            syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
            if (*first == 0)
                *first = now.tv_nsec;
            given[0] = 0;
        }
        static void call(long *first)
        {
            char between[512];
            work(between, first);
            memset(between, 0, sizeof between);
        }
        int main(void)
        {
            long first = 0;
            for (;;)
                call(&first);
        }
        """
    )
    b.debugger.start()
    b.debugger.console("break 23")
    images = []
    for _ in range(3):
        assert b.debugger.resume("continue").reason == "breakpoint"
        images.append(b.debugger.take_image())
    assert not images[0].there(images[1])
    assert images[1].there(images[2])
    assert images[1].pages != images[2].pages


def test_an_exit_that_cannot_be_held(bench):
    b = bench(
        """
        #include <unistd.h>
        #include <sys/syscall.h>
        int main(void) { int x = 0; syscall(SYS_exit_group, 4); return x; }
        """
    )
    b.debugger.start()
    image = b.debugger.take_image()
    stop = b.debugger.resume("continue")
    assert (stop.reason, stop.code) == ("exited", 4)
    assert b.debugger.pid is None
    assert b.debugger.restore(image).frames[0].function == "main"
    assert b.debugger.resume("continue").code == 4


def test_what_cannot_be_debugged(tmp_path):
    source = tmp_path / "p.c"
    source.write_text("int main(void) { return 0 }\n")
    with pytest.raises(SourceError, match=r"p\.c:1:\d+: error: expected .;."):
        compile_program([source], [], tmp_path / "p")
    source.write_text("int main(void) { return 0; }\n")
    with pytest.raises(ToolMissingError, match="no-such-gcc"):
        compile_program([source], [], tmp_path / "p", gcc="no-such-gcc")
    compile_program([source], ["-g0"], tmp_path / "with")
    import subprocess

    subprocess.run(["gcc", "-o", tmp_path / "without", source], check=True)
    with pytest.raises(SourceError, match="no debug information"):
        Debugger(tmp_path / "without", on_output=lambda data: None)
    with pytest.raises(ToolMissingError, match="no-such-gdb"):
        Debugger(tmp_path / "with", on_output=lambda data: None, gdb="no-such-gdb")
    with pytest.raises(SourceError):
        Debugger(source, on_output=lambda data: None)
    with pytest.raises(SourceError):
        Debugger(Path("/nonexistent/program"), on_output=lambda data: None)


def test_quarantine(bench):
    b = bench(
        """
        #include <stdlib.h>
        int main(void)
        {
            int i, *p = malloc(8), *q = malloc(8), *r;
            *p = 7;
            free(p);
            r = malloc(8); /* after */
            for (i = 0; i < 200000; i++) free(malloc(100));
            free(q); /* last */
            return r == p;
        }
        """
    )
    b.until("/* after */")
    graph = b.debugger.snapshot().graph
    assert graph.nodes[NodeId(1)].state == "freed"
    assert graph.nodes[NodeId(1)].freed.line == b.line("free(p);")
    assert b.debugger.snapshot().graph.cells[NodeId(1), 0] == 7
    b.debugger.set_state(NodeId(1), "live")
    b.debugger.set_state(NodeId(2), "freed")
    states = {n.number: node.state for n, node in b.debugger.snapshot().graph.nodes.items()}
    assert states == {1: "live", 2: "freed"}
    b.debugger.set_state(NodeId(2), "live")
    b.debugger.console(f"tbreak {b.line('/* last */')}")
    b.debugger.resume("continue")
    # Very many freed blocks: the oldest are forgotten, the rest keep their numbers.
    nodes = b.debugger.snapshot().graph.nodes
    assert {NodeId(1), NodeId(2), NodeId(3), NodeId(200003)} <= nodes.keys()
    assert len(nodes) < 70000
    assert b.debugger.resume("continue").code == 0


def test_children_and_commands(bench):
    b = bench(
        """
        #include <stdio.h>
        #include <stdlib.h>
        #include <unistd.h>
        #include <sys/wait.h>
        int main(void)
        {
            int status = 0;
            fflush(stdout);
            if (fork() == 0)
                _exit(3);
            wait(&status);
            system("echo from a shell");
            return WEXITSTATUS(status); /* here */
        }
        """
    )
    stop = b.until("/* here */")
    assert stop.frames[0].function == "main"
    assert b.output == b"from a shell\n"
    assert b.debugger.resume("continue").code == 3


def test_nothing_is_left_behind(bench):
    b = bench(LOOP)
    b.debugger.start()
    pid, gdb = b.debugger.pid, b.debugger._execution.gdb.pid
    b.debugger.close()
    assert not Path(f"/proc/{gdb}").exists()
    for _ in range(1000):
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or " Z " in status.read_text():
            break
    else:
        raise AssertionError("the program still runs")


def test_gdb_checkpoints(bench):
    b = bench(LOOP)
    b.debugger.start()
    b.debugger.console("checkpoint")
    b.debugger.resume("next 4")
    before = b.debugger.pid
    b.debugger.console("restart 1")
    assert b.debugger.pid != before
    assert b.debugger.stop_info().frames[0].line == b.line("sum = 0, mode")
    assert b.debugger.snapshot().frames[0].line == b.line("sum = 0, mode")
