"""The variables that can be named at a stop, and which one a name means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from wolverine.core.graph import Frame, MemoryGraph, ObjectId, Variable, VariableId
from wolverine.core.program import Program
from wolverine.core.types import StructReference
from wolverine.errors import CommandError
from wolverine.session.words import close

_LISTED = 12  # variables, in a sentence
_TAGGED = re.compile(rb"\b(struct|union|enum)\s+([A-Za-z_]\w*)")


def plain_name(variable: VariableId) -> str:
    """The source name of a variable."""
    return variable.name.partition("@")[0]


def _declared(variable: Variable) -> int:
    """The line of the declaration of one of several variables of a name, else 0."""
    return int(variable.id.name.partition("@")[2] or 0)


def _meant(frame: Frame, name: str) -> Variable | None:
    """The variable that `name` means in a frame, also as `name@line`: the innermost block's.

    One that is declared further down than the frame has come is not in view there, unless it is the only one.
    """
    named = [v for v in frame.variables if name in (plain_name(v.id), v.id.name)]
    begun = [v for v in named if not frame.line or _declared(v) <= frame.line]
    return max(begun or named, key=_declared, default=None)


def namesakes(graph: MemoryGraph, text: str, variable: ObjectId) -> str:
    """What to say besides of a variable, named by `text`, where its frame has more of that name; else ""."""
    if not isinstance(variable, VariableId) or plain_name(variable) != text.rpartition("::")[2]:
        return ""
    frame = next((each for each in graph.frames if each.depth == variable.depth), None)
    others = [v.id.name for v in frame.variables if plain_name(v.id) == plain_name(variable)] if frame else []
    if len(others) < 2:
        return ""
    further = " and ".join(name for name in others if name != variable.name)
    return f" ({variable.name} is meant; there is {further}, too, which can be named so)"


def visible(graph: MemoryGraph, name: str) -> Variable | None:
    """The variable that `name` means in the innermost frame (the innermost block's first)."""
    if graph.frames:
        if (meant := _meant(graph.frames[0], name)) is not None:
            return meant
        function = graph.frames[0].function
        for variable in graph.globals:
            if variable.id.name == name and variable.id.function == function:
                return variable
    for variable in graph.globals:
        if variable.id.name == name and variable.id.function == "":
            return variable
    return None


def seen_from(graph: MemoryGraph, name: str, depth: int) -> Variable | None:
    """The variable that `name` means in the activation at a depth, as gdb has it after `up`."""
    inner = sum(frame.depth > depth for frame in graph.frames)
    return visible(replace(graph, frames=graph.frames[inner:]), name)


def qualified(graph: MemoryGraph, text: str) -> Variable | None:
    """The variable that `function::name` means; `function#2::name` in its second activation."""
    function, _, name = text.partition("::")
    function, _, number = function.partition("#")
    frames = [frame for frame in graph.frames if frame.function == function]
    index = int(number) - 1 if number else 0
    if index < len(frames) and (meant := _meant(frames[index], name)) is not None:
        return meant
    statics = (v for v in graph.globals if v.id.function == function and plain_name(v.id) == name)
    return next(statics, None)


def further_out(graph: MemoryGraph, name: str) -> Variable | None:
    """The variable of that name in the only outer activation, or the only function, that has one."""
    found = [v for frame in graph.frames[1:] for v in frame.variables if plain_name(v.id) == name]
    found.extend(v for v in graph.globals if plain_name(v.id) == name)
    if len(found) > 1:
        known = [each for each in names(graph) if each.rpartition("::")[2] == name]
        raise CommandError(f"several activations have a {name}: {', '.join(dict.fromkeys(known))}")
    return found[0] if found else None


def tagged(program: Program) -> tuple[str, ...]:
    """The structs, unions and enumerations that the source names by a tag, with their keywords."""
    types = program.types
    known = {*(f"struct {tag}" for tag in types.structs), *types.unions, *types.enumerations}
    written = (found.groups() for file in program.files for found in _TAGGED.finditer(file.content))
    return tuple(sorted(known & {f"{keyword.decode()} {tag.decode()}" for keyword, tag in written}))


def instead(graph: MemoryGraph, name: str) -> str:
    """What is said besides where no variable has that name: which one may be meant, and which there are."""
    found = dict.fromkeys(each for each in names(graph) if "->" not in each)
    known = sorted(found, key=lambda each: "::" in each)  # those further out last
    if not known:
        return "there are no variables here"
    plain = {each.rpartition("::")[2]: each for each in reversed(known)}
    meant = close(name, known) or plain.get(close(name.rpartition("::")[2], plain) or "")
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    here = f"the variables here are {', '.join(known[:_LISTED])}{more}"
    return here if meant is None else f"did you mean {meant}? ({here})"


def prefixes(graph: MemoryGraph) -> Iterator[str]:
    """What stands in front of a frame's variables, for each, innermost first: nothing, then `f#2::`."""
    seen: Counter[str] = Counter()
    for index, frame in enumerate(graph.frames):
        seen[frame.function] += 1
        nth = seen[frame.function]
        yield frame.function + (f"#{nth}" if nth > 1 else "") + "::" if index else ""


def names(graph: MemoryGraph) -> Iterator[str]:
    """The variables that can be named at this stop, innermost first, then the nodes' fields."""
    for frame, prefix in zip(graph.frames, prefixes(graph)):
        several = Counter(plain_name(variable.id) for variable in frame.variables)
        for variable in frame.variables:
            plain = plain_name(variable.id)
            yield prefix + (variable.id.name if several[plain] > 1 else plain)
    here = graph.frames[0].function if graph.frames else ""
    for variable in graph.globals:
        prefix = f"{variable.id.function}::" if variable.id.function not in ("", here) else ""
        yield prefix + plain_name(variable.id)
    for node in graph.nodes.values():
        if isinstance(node.type, StructReference):
            for field in graph.types.members(node.type):
                yield f"n{node.id.number}->{field.name}"
