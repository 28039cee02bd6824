"""Where the user forces a branch by hand, the condition is what is wrong rather than what it reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playing import Play, program_of

from wolverine.core.expressions import text
from wolverine.core.patch import NewValue, Repairs
from wolverine.core.trace import Decision
from wolverine.repair import search

DIGITS = """#include <stdlib.h>
struct digit { int d; struct digit *up; };
struct digit *add(struct digit *a, struct digit *b) {
    struct digit *first = NULL, *p;
    int carry = 0;
    while (a != NULL) {
        if (a != NULL) carry = carry + a->d;
        if (b != NULL) carry = carry + b->d;
        p = malloc(sizeof *p);
        p->d = carry % 10;
        p->up = first;
        first = p;
        carry = carry / 10;
        if (a != NULL) a = a->up;
        if (b != NULL) b = b->up;
    }
    return first;
}
int main(void) {
    struct digit one = { 5, NULL }, two = { 7, NULL }, three = { 3, &two };
    struct digit *sum = add(&one, &three);
    return sum->d;
}
"""


@pytest.mark.thorough
def test_the_condition_that_was_forced_comes_first(tmp_path: Path) -> None:
    play = Play(program_of(DIGITS, tmp_path))
    play.enter_function("add")
    play.to(14)
    play.to(6)
    play.force(True)
    problem = play.problem()
    [trace] = problem.traces
    [loop] = {
        play.program.functions["add"].code[event.position.instruction].location
        for event in trace.events
        if isinstance(event, Decision)
    }
    plain = search(problem)
    steered = search(replace(problem, traces=(replace(trace, steered=frozenset({loop})),)))
    assert isinstance(plain, Repairs)
    assert isinstance(steered, Repairs)
    assert [edit.location for edit in plain.candidates[0].patch.edits] != [loop]
    assert [edit.location for edit in steered.candidates[0].patch.edits] == [loop]
    assert {c.patch for c in plain.candidates} <= {c.patch for c in steered.candidates}


HEAP = """#include <stdlib.h>
struct heap { int rank; struct heap *left, *right; };
void settle(struct heap *h) {
    struct heap *kept;
    if (h->left == NULL) return;
    settle(h->right);
    if (h->left->rank > h->right->rank) {
        kept = h->left;
        h->left = h->right;
        h->right = kept;
    }
    h->rank = h->right->rank + 1;
}
int main(void) {
    struct heap a = { 0, NULL, NULL }, b = { 0, NULL, NULL }, c = { 0, NULL, NULL };
    struct heap d = { 1, &a, &b }, e = { 1, &c, &d };
    settle(&e);
    return e.rank;
}
"""


def test_a_forced_branch_binds_the_call_in_which_it_was_forced(tmp_path: Path) -> None:
    play = Play(program_of(HEAP, tmp_path))
    play.enter_function("settle")
    play.open()
    play.to(7)
    play.to(7)
    play.force(True)
    problem = play.problem()
    [forced] = [each.id for each in problem.program.locations if each.kind == "condition" and each.line == 7]
    answer = search(replace(problem, traces=(replace(problem.traces[0], steered=frozenset({forced})),)))
    assert isinstance(answer, Repairs)
    assert [edit.location for edit in answer.candidates[0].patch.edits] == [forced]
    assert "h->left->rank < h->right->rank" in {
        text(edit.replacement.value)
        for candidate in answer.candidates
        for edit in candidate.patch.edits
        if isinstance(edit.replacement, NewValue)
    }


POURED = """#include <stdlib.h>
struct drop { int size; struct drop *next; };
struct drop *pour(struct drop *can, int most) {
    struct drop *glasses = NULL, *g;
    int rest = 0, all;
    while (can != NULL) {
        all = rest;
        if (can != NULL) {
            all = all + can->size;
            can = can->next;
        }
        g = malloc(sizeof *g);
        g->size = all % most;
        g->next = glasses;
        glasses = g;
        rest = all / most;
    }
    return glasses;
}
int main(void) {
    struct drop two = { 7, NULL }, one = { 5, &two };
    struct drop *glasses = pour(&one, 6);
    return glasses->size;
}
"""


@pytest.mark.thorough
def test_what_the_last_round_has_left_over_is_another_round(tmp_path: Path) -> None:
    """The list has ended, and something is left to be handed on: a number is what the loop goes by then."""
    play = Play(program_of(POURED, tmp_path))
    play.enter_function("pour")
    for line in (12, 6, 12, 6):
        play.to(line)
    play.force(True)
    found = search(play.problem())
    assert isinstance(found, Repairs)
    values = [e.replacement for c in found.candidates for e in c.patch.edits]
    assert "can != NULL || rest" in {text(v.value) for v in values if isinstance(v, NewValue)}
