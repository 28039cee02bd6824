"""Every command of docs/paper.md is run; the lines shown below it come out, in that order."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from started import in_words, wolverine

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "paper.md"


@dataclass(frozen=True)
class Shown:
    """A command of the page and the lines that are shown below it."""

    command: str
    lines: tuple[str, ...]


def shown() -> list[Shown]:
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(), re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, *lines = part.splitlines()
            found.append(Shown(command, tuple(line for line in lines if line and line != "...")))
    return found


def test_the_page_has_commands_for_every_section() -> None:
    sections = re.split(r"^##+ ", PAGE.read_text(), flags=re.M)[1:]
    without = [each.splitlines()[0] for each in sections if "```console" not in each]
    assert without == ["Section 3.1: guarded statements"]  # told with section 4
    assert all(each.lines for each in shown())


@pytest.mark.parametrize("each", shown(), ids=lambda each: each.command[:60])
def test_what_is_shown_comes_out(each: Shown, tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    command, _, fails = each.command.partition(" ; ")
    words = shlex.split(command)
    if words[0] == "python":
        done = subprocess.run(
            [sys.executable, *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    else:
        done = in_words(wolverine(words[1:], cwd=tmp_path))
    assert done.returncode == (1 if fails else 0), done.stderr
    output = [line.rstrip() for line in done.stdout.splitlines()]
    at = 0
    for line in each.lines:
        assert any(_same(line, other) for other in output[at:]), (line, done.stdout, done.stderr)
        at = next(i for i in range(at, len(output)) if _same(line, output[i])) + 1


def _same(wanted: str, line: str) -> bool:
    return line == wanted.rstrip() or (wanted.startswith("  --") and line.startswith(wanted))
