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


def in_one_session() -> list[list[Shown]]:
    """The commands by the session with which they begin; a failing one, which ends a session, comes last."""
    together: dict[str, list[Shown]] = {}
    for each in shown():
        together.setdefault(re.sub(r" -ex .*| ; .*", "", each.command), []).append(each)
    return [sorted(group, key=lambda each: " ; " in each.command) for group in together.values()]


@pytest.mark.parametrize("group", in_one_session(), ids=lambda group: group[0].command[:60])
def test_what_is_shown_comes_out(group: list[Shown], tmp_path: Path) -> None:
    """What commands go on with from one checkpoint of a session is done in one."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    first, *_ = (shlex.split(each.command.partition(" ; ")[0]) for each in group)
    if first[0] == "python":
        [only] = group
        done = subprocess.run(
            [sys.executable, *first[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        come_out(only, done.stdout)
        return
    words, starts = _words(group)
    done = in_words(wolverine(words, cwd=tmp_path))
    assert done.returncode == any(" ; " in each.command for each in group), done.stderr
    session, *further = re.split("|".join(map(re.escape, starts)), done.stdout) if starts else [done.stdout]
    for each in group:
        come_out(each, session + (further.pop(0) if " -ex " in each.command else ""))
    assert not further


def _words(group: list[Shown]) -> tuple[list[str], list[str]]:
    """The command line of them all, and the lines behind which each one goes on."""
    words: list[str] = []
    starts = []
    for number, each in enumerate(group):
        own = shlex.split(each.command.partition(" ; ")[0])[1:]
        at = own.index("-ex") if "-ex" in own else len(own)
        if not words:
            words = own[:at]
        if at < len(own):
            assert len(group) == 1 or own[at + 1].startswith("resume ")
            words += ["-ex", f"print {number}", *own[at:]]
            starts.append(f"(wolverine) print {number}\n")
    return words, starts


def come_out(each: Shown, text: str) -> None:
    output = [line.rstrip() for line in text.splitlines()]
    at = 0
    for line in each.lines:
        assert any(_same(line, other) for other in output[at:]), (line, text)
        at = next(i for i in range(at, len(output)) if _same(line, output[i])) + 1


def _same(wanted: str, line: str) -> bool:
    return line == wanted.rstrip() or (wanted.startswith("  --") and line.startswith(wanted))
