"""Trees that an execution shows as chains only: sorted keys make a search tree of right children.

What the program does with the links tells: it goes on over both, by calling itself for each or by sending one
variable on over either.  Of nodes with more links, which are a sorted list before they make up a tree, it
tells as well which of them go together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import Dereference, Expression, Load, Member, VariableReference, variables
from wolverine.core.graph import MemoryGraph
from wolverine.core.parts import parts, step_parts
from wolverine.core.program import Assign, Branch, Call, Function, Instruction, Program, successors
from wolverine.core.types import StructReference
from wolverine.semantics.shape import Shape, target

_FEW = 2  # nodes of which nothing tells whether their links make a chain or a tree
_PAIR = 2  # links of a tree


def as_tree(program: Program, shape: Shape) -> Shape:
    """The shape as a tree, where it is a chain of nodes with two links and the program goes on over both."""
    if shape.form != "list" or len(shape.forward) != 2 or not shape.nodes:
        return shape
    wanted = {field.name for field in shape.forward}
    if any(wanted <= names for f in program.functions.values() for names in _gone_over(f, shape.tag)):
        return replace(shape, form="tree")
    return shape


def as_gone_over(program: Program, start: MemoryGraph, shape: Shape, functions: Collection[str]) -> Shape:
    """The shape as a list or a tree of the links that belong together, where its nodes have more than two.

    The program goes on over two of them, which make a tree, or over one alone, which makes a list.  Where no
    link is set yet, that is meant which the functions speak of.
    """
    if shape.form not in ("empty", "tree") or len(shape.forward) <= _PAIR:
        return shape
    names = {field.name for field in shape.forward}
    gone = [names & each for f in program.functions.values() for each in _gone_over(f, shape.tag)]
    pairs = {frozenset(each) for each in gone if len(each) == _PAIR}
    single = {name for each in gone if len(each) == 1 for name in each}
    single -= {name for each in gone if len(each) > 1 for name in each}
    used = {f.name for node in shape.nodes for f in shape.forward if target(start, node, f) is not None}
    if not used:
        used = names & {
            name
            for function in functions
            if function in program.functions
            for name in _spoken_of(program.functions[function], shape.tag)
        }
    chain = used if len(shape.nodes) <= _FEW and len(used) == 1 and used <= single else None
    pair = next(iter(pairs), None) if len(pairs) == 1 and used and used <= next(iter(pairs)) else None
    first = chain or pair
    if first is None:
        return shape
    forward = tuple(sorted(shape.forward, key=lambda field: field.name not in first))
    return replace(shape, form="list" if chain else "tree", forward=forward)


def _spoken_of(function: Function, tag: str) -> Iterator[str]:
    """The fields of such nodes that the function reads or writes."""
    for step in function.code:
        match step:
            case Assign(_, Member(Dereference(_, StructReference(found)), name)) if found == tag:
                yield name
        for part in step_parts(step):
            match part:
                case Load(Member(Dereference(_, StructReference(found)), name)) if found == tag:
                    yield name


def goes_down(function: Function, tag: str, links: set[str]) -> bool:
    """Whether the function goes down a tree: it calls itself over each of the links, or a loop takes either.

    The loop is left by what its variable holds; where a program that asks what to do walks either way in a
    list, it is not.
    """
    called, *_ = _gone_over(function, tag)
    if links <= called:
        return True
    code = function.code
    moves: dict[str, list[tuple[int, str]]] = {}
    for index, step in enumerate(code):
        match step:
            case Assign(_, VariableReference(name), value):
                moves.setdefault(name, []).extend(
                    (index, link) for link, at in _links(value, tag) if at == name
                )
    for name, found in moves.items():
        if links <= {link for _, link in found}:
            for index, _ in found:
                loop = _loop(code, index, name)
                if links <= {link for at, link in found if at in loop}:
                    return True
    return False


def _loop(code: Sequence[Instruction], index: int, name: str) -> set[int]:
    """The instructions of the loop around one of them, if it is left by what a variable holds; else none."""
    behind = _behind(code, index)
    inside = {each for each in behind if index in _behind(code, each)}
    left = any(
        isinstance(step := code[each], Branch)
        and name in variables(step.condition)
        and not inside.issuperset(successors(step, each))
        for each in inside
    )
    return inside if left else set()


def _behind(code: Sequence[Instruction], index: int) -> set[int]:
    """The instructions that may be executed after one of them."""
    seen: set[int] = set()
    work = [*successors(code[index], index)]
    while work:
        at = work.pop()
        if at < len(code) and at not in seen:
            seen.add(at)
            work += successors(code[at], at)
    return seen


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
