"""Fresh heaps for ranking: inputs of the same shapes as at a trace's start, small and varied.

The frames and the object layout are those of the start; what hangs on the pointers of globals and of
the innermost activation's parameters is made anew.  The graphs serve to run that activation from its
entry to its return: further out, only the variables that such pointers lead to keep a value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product, zip_longest
from itertools import count as count_up
from math import gcd

from wolverine.core.graph import (
    MemoryGraph,
    NodeId,
    Place,
    Pointer,
)
from wolverine.core.program import Program
from wolverine.core.types import CHAR, StructReference
from wolverine.semantics.anew import Maker, Plan, Structure, ordered_by
from wolverine.semantics.carriers import Carried
from wolverine.semantics.compiled import compile_program
from wolverine.semantics.counters import kept, possible, recounted
from wolverine.semantics.extremes import only_sought
from wolverine.semantics.fields import Field
from wolverine.semantics.filled import emptied, kept_filled
from wolverine.semantics.forms import Links, links
from wolverine.semantics.leaves import alike
from wolverine.semantics.plans import found_elsewhere, led_elsewhere, moved_on, plan_of
from wolverine.semantics.room import roomed, rooms
from wolverine.semantics.shape import Shape, target

_SIZES = (0, 1, 2, 3, 5)
_EVEN = 4  # of a list besides: whoever goes through it from both ends meets between two nodes
_PAIRS = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (3, 0), (0, 3), (3, 2), (2, 3), (5, 3))
_IN_TURN = (0, 2, 1)
_SMALL = (2, 1, 0, 3, -1)
_FOUND = (1, 3)  # which nodes besides the second have the text that is given
_ASCII = 128
_ENDS = 3  # numbers, of which one may be in the middle
_GOLDEN = 0.618
_BEYOND = 5  # values that are about what is held
_CORNERS = 8  # of the numbers that are about arrays
_TURNS = 3  # values of integer parameters where there are no nodes
_NOWHERE = (0, 1)  # places in what is empty: the first one, and one behind the end


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
    of a structure also leads to others, and numbers are not rather keys.  With `usual`, structures have the
    usual form of their struct, whatever they are at the start: lists and trees.
    """
    compiled = compile_program(program)
    carried = Carried(start, compiled.carriers)
    plan = plan_of(carried.view, program, stack[0][0] if stack else "")
    if elsewhere:
        plan = replace(plan, keyed={})
    if usual:
        plan = replace(plan, structures=tuple(map(_usual_form, plan.structures)))
    made: list[MemoryGraph] = []
    orders = [_sortedness(carried.view, structure, program) for structure in plan.structures]
    moved = (*moved_on(plan, program, carried.view), *found_elsewhere(plan, program))
    plans = [plan, *(led_elsewhere(plan, program) if elsewhere else ()), *moved]
    if plan.words.given:
        plans += [replace(each, words=replace(each.words, at=at)) for each in plans for at in _FOUND]
    for forms in _combinations(carried.view, plan):
        for values in _patterns(orders, forms):
            made += [carried.back(Maker(carried.view, each, forms, values).graph()) for each in plans]
    layout = compiled.layout
    rules = kept(possible(program, layout), start, layout)
    counts = {rule.cell for rule in rules}  # these numbers follow what is there
    filled = {each for each in compiled.filled if (each.tag, each.number) not in counts}
    if filled and (kept_so := kept_filled(filled, start, layout)):
        made = [emptied(graph, kept_so, layout) for graph in made]
    if room := {each for each in rooms(start) if (each.tag, each.number) not in counts}:
        made = [roomed(graph, room) for graph in made]
    if rules:
        made = [recounted(graph, rules, layout) for graph in made]
    carrying = [each for graph in made for each in _with_carried(graph, plan)]
    ranked = [each for graph in carrying for each in _with_ranks(graph, plan, compiled.ordering)]
    varied = [each for graph in ranked for each in _with_integers(graph, plan)]
    return _thinned(_distinct(varied), limit)


def _usual_form(structure: Structure) -> Structure:
    return replace(structure, shape=replace(structure.shape, form="empty"), told={})


# -- variations ----------------------------------------------------------------------------------------


def _combinations(start: MemoryGraph, plan: Plan) -> list[tuple[Links, ...]]:
    """Which forms the structures take together.

    All sizes of one, chosen pairs of two; more are of one size, or of sizes in turn.
    """
    count = len(plan.structures)
    if not count:
        return [()]
    if count == 1:
        [structure] = plan.structures
        single = (*_SIZES, _EVEN) if structure.shape.form == "list" else _SIZES
        return [(form,) for size in single for form in _forms(start, structure, size)]
    sizes = _PAIRS if count == 2 else [*_equal(count), *_in_turn(count)]
    result = []
    for wanted in sizes:
        options = [_forms(start, each, size) for each, size in zip(plan.structures, wanted, strict=True)]
        if all(options):
            for index in range(max(len(o) for o in options)):
                result.append(tuple(o[index % len(o)] for o in options))
    return result


def _forms(start: MemoryGraph, structure: Structure, size: int) -> Sequence[Links]:
    shape = structure.shape
    if size < structure.least:
        return ()
    return alike(start, shape, structure.told, links(start.types, shape, size))


def _equal(count: int) -> Iterator[tuple[int, ...]]:
    for size in _SIZES:
        yield (size,) * count


def _in_turn(count: int) -> Iterator[tuple[int, ...]]:
    """No structure is always empty where another one is."""
    for first in range(len(_IN_TURN)):
        yield tuple(_IN_TURN[(first + index) % len(_IN_TURN)] for index in range(count))


def _patterns(orders: Sequence[str], forms: Sequence[Links]) -> list[list[list[int]]]:
    """Values for the nodes of each structure; sorted where the start is sorted.

    That of a node by itself, which may be to be put into another structure, comes in front of those there,
    among them and behind them.  Several structures have different values, and where they are sorted the same
    ones, too: who merges them may meet two that are equal.
    """
    made: list[list[list[int]]] = []
    largest = max((form.size for form in forms), default=0)
    alone = largest > 1 and any(form.size == 1 for form in forms)
    places = (0, largest // 2, largest, -1) if alone else (0,)
    sorted_ways = ("ascending", "descending")
    turns = [(pattern, place, len(orders)) for pattern in sorted_ways for place in places]
    shared = [(pattern, 0, 1) for pattern in sorted_ways if any(orders) and len(orders) > 1]
    for pattern, place, apart in (*turns, ("equal", 0, 1), ("mixed", 0, len(orders)), *shared):
        values = []
        for index, (order, form) in enumerate(zip(orders, forms, strict=True)):
            if order not in ("", pattern) and not (order == "ascending" and pattern == "equal"):
                break
            numbers = _numbers(pattern, form.size, index % apart, apart, place if form.size == 1 else 0)
            held = [0] * form.size
            for rank, node in enumerate(form.inorder if order else range(form.size)):
                held[node] = numbers[rank]
            values.append(held)
        else:
            if values not in made:
                made.append(values)
    return made or [[[*range(1, form.size + 1)] for form in forms]]


def _numbers(pattern: str, size: int, index: int, of: int, place: int) -> list[int]:
    # several lists have interleaved values
    step = [max(of * i + index + 1, 0) for i in range(place, place + size)]
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
    shape = structure.shape
    field = ordered_by(start, shape, compile_program(program).ordering)
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


def numbers_in(graph: MemoryGraph, fields: Collection[Field] | None = None) -> list[int]:
    """The numbers that nodes hold, in order, in these fields or (None) in all; characters are none."""
    found = {
        value
        for place, value in graph.cells.items()
        if isinstance(place.object, NodeId) and isinstance(value, int) and graph.cell_types.get(place) != CHAR
        if fields is None or _is_in(graph, place, fields)
    }
    return sorted(found)


def _is_in(graph: MemoryGraph, place: Place, fields: Collection[Field]) -> bool:
    kind = graph.type_of(place.object)
    return isinstance(kind, StructReference) and (kind.tag, place.offset) in fields


def characters_in(graph: MemoryGraph) -> list[int]:
    """The characters that are fields of nodes, in order; those of arrays make up texts."""
    single = {
        tag: {field.offset for field in struct.fields if field.type == CHAR}
        for tag, struct in graph.types.structs.items()
    }
    found = set()
    for node in graph.nodes.values():
        if isinstance(node.type, StructReference):
            places = (Place(node.id, offset) for offset in single.get(node.type.tag, ()))
            found |= {value for place in places if isinstance(value := graph.cells.get(place), int)}
    return sorted(found)


def _with_integers(graph: MemoryGraph, plan: Plan) -> list[MemoryGraph]:
    """The graph with other values for the integer parameters: those in its nodes, small ones, one beyond.

    One that is compared with a field of nodes has the numbers of that rather, and the others now and then.
    """
    if not plan.integers:
        return [graph]
    numbers = _numbers_held(graph, plan)
    given = [v for p in plan.integers if isinstance(v := graph.cells.get(p), int)]
    choices, most = {}, 0
    for place in plan.integers:
        choices[place], around = _numbers_for(graph, plan, numbers, given)
        if not plan.structures and isinstance(own := graph.cells.get(place), int):
            choices[place] = [
                *dict.fromkeys((own, *choices[place]))
            ]  # a place in a table rather than a value
        if place not in plan.keyed and (letters := _letters(graph, place)):
            choices[place] = [*dict.fromkeys((*letters, *choices[place]))]
        if held := numbers_in(graph, plan.keyed[place]) if place in plan.keyed else []:
            beyond, (keys, around) = choices[place], _numbers_for(graph, plan, held, given)
            beyond = [*reversed(beyond[:_BEYOND]), *beyond[_BEYOND:]]  # what none has comes first
            both = chain.from_iterable(zip_longest(keys, beyond))
            choices[place] = [*dict.fromkeys(each for each in both if each is not None)]
        most = max(most, min(max(around, _TURNS), len(choices[place])))
    made = []
    for turn in range(most):
        cells = dict(graph.cells)
        for position, place in enumerate(plan.integers):
            value = choices[place][(turn + position) % len(choices[place])]
            cells[place] = value % plan.bounds[place] if place in plan.bounds else value
        made.append(replace(graph, cells=cells))
    return [*made, *_with_keys(graph, plan), *_at_bounds(graph, plan)]


def _at_bounds(graph: MemoryGraph, plan: Plan) -> Iterator[MemoryGraph]:
    """The graph with each of several numbers that are about arrays small or large: rows and columns, say."""
    if len(plan.bounds) > 1:
        for numbers in islice(
            product(*(dict.fromkeys((1, most - 1)) for most in plan.bounds.values())), _CORNERS
        ):
            yield replace(graph, cells={**graph.cells, **dict(zip(plan.bounds, numbers, strict=True))})


def _with_keys(graph: MemoryGraph, plan: Plan) -> Iterator[MemoryGraph]:
    """The graph with a node's own numbers for the parameters that are compared with several of its fields."""
    for tag, beside in plan.joined.items():
        nodes = [node.id for node in graph.nodes.values() if node.type == StructReference(tag)]
        for node in dict.fromkeys(nodes[at] for at in (0, len(nodes) // 2, -1) if nodes):
            held = {place: graph.cells.get(Place(node, offset)) for place, offset in beside}
            numbers = {place: value for place, value in held.items() if isinstance(value, int)}
            if numbers.keys() == held.keys():
                yield replace(graph, cells={**graph.cells, **numbers})


def _numbers_held(graph: MemoryGraph, plan: Plan) -> list[int]:
    """The numbers in nodes; where hardly any are there, places from the first node to the last."""
    held = numbers_in(graph)
    if not held and all(graph.cell_types.get(place) == CHAR for place in plan.integers):
        held = characters_in(graph)
    longest = _longest(graph, plan)
    return sorted({*held, *range(1, longest + 1)}) if len(held) < longest else held


def _numbers_for(
    graph: MemoryGraph, plan: Plan, held: Sequence[int], given: Sequence[int]
) -> tuple[list[int], int]:
    """The values for a parameter, and how many of the first are about what is held."""
    arrays = any(node.count > 1 and node.type != CHAR for node in graph.nodes.values())
    beside = _NOWHERE if plan.structures and not graph.nodes else ()
    around = (held[len(held) // 2], held[-1], held[0], held[-1] + 1, held[0] - 1) if held else beside
    choices = list(dict.fromkeys((*around, *given, *_SMALL)))
    if arrays and given:
        choices = [v for v in choices if 0 <= v <= max(given)]
    return choices, len(set(around))


def _letters(graph: MemoryGraph, place: Place) -> list[int]:
    """A letter or digit that is given, and those beside it: what is named by them has names in a row."""
    own = graph.cells.get(place)
    if graph.cell_types.get(place) != CHAR or not isinstance(own, int) or not 0 < own < _ASCII:
        return []
    kinds = (str.isdigit, str.islower, str.isupper)
    kind = next((each for each in kinds if each(chr(own))), None)
    return [each for each in (own, own + 1, own - 1) if kind(chr(each))] if kind is not None else []


def _longest(graph: MemoryGraph, plan: Plan) -> int:
    """How many nodes the structs have of which there are most."""
    counts = Counter(node.type for node in graph.nodes.values())
    return max((counts[StructReference(each.shape.tag)] for each in plan.structures), default=0)


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


def _with_ranks(graph: MemoryGraph, plan: Plan, fields: Mapping[str, int]) -> Iterator[MemoryGraph]:
    """The graph, and with the numbers by which nodes outside of the structures are compared changed about.

    `fields` tell where these numbers are, by tag.  So a table of such nodes comes in other orders.
    """
    yield graph
    for tag, offset in fields.items():
        if any(each.shape.tag == tag for each in plan.structures):
            continue
        of_tag = (Place(n.id, offset) for n in graph.nodes.values() if n.type == StructReference(tag))
        held = {place: value for place in of_tag if isinstance(value := graph.cells.get(place), int)}
        values = [*held.values()]
        rising = sorted(values)
        for order in (rising[::-1], rising, [*values[1:], *values[:1]], values[:1] * len(values)):
            yield replace(graph, cells={**graph.cells, **dict(zip(held, order, strict=True))})


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
