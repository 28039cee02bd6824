"""Spare variables: what a repair may declare to keep a value in (the temporaries of Wolverine2 section 3.1).

Every function has one for each type of pointer to a struct that it assigns, or that its variables have.  It
is no variable of the source: it belongs to the function's temporaries until an edit mentions it, and is
declared then.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Assign, Function, SourceFile
from wolverine.core.types import PointerType, StructReference
from wolverine.frontend.declared import TypeTable

_NAME = "saved"
_MOST = 2  # types a function


def with_spares(functions: Mapping[str, Function], files: Sequence[SourceFile]) -> dict[str, Function]:
    """The functions, each with its spare variables among the temporaries."""
    words = frozenset(word for file in files for word in re.findall(rb"[A-Za-z_]\w*", file.content))
    return {name: _with_spares(function, words) for name, function in functions.items()}


def _with_spares(function: Function, words: frozenset[bytes]) -> Function:
    if not function.code:
        return function
    own = (v.type for v in (*function.parameters, *function.locals))
    targets = [step.target for step in function.code if isinstance(step, Assign)]
    named = (t.type for t in targets if not (isinstance(t, VariableReference) and t.name.startswith("$")))
    assigned = (t.type for t in targets)
    types = dict.fromkeys(
        each
        for each in (*named, *own, *assigned)
        if isinstance(each, PointerType) and isinstance(each.target, StructReference)
    )
    names = (n for k in range(1, 1000) if (n := f"{_NAME}{k if k > 1 else ''}").encode() not in words)
    made = tuple(VariableReference(next(names), ctype) for ctype in list(types)[:_MOST])
    return replace(function, temporaries=(*function.temporaries, *made))


def declarator(table: TypeTable, function: Function, spare: VariableReference) -> str:
    """`struct node *saved`, by the name that the author gave the type."""
    assert isinstance(spare.type, PointerType) and isinstance(spare.type.target, StructReference)
    hidden = {v.name for v in (*function.parameters, *function.locals)}
    return f"{struct_name(table, spare.type.target, hidden)} *{spare.name}"


def struct_name(table: TypeTable, struct: StructReference, hidden: Collection[str] = ()) -> str:
    """The author's name of a struct type: by a typedef that is not `hidden`, else `struct tag`."""
    named = [n for n, t in table.typedefs.items() if t == struct and n not in hidden]
    return named[0] if named else f"struct {struct.tag}"
