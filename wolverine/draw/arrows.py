"""Which pointers become arrows between boxes, and what others of them tell already.

A `prev` or `parent` that a forward pointer undoes need not have a line of its own.  Where many nodes lead to
one owner, which leads to all of them over their list or tree, its name stands in each of them and suffices;
so it is where they lead to the variable in which all of them end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from wolverine.core.graph import NodeId, ObjectId, Pointer, VariableId
from wolverine.core.types import PointerType
from wolverine.draw.cut import Selection
from wolverine.draw.names import Names
from wolverine.draw.parts import part
from wolverine.draw.picture import Arrow, Box, BoxKey, Piece, Run
from wolverine.draw.shape import Role, Survey

_OWNED = 3  # nodes of one owner to which none has an arrow any more


class Arrows:
    """The arrows of a graph, whose structures have these roles."""

    def __init__(self, survey: Survey, roles: Mapping[str, Role], names: Names) -> None:
        self._survey, self._graph = survey, survey.graph
        self._roles, self._names = roles, names
        self._ends = {node for role in roles.values() for node in role.ends}

    def between(self, boxes: Mapping[BoxKey, Box], selection: Selection) -> tuple[Arrow, ...]:
        """Those between the boxes of a selection, in the order of these and their lines."""
        found = [*self._all(boxes, selection)]
        owned = [each for each in found if not each.implied and self._is_owned(each, boxes)]
        nodes = Counter((each.target, each.into) for each in owned)
        owners = {target for (target, _), count in nodes.items() if count >= _OWNED}
        told = {each for each in owned if each.target in owners}
        return tuple(each for each in found if each not in told)

    def _is_owned(self, arrow: Arrow, boxes: Mapping[BoxKey, Box]) -> bool:
        """Whether an arrow leads to an owner of the node from which it comes, or to a sentinel's variable."""
        source = arrow.source
        if not isinstance(source, NodeId) or isinstance(arrow.target, Run):
            return False
        line = boxes[source].lines[arrow.line]
        target = line.pieces[0].target
        if (
            len(line.pieces) != 1
            or target is None
            or self._survey.kind(target.object) == self._survey.kind(source)
        ):
            return False
        return self._ends_there(source, target.object) or self._leads_to(source, line.pieces[0], target)

    def _ends_there(self, source: NodeId, target: ObjectId) -> bool:
        """Whether the target is a variable like the node, and leads to no other."""
        same = self._graph.type_of(target) == self._graph.type_of(source)
        return same and isinstance(target, VariableId) and not self._survey.out(target)

    def _all(self, boxes: Mapping[BoxKey, Box], selection: Selection) -> Iterator[Arrow]:
        for key, box in boxes.items():
            if isinstance(key, Run):
                behind = selection.runs[key][1]
                if behind in boxes and behind is not None:
                    yield Arrow(key, -1, behind)
                continue
            role = self._roles.get(box.kind)
            for index, line in enumerate(box.lines):
                for piece in line.pieces:
                    if piece.target is None:
                        continue
                    target: BoxKey = piece.target.object
                    hidden = target not in boxes and isinstance(key, NodeId) and Run(key) in boxes
                    if hidden and role is not None and piece.places[0].offset in role.forward:
                        target = Run(key) if isinstance(key, NodeId) else target
                    if target in boxes:
                        changed, dangling = piece.was is not None, piece.kind == "dangling"
                        implied = self._implied(key, role, piece)
                        ctype = self._graph.cell_types.get(piece.places[0])
                        into = None
                        if not isinstance(target, Run) and isinstance(ctype, PointerType):
                            into = part(boxes[target].lines, piece.target, ctype.target, self._names)
                        yield Arrow(key, index, target, changed, dangling, implied, into)

    def _implied(self, key: ObjectId, role: Role | None, piece: Piece) -> bool:
        """Whether the pointer only undoes a forward one (a consistent `prev` or `parent`) or ends a tree."""
        target = piece.target
        if target is not None and isinstance(key, NodeId) and target.object in self._ends - {key}:
            return True
        if role is None or role.kind == "single" or piece.places[0].offset in role.forward:
            return False
        if target is None or target.offset or self._survey.kind(target.object) != self._survey.kind(key):
            return False
        if target.object == key and key not in self._ends:
            return False  # a ring of one node: no line is there for it to share
        return any(offset in role.forward and back == key for offset, back in self._survey.out(target.object))

    def _leads_to(self, key: NodeId, piece: Piece, target: Pointer) -> bool:
        """Whether what a pointer leads to leads forward to the object in which it lies."""
        ctype = self._graph.cell_types.get(piece.places[0])
        if not isinstance(ctype, PointerType):
            return False
        within = range(target.offset, target.offset + max(self._graph.types.size(ctype.target), 1))
        work = [node for offset, node in self._survey.out(target.object) if offset in within]
        seen = set(work)
        while work and key not in seen:
            role = self._roles.get(self._survey.kind(node := work.pop()))
            forward = role.forward if role is not None else ()
            onward = {to for offset, to in self._survey.out(node) if offset in forward} - seen
            seen |= onward
            work += onward
        return key in seen
