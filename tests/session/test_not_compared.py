"""What is said where a search is interrupted before its candidates are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.repair.heaps.trials import Trials
from wolverine.session import results
from wolverine.shell.words import repaired_words

CRASH = """\
#include <stdlib.h>
struct node { int v; struct node *next; };
static int last(struct node *n) {
    while (n->v != 9)
        n = n->next;
    return n->v;
}
int main(void) {
    struct node *one = calloc(1, sizeof *one);
    one->next = calloc(1, sizeof *one);
    return last(one);
}
"""


def interrupt_before_comparing(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = Trials.apart

    def interrupted(trials: Trials, parts: object) -> object:
        played.session.interrupt()
        return apart(trials, parts)  # type: ignore[arg-type]

    monkeypatch.setattr(Trials, "apart", interrupted)


def test_what_an_interrupted_search_has_found_is_shown_and_waits(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = play(CRASH)
    played("run")
    interrupt_before_comparing(played, monkeypatch)
    with pytest.raises(CommandError, match=r"before its \d+ candidates were compared, so none .*`accept 1`"):
        played("repair --no-question")
    assert not [each for each in played.heard if isinstance(each, results.Repaired)]
    assert played.last(results.NotRepaired).reason == "interrupted"
    assert not played.session.execution.path[-1].applied.patch.edits
    assert re.search(r"^   1  line \d: ", played.texts(), re.MULTILINE)
    assert "(behaviour" not in played.texts()
    assert not re.search(r"^\*", played.texts(), re.MULTILINE)
    monkeypatch.undo()
    played("repair --no-question")
    assert played.last(results.Repaired).compared


def test_the_first_of_many_is_not_said_to_be_more(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = play(CRASH)
    played("run")
    interrupt_before_comparing(played, monkeypatch)
    with pytest.raises(CommandError):
        played("repair --no-question")
    played("accept 1")
    found = played.last(results.Repaired)
    assert f"{found.candidates} candidates, not compared" in repaired_words(found)[0]
    notes = [each.text for each in played.heard if isinstance(each, results.Note)]
    said = f"ended early, before its {found.candidates} candidates were compared"
    assert [note for note in notes if said in note and "avoids the crash, nothing else speaks for it" in note]
    assert not [note for note in notes if "different behaviours" in note]
    played("candidates")
    assert "the same in other words" not in played.texts()


def test_of_those_that_were_compared_nothing_is_said(play: Callable[..., Played]) -> None:
    played = play(CRASH)
    played("run\nrepair --no-question")
    assert played.last(results.Repaired).compared
    notes = [each.text for each in played.heard if isinstance(each, results.Note)]
    assert not [note for note in notes if "were compared" in note]
