"""What was corrected, and who sets that."""

from __future__ import annotations

from pathlib import Path

from playing import program_of

from wolverine.repair.ranking.corrected import setting

BOXES = """\
struct box { int wide, high; };
struct box shown;
int count;
void grow(struct box *b, int by) { b->wide += by; }
void raise(struct box *b) { b->high++; }
void show(const struct box *b) { shown = *b; count++; }
int both(const struct box *b) { return b->wide + b->high; }
int main(void) { shown.wide = 1; return 0; }
"""


def test_the_functions_that_set_a_field_or_a_variable_are_told(tmp_path: Path) -> None:
    program = program_of(BOXES, tmp_path)
    assert setting(program, frozenset((0,))) == {"grow", "main"}
    assert setting(program, frozenset((4,))) == {"raise"}
    assert setting(program, frozenset(("count",))) == {"show"}
    assert setting(program, frozenset()) == frozenset()
