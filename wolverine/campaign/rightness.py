"""Whether a repaired program is right: compiled, it does on fresh inputs what the correct one does.

Both are compiled with the address and undefined-behaviour sanitizers together with a small driver that
runs `main` on many inputs in one process start, each in a child of its own.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Literal

from wolverine.campaign.inputs import fresh_inputs
from wolverine.frontend.tokens import lex

INPUTS = 50
_SECONDS = 1  # of processor time for one input
_LIMIT = 20_000  # bytes of output
_COMPILE = ("gcc", "-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_ENVIRONMENT = {
    "ASAN_OPTIONS": "exitcode=99:detect_leaks=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "exitcode=99:halt_on_error=1",
    "LSAN_OPTIONS": "exitcode=99",
}
_WAIT = 120


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program did with one input: its standard output and wait status."""

    output: bytes
    status: int

    @property
    def clean(self) -> bool:
        """Whether it exited by itself without a report of a sanitizer."""
        return os.WIFEXITED(self.status) and os.WEXITSTATUS(self.status) != 99


class Judge:
    """Compares versions of one program with the correct one; each distinct text is compiled once."""

    def __init__(
        self, name: str, correct: bytes, known: Sequence[Sequence[str]], inputs: int = INPUTS
    ) -> None:
        self._name = name
        self._correct = correct
        self._wanted = inputs
        self._fresh = fresh_inputs(name, known)
        self._known: dict[tuple[str, ...], bool] = {tokens(correct): True}
        self._expected: list[tuple[tuple[str, ...], Answer]] | None = None

    def right(self, text: bytes) -> bool:
        """Whether the program with that text is right."""
        key = tokens(text)
        if key not in self._known:
            expected = self.expected()
            found = run(text, [words for words, _ in expected], "stop")
            self._known[key] = found == [wanted for _, wanted in expected]
        return self._known[key]

    def expected(self) -> list[tuple[tuple[str, ...], Answer]]:
        """The inputs with the correct program's answers; inputs on which it goes wrong are left out."""
        if self._expected is None:
            self._expected = list(islice(self._clean(), self._wanted))
        return self._expected

    def _clean(self) -> Iterator[tuple[tuple[str, ...], Answer]]:
        for _ in range(8):
            batch = list(islice(self._fresh, self._wanted))
            found = run(self._correct, batch) if batch else None
            if found is None:
                return
            yield from ((words, answer) for words, answer in zip(batch, found, strict=True) if answer.clean)


def tokens(text: bytes) -> tuple[str, ...]:
    """The program's tokens: texts that differ in layout and comments only are one program."""
    decoded = text.decode("latin-1")
    lexed = lex(decoded)
    return (
        *(decoded[start:end] for start, end in lexed.directives),
        *(decoded[start:end] for start, end, _ in lexed.lexemes),
    )


def run(
    text: bytes, inputs: Sequence[Sequence[str]], bad: Literal["stop", "go on"] = "go on"
) -> list[Answer] | None:
    """Compile a program and run it on all inputs, or up to the first that goes wrong.

    None where it cannot be compiled.
    """
    with tempfile.TemporaryDirectory(prefix="wolverine-") as name:
        folder = Path(name)
        (folder / "subject.c").write_bytes(text)
        (folder / "inputs").write_bytes(b"".join(packed(words) for words in inputs))
        compiled = subprocess.run(
            [*_COMPILE, "-Dmain=wolverine_subject", "-c", "-o", "subject.o", "subject.c"],
            cwd=folder, capture_output=True, check=False,
        )  # fmt: skip
        if compiled.returncode != 0:
            return None
        (folder / "driver.o").write_bytes(_driver())
        subprocess.run(
            [*_COMPILE, "-o", "subject", "subject.o", "driver.o"],
            cwd=folder, capture_output=True, check=True,
        )  # fmt: skip
        ran = subprocess.run(
            ["./subject", "inputs", str(_SECONDS), str(_LIMIT), bad],
            cwd=folder, capture_output=True, check=True, timeout=_WAIT * len(inputs),
            env={**os.environ, **_ENVIRONMENT},
        )  # fmt: skip
    return list(answers(ran.stdout))


@cache
def _driver() -> bytes:
    """The compiled driver; it is the same for every program."""
    with tempfile.TemporaryDirectory(prefix="wolverine-") as folder:
        subprocess.run(
            [*_COMPILE, "-c", "-o", "driver.o", str(files("wolverine.campaign") / "driver.c")],
            cwd=folder, capture_output=True, check=True,
        )  # fmt: skip
        return (Path(folder) / "driver.o").read_bytes()


def packed(words: Sequence[str]) -> bytes:
    """An input as the driver reads it."""
    return b"".join(word.encode() + b"\0" for word in words) + b"\0"


def answers(text: bytes) -> Iterator[Answer]:
    """The answers in what the driver has printed."""
    while text:
        head, _, text = text.partition(b"\n")
        status, size = map(int, head.split())
        yield Answer(text[:size], status)
        text = text[size + 1 :]
