"""Repairs of floating-point numbers: a sum that starts nowhere, a field that is forgotten, a comparison."""

from __future__ import annotations

from pathlib import Path

import pytest
from played_session import Played

from wolverine.session import results

SUM = """\
#include <stdio.h>
#include <stdlib.h>
struct part { int count; %(real)s weight; struct part *next; };
static %(real)s weigh(const struct part *first) {
    %(real)s all;
    for (; first != NULL; first = first->next)
        all += first->count * first->weight;
    return all;
}
int main(void) {
    struct part lid = {1, 0.5, NULL}, box = {2, 1.25, &lid};
    struct part *heap = malloc(sizeof *heap);
    *heap = box;
    printf("%%g\\n", weigh(heap));
    free(heap);
    return 0;
}
"""

FIELD = """\
#include <stdio.h>
#include <stdlib.h>
struct reading { double value; struct reading *next; };
struct series { double sum; int count; struct reading *first; };
static void add(struct series *s, double value) {
    struct reading *r = malloc(sizeof *r);
    r->next = s->first;
    s->first = r;
    s->sum += r->value;
    s->count++;
}
int main(void) {
    struct series s = {0, 0, NULL};
    add(&s, 1.5);
    add(&s, 2);
    printf("%g\\n", s.sum / s.count);
    while (s.first != NULL) {
        struct reading *next = s.first->next;
        free(s.first);
        s.first = next;
    }
    return 0;
}
"""

ORDER = """\
#include <stdlib.h>
struct offer { float price; struct offer *next; };
struct offer *first;
static void put(float price) {
    struct offer *new = malloc(sizeof *new), **at = &first;
    new->price = price;
    while (*at != NULL && (*at)->price > price)
        at = &(*at)->next;
    new->next = *at;
    *at = new;
}
int main(void) {
    put(1.5f);
    put(4.25f);
    put(3);
    return 0;
}
"""


def _played(folder: Path, program: str, lines: str) -> results.Repaired:
    source = folder / "real.c"
    source.write_text(program)
    session = Played(source)
    session(lines)
    repaired: results.Repaired = session.last(results.Repaired)
    session.session.close()
    return repaired


@pytest.mark.parametrize("real", ["float", "double"])
def test_a_sum_that_has_no_value_begins_with_0(tmp_path: Path, real: str) -> None:
    repaired = _played(tmp_path, SUM % {"real": real}, "run\nrepair --no-question")
    assert [(edit.kind, edit.after) for edit in repaired.edits] == [("insert", "all = 0;")]


@pytest.mark.thorough
def test_a_field_is_set(tmp_path: Path) -> None:
    repaired = _played(tmp_path, FIELD, "run\nrepair --no-question")
    assert [(edit.kind, edit.after) for edit in repaired.edits] == [("insert", "r->value = value;")]


@pytest.mark.thorough
def test_a_comparison_is_turned_round(tmp_path: Path) -> None:
    repaired = _played(
        tmp_path,
        ORDER,
        "break 11 if price == 4.25\nrun\nchange first n1\nchange n1->next n2\nchange n2->next null\nspec\n"
        "delete\nbreak 11\ncontinue\nchange first n1; change n1->next n3; change n3->next n2\n"
        "change n2->next null\nspec\nrepair --no-question",
    )
    assert [edit.after for edit in repaired.edits] == ["*at != NULL && (*at)->price < price"]
