"""What becomes of nodes: lost, freed, used after that, never freed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise, takewhile

from wolverine import draw
from wolverine.core.expressions import Dereference, Load, LValue, Member, VariableReference, text
from wolverine.core.graph import (
    External,
    MemoryGraph,
    NodeId,
    Place,
    Pointer,
    Site,
    Uninitialised,
    VariableId,
    Wild,
    links,
)
from wolverine.core.parts import step_parts
from wolverine.core.program import Assign, Program
from wolverine.core.types import PointerType
from wolverine.errors import CommandError
from wolverine.semantics.violations import line_of
from wolverine.session.allocated import allocated_at, left_over
from wolverine.session.beyond import origin
from wolverine.session.execution import Execution
from wolverine.session.lines import Lines
from wolverine.session.losses import Losses, Where
from wolverine.session.moments import Moment
from wolverine.session.places import node_named, resolve_node, resolve_place, value_at
from wolverine.session.visible import visible

_MOST_NAMES = 5
_HOLDERS = 4  # that lead to a node
_FOUND_AT_THE_END = " (`repair` goes back to where, when the program has ended)"


def _returning(moment: Moment) -> bool:
    """Whether a call has just returned, with a value."""
    return moment.stop.reason == "finish" and bool(moment.stop.text)


class Fates:
    """Tells of the nodes of one program; what was told is not told again."""

    def __init__(
        self,
        program: Program,
        lines: Lines,
        execution: Callable[[], Execution],
        note: Callable[[str], None],
    ) -> None:
        self._program = program
        self._lines = lines
        self._execution = execution
        self._note = note
        self._losses = Losses(program, lines, execution)
        self._used: set[tuple[NodeId, str, int]] = set()
        self._unset: set[tuple[Place, tuple[str, int]]] = set()
        self._beyond: set[tuple[str, str, int]] = set()
        self._said: set[tuple[str, str, int]] = set()  # of statements, in words
        self._from: set[int] = set()  # nodes of which it was told where they are from
        self._short: set[Site | None] = set()  # what allocates too little for a struct

    def forget(self) -> None:
        """A new run: what happens in it is told anew."""
        for told in (self._used, self._unset, self._beyond, self._said, self._from, self._short):
            told.clear()

    def lost_since(self) -> dict[NodeId, int]:
        """The nodes that are lost now, and the lines of the statements that made them so."""
        path = self._execution().path
        found = {node: self._losses.since(node) for node in path[-1].graph.leaked()} if path else {}
        return {node: where.line for node, where in found.items() if where is not None}

    def lost(self, moment: Moment) -> None:
        """Name the statement that made a node unreachable, at once.

        Behind a call the value that it returned is still on its way to where it is kept.
        """
        if _returning(moment):
            return
        path = self._execution().path
        first = len(path) - 1
        while first > 0 and (path[first - 1].transit or _returning(path[first - 1])):
            first -= 1
        now = moment.graph.leaked()
        for before, after in pairwise(path[max(first - 1, 0) :]):
            fresh = after.graph.leaked() - before.graph.leaked() if after.stop.alive else frozenset()
            lost = sorted(n.number for n in fresh if n in before.graph.nodes and n in now)
            by: dict[Where, list[int]] = {}
            for number in lost:
                by.setdefault(self._losses.between(before, after, NodeId(number)), []).append(number)
            for where, numbers in by.items():
                one = len(numbers) == 1
                words = where.words("it" if one else "them")
                self._note(f"{_names(numbers)} {'is' if one else 'are'} lost {words}")

    def used(self) -> None:
        """Name the statements that used a node after it was freed, once."""
        found: dict[tuple[str, int], list[NodeId]] = {}
        for node, where in self._execution().tracer.uses().items():
            if self._program.functions[where[0]].unit_of[where[1]] >= 0 and (node, *where) not in self._used:
                self._used.add((node, *where))
                found.setdefault(where, []).append(node)
        for where, nodes in found.items():
            words = "is used after it was" if len(nodes) == 1 else "are used after they were"
            self._by(where, f"{_names(sorted(node.number for node in nodes))} {words} freed")

    def unset(self, moment: Moment) -> None:
        """Name the statements that used what nothing had set, once."""
        for place, where in self._execution().tracer.unset().items():
            if (place, where) not in self._unset and moment.violation is None:
                self._unset.add((place, where))
                self._by(where, f"{self._named(moment.graph, place, where)} is used before it has a value")
                self._tell_whence(moment.graph, place)

    def _tell_whence(self, graph: MemoryGraph, used: Place) -> None:
        """Say once where a node was allocated of which a variable got what nothing had set."""
        source = self._execution().tracer.copied().get(used)
        held = source.field.object if source is not None else None
        node = graph.nodes.get(held) if isinstance(held, NodeId) else None
        if node is not None and node.allocated is not None and node.id.number not in self._from:
            self._from.add(node.id.number)
            self._note(f"n{node.id.number} was {self._allocated(node.allocated, node.callers)}")

    def _named(self, graph: MemoryGraph, place: Place, where: tuple[str, int]) -> str:
        """A place as the picture names it, and what is no variable of C by what it holds.

        Where a variable was set to the field of a node, that is named, too.  Nodes that the picture does not
        have are seen as (function, instruction) has them.
        """
        source = self._execution().tracer.copied().get(place)
        if source is not None:
            return f"{self._named(graph, source.field, source.where)} (in {_name(graph, place)})"
        held = place.object
        if isinstance(held, NodeId) and (held not in graph.nodes or graph.nodes[held].type is None):
            return f"n{held.number}" + self._seen_as(place.offset, where)
        if not isinstance(held, VariableId) or not held.name.startswith("$"):
            return _name(graph, place)
        code = self._program.functions[held.function].code if held.function in self._program.functions else ()
        for step in code:
            match step:
                case Assign(_, VariableReference(held.name), value) if "$" not in text(value):
                    return text(value)
        return "what it works out"

    def _seen_as(self, offset: int, where: tuple[str, int]) -> str:
        """What is at a byte of a node by the fields that a statement reads there."""
        function, index = where
        for each in step_parts(self._program.functions[function].code[index]):
            if isinstance(each, Load) and _way_in(each.place)[1] == offset and _way_in(each.place)[0]:
                return _way_in(each.place)[0]
        return f"+{offset}" if offset else ""

    def overstepped(self, moment: Moment) -> None:
        """Name the statement behind which the model could not follow, as it did what C forbids."""
        for where, fault in self._execution().tracer.overstepped().items():
            if moment.violation is None:
                self._gone_beyond(where, fault.message, fault.node)
        for passed in (*self._passed(moment), moment):
            found = passed.violated
            if found is not None:
                node = found.node if found.kind == "bounds" else 0
                at = (found.function, found.instruction)
                named = self._named(moment.graph, found.unset, at) if found.unset is not None else ""
                words = f"{named} is used before it has a value" if named else found.message
                self._gone_beyond(at, words, node)
                if found.unset is not None:
                    self._tell_whence(moment.graph, found.unset)

    def _gone_beyond(self, where: tuple[str, int], message: str, number: int) -> None:
        """Say once what a statement did; of a node beyond which it went also where that is from."""
        if (message, *where) in self._beyond:
            return
        self._beyond.add((message, *where))
        held = self._execution().debugger.allocated(NodeId(number)) if number else None
        if held is not None and held.site in self._short:
            return  # one slip, told already
        self._by(where, message)
        if held is None or number in self._from:
            return
        self._from.add(number)
        step = self._program.functions[where[0]].code[where[1]]
        words, short = origin(self._program, self._lines, f"n{number}", held, step)
        if short:
            self._short.add(held.site)
        if words:
            self._note(words)

    def _passed(self, moment: Moment) -> list[Moment]:
        """The stops on the way from the last one that was shown, where the moment is the present one."""
        path = self._execution().path
        if not path or path[-1] is not moment:
            return []
        return [*takewhile(lambda each: each.transit, reversed(path[:-1]))][::-1]

    def _by(self, where: tuple[str, int], words: str) -> None:
        """Say what a statement of the program did."""
        function, instruction = where
        code = self._program.functions[function]
        if code.unit_of[instruction] >= 0 and (words, *where) not in self._said:
            self._said.add((words, *where))
            span = code.units[code.unit_of[instruction]].span
            text = self._lines.code(self._program.files[span.file].path, span.line)
            self._note(f"{words}, by line {span.line} in {function}: {text}")

    def never_freed(self, moment: Moment) -> None:
        """What the program never freed, by the statements that allocated it; no bug by itself."""
        left = moment.never_freed or ()
        if not left:
            return
        self._note(f"never freed, up to the end: {left_over(self._program, left)}")

    def why(self, moment: Moment, name: str) -> str:
        """Since when, and by which statement, a node is lost or freed; that which a place leads to as well.

        CommandError where that is not known.
        """
        if not moment.stop.alive:
            return self._to_the_end(moment, name)
        graph = moment.graph
        if re.fullmatch(r"n[1-9]\d*", name) and (node_named(graph, name) or not visible(graph, name)):
            return self._story(resolve_node(graph, name), name)
        match value_at(graph, found := resolve_place(graph, name)):
            case Pointer(NodeId() as node):
                return f"{name} leads to n{node.number}: {self._story(node, f'n{node.number}')}"
            case None if isinstance(found.type, PointerType):
                where = self._losses.null_since(found.place)
                if where is None:
                    return f"{name} is null"
                return f"{name} is null{'' if where.text else ': it became so'} {where.words()}"
            case Uninitialised() if isinstance(found.type, PointerType):
                return f"{name} has no value yet"
            case Wild(address) if isinstance(found.type, PointerType):
                return f"{name} leads to {address:#x}, where there is nothing of the program's"
            case External() | Pointer() as value if isinstance(found.type, PointerType):
                return f"{name} leads to no node: it is {draw.Names(graph).value(value, found.type)}"
        raise CommandError(f"{name} leads to no node")

    def _to_the_end(self, moment: Moment, name: str) -> str:
        """What became of a node that the program never freed, or used after it had."""
        for group in moment.never_freed or ():
            for node in group.first:
                if f"n{node.number}" != name:
                    continue
                where = self._losses.before_the_end(node)
                made = self._allocated(group.site, group.callers)
                return f"{name} was {f'{made}; ' if made else ''}never freed" + (
                    f"; lost {where.words()}" if where is not None else ""
                )
        if told := self._freed_before_the_end(name):
            return told
        raise CommandError(
            f"the program has ended, and {name} is none of the nodes that it told to be never freed; stop "
            "before (`break LINE`, `run`) and ask there"
        )

    def _allocated(self, site: Site | None, callers: Sequence[Site]) -> str:
        return allocated_at(self._program, site, callers) if site is not None else ""

    def _freed_before_the_end(self, name: str) -> str:
        """Where a node was allocated and freed, and used after that, as far as that is known."""
        execution = self._execution()
        graph = next((each.graph for each in reversed(execution.path) if each.stop.alive), None)
        node = node_named(graph, name) if graph is not None else None
        held = graph.nodes[node] if graph is not None and node is not None else None
        words = []
        if held is not None and held.allocated is not None:
            words.append(f"was {self._allocated(held.allocated, held.callers)}")
        if held is not None and held.freed is not None:
            words.append(f"freed at line {held.freed.line}")
        for used, where in execution.tracer.uses().items():
            line = line_of(self._program, *where)
            if f"n{used.number}" == name and line is not None:
                words.append(f"used after it was freed, at line {line} in {where[0]}")
        return f"{name} {'; '.join(words)}" if words else ""

    def _story(self, node: NodeId, name: str) -> str:
        path = self._execution().path
        graph = path[-1].graph
        held = graph.nodes[node]
        words: list[str] = []
        if held.allocated is not None:
            words.append(f"{name} was {self._allocated(held.allocated, held.callers)}")
        if held.state == "freed":
            words.append(f"freed at line {held.freed.line}" if held.freed is not None else "is freed")
        where = self._losses.since(node) if node in graph.leaked() else None
        if where is not None:
            behind = "somewhere behind that" if where.made and held.allocated is not None else where.words()
            words.append(f"lost {behind}{'' if where.known else _FOUND_AT_THE_END}")
        elif node in graph.on_the_way():
            words.append("it is what the call has returned, and not stored yet")
        else:
            holders = _leading_to(graph, node)
            named = ", ".join(holders[:_HOLDERS]) + (", ..." if len(holders) > _HOLDERS else "")
            if holders and held.state == "live":
                words.append(f"it can be reached: {named}")
            elif holders:
                words.append(f"{named} still lead{'s' if len(holders) == 1 else ''} there")
        return "; ".join(words)


def _names(numbers: Sequence[int]) -> str:
    """The names of nodes, of many the first ones."""
    names = ", ".join(f"n{number}" for number in numbers[:_MOST_NAMES])
    return f"{names} and {len(numbers) - _MOST_NAMES} more" if len(numbers) > _MOST_NAMES else names


def _leading_to(graph: MemoryGraph, node: NodeId) -> list[str]:
    """The places that lead to a node, as the picture names them: none in what is freed.

    A live node is not reached from what is lost, either.
    """
    beside = graph.leaked() if graph.nodes[node].state == "live" else frozenset()
    gone = beside | {each.id for each in graph.nodes.values() if each.state == "freed"}
    return sorted(
        draw.place_text(graph, Place(source, offset))
        for source, led in links(graph).edges.items()
        if source not in gone
        for offset, target in led
        if target == node
    )


def _way_in(place: LValue) -> tuple[str, int]:
    """The fields from a node to a place in it, and the bytes; nothing where an index decides."""
    match place:
        case Member(base, name, offset):
            outer, further = _way_in(base)
            way = f"{outer}.{name}" if outer or isinstance(base, Dereference) else ""
            return way, further + offset
    return "", 0


def _name(graph: MemoryGraph, place: Place) -> str:
    """A place as the picture names it; a variable of an activation that is over by itself."""
    if isinstance(place.object, VariableId) and place.object not in {v.id for v in graph.variables()}:
        return f"{place.object.function}::{place.object.name}"
    return draw.place_text(graph, place)
