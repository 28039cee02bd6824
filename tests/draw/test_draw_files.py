"""Saving: the format follows the ending, and what cannot be done is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from draw_heaps import Heap, double_list, n, to, tree

from wolverine.core.graph import NodeId, Place
from wolverine.draw import ON_A_SHEET, describe, layout, save, terminal
from wolverine.errors import CommandError, ToolMissingError

STARTS = {
    ".svg": b"<?xml",
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
    ".dot": b"digraph",
    ".json": b"{",
    ".txt": b" head\n",
}


@pytest.mark.parametrize("ending", STARTS)
def test_each_ending_has_its_format(ending: str, tmp_path: Path) -> None:
    graph = double_list(3).graph()
    path = tmp_path / f"heap{ending}"
    save(layout(graph), graph, path)
    assert path.read_bytes().startswith(STARTS[ending])


def test_an_svg_names_every_node_field_and_variable(tmp_path: Path) -> None:
    graph = tree(5).graph()
    path = tmp_path / "tree.SVG"
    save(layout(graph), graph, path)
    text = path.read_text()
    for word in ("n1", "n2", "n3", "n4", "n5", "root", "left", "right", "key"):
        assert f">{word}<" in text or f";{word}<" in text or f"\xa0{word}<" in text, word
    assert text.count('class="edge"') == 4


def test_an_svg_shows_all_of_the_drawing(tmp_path: Path) -> None:
    """A drawing that is scaled and a view that is not would be cut off."""
    graph = tree(5).graph()
    path = tmp_path / "tree.svg"
    save(layout(graph), graph, path)
    text = path.read_text()
    whole = re.search(r'width="(\d+)pt" height="(\d+)pt"\s+viewBox="0.00 0.00 ([\d.]+) ([\d.]+)"', text)
    assert whole is not None
    width, height, right, bottom = map(float, whole.groups())
    assert abs(width - right) <= 1 and abs(height - bottom) <= 1
    assert 'transform="scale(1 1)' in text


def test_links_that_undo_others_have_heads_there(tmp_path: Path) -> None:
    heap = Heap()
    heap.node(1, "ptree", 1, n(2), n(3), None)
    heap.node(2, "ptree", 2, None, None, n(1))
    heap.node(3, "ptree", 3, None, None, n(1))
    heap.variable("root", to("ptree"), n(1))
    graph = heap.graph()
    path = tmp_path / "tree.dot"
    save(layout(graph), graph, path)
    assert sorted(re.findall(r"(n\d) -> (n\d)", path.read_text())) == [
        ("n1", "n2"),
        ("n1", "n3"),
        ("n2", "n1"),
        ("n3", "n1"),
    ]


def test_graphviz_moves_no_box(tmp_path: Path) -> None:
    graph = double_list(4).graph()
    picture = layout(graph)
    path = tmp_path / "list.dot"
    save(picture, graph, path)
    text = path.read_text()
    assert text.count(" -> ") == len(picture.arrows)
    assert "pos=" in text


def test_json_holds_the_graph_event(tmp_path: Path) -> None:
    heap = double_list(2)
    before = heap.graph()
    heap.set(2, "prev", None)
    graph = heap.graph()
    path = tmp_path / "heap.json"
    save(layout(graph, before=before), graph, path)
    data = json.loads(path.read_text())
    assert data["changed"] == ["n2.prev"]
    save(layout(graph), graph, path, changed=[Place(NodeId(1), 0)])
    assert json.loads(path.read_text())["changed"] == ["n1.data"]


def test_txt_holds_the_picture_as_in_a_terminal_and_the_words(tmp_path: Path) -> None:
    graph = double_list(2).graph()
    path = tmp_path / "heap.txt"
    save(layout(graph), graph, path)
    drawn = terminal(layout(graph), width=100, color=False, unicode=True)
    assert path.read_text() == f"{drawn}\n\n{describe(graph)}\n"


def test_an_unknown_ending_names_the_known_ones(tmp_path: Path) -> None:
    graph = double_list(2).graph()
    with pytest.raises(CommandError, match=r"\.svg, \.png, \.pdf, \.dot, \.json, \.txt or \.html"):
        save(layout(graph), graph, tmp_path / "heap.jpeg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", STARTS)
def test_a_place_that_cannot_be_written_is_an_error(ending: str, tmp_path: Path) -> None:
    graph = double_list(2).graph()
    with pytest.raises(CommandError, match="cannot write"):
        save(layout(graph), graph, tmp_path / "missing" / f"heap{ending}")


def test_without_graphviz_the_user_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = double_list(2).graph()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissingError, match="graphviz"):
        save(layout(graph), graph, tmp_path / "heap.png")
    save(layout(graph), graph, tmp_path / "heap.dot")
    assert (tmp_path / "heap.dot").exists()


def test_a_sheet_has_a_wide_tree_with_all_names_and_nodes(tmp_path: Path) -> None:
    graph = tree(40).graph()
    on_screen = layout(graph)
    picture = layout(graph, on_screen, limit=ON_A_SHEET, sheet=True)
    assert on_screen.hidden.nodes and not picture.hidden.nodes
    assert not picture.details and len(picture.arrows) == 39
    path = tmp_path / "tree.svg"
    save(picture, graph, path)
    assert path.read_text().count("right") >= 40
    again = layout(graph, picture, limit=ON_A_SHEET, sheet=True)
    assert not again.tidy
    assert {key: again.position(key) for key in again.boxes} == {
        key: picture.position(key) for key in picture.boxes
    }
