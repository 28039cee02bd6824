"""Pictures as files, the format told by the ending."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from html import escape
from pathlib import Path

from wolverine.core.graph import MemoryGraph, NodeId, Place, changed_places
from wolverine.draw.events import as_json
from wolverine.draw.images import dot_source, image
from wolverine.draw.picture import Picture
from wolverine.draw.terminals import terminal
from wolverine.draw.words import describe
from wolverine.errors import CommandError

ENDINGS = (".svg", ".png", ".pdf", ".dot", ".json", ".txt")
_PAGE = ".html"  # the whole session as a page: whoever has the session writes it


def svg(picture: Picture, path: str | Path) -> None:
    """Write an SVG file.  Raises `ToolMissingError` without graphviz, `CommandError` if it cannot write."""
    _write(Path(path), _told(image(picture, "svg"), picture))


def png(picture: Picture, path: str | Path) -> None:
    """Write a PNG file; raises as `svg`."""
    _write(Path(path), image(picture, "png"))


def pdf(picture: Picture, path: str | Path) -> None:
    """Write a PDF file; raises as `svg`."""
    _write(Path(path), image(picture, "pdf"))


def dot(picture: Picture, path: str | Path) -> None:
    """Write DOT text; needs no graphviz."""
    _write(Path(path), dot_source(picture).encode())


def save(
    picture: Picture,
    graph: MemoryGraph,
    path: str | Path,
    changed: Collection[Place] | None = None,
    lost: Mapping[NodeId, int] | None = None,
) -> None:
    """Write the picture (or `graph` as data) in the format that the path's ending names.

    A text has it as in a terminal and in words below.
    `changed` are the places that the data calls changed (by default those that differ from the graph
    with which the picture was compared), `lost` the lines since which nodes are lost.  Raises
    `CommandError` for another ending and for a place that cannot be written, `ToolMissingError` when
    graphviz is needed and missing.
    """
    path = Path(path)
    before = picture.request.before
    match path.suffix.lower():
        case ".svg":
            svg(picture, path)
        case ".png":
            png(picture, path)
        case ".pdf":
            pdf(picture, path)
        case ".dot":
            dot(picture, path)
        case ".json":
            if changed is None:
                changed = changed_places(before, graph) if before is not None else ()
            text = json.dumps(as_json(graph, changed), ensure_ascii=False, indent=1)
            _write(path, f"{text}\n".encode())
        case ".txt":
            drawn = terminal(picture, width=picture.width, color=False, unicode=True)
            _write(path, f"{drawn}\n\n{describe(graph, before, lost=lost)}\n".encode())
        case _:
            names = ", ".join(ENDINGS)
            raise CommandError(f"cannot tell the format of {path.name}: use {names} or {_PAGE}")


def _told(data: bytes, picture: Picture) -> bytes:
    """The SVG with what it shows in words, for who cannot see it."""
    request = picture.request
    shown = [key for key in picture.boxes if isinstance(key, NodeId)]
    words = escape(describe(request.graph, request.before, shown))
    told = f'role="img">\n<title>memory graph</title>\n<desc>{words}</desc>\n'
    head, mark, rest = data.decode().partition("<svg ")
    attributes, _, body = rest.partition(">")
    return f"{head}{mark}{attributes} {told}{body}".encode()


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(f"cannot write {path}: {reason}") from error
