"""The graph of checkpoints as a picture (Wolverine2 section 6.2, Figure 11(d)).

A solid arrow leads from a checkpoint to the one that was asserted after it; it is bold where its constraint
is in force.  Every `resume` is drawn as in the paper: red dotted arrows up to the common ancestor pop
constraints, green ones from there push those of the checkpoint that was resumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from wolverine.errors import CommandError, ToolMissingError

ENDINGS = (".svg", ".png", ".pdf", ".dot")
_FONT = "DejaVu Sans Mono"
_INK, _HERE, _FAINT, _POPPED, _PUSHED = "#22313f", "#e3f0fb", "#8a97a3", "#d01f1f", "#2e7d32"


@dataclass(frozen=True, slots=True)
class Asserted:
    """Checkpoint `number`, asserted after `parent` (None: after none), at `place`."""

    number: int
    parent: int | None
    place: str
    withdrawn: bool = False


def chain(checkpoints: Iterable[Asserted], number: int | None) -> list[int]:
    """A checkpoint and its ancestors, the checkpoint first."""
    parents = {each.number: each.parent for each in checkpoints}
    found = []
    while number is not None and number in parents and number not in found:
        found.append(number)
        number = parents[number]
    return found


def changes(
    checkpoints: Sequence[Asserted], before: int | None, after: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """What `resume after` pops and pushes from `before`: pairs (from, to), in order."""
    left, right = chain(checkpoints, before), chain(checkpoints, after)
    common = next((each for each in left if each in right), None)
    up = left[: left.index(common) + 1] if common is not None else left
    down = right[: right.index(common) + 1][::-1] if common is not None else right[::-1]
    return list(pairwise(up)), list(pairwise(down))


def source(checkpoints: Sequence[Asserted], current: int | None, resumed: Sequence[tuple[int, int]]) -> str:
    """The picture as DOT text; `current` is the nearest checkpoint behind us.

    `resumed` has each `resume` as the nearest checkpoint before it and the one that was gone to.
    """
    return str(_graph(checkpoints, current, resumed).source)


def save_history(
    checkpoints: Sequence[Asserted],
    current: int | None,
    resumed: Sequence[tuple[int, int]],
    path: str | Path,
) -> None:
    """Write the picture in the format of the path's ending.

    Raises `CommandError` for another ending and a path that cannot be written, `ToolMissingError` without
    graphviz.
    """
    path = Path(path)
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        names = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise CommandError(f"cannot tell the format of {path.name}: use {names}")
    graph = _graph(checkpoints, current, resumed)
    if kind == ".dot":
        content = str(graph.source).encode()
    else:
        # Imported here: the prompt should not wait for what only pictures need.
        import graphviz

        from wolverine.draw.images import PNG_DPI

        try:
            if kind == ".png":
                graph.attr("graph", dpi=PNG_DPI)
            content = bytes(graph.pipe(format=kind[1:], quiet=True))
        except graphviz.ExecutableNotFound as error:
            raise ToolMissingError("graphviz is not installed (no `dot` command); save as .dot") from error
    try:
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        raise CommandError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from error


def _graph(checkpoints: Sequence[Asserted], current: int | None, resumed: Sequence[tuple[int, int]]) -> Any:
    import graphviz

    force = chain(checkpoints, current)
    graph = graphviz.Digraph(
        "checkpoints",
        engine="dot",
        graph_attr={"bgcolor": "white", "pad": "0.25"},
        node_attr={"shape": "ellipse", "fontname": _FONT, "fontsize": "11", "color": _INK, "fontcolor": _INK},
        edge_attr={"fontname": _FONT, "fontsize": "9", "color": _INK, "arrowsize": "0.7"},
    )
    for each in checkpoints:
        look = {"style": "filled", "fillcolor": _HERE} if each.number == current else {}
        if each.withdrawn:
            look = {**look, "fontcolor": _FAINT, "color": _FAINT}
        words = f"checkpoint {each.number}\n{each.place}" + ("\nwithdrawn" if each.withdrawn else "")
        if each.number == current:
            look["penwidth"] = "2"
        graph.node(str(each.number), label=words, **look)
        if each.parent is not None:
            width = "2.2" if each.number in force else "1"
            graph.edge(str(each.parent), str(each.number), penwidth=width)
    for order, (before, after) in enumerate(resumed, 1):
        popped, pushed = changes(checkpoints, before, after)
        for pairs, color, word in ((popped, _POPPED, "pop"), (pushed, _PUSHED, "push")):
            for one, two in pairs:
                label = f"{order}: resume {after}: {word}"
                graph.edge(
                    str(one), str(two), color=color, fontcolor=color, style="dotted", penwidth="1.6",
                    label=label, constraint="false",
                )  # fmt: skip
    return graph
