"""The structures of a memory graph: from where each hangs, and what else leads into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from wolverine.core.expressions import Load, Member
from wolverine.core.graph import MemoryGraph, NodeId, Place, Pointer, VariableId
from wolverine.core.program import Assign, Program
from wolverine.semantics.anew import Structure
from wolverine.semantics.appended import appends
from wolverine.semantics.branching import as_gone_over, as_tree
from wolverine.semantics.closing import closes
from wolverine.semantics.doubly import as_list
from wolverine.semantics.founded import founded
from wolverine.semantics.records import record_at, with_its_index
from wolverine.semantics.sentinels import ends, hanging, home, is_at, is_cursor, leads_back
from wolverine.semantics.shape import Shape, shape_at, stands_under, target

_Chosen = tuple[int, Place, Shape, list[tuple[Place, int]]]  # number, root, shape, aliases

_EMPTY = 8  # null pointers of one object from which something is hung: of a table with many rows, a few
_AWAY = 2  # where a cursor stands in a ring: neither at the root nor beside it


def structures(
    start: MemoryGraph, roots: Sequence[tuple[Place, str]], parameters: Collection[Place], program: Program
) -> list[Structure]:
    """The largest structures first; a root into another's structure is an alias of it.

    A parameter is rather an alias of what else leads there than the other way round.
    A pointer into the middle of a structure with back pointers is an alias of where that begins.
    """
    named = {place.object.function for place in parameters if isinstance(place.object, VariableId)}
    shapes = []
    for place, tag in hanging(start, _few_empty(start, roots), parameters):
        shape = as_gone_over(program, start, as_tree(program, _whole(start, place, tag)), named)
        shapes.append((place, as_list(program, start, place, shape)))
    order = sorted(
        range(len(shapes)),
        key=lambda i: (
            -len(shapes[i][1].nodes),
            shapes[i][0] in parameters,
            leads_back(start, *shapes[i]),
            i,
        ),
    )
    chosen: list[_Chosen] = []
    for index in order:
        place, shape = shapes[index]
        leads = start.cells.get(place)
        node = leads.object if isinstance(leads, Pointer) else None
        host = next((c for c in chosen if shape.nodes and node in c[2].nodes), None)
        if host is None and (ring := _empty_ring(start, place, shape, chosen)) is not None:
            if not ring[2].back and len(ring[2].forward) == 2:
                both = _linked_both_ways(program, start, ring[1], ring[2])
                chosen[chosen.index(ring)] = ring = *ring[:2], both, ring[3]
            ring[3].append((place, -1))
            continue
        if host is None:
            host = index, place, shape, []
            chosen.append(host)
            if node is None or node not in shape.nodes[1:]:
                continue
        at = host[2].nodes.index(node)
        if _two_ends(start, host[1], place, host[2]):
            number = chosen.index(host)
            host = *host[:2], _linked_both_ways(program, start, host[1], host[2]), host[3]
            chosen[number] = host
        # Of one node nothing tells whether it is the first or the last that counts: what leads to a list's
        # besides is rather its tail.
        tail = len(host[2].forward) == 1 and host[2].form == "list" and place not in parameters
        last = at == len(host[2].nodes) - 1 and (at > 0 or tail)
        if host[2].form == "ring" and len(host[2].nodes) == 1 and place not in parameters:
            at = _in_ring(program, start, host[1], place, host[2])
            last = False
        host[3].append((place, -1 if last else at))
    chosen = _formed_as_others(_as_appended(program, start, _as_in_others(start, chosen)))
    return [
        Structure(p, s, tuple(a), ends(start, p, s), least=_least(program, start, p, a))
        for _, p, s, a in sorted(chosen, key=lambda c: c[0])
    ]


def _in_ring(program: Program, start: MemoryGraph, root: Place, place: Place, shape: Shape) -> int:
    """Where a pointer besides the root leads to in a larger ring: it leads to the single node of this one."""
    links = {field.name for field in shape.forward}
    if closes(program, start, place, root, links):
        return -1
    if closes(program, start, root, place, links):
        return 1
    return _AWAY if is_cursor(program, place, start) else 0


def _least(program: Program, start: MemoryGraph, root: Place, aliases: Sequence[tuple[Place, int]]) -> int:
    """To how many nodes pointers lead that lead there for good: to the first one, the last one, or both."""
    ends_of = [place for place, at in ((root, 0), *aliases) if at in (0, -1)]
    return len({start.cells.get(place) for place in ends_of if founded(program, place, start)})


def _as_in_others(start: MemoryGraph, chosen: Sequence[_Chosen]) -> list[_Chosen]:
    """With what is empty in one struct hung as it is in another one of its type: on the list of its front."""
    kept = []
    for each in chosen:
        fitting = () if each[2].nodes else _fitting(start, each[1], chosen)
        host, at = next(iter(fitting), (None, 0))
        if host is None:
            kept.append(each)
        else:
            host[3].append((each[1], at))
    return kept


def _as_appended(program: Program, start: MemoryGraph, chosen: Sequence[_Chosen]) -> list[_Chosen]:
    """With an empty pointer to the last node, to which the program appends, hung on the list of the first."""
    kept = [*chosen]
    for last in chosen:
        for first in kept:
            if _are_beside(last, first) and appends(program, start, last[1], first[1], _links(first[2])):
                first[3].append((last[1], -1))
                kept.remove(last)
                break
    return kept


def _are_beside(one: _Chosen, other: _Chosen) -> bool:
    """Whether two empty lists of one struct hang in one object; all globals count as one."""
    if one is other or one[2].nodes or other[2].nodes or one[2].tag != other[2].tag:
        return False
    both = [each[1].object for each in (one, other)]
    return both[0] == both[1] or all(isinstance(each, VariableId) and each.depth < 0 for each in both)


def _links(shape: Shape) -> frozenset[str]:
    return frozenset(field.name for field in shape.forward)


def _formed_as_others(chosen: Sequence[_Chosen]) -> list[_Chosen]:
    """With what is empty taken for a ring, or a list linked both ways, where all others of its struct are."""
    formed: dict[str, Shape | None] = {}
    for _, _, shape, _ in chosen:
        if shape.nodes:
            same = formed.setdefault(shape.tag, shape)
            if same is not None and (same.form, same.forward) != (shape.form, shape.forward):
                formed[shape.tag] = None
    kept = []
    for number, place, shape, aliases in chosen:
        other = None if shape.nodes else formed.get(shape.tag)
        if other is not None and (other.form == "ring" or (other.form == "list" and other.back)):
            shape = replace(other, nodes=(), closed=())
        kept.append((number, place, shape, aliases))
    return kept


def _fitting(start: MemoryGraph, place: Place, chosen: Sequence[_Chosen]) -> Iterator[tuple[_Chosen, int]]:
    """On which empty structures of its struct a place may hang, and where, as others of the type have it.

    Where the others hang on what has one index in two arrays (`first[w]`, `last[w]`), so does it.
    """
    for _, root, _, aliases in chosen:
        for alias, at in aliases:
            if alias.object == place.object and alias in with_its_index(start, root):
                here = Place(root.object, root.offset + place.offset - alias.offset)
                yield from ((each, at) for each in chosen if each[1] == here and not each[2].nodes)
    begin, kind = record_at(start, place)
    for _, root, shape, aliases in chosen if kind is not None else ():
        first, same = record_at(start, root)
        if not shape.nodes or (root.object, first) == (place.object, begin) or same != kind:
            continue
        for alias, at in aliases:
            if (alias.object, alias.offset - first) == (root.object, place.offset - begin):
                here = Place(place.object, begin + root.offset - first)
                yield from ((each, at) for each in chosen if each[1] == here and not each[2].nodes)


def _few_empty(start: MemoryGraph, roots: Sequence[tuple[Place, str]]) -> list[tuple[Place, str]]:
    """The roots, without the null pointers of one object behind the first few."""
    met: Counter[object] = Counter()
    kept = []
    for place, tag in roots:
        if start.cells.get(place) is None and place in start.cells:
            met[place.object] += 1
            if met[place.object] > _EMPTY:
                continue
        kept.append((place, tag))
    return kept


def _empty_ring(start: MemoryGraph, place: Place, shape: Shape, chosen: Sequence[_Chosen]) -> _Chosen | None:
    """Of those before the one that hangs from another link of the same sentinel, where neither has nodes."""
    end = home(start, place, shape.tag)
    if shape.nodes or end is None or end.object != place.object:
        return None
    alike = (c for c in chosen if not c[2].nodes and c[1].object == place.object)
    return next((c for c in alike if home(start, c[1], c[2].tag) == end), None)


def _two_ends(start: MemoryGraph, one: Place, two: Place, shape: Shape) -> bool:
    """Whether two pointers of one object lead to a single node of two links: these are rather a list's ends.

    All globals count as one object.
    """
    if len(shape.nodes) != 1 or len(shape.forward) != 2 or shape.back:
        return False
    if start.cell_types.get(one) != start.cell_types.get(two):
        return False
    both = [each.object for each in (one, two)]
    if all(isinstance(each, VariableId) and each.depth < 0 for each in both):
        return True
    return both[0] == both[1]


def _linked_both_ways(program: Program, start: MemoryGraph, root: Place, shape: Shape) -> Shape:
    """The shape as a list: ahead lies the link that is somewhere set to what the root leads to."""
    ahead = shape.forward[1]
    for function in program.functions.values():
        for step in function.code:
            match step:
                case Assign(_, Member(_, name), Load(place)) if is_at(place, root, start):
                    ahead = next((f for f in shape.forward if f.name == name), ahead)
    back = tuple(f for f in shape.forward if f is not ahead)
    return replace(shape, form="list", forward=(ahead,), back=back)


def _whole(start: MemoryGraph, place: Place, tag: str) -> Shape:
    """The shape of the structure into which a pointer leads, from where it begins: up its back pointers."""
    shape = shape_at(start, place, tag)
    leads = start.cells.get(place)
    if not shape.back or not shape.nodes or not isinstance(leads, Pointer):
        return shape
    seen = [shape.nodes[0]]
    while (above := _above(start, shape, seen[-1])) is not None:
        if above in seen:
            return shape  # a ring begins anywhere
        seen.append(above)
    if len(seen) == 1:
        return shape
    from_top = replace(start, cells={**start.cells, place: Pointer(seen[-1])})
    whole = shape_at(from_top, place, tag)
    return whole if shape.nodes[0] in whole.nodes else shape


def _above(start: MemoryGraph, shape: Shape, node: NodeId) -> NodeId | None:
    """The node that leads to this one or to one beside it, and to which this one leads back."""
    ahead = {field.name: field for field in shape.forward}

    def led(at: NodeId, name: str) -> NodeId | None:
        return target(start, at, ahead[name])

    for field in shape.back:
        found = target(start, node, field)
        if found is not None and stands_under(node, found, led, ahead):
            return found
    return None
