"""Which locals may have been written before an instruction."""

from wolverine.core.program import Assign, Branch, Library, Return
from wolverine.frontend import load
from wolverine.semantics.dataflow import possibly_assigned, surely_assigned


def states(source, tmp_path):
    path = tmp_path / "p.c"
    path.write_text(source)
    program = load([path]).program
    return program, program.functions["g"]


def test_branches_and_loops(tmp_path):
    _, function = states(
        "int g(int a) { int x, y; if (a) x = 1; while (a) { y = 2; a--; } return x; }", tmp_path
    )
    branches = [index for index, step in enumerate(function.code) if isinstance(step, Branch)]
    assert possibly_assigned(function, 0) == {"a"}
    assert possibly_assigned(function, branches[0]) == {"a"}
    assert possibly_assigned(function, branches[1]) == {"a", "x", "y"}
    assert surely_assigned(function, branches[1]) == {"a"}


def test_what_both_arms_set_is_surely_set(tmp_path):
    _, function = states(
        "int g(int a) { int x, y; if (a) { x = 1; y = 2; } else x = 3; return x; }", tmp_path
    )
    assert surely_assigned(function, function.end) >= {"a", "x"}
    assert "y" not in surely_assigned(function, function.end)


def test_a_declaration_in_a_loop_starts_anew(tmp_path):
    _, function = states("void g(int a) { while (a) { int x; a = 0; x = a; } }", tmp_path)
    body = next(
        index
        for index, step in enumerate(function.code)
        if isinstance(step, Assign) and step.target.name == "a"
    )
    assert possibly_assigned(function, body) == {"a"}


def test_addresses_and_what_the_process_writes(tmp_path):
    source = "int scanf(const char *, ...); void h(int *p) { *p = 1; }"
    source += ' void g(void) { int x, y, z; h(&x); scanf("%d", &y); __asm__("" : : "r"(y)); }'
    program, function = states(source, tmp_path)
    left = next(index for index, step in enumerate(function.code) if isinstance(step, Library)) + 2
    assert possibly_assigned(function, left) >= {"x", "y"}
    assert "z" not in possibly_assigned(function, left)  # the call has nothing that leads to it
    end = next(index for index, step in enumerate(function.code) if isinstance(step, Return))
    assert {"x", "y", "z"} <= possibly_assigned(function, end)
    written = possibly_assigned(function, end, program)
    assert {"x", "y"} <= written and "z" not in written
