"""Lowering one function definition, and what is collected on the way in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import Constant, VariableReference
from wolverine.core.program import RESULT_NAME, Assign, Function, Location, Span
from wolverine.core.types import Field, IntType
from wolverine.frontend.builder import Scope
from wolverine.frontend.declared import TypeTable, Unmodelled
from wolverine.frontend.effects import Effects
from wolverine.frontend.parse import Extent, TranslationUnit
from wolverine.frontend.places import Signature, classifying
from wolverine.frontend.preprocess import SourceMap
from wolverine.frontend.statements import Statements
from wolverine.frontend.tokens import Token


@dataclass
class Reading:
    """One translation unit on the way in."""

    path: str
    unit: TranslationUnit
    table: TypeTable
    texts: list[str]
    null: bool
    allocates: bool
    globals: dict[str, VariableReference] = field(default_factory=dict)
    signatures: dict[str, Signature] = field(default_factory=dict)
    definitions: list[tuple[Any, str]] = field(default_factory=list)
    before: dict[str, int] = field(default_factory=dict)  # globals declared in front of a function
    statics: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)  # in expressions, apart from calls
    failures: dict[str, str] = field(default_factory=dict)


@dataclass
class Whole:
    """The program under construction; `callable` are the functions that a pointer may lead to."""

    source: SourceMap
    callable: Mapping[str, Signature] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    locations: list[Location] = field(default_factory=list)
    statics: list[VariableReference] = field(default_factory=list)
    unnamed: dict[tuple[Field, ...], str] = field(default_factory=dict)  # tags of structs without a name
    warnings: list[str] = field(default_factory=list)


def lower_function(node: Any, name: str, reading: Reading, whole: Whole) -> Function:
    """A function definition as instructions; `unsupported` tells why it has none."""
    signature = reading.signatures[name]
    key = signature.key or name
    tokens = reading.unit.items.tokens
    body = node.body.coord
    effects = Effects(node.body, classifying(reading.signatures))
    lowering = Statements(key, tokens, whole.source, reading.table, reading.signatures, effects)
    lowering.callable = whole.callable
    operands = reading.unit.items.operands
    reading.table.typeof = lambda word: lowering.typeof(operands[word]) if word in operands else None
    lowering.scopes.append(Scope(dict(islice(reading.globals.items(), reading.before[name]))))
    failure = reading.failures.get(name, "")
    head = _head(reading.unit, body)
    span = lowering.span(Extent(body.start, body.end))
    line = lowering.span(Extent(_name_index(tokens, head, name), body.end)).line
    parameters: tuple[VariableReference, ...] = ()
    try:
        repeated = _repeated(node)
        parameters = _parameters(node, signature, lowering, repeated, line)
        if failure:
            raise Unmodelled(failure)
        lowering.begin(signature.result, repeated)
        lowering.header(Extent(head, body.start + 1), 0)
        lowering.whole(node.body)
        if name == "main" and signature.result == IntType("int", 4) and lowering.reachable:
            lowering.emit(
                Assign(-1, VariableReference(RESULT_NAME, signature.result), Constant(0, signature.result)),
                False,
            )
        lowering.put(lowering.end_label)
        lowering.return_instruction(signature.result, Extent(body.end - 1, body.end))
        function = lowering.finish(span.file, line, parameters, signature.result, span)
    except (Unmodelled, RecursionError) as reason:
        text = str(reason) if isinstance(reason, Unmodelled) else "nested too deeply"
        return Function(key, span.file, line, parameters, (), (), signature.result, (), (), (), span, text)
    return _numbered(function, lowering, whole)


def _head(unit: TranslationUnit, body: Extent) -> int:
    for item in unit.items.items:
        if item.start <= body.start < item.end:
            return item.start
    return body.start


def _name_index(tokens: Sequence[Token], start: int, name: str) -> int:
    index = start
    while tokens[index].text != name:
        index += 1
    return index


def _repeated(node: Any) -> frozenset[str]:
    """The names that a function declares more than once."""
    counts: Counter[str] = Counter()
    work = [node.body]
    if node.decl.type.args is not None:
        counts.update(
            parameter.name for parameter in node.decl.type.args.params if getattr(parameter, "name", None)
        )
    while work:
        current = work.pop()
        if isinstance(current, c_ast.Decl) and current.name is not None:
            counts[current.name] += 1
        work.extend(child for _, child in current.children())
    return frozenset(name for name, count in counts.items() if count > 1)


def _parameters(
    node: Any, signature: Signature, lowering: Statements, repeated: frozenset[str], line: int
) -> tuple[VariableReference, ...]:
    lowering.scopes.append(Scope())
    result = []
    declared = [
        parameter
        for parameter in (node.decl.type.args.params if node.decl.type.args is not None else [])
        if not isinstance(parameter, c_ast.EllipsisParam)
    ]
    for parameter, ctype in zip(declared, signature.parameters or ()):
        name = parameter.name
        if name is None:
            continue
        spelled = f"{name}@{line}" if name in repeated else name
        constant = lowering.table.constant_parameter(parameter) if isinstance(parameter, c_ast.Decl) else 0
        variable = VariableReference(spelled, ctype, constant=constant)
        lowering.declare(name, variable)
        result.append(variable)
    return tuple(result)


def _numbered(function: Function, lowering: Statements, whole: Whole) -> Function:
    """The function with program-wide location numbers, ordered as the source is."""
    order = sorted(lowering.locations, key=_source_order)
    base = len(whole.locations)
    number = {-1: -1}
    for index, location in enumerate(order):
        number[location.id] = base + index
        whole.locations.append(replace(location, id=base + index))
    whole.statics.extend(lowering.statics)
    return replace(
        function,
        code=tuple(
            replace(instruction, location=number[instruction.location]) for instruction in function.code
        ),
    )


def _source_order(location: Location) -> tuple[int, int, int, int]:
    span: Span = location.span
    if location.kind != "gap":
        return span.file, span.start, 1, location.id
    if location.gap in ("before", "wrap-before"):
        return span.file, span.start, 0, location.id
    return span.file, span.end, 2, location.id
