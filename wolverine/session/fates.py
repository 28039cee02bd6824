"""What becomes of nodes: lost, freed, used after that, never freed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from wolverine import draw
from wolverine.core.graph import NodeId
from wolverine.core.program import Program
from wolverine.session.execution import Execution
from wolverine.session.lines import Lines
from wolverine.session.moments import Moment
from wolverine.session.places import resolve_node

_MOST_NAMES = 5
_MOST_LEAKS = 6  # calls whose blocks are named


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
        self._used: set[tuple[NodeId, str, int]] = set()

    def lost_since(self) -> dict[NodeId, int]:
        """The nodes that are lost now, and the lines of the statements that made them so."""
        since: dict[NodeId, int] = {}
        for before, after in pairwise(self._execution().path):
            now = after.graph.leaked()
            since = {node: line for node, line in since.items() if node in now}
            for node in now - since.keys():
                since[node] = self._lines.line(before)
        return since

    def lost(self, moment: Moment) -> None:
        """Name the statement that made a node unreachable, at once."""
        path = self._execution().path
        first = len(path) - 1
        while first > 0 and path[first - 1].transit:
            first -= 1
        now = moment.graph.leaked()
        for before, after in pairwise(path[max(first - 1, 0) :]):
            fresh = after.graph.leaked() - before.graph.leaked() if after.stop.alive else frozenset()
            lost = sorted(n.number for n in fresh if n in before.graph.nodes and n in now)
            if lost:
                file, line, function = self._lines.place(before)
                names = ", ".join(f"n{number}" for number in lost)
                verb = "is" if len(lost) == 1 else "are"
                text = self._lines.source_line(file, line)
                self._note(f"{names} {verb} lost since line {line} in {function}: {text}")

    def used(self) -> None:
        """Name the statements that used a node after it was freed, once."""
        found: dict[tuple[str, int], list[NodeId]] = {}
        for node, where in self._execution().tracer.uses().items():
            if self._program.functions[where[0]].unit_of[where[1]] >= 0 and (node, *where) not in self._used:
                self._used.add((node, *where))
                found.setdefault(where, []).append(node)
        for (function, instruction), nodes in found.items():
            code = self._program.functions[function]
            span = code.units[code.unit_of[instruction]].span
            text = self._lines.source_line(self._program.files[span.file].path, span.line)
            names = ", ".join(f"n{node.number}" for node in nodes[:_MOST_NAMES])
            more = f" and {len(nodes) - _MOST_NAMES} more" if len(nodes) > _MOST_NAMES else ""
            words = "is used after it was" if len(nodes) == 1 else "are used after they were"
            self._note(f"{names}{more} {words} freed, by line {span.line} in {function}: {text}")

    def never_freed(self, moment: Moment) -> None:
        """What the program never freed, by the statements that allocated it; no bug by itself."""
        left = moment.never_freed or ()
        if not left:
            return
        told: list[str] = []
        for group in left[:_MOST_LEAKS]:
            names = ", ".join(f"n{node.number}" for node in group.first)
            more = group.count - len(group.first)
            where = f" (allocated at line {group.site.line})" if group.site is not None else ""
            told.append(f"{names}{f' and {more} more' if more else ''}{where}")
        rest = sum(group.count for group in left[_MOST_LEAKS:])
        if rest:
            told.append(f"{rest} more")
        self._note(f"never freed, up to the end: {'; '.join(told)}")

    def why(self, moment: Moment, name: str) -> str:
        """Since when, and by which statement, a node is lost or freed."""
        node = resolve_node(moment.graph, name)
        return self._story(node, name)

    def _story(self, node: NodeId, name: str) -> str:
        path = self._execution().path
        graph = path[-1].graph
        held = graph.nodes[node]
        words: list[str] = []
        if held.allocated is not None:
            words.append(f"{name} was allocated at line {held.allocated.line}")
        if held.state == "freed":
            words.append(f"freed at line {held.freed.line}" if held.freed is not None else "is freed")
        lost = None
        for index, each in enumerate(path):
            if node in each.graph.leaked():
                lost = index if lost is None else lost
            else:
                lost = None
        if lost is not None:
            before = path[lost - 1] if lost else path[lost]
            file, line, function = self._lines.place(before)
            text = self._lines.source_line(file, line)
            words.append(f"lost since line {line} in {function}: {text}")
        elif held.state == "live":
            holders = sorted(
                draw.place_text(graph, place)
                for place, value in graph.cells.items()
                if getattr(value, "object", None) == node
            )
            words.append(f"it can be reached: {', '.join(holders[:4])}")
        return "; ".join(words)
