"""The rankings of one search share what they tried, in the numbers of whatever menus come next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playing import crash as crash_of
from playing import program_of

from wolverine.core.patch import Repairs
from wolverine.repair import search
from wolverine.repair.heaps.entries import Case
from wolverine.repair.heaps.remains import Rules
from wolverine.repair.heaps.runs import Ended, Runs
from wolverine.repair.heaps.trials import Part, Trials
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.guards import carried

LIST = """\
#include <stdlib.h>
struct node { int data; struct node *next; };
struct node *head;
void push(int data) {
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = head;
    head = n;
}
int take(void) {
    struct node *n = head->next;
    int data = head->data;
    free(head);
    head = n;
    return data;
}
int main(void) { push(2); take(); return take(); }
"""


def test_what_was_tried_for_one_ranking_is_not_tried_for_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rankings: list[list[int]] = []  # candidates of each, and the runs that were made
    apart, ran = Trials.apart, Runs._ran

    def ranking(self: Trials, parts: list[Part]) -> list[Part]:
        rankings.append([len(parts), 0])
        return apart(self, parts)

    def running(self: Runs, masks: dict[int, int]) -> list[Ended]:
        rankings[-1][1] += 1
        return ran(self, masks)

    monkeypatch.setattr(Trials, "apart", ranking)
    monkeypatch.setattr(Runs, "_ran", running)
    assert isinstance(search(crash_of(LIST, "take", tmp_path)), Repairs)
    first, *others = rankings
    last = max(others)
    assert last[0] > first[0]
    assert last[1] < first[1] / 2


def test_what_inputs_keep_is_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    apart, rules = Trials.apart, Trials._rules
    rankings: list[tuple[int, ...]] = []
    looked: list[tuple[int, ...]] = []

    def ranking(self: Trials, parts: list[Part]) -> list[Part]:
        rankings.append(tuple(map(id, self.cases)))
        return apart(self, parts)

    def looking(self: Trials, cases: Sequence[Case]) -> Rules:
        looked.append(tuple(map(id, cases)))
        return rules(self, cases)

    monkeypatch.setattr(Trials, "apart", ranking)
    monkeypatch.setattr(Trials, "_rules", looking)
    assert isinstance(search(crash_of(LIST, "take", tmp_path)), Repairs)
    assert len(set(rankings)) < len(rankings)
    assert len(set(looked)) == len(looked) > 0


def test_choices_are_the_same_in_menus_that_have_more(tmp_path: Path) -> None:
    program = program_of(LIST, tmp_path)
    few, more = Menus(program, calls=True), Menus(program, guarded=True, nodes=True, calls=True)
    assert more.includes(few)
    assert not few.includes(more)
    for location in few.indices("take"):
        one, other = few.menu(location), more.menu(location)
        if one is not None and other is not None:
            for number, choice in enumerate(one.choices):
                moved = carried(1 << number, one, other)
                assert other.choices[moved.bit_length() - 1].replacement == choice.replacement


@pytest.mark.parametrize("unknown", [False, True])
def test_it_is_no_harm_to_crash_where_the_model_does_not_know(
    unknown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is it where the program as it is cannot be followed."""
    tried: list[Part] = []
    apart = Trials.apart

    def ranking(self: Trials, parts: list[Part]) -> list[Part]:
        made = apart(self, parts)
        tried.extend(made)
        return made

    monkeypatch.setattr(Trials, "apart", ranking)
    told = property(lambda _: unknown, lambda _, __: None)
    monkeypatch.setattr(Runs, "unknown", told, raising=False)
    assert isinstance(search(crash_of(LIST, "take", tmp_path)), Repairs)
    assert any(part.crashes for part in tried) is not unknown
