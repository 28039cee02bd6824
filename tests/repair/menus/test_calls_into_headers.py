"""Functions that a header defines are in sight where it is included, whether the file calls them or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from wolverine.core.patch import OtherFunction
from wolverine.frontend import load
from wolverine.repair.menus.candidates import Menus

HEADER = """\
struct link { struct link *next; };
static inline void put(struct link *l, struct link *row) { l->next = row->next; row->next = l; }
static inline void cut(struct link *l, struct link *row) { row->next = l->next; }
"""
ROW = """\
#include "row.h"
static struct link row;
static void early(struct link *l) { put(l, &row); }
static void late(struct link *l, struct link *r) { put(l, r); }
int main(void)
{
    struct link l = { 0 };
    early(&l);
    late(&l, &row);
    return 0;
}
"""
OTHER = """\
struct link { struct link *next; };
void mark(struct link *l, struct link *r);
void other(struct link *l) { mark(l, l); }
void mark(struct link *l, struct link *r) { l->next = r; }
"""


@pytest.mark.parametrize(
    ("caller", "wanted", "unseen"), [("early", "cut", "late"), ("late", "cut", "mark"), ("other", "", "cut")]
)
def test_what_stands_in_for_a_call(caller: str, wanted: str, unseen: str, tmp_path: Path) -> None:
    for name, text in (("row.h", HEADER), ("row.c", ROW), ("other.c", OTHER)):
        (tmp_path / name).write_text(text)
    menus = Menus(load([tmp_path / "row.c", tmp_path / "other.c"]).program, calls=True)
    offered = {
        choice.replacement.function
        for location in menus.indices(caller)
        if (menu := menus.menu(location)) is not None
        for choice in menu.choices
        if isinstance(choice.replacement, OtherFunction)
    }
    assert not wanted or wanted in offered
    assert unseen not in offered
