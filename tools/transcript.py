"""Write the session in README.md anew from a real run: `python tools/transcript.py [--check]`.

The commands between the transcript's comments say what is shown; `...` stands for what is left out.
Their answers are replaced by those of the demo (`python -m wolverine.shell.demo`), played now.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DEMO = ("samples/reverse_dll.c", "samples/reverse_dll.wol")
PROMPT = "(wolverine) "
OMITTED = "..."
_PART = re.compile(
    r"(<!-- transcript: begin[^\n]*-->\n.*?```\n)(.*?)(```\n<!-- transcript: end -->)", re.DOTALL
)
_TIME = re.compile(r" in [\d.]+ m?s\b")

Step = tuple[str, list[str]]


def main(arguments: list[str]) -> int:
    """Write README.md, or with `--check` say by the exit status whether it is true but for the times."""
    text = README.read_text()
    fresh = renewed(text, played())
    if "--check" in arguments:
        return int(_TIME.sub("", fresh) != _TIME.sub("", text))
    README.write_text(fresh)
    return 0


def played() -> list[Step]:
    """The demo's commands with the lines of their answers."""
    command = [sys.executable, "-m", "wolverine.shell.demo", *DEMO]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    return list(steps(run.stdout))


def steps(text: str) -> Iterator[Step]:
    """What a session printed, command by command; the script's comments are left out."""
    answer: list[str] = []
    command = ""
    for line in text.splitlines():
        if line.startswith(PROMPT):
            if command:
                yield command, _trimmed(answer)
            command, answer = line.removeprefix(PROMPT), []
        else:
            answer.append(line)
    if command:
        yield command, _trimmed(answer)


def _trimmed(answer: list[str]) -> list[str]:
    while answer and (not answer[-1] or answer[-1].startswith("# ")):
        answer.pop()
    return answer


def renewed(text: str, session: list[Step]) -> str:
    """The text with the answers of `session` in its transcript.

    Raises ValueError when there is no transcript or the session has no such commands.
    """
    found = _PART.search(text)
    if found is None:
        raise ValueError("there is no transcript")
    lines: list[str] = []
    position = 0
    for number, block in enumerate(_blocks(found[2])):
        start = _position(block, session, position)
        if number:
            lines.append(OMITTED)
        for command, answer in session[start : start + len(block)]:
            lines += [PROMPT + command, *answer]
        position = start + len(block)
    body = "".join(f"{line}\n" for line in lines)
    return text[: found.start(2)] + body + text[found.end(2) :]


def _blocks(shown: str) -> list[list[str]]:
    """The commands that are shown, in groups between which something is left out."""
    blocks: list[list[str]] = [[]]
    for line in shown.splitlines():
        if line == OMITTED:
            blocks.append([])
        elif line.startswith(PROMPT):
            blocks[-1].append(line.removeprefix(PROMPT))
    return [block for block in blocks if block]


def _position(block: list[str], session: list[Step], first: int) -> int:
    commands = [command for command, _ in session]
    for start in range(first, len(commands) - len(block) + 1):
        if commands[start : start + len(block)] == block:
            return start
    raise ValueError(f"the session has no {'; '.join(block)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
