"""Variables of inner blocks are in scope in their blocks alone, also where a block's code is in pieces."""

from __future__ import annotations

import subprocess
from pathlib import Path

from wolverine.debugger.debug_info import DebugInfo

SOURCE = """
int walk(int n)
{
    while (1) {
        int half = n / 2;
        if (half == 7)
            break;
        n = half;
    }
    return n;
}
int main(void) { return walk(100); }
"""


def test_blocks_in_pieces_end_where_their_code_ends(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(SOURCE)
    subprocess.run(["gcc", "-g", "-O0", "-o", tmp_path / "p", path], check=True)
    walk = DebugInfo(tmp_path / "p").function("walk")
    assert walk is not None
    spans = sorted((each.low, each.high) for each in walk.variables if each.name == "half")
    info = subprocess.run(
        ["readelf", "--debug-dump=info", tmp_path / "p"], capture_output=True, text=True, check=True
    )
    assert "DW_AT_ranges" in info.stdout, "the block is to have its code in pieces"
    assert len(spans) == 2
    assert all(walk.low < low < high < walk.high for low, high in spans)
    assert spans[0][1] <= spans[1][0]
