"""New nodes as C text: as the program writes its other allocations, with the header that declares them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from wolverine.core.expressions import Constant, lvalue_text
from wolverine.core.parts import step_parts
from wolverine.core.patch import Edit, NewNode, Patch
from wolverine.core.program import Assign
from wolverine.core.types import PointerType
from wolverine.frontend import check, emit, emit_hot, load
from wolverine.frontend.context import LoadedProgram
from wolverine.repair.menus.allocations import string_copies, string_copy
from wolverine.repair.menus.vocabulary import Vocabulary

TEXT = """\
#include <stdio.h>
typedef struct node { int v; struct node *next; } Node;
struct other { int x; };
Node *head;
EXAMPLE
void f(Node *c, Node **h)
{
    Node *x;
    c->v = 1;
}
int main(void) { return 0; }
"""


def program_of(folder: Path, text: str) -> LoadedProgram:
    path = folder / "p.c"
    path.write_text(text)
    return load([path]).program


def new_node(program: LoadedProgram, place: str, *, zeroed: bool = False) -> Patch:
    """A new node for the place, at the beginning of `f`."""
    vocabulary = Vocabulary(program, "f")
    gap = next(x for x in program.locations if x.function == "f" and x.kind == "gap")
    target = next(p for p in vocabulary.places(vocabulary.scope(gap)) if lvalue_text(p) == place)
    assert isinstance(target.type, PointerType)
    size = program.types.size(target.type.target)
    return Patch((Edit(gap.id, NewNode(target, size, zeroed)),))


@pytest.mark.parametrize(
    ("example", "place", "written"),
    [
        ("", "c->next", "malloc(sizeof(*c->next))"),
        ("", "*h", "malloc(sizeof(**h))"),
        ("Node *m(void) { Node *q = malloc(sizeof(Node)); return q; }", "head", "malloc(sizeof(Node))"),
        (
            "Node *m(void) { Node *q; q = (Node *) malloc(sizeof *q); return q; }",
            "c->next",
            "(Node *) malloc(sizeof *c->next)",
        ),
        ("Node *m(void) { Node *q = malloc(2 * sizeof *q); return q; }", "head", "malloc(sizeof(*head))"),
        (
            "struct other *m(void) { struct other *q = (struct other *)malloc(sizeof(*q)); return q; }",
            "head->next",
            "(Node *)malloc(sizeof(*head->next))",
        ),
        ("Node *m(int n) { Node *q = malloc(n); return q; }", "head", "malloc(sizeof(*head))"),
        (
            "#define NEW(T) ((T *)malloc(sizeof(T)))\nNode *m(void) { Node *q = NEW(Node); return q; }",
            "head",
            "malloc(sizeof(*head))",
        ),
    ],
)
def test_as_the_program_allocates(example: str, place: str, written: str, tmp_path: Path) -> None:
    text = "#include <stdlib.h>\n" + TEXT.replace("EXAMPLE", example)
    program = program_of(tmp_path, text)
    patch = new_node(program, place)
    check(program, patch)
    assert emit(program, patch)[0].decode().count("#include") == 2
    assert f"    {place} = {written};" in emit(program, patch)[0].decode().split("\n")
    assert f"{place} = {written};" in emit_hot(program, patch)[0].content.decode()


def test_cleared_nodes(tmp_path: Path) -> None:
    """A program that clears its nodes gets cleared ones."""
    example = "Node *m(void) { Node *q = calloc(1, sizeof(Node)); return q; }"
    program = program_of(tmp_path, "#include <stdlib.h>\n" + TEXT.replace("EXAMPLE", example))
    patch = new_node(program, "c->next", zeroed=True)
    check(program, patch)
    assert "c->next = calloc(1, sizeof(Node));" in emit(program, patch)[0].decode()


@pytest.mark.parametrize("first", ["#include <stdio.h>\n", "", "#if 1\n#include <stdio.h>\n#endif\n"])
def test_the_header_is_included_where_nothing_declares_malloc(first: str, tmp_path: Path) -> None:
    program = program_of(tmp_path, first + TEXT.replace("#include <stdio.h>\n", "").replace("EXAMPLE\n", ""))
    patch = new_node(program, "head->next")
    check(program, patch)
    [content] = emit(program, patch)
    assert content.decode().count("#include <stdlib.h>\n") == 1
    written = tmp_path / "written.c"
    written.write_bytes(content)
    subprocess.run(["gcc", "-Wall", "-Werror", "-Wno-unused", "-fsyntax-only", str(written)], check=True)
    assert len(emit_hot(program, patch)[0].content.split(b"\n")) == len(program.files[0].content.split(b"\n"))


def test_instead_of_what_is_assigned(tmp_path: Path) -> None:
    """A node in the place of an initialiser, and of an assigned value."""
    text = TEXT.replace("EXAMPLE", "Node *m(void) { Node *q = (Node *)malloc(sizeof(Node)); return q; }")
    text = text.replace("Node *x;\n    c->v = 1;", "Node *x = NULL, *y = head;\n    c->next = c;\n    x = y;")
    program = program_of(tmp_path, "#include <stdlib.h>\n" + text)
    edits = []
    for index, step in enumerate(program.functions["f"].code):
        if isinstance(step, Assign) and index and isinstance(step.target.type, PointerType):
            edits.append(Edit(step.location, NewNode(step.target, 16)))
    assert len(edits) == 4
    for edit in edits:
        check(program, Patch((edit,)))
    check(program, Patch(tuple(edits)))
    written, made = emit(program, Patch(tuple(edits)))[0].decode(), "(Node *)malloc(sizeof(Node))"
    for each in (f"Node *x = {made}, *y = {made};", f"c->next = {made};", f"x = {made};"):
        assert f"\n    {each}" in written
    assert written.count(made) == 5


def test_a_string_is_copied_wherever_a_pointer_to_it_was_kept(tmp_path: Path) -> None:
    program = program_of(
        tmp_path,
        """\
#include <string.h>
struct word { char *text; struct word *next; };
struct word *all;
char *first(void) { return strdup("a"); }
void f(struct word *w, struct word *v)
{
    char *t = w->text, *last;
    last = t;
    v->next->text = last;
    *v = *w;
}
""",
    )
    edits = []
    for step in program.functions["f"].code:
        if isinstance(step, Assign) and (copy := string_copy(step.target, step.value)) is not None:
            edits.append(Edit(step.location, copy))
    end = max(x.id for x in program.locations if x.function == "f" and x.kind == "gap")
    edits.append(Edit(end, next(string_copies([edits[-1].replacement.target]))))
    for edit in edits:
        check(program, Patch((edit,)))
    check(program, Patch(tuple(edits)))
    emit_hot(program, Patch(tuple(edits)))
    written = emit(program, Patch(tuple(edits)))[0].decode()
    copies = ("char *t = strdup(w->text), *last;", "last = strdup(t);", "v->next->text = strdup(last);")
    for each in (*copies, "*v = *w;\n    v->next->text = strdup(v->next->text);"):
        assert f"\n    {each}" in written
    assert "stdlib.h" not in written


def test_a_size_that_a_macro_asks_for_is_no_number_of_the_program(tmp_path: Path) -> None:
    text = """#include <stdlib.h>
#define NEW(type) ((type *)malloc(sizeof(type)))
struct node { int key; struct node *next; };
struct node *make(int key) {
    struct node *n = NEW(struct node);
    n->key = key + 3;
    return n;
}
int main(void) { return 0; }
"""
    program = program_of(tmp_path, text)
    known = Vocabulary(program, "make")
    assert 3 in known.constants and not {8, 16} & set(known.constants)
    sizes = [p for s in program.functions["make"].code for p in step_parts(s) if isinstance(p, Constant)]
    assert "sizeof(struct node)" in {size.text for size in sizes}
