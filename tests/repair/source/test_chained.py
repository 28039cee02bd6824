"""Links over which lists go on that hang in tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.repair.source.chained import Chain, chained

CODE = """struct item {{ int key; struct item *chain, *other; }};
struct box {{ struct item *row[4], **more; }};
struct item *desk[4];
void use(struct box *box, struct item *i, int at) {{
    struct item *p = 0, **q = 0;
    {0}
}}
int main(void) {{ return 0; }}
"""


@pytest.mark.parametrize(
    ("text", "table", "link"),
    [
        ("for (p = desk[at]; p; p = p->chain) p->key++;", "desk", 8),
        ("for (q = &box->row[at]; *q; q = &(*q)->other) (*q)->key++;", "row", 16),
        ("q = box->more + at; while (*q) q = &(*q)->chain;", "more", 8),
        ("i->other = box->more[at];", "more", 16),
        ("desk[at] = i->chain;", "desk", 8),
        ("p = desk[at]; p = i->chain;", None, 0),
        ("p = i; p = p->chain;", None, 0),
        ("p = desk[at]; p->key++;", None, 0),
    ],
)
def test_what_a_function_says(text: str, table: str | None, link: int, tmp_path: Path) -> None:
    found = chained(program_of(CODE.format(text), tmp_path))
    assert found == (set() if table is None else {Chain(table, "item", link)})
