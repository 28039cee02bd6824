from __future__ import annotations

import subprocess

import pytest

from wolverine.core.graph import NodeId, Pointer
from wolverine.debugger import Debugger
from wolverine.errors import DebuggerError, SourceError

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
static int total = 100;
int counted;
const char *title = "sum";
static const int table[3] = { 1, 10, 100 };
static int twice(int x)
{
    static int calls = 5;
    calls++;
    return x + x;
}
static inline int more(int x) { return x + table[0]; }
static inline int scaled(int x) { return more(twice(x) * table[1]); }
static int add(int x)
{
    static int calls = 1000;
    static int hidden;
    calls++;
    hidden += 2;
    total += twice(x); /* body */
    counted++;
    printf("%s %d %d %d\\n", title, total, calls, table[1]);
    return calls + hidden;
}
static int fact(int n)
{
    int rest;
    if (n <= 1)
        return 1;
    rest = fact(n - 1);
    return n + rest; /* product */
}
static int name(int day)
{
    switch (day) {
    case 0: return 7;
    case 1: return 8;
    case 2: return 9;
    case 3: return 10;
    case 4: return 11;
    case 5: return 12;
    default: return 0; /* none */
    }
}
static void nothing(void) { }
int main(void)
{
    int i, sum = 0;
    struct node *n = malloc(sizeof *n);
    n->data = 1;
    for (i = 0; i < 3; i++)
        sum += add(i); /* call */
    sum = fact(5); /* fact */
    sum = name(3); /* name */
    nothing();
    free(n);
    fprintf(stderr, "done %d\\n", counted); /* done */
    return 0;
}
"""


def frame(stop):
    return stop.frames[0].function, stop.frames[0].line


@pytest.fixture(params=["pie", "no-pie"])
def b(bench, request):
    return bench(PROGRAM, *(["-no-pie"] if request.param == "no-pie" else []))


def test_a_static_function_keeps_statics_globals_and_library(b):
    b.until("/* call */")
    b.debugger.resume("continue")
    assert b.output == b"sum 100 1001 10\n"
    b.patch("counted++;", 'counted += 10; title = "twelve"; if (strlen(title) == 6) total += 1;', "add")
    b.debugger.console("delete")
    b.debugger.resume(f"until {b.line('/* fact */')}")
    assert b.output == b"sum 100 1001 10\ntwelve 103 1002 10\ntwelve 108 1003 10\n"
    assert b.value("counted") == 21
    assert b.value("sum") == 1001 + 2 + 1002 + 4 + 1003 + 6
    graph = b.debugger.snapshot().graph
    statics = {
        v.id.function: graph.cells[p]
        for v in graph.globals
        if v.id.name == "calls"
        for p in graph.cells
        if p.object == v.id
    }
    assert statics == {"twice": 8, "add": 1003}


def test_recursion_and_back_to_the_original(b):
    b.until("/* fact */")
    image = b.debugger.take_image()
    code = b.patch("return n + rest;", "return n * rest;", "fact")
    b.debugger.resume("next")
    assert b.value("sum") == 120
    b.debugger.restore(image)
    b.debugger.use(None)
    b.debugger.resume("next")
    assert b.value("sum") == 15
    b.debugger.restore(image)
    b.debugger.use(code)
    b.debugger.resume("next")
    assert b.value("sum") == 120


def test_a_jump_table_and_a_function_that_was_not_imported(b):
    b.until("/* name */")
    b.patch("case 3: return 10;", "case 3: return abs(-77);", "name")
    b.debugger.resume("next")
    assert b.value("sum") == 77


def test_inline_functions_that_the_program_lacks(b):
    b.until("/* name */")
    b.patch("return 10;", "return scaled(10);", "name")
    b.debugger.resume("next")
    assert b.value("sum") == 200 + 1


def test_stepping_and_breakpoints_in_patched_code(b):
    b.until("/* fact */")
    b.debugger.console("delete")
    b.debugger.console("break fact if n == 3")
    b.debugger.console(f"break prog.c:{b.line('/* product */')}")
    image = b.debugger.take_image()
    b.patch("return n + rest;", "return n * rest;", "fact")
    stop = b.debugger.resume("step")
    assert frame(stop) == ("fact", b.line("if (n <= 1)"))
    assert stop.reason == "step"
    assert b.value("n", "fact") == 5
    stop = b.debugger.resume("continue")
    assert (stop.reason, *frame(stop)) == ("breakpoint", "fact", b.line("if (n <= 1)"))
    assert b.value("n", "fact") == 3
    stop = b.debugger.resume("continue")
    assert (stop.reason, *frame(stop)) == ("breakpoint", "fact", b.line("/* product */"))
    assert b.value("n", "fact") == 2
    assert stop.frames[-1].function == "main"
    assert [each.depth for each in stop.frames] == [4, 3, 2, 1, 0]
    stop = b.debugger.resume("finish")
    assert stop.text == "Value returned is $1 = 2"
    b.debugger.restore(image)
    b.debugger.console("delete")
    b.debugger.console("tbreak fact")
    stop = b.debugger.resume("continue")
    assert (stop.reason, *frame(stop)) == ("breakpoint", "fact", b.line("if (n <= 1)"))
    assert b.value("n", "fact") == 5
    b.debugger.resume("finish")
    b.debugger.use(None)
    b.debugger.restore(image)
    b.debugger.console("break fact if n == 4")
    stop = b.debugger.resume("continue")
    assert b.value("n", "fact") == 4


def test_rows_of_the_patched_code(b):
    b.until("/* fact */")
    code = b.patch("return n + rest;", "return n * rest;", "fact", use=False)
    line = b.line("/* product */")
    assert {(row.line, row.column) for row in code.rows("fact") if row.line == line} == {(line, 14)}
    assert code.rows("fact")[-1].end
    assert {row.line for row in code.rows("fact")} == {row.line for row in b.debugger.rows("fact")}
    assert {row.file for row in code.rows("fact")} == {str(b.source)}


def test_migrate_into_a_larger_frame_and_back(b):
    stop = b.until("counted++;")
    before = b.debugger.snapshot().graph
    code = b.patch("counted++;", "{ int pad[50]; pad[x] = 40; counted = pad[x] + 2; }", "add")
    target = next(row.address for row in code.rows("add") if row.line == b.line("counted++;"))
    assert b.debugger.migrate(code, target) == ()
    after = b.debugger.snapshot()
    assert after.frames[0].pc == target
    assert after.frames[0].cfa == stop.frames[0].cfa
    assert {
        v.id: after.graph.cells[p]
        for v in after.graph.frames[0].variables
        for p in after.graph.cells
        if p.object == v.id and p.offset == 0 and v.id.name == "x"
    } == {v.id: before.cells[p] for v in before.frames[0].variables for p in before.cells if p.object == v.id}
    stop = b.debugger.resume("next")
    assert frame(stop) == ("add", b.line("printf"))
    assert b.value("counted") == 42
    back = next(row.address for row in b.debugger.rows("add") if row.line == b.line("counted++;"))
    b.debugger.use(None)
    b.debugger.migrate(None, back)
    b.debugger.resume("next")
    assert b.value("counted") == 43
    stop = b.debugger.resume("finish")
    assert stop.frames[0].function == "main"
    b.debugger.console("delete")
    stop = b.debugger.resume("continue")
    assert stop.code == 0


def test_outer_activations_return_into_the_new_code(b):
    b.until("/* fact */")
    b.debugger.console("delete")
    b.debugger.console("break fact if n == 2")
    stop = b.debugger.resume("continue")
    code = b.patch("return n + rest;", "return n * rest;", "fact")
    target = next(row.address for row in code.rows("fact") if row.line == b.line("if (n <= 1)"))
    first = [row.address for row in code.rows("fact") if row.line == b.line("if (n <= 1)")]
    assert target == first[0]
    assert b.debugger.migrate(code, target) == ()
    assert [each.line for each in b.debugger.snapshot().frames] == [each.line for each in stop.frames]
    b.debugger.console("delete")
    b.debugger.resume(f"until {b.line('/* fact */')}")
    while b.debugger.stop_info().frames[0].function != "main":
        b.debugger.resume("finish")
    b.debugger.resume("next")
    assert b.value("sum") == 120


def test_outer_activations_that_cannot_move_are_named(b):
    b.until("/* fact */")
    b.debugger.console("delete")
    b.debugger.console("break fact if n == 2")
    b.debugger.resume("continue")
    code = b.patch("return n + rest;", "{ long wide[4]; wide[0] = n; return wide[0] * rest; }", "fact")
    target = next(row.address for row in code.rows("fact") if row.line == b.line("if (n <= 1)"))
    assert b.debugger.migrate(code, target) == ("fact",)
    b.debugger.console("delete")
    while b.debugger.stop_info().frames[0].function != "main":
        b.debugger.resume("finish")
    b.debugger.resume("next")
    assert b.value("sum") == 5 + (4 + (3 + 2 * 1))


def test_a_patch_survives_the_process(b):
    b.until("/* fact */")
    b.debugger.console("break fact")
    b.patch("return n + rest;", "return n * rest;", "fact")
    image = b.debugger.take_image()
    b.debugger.start()
    b.debugger.console("delete")
    b.debugger.console(f"break {b.line('/* name */')}")
    b.debugger.resume("continue")
    assert b.value("sum") == 120
    b.debugger.relaunch()
    b.debugger.restore(image)
    b.debugger.resume("next")
    assert b.value("sum") == 120


def test_an_empty_function_and_main(b):
    b.until("/* name */")
    b.patch("static void nothing(void) { }", "static void nothing(void) { counted = 9; }", "nothing")
    b.patch("/* done */", "puts(title);", "main", use=False)
    b.debugger.resume("next 2")
    assert b.value("counted") == 9
    b.debugger.resume("continue")
    assert b.output.endswith(b"done 9\n")


def test_what_does_not_compile_says_so_in_the_users_terms(b):
    b.debugger.start()
    with pytest.raises(SourceError, match=rf"{b.source}:{b.line('counted++;')}:.*undeclared"):
        b.patch("counted++;", "missing++;", "add")
    with pytest.raises(SourceError, match="no_such_function"):
        b.patch("counted++;", "no_such_function();", "add")
    b.debugger.resume("next")


def test_several_files(tmp_path):
    from wolverine.debugger import Debugger, compile_program

    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "list.h").write_text("int push(int x);\nextern int shared;\n")
    (tmp_path / "one.c").write_text(
        '#include <stdio.h>\n#include "sub/list.h"\nstatic int same = 1;\n'
        "int main(void)\n{\n    int r = push(3);\n    r = push(4);\n"
        '    printf("%d %d %d\\n", r, shared, same);\n    return 0;\n}\n'
    )
    text = (
        '#include "list.h"\nstatic int same = 50;\nint shared;\n'
        "int push(int x)\n{\n    same++;\n    shared = x;\n    return same;\n}\n"
    )
    (tmp_path / "sub" / "two.c").write_text(text)
    files = [tmp_path / "one.c", tmp_path / "sub" / "two.c"]
    compile_program(files, ["-I", str(tmp_path)], tmp_path / "prog")
    output: list[bytes] = []
    debugger = Debugger(tmp_path / "prog", on_output=output.append)
    try:
        debugger.start()
        debugger.resume("next")
        hot = [
            (str(files[0]), files[0].read_bytes()),
            (str(files[1]), text.replace("shared = x;", "shared = x * 2 + same;").encode()),
        ]
        debugger.use(debugger.patch(hot, ["push"], ["-I", str(tmp_path)]))
        assert debugger.resume("continue").code == 0
        assert b"".join(output) == b"52 60 1\n"
    finally:
        debugger.close()


def test_a_program_that_was_built_elsewhere(tmp_path, bench):
    b = bench(PROGRAM)
    b.debugger.close()
    subprocess.run(["gcc", "-g", "-O0", "-o", tmp_path / "plain", b.source], check=True)
    b.debugger = Debugger(tmp_path / "plain", on_output=b._take)
    b.until("/* fact */")
    b.debugger.console("break fact")
    b.patch("return n + rest;", "return n * rest;", "fact")
    stop = b.debugger.resume("continue")
    assert b.value("n", "fact") == 5
    assert stop.frames[0].line == b.line("if (n <= 1)")
    b.debugger.console("delete")
    b.debugger.resume("finish")
    b.debugger.resume("next")
    assert b.value("sum") == 120


SHORT = """
#include <stdio.h>
int left = 3, sum;
void once(void)
{
    sum += left; /* once */
    left--;
}
void down(void)
{
    do
        sum += 100; /* down */
    while (--left > 0 && left % 2);
    if (left > 0)
        down(); /* deeper */
    sum++;
}
int main(void)
{
    once();
    once(); /* again */
    left = 4;
    down();
    printf("%d\\n", sum);
    return 0;
}
"""


@pytest.fixture
def short(tmp_path, bench):
    """A program whose functions have prologues of four bytes, built without room before them."""
    b = bench(SHORT)
    b.debugger.close()
    command = ["gcc", "-g", "-O0", "-fcf-protection=none", "-o", tmp_path / "plain", b.source]
    subprocess.run(command, check=True)
    b.debugger = Debugger(tmp_path / "plain", on_output=b._take)
    return b


def test_a_short_prologue_leads_elsewhere(short):
    first = short.until("/* once */").frames[0].pc
    image = short.debugger.take_image()
    code = short.patch("sum += left;", "sum += 10 * left;", "once")
    body = next(r.address for r in code.rows("once") if r.line == short.line("/* once */"))
    with pytest.raises(DebuggerError, match="given way to a patch"):
        short.debugger.resume("next")
    short.debugger.migrate(code, body)
    stop = short.debugger.resume("continue")
    assert (stop.reason, *frame(stop)) == ("breakpoint", "once", short.line("/* once */"))
    short.debugger.resume("finish")
    assert short.value("sum") == 30 + 20
    short.debugger.restore(image)
    short.debugger.use(None)
    assert short.debugger.stop_info().frames[0].pc == first
    short.debugger.resume("finish")
    assert short.value("sum") == 3


def test_a_short_prologue_stays_where_a_loop_that_goes_on_begins_behind_it(short):
    short.until("/* deeper */")
    short.debugger.console("delete")
    short.debugger.resume("step")
    with pytest.raises(DebuggerError, match="too short to lead elsewhere while down is active"):
        short.patch("sum += 100;", "sum += 200;", "down")
    assert short.debugger.resume("finish").alive
    short.debugger.resume("continue")
    assert short.output == b"407\n"


def test_nodes_of_patched_code_count(b):
    b.until("/* fact */")
    b.patch(
        "return n * rest;" if "return n * rest;" in b.text else "return n + rest;",
        "{ struct node *m = malloc(sizeof *m); m->data = n; m->next = 0; return m->data; }",
        "fact",
    )
    b.debugger.resume("next")
    graph = b.debugger.snapshot().graph
    assert list(graph.nodes) == [NodeId(1), NodeId(2), NodeId(3), NodeId(4), NodeId(5)]
    assert graph.nodes[NodeId(5)].allocated.line == b.line("/* product */")
    assert graph.leaked() == {NodeId(n) for n in range(2, 6)}
    assert b.value("n") == Pointer(NodeId(1), 0)


def test_until_advance_and_run_know_patched_code(b):
    b.until("/* fact */")
    b.debugger.console("delete")
    image = b.debugger.take_image()
    b.patch("return n + rest;", "return n * rest;", "fact")
    assert frame(b.debugger.resume("advance fact")) == ("fact", b.line("if (n <= 1)"))
    stop = b.debugger.resume(f"until {b.line('/* product */')}")
    assert stop.frames[0].function in ("fact", "main")
    b.debugger.restore(image)
    b.debugger.console("break fact")
    b.debugger.console("run")
    assert b.debugger.last_stop.reason == "breakpoint"
    assert b.value("n", "fact") == 5
    b.debugger.console("delete")
    b.debugger.resume("finish")
    b.debugger.resume("next")
    assert b.value("sum") == 120


def test_stepping_out_of_patched_code_into_the_old(b):
    b.until("/* call */")
    b.debugger.console("delete")
    b.patch("total += twice(x);", "total += twice(x) + 1;", "add")
    b.debugger.resume("step")
    stop = b.debugger.resume("next 3")
    assert frame(stop) == ("add", b.line("counted++;"))
    assert b.value("total") == 101
    b.debugger.resume("finish")
    b.debugger.console("break twice")
    stop = b.debugger.resume("continue")
    assert [each.function for each in stop.frames] == ["twice", "add", "main"]
    stop = b.debugger.resume("finish")
    assert frame(stop) == ("add", b.line("total += twice(x);"))
    assert frame(b.debugger.resume("next")) == ("add", b.line("counted++;"))
