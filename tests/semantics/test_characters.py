"""The tables of characters, against those of the C library, and what is computed from unknown characters."""

from __future__ import annotations

import subprocess
from pathlib import Path

from wolverine.core.characters import MASKS, TABLES, entry
from wolverine.semantics.arithmetic import looked_up
from wolverine.semantics.unknown import Unknown, solve

PRINTED = """\
#include <ctype.h>
#include <stdio.h>
int main(void)
{
    for (int c = -128; c < 256; c++)
        printf("%d %d %d ", (*__ctype_b_loc())[c], (*__ctype_toupper_loc())[c], (*__ctype_tolower_loc())[c]);
    return 0;
}
"""


def test_they_are_those_of_the_library(tmp_path: Path) -> None:
    program = tmp_path / "printed"
    subprocess.run(["gcc", "-w", "-x", "c", "-", "-o", program], input=PRINTED, text=True, check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    own = [entry(table, code) for code in range(-128, 256) for table in TABLES]
    assert [int(word) for word in printed.split()] == own


def test_a_character_is_found_that_is_of_a_class() -> None:
    read = Unknown()
    space = looked_up("__ctype_b_loc", read) & MASKS["isspace"]
    assert solve([], [(space, True), (read == ord(" "), False)])[read.number] in b"\t\n\v\f\r"
    assert solve([(looked_up("__ctype_toupper_loc", read), ord("X"))], [])[read.number] in b"xX"
