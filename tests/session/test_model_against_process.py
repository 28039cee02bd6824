"""Programs of many kinds under gdb: at every stop the model's state is the process' state.

The programs of `varied/` (NAME.in, where there is one, is what NAME.c reads) and those of
`samples/table2/` are stepped through with `step`, with `next`, and by running from breakpoint to
breakpoint and out of functions again; without `make thorough`, the latter and a mixture of the others have to
do.  A difference is a failure, as is a stop without a position.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from thorough import THOROUGH

from wolverine.bench.modelled import Walk, inputs_of, walk

HERE = Path(__file__).parent
VARIED = sorted((HERE / "varied").glob("*.c"))
TABLE2 = sorted((HERE.parents[1] / "samples" / "table2").glob("*.c"))

# Nothing of these is left to the process.
WHOLE = ("cleared", "formatted", "kernelmacros", "macroflow", "macroloops", "nan")
WAYS = {
    "mixed": ((), ("next", "step", "step", "finish", "next", "step", "until")),
    "continue": (("rbreak {file}:.",), ("continue", "finish", "next", "continue")),
    "step": ((), ("step",)),
    "next": ((), ("next",)),
}
# Each program in all ways, or in one of two.
APART = [
    (source, way)
    for number, source in enumerate(VARIED)
    for way in (WAYS if THOROUGH else (("mixed", "continue")[number % 2],))
]


def walked(source: Path, way: str, tmp_path: Path, arguments: list[str]) -> Walk:
    given = source.with_suffix(".in")
    if not given.is_file():
        given = tmp_path / "nothing"
        given.write_bytes(b"")
    prepare, moves = WAYS[way]
    commands = [command.format(file=source.name) for command in prepare]
    return walk([source], arguments, stdin=given, moves=moves, prepare=commands, most=600)


@pytest.mark.parametrize(("source", "way"), APART, ids=lambda each: getattr(each, "stem", each))
def test_varied_programs_agree_with_gdb(source: Path, way: str, tmp_path: Path) -> None:
    found = walked(source, way, tmp_path, [])
    assert not found.differences
    assert found.stops >= 3
    assert found.executed_share == 1.0 or source.stem not in WHOLE
    assert found.ended


@pytest.mark.parametrize("source", TABLE2[::4] if THOROUGH else TABLE2[::16], ids=lambda path: path.stem)
def test_programs_of_table_2_agree_with_gdb(source: Path, tmp_path: Path) -> None:
    found = walked(source, "step", tmp_path, max(inputs_of(source), key=len))
    assert not found.differences
    assert found.ended or found.stops == 600
    assert found.executed_share >= 0.9
    assert found.distinct_share >= 0.9
