"""What fresh heaps keep of the state at the start, and what is made anew in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from wolverine.core.expressions import Binary, Dereference, Load, VariableReference, variables
from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Value,
    VariableId,
)
from wolverine.core.parts import parts
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Library, Program, Return
from wolverine.core.types import VOID_POINTER, CType, IntType, PointerType, StructReference
from wolverine.semantics.anew import Plan, Structure
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.fields import Field
from wolverine.semantics.forms import has_structure
from wolverine.semantics.indexing import counts_of, index_bounds, reckoned_with
from wolverine.semantics.keyed import joined, keyed_by
from wolverine.semantics.leaves import telling
from wolverine.semantics.losing import freed_in
from wolverine.semantics.rows import rows
from wolverine.semantics.sentinels import home, is_cursor, is_moved, sentinel
from wolverine.semantics.shape import held_below, shape_at
from wolverine.semantics.sought import sought
from wolverine.semantics.structures import structures
from wolverine.semantics.walked import walked
from wolverine.semantics.words import given, is_text, owned

_NAME = re.compile(r"[A-Za-z_]\w*")


def plan_of(start: MemoryGraph, program: Program, function: str) -> Plan:
    """The plan for the inputs of a function, or of the innermost activation where that is "".

    Structures hang on the pointers of globals and of its parameters, and on what these lead to; so does the
    list of a node's children, if they are nodes of its own kind.
    """
    frame = start.frames[0] if start.frames else None
    declared = program.functions.get(function or (frame.function if frame is not None else ""))
    names = {p.name for p in declared.parameters} if declared is not None else set()
    inner = [v for v in (frame.variables if frame is not None else ()) if v.parameter or v.id.name in names]
    cells = _cells(start)
    visible: list[ObjectId] = [v.id for v in (*inner, *start.globals)]
    integers = tuple(Place(v.id, 0) for v in inner if isinstance(v.type, IntType))
    roots: list[tuple[Place, str]] = []
    kept: list[NodeId] = []
    value: Value | None
    holding: dict[ObjectId, tuple[int, ...]] = {}
    linked: list[NodeId] = []  # nodes of which a link's address is held
    for identity in _growing(start, visible, roots, linked, kept):
        for place in cells.get(identity, ()):
            if place.offset not in holding.get(identity, (place.offset,)):
                continue
            match start.cell_types.get(place):
                case PointerType(StructReference(tag)) if has_structure(start.types, tag):
                    value = start.cells.get(place)
                    moved = is_moved(program, place, start)
                    below = () if moved else held_below(start, value, tag)
                    if below and isinstance(value, Pointer):
                        holding[value.object] = below
                    else:
                        value = sentinel(start, value, tag)
                    if value is None:
                        roots.append((place, tag))
                        value = home(start, place, tag)
                    elif place.object == value.object or moved:
                        roots.append((place, tag))
                case PointerType(PointerType(StructReference(tag))) if (
                    node := _holding_link(start, start.cells.get(place), tag)
                ) is not None:
                    linked.append(node)
                    continue
                case PointerType():
                    value = start.cells.get(place)
                case _:
                    continue
            if isinstance(value, Pointer) and value.object not in visible:
                if isinstance(value.object, NodeId):
                    kept.append(value.object)
                elif value.object not in cells:
                    continue
                visible.append(value.object)
    only_written = {
        _led_to(start, v.id)
        for v in inner
        if declared is not None and _is_link_address(v.type) and _is_for_results(program, declared, v.id.name)
    }
    parameters = frozenset(Place(v.id, 0) for v in inner)
    full = [root for root in roots if root[0] not in only_written]
    texts = given(start, parameters)
    told = rows(
        program,
        start,
        full,
        [texts.given, *(v for p in integers if isinstance(v := start.cells.get(p), int))],
    )
    found = [
        replace(each, keys=told.keys.get(each.root, ()), told=telling(start, each.shape))
        for each in structures(start, told.roots, parameters, program)
    ]
    keyed = _keyed(program, declared, integers)
    inside = {n for s in found for n in s.shape.nodes}
    for node in list(inside):
        _keep_carried(start, cells, node, inside, kept)
    visible += [*_payloads(start, cells, (*inside, *kept), visible)]
    return Plan(
        tuple(found),
        tuple(dict.fromkeys(kept)),
        frozenset(visible),
        integers,
        cells,
        parameters,
        texts,
        {s.shape.tag: owned(program, s.shape.tag, start.types) for s in found},
        _bounds(start, declared, integers),
        _indices(start, program),
        tuple(_carried(start, parameters, found)),
        keyed,
        joined(keyed),
        compile_program(program).thresholds,
        compile_program(program).ordering,
        compile_program(program).ends_of_own_lists,
        compile_program(program).laden,
    )


def _keyed(
    program: Program, function: Function | None, integers: Sequence[Place]
) -> dict[Place, frozenset[Field]]:
    """The fields with which integer parameters are compared, for those that are."""
    name = "" if function is None else function.name
    found = {place: keyed_by(program, name, getattr(place.object, "name", "")) for place in integers}
    return {place: fields for place, fields in found.items() if fields}


def _growing(
    start: MemoryGraph,
    visible: list[ObjectId],
    roots: Sequence[tuple[Place, str]],
    linked: Sequence[NodeId],
    kept: list[NodeId],
) -> Iterator[ObjectId]:
    """What is visible, while it grows; of the nodes that are `linked`, then, those in no structure."""
    at = 0
    while True:
        while at < len(visible):
            yield visible[at]
            at += 1
        others = (node for node in linked if node not in visible)
        alone = next((n for n in others if not any(n in shape_at(start, *r).nodes for r in roots)), None)
        if alone is None:
            return
        visible.append(alone)
        kept.append(alone)


def _holding_link(start: MemoryGraph, value: Value | None, tag: str) -> NodeId | None:
    """The node of a struct that has structures in which there is the link to which an address leads."""
    if not isinstance(value, Pointer) or not isinstance(value.object, NodeId):
        return None
    node = start.nodes.get(value.object)
    inside = node is not None and node.type == StructReference(tag) and has_structure(start.types, tag)
    return value.object if inside else None


def _carried(
    start: MemoryGraph, parameters: Collection[Place], found: Sequence[Structure]
) -> Iterator[tuple[Place, str, int]]:
    """The parameters that lead to what nodes of a structure carry, with the struct and the field's offset."""
    for place in sorted(parameters):
        value, ctype = start.cells.get(place), start.cell_types.get(place)
        if not isinstance(value, Pointer) or is_text(ctype):
            continue
        for shape in (structure.shape for structure in found):
            links = {field.offset for field in (*shape.forward, *shape.back)}
            for offset, scalar in start.types.scalars(StructReference(shape.tag)):
                held = (start.cells.get(Place(node, offset)) for node in shape.nodes)
                objects = {each.object for each in held if isinstance(each, Pointer)}
                alike = scalar == ctype or (
                    isinstance(scalar, PointerType) and VOID_POINTER in (scalar, ctype)
                )
                if offset not in links and alike and value.object in objects:
                    yield place, shape.tag, offset


def _indices(start: MemoryGraph, program: Program) -> dict[tuple[str, int], int]:
    """The fields that index arrays, and what lies behind the greatest that nodes of the start hold."""
    fields = compile_program(program).index_fields
    found: dict[tuple[str, int], int] = {}
    for place, value in start.cells.items() if fields else ():
        node = start.nodes.get(place.object) if isinstance(place.object, NodeId) else None
        if node is None or not isinstance(node.type, StructReference) or not isinstance(value, int):
            continue
        field = (node.type.tag, place.offset)
        if field in fields and value >= 0:
            found[field] = max(value + 1, found.get(field, 1))
    return found


def _bounds(start: MemoryGraph, function: Function | None, integers: Sequence[Place]) -> dict[Place, int]:
    """What the integer parameters index, or count, where the start is within it.

    One that indexes nothing may be meant to: it is taken for what those of its type are that do, unless the
    function reckons with it.
    """
    if function is None:
        return {}
    lengths, amounts, counts = index_bounds(function), reckoned_with(function), counts_of(function)
    types = {parameter.name: parameter.type for parameter in function.parameters}
    found = {}
    for place in integers:
        value, name = start.cells.get(place), getattr(place.object, "name", "")
        alike = [each for other, each in lengths.items() if types[other] == types.get(name)]
        length = lengths.get(name, 0 if name in amounts else min(alike, default=0))
        if name in counts and not length:
            length = min((_length(start, *each) for each in counts[name]), default=0) + 1
        if isinstance(value, int) and 0 <= value < length:
            found[place] = length
    return found


def _length(start: MemoryGraph, name: str, rows: bool) -> int:
    """How long the array is to which a parameter leads, or the shortest of its `rows`; 0 where none is."""
    places = [Place(v.id, 0) for v in start.frames[0].variables if v.parameter and v.id.name == name]
    arrays = [_led(start, place) for place in places]
    if rows:
        within = [place for place in start.cells if place.object in arrays]
        arrays = [_led(start, place) for place in within]
    return min((0 if each is None else start.nodes[each].count for each in arrays), default=0)


def _led(start: MemoryGraph, place: Place) -> NodeId | None:
    """The node to whose beginning a pointer leads."""
    value = start.cells.get(place)
    whole = isinstance(value, Pointer) and isinstance(value.object, NodeId) and not value.offset
    return value.object if whole else None  # type: ignore[union-attr, return-value]


def _is_link_address(ctype: CType) -> bool:
    return isinstance(ctype, PointerType) and isinstance(ctype.target, PointerType)


def _led_to(start: MemoryGraph, variable: VariableId) -> Place | None:
    """The empty link that a variable leads to."""
    leads = start.cells.get(Place(variable, 0))
    place = Place(leads.object, leads.offset) if isinstance(leads, Pointer) else None
    return None if place is not None and isinstance(start.cells.get(place), Pointer) else place


def _is_for_results(program: Program, function: Function, name: str) -> bool:
    """Whether a pointer serves only to write what it leads to: that is empty before, whatever the heap is.

    It may go on behind what it has written, and be copied to a variable that does.
    """
    read: frozenset[str]
    names = _copies(function, name)
    for step in function.code:
        match step:
            case Assign(_, VariableReference(one), Load(VariableReference(other))) if {one, other} <= names:
                continue
            case Assign(_, VariableReference(one) | Dereference(Load(VariableReference(one))), value) if (
                one in names
            ):
                read = variables(value)
            case Assign(_, target, value):
                read = variables(target) | variables(value)
            case Branch(_, condition):
                read = variables(condition)
            case Call(_, _, arguments) | Library(_, _, arguments):
                read = frozenset().union(*map(variables, arguments))
            case Return(_, value) if value is not None:
                read = variables(value)
            case Concrete(location):
                read = frozenset(_NAME.findall(program.location(location).text))
            case _:
                continue
        if names & read:
            return False
    return True


def _copies(function: Function, name: str) -> set[str]:
    """The variable and those to which it is copied."""
    found = {name}
    while True:
        more = {
            step.target.name
            for step in function.code
            if isinstance(step, Assign)
            and isinstance(step.target, VariableReference)
            and step.target.level != "global"
            and isinstance(step.value, Load)
            and isinstance(step.value.place, VariableReference)
            and step.value.place.name in found
        }
        if more <= found:
            return found
        found |= more


def led_elsewhere(plan: Plan, program: Program) -> Iterator[Plan]:
    """The plan with the parameter that leads to some node of a structure leading to another one.

    The execution shows it at one node, which may be a special case.  What leads to the last one rather is
    the structure's end, unless the function frees it, and two such parameters may have to do with each other:
    they stay.  They have not where the function looks for the node in the structure that it is given.
    """
    for number, structure in enumerate(plan.structures):
        moving = [(place, at) for place, at in structure.aliases if place in plan.parameters]
        if len(moving) != 1:
            continue
        [(place, at)] = moving
        if at < 0 and not _freed(program, place):
            continue
        if structure.root not in plan.parameters or _looked_for(program, place):
            yield from _led_elsewhere(plan, number, place, at)


def _freed(program: Program, place: Place) -> bool:
    """Whether the function frees the node that the parameter leads to: any may be taken out."""
    match place.object:
        case VariableId(_, function, name) if function in program.functions:
            for each in freed_in(program.functions[function]):
                match each:
                    case Load(VariableReference(given)) if given == name:
                        return True
    return False


def _looked_for(program: Program, place: Place) -> bool:
    """Whether the function compares its parameter with other pointers to nodes."""
    match place.object:
        case VariableId(_, function, name) if function in program.functions:
            conditions = (s.condition for s in program.functions[function].code if isinstance(s, Branch))
            for part in (part for condition in conditions for part in parts(condition)):
                match part:
                    case Binary("==" | "!=", Load() as one, Load() as other):
                        places = (one.place, other.place)
                        if any(isinstance(p, VariableReference) and p.name == name for p in places):
                            return True
    return False


def moved_on(plan: Plan, program: Program, start: MemoryGraph) -> Iterator[Plan]:
    """The plan with what goes on from node to node, the song that is played, at another node.

    What stands at the last one, or in a ring beside the root, is rather the other end of the structure,
    unless something that stays there is that.
    """
    for number, structure in enumerate(plan.structures):
        if len(structure.shape.nodes) < 2:
            continue
        moving = {place for place, _ in structure.aliases if is_cursor(program, place, start)}
        ends = any(at == -1 and place not in moving for place, at in structure.aliases)
        for place, at in structure.aliases:
            beside = at == 1 and structure.shape.form == "ring"
            if (
                place in moving - plan.parameters
                and (at >= 0 or ends or _walks(program, place))
                and not beside
            ):
                yield from _led_elsewhere(plan, number, place, at)


def _walks(program: Program, place: Place) -> bool:
    """Whether a variable goes to and fro, so that it is at an end by chance only."""
    return isinstance(place.object, VariableId) and not place.offset and walked(program, place.object)


def found_elsewhere(plan: Plan, program: Program) -> Iterator[Plan]:
    """The plan with a parameter that callers have looked for in a structure at another of its nodes.

    Where the parameter is all that leads there, it does so if nodes lead back to others before its own.
    """
    for number, structure in enumerate(plan.structures):
        for place, at in structure.aliases:
            mine = place in plan.parameters and (place != structure.root or at != 0)
            variable = place.object if mine else None
            if isinstance(variable, VariableId) and sought(program, variable.function, variable.name):
                yield from _led_elsewhere(plan, number, place, at)


def _led_elsewhere(plan: Plan, number: int, place: Place, at: int) -> Iterator[Plan]:
    """The plan with that alias of the structure of that number, now at node `at`, at others."""
    structure = plan.structures[number]
    for other in (0, 1, -1):
        if other != at:
            aliases = tuple((p, other if p == place else i) for p, i in structure.aliases)
            changed = replace(structure, aliases=aliases)
            yield replace(
                plan, structures=(*plan.structures[:number], changed, *plan.structures[number + 1 :])
            )


def _keep_carried(
    start: MemoryGraph,
    cells: Mapping[ObjectId, Sequence[Place]],
    node: NodeId,
    inside: set[NodeId],
    kept: list[NodeId],
) -> None:
    work: list[ObjectId] = [node]
    while work:
        at = work.pop()
        for place in cells.get(at, ()):
            if at == node and is_text(start.cell_types.get(place)):
                continue  # every new node has a text of its own
            value = start.cells[place]
            if isinstance(value, Pointer) and isinstance(value.object, NodeId):
                found = value.object
                if found not in inside and found not in kept:
                    kept.append(found)
                    work.append(found)


def _payloads(
    start: MemoryGraph,
    cells: Mapping[ObjectId, Sequence[Place]],
    nodes: Iterable[ObjectId],
    visible: Collection[ObjectId],
) -> Iterator[ObjectId]:
    """Variables further out to which nodes lead, and that lead to none: `cons(&values[i], list)`."""
    leading = (start.cells[place] for node in nodes for place in cells.get(node, ()))
    led = (value.object for value in leading if isinstance(value, Pointer))
    for variable in dict.fromkeys(each for each in led if isinstance(each, VariableId)):
        held = (start.cells[place] for place in cells.get(variable, ()))
        if variable not in visible and not any(isinstance(each, Pointer) for each in held):
            yield variable


def _cells(start: MemoryGraph) -> dict[ObjectId, list[Place]]:
    found: dict[ObjectId, list[Place]] = {}
    for place in start.cells:
        found.setdefault(place.object, []).append(place)
    return found
