"""Trees that an execution shows as chains only: sorted keys make a search tree of right children.

What the program does with the links tells: it goes on over both, by calling itself for each or by sending one
variable on over either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.expressions import Dereference, Expression, Load, Member, VariableReference
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Call, Function, Program
from wolverine.core.types import StructReference
from wolverine.semantics.shape import Shape


def as_tree(program: Program, shape: Shape) -> Shape:
    """The shape as a tree, where it is a chain of nodes with two links and the program goes on over both."""
    if shape.form != "list" or len(shape.forward) != 2 or not shape.nodes:
        return shape
    wanted = {field.name for field in shape.forward}
    if any(wanted <= names for f in program.functions.values() for names in _gone_over(f, shape.tag)):
        return replace(shape, form="tree")
    return shape


def _gone_over(function: Function, tag: str) -> Iterator[set[str]]:
    """The links over which the function calls itself, and over which each of its variables goes on."""
    passed: dict[str, set[str]] = {}
    moved: dict[str, set[str]] = {}
    called: set[str] = set()
    for step in function.code:
        match step:
            case Assign(_, VariableReference(name), value):
                links = list(_links(value, tag))
                passed[name] = {link for link, _ in links}
                moved.setdefault(name, set()).update(link for link, at in links if at == name)
            case Call(_, name, arguments) if name == function.name:
                for argument in arguments:
                    match argument:
                        case Load(VariableReference(given)):
                            called |= passed.get(given, set())
    yield called
    yield from moved.values()


def _links(value: Expression, tag: str) -> Iterator[tuple[str, str]]:
    """The links of such nodes that an expression reads, each with the variable that leads to the node."""
    for part in parts(value):
        match part:
            case Load(Member(Dereference(Load(VariableReference(at)), StructReference(found)), name)):
                if found == tag:
                    yield name, at
