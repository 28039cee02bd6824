"""The variables of a picture: which are shown, and as what."""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from dataclasses import replace

from wolverine.core.graph import MemoryGraph, Place, Pointer, Variable, VariableId, changed_places
from wolverine.core.types import ArrayType, CType, OpaqueType, StructReference, Types
from wolverine.draw.contents import Reader
from wolverine.draw.names import Names, is_character
from wolverine.draw.picture import BoxKey, Label, Piece, Request, Scalar
from wolverine.draw.private import private, reserved
from wolverine.draw.shape import Survey

_FRAMES = 8  # the innermost frames whose variables are drawn, besides main's
_SCALARS = 48
RETURNED = "(returned)"  # no name of a variable


def shown_variables(request: Request, survey: Survey, there: Set[VariableId]) -> tuple[list[Variable], int]:
    """Variables of the innermost frame, globals, outer frames; and how many more there are.

    Where the picture begins at given places, only what is `there`; elsewhere without what is `idle`.
    """
    graph = request.graph
    frames = graph.frames
    shown = list(frames[0].variables) if frames else []
    shown += graph.globals
    hidden = 0
    for index, frame in enumerate(frames[1:], 1):
        if index < _FRAMES or index == len(frames) - 1:
            shown += frame.variables
        else:
            hidden += len(frame.variables)
    if request.roots:
        picked = [v for v in shown if v.id in there]
        return picked, hidden + len(shown) - len(picked)
    gone = idle(request, survey)
    return [v for v in shown if v.id not in gone], hidden


def idle(request: Request, survey: Survey) -> Set[VariableId]:
    """The variables of which a picture can do without, unless they are new in what they hold.

    A static of a function that is not being executed says nothing of the heap unless it leads to nodes or a
    variable leads to it.  A local whose name is not the program's to choose belongs to a macro: it stands
    where no other variable or node leads to what it leads to.
    """
    graph, before = request.graph, request.before
    running = {frame.function for frame in graph.frames}
    statics = [v for v in graph.globals if v.id.function and v.id.function not in running]
    found = {v.id for v in statics if not survey.out(v.id)}
    if found:
        found -= {place.object for place in changed_places(before, graph)} if before is not None else set()
        held = (graph.cells.get(Place(each.id, 0)) for each in graph.variables())
        found -= {value.object for value in held if isinstance(value, Pointer)}
    hidden = {
        variable.id
        for frame in graph.frames
        for variable in frame.variables
        if reserved(variable.id.name) and not variable.parameter
    }
    if hidden:
        led = {target for source, out in survey.edges.items() if source not in hidden for _, target in out}
        found |= {each for each in hidden if all(target in led for _, target in survey.out(each))}
    return found


def labelled(
    variables: Iterable[Variable],
    boxes: Container[BoxKey],
    graph: MemoryGraph,
    names: Names,
    reader: Reader,
) -> tuple[tuple[Label, ...], tuple[Scalar, ...], int]:
    """The variables as labels of the boxes they lead to, or in the line of values; how many find no place."""
    labels: list[Label] = []
    if graph.returned is not None and graph.returned in boxes:
        labels.append(Label(RETURNED, None, graph.returned, text=names.object(graph.returned)))
    scalars: list[Scalar] = []
    unseen = 0
    for variable in variables:
        if is_boxed(variable, graph.types):
            continue
        name = names.object(variable.id, short=True)
        piece = _scalar_piece(variable, graph, reader)
        if piece is None or _not_entered(name, piece):
            continue
        target = piece.target
        if target is not None and target.object in boxes:
            path = _path(target, variable, names)
            dangling = piece.kind == "dangling"
            labels.append(Label(name, piece.places[0], target.object, path, piece.was, dangling, piece.text))
        elif len(scalars) < _SCALARS:
            scalars.append(Scalar(name, piece))
        else:
            unseen += 1
    return tuple(labels), tuple(scalars), unseen


def _not_entered(name: str, piece: Piece) -> bool:
    """Whether it is one of several variables of a name, and nothing has happened in its block."""
    return "@" in name and piece.kind == "uninitialised" and piece.was is None


def _path(target: Pointer, variable: Variable, names: Names) -> str:
    if not target.offset:
        return ""
    whole = names.pointer(target, variable.type).removeprefix("&")
    return whole.removeprefix(names.object(target.object, short=True))


def _scalar_piece(variable: Variable, graph: MemoryGraph, reader: Reader) -> Piece | None:
    if Place(variable.id, 0) not in graph.cells:
        return None
    if not isinstance(variable.type, ArrayType):
        return reader.piece(Place(variable.id, 0), variable.type)
    offsets = set(range(variable.type.length))
    lines = reader.lines(variable.id, {o for o in offsets if Place(variable.id, o) in graph.cells})
    if len(lines) == 1 and len(lines[0].pieces) == 1:
        return lines[0].pieces[0]
    pieces = [piece for line in lines for piece in line.pieces]
    places = tuple(place for piece in pieces for place in piece.places)
    if all(piece.kind == "uninitialised" and piece.was is None for piece in pieces):
        return replace(pieces[0], places=places)
    text = " ".join(piece.text for piece in pieces)
    return Piece(text[:60], "plain", places)


def is_boxed(variable: Variable, types: Types) -> bool:
    """Whether it is drawn as a box of its own; so is a union of which a member is, unless it is private."""
    return _has_parts(variable.type, types)


def _has_parts(ctype: CType, types: Types) -> bool:
    if private(types, ctype):
        return False
    match ctype:
        case StructReference():
            return True
        case ArrayType(element):
            return not is_character(element)
        case OpaqueType(name) if name in types.unions:
            return any(_has_parts(each.type, types) for each in types.unions[name].fields)
        case _:
            return False
