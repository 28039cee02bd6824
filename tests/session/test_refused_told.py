"""A candidate that is refused in the process is told before the one that is taken instead."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results
from wolverine.session.gate import Gate, Rejected

STACK = """\
#include <stdlib.h>
struct cup { struct cup *below; };
static struct cup *top;
static void put(void)
{
    struct cup *c = malloc(sizeof *c);
    c->below = NULL;
    top = c;
}
int main(void)
{
    put();
    put();
    return top->below == NULL;
}
"""


def test_what_is_refused_is_told(play: Callable[..., Played], monkeypatch: pytest.MonkeyPatch) -> None:
    apply, answers = Gate.apply, [Rejected("it is cracked")]
    monkeypatch.setattr(Gate, "apply", lambda *given: answers.pop() if answers else apply(*given))
    session = play(STACK)
    session("break put\nrun\ncontinue\nnext 3\nchange n2->below n1\nspec\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    [told] = [line for line in session.texts().splitlines() if "is refused" in line]
    assert told.endswith("it is cracked") and edit.after not in told
