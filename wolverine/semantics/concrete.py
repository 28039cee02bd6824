"""What a concrete statement may have done, guessed from its text before the process tells.

The guess only steers the search for a matching state; what counts is what the process shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wolverine.core.expressions import StringLiteral
from wolverine.core.graph import MemoryGraph, NodeId, Place, VariableId
from wolverine.core.program import Branch, Concrete, Instruction, Jump, Library, Location, Return, reachable
from wolverine.core.types import ArrayType, CType, FloatType, IntType, PointerType, StructReference
from wolverine.semantics.activation import Activation
from wolverine.semantics.address import (
    ADDRESS_MASK,
    BITS,
    CELL_KINDS,
    COUNT_KEY,
    KIND_SHIFT,
    POINTER,
    STATE_KEY,
    cell_key,
    cell_place,
    kind_of,
    node_address,
    number_of,
    offset_of,
)
from wolverine.semantics.allocation import COPYING
from wolverine.semantics.faults import Halt
from wolverine.semantics.machine import Machine
from wolverine.semantics.unknown import Unknown

# library functions that write nothing the program's own objects hold
HARMLESS = frozenset(
    """printf puts putchar putc fputc fputs fprintf perror fflush fclose exit _exit assert rand random
    srand srandom time clock strlen strcmp strncmp strcasecmp strchr strrchr strstr memcmp atoi atol atof abs
    labs toupper tolower isdigit isalpha isalnum isspace isupper islower ispunct pow sqrt fabs floor ceil
    getchar getc fgetc fopen system strdup strndup usleep sleep""".split()  # noqa: SIM905
)
# what `assert` calls where it does not hold, in glibc and elsewhere, and what programs call themselves
_FAILING = ("call of __assert", "call of abort")
# those whose effects outlast the process: what calls them is not carried out again unasked
OUTSIDE = frozenset(
    """fopen freopen open creat openat system popen fork vfork socket connect remove rename unlink rmdir mkdir
    truncate kill execl execv execvp posix_spawn""".split()  # noqa: SIM905
)
# those that begin another thread
THREADING = frozenset(("pthread_create", "thrd_create"))
_TELLING = frozenset(("time",))  # those of them that write nothing but what they return
ALLOCATING = frozenset((*COPYING, "fopen", "system"))
# those that write nowhere but where their first argument leads
_INTO_THE_FIRST = frozenset(
    """strcpy strncpy strcat strncat stpcpy memcpy memmove memset sprintf snprintf strtok fgets fread
    strftime""".split()  # noqa: SIM905
)
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_WORD = re.compile(r"(&?)\s*\b([A-Za-z_]\w*)\b\s*(->)?")  # what `&p->x` writes is not p
# what `=`, `+=`, `++` and the like set: a variable, or a field of one
_SET = re.compile(
    r"(?<![\w.>])([A-Za-z_]\w*)((?:\s*\.\s*[A-Za-z_]\w*)*)(?:\s*\[[^\]]*\])*\s*"
    r"(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)"
)
_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
_FORMATS = {"scanf": 0, "fscanf": 1, "sscanf": 1}  # which argument tells what is read
_CONVERSION = re.compile(rb"%(?!\*)[^%a-zA-Z\[]*(?:[a-mo-zA-Z\[])")  # what counts; `%n` does not
_NOT_CALLS = frozenset(("if", "while", "for", "switch", "return", "sizeof"))


@dataclass(frozen=True)
class Touched:
    """The tokens that one execution of a concrete statement left: by key, with the values before."""

    results: Mapping[int, tuple[Place, Unknown]]
    cells: Mapping[int, tuple[Unknown, Any]]
    nodes: tuple[int, ...]
    harmless: bool


def gives_up(step: Instruction) -> bool:
    """Whether the program ends itself there since something is not as it has to be."""
    return isinstance(step, Concrete) and step.reason.startswith(_FAILING)


def checks_before(code: Sequence[Instruction], index: int) -> Iterator[Branch]:
    """The conditions of which one side leads straight to an instruction."""
    for step in code:
        match step:
            case Branch(_, _, if_true, if_false):
                led = (code[at:index] for at in (if_true, if_false) if at <= index)
                if any(not any(isinstance(x, Branch | Jump | Return) for x in way) for way in led):
                    yield step


def apply_concrete(machine: Machine, step: Concrete, graph: MemoryGraph) -> Touched:
    """Let the machine's state be what it may be after the concrete step at which it stands.

    `graph` is the process' state at its next stop: the sites of its nodes tell what was allocated.
    """
    frame, memory = machine.frame, machine.memory
    assert frame is not None
    location = machine.program.location(step.location) if step.location >= 0 else None
    text = location.text if location is not None else ""
    called = called_functions(step, text)
    calls_only = harmless(step, text) and not called & machine.program.functions.keys()
    allocates = not calls_only or not called.isdisjoint(ALLOCATING)
    nodes = tuple(_allocated(machine, frame.linked.name, location, graph, called)) if allocates else ()
    for number in nodes:
        memory.put(COUNT_KEY, number)
        memory.put(node_address(number) + STATE_KEY, graph.nodes[NodeId(number)].size)
    cells: dict[int, tuple[Unknown, Any]] = {}
    if not calls_only or not called.isdisjoint(_TELLING):
        pointers = not step.reason.startswith("call of")
        named = () if calls_only else _targets(machine, frame, text, graph, pointers)
        for key in _passed(machine, frame, graph) or named:
            token = Unknown()
            cells[key] = (token, memory.cells.get(key))
            memory.put(key, token)
    results: dict[int, tuple[Place, Unknown]] = {}
    for result in step.results:
        address = frame.base + machine.layout.address(frame.linked.name, result)[1]
        token = Unknown()
        token.width = 8 * result.type.size if isinstance(result.type, IntType) else 0
        key = cell_key(result.type, address)
        results[key] = (Place(VariableId(frame.depth, frame.linked.name, result.name), 0), token)
        memory.put(key, token)
    return Touched(results, cells, nodes, calls_only)


def usual_result(called: Instruction) -> int | None:
    """What a library function returns that reads what is asked for; None where that is not known."""
    if not isinstance(called, Library):
        return None
    if called.function == "fgets":
        return 1  # any pointer
    at = _FORMATS.get(called.function)
    form = called.arguments[at] if at is not None and at < len(called.arguments) else None
    if not isinstance(form, StringLiteral) or form.data is None:
        return None
    return len(_CONVERSION.findall(form.data.replace(b"%%", b"")))


def called_functions(step: Concrete, text: str) -> frozenset[str]:
    """The functions that a concrete statement calls."""
    named = re.match(r"call of (\w+)", step.reason)
    if named is not None:
        return frozenset((named[1],))
    return frozenset(_CALL.findall(text)) - _NOT_CALLS


def outlasts(step: Concrete, text: str) -> bool:
    """Whether a concrete statement may do what outlasts the process."""
    return not called_functions(step, text).isdisjoint(OUTSIDE)


def touches_nothing(step: Concrete) -> bool:
    """Whether the step is a call of a library function that neither changes nor tells anything."""
    return harmless(step, "") and not step.results


def harmless(step: Concrete, text: str) -> bool:
    """Whether a concrete statement does nothing but call library functions that write nothing here.

    Where it is not just the call that is left to the process, its text tells whether it also assigns.
    """
    called = called_functions(step, text)
    itself = step.reason.startswith("call of") or not _ASSIGNS.search(_QUOTED.sub("", text))
    return bool(called) and called <= HARMLESS and itself


def passable(machine: Machine, step: Instruction) -> bool:
    """Whether a concrete step that the process never executed here surely leaves the picture alone."""
    if not isinstance(step, Concrete) or step.results:
        return False
    return _harmless(step, machine.program.location(step.location).text if step.location >= 0 else "")


@lru_cache(maxsize=4_096)
def _harmless(step: Concrete, text: str) -> bool:
    return harmless(step, text)


def _allocated(
    machine: Machine, function: str, location: Location | None, graph: MemoryGraph, called: frozenset[str]
) -> Iterator[int]:
    """The nodes that come next and were allocated by the statement, or inside the functions it calls."""
    if location is None:
        return
    inside: frozenset[str] | None = None
    number = machine.memory.node_count + 1
    while (node := graph.nodes.get(NodeId(number))) is not None and node.allocated is not None:
        site = node.allocated
        here = site.line in (location.span.line, location.line) and site.function in ("", function)
        if not here:
            inside = inside if inside is not None else reachable(machine.program, called)
            if site.function not in inside:
                return
        yield number
        number += 1


def _passed(machine: Machine, frame: Activation, graph: MemoryGraph) -> list[int]:
    """The cells that the library function may write by its arguments; none where they are not known."""
    before = frame.linked.steps[machine.pc - 1] if machine.pc else None
    if not isinstance(before, Library):
        return []
    written = before.arguments[:1] if before.function in _INTO_THE_FIRST else before.arguments
    given = [each for each in written if isinstance(each.type, PointerType)]
    name = frame.linked.name
    found: dict[int, None] = {}
    for argument, evaluate in zip(
        given, machine.evaluators.values(name, [(each, each.type) for each in given]), strict=True
    ):
        try:
            address = machine.attempt(evaluate)
        except Halt:
            return []
        if not isinstance(address, int) or machine.layout.object_at(address, machine.function_at) is None:
            continue
        assert isinstance(argument.type, PointerType)
        target = argument.type.target
        if isinstance(target, (IntType, FloatType, PointerType)) and target.size > 1:
            found[cell_key(target, address)] = None
            continue
        keys = _pointed(machine, address, graph, pointers=False)
        if isinstance(target, IntType):
            behind = _string_end(machine, address, graph)
            keys = (key for key in keys if address <= key & ADDRESS_MASK < behind)
        found.update(dict.fromkeys(keys))
    return list(found)


def _string_end(machine: Machine, address: int, graph: MemoryGraph) -> int:
    """Where the array of characters ends to which an address leads, or else the object."""
    types = machine.program.types
    found = machine.layout.object_at(address, machine.function_at)
    ctype = graph.nodes[found].type if isinstance(found, NodeId) and found in graph.nodes else None
    if isinstance(found, VariableId):
        ctype = machine.layout.variable_type(found)
    inside = offset_of(address)
    while ctype is not None and (size := types.size(ctype)) > 0:
        if isinstance(found, NodeId):
            if (last := types.open_end(ctype)) is not None and inside >= last.offset:
                break
            inside, found = inside % size, None  # one of several
        match ctype:
            case ArrayType(IntType(size=1)):
                return address - inside + size
            case ArrayType(element):
                inside, ctype = inside % types.size(element), element
            case StructReference(tag) if tag in types.structs:
                fields = types.structs[tag].fields
                around = [
                    each for each in fields if each.offset <= inside < each.offset + types.size(each.type)
                ]
                if not around:
                    break
                inside, ctype = inside - around[0].offset, around[0].type
            case _:
                break
    return ADDRESS_MASK


def _targets(
    machine: Machine, frame: Activation, text: str, graph: MemoryGraph, pointers: bool
) -> Iterator[int]:
    """The cells that the statement may write through the variables that it names.

    Only with `pointers` it may write pointers where a pointer variable leads.
    """
    layout, types = machine.layout, machine.program.types
    seen: set[str] = set()
    variables = {v.name.partition("@")[0]: v for v in (*layout.globals, *layout.variables(frame.linked.name))}
    for ampersand, word, further in _WORD.findall(text):
        variable = variables.get(word)
        if variable is None or ampersand + word + further in seen:
            continue
        seen.add(ampersand + word + further)
        relative, address = layout.address(frame.linked.name, variable)
        address += frame.base if relative else 0
        if (ampersand and not further) or isinstance(variable.type, ArrayType):
            for offset, scalar in types.possible(variable.type):
                yield address + offset + (kind_of(scalar) << KIND_SHIFT)
        elif isinstance(variable.type, PointerType):
            held = machine.memory.cells.get(cell_key(variable.type, address))
            if isinstance(held, int):
                yield from _pointed(machine, held, graph, pointers)
    for word, path in _SET.findall(text) if pointers else ():
        if word in variables:
            relative, address = layout.address(frame.linked.name, variables[word])
            ctype: CType = variables[word].type
            for name in path.split(".")[1:]:
                struct = types.structs.get(ctype.tag) if isinstance(ctype, StructReference) else None
                field = struct.field(name.strip()) if struct is not None else None
                if field is None:
                    break
                address, ctype = address + field.offset, field.type
            for offset, scalar in types.scalars(ctype):
                yield address + (frame.base if relative else 0) + offset + (kind_of(scalar) << KIND_SHIFT)


def _pointed(machine: Machine, address: int, graph: MemoryGraph, pointers: bool) -> Iterator[int]:
    """The cells of the object to which an address belongs; only with `pointers` those that are pointers."""
    types, cells = machine.program.types, machine.memory.cells
    number, base = number_of(address), address - offset_of(address)
    found = machine.layout.object_at(address, machine.function_at)
    scalars: list[tuple[int, CType]] = []
    keys: dict[int, None] = {}
    if isinstance(found, NodeId):
        node = graph.nodes.get(found)
        size = machine.memory.node_size(number)
        if node is None or node.type is None:
            keys = {key: None for key, _ in machine.memory.node_cells(number)}
        elif size is not None:
            scalars = [*types.filling(node.type, min(size, node.size))]
    elif found is not None and (declared := machine.layout.variable_type(found)) is not None:
        scalars = [*types.scalars(declared)]
    for offset, scalar in (each for at, ctype in scalars for each in types.possible(ctype, at)):
        at, kind = base + offset, kind_of(scalar)
        others = () if at + (kind << KIND_SHIFT) in cells or kind == BITS else CELL_KINDS
        there = (each for each in others if at + (each << KIND_SHIFT) in cells)
        keys[at + (next(there, kind) << KIND_SHIFT)] = None
    for key in keys:
        if pointers or key >> KIND_SHIFT != POINTER:
            yield key


def place_of(machine: Machine, key: int) -> Place | None:
    """The place of a cell, by its key."""
    found = machine.layout.object_at(key & ADDRESS_MASK, machine.function_at)
    return None if found is None else Place(found, cell_place(key))
