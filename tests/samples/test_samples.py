"""Every sample is played on a real gdb; what comes out is compiled and compared with a correct version.

`samples/NAME.json` says what has to happen in the session `samples/NAME.wol`:
program      the C file's name without its ending (NAME, unless it says otherwise)
arguments    of the program in the session
checkpoints  number -> parent (null for none), in the order in which they are made
resumed      the checkpoints gone back to
repairs      for each repair the edits that it has to make at least; only the keys given are compared
source       pieces of text that the repaired file holds
output       what the program prints in the session, and `exited` with which status
inputs       argument lists on which the repaired program has to act like NAME.correct.c
doubt        why other inputs are left out
A file NAME.driver.c, where there is one, brings the `main` for those inputs.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from started import in_words, wolverine

SAMPLES = Path(__file__).parents[2] / "samples"
SESSIONS = sorted(path.stem for path in SAMPLES.glob("*.wol"))


@dataclass(frozen=True)
class Played:
    """One session: what was expected of it, its events, and the rewritten source."""

    name: str
    expected: dict[str, Any]
    events: list[dict[str, Any]]
    status: int
    words: str
    rewritten: Path

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == kind]

    @property
    def program(self) -> str:
        return str(self.expected.get("program", self.name))


def test_there_are_sessions_and_each_says_what_to_expect() -> None:
    assert len(SESSIONS) >= 5
    assert all((SAMPLES / f"{name}.json").is_file() for name in SESSIONS)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_script_gives_the_whole_command(name: str) -> None:
    expected = json.loads((SAMPLES / f"{name}.json").read_text())
    given = " ".join(["", "--", *expected["arguments"]]) if expected.get("arguments") else ""
    program = expected.get("program", name)
    command = f"# wolverine samples/{program}.c -x samples/{name}.wol{given}"
    assert command in (SAMPLES / f"{name}.wol").read_text().splitlines()


@pytest.fixture(scope="module", params=SESSIONS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    name = str(request.param)
    expected = json.loads((SAMPLES / f"{name}.json").read_text())
    rewritten = tmp_path_factory.mktemp(name) / "repaired.c"
    source = SAMPLES / f"{expected.get('program', name)}.c"
    words = [source, "--batch", "--json", "-x", SAMPLES / f"{name}.wol", "-ex", f"rewrite {rewritten}", "--"]
    done = in_words(wolverine([*words, *expected.get("arguments", [])]))
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return Played(name, expected, events, done.returncode, done.stderr, rewritten)


def test_every_command_succeeds(played: Played) -> None:
    assert played.of("error") == [], played.words
    assert played.status == 0, played.words


def test_the_tree_of_checkpoints(played: Played) -> None:
    wanted = {int(number): parent for number, parent in played.expected["checkpoints"].items()}
    assert [event["checkpoint"] for event in played.of("spec")] == list(wanted)
    for event in played.of("checkpoints"):
        listed = {each["checkpoint"]: each["parent"] for each in event["list"]}
        assert listed == wanted
    assert [event["checkpoint"] for event in played.of("resumed")] == played.expected.get("resumed", [])


def test_the_repairs_make_the_edits(played: Played) -> None:
    repairs = played.of("repaired")
    assert len(repairs) == len(played.expected["repairs"])
    for repair, wanted in zip(repairs, played.expected["repairs"], strict=True):
        for edit in wanted:
            assert any(_is(found, edit) for found in repair["edits"]), repair["edits"]


def _is(found: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(_plain(found[key]) == _plain(value) for key, value in wanted.items())


def _plain(value: object) -> str:
    return "".join(str(value).split()).rstrip(";")


def test_the_repaired_source_reads_as_expected(played: Played) -> None:
    text = played.rewritten.read_text()
    for piece in played.expected.get("source", []):
        assert piece in text


def test_the_difference_applies_and_touches_nothing_else(played: Played, tmp_path: Path) -> None:
    patch = played.of("rewritten")[-1]["patch"]
    original = (SAMPLES / f"{played.program}.c").read_bytes()
    named = next(line[6:] for line in patch.splitlines() if line.startswith("--- a/"))
    copy = tmp_path / named
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(original)
    tool = ["patch", "-p1", "-s"] if shutil.which("patch") else ["git", "apply", "-p1"]
    subprocess.run(tool, input=patch.encode(), cwd=tmp_path, check=True)
    assert copy.read_bytes() == played.rewritten.read_bytes()


def test_what_the_program_does_in_the_session(played: Played) -> None:
    printed = "".join(event["text"] for event in played.of("output"))
    assert printed == played.expected.get("output", "")
    if "exited" in played.expected:
        assert [event["code"] for event in played.of("exited")] == [played.expected["exited"]]


def test_the_repaired_program_acts_like_the_correct_one(played: Played, tmp_path: Path) -> None:
    repaired = _build(played.rewritten, played.program, tmp_path / "repaired")
    correct = _build(SAMPLES / f"{played.program}.correct.c", played.program, tmp_path / "correct")
    assert played.expected["inputs"]
    for arguments in played.expected["inputs"]:
        assert _run(repaired, arguments) == _run(correct, arguments), arguments


def _build(source: Path, program: str, executable: Path) -> Path:
    driver = SAMPLES / f"{program}.driver.c"
    part = executable.with_suffix(".o")
    renamed = ["-Dmain=session_main"] if driver.is_file() else []
    drivers = [str(driver)] if driver.is_file() else []
    subprocess.run(["gcc", "-g", "-c", *renamed, "-o", str(part), str(source)], check=True)
    subprocess.run(["gcc", "-o", str(executable), str(part), *drivers], check=True)
    return executable


def _run(executable: Path, arguments: list[str]) -> tuple[int, str]:
    done = subprocess.run(
        [str(executable), *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout
