"""The graph of checkpoints: what is in force, what `resume` pops and pushes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from wolverine.draw.history import Asserted, chain, changes, save_history, source
from wolverine.errors import CommandError

# Figure 11(d): 0 -> 1 -> 2, and after `resume 0` the other child 3.
PAPER = (
    Asserted(0, None, "reverse () line 26"),
    Asserted(1, 0, "reverse () line 26"),
    Asserted(2, 1, "reverse () line 26"),
    Asserted(3, 0, "reverse () line 26"),
)


def test_what_is_in_force() -> None:
    assert chain(PAPER, 2) == [2, 1, 0]
    assert chain(PAPER, 3) == [3, 0]
    assert chain(PAPER, None) == []


def test_resume_pops_to_the_common_ancestor_and_pushes_from_there() -> None:
    assert changes(PAPER, 3, 2) == ([(3, 0)], [(0, 1), (1, 2)])
    assert changes(PAPER, 2, 0) == ([(2, 1), (1, 0)], [])
    apart = (*PAPER, Asserted(4, None, "main () line 40"))
    assert changes(apart, 4, 1) == ([], [(0, 1)])


def test_the_picture_has_the_tree_the_place_and_the_changes() -> None:
    dot = source(PAPER, 2, [(2, 0), (3, 2)])
    assert "reverse () line 26" in dot
    for one, two in ((0, 1), (1, 2), (0, 3)):
        assert f"{one} -> {two}" in dot
    assert dot.count("resume 0: pop") == 2
    assert dot.count("resume 2: pop") == 1
    assert dot.count("resume 2: push") == 2
    assert dot.count('penwidth="2.2"') + dot.count("penwidth=2.2") == 2  # the constraints in force
    withdrawn = source((*PAPER[:3], Asserted(3, 0, "reverse () line 26", withdrawn=True)), 2, [])
    assert "withdrawn" in withdrawn


@pytest.mark.parametrize(("name", "begin"), [("t.svg", b"<?xml"), ("t.png", b"\x89PNG"), ("t.pdf", b"%PDF")])
def test_files(tmp_path: Path, name: str, begin: bytes) -> None:
    if shutil.which("dot") is None:
        pytest.skip("graphviz is needed")
    save_history(PAPER, 2, [(3, 2)], tmp_path / name)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(begin)
    assert name != "t.svg" or b"scale(1 1)" in data  # else the view would cut the drawing off


def test_dot_needs_no_graphviz_and_other_endings_are_refused(tmp_path: Path) -> None:
    save_history(PAPER, 2, [], tmp_path / "t.dot")
    assert (tmp_path / "t.dot").read_text().startswith("digraph")
    with pytest.raises(CommandError):
        save_history(PAPER, 2, [], tmp_path / "t.txt")
    with pytest.raises(CommandError):
        save_history(PAPER, 2, [], tmp_path / "missing" / "t.dot")
