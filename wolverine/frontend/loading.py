"""From C files to a `Program`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import Constant, VariableReference
from wolverine.core.program import Assign, Function, Location, Span
from wolverine.core.types import ArrayType, CType, FunctionType, IntType, PointerType, VoidType
from wolverine.errors import SourceError
from wolverine.frontend.builder import Scope
from wolverine.frontend.constants import evaluate
from wolverine.frontend.context import Context, LoadedProgram
from wolverine.frontend.declared import TypeTable, Unmodelled
from wolverine.frontend.effects import Effects
from wolverine.frontend.initialisers import completed
from wolverine.frontend.items import prepare
from wolverine.frontend.parse import Extent, TranslationUnit, deep_recursion, parse
from wolverine.frontend.places import Signature
from wolverine.frontend.preprocess import SourceMap, align, compiler_complaint, preprocess
from wolverine.frontend.statements import Statements
from wolverine.frontend.tokens import Token, lex

MAX_BYTES = 2_000_000


@dataclass(frozen=True)
class Loaded:
    """A program and what its user should know: the functions that are debugged without repair."""

    program: LoadedProgram
    warnings: tuple[str, ...]


@dataclass
class _Reading:
    """One translation unit on the way in."""

    path: str
    unit: TranslationUnit
    table: TypeTable
    texts: list[str]
    null: bool
    globals: dict[str, VariableReference] = field(default_factory=dict)
    signatures: dict[str, Signature] = field(default_factory=dict)
    definitions: list[tuple[Any, str]] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)


@dataclass
class _Whole:
    """The program under construction."""

    source: SourceMap
    functions: dict[str, Function] = field(default_factory=dict)
    locations: list[Location] = field(default_factory=list)
    statics: list[VariableReference] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def load(paths: Sequence[Path], cflags: Sequence[str] = (), gcc: str = "gcc") -> Loaded:
    """Read, parse and lower C files.

    Raises SourceError (with gcc's own message) for what gcc does not accept and for files that cannot
    be read, ToolMissingError without gcc.  A function that is not understood is kept with the reason
    in `unsupported`, and named in the warnings.
    """
    source = SourceMap()
    names = [str(path) for path in paths]
    for name in names:
        source.number(name)
    whole = _Whole(source)
    readings: list[_Reading] = []
    with deep_recursion():
        for number, name in enumerate(names):
            if len(source.files[number].content) > MAX_BYTES:
                whole.warnings.append(
                    f"{name}: larger than {MAX_BYTES // 1_000_000} MB, debugged without repair"
                )
                continue
            readings.append(_read(name, names, source, whole, cflags, gcc))
        defined = {name for reading in readings for _, name in reading.definitions}
        for reading in readings:
            _lower_all(reading, whole, defined)
    program = _program(whole, readings)
    program = replace(program, paths=tuple(names), cflags=tuple(cflags), gcc=gcc)
    return Loaded(program, tuple(whole.warnings))


def _read(
    path: str, names: Sequence[str], source: SourceMap, whole: _Whole, cflags: Sequence[str], gcc: str
) -> _Reading:
    printed = preprocess(path, cflags, gcc)
    user_files = _user_files({token.output for token in printed}, names)
    tokens = align(printed, source, user_files.__contains__)
    unit = parse(prepare(tokens))
    failed = [parsed for parsed in unit.parsed if parsed.failure and parsed.own]
    if failed:
        complaint = compiler_complaint(path, cflags, gcc)
        if complaint:
            raise SourceError(complaint)
    table = TypeTable()
    table.evaluate = lambda node: evaluate(node, table)
    null = any(token.path.endswith("/stddef.h") for token in printed)
    reading = _Reading(path, unit, table, source.texts, null)
    for parsed in unit.parsed:
        if parsed.failure and parsed.own and not parsed.nodes:
            token = unit.items.tokens[parsed.extent.start]
            line = source.lines[token.file].line(token.start) if token.file >= 0 else 0
            whole.warnings.append(f"{path}:{line}: declaration {parsed.failure}")
        for node in parsed.nodes:
            _take_in(node, parsed.own, parsed.failure, reading, whole)
    return reading


def _user_files(paths: set[str], names: Sequence[str]) -> set[str]:
    """The files of the program: those given and the headers beside them, not the system's."""
    result = set(names) & paths
    for path in paths:
        if not path.startswith(("<", "/usr/", "/lib/", "/opt/")) and Path(path).is_file():
            result.add(path)
    return result


def _take_in(node: Any, own: bool, failure: str, reading: _Reading, whole: _Whole) -> None:
    """Note a file-scope declaration or definition."""
    try:
        if isinstance(node, c_ast.FuncDef):
            signature = _signature(node.decl.type, node.param_decls, reading.table, True)
            reading.signatures[node.decl.name] = replace(signature, defined=own)
            if own:
                reading.definitions.append((node, node.decl.name))
                if failure:
                    reading.failures[node.decl.name] = failure
        elif isinstance(node, c_ast.Typedef):
            reading.table.declare(node)
        elif isinstance(node, c_ast.Decl):
            _take_declaration(node, own, reading)
    except Unmodelled as unmodelled:
        if own:
            whole.warnings.append(f"{reading.path}: {getattr(node, 'name', '')}: {unmodelled}")
    except (KeyError, AttributeError, RecursionError) as error:
        if own:
            whole.warnings.append(f"{reading.path}: {getattr(node, 'name', '')}: {error!r}")


def _take_declaration(node: Any, own: bool, reading: _Reading) -> None:
    if isinstance(node.type, c_ast.FuncDecl):
        known = reading.signatures.get(node.name)
        signature = _signature(node.type, None, reading.table, False)
        if known is None or not known.defined:
            reading.signatures[node.name] = signature
        return
    ctype = reading.table.resolve(node.type)
    if node.name is None:
        return
    if isinstance(ctype, ArrayType) and ctype.length == 0 and node.init is not None:
        ctype = completed(ctype, node.init)
    if own and not isinstance(ctype, FunctionType):
        known_variable = reading.globals.get(node.name)
        if known_variable is None or reading.table.size(known_variable.type) == 0:
            reading.globals[node.name] = VariableReference(node.name, ctype, "global")


def _signature(node: Any, old_style: Any, table: TypeTable, definition: bool) -> Signature:
    """The types of a function's head; arrays and functions as parameters are pointers."""
    result = table.resolve(node.type)
    parameters = node.args.params if node.args is not None else []
    if node.args is None and not definition:
        return Signature(result, None)
    types: list[CType] = []
    variadic = False
    declared = {decl.name: decl for decl in old_style or []}
    for parameter in parameters:
        if isinstance(parameter, c_ast.EllipsisParam):
            variadic = True
            continue
        types.append(_parameter_type(parameter, declared, table))
    if len(types) == 1 and isinstance(types[0], VoidType):
        types = []
    return Signature(result, tuple(types), variadic)


def _parameter_type(parameter: Any, declared: Mapping[str, Any], table: TypeTable) -> CType:
    if isinstance(parameter, c_ast.ID):
        node = declared.get(parameter.name)
        if node is None:
            return IntType("int", 4)
        parameter = node
    if isinstance(parameter.type, c_ast.ArrayDecl):
        return PointerType(table.resolve(parameter.type.type))
    ctype = table.resolve(parameter.type)
    if isinstance(ctype, ArrayType):
        return PointerType(ctype.element)
    if isinstance(ctype, FunctionType):
        return PointerType(ctype)
    return ctype


def _lower_all(reading: _Reading, whole: _Whole, defined: set[str]) -> None:
    for name, signature in list(reading.signatures.items()):
        if name in defined and not signature.defined:
            reading.signatures[name] = replace(signature, defined=True)
    for node, name in reading.definitions:
        if name in whole.functions:
            whole.warnings.append(f"{reading.path}: a second function {name} is debugged without repair")
            continue
        function = _lower(node, name, reading, whole)
        if function is None:
            continue
        if function.unsupported:
            whole.warnings.append(f"{name} is debugged without repair: {function.unsupported}")
        whole.functions[name] = function


def _lower(node: Any, name: str, reading: _Reading, whole: _Whole) -> Function | None:
    signature = reading.signatures[name]
    tokens = reading.unit.items.tokens
    body = node.body.coord
    effects = Effects(node.body)
    lowering = Statements(name, tokens, whole.source, reading.table, reading.signatures, effects)
    lowering.scopes.append(Scope(dict(reading.globals)))
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
        lowering.block(node.body)
        if name == "main" and signature.result == IntType("int", 4) and lowering.reachable:
            lowering.emit(
                Assign(-1, VariableReference("$return", signature.result), Constant(0, signature.result)),
                False,
            )
        lowering.put(lowering.end_label)
        lowering.return_instruction(signature.result, Extent(body.end - 1, body.end))
        function = lowering.finish(span.file, line, parameters, signature.result, span)
    except (Unmodelled, RecursionError) as reason:
        text = str(reason) if isinstance(reason, Unmodelled) else "nested too deeply"
        return Function(name, span.file, line, parameters, (), (), signature.result, (), (), (), span, text)
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
    names = [
        parameter.name
        for parameter in (node.decl.type.args.params if node.decl.type.args is not None else [])
        if not isinstance(parameter, c_ast.EllipsisParam)
    ]
    for name, ctype in zip(names, signature.parameters or ()):
        if name is None:
            continue
        spelled = f"{name}@{line}" if name in repeated else name
        variable = VariableReference(spelled, ctype)
        lowering.declare(name, variable)
        result.append(variable)
    return tuple(result)


def _numbered(function: Function, lowering: Statements, whole: _Whole) -> Function:
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


def _context(reading: _Reading) -> Context:
    macros: dict[tuple[int, int, int], list[str]] = {}
    for token in reading.unit.items.tokens:
        if token.file >= 0 and not token.direct:
            macros.setdefault((token.file, token.start, token.end), []).append(token.text)
    spelled = {}
    for (file, start, end), expansion in macros.items():
        text = reading.texts[file][start:end]
        words = tuple(text[lexeme.start : lexeme.end] for lexeme in lex(text).lexemes)
        spelled[words] = tuple(expansion)
    if reading.null:
        spelled.setdefault(("NULL",), ("(", "(", "void", "*", ")", "0", ")"))
    return Context(
        reading.table, reading.signatures, reading.globals, spelled, "NULL" if ("NULL",) in spelled else "0"
    )


def _program(whole: _Whole, readings: Sequence[_Reading]) -> LoadedProgram:
    structs = {}
    contexts: dict[str, Context] = {}
    variables: dict[str, VariableReference] = {}
    for reading in readings:
        structs.update(reading.table.structs)
        context = _context(reading)
        for _, name in reading.definitions:
            contexts.setdefault(name, context)
        for name, variable in reading.globals.items():
            variables.setdefault(name, variable)
    types = TypeTable(structs=structs).types()
    return LoadedProgram(
        tuple(whole.source.files),
        types,
        (*variables.values(), *whole.statics),
        whole.functions,
        tuple(whole.locations),
        contexts,
        whole.source,
    )
