"""Values that are written as expressions: gdb evaluates them where the process stands."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial

from wolverine.core.graph import External, MemoryGraph, Value
from wolverine.core.types import CType, FloatType, PointerType
from wolverine.core.unions import read
from wolverine.errors import CommandError, DebuggerError, DebuggerLostError
from wolverine.session.execution import Execution
from wolverine.session.nodes_named import for_gdb
from wolverine.session.places import a_kind

_QUOTED = re.compile(r"'(?:\\.|[^'\\])+'|\"(?:\\.|[^\"\\])*\"")
_FIELD = re.compile(r"(?:->|\.)\s*[A-Za-z_]\w*")
_NAME = re.compile(r"(?<![\w:#])[A-Za-z_]\w*(?![\w#]|::)")
_BINARY = re.compile(r"(?<=[\w\])'])\s*(?:[-+/%<>=!&|^?*])|^\s*[-+~!(]|\bsizeof\b")
_CALL = re.compile(r"\b(?!sizeof\b)[A-Za-z_]\w*\s*\(")
_EFFECT = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=")


def is_expression(text: str) -> bool:
    """Whether the text is more than a place or a number: it has operators between such."""
    with suppress(ValueError):
        float(text)
        return False
    return bool(re.search(r"\w", text) and _BINARY.search(_QUOTED.sub("'0'", text).replace("->", ".")))


def names_in(text: str) -> list[str]:
    """The variables that an expression names."""
    return _NAME.findall(_FIELD.sub("", _QUOTED.sub("0", text)))


def known(execution: Execution, name: str) -> bool:
    """Whether gdb knows a variable, a function or a type by that name."""
    with suppress(DebuggerError):
        return bool(execution.debugger.console(f"whatis {name}"))
    return False


def evaluated(execution: Execution, graph: MemoryGraph, text: str, ctype: CType) -> Value:
    """What gdb makes of an expression, for a place of that type.

    Raises CommandError where it is none, has effects, or its value is of another kind.
    """
    plain = _QUOTED.sub("'0'", text)
    if _CALL.search(plain) or _EFFECT.search(plain):
        raise CommandError(f"{text} may change the program's state; a value is worked out without effects")
    kind = _asked(execution, graph, text, f"whatis {text}").removeprefix("type = ")
    if isinstance(ctype, FloatType):
        return float(_asked(execution, graph, text, f"output (double) ({text})"))
    pointer = isinstance(ctype, PointerType)
    if kind.endswith(("*", "]", ")")) != pointer or kind.rpartition(" ")[2] in ("float", "double"):
        raise CommandError(f"the place holds {a_kind(ctype)}; {text} is {a_kind(kind)}")
    number = int(_asked(execution, graph, text, f"output/d (long) ({text})"))
    if pointer:
        found = read(graph, number.to_bytes(8, "little", signed=True), 0, ctype)
        if isinstance(found, External):
            raise CommandError(f"{text} leads to no node or variable")
        return found
    if number < 0 and _asked(execution, graph, text, f"output/d ({text}) < 0") == "0":
        number += 1 << 64
    return number


def _asked(execution: Execution, graph: MemoryGraph, text: str, command: str) -> str:
    word, _, rest = command.partition(" ")
    try:
        given = for_gdb(graph, f"print {rest}", partial(known, execution)).removeprefix("print ")
        return execution.debugger.console(f"{word} {given}", execution.budget).strip()
    except DebuggerLostError:
        raise
    except DebuggerError as error:
        raise CommandError(f"gdb cannot evaluate {text}: {error}") from error
