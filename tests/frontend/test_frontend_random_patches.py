"""Random patches of whole programs: the text means what was meant, compiles, and the diff applies."""

import subprocess
from pathlib import Path

import pytest
from frontend_support import PROGRAMS, random_patches
from thorough import examples

from wolverine.frontend import check, diff, emit, emit_hot, load


def tabs_and_crlf(text: str) -> str:
    return text.replace("    ", "\t").rstrip("\n").replace("\n", "\r\n")


def own_line_braces(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        if line.endswith(" {") and not line.startswith("typedef"):
            lines += [line[:-2], line[: len(line) - len(line.lstrip())] + "{"]
        else:
            lines.append(line)
    return "\n".join(lines)


def compiles(content: bytes) -> str:
    result = subprocess.run(
        ["gcc", "-w", "-fsyntax-only", "-x", "c", "-"], input=content, capture_output=True, check=False
    )
    return result.stderr.decode()


CASES = [
    ("lists.c", str), ("lists.c", tabs_and_crlf), ("lists.c", own_line_braces),
    ("control.c", str), ("features.c", str), ("oldstyle.c", str),
]  # fmt: skip


@pytest.mark.parametrize(("name", "restyle"), CASES, ids=[f"{n}-{r.__name__}" for n, r in CASES])
def test_random_patches(name, restyle, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    original = restyle((PROGRAMS / name).read_text()).encode()
    Path("p.c").write_bytes(original)
    program = load([Path("p.c")]).program
    for patch in random_patches(program, seed=len(name), count=examples(5, 50)):
        message = compiles(emit(program, patch)[0])
        if "read-only" in message:  # the model's types carry no const
            continue
        assert message == "", diff(program, patch)
        check(program, patch)
        hot = emit_hot(program, patch)[0]
        assert hot.content.count(b"\n") == original.count(b"\n")
        assert compiles(hot.content) == ""
        target = tmp_path / "tree"
        target.mkdir(exist_ok=True)
        (target / "p.c").write_bytes(original)
        text = diff(program, patch).encode("utf-8", "surrogateescape")
        applied = subprocess.run(
            ["patch", "-p1", "--binary", "-s", "-d", str(target)],
            input=text,
            capture_output=True,
            check=False,
        )
        assert applied.returncode == 0, applied.stdout + text
        assert (target / "p.c").read_bytes() == emit(program, patch)[0]
