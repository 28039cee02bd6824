"""How an execution in the model ends before its time.

Halt
├── Fault         what the C program must not do (null dereference, double free ...)
├── Unmodelled    what C may do and the model does not follow
└── Undetermined  a branch or an address depends on a value that only the process knows
"""

from __future__ import annotations

from typing import Literal

FaultKind = Literal[
    "null",  # null dereference
    "uninitialised",  # an uninitialised value is dereferenced, compared or computed with
    "valueless",  # the value of a function that ended without `return`
    "bounds",  # outside its object
    "wild",  # a pointer into no known object
    "freed",  # use after free (strict machines only)
    "double-free",
    "bad-free",  # free of what malloc did not return
    "division",
    "constant",  # a string literal is written
    "mistyped",  # a pointer becomes an integer that no cast asks for
    "stack",  # too many activations
    "endless",  # the same state again
    "lost",  # nothing leads to a node that was not freed
]

NULL_DEREFERENCED = "the null pointer is dereferenced"


FREED: frozenset[FaultKind] = frozenset(("freed", "double-free", "bad-free"))  # uses of what was freed


class Halt(Exception):  # noqa: N818
    """Base class: execution stands before the instruction that could not be executed."""


class Fault(Halt):
    """The program does what it must not do: `kind` says what, the message where.

    `node` is the node that it is about, `cell` the key of one that nothing has set (0: none); where an array
    is left within its object, `left` is the key of the cell that lets it happen.
    """

    def __init__(self, kind: FaultKind, message: str, node: int = 0, cell: int = 0, left: int = 0) -> None:
        super().__init__(message)
        self.left = left
        self.node = node
        self.cell = cell
        self.kind: FaultKind = kind
        self.message = message


class Unmodelled(Halt):
    """The model does not follow this; `reason` for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undetermined(Halt):
    """A decision depends on `value`, an unknown (`wolverine.semantics.unknown`)."""

    def __init__(self, value: object) -> None:
        super().__init__("this depends on a value that only the process knows")
        self.value = value
