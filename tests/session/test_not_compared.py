"""What is said where a search is interrupted before its candidates are told apart."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.repair.engine import ranker
from wolverine.repair.heaps.trials import Trials
from wolverine.repair.ranking.rank import rank
from wolverine.session import describing, results
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


def interrupted_repair(play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch) -> Played:
    """A session in which a repair was interrupted so."""
    played = play(CRASH)
    played("run")
    interrupt_before_comparing(played, monkeypatch)
    with pytest.raises(CommandError):
        played("repair --no-question")
    return played


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
    played = interrupted_repair(play, monkeypatch)
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


UNLINKED = """\
#include <stdlib.h>
struct item { int key; struct item *link; };
static struct item *add(struct item *l, int k) {
    struct item *x = malloc(sizeof *x);
    x->key = k;
    x->link = l;
    return x;
}
static struct item *del(struct item *l, int k) {
    struct item *p = l, *q = NULL;
    while (p != NULL) {
        if (p->key == k) {
            q->link = p->link;
            free(p);
            return l;
        }
        q = p;
        p = p->link;
    }
    return l;
}
int main(void) {
    struct item *h = NULL;
    for (int i = 1; i <= 3; i++) h = add(h, i);
    h = del(h, 2);
    h = del(h, 3);
    return h->key;
}
"""


@pytest.mark.parametrize("at_end", [False, True])
def test_nothing_more_is_ranked_once_a_search_has_ended(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch, at_end: bool
) -> None:
    """What was ranked is the answer: another ranking takes its time, and can be cut short only in part."""
    played = play(UNLINKED)
    played("run")
    begun: list[int] = []

    def ranked(*given: Any, **more: Any) -> Any:
        begun.append(len(begun))
        found = rank(*given, **more)
        if len(begun) == 1 + at_end:
            played.session.interrupt()
        return found

    monkeypatch.setattr(ranker, "rank", ranked)
    played("repair --no-question")
    assert len(begun) == 1 + at_end
    assert played.last(results.Repaired).compared


def test_of_many_that_were_not_compared_only_the_first_are_written(
    play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = interrupted_repair(play, monkeypatch)
    wrote = []
    one_line = describing._one_line
    monkeypatch.setattr(describing, "_one_line", lambda *given: wrote.append(given) or one_line(*given))
    monkeypatch.setattr(describing, "_UNCOMPARED", 3)
    played("candidates")
    assert len(wrote) <= 1 + 3  # what all have in common, and three
