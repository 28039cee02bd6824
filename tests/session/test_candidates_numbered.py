"""The numbers of candidates, and the difference that each of them makes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

UNLINKED = """\
#include <stdlib.h>
struct cell { struct cell *left, *right; };
struct cell *first, *last;
static void take(struct cell *c) {
    if (c->left) c->left->right = c->right;
    if (c->right) c->right->left = c; else last = c->left;
    free(c);
}
int main(void) {
    for (int i = 0; i < 4; i++) {
        struct cell *c = calloc(1, sizeof *c);
        c->left = last;
        if (last) last->right = c; else first = c;
        last = c;
    }
    take(first->right);
    return 0;
}
"""


def test_every_candidate_has_a_number_by_which_its_difference_is_shown(play: Callable[..., Played]) -> None:
    played = play(UNLINKED)
    played("start; break take; continue; finish; change n3->left n1; spec n3->left; repair --no-question")
    told = played.last(results.Repaired)
    count = told.candidates
    assert 1 < count < 400
    assert "have no number" not in "".join(_texts(played, "candidates"))
    differences = ["".join(_texts(played, f"candidates {number}")) for number in range(1, count + 1)]
    assert differences[0] == told.patch
    assert all(re.match(r"--- a/.*\n\+\+\+ b/.*\n@@ ", each) for each in differences)
    assert len(set(differences)) > 1
    played(f"accept {count}")
    assert played.last(results.Repaired).patch == differences[-1]
    with pytest.raises(CommandError, match=f"no candidate {count + 1}; they go from 1 to {count}"):
        played(f"candidates {count + 1}")


FIRST = """\
#include <stdlib.h>
struct node { int v; struct node *next; } *head;
static void drop(void) {
    struct node *n = head;
    head = n->next;
    n->v = 0;
}
int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        head = n;
    }
    drop();
    return 0;
}
"""


@pytest.mark.parametrize("json", [True, False])
def test_the_heap_on_which_one_crashes_is_drawn(play: Callable[..., Played], json: bool) -> None:
    """Here no head: what was tried, told by its picture, that crashes with the repair as without."""
    played = play(FIRST, json=json)
    played("break drop; run; next 3; change n3 freed; spec; repair --no-question")
    assert [edit.after for edit in played.last(results.Repaired).edits] == ["free(n);"]
    [graph] = [each for each in played("candidates 1") if isinstance(each, results.Graph)]
    assert graph.data["places"]["head"] is None
    if not json:
        first, _, picture = graph.picture.partition("\n")
        assert first == "It crashes where drop () is called so: the null pointer is dereferenced at line 5."
        assert "head = NULL" in picture


def _texts(played: Played, line: str) -> list[str]:
    return [each.text for each in played(line) if isinstance(each, results.Text)]
