"""Faults: what they change, that they are drawn by seed, and that statements keep their places."""

import random

import pytest

from wolverine import frontend
from wolverine.campaign.align import Alignment
from wolverine.campaign.injector import draw, inject, sites

TEXT = """#include <stdlib.h>
struct node { int data; struct node *next, *prev; };
struct node *head;
static int size(struct node *p, int limit)
{
    int count = 0;
    while (p != NULL && count < limit) {
        p = p->next;
        count++;
    }
    if (count > 3)
        count = limit;
    for (int i = 0; i < 2; i++) { p = head; }
    free(p); size(head, 1);
    return count;
}
int main(void) { return size(head, 2); }
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "list.c"
    path.write_text(TEXT)
    return frontend.load([path]).program


def faults(program):
    known = sites(program, "size")
    return [f for site in known for token in site.mutations for f in token], [
        site.deletion for site in known if site.deletion
    ]


def test_variables_fields_and_operators_become_others_of_their_kind(program):
    mutations, _ = faults(program)
    changes = {(f.line, f.before, f.after) for f in mutations}
    assert {
        (8, "next", "prev"),
        (7, "p", "head"),
        (7, "&&", "||"),
        (7, "!=", "=="),
        (7, "<", ">="),
    } <= changes
    assert {(7, "count", "limit"), (12, "limit", "count"), (13, "i", "count"), (9, "++", "--")} <= changes
    assert not {b for _, _, b in changes} & {"node", "data", "size", "free", "NULL"}
    assert ("p", "count") not in {(b, a) for _, b, a in changes}  # another type


def test_only_statements_of_their_own_are_deleted(program):
    _, deletions = faults(program)
    assert [(f.line, f.before) for f in deletions] == [
        (8, "p = p->next;"), (9, "count++;"), (12, "count = limit"), (13, "p = head;"), (14, "free(p);"),
    ]  # fmt: skip


def test_draws_are_seeded_and_at_different_statements(program):
    known = sites(program, "size")
    one = [draw(random.Random(seed), known, 2, 1) for seed in range(40)]
    assert one == [draw(random.Random(seed), known, 2, 1) for seed in range(40)]
    assert len({str(found) for found in one}) > 30
    for found in one:
        assert found is not None
        assert sorted(f.kind for f in found) == ["deletion", "mutation", "mutation"]
        assert len({f.location for f in found}) == 3
    assert draw(random.Random(1), known, 40, 0) is None


def test_statements_keep_their_places(program, tmp_path):
    known = sites(program, "size")
    for seed in range(25):
        chosen = draw(random.Random(seed), known, 1, 1)
        content = inject(program.files[0].content, chosen)
        path = tmp_path / "faulty.c"
        path.write_bytes(content)
        faulty = frontend.load([path]).program
        alignment = Alignment(program, faulty, "size", chosen)
        gone = [f for f in chosen if f.kind == "deletion"]
        for index, step in enumerate(program.functions["size"].code):
            if step.location < 0 or program.location(step.location).kind == "gap":
                continue
            start = program.location(step.location).span.start
            if any(f.start <= start < f.end for f in gone):
                assert alignment.instruction(index) is None
                continue
            there = alignment.instruction(index)
            assert there is not None
            location = faulty.location(faulty.functions["size"].code[there].location)
            assert location.kind == program.location(step.location).kind
            if all(f.text not in program.location(step.location).text for f in chosen):
                assert location.text == program.location(step.location).text
            assert location.line == program.location(step.location).line
