"""What a recursion may ask about the marks that it sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import text
from wolverine.repair.source.marked import marked

TEXT = """\
struct room { int seen, known, lit, turn, last; struct room *left, *right; };
void enter(struct room *r) { r->seen = 1; r->lit = 0; r->known = 1; enter(r->left); enter(r->right); }
int round, last;
void pass(struct room *r) { r->left->lit = r->lit = round; r->turn = round; r->last = ++last; pass(r->left); }
void look(struct room *r) { r->seen = 1; }
int known(struct room *r) { return r->known; }
int main(void) { return 0; }
"""


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("enter", ["r->seen", "r == NULL || r->seen"]),
        ("look", []),
        (
            "pass",
            [
                "r->turn == round",
                "r == NULL || r->turn == round",
            ],
        ),
    ],
)
def test_a_recursion_asks_for_what_it_sets_and_nobody_reads(
    name: str, asked: list[str], tmp_path: Path
) -> None:
    program = program_of(TEXT, tmp_path)
    assert [text(each) for each in marked(program, program.functions[name])] == asked
