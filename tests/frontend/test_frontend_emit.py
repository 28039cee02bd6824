"""Edits as people read them: one case for each kind of place and style."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from wolverine.core.expressions import Binary, Constant, Expression, Load, Member, Unary
from wolverine.core.expressions import text as written_text
from wolverine.core.patch import (
    Deletion,
    Edit,
    Guarded,
    NewAssignment,
    NewBlock,
    NewCall,
    NewValue,
    OtherFunction,
    OtherJoin,
    Patch,
    Several,
)
from wolverine.core.program import Assign, Branch, Concrete, Program
from wolverine.core.types import INT
from wolverine.errors import SourceError
from wolverine.frontend import check, describe, diff, emit, emit_hot, load, parse_expression
from wolverine.frontend.spares import declarator
from wolverine.repair.menus.skips import skips
from wolverine.semantics.replacing import joined

HEAD = "#include <stdlib.h>\nstruct n { struct n *next; int d; };\nint f(int x) { return x; }\n"


def program_of(body: str, tmp_path: Path, head: str = HEAD) -> Program:
    path = tmp_path / "p.c"
    path.write_bytes((head + body).encode())
    return load([path]).program


def assign(program: Program, text: str) -> NewAssignment:
    left, right = text.split(" = ")
    target = parse_expression(program, "g", left)
    assert isinstance(target, Load)
    return NewAssignment(target.place, parse_expression(program, "g", right))


def gap(program: Program, kind: str, text: str) -> int:
    content = program.files[0].content.decode()
    return next(
        location.id
        for location in program.locations
        if location.function == "g" and location.kind == "gap" and location.gap == kind
        and content[location.span.start : location.span.end].startswith(text)
    )  # fmt: skip


def at(program: Program, kind: str, text: str) -> int:
    content = program.files[0].content.decode()
    return next(
        location.id
        for location in program.locations
        if location.function == "g" and location.kind == kind
        and content[location.span.start : location.span.end] == text
    )  # fmt: skip


def result(program: Program, *edits: Edit) -> str:
    patch = Patch(tuple(sorted(edits, key=lambda edit: edit.location)))
    check(program, patch)
    return emit(program, patch)[0].decode().removeprefix(HEAD)


INSERTIONS = [
    ("before", "a = 1", "void g(int a)\n{\n\ta = 1; // one\n}\n",
     "void g(int a)\n{\n\ta = 7;\n\ta = 1; // one\n}\n"),
    ("after", "a = 1", "void g(int a)\n{\n\ta = 1; // one\n}\n",
     "void g(int a)\n{\n\ta = 1; // one\n\ta = 7;\n}\n"),
    ("after", "a = 1", "void g(int a) { a = 1; }\n", "void g(int a) { a = 1; a = 7; }\n"),
    ("before", "a = 2", "void g(int a) { a = 1; a = 2; }\n", "void g(int a) { a = 1; a = 7; a = 2; }\n"),
    ("block", "{", "void g(int a) { }\n", "void g(int a) { a = 7; }\n"),
    ("block", "{", "void g(int a)\n{\n}\n", "void g(int a)\n{\n    a = 7;\n}\n"),
    ("wrap-before", "a = 1", "void g(int a)\n{\n  if (a)\n    a = 1;\n}\n",
     "void g(int a)\n{\n  if (a) {\n    a = 7;\n    a = 1;\n  }\n}\n"),
    ("wrap-after", "a = 1", "void g(int a)\n{\n  while (a) // c\n    a = 1;\n}\n",
     "void g(int a)\n{\n  while (a) { // c\n    a = 1;\n    a = 7;\n  }\n}\n"),
    ("wrap-after", "a = 1", "void g(int a) { if (a) a = 1; else a = 2; }\n",
     "void g(int a) { if (a) { a = 1; a = 7; } else a = 2; }\n"),
    ("wrap-before", "if (a > 1)",
     "void g(int a)\n{\n    if (a) {\n        a = 1;\n    } else if (a > 1) {\n\n        a = 2;\n    }\n}\n",
     "void g(int a)\n{\n    if (a) {\n        a = 1;\n    } else {\n        a = 7;\n        if (a > 1) {\n\n"
     "            a = 2;\n        }\n    }\n}\n"),
    ("wrap-after", "if (a > 1)",
     "void g(int a)\n{\n  if (a)\n  {\n    a = 1;\n  }\n  else if (a > 1)\n    a = 2;\n}\n",
     "void g(int a)\n{\n  if (a)\n  {\n    a = 1;\n  }\n  else\n  {\n    if (a > 1)\n      a = 2;\n"
     "    a = 7;\n  }\n}\n"),
    ("wrap-before", ";", "void g(int a)\n{\n  while (a--)\n    ;  // none\n}\n",
     "void g(int a)\n{\n  while (a--)\n    a = 7;  // none\n}\n"),
    ("wrap-before", ";", "void g(int a) { while (a--) ; }\n", "void g(int a) { while (a--) { a = 7; } }\n"),
    ("else", "if", "void g(int a)\n{\n  if (a) {\n    a = 1;\n  }\n}\n",
     "void g(int a)\n{\n  if (a) {\n    a = 1;\n  } else {\n    a = 7;\n  }\n}\n"),
    ("else", "if", "void g(int a)\n{\n  if (a)\n    a = 1;\n}\n",
     "void g(int a)\n{\n  if (a)\n    a = 1;\n  else\n    a = 7;\n}\n"),
    ("else", "if (a)", "void g(int a) { if (a) if (a > 1) a = 1; }\n",
     "void g(int a) { if (a) { if (a > 1) a = 1; } else { a = 7; } }\n"),
    ("before", "a = 1", "void g(int a) { switch (a) { case 1: a = 1; break; } }\n",
     "void g(int a) { switch (a) { case 1: a = 7; a = 1; break; } }\n"),
    ("before", "default",
     "void g(int a)\n{\n  switch (a) {\n  case 1:\n    a = 1;\n  default:\n    a = 2;\n  }\n}\n",
     "void g(int a)\n{\n  switch (a) {\n  case 1:\n    a = 1;\n    a = 7;\n  default:\n"
     "    a = 2;\n  }\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "at_text", "before", "after"), INSERTIONS)
def test_insertion(kind, at_text, before, after, tmp_path):
    program = program_of(before, tmp_path)
    edit = Edit(gap(program, kind, at_text), assign(program, "a = 7"))
    assert result(program, edit) == after
    windows = program_of(before.replace("\n", "\r\n"), tmp_path)
    assert emit(windows, Patch((edit,)))[0].decode() == HEAD + after.replace("\n", "\r\n")
    hot = emit_hot(program, Patch((edit,)))[0].content.decode()
    assert hot.count("\n") == (HEAD + before).count("\n")
    assert "a = 7;" in hot


AROUND = [
    ("", "void g(int a)\n{\n\tint b;\n\tf(a);\n\twhile (a)\n\t\ta--; // down\n\tb = a;\n}\n",
     "void g(int a)\n{\n\tint b;\n\tif (a != 3) {\n\t\tf(a);\n\t\twhile (a)\n\t\t\ta--; // down\n\t}\n"
     "\tb = a;\n}\n"),
    ("a = 7", "void g(int a)\n{\n  int b;\n  f(a);\n  while (a)\n  {\n    a--;\n  }\n  b = a;\n}\n",
     "void g(int a)\n{\n  int b;\n  if (a == 3)\n    a = 7;\n  else\n  {\n    f(a);\n    while (a)\n    {\n"
     "      a--;\n    }\n  }\n  b = a;\n}\n"),
    ("a = 7", "void g(int a) { int b; f(a); while (a) a--; b = a; }\n",
     "void g(int a) { int b; if (a == 3) a = 7; else { f(a); while (a) a--; } b = a; }\n"),
]  # fmt: skip


@pytest.mark.parametrize(("instead", "before", "after"), AROUND)
def test_statements_under_a_test(instead, before, after, tmp_path):
    program = program_of(before, tmp_path)
    function = program.functions["g"]
    code = function.code
    first = next(i for i, s in enumerate(code) if s.location == gap(program, "before", "f(a)"))
    skip = next(
        s for s in skips(program, function, first, set(), []) if s.until == gap(program, "before", "b = a")
    )
    made = replace(skip, instead=assign(program, instead) if instead else None)
    edit = Edit(code[first].location, Guarded(parse_expression(program, "g", "a == 3"), made))
    assert result(program, edit) == after
    check(program, Patch((edit,)))
    hot = emit_hot(program, Patch((edit,)))[0].content.decode()
    assert hot.count("\n") == (HEAD + before).count("\n")


ONE = [
    ((), "void g(int a)\n{\n\tint b;\n\tif (a != 3)\n\t\tf(a);\n\tb = a;\n}\n"),
    (("a = 7", "a = 8"),
     "void g(int a)\n{\n\tint b;\n\tif (a == 3) {\n\t\ta = 7;\n\t\ta = 8;\n\t} else {\n\t\tf(a);\n\t}\n"
     "\tb = a;\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("done", "after"), ONE)
def test_one_statement_under_a_test(done, after, tmp_path):
    before = "void g(int a)\n{\n\tint b;\n\tf(a);\n\tb = a;\n}\n"
    program = program_of(before, tmp_path)
    function = program.functions["g"]
    first = next(i for i, s in enumerate(function.code) if s.location == gap(program, "before", "f(a)"))
    skip = next(
        s for s in skips(program, function, first, set(), []) if s.until == gap(program, "before", "b = a")
    )
    made = NewBlock(tuple(assign(program, each) for each in done), onward=skip) if done else skip
    edit = Edit(function.code[first].location, Guarded(parse_expression(program, "g", "a == 3"), made))
    assert result(program, edit) == after
    if done:
        styled = program_of(before.replace("\n{", " {", 1), tmp_path)
        assert "\t} else {\n" in result(styled, edit)


DELETIONS = [
    ("assignment", "a = 1", "void g(int a)\n{\n\ta = 1;\n\ta = 2;\n}\n", "void g(int a)\n{\n\ta = 2;\n}\n"),
    ("assignment", "a = 1", "void g(int a)\n{\n\ta = 1; /* x */\n}\n", "void g(int a)\n{\n}\n"),
    ("assignment", "a = 1", "void g(int a)\n{\n\t// on\n\ta = 1; // x\n\t// off\n\ta = 2;\n}\n",
     "void g(int a)\n{\n\t// on\n\t// off\n\ta = 2;\n}\n"),
    ("assignment", "a = 1", "void g(int a)\n{\n\tif (a)\n\t\ta = 1; /* x */ // y\n}\n",
     "void g(int a)\n{\n\tif (a)\n\t\t{}\n}\n"),
    ("assignment", "a = 1", "void g(int a)\n{\n\ta = 1; /* two\n\tlines */\n}\n",
     "void g(int a)\n{\n\t/* two\n\tlines */\n}\n"),
    ("assignment", "a = 1", "void g(int a)\n{\n\ta = 1; a = 2; // both\n}\n",
     "void g(int a)\n{\n\ta = 2; // both\n}\n"),
    ("assignment", "a = 1", "void g(int a) { a = 1; a = 2; }\n", "void g(int a) { a = 2; }\n"),
    ("assignment", "a = 1", "void g(int a) { if (a) a = 1; }\n", "void g(int a) { if (a) {} }\n"),
    ("assignment", "a = 1", "void g(int a) { switch (a) { case 1: a = 1; } }\n",
     "void g(int a) { switch (a) { case 1: ; } }\n"),
    ("assignment", "a++", "void g(int a) { for (a = 0; a < 3; a++) f(a); }\n",
     "void g(int a) { for (a = 0; a < 3; ) f(a); }\n"),
    ("assignment", "a++", "void g(int a) { for (int i = 0; a < 3; a++, i++) f(a); }\n",
     "void g(int a) { for (int i = 0; a < 3; i++) f(a); }\n"),
    ("assignment", "b = 2", "void g(int a, int b) { a = b = 2; }\n", "void g(int a, int b) { a = b; }\n"),
    ("assignment", "a = f(a)", "void g(int a) { a = f(a); }\n", "void g(int a) { f(a); }\n"),
    ("initialiser", "2", "void g(void) { int a = 1, b = 2; }\n", "void g(void) { int a = 1, b; }\n"),
    ("call", "f(a)", "void g(int a) { f(a); a = 1; }\n", "void g(int a) { a = 1; }\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "before", "after"), DELETIONS)
def test_deletion(kind, text, before, after, tmp_path):
    program = program_of(before, tmp_path)
    assert result(program, Edit(at(program, kind, text), Deletion())) == after


CHANGES = [
    ("condition", "p!=NULL", "p->next != 0", "void g(struct n *p) { while (p!=NULL) p = p->next; }\n",
     "void g(struct n *p) { while (p->next!=NULL) p = p->next; }\n"),
    ("condition", "a < 3", "a <= 3", "void g(int a) { for (a = 0; a < 3; a++) f(a); }\n",
     "void g(int a) { for (a = 0; a <= 3; a++) f(a); }\n"),
    ("condition", "p && p->d", "p", "void g(struct n *p) { if (p && p->d) p = 0; }\n",
     "void g(struct n *p) { if (p) p = 0; }\n"),
    ("condition", "p->next != NULL", "p == 0",
     "void g(struct n *p) { while (p->next != NULL) p = p->next; }\n",
     "void g(struct n *p) { while (p == NULL) p = p->next; }\n"),
    ("condition", "p->next!=NULL", "p == 0", "void g(struct n *p) { while (p->next!=NULL) p = p->next; }\n",
     "void g(struct n *p) { while (p==NULL) p = p->next; }\n"),
    ("condition", "p && !p->d", "p && p->d", "void g(struct n *p) { if (p && !p->d) p = 0; }\n",
     "void g(struct n *p) { if (p && p->d) p = 0; }\n"),
    ("return", "a", "a + 1", "int g(int a) { return a; }\n", "int g(int a) { return a + 1; }\n"),
    ("argument", "a", "a - 1", "void g(int a) { f(a); }\n", "void g(int a) { f(a - 1); }\n"),
    ("initialiser", "1", "a", "void g(int a) { int b = 1, c; }\n", "void g(int a) { int b = a, c; }\n"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "new", "before", "after"), CHANGES)
def test_new_value(kind, text, new, before, after, tmp_path):
    program = program_of(before, tmp_path)
    edit = Edit(at(program, kind, text), NewValue(parse_expression(program, "g", new)))
    assert result(program, edit) == after


ASSIGNMENTS = [
    ("p = p->next", "p = p", "void g(struct n *p) { p = p->next; }\n", "void g(struct n *p) { p = p; }\n"),
    ("p->next=p", "p->next->next = p", "void g(struct n *p) { p->next=p; }\n",
     "void g(struct n *p) { p->next->next=p; }\n"),
    ("a += 2", "a = a + 3", "void g(int a) { a += 2; }\n", "void g(int a) { a += 3; }\n"),
    ("a++", "a = a - 1", "void g(int a) { a++; }\n", "void g(int a) { a--; }\n"),
    ("a = b = 2", "a = 3", "void g(int a, int b) { a = b = 2; }\n",
     "void g(int a, int b) { b = 2, a = 3; }\n"),
    ("a = f(1)", "a = 3", "void g(int a) { a = f(1); }\n", "void g(int a) { f(1), a = 3; }\n"),
    ("a = b ? f(1) : 2", "a = 3", "void g(int a, int b) { a = b ? f(1) : 2; }\n",
     "void g(int a, int b) { b ? f(1) : 2, a = 3; }\n"),
    ("(b = a)", "a = 3", "void g(int a, int b) { while ((b = a) != 0) a--; }\n",
     "void g(int a, int b) { while ((a = 3, b) != 0) a--; }\n"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "new", "before", "after"), ASSIGNMENTS)
def test_new_assignment(text, new, before, after, tmp_path):
    program = program_of(before, tmp_path)
    assert result(program, Edit(at(program, "assignment", text), assign(program, new))) == after


IN_TABLES = [
    ("t[f(a)] = b", "a", "t[f(a)] = a"),
    ("t[f(a)] = f(b)", "a", "t[f(a)] = (f(b), a)"),
    ("t[f(a)] += 2", "b + 3", "t[f(a)] += 3"),
    ("t[f(a)]++", "b - 1", "t[f(a)]--"),
]


@pytest.mark.parametrize(("old", "new", "after"), IN_TABLES)
def test_a_call_in_what_is_assigned_to_is_written_once(old, new, after, tmp_path):
    program = program_of(f"int t[9];\nvoid g(int a, int b) {{ {old}; }}\n", tmp_path)
    location = at(program, "assignment", old)
    step = next(step for step in program.functions["g"].code if step.location == location)
    assert isinstance(step, Assign)
    made = parse_expression(program, "g", new)
    if isinstance(made, Binary):  # of what is assigned to
        made = replace(made, left=Load(step.target))
    edit = Edit(location, NewAssignment(step.target, made))
    assert result(program, edit) == f"int t[9];\nvoid g(int a, int b) {{ {after}; }}\n"


def test_null_is_spelled_as_the_file_does(tmp_path):
    body = "void g(struct n *p) { p = p->next; }\n"
    for head, null in ((HEAD, "NULL"), (HEAD.partition("\n")[2], "0")):
        program = program_of(body, tmp_path, head)
        variable = next(v for v in program.functions["g"].parameters)
        edit = Edit(
            at(program, "assignment", "p = p->next"), NewAssignment(variable, Constant(0, variable.type))
        )
        assert emit(program, Patch((edit,)))[0].decode().endswith(f"{{ p = {null}; }}\n")


def test_temporaries_are_written_as_their_source(tmp_path):
    program = program_of("int g(struct n *p) { return p->d + f(2); }\n", tmp_path)
    location = at(program, "return", "p->d + f(2)")
    step = next(step for step in program.functions["g"].code if step.location == location)
    new: Expression = Binary("-", step.value.left, step.value.right, step.value.type)
    assert result(program, Edit(location, NewValue(new))) == "int g(struct n *p) { return p->d - f(2); }\n"


def test_two_insertions_wrap_once(tmp_path):
    program = program_of("void g(int a)\n{\n  if (a)\n    a = 1;\n}\n", tmp_path)
    edits = [
        Edit(gap(program, kind, "a = 1"), assign(program, text))
        for kind, text in (("wrap-before", "a = 5"), ("wrap-after", "a = 6"))
    ]
    assert result(program, *edits) == (
        "void g(int a)\n{\n  if (a) {\n    a = 5;\n    a = 1;\n    a = 6;\n  }\n}\n"
    )


def test_inserted_call_and_description(tmp_path):
    program = program_of("void g(struct n *p)\n{\n  p = p->next;\n  p->d = 1;\n}\n", tmp_path)
    variable = program.functions["g"].parameters[0]
    edits = (
        Edit(gap(program, "before", "p = p"), NewCall("free", (Load(variable),))),
        Edit(at(program, "assignment", "p->d = 1"), Deletion()),
    )
    patch = Patch(tuple(sorted(edits, key=lambda edit: edit.location)))
    shown = [(text.kind, text.line, text.before, text.after) for text in describe(program, patch)]
    assert shown == [("insert", 6, "", "free(p);"), ("delete", 7, "p->d = 1", "")]


def test_what_stands_in_a_new_else_is_told_with_it(tmp_path):
    program = program_of("void g(int a)\n{\n  if (a)\n    a = 1;\n  a = 2;\n}\n", tmp_path)
    made = [assign(program, text) for text in ("a = 5", "a = 6")]
    place = gap(program, "else", "if (a)")
    for replacement, told in (
        (made[0], "else a = 5;"),
        (Several(tuple(made)), "else { a = 5; a = 6; }"),
    ):
        [shown] = describe(program, Patch((Edit(place, replacement),)))
        assert (shown.kind, shown.line, shown.after) == ("insert", 6, told)


def test_hot_text_maps_back(tmp_path):
    body = "void g(struct n *p)\n{\n  p = p->next;\n  p->d = 1; p->d = 2;\n}\n"
    program = program_of(body, tmp_path)
    content = program.files[0].content
    place = program.functions["g"].code[-3].target
    assert isinstance(place, Member)
    patch = Patch((Edit(gap(program, "before", "p->d = 2"), NewAssignment(place, Constant(5, place.type))),))
    hot = emit_hot(program, patch)[0]
    line = hot.content.split(b"\n")[6]
    assert line == b"  p->d = 1; p->d = 5; p->d = 2;"
    old = content.index(b"p->d = 2")
    assert hot.original_offset(7, 3) == content.index(b"p->d = 1") and not hot.inserted(7, 3)
    assert hot.original_offset(7, 15) == old and hot.inserted(7, 15)
    assert hot.original_offset(7, line.index(b"p->d = 2") + 1) == old
    assert not hot.inserted(7, line.index(b"p->d = 2") + 1)
    assert hot.original_offset(99, 1) is None


def test_untouched_bytes_and_missing_last_newline(tmp_path):
    head = "/* \xe9\xff */ #define X 1\nvoid g(int a)\n{\n  a = 1;\n  a = 2;\n}"
    path = tmp_path / "p.c"
    path.write_bytes(head.encode("latin-1"))
    program = load([path]).program
    patch = Patch((Edit(at_bytes(program, b"a = 2"), Deletion()),))
    assert emit(program, patch)[0] == head.encode("latin-1").replace(b"  a = 2;\n", b"")
    assert "\\ No newline at end of file" in diff(program, patch)


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("p.c", "--- a/p.c\n+++ b/p.c\n"),
        ("my list.c", "--- a/my list.c\t\n+++ b/my list.c\t\n"),
        ('odd "one"\t.c', '--- "a/odd \\"one\\"\\011.c"\n+++ "b/odd \\"one\\"\\011.c"\n'),
    ],
)
def test_patch_finds_the_file_whatever_its_name(name, header, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("void g(int a)\n{\n  a = 1;\n  a = 2;\n}\n")
    program = load([Path(name)]).program
    patch = Patch((Edit(at_bytes(program, b"a = 2"), Deletion()),))
    text = diff(program, patch)
    assert text.startswith(header)
    subprocess.run(["patch", "-p1", "-s"], input=text.encode(), check=True)
    assert Path(name).read_bytes() == emit(program, patch)[0]


def at_bytes(program: Program, text: bytes) -> int:
    content = program.files[0].content
    return next(
        location.id
        for location in program.locations
        if location.kind == "assignment" and content[location.span.start : location.span.end] == text
    )


def test_what_cannot_be_edited(tmp_path):
    program = program_of("int g(int a) { return a; }\n", tmp_path)
    with pytest.raises(SourceError, match="cannot be deleted"):
        emit(program, Patch((Edit(at(program, "return", "a"), Deletion()),)))
    with pytest.raises(SourceError, match="no location"):
        emit(program, Patch((Edit(9999, Deletion()),)))


def condition_at(program: Program, text: str) -> tuple[int, Expression]:
    location = at(program, "condition", text)
    steps = program.functions["g"].code
    return location, next(s.condition for s in steps if isinstance(s, Branch) and s.location == location)


def test_a_macro_that_calls_keeps_its_name_in_a_changed_condition(tmp_path):
    body = "int g(char *s) { while (isdigit(*s)) s++; return 0; }\n"
    program = program_of(body, tmp_path, "#include <ctype.h>\n")
    location, condition = condition_at(program, "isdigit(*s)")
    written = result(program, Edit(location, NewValue(Unary("!", condition, INT))))
    assert "while (!isdigit(*s)) s++;" in written


def test_a_negation_is_not_denied_but_dropped(tmp_path):
    program = program_of("void g(struct n *p) { if (!p->next) p = 0; }\n", tmp_path)
    location, condition = condition_at(program, "!p->next")
    edit = Edit(location, NewValue(Unary("!", condition, INT)))
    assert result(program, edit) == "void g(struct n *p) { if (p->next) p = 0; }\n"


def test_what_a_macro_computes_in_part_is_not_written(tmp_path):
    body = "int h(int c);\nint g(char *s) { while (ODD(*s)) s++; return 0; }\n"
    program = program_of(body, tmp_path, "#define ODD(c) (h(c) & 1)\n")
    location, condition = condition_at(program, "ODD(*s)")
    assert isinstance(condition, Binary)
    part = Patch((Edit(location, NewValue(condition.left)),))
    with pytest.raises(SourceError, match="cannot be written in part"):
        emit(program, part)


def test_the_effects_of_a_changed_sum_are_kept_without_the_sum(tmp_path):
    program = program_of("void g(int a, int b) { a += b ? f(1) : 2; }\n", tmp_path)
    edit = Edit(at(program, "assignment", "a += b ? f(1) : 2"), assign(program, "a = 3"))
    assert result(program, edit) == "void g(int a, int b) { b ? f(1) : 2, a = 3; }\n"


def test_offsetof_is_a_constant(tmp_path):
    body = "void g(char *p) { struct n *q = (struct n *)(p - offsetof(struct n, d)); q->d = 1; }\n"
    program = program_of(body, tmp_path, "#include <stddef.h>\n" + HEAD)
    values = [s.value for s in program.functions["g"].code if isinstance(s, Assign)]
    assert not [s for s in program.functions["g"].code if isinstance(s, Concrete)]
    assert "offsetof(struct n, d)" in written_text(values[0])


def test_a_call_that_is_gone_through_keeps_its_arguments(tmp_path):
    program = program_of(
        "struct n *h(struct n *p, int i) { return p; }\n"
        "int g(struct n *a) { if (h(a, (1))->next->d == 3) return h(a, 2)[0].d; return 0; }\n",
        tmp_path,
    )
    condition = at(program, "condition", "h(a, (1))->next->d == 3")
    step = next(
        s for s in program.functions["g"].code if isinstance(s, Branch) and s.location == condition
    ).condition
    assert isinstance(step, Binary)
    less = Patch((Edit(condition, NewValue(Binary("<", step.right, step.left, INT))),))
    assert "if (3 < h(a, (1))->next->d)" in emit(program, less)[0].decode()
    check(program, less)
    assert at(program, "fixed", "h(a, 2)")


def test_another_function_is_called(tmp_path):
    program = program_of(
        "struct n *one(struct n *p) { return p; }\n"
        "struct n *two(struct n *p) { return p->next; }\n"
        "int g(struct n *a) { one(a); return one(two(a))->next->d; }\n",
        tmp_path,
    )
    outer, inner = at(program, "callee", "one(two(a))"), at(program, "callee", "two(a)")
    edits = [(at(program, "call", "one(a)"), "two"), (outer, "two"), (inner, "one")]
    patch = Patch(tuple(Edit(location, OtherFunction(name)) for location, name in sorted(edits)))
    assert "two(a); return two(one(a))->next->d;" in emit(program, patch)[0].decode()
    check(program, patch)


UNTAGGED = """#include <stdlib.h>
typedef struct { int age; } person_t, *person;
typedef struct { int width; } *box;
struct { int depth; } *hole;
void g(person *team, box b) { person p = team[0]; free(p); free(b); free(hole); }
"""


def test_a_spare_variable_has_the_name_that_the_author_gave_the_struct(tmp_path: Path) -> None:
    program = program_of("", tmp_path, UNTAGGED)
    function, table = program.functions["g"], program.contexts["g"].table
    spares = [each for each in function.temporaries if each.name.startswith("saved")]
    assert [declarator(table, function, each) for each in spares] == ["person_t *saved", "box saved2"]


@pytest.mark.parametrize(
    "declared",
    [
        "typedef struct { int age; } person_t, *person;",
        "typedef struct { int age; } *person, person_t;",
        "typedef struct { int age; } *person;",
        "typedef struct p { int age; } *person;",
    ],
)
def test_a_declared_spare_variable_compiles_without_a_warning(tmp_path: Path, declared: str) -> None:
    body = "void g(person *team)\n{\n    team[0] = NULL;\n    free(team[0]);\n}\n"
    program = program_of(body, tmp_path, f"#include <stdlib.h>\n{declared}\n")
    spare = next(each for each in program.functions["g"].temporaries if each.name == "saved")
    kept = NewAssignment(spare, parse_expression(program, "g", "team[0]"))
    freed = next(each.id for each in program.locations if each.line == 6 and each.text == "team[0]")
    edits = (Edit(gap(program, "before", "team[0] = NULL"), kept), Edit(freed, NewValue(Load(spare))))
    written = tmp_path / "written.c"
    written.write_bytes(emit(program, Patch(edits))[0])
    done = subprocess.run(
        ["gcc", "-Wall", "-Werror", "-fsyntax-only", written], capture_output=True, check=False
    )
    assert done.stderr == b""


JOINS = [
    ("&&", "a || f(b)", "a && f(b)"),
    ("&&", "(a > 1) || /* or */ (f(b) > 2)", "(a > 1) && /* or */ (f(b) > 2)"),
    ("&&", "a > 1 || b || f(b)", "(a > 1 || b) && f(b)"),
    ("&&", "a || f(b) || f(a)", "a && f(b) || f(a)"),
    ("&&", "f(b) || a || f(a)", "(f(b) || a) && f(a)"),
    ("||", "a && f(b)", "a || f(b)"),
    ("||", "a && b && f(b)", "a && b || f(b)"),
    ("||", "f(b) && f(a) && f(1)", "f(b) && (f(a) || f(1))"),
    ("||", "!(a && f(b))", "!(a || f(b))"),
]


@pytest.mark.parametrize(("operator", "before", "after"), JOINS)
def test_what_joins_a_condition_with_one_that_calls(operator, before, after, tmp_path):
    body = "void g(int a, int b)\n{\n\twhile (%s)\n\t\tb = 0;\n}\n"
    program = program_of(body % before, tmp_path)
    function = program.functions["g"]
    joins = [step for step in function.code if isinstance(step, Branch) and joined(function, step)]
    edits = [Edit(step.location, OtherJoin(operator)) for step in joins]
    assert body % after in {result(program, each) for each in edits}
    for each in edits:
        assert emit_hot(program, Patch((each,)))[0].content.count(b"\n") == (HEAD + body).count("\n")


HEADS = """\
#define ALL(p, list) for (struct n *p = (list), *q = 0; p && p->d; p = p->next)
#define ODD(p, list) for (p = list; p; p = p->next) if (p->d % 2)
#define FROM(p, list) for (p = list; p; p = p->next)
void g(struct n *l) {
    ALL (m, l) { m->d = 0; }
    struct n *k;
    ODD (k, l) k->d = 1;
    FROM (k, l->next) k->d = 2;
}
"""


def test_the_head_of_a_loop_that_is_a_macros_is_written_out_with_another_step(tmp_path: Path) -> None:
    program = program_of(HEADS, tmp_path)
    steps = [each for each in program.locations if each.kind == "step"]
    assert [each.text for each in steps] == ["ALL (m, l)", "FROM (k, l->next)"]
    value = parse_expression(program, "g", "l")
    heads = [describe(program, Patch((Edit(each.id, NewValue(value)),)))[0].after for each in steps]
    assert heads[0] == "for (struct n * m = ( l ) , * q = 0; m && m->d; m = l)"
    assert heads[1] == "for (k = l->next; k; k = l)"
    for each in steps:
        check(program, Patch((Edit(each.id, NewValue(value)),)))
