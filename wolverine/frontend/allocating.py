"""How a patch writes a new node: as the program writes its other allocations (Wolverine2 section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from wolverine.core.expressions import Constant, LValue, VariableReference, lvalue_text, text
from wolverine.core.patch import FreedList, NewNode, Patch
from wolverine.core.program import Assign, Call, Function, Location
from wolverine.core.types import CType, IntType, PointerType, StructReference
from wolverine.errors import SourceError
from wolverine.frontend.context import Context, LoadedProgram
from wolverine.frontend.placing import Piece
from wolverine.frontend.scan import Scan
from wolverine.frontend.spares import struct_name
from wolverine.frontend.spelling import split_assignment
from wolverine.frontend.steps import temporaries_in
from wolverine.semantics.allocation import FRESH

_WORD = re.compile(r"[A-Za-z_]\w*")
_HEADER = "stdlib.h"


class _Example(NamedTuple):
    """An allocation of the program: what is assigned to `target`, as text, and how many bytes it has."""

    target: LValue
    written: str
    size: int | None


def allocation(
    program: LoadedProgram, location: Location, made: NewNode, target: str, string: str, hot: bool
) -> str:
    """The statement that lets `target` lead to a new node; `hot` for the compiler of patches.

    `target` and `string`, which it is to have room for, are given as text.
    """
    if made.copied:
        return f"{target} = strdup({string});"
    context = program.contexts[location.function]
    called = "calloc" if made.zeroed else "malloc"
    examples = [each for each in _examples(program) if re.search(rf"\b{called}\b", each.written)]
    alike = (
        _like(each, target, context)
        for each in examples
        if each.target.type == made.target.type and each.size == made.size
    )
    other = examples[0].written if examples else ""
    if made.string is not None:
        cast = _cast(made.target.type, context, other)
        written = f"{cast}{called}(strlen({string}) + {made.size})"
    else:
        found = next((each for each in alike if each is not None), None)
        written = found or _plain(made.target.type, target, called, context, other)
    if hot and not context.allocates:
        written = re.sub(rf"\b{called}\b", f"__builtin_{called}", written)
    return f"{target} = {written};"


def cleared(location: Location, written: str) -> str:
    """The call of `malloc` that is written there as one of `calloc`."""
    found = re.fullmatch(r"malloc(\s*\(\s*)(.*)", written, re.DOTALL)
    if found is None:
        raise SourceError(f"line {location.line}: {location.text} is not written as a call of malloc")
    return f"calloc{found[1]}1, {found[2]}"


def headers(program: LoadedProgram, patch: Patch, scans: list[Scan]) -> Iterator[tuple[int, Piece]]:
    """The `#include` that new nodes and freed lists need where nothing declares `malloc`, by file."""
    files: dict[int, None] = {}
    for edit in patch.edits:
        made = edit.replacement
        if isinstance(made, FreedList) or (isinstance(made, NewNode) and not made.copied):
            location = program.location(edit.location)
            if not program.contexts[location.function].allocates:
                files.setdefault(location.span.file)
    for file in files:
        scan = scans[file]
        place = _behind_includes(scan)
        line = f"#include <{_HEADER}>{scan.newline_at(place)}"
        if place and scan.text[place - 1] != "\n":
            line = scan.newline + line
        yield file, Piece(place, place, line, (-1,), True)


def _behind_includes(scan: Scan) -> int:
    """The line behind the last `#include` that stands under no condition; 0 if there is none."""
    place = depth = 0
    for start, end in scan.lexed.directives:
        word = scan.text[start:end].lstrip().lstrip("#").lstrip()
        if word.startswith("if"):
            depth += 1
        elif word.startswith("endif"):
            depth -= 1
        elif word.startswith("include") and not depth:
            following = scan.text.find("\n", end)
            place = following + 1 if following >= 0 else len(scan.text)
    return place


def _examples(program: LoadedProgram) -> Iterator[_Example]:
    for function in program.functions.values():
        for result, size in _allocated(function):
            for step in function.code:
                if isinstance(step, Assign) and step.location >= 0 and result in temporaries_in(step.value):
                    written = _value_text(program, program.location(step.location))
                    if written is not None and not (
                        isinstance(step.target, VariableReference) and step.target.name.startswith("$")
                    ):
                        yield _Example(step.target, written, size)
                    break


def _allocated(function: Function) -> Iterator[tuple[str, int | None]]:
    """The temporaries that hold what was allocated, and its bytes where they are written as a constant."""
    constants: dict[str, int] = {}
    for step in function.code:
        match step:
            case Assign(_, VariableReference(name), Constant(value)):
                constants[name] = value
            case Call(_, called, arguments, VariableReference(name)) if called in FRESH:
                sizes = [constants.get(text(each)) for each in arguments]
                known = [size for size in sizes if size is not None]
                yield name, prod(known) if len(known) == len(sizes) else None


def _value_text(program: LoadedProgram, location: Location) -> str | None:
    span = location.span
    source = program.files[span.file].content[span.start : span.end].decode("latin-1")
    if location.kind == "assignment":
        sides = split_assignment(source)
        return sides[2] if sides is not None and sides[1] == "=" else None
    return source if location.kind == "initialiser" else None


def _like(example: _Example, target: str, context: Context) -> str | None:
    """The example with `target` in the place of its own; None where it says something else besides."""
    own = lvalue_text(example.target)
    written = re.sub(rf"(?<![\w.>]){re.escape(own)}(?!\w)", lambda _: target, example.written)
    rest = re.sub(rf"(?<![\w.>]){re.escape(target)}(?!\w)", "", written)
    known = {"malloc", "calloc", "sizeof", "struct", *context.table.typedefs, *context.table.structs}
    plain = all(word in known for word in _WORD.findall(rest))
    return written if plain and "\n" not in written else None


def _plain(ctype: CType, target: str, called: str, context: Context, other: str) -> str:
    """An allocation in the manner of one of another type, with a cast if that has one."""
    assert isinstance(ctype, PointerType)
    size = f"sizeof(*{target})"
    name = _type_name(ctype.target, context)
    cast = _cast(ctype, context, other)
    if name is not None and re.search(r"sizeof\s*\(\s*\w", other):
        size = f"sizeof({name})"
    return f"{cast}{called}({size})" if called == "malloc" else f"{cast}{called}(1, {size})"


def _cast(ctype: CType, context: Context, other: str) -> str:
    """A cast to the type, if `other`, an allocation of another type, has one."""
    assert isinstance(ctype, PointerType)
    name = "char" if isinstance(ctype.target, IntType) else _type_name(ctype.target, context)
    return f"({name} *)" if other.lstrip().startswith("(") and name is not None else ""


def _type_name(ctype: CType, context: Context) -> str | None:
    """The author's name of a struct type; None where it has none."""
    if not isinstance(ctype, StructReference):
        return None
    name = struct_name(context.table, ctype)
    return (name or None) if name in context.table.typedefs or ctype.tag in context.table.structs else None
