"""What the front end remembers of a program for parsing expressions again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wolverine.core.expressions import VariableReference
from wolverine.core.program import Program
from wolverine.frontend.arguments import Template
from wolverine.frontend.declared import TypeTable
from wolverine.frontend.places import Signature
from wolverine.frontend.preprocess import SourceMap


@dataclass(frozen=True)
class Context:
    """A translation unit's declarations, and its macro uses as text with what they expand to.

    `templates` say what other uses of the same macros stand for; `allocates` if `malloc` is declared there.
    """

    table: TypeTable
    signatures: Mapping[str, Signature]
    globals: Mapping[str, VariableReference]
    macros: Mapping[tuple[str, ...], tuple[str, ...]]
    null: str = "0"
    allocates: bool = False
    templates: Mapping[str, Template] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadedProgram(Program):
    """A program that the front end read."""

    contexts: Mapping[str, Context] = field(default_factory=dict, compare=False, repr=False)
    source: SourceMap = field(default_factory=SourceMap, compare=False, repr=False)
    paths: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    gcc: str = "gcc"
