"""The programs of Table 2 (Wolverine2 section 7) are correct C: clean under sanitizers on all inputs."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

TABLE2 = Path(__file__).parents[2] / "samples" / "table2"
INPUTS: dict[str, list[list[str]]] = json.loads((TABLE2 / "inputs.json").read_text())
CHECKED = ("gcc", "-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def test_all_forty_are_there_with_inputs() -> None:
    names = [path.stem for path in sorted(TABLE2.glob("*.c"))]
    assert names == sorted(INPUTS)
    expected = [f"{kind}{number:02}" for kind in "bl" for number in range(1, 21)]
    assert [name[:3] for name in names] == expected
    assert all(len(inputs) >= 5 and len(set(map(tuple, inputs))) == len(inputs) for inputs in INPUTS.values())


@pytest.mark.parametrize("name", sorted(INPUTS))
def test_a_program_is_clean_on_its_inputs(name: str, tmp_path: Path) -> None:
    program = tmp_path / name
    subprocess.run([*CHECKED, str(TABLE2 / f"{name}.c"), "-o", str(program)], check=True)
    outputs = set()
    for arguments in INPUTS[name]:
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=1"}
        ran = subprocess.run(
            [str(program), *arguments], capture_output=True, text=True, timeout=30, env=environment
        )
        assert (ran.returncode, ran.stderr) == (0, ""), arguments
        outputs.add(ran.stdout)
    assert len(outputs) >= len(INPUTS[name]) // 3
    assert any(re.search(r"\d", output) for output in outputs)
