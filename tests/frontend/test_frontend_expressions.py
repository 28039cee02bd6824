"""Printed expressions parse back to themselves."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from wolverine.core.expressions import (
    AddressOf,
    Binary,
    Conditional,
    Constant,
    Dereference,
    Element,
    Expression,
    Load,
    Logical,
    Member,
    Unary,
    VariableReference,
    text,
)
from wolverine.core.types import INT, LONG, ArrayType, PointerType, StructReference
from wolverine.errors import SourceError
from wolverine.frontend import load, parse_expression
from wolverine.frontend.reparse import normal

SOURCE = (
    "#include <stddef.h>\nstruct n { struct n *next; int d; int a[3]; };\n"
    "void g(struct n *p, struct n *q, int i, int j, int *v) { p = NULL; }\n"
)
NODE = StructReference("n")
NODE_POINTER = PointerType(NODE)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = Path(tmp_path_factory.mktemp("expressions")) / "p.c"
    path.write_text(SOURCE)
    return load([path]).program


def field(pointer: Expression, name: str) -> Expression:
    offset, ctype = {"next": (0, NODE_POINTER), "d": (8, INT)}[name]
    return Load(Member(Dereference(pointer, NODE), name, offset, ctype))


pointers: st.SearchStrategy[Expression] = st.recursive(
    st.sampled_from([Load(VariableReference(name, NODE_POINTER)) for name in "pq"]),
    lambda inner: st.one_of(
        st.builds(lambda pointer: field(pointer, "next"), inner),
        st.builds(lambda pointer, count: Binary("+", pointer, Constant(count, LONG), NODE_POINTER), inner,
                  st.integers(0, 5)),
        st.builds(lambda a, b: Conditional(a, a, b, NODE_POINTER), inner, inner),
    ),
    max_leaves=5,
)  # fmt: skip


def element(pointer: Expression, index: int) -> Expression:
    array = Member(Dereference(pointer, NODE), "a", 12, ArrayType(INT, 3))
    return Load(Element(array, Constant(index, LONG), INT))


numbers: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(
        st.sampled_from([Load(VariableReference(name, INT)) for name in "ij"]),
        st.builds(lambda value: Constant(value, INT), st.integers(0, 1000)),
        st.builds(lambda pointer: field(pointer, "d"), pointers),
        st.builds(element, pointers, st.integers(0, 2)),
        st.builds(
            lambda a, b, op: Binary(op, a, b, INT),
            pointers,
            st.one_of(pointers, st.just(Constant(0, NODE_POINTER, "NULL"))),
            st.sampled_from(["==", "!="]),
        ),
    ),
    lambda inner: st.one_of(
        st.builds(lambda op, a, b: Binary(op, a, b, INT),
                  st.sampled_from(["+", "-", "*", "/", "%", "<<", "&", "^", "|", "<", ">="]), inner, inner),
        st.builds(lambda op, a, b: Logical(op, a, b), st.sampled_from(["&&", "||"]), inner, inner),
        st.builds(lambda op, a: Unary(op, a, INT), st.sampled_from(["!", "~"]), inner),
        st.builds(lambda a: Unary("!", a, INT), pointers),
        st.builds(lambda a, b, c: Conditional(a, b, c, INT), inner, inner, inner),
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=examples(80, 400), deadline=None)
@given(expression=st.one_of(numbers, pointers))
def test_print_and_parse(program, expression):
    assert normal(parse_expression(program, "g", text(expression))) == normal(expression)


def test_addresses(program):
    place = Member(Dereference(Load(VariableReference("p", NODE_POINTER)), NODE), "d", 8, INT)
    assert parse_expression(program, "g", "&p->d") == AddressOf(place, PointerType(INT))


@pytest.mark.parametrize(
    "wrong", ["", "p->", "p = q", "i++", "nothing", "p + q", "1 2", "*i", "f(1)", "p->zz"]
)
def test_what_is_no_expression_here(program, wrong):
    with pytest.raises(SourceError):
        parse_expression(program, "g", wrong)


def test_what_few_know_to_bind_is_put_into_parentheses() -> None:
    a, b, c = (Load(VariableReference(name, INT)) for name in "abc")

    def made(operator: str, left: Expression, right: Expression) -> Expression:
        return Binary(operator, left, right, INT)

    written = {
        "a & (b - c)": made("&", a, made("-", b, c)),
        "a | b | c": made("|", made("|", a, b), c),
        "a | (b | c)": made("|", a, made("|", b, c)),
        "(a + b) << c": made("<<", made("+", a, b), c),
        "a - (b - c)": made("-", a, made("-", b, c)),
        "a * b & c": made("&", made("*", a, b), c),
        "(a & b) == c": made("==", made("&", a, b), c),
    }
    assert {text(each) for each in written.values()} == written.keys()
    assert all(text(each) == words for words, each in written.items())
