"""Fresh heaps for ranking: inputs of the same shapes as at a trace's start, small and varied.

The frames and the object layout are those of the start; what hangs on the pointers of globals and of
the innermost activation's parameters is made anew.  The graphs serve to run that activation from its
entry to its return: further out, only the variables that such pointers lead to keep a value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as count_up
from itertools import islice
from math import gcd

from wolverine.core.expressions import Dereference, Load, VariableReference, variables
from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    ObjectId,
    Place,
    Pointer,
    Value,
    VariableId,
)
from wolverine.core.program import Assign, Branch, Call, Concrete, Function, Library, Program, Return
from wolverine.core.types import CHAR, CType, IntType, PointerType, StructReference
from wolverine.semantics.anew import Maker, Plan, Structure, key_offset
from wolverine.semantics.carriers import Carried
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.counters import kept, possible, recounted
from wolverine.semantics.extremes import only_sought
from wolverine.semantics.forms import Links, has_structure, links
from wolverine.semantics.indexing import index_bounds, reckoned_with
from wolverine.semantics.rows import rows
from wolverine.semantics.sentinels import home, is_cursor, is_moved, sentinel
from wolverine.semantics.shape import Shape, target
from wolverine.semantics.sought import sought
from wolverine.semantics.structures import structures
from wolverine.semantics.words import given, is_text, owned

_SIZES = (0, 1, 2, 3, 5)
_PAIRS = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (3, 2), (2, 3), (5, 3))
_IN_TURN = (0, 2, 1)
_SMALL = (2, 1, 0, 3, -1)
_NAME = re.compile(r"[A-Za-z_]\w*")
_FOUND = (1, 3)  # which nodes besides the second have the text that is given
_ENDS = 3  # numbers, of which one may be in the middle
_GOLDEN = 0.618
_TURNS = 3  # values of integer parameters where there are no nodes


def fresh_graphs(
    program: Program,
    start: MemoryGraph,
    stack: Sequence[tuple[str, int]] = (),
    *,
    limit: int = 40,
    elsewhere: bool = False,
    usual: bool = False,
) -> list[MemoryGraph]:
    """At most `limit` graphs, the same ones for the same start.

    `stack` is the trace's start stack; its innermost function tells which parameters there are (the
    graph's innermost frame where the stack is not given).  With `elsewhere`, a parameter that leads to a node
    of a structure also leads to others.  With `usual`, structures have the usual form of their struct,
    whatever they are at the start: lists and trees.
    """
    compiled = compile_program(program)
    carried = Carried(start, compiled.carriers)
    plan = _plan(carried.view, program, stack[0][0] if stack else "")
    if usual:
        plan = replace(plan, structures=tuple(map(_usual, plan.structures)))
    made: list[MemoryGraph] = []
    orders = [_sortedness(carried.view, structure, program) for structure in plan.structures]
    moved = (*_moved_on(plan, program, carried.view), *_found_elsewhere(plan, program))
    plans = [plan, *(_elsewhere(plan) if elsewhere else ()), *moved]
    if plan.words.given:
        plans += [replace(each, words=replace(each.words, at=at)) for each in plans for at in _FOUND]
    for forms in _combinations(carried.view, plan):
        for values in _patterns(orders, forms):
            made += [carried.back(Maker(carried.view, each, forms, values).graph()) for each in plans]
    layout = compiled.layout
    if rules := kept(possible(program, layout), start, layout):
        made = [recounted(graph, rules, layout) for graph in made]
    carrying = [each for graph in made for each in _with_carried(graph, plan)]
    varied = [each for graph in carrying for each in _with_integers(graph, plan)]
    return _thinned(_distinct(varied), limit)


def _usual(structure: Structure) -> Structure:
    return replace(structure, shape=replace(structure.shape, form="empty"))


# -- what the start looks like -------------------------------------------------------------------------


def _plan(start: MemoryGraph, program: Program, function: str) -> Plan:
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
    for identity in visible:  # grows while it is walked
        for place in cells.get(identity, ()):
            match start.cell_types.get(place):
                case PointerType(StructReference(tag)) if has_structure(start.types, tag):
                    value = sentinel(start, start.cells.get(place), tag)
                    if value is None:
                        roots.append((place, tag))
                        value = home(start, place, tag)
                    elif place.object == value.object or is_moved(program, place, start):
                        roots.append((place, tag))
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
        replace(each, keys=told.keys.get(each.root, ()))
        for each in structures(start, told.roots, parameters, program)
    ]
    inside = {n for s in found for n in s.shape.nodes}
    for node in list(inside):
        _keep_carried(start, cells, node, inside, kept)
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
    )


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
                if offset not in links and isinstance(scalar, PointerType) and value.object in objects:
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
    """What the integer parameters index, where the start is within it.

    One that indexes nothing may be meant to: it is taken for what those of its type are that do, unless the
    function reckons with it.
    """
    if function is None:
        return {}
    lengths, amounts = index_bounds(function), reckoned_with(function)
    types = {parameter.name: parameter.type for parameter in function.parameters}
    found = {}
    for place in integers:
        value, name = start.cells.get(place), getattr(place.object, "name", "")
        alike = [each for other, each in lengths.items() if types[other] == types.get(name)]
        length = lengths.get(name, 0 if name in amounts else min(alike, default=0))
        if isinstance(value, int) and 0 <= value < length:
            found[place] = length
    return found


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


def _elsewhere(plan: Plan) -> Iterator[Plan]:
    """The plan with the parameter that leads to some node of a structure leading to another one.

    The execution shows it at one node, which may be a special case.  What leads to the last one rather is
    the structure's end, and two such parameters may have to do with each other: they stay.
    """
    for number, structure in enumerate(plan.structures):
        moving = [(place, at) for place, at in structure.aliases if place in plan.parameters]
        if len(moving) != 1 or moving[0][1] < 0 or structure.root in plan.parameters:
            continue
        [(place, at)] = moving
        yield from _led_elsewhere(plan, number, place, at)


def _moved_on(plan: Plan, program: Program, start: MemoryGraph) -> Iterator[Plan]:
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
            if place in moving - plan.parameters and (at >= 0 or ends) and not beside:
                yield from _led_elsewhere(plan, number, place, at)


def _found_elsewhere(plan: Plan, program: Program) -> Iterator[Plan]:
    """The plan with a parameter that callers have looked for in a structure at another of its nodes."""
    for number, structure in enumerate(plan.structures):
        for place, at in structure.aliases:
            mine = place in plan.parameters and place != structure.root
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


def _cells(start: MemoryGraph) -> dict[ObjectId, list[Place]]:
    found: dict[ObjectId, list[Place]] = {}
    for place in start.cells:
        found.setdefault(place.object, []).append(place)
    return found


# -- variations ----------------------------------------------------------------------------------------


def _combinations(start: MemoryGraph, plan: Plan) -> list[tuple[Links, ...]]:
    """Which forms the structures take together.

    All sizes of one, chosen pairs of two; more are of one size, or of sizes in turn.
    """
    shapes = [s.shape for s in plan.structures]
    if not shapes:
        return [()]
    if len(shapes) == 1:
        return [(form,) for size in _SIZES for form in links(start.types, shapes[0], size)]
    sizes = _PAIRS if len(shapes) == 2 else [*_equal(len(shapes)), *_in_turn(len(shapes))]
    result = []
    for wanted in sizes:
        options = [links(start.types, shape, size) for shape, size in zip(shapes, wanted, strict=True)]
        if all(options):
            for index in range(max(len(o) for o in options)):
                result.append(tuple(o[index % len(o)] for o in options))
    return result


def _equal(count: int) -> Iterator[tuple[int, ...]]:
    for size in _SIZES:
        yield (size,) * count


def _in_turn(count: int) -> Iterator[tuple[int, ...]]:
    """No structure is always empty where another one is."""
    for first in range(len(_IN_TURN)):
        yield tuple(_IN_TURN[(first + index) % len(_IN_TURN)] for index in range(count))


def _patterns(orders: Sequence[str], forms: Sequence[Links]) -> list[list[list[int]]]:
    """Values for the nodes of each structure; sorted where the start is sorted."""
    made: list[list[list[int]]] = []
    for pattern in ("ascending", "descending", "equal", "mixed"):
        values = []
        for index, (order, form) in enumerate(zip(orders, forms, strict=True)):
            if order not in ("", pattern) and not (order == "ascending" and pattern == "equal"):
                break
            numbers = _numbers(pattern, form.size, index, len(orders))
            held = [0] * form.size
            for rank, node in enumerate(form.inorder if order else range(form.size)):
                held[node] = numbers[rank]
            values.append(held)
        else:
            if values not in made:
                made.append(values)
    return made or [[[*range(1, form.size + 1)] for form in forms]]


def _numbers(pattern: str, size: int, index: int, of: int) -> list[int]:
    step = [of * i + index + 1 for i in range(size)]  # several lists have interleaved values
    match pattern:
        case "ascending":
            return step
        case "descending":
            return step[::-1]
        case "equal":
            return [1] * size
        case _:
            mixed = step[1::2] + step[::2]
            if size > _ENDS:  # neither the least nor the greatest is at an end
                greatest = mixed.index(max(mixed))
                mixed[1], mixed[greatest] = mixed[greatest], mixed[1]
            return mixed


def _sortedness(start: MemoryGraph, structure: Structure, program: Program) -> str:
    """ "ascending" or "descending" when three or more nodes of the start are sorted, else "".

    Where the least is looked for among all of them they are sorted by chance.
    """
    field = key_offset(start, structure.shape)
    shape = structure.shape
    nodes = _walk_in_order(start, shape)
    if field is None or len(nodes) < 3 or only_sought(program, shape.tag, field):
        return ""
    values = [start.cells.get(Place(n, field)) for n in nodes]
    numbers = [v for v in values if isinstance(v, int)]
    if len(numbers) < 3 or len(set(numbers)) == 1:
        return ""
    if numbers == sorted(numbers):
        return "ascending"
    return "descending" if numbers == sorted(numbers, reverse=True) else ""


def _walk_in_order(start: MemoryGraph, shape: Shape) -> list[NodeId]:
    if shape.form != "tree" or len(shape.forward) < 2 or not shape.nodes:
        return list(shape.nodes)
    left, right = shape.forward[0], shape.forward[1]
    found: list[NodeId] = []
    work: list[tuple[NodeId, bool]] = [(shape.nodes[0], False)]
    while work:
        node, opened = work.pop()
        if opened:
            found.append(node)
            continue
        for field, at in ((right, None), (None, node), (left, None)):
            if field is None:
                work.append((node, True))
            elif at is None and (child := target(start, node, field)) is not None:
                work.append((child, False))
    return found


def numbers_in(graph: MemoryGraph) -> list[int]:
    """The numbers that nodes hold, in order; characters make up texts."""
    found = {
        value
        for place, value in graph.cells.items()
        if isinstance(place.object, NodeId) and isinstance(value, int) and graph.cell_types.get(place) != CHAR
    }
    return sorted(found)


def _with_integers(graph: MemoryGraph, plan: Plan) -> list[MemoryGraph]:
    """The graph with other values for the integer parameters: those in its nodes, small ones, one beyond."""
    if not plan.integers:
        return [graph]
    held = numbers_in(graph)
    given = [v for p in plan.integers if isinstance(v := graph.cells.get(p), int)]
    arrays = any(node.count > 1 and node.type != CHAR for node in graph.nodes.values())
    around = (held[len(held) // 2], held[-1], held[0], held[-1] + 1, held[0] - 1) if held else ()
    choices = list(dict.fromkeys((*around, *given, *_SMALL)))
    if arrays and given:
        choices = [v for v in choices if 0 <= v <= max(given)]
    made = []
    for turn in range(min(max(len(set(around)), _TURNS), len(choices))):
        cells = dict(graph.cells)
        for position, place in enumerate(plan.integers):
            value = choices[(turn + position) % len(choices)]
            cells[place] = value % plan.bounds[place] if place in plan.bounds else value
        made.append(replace(graph, cells=cells))
    return made


def _with_carried(graph: MemoryGraph, plan: Plan) -> list[MemoryGraph]:
    """The graph, and with the parameters that lead to what nodes carry leading to what others do."""
    made = [graph]
    for place, tag, offset in plan.carried:
        nodes = [node.id for node in graph.nodes.values() if node.type == StructReference(tag)]
        for node in dict.fromkeys(nodes[at] for at in (0, len(nodes) // 2, -1) if nodes):
            value = graph.cells.get(Place(node, offset))
            if isinstance(value, Pointer) and value != graph.cells.get(place):
                made.append(replace(graph, cells={**graph.cells, place: value}))
    return made


def _thinned(graphs: Sequence[MemoryGraph], limit: int) -> list[MemoryGraph]:
    """At most `limit` of the graphs, in the same order, as evenly over their sizes as there are some.

    Of one size they are taken by steps of the golden section: what they were made from varies regularly.
    """
    groups: dict[int, list[int]] = {}
    for index, graph in enumerate(graphs):
        groups.setdefault(len(graph.nodes), []).append(index)
    chosen: list[int] = []
    waiting = sorted(groups.values(), key=len)
    for number, group in enumerate(waiting):
        share = min(len(group), (limit - len(chosen)) // (len(waiting) - number))
        chosen += [group[at] for at in islice(scattered(len(group)), share)]
    return [graphs[index] for index in sorted(chosen)]


def scattered(count: int) -> Iterator[int]:
    """The numbers below `count`, each once, those that come after each other far apart."""
    stride = next(n for n in count_up(max(1, round(count * _GOLDEN))) if gcd(n, count) == 1)
    for at in range(count):
        yield at * stride % count


def _distinct(graphs: Sequence[MemoryGraph]) -> list[MemoryGraph]:
    seen: list[object] = []
    kept = []
    for graph in graphs:
        if graph.cells not in seen:
            seen.append(graph.cells)
            kept.append(graph)
    return kept
