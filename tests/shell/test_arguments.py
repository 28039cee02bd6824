"""The command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from wolverine.cli.arguments import Inline, Script, read_arguments
from wolverine.errors import UsageError


def test_everything_at_once() -> None:
    given = read_arguments(
        [
            *("a.c", "-x", "s.wol", "-ex", "p -1", "b.c", "--cflags", "-DN=3 -I'x y'", "--stdin", "in.txt"),
            *("--batch", "--json", "--no-color", "--debug", "-x", "-t.wol", "--", "--batch", "-x", "--", "1"),
        ]
    )
    assert given.sources == (Path("a.c"), Path("b.c"))
    assert given.scripts == (Script(Path("s.wol")), Inline("p -1"), Script(Path("-t.wol")))
    assert given.cflags == ("-DN=3", "-Ix y")
    assert given.stdin == Path("in.txt")
    assert given.arguments == ("--batch", "-x", "--", "1")
    assert (given.batch, given.json, given.color, given.debug) == (True, True, False, True)


def test_defaults() -> None:
    given = read_arguments(["a.c"])
    assert (given.batch, given.json, given.color, given.debug) == (False, False, True, False)
    assert given.scripts == given.cflags == given.arguments == ()


def test_a_binary() -> None:
    assert read_arguments(["--exe", "a.out", "--", "3"]).executable == Path("a.out")


@pytest.mark.parametrize("flags", [["--cflags", "-DX"], ["--cflags=-DX"]])
def test_a_single_flag_that_looks_like_an_option(flags: list[str]) -> None:
    assert read_arguments(["a.c", *flags]).cflags == ("-DX",)


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--batch"],
        ["--exe", "a.out", "a.c"],
        ["a.c", "--colour"],
        ["a.c", "-x"],
        ["a.c", "--bat"],
        ["a.c", "--cflags", "'open"],
        ["--", "a.c"],
        ["--exe", "--batch"],
        ["--exe", "--", "1"],
        ["a.c", "--stdin", "-x", "s.wol"],
    ],
)
def test_wrong_usage(argv: list[str]) -> None:
    with pytest.raises(UsageError):
        read_arguments(argv)


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "--help"):
        with pytest.raises(SystemExit) as left:
            read_arguments([option])
        assert left.value.code == 0
    printed = capsys.readouterr().out
    assert printed.startswith("wolverine 0")
    assert "--cflags" in printed
    assert "wolverine sessions" in printed
    assert "wolverine campaign" in printed
