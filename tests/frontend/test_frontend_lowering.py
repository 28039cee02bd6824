"""What C lowers to: instructions, order of evaluation, scopes, types, what is left to the process."""

import re
from pathlib import Path

import pytest

from wolverine.core.expressions import Cast, Load, lvalue_text, text
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Gap, Jump, Return
from wolverine.core.types import FloatType, IntType, PointerType, StructReference
from wolverine.frontend import Loaded, load

HEAD = "struct n { struct n *next; int d; } *top; int f(int x) { return x; } int count;\n"


def lowered(source: str, tmp_path: Path, head: str = HEAD) -> Loaded:
    path = tmp_path / "p.c"
    path.write_text(head + source)
    return load([path])


def shown(function: Function) -> list[str]:
    """The instructions with effects, in order."""
    result = []
    for step in function.code:
        match step:
            case Assign(_, target, value):
                result.append(f"{lvalue_text(target)} = {text(value)}")
            case Branch(_, condition):
                result.append(f"branch {text(condition)}")
            case Call(_, name, arguments, _):
                result.append(f"{name}({', '.join(map(text, arguments))})")
            case Concrete(_, reason):
                result.append(f"concrete {reason}")
    return result


CASES = [
    ("void g(int a) { a = (f(a)); f((top->d)); }", ["$1 = a", "f($1)", "a = $2", "$3 = top->d", "f($3)"]),
    ("void g(int a, int b) { a = b = 1; }", ["b = 1", "a = b"]),
    ("enum { NO, YES }; void g(int a) { a = YES; top->d = (int) NO; }", ["a = YES", "top->d = (int) NO"]),
    ("int (*fp)(int); void g(void) { fp = f; fp = &f; }", ["fp = f", "fp = f"]),
    ("void g(int a) { f(a++); }", ["$1 = a", "a = a + 1", "$2 = $1", "f($2)"]),
    ("void g(int a) { a = f(1) - f(2); }", ["$1 = 1", "f($1)", "$3 = 2", "f($3)", "a = $2 - $4"]),
    ("int h(int a, int b) { return a; } void g(void) { h(f(1), f(2)); }",
     ["$1 = 2", "f($1)", "$3 = $2", "$4 = 1", "f($4)", "$6 = $5", "h($6, $3)"]),
    ("void g(void) { top->d = f(1); }", ["$1 = 1", "$2 = top", "f($1)", "$2->d = $3"]),
    ("void g(void) { top->d = f(f(1)); }", ["$1 = 1", "f($1)", "$3 = $2", "$4 = top", "f($3)", "$4->d = $5"]),
    ("void g(struct n v) { v = (struct n) { .d = f(1) }; }",
     ["$2 = 1", "f($2)", "$1.next = NULL", "$1.d = $3", "v = $1"]),
    ("void g(void) { count += f(1); }", ["$1 = 1", "f($1)", "count = count + $2"]),
    ("int g(void) { return count + f(1); }", ["$1 = 1", "f($1)", "$return = count + $2"]),
    ("int g(void) { return count - f(1); }", ["$1 = count", "$2 = 1", "f($2)", "$return = $1 - $3"]),
    ("char tiny; int g(void) { return tiny + f(1); }", ["$1 = tiny", "$2 = 1", "f($2)", "$return = $1 + $3"]),
    ("struct n *g(void) { return top + f(1); }", ["$1 = top", "$2 = 1", "f($2)", "$return = $1 + $3"]),
    ("struct n *h(void) { return top; } int g(void) { return top == h(); }",
     ["h()", "$return = top == $1"]),
    ("void g(int a) { if (a && f(a)) a = 1; }", ["branch a", "$1 = a", "f($1)", "branch $2", "a = 1"]),
    ("void g(int a) { if (a && top) a = 1; }", ["branch a && top", "a = 1"]),
    ("void g(int *p) { *p++ = p[1]; }", ["$1 = p", "p = p + 1", "*$1 = p[1]"]),
    ("void g(struct n **r) { (*r)->d = 1; *r = (*r)->next; }", ["(*r)->d = 1", "*r = (*r)->next"]),
    ("void g(int a) { switch (a) { case 1: a = 2; break; default: a = 3; } }",
     ["$2 = a", "branch $2 == 1", "a = 2", "a = 3"]),
    ("void g(int a) { int b[2] = {1}; b[a] = 2; }", ["b[0] = 1", "b[1] = 0", "b[a] = 2"]),
    ("void g(int a) { char s[] = \"a\"; s[0] = 'b'; }", ["s[0] = 97", "s[1] = 0", "s[0] = 'b'"]),
    ("void g(struct n v) { struct n w = v; w = v; w.d = 1; }", ["w = v", "w = v", "w.d = 1"]),
    ("void g(long double x) { x = x * 2; }", ["concrete long double"]),
    ("void g(double x, int n) { x = x * 2 + n; n = x; }", ["x = x * 2 + n", "n = x"]),
    ("int printf(); void g(int a) { a = printf(\"x\"); }", ["concrete call of printf", "a = $1"]),
    ("#include <ctype.h>\nvoid g(char *s) { while (*s && isspace(*s)) s++; }",
     ["$1 = (*__ctype_b_loc())", "branch *s && isspace(*s)", "s = s + 1"]),
    ("#include <ctype.h>\nint g(int a) { return isalpha(a = f(1)) || !(isdigit)(a); }",
     ["$1 = (*__ctype_b_loc())", "$2 = 1", "f($2)", "a = $3", "$4 = (*__ctype_b_loc())",
      "$return = isalpha(a) || !isdigit(a)"]),
    ("#include <stdio.h>\n"
     "void g(FILE *i, int a) { while ((a = f(1)) != 2 && (i != stdin || a != 3)) a = 4; }",
     ["$1 = 1", "f($1)", "a = $2", "branch a != 2", "concrete the library's stdin", "branch $3",
      "branch a != 3", "a = 4"]),
    ("int isdigit(int c) { return c; } int g(int a) { return isdigit(a); }",
     ["$1 = a", "isdigit($1)", "$return = $2"]),
    ("void g(void) { static int k = 3; k++; }", ["k = k + 1"]),
    ("void g(int n) { int v[n]; v[n - 1] = 2; }", ["$1 = n", "v[n - 1] = 2"]),
    ("void g(int n) { int v[2][n]; }", ["concrete variable length array"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_order_and_effects(source, expected, tmp_path):
    loaded = lowered(source, tmp_path)
    assert loaded.warnings == ()
    assert shown(loaded.program.functions["g"]) == expected


def test_loops_and_targets(tmp_path):
    body = "int g(struct n *p) { int k = 0; while (p) { k++; p = p->next; } return k; }"
    function = lowered(body, tmp_path).program.functions["g"]
    branch = next(i for i, step in enumerate(function.code) if isinstance(step, Branch))
    step = function.code[branch]
    assert isinstance(step, Branch)
    assert step.if_true == branch + 1
    back = function.code[step.if_false - 1]
    assert isinstance(back, Jump) and back.target == branch
    assert isinstance(function.code[-1], Return)
    assert function.units[-1].span.end - function.units[-1].span.start == 1


def test_every_gap(tmp_path):
    body = """void g(int a)
    {
        a = 1;
        if (a)
            a = 2;
        while (a) { }
        for (;;) ;
    }"""
    program = lowered(body, tmp_path).program
    kinds = [
        program.location(step.location).gap for step in program.functions["g"].code if isinstance(step, Gap)
    ]
    assert sorted(kinds) == sorted(
        ["before", "before", "wrap-before", "wrap-after", "else", "before", "block", "before", "wrap-before",
         "after"]
    )  # fmt: skip


def test_shadowing_and_scope(tmp_path):
    body = "void g(int a)\n{\n  { int b = 1; a = b; }\n  { int b = 2; a = b; }\n}\n"
    program = lowered(body, tmp_path).program
    function = program.functions["g"]
    assert [variable.name for variable in function.locals] == ["b@4", "b@5"]
    scopes = {
        location.text: [variable.name for variable in location.scope]
        for location in program.locations
        if location.function == "g" and location.kind == "assignment"
    }
    assert scopes == {"a = b": ["b@5", "a", "top", "count"]}


def test_conversions_are_explicit(tmp_path):
    body = "void g(char c, unsigned u, long l) { c = c + 1; l = u + c; u = l; }"
    values = [
        step.value for step in lowered(body, tmp_path).program.functions["g"].code if isinstance(step, Assign)
    ]
    assert values[0] == Cast(values[0].operand, IntType("char", 1))
    assert values[0].operand.type == IntType("int", 4)
    assert values[1].operand.type == IntType("unsigned int", 4, False)
    assert values[2].type == IntType("unsigned int", 4, False)


def test_types(tmp_path):
    source = "typedef struct { int x; } T; typedef T *P; P one; T many[3]; double z; enum e { A, B = 7 } k;"
    program = lowered(source + " int g(void) { return B; }", tmp_path).program
    types = {variable.name: variable.type for variable in program.globals}
    assert types["one"] == PointerType(StructReference("T"))
    assert types["many"].length == 3
    assert types["z"] == FloatType("double", 8)
    assert shown(program.functions["g"]) == ["$return = B"]


@pytest.mark.parametrize(
    "source",
    ["main(argc, argv) int argc; char **argv; { return argc; }", "g() { return 3; } main() { return g(); }",
     "static h(x) { return x; } main(void) { return h(1); }"],
)  # fmt: skip
def test_old_style(source, tmp_path):
    loaded = lowered(source, tmp_path)
    assert loaded.warnings == ()
    assert loaded.program.functions["main"].unsupported == ""


def test_one_strange_function_does_not_spoil_the_rest(tmp_path):
    path = tmp_path / "p.c"
    path.write_text("int odd(int k) { __auto_type x = k; return x; }\nint even(int k) { return k; }\n")
    loaded = load([path])
    assert loaded.program.functions["even"].unsupported == ""
    odd = loaded.program.functions["odd"]
    assert odd.unsupported and odd.code == ()
    assert [variable.name for variable in odd.parameters] == ["k"]
    assert loaded.warnings == (f"odd is debugged without repair: {odd.unsupported}",)


def test_macros_and_null(tmp_path):
    source = "#include <stddef.h>\n#define NEXT(p) ((p)->next)\n#define LIMIT 10\n"
    body = "int g(struct n *p) { while (NEXT(p) != NULL) p = NEXT(p); return p->d < LIMIT; }"
    program = lowered(body, tmp_path, source + HEAD).program
    texts = {loc.kind: loc.text for loc in program.locations if loc.function == "g" and loc.kind != "gap"}
    assert texts["condition"] == "NEXT(p) != NULL"
    assert texts["assignment"] == "p = NEXT(p)"
    assert shown(program.functions["g"]) == [
        "branch p->next != NULL", "p = p->next", "$return = p->d < LIMIT",
    ]  # fmt: skip


def test_two_files_share_functions_and_globals(tmp_path):
    (tmp_path / "a.c").write_text("int shared; int helper(int x) { return x + shared; }\n")
    (tmp_path / "b.c").write_text(
        "extern int shared; int helper(int); int main(void) { return helper(1); }\n"
    )
    program = load([tmp_path / "a.c", tmp_path / "b.c"]).program
    assert [variable.name for variable in program.globals] == ["shared"]
    assert program.functions["main"].file == 1
    assert any(isinstance(step, Call) for step in program.functions["main"].code)
    assert [location.id for location in program.locations] == list(range(len(program.locations)))


def test_loads_have_types(tmp_path):
    program = lowered("void g(struct n *p) { p = p->next->next; }", tmp_path).program
    step = next(step for step in program.functions["g"].code if isinstance(step, Assign))
    assert isinstance(step.value, Load)
    assert step.value.type == PointerType(StructReference("n"))


def test_a_function_can_name_the_globals_declared_before_it(tmp_path):
    source = (
        "int g(int a) { return a; } extern int early; int later; int h(void) { return 1; } int early = 2;"
    )
    program = lowered(source, tmp_path).program
    seen = {
        location.function: {v.name for v in location.scope if v.level == "global"}
        for location in program.locations
    }
    assert seen["g"] == {"top", "count"}
    assert seen["h"] == {"top", "count", "early", "later"}


def test_the_stream_of_a_call_is_no_number_of_the_program(tmp_path: Path) -> None:
    head = "#include <stdio.h>\n"
    loaded = lowered('void g(int a) { fprintf(stderr, "%d", a); fputs("-", stdout); }', tmp_path, head)
    assert not {"stderr", "stdout"} & set(
        re.findall(r"text='(\w+)'", repr(loaded.program.functions["g"].code))
    )
