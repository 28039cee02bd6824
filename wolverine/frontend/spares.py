"""Spare variables: what a repair may declare to keep a value in (the temporaries of Wolverine2 section 3.1).

Every function has one for each type of pointer to a struct that it assigns, or that its variables have.  It
is no variable of the source: it belongs to the function's temporaries until an edit mentions it, and is
declared then.  A function that returns what it reads in a node has one for that as well, so that the node
can be freed before: `int result = old->value; free(old); return result;`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from wolverine.core.expressions import Dereference, Load, Member, VariableReference
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Function, SourceFile, is_result
from wolverine.core.types import CType, FloatType, IntType, PointerType, StructReference, VoidType
from wolverine.errors import SourceError
from wolverine.frontend.declared import TypeTable

_NAME = "saved"
_RESULT = "result"
_MOST = 2  # types a function


def with_spares(
    functions: Mapping[str, Function], files: Sequence[SourceFile], tables: Mapping[str, TypeTable]
) -> dict[str, Function]:
    """The functions, each with its spare variables among the temporaries; `tables` have their types."""
    words = frozenset(word for file in files for word in re.findall(rb"[A-Za-z_]\w*", file.content))
    return {name: _with_spares(function, words, tables.get(name)) for name, function in functions.items()}


def _with_spares(function: Function, words: frozenset[bytes], table: TypeTable | None) -> Function:
    if not function.code or table is None:
        return function
    hidden = {v.name for v in (*function.parameters, *function.locals)}
    own = (v.type for v in (*function.parameters, *function.locals))
    targets = [step.target for step in function.code if isinstance(step, Assign)]
    named = (t.type for t in targets if not (isinstance(t, VariableReference) and t.name.startswith("$")))
    assigned = (t.type for t in targets)
    types = dict.fromkeys(
        each
        for each in (*named, *own, *assigned)
        if isinstance(each, PointerType)
        and isinstance(each.target, StructReference)
        and pointer(table, each, _NAME, hidden)
    )
    names = _unused(_NAME, words)
    made = [VariableReference(next(names), ctype) for ctype in list(types)[:_MOST]]
    if _returns_of_a_node(function) and _spelled(function.result, _RESULT):
        made.append(VariableReference(next(_unused(_RESULT, words)), function.result))
    return replace(function, temporaries=(*function.temporaries, *made))


def _unused(name: str, words: Collection[bytes]) -> Iterator[str]:
    """Names that occur nowhere in the source."""
    return (n for k in range(1, 1000) if (n := f"{name}{k if k > 1 else ''}").encode() not in words)


def _returns_of_a_node(function: Function) -> bool:
    """Whether what it returns is read in a node."""
    return any(
        isinstance(part, Load) and isinstance(part.place, Member) and isinstance(part.place.base, Dereference)
        for step in function.code
        if isinstance(step, Assign) and is_result(step.target)
        for part in parts(step.value)
    )


def _spelled(ctype: CType, name: str) -> str:
    """The declarator of a variable of a type that needs no name of the author's; "" for other types."""
    match ctype:
        case IntType(written, bits=0) | FloatType(written):
            return f"{written} {name}"
        case PointerType(IntType(written)):
            return f"{written} *{name}"
        case PointerType(VoidType()):
            return f"void *{name}"
    return ""


def declarator(table: TypeTable, function: Function, spare: VariableReference) -> str:
    """`struct node *saved`, by the name that the author gave the type; SourceError where it has none."""
    if spelled := _spelled(spare.type, spare.name):
        return spelled
    assert isinstance(spare.type, PointerType)
    hidden = {v.name for v in (*function.parameters, *function.locals)}
    written = pointer(table, spare.type, spare.name, hidden)
    if not written:
        raise SourceError(f"the type of {spare.name} has no name in the program")
    return written


def pointer(table: TypeTable, ctype: PointerType, name: str, hidden: Collection[str] = ()) -> str:
    """The declarator of a pointer to a struct; "" where neither has a name that is not `hidden`."""
    assert isinstance(ctype.target, StructReference)
    struct = struct_name(table, ctype.target, hidden)
    if struct:
        return f"{struct} *{name}"
    named = [n for n, t in table.typedefs.items() if t == ctype and n not in hidden]
    return f"{named[0]} {name}" if named else ""


def struct_name(table: TypeTable, struct: StructReference, hidden: Collection[str] = ()) -> str:
    """The author's name of a struct type: by a typedef that is not `hidden`, else `struct tag`.

    "" where it has none: only pointers to it, or variables.
    """
    tags = {struct.tag}
    if (one := table.untagged.get(struct.tag)) is not None:
        tags.update(tag for tag, other in table.untagged.items() if other == one)
    references = [StructReference(tag) for tag in sorted(tags, key=lambda tag: tag != struct.tag)]
    named = [n for each in references for n, t in table.typedefs.items() if t == each and n not in hidden]
    if named:
        return named[0]
    return "" if struct.tag in table.untagged else f"struct {struct.tag}"
