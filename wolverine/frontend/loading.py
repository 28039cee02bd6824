"""From C files to a `Program`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pycparser import c_ast

from wolverine.core.expressions import VariableReference
from wolverine.core.types import ArrayType, CType, FunctionType, IntType, VoidType
from wolverine.errors import SourceError
from wolverine.frontend.arguments import Template, template
from wolverine.frontend.constants import evaluate
from wolverine.frontend.context import Context, LoadedProgram
from wolverine.frontend.declared import TypeTable, Unmodelled
from wolverine.frontend.functions import Reading, Whole, lower_function
from wolverine.frontend.headings import headers
from wolverine.frontend.initialisers import completed
from wolverine.frontend.items import prepare
from wolverine.frontend.naming import labels, tell_apart, visible_elsewhere
from wolverine.frontend.parse import deep_recursion, parse
from wolverine.frontend.places import Signature
from wolverine.frontend.preprocess import SourceMap, align, compiler_complaint, is_system, preprocess
from wolverine.frontend.spares import with_spares
from wolverine.frontend.tokens import Token, lex

MAX_BYTES = 2_000_000


@dataclass(frozen=True)
class Loaded:
    """A program and what its user should know: the functions that are debugged without repair."""

    program: LoadedProgram
    warnings: tuple[str, ...]


def load(
    paths: Sequence[Path],
    cflags: Sequence[str] = (),
    gcc: str = "gcc",
    called: Sequence[str] | None = None,
) -> Loaded:
    """Read, parse and lower C files.

    Raises SourceError (with gcc's own message) for what gcc does not accept and for files that cannot
    be read, ToolMissingError without gcc.  A function that is not understood is kept with the reason
    in `unsupported`, and named in the warnings.  `called` are the paths by which functions of one name
    in several files are told apart, where they are others than `paths`.
    """
    source = SourceMap()
    names = [str(path) for path in paths]
    for name in names:
        source.number(name)
    whole = Whole(source)
    readings: list[Reading] = []
    with deep_recursion():
        for number, name in enumerate(names):
            if len(source.files[number].content) > MAX_BYTES:
                whole.warnings.append(
                    f"{name}: larger than {MAX_BYTES // 1_000_000} MB, debugged without repair"
                )
                continue
            readings.append(_read(name, names, source, whole, cflags, gcc))
        _refuse_other_structs(readings)
        known = called if called is not None else names
        short = labels(known)
        tell_apart(readings, {name: short[path] for name, path in zip(names, known)})
        shared = visible_elsewhere(readings)
        whole.callable = _callable(readings)
        for reading in readings:
            _lower_all(reading, whole, shared)
    program = _program(whole, readings)
    program = replace(program, paths=tuple(names), cflags=tuple(cflags), gcc=gcc)
    return Loaded(program, tuple(whole.warnings))


def _read(
    path: str, names: Sequence[str], source: SourceMap, whole: Whole, cflags: Sequence[str], gcc: str
) -> Reading:
    text, printed = preprocess(path, cflags, gcc, names)
    user_files = _user_files({token.output for token in printed}, names)
    tokens = align(printed, source, user_files.__contains__)
    above = headers(text)
    unit = parse(prepare([*above.open, *tokens], above.heading))
    failed = [parsed for parsed in unit.parsed if parsed.failure and parsed.own]
    if failed:
        complaint = compiler_complaint(path, cflags, gcc)
        if complaint:
            raise SourceError(complaint)
    table = TypeTable(unnamed=whole.unnamed)
    table.evaluate = lambda node: evaluate(node, table)
    null = above.null or any(token.path.endswith("/stddef.h") for token in printed)
    allocates = above.allocates or any(token.text == "malloc" for token in printed)
    reading = Reading(path, unit, table, source.texts, null, allocates)
    for parsed in unit.parsed:
        if parsed.failure and parsed.own and not parsed.nodes:
            token = unit.items.tokens[parsed.extent.start]
            line = source.lines[token.file].line(token.start) if token.file >= 0 else 0
            whole.warnings.append(f"{path}:{line}: declaration {parsed.failure}")
        for node in parsed.nodes:
            _take_in(node, parsed.own, parsed.failure, reading, whole)
    return reading


def _refuse_other_structs(readings: Sequence[Reading]) -> None:
    """Leave the functions of a file to the process where its structs are others than in files before it."""
    known: dict[str, tuple[object, str]] = {}
    for reading in readings:
        for tag, struct in reading.table.structs.items():
            shape = (struct.size, tuple((each.name, each.offset) for each in struct.fields))
            first, path = known.setdefault(tag, (shape, reading.path))
            if first != shape:
                why = f"struct {tag} is another one in {path}"
                for _, name in reading.definitions:
                    reading.failures.setdefault(name, why)


def _user_files(paths: set[str], names: Sequence[str]) -> set[str]:
    """The files of the program: those given and the headers beside them, not the system's."""
    result = set(names) & paths
    for path in paths:
        if not is_system(path, names) and Path(path).is_file():
            result.add(path)
    return result


def _take_in(node: Any, own: bool, failure: str, reading: Reading, whole: Whole) -> None:
    """Note a file-scope declaration or definition."""
    declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
    if own:
        reading.named |= _named(node)
    if "static" in (getattr(declaration, "storage", None) or ()):
        reading.statics.add(declaration.name)
    try:
        if isinstance(node, c_ast.FuncDef):
            signature = _signature(node.decl.type, node.param_decls, reading.table, True)
            reading.signatures[node.decl.name] = replace(signature, defined=own)
            if own:
                reading.definitions.append((node, node.decl.name))
                reading.before[node.decl.name] = len(reading.globals)
                _take_prototypes(node.body, reading)
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


def _take_prototypes(body: Any, reading: Reading) -> None:
    """Note the functions that a function declares inside of its body."""
    for statement in body.block_items or ():
        if isinstance(statement, c_ast.Decl) and isinstance(statement.type, c_ast.FuncDecl):
            _take_declaration(statement, True, reading)
        elif isinstance(statement, c_ast.Compound):
            _take_prototypes(statement, reading)


def _take_declaration(node: Any, own: bool, reading: Reading) -> None:
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
        ctype = completed(ctype, node.init, reading.table)
    if own and not isinstance(ctype, FunctionType):
        known_variable = reading.globals.get(node.name)
        if known_variable is None or reading.table.size(known_variable.type) == 0:
            constant = reading.table.constant_parts(node.type)
            reading.globals[node.name] = VariableReference(node.name, ctype, "global", constant=constant)


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
    return table.parameter(parameter)


def _callable(readings: Sequence[Reading]) -> dict[str, Signature]:
    """The functions of the program that a pointer may lead to: those named other than to call them."""
    named = frozenset().union(*(reading.named for reading in readings))
    return {
        reading.signatures[name].key or name: reading.signatures[name]
        for reading in readings
        for _, name in reading.definitions
        if name in named
    }


def _named(node: Any) -> set[str]:
    """The names that stand in expressions, apart from those of functions that are called."""
    found: set[str] = set()
    work = [node]
    while work:
        current = work.pop()
        if isinstance(current, c_ast.ID):
            found.add(current.name)
        called = current.name if isinstance(current, c_ast.FuncCall) else None
        work += [
            child for _, child in current.children() if child is not called or not isinstance(child, c_ast.ID)
        ]
    return found


def _lower_all(reading: Reading, whole: Whole, shared: frozenset[str]) -> None:
    for name, signature in list(reading.signatures.items()):
        if name in shared and not signature.defined:
            reading.signatures[name] = replace(signature, defined=True)
    for node, name in reading.definitions:
        key = reading.signatures[name].key or name
        if key in whole.functions:
            # One text in a header, of which every file has its own code.
            if _has_statics(node, key, reading, whole):
                whole.warnings.append(
                    f"{reading.path}: its own copy of {name} is modelled like that of the first file; "
                    "static variables of the two may differ"
                )
            continue
        function = lower_function(node, name, reading, whole)
        if function.unsupported:
            whole.warnings.append(f"{key} is debugged without repair: {function.unsupported}")
        whole.functions[key] = function


def _has_statics(node: Any, key: str, reading: Reading, whole: Whole) -> bool:
    """Whether a function has static variables, or names some of its file's."""
    own = any(variable.function == key for variable in whole.statics)
    return own or any(name in reading.statics and name in reading.globals for name in _named(node.body))


def _context(reading: Reading) -> Context:
    macros: dict[tuple[int, int, int], list[Token]] = {}
    for token in reading.unit.items.tokens:
        if token.file >= 0 and not token.direct:
            macros.setdefault((token.file, token.start, token.end), []).append(token)
    spelled = {}
    found: dict[str, set[Template]] = {}
    for (file, start, end), expansion in macros.items():
        text = reading.texts[file][start:end]
        words = tuple(text[lexeme.start : lexeme.end] for lexeme in lex(text).lexemes)
        spelled[words] = tuple(token.text for token in expansion)
        made = template(text, start, expansion)
        if made is not None:
            found.setdefault(made[0], set()).add(made[1])
    if reading.null:
        spelled.setdefault(("NULL",), ("(", "(", "void", "*", ")", "0", ")"))
    return Context(
        reading.table,
        reading.signatures,
        reading.globals,
        spelled,
        "NULL" if ("NULL",) in spelled else "0",
        reading.allocates,
        {name: next(iter(each)) for name, each in found.items() if len(each) == 1},
    )


def _program(whole: Whole, readings: Sequence[Reading]) -> LoadedProgram:
    table = TypeTable()
    contexts: dict[str, Context] = {}
    variables: dict[tuple[str, str], VariableReference] = {}
    for reading in readings:
        table.structs = {**reading.table.structs, **table.structs}
        table.enumerations.update(reading.table.enumerations)
        table.unions.update(reading.table.unions)
        context = _context(reading)
        for _, name in reading.definitions:
            contexts.setdefault(reading.signatures[name].key or name, context)
        for name, variable in reading.globals.items():
            variables.setdefault((variable.function, name), variable)
    return LoadedProgram(
        tuple(whole.source.files),
        table.types(),
        (*variables.values(), *whole.statics),
        with_spares(
            whole.functions, whole.source.files, {name: each.table for name, each in contexts.items()}
        ),
        tuple(whole.locations),
        contexts,
        whole.source,
    )
