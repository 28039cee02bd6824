"""Which statement has lost a node: nothing leads to it any more, though it was not freed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wolverine.core.expressions import source_name
from wolverine.core.graph import NodeId, ObjectId, Place, VariableId, links
from wolverine.core.program import Program
from wolverine.semantics.losing import Loss
from wolverine.semantics.violations import line_of
from wolverine.session.execution import Execution
from wolverine.session.lines import Lines
from wolverine.session.moments import Moment
from wolverine.session.tracing import standing_at

_STEPS = 50_000  # of the model, from one stop to the next
_EARLIER = 8  # losses of other nodes that are passed over


@dataclass(frozen=True, slots=True)
class Where:
    """The `line` of the statement, with its function and text; without text it lies behind that line.

    The variables that led to the node last and `ended` there say more than the text of a closing brace.
    What lies behind the line may have `made` the node as well.
    """

    line: int
    function: str
    text: str = ""
    ended: tuple[str, ...] = field(default=(), compare=False)
    made: bool = field(default=False, compare=False)

    @property
    def known(self) -> bool:
        """Whether the statement is known."""
        return bool(self.text or self.ended)

    def words(self, it: str = "it") -> str:
        """How it is told behind "lost"; `it` is what was lost."""
        place = f"line {self.line} in {self.function}"
        if self.ended:
            *rest, last = self.ended
            names = f"{', '.join(rest)} and {last}" if rest else last
            return f"since {place}: {names}, the last pointer{'s' if rest else ''} to {it}, ended there"
        return f"since {place}: {self.text}" if self.text else f"somewhere behind {place}"


@dataclass
class _Met:
    """What the model loses behind a stop, as far as it was asked, and whether that is `all`."""

    losses: list[Loss] = field(default_factory=list)
    all: bool = False


class Losses:
    """Finds these statements for one program; each is looked for once."""

    def __init__(self, program: Program, lines: Lines, execution: Callable[[], Execution]) -> None:
        self._program = program
        self._lines = lines
        self._execution = execution
        self._found: dict[tuple[int, int, NodeId], Where] = {}
        self._met: dict[tuple[int, int], _Met] = {}

    def between(self, before: Moment, after: Moment, node: NodeId) -> Where:
        """Where a node was lost that is lost at a stop and was not at the one before."""
        key = before.number, after.number, node
        if key not in self._found:
            self._found[key] = self._look(before, after, node)
        return self._found[key]

    def since(self, node: NodeId) -> Where | None:
        """Where a node was lost that is lost at the present stop; None where no other stop is known."""
        path = self._execution().path
        index = len(path) - 1
        while index > 0 and node in path[index - 1].graph.leaked():
            index -= 1
        return self.between(path[index - 1], path[index], node) if index > 0 else None

    def null_since(self, place: Place) -> Where | None:
        """Where a place became null; None where it was so at each stop that knows it."""
        path = self._execution().path
        index = len(path) - 1
        own = isinstance(place.object, VariableId) and place.object.function != ""
        while index > 0 and place in path[index - 1].graph.cells:
            before, after = path[index - 1], path[index]
            if own and before.activations != path[-1].activations:
                return None  # another activation may have had the variable
            if before.graph.cells[place] is not None:
                file, line, function = self._lines.place(before)
                text = self._lines.code(file, line) if after.stop.reason == "step" else ""
                return Where(line, function, text)
            index -= 1
        return None

    def before_the_end(self, node: NodeId) -> Where | None:
        """Where a node was lost on the way to the end of the program, as far as the model follows that."""
        for before in reversed(self._execution().path):
            if before.stop.alive and (where := self._where(before, node, _Met())) is not None:
                return where
        return None

    def _look(self, before: Moment, after: Moment, node: NodeId) -> Where:
        file, line, function = self._lines.place(before)
        met = self._met.setdefault((before.number, after.number), _Met())
        if after.stop.reason == "step":
            stepped = Where(line, function, self._lines.code(file, line), _ended(before, after, node))
            told = None if stepped.ended else self._where(before, node, met)
            further = told is not None and (told.ended or told.function != function)
            return told if told is not None and further else stepped
        return self._where(before, node, met) or Where(line, function, made=node not in before.graph.nodes)

    def _where(self, before: Moment, node: NodeId, met: _Met) -> Where | None:
        """Where the model loses the node, which goes on from a stop."""
        loss = self._modelled(before, node, met)
        if loss is None:
            return None
        name, instruction = loss.by
        code = self._program.functions[name]
        span = code.units[code.unit_of[instruction]].span
        text = self._lines.code(self._program.files[span.file].path, span.line)
        return Where(span.line, name, text, loss.ended)

    def _modelled(self, before: Moment, node: NodeId, met: _Met) -> Loss | None:
        """How the node is lost in the model, which goes on from a stop."""
        if before.model is None:
            return None
        while (loss := next((each for each in met.losses if node.number in each.nodes), None)) is None:
            if met.all or len(met.losses) == _EARLIER:
                return None
            leaked = {each.number for each in before.graph.leaked()}
            known = leaked.union(*(each.nodes for each in met.losses))
            with standing_at(before) as follower:
                further = follower.loss(_STEPS, known, scoped=True)
            if further is None:
                met.all = True
            else:
                met.losses.append(further)
        return loss if line_of(self._program, *loss.by) is not None else None


def _ended(before: Moment, after: Moment, node: NodeId) -> tuple[str, ...]:
    """The variables that ended with an activation and led to the node before, maybe by way of others.

    Or those that ended with a block, where no others led there.
    """
    depth = len(after.graph.frames)
    sources: dict[ObjectId, list[ObjectId]] = {}
    for source, led in links(before.graph).edges.items():
        for _, target in led:
            sources.setdefault(target, []).append(source)
    seen: set[ObjectId] = set()
    work: list[ObjectId] = [node]
    while work:
        for source in sources.get(work.pop(), ()):
            if source not in seen:
                seen.add(source)
                work.append(source)
    held = [variable.id for variable in before.graph.variables() if variable.id in seen]
    live = {variable.id for variable in after.graph.variables()}
    ended = [each for each in held if each.depth >= depth] or ([] if live.intersection(held) else held)
    return tuple(source_name(each.name) for each in ended)
