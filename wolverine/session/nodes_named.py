"""The names of nodes in gdb's commands, as in `print n4->next`, and in what gdb answers."""

from __future__ import annotations

import re
from collections.abc import Callable

from wolverine.core.graph import MemoryGraph, Node
from wolverine.core.types import CType, OpaqueType, StructReference, spell
from wolverine.session.places import node_named

# gdb's commands whose arguments are expressions.
_ON_EXPRESSIONS = (
    *("print", "inspect", "output", "call", "display", "ptype", "whatis", "printf", "eval"),
    *("watch", "rwatch", "awatch"),
)
_SHORT = frozenset(["p", "x"])
_SETTING = re.compile(r"set\s+var(?:i(?:a(?:b(?:l(?:e)?)?)?)?)?\s")
_TOKEN = re.compile(r"""(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?P<field>(?:->|\.)\s*\w+)|[\w$]+""")
_CAST = r"\(\([^()]*\*\) (?P<given>0x[0-9a-f]+)\)"  # as `for_gdb` writes it; `display` tells it again
_ADDRESS = re.compile(_CAST + r"|\b0x[0-9a-f]+\b(?! <)")


def for_gdb(graph: MemoryGraph, text: str, known: Callable[[str], bool]) -> str:
    """A command of gdb's with the addresses of nodes for their names, where it takes expressions.

    What the program itself calls so is meant rather than the node, as in `change`. `known` tells whether
    gdb knows a variable, a function or a type by that name.
    """
    if not on_expressions(text):
        return text

    def address(found: re.Match[str]) -> str:
        node = None if found["text"] or found["field"] else node_named(graph, found[0])
        if node is None or known(found[0]):
            return found[0]
        held = graph.nodes[node]
        return f"(({_spelled(held, known)}) {held.address:#x})" if held.address else found[0]

    word, space, rest = text.partition(" ")
    return word + space + _TOKEN.sub(address, rest)


def with_names(graph: MemoryGraph, text: str) -> str:
    """What gdb prints, with the names of nodes behind their addresses as gdb has it for symbols."""
    names = {node.address: f"n{node.id.number}" for node in graph.nodes.values() if node.address}

    def name(found: re.Match[str]) -> str:
        known = names.get(int(found["given"] or found[0], 16))
        if known is None:
            return found[0]
        return known if found["given"] else f"{found[0]} <{known}>"

    return _ADDRESS.sub(name, text) if names else text


def on_expressions(text: str) -> bool:
    """Whether a command of gdb's takes an expression."""
    word = text.split(maxsplit=1)[0].partition("/")[0] if text.strip() else ""
    if word in _SHORT or _SETTING.match(text):
        return True
    return len(word) > 1 and any(each.startswith(word) for each in _ON_EXPRESSIONS)


def _spelled(node: Node, known: Callable[[str], bool]) -> str:
    """The type of a pointer to a node, as gdb takes it; to bytes where it has none that gdb knows."""
    held: CType | None = node.type
    if isinstance(held, StructReference) and not known(spell(held)):
        held = OpaqueType(held.tag, 0)  # a typedef of a struct that has no tag
    elif isinstance(held, OpaqueType) and not known(held.name):
        held = OpaqueType(held.name.removeprefix("union "), 0)
    if held is None or not known(spell(held)):
        return "char *"
    inner = spell(held)
    return inner + ("*" if inner.endswith("*") else " *")
