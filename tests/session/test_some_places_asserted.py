"""A `spec` of some places keeps what was corrected at its stop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

SLOTS = """\
#include <stdio.h>
struct slots { int next[4]; int free; };
static struct slots s = {{1, 2, 3, -1}, 2};
static void give(int i)
{
    s.free = i;
    s.next[i] = s.free;
}
int main(void)
{
    give(0);
    for (int i = s.free, n = 0; i >= 0 && n < 5; i = s.next[i], n++)
        printf("%d ", i);
    return 0;
}
"""


@pytest.mark.parametrize("told", ["spec s.free", "track s.free\nspec"])
def test_a_correction_elsewhere_is_still_asserted(told: str, play: Callable[..., Played]) -> None:
    session = play(SLOTS)
    session(f"tbreak give\nrun\nnext 2\nchange s.next[0] 2\n{told}\nrepair --no-question\nrewrite")
    patch = session.last(results.Rewritten).patch
    assert "+    s.next[i] = s.free;\n     s.free = i;\n-    s.next[i] = s.free;\n" in patch


def test_a_place_that_is_named_is_asserted_as_it_is_then(play: Callable[..., Played]) -> None:
    session = play(SLOTS)
    session("tbreak give\nrun\nnext 2\nchange s.next[0] 2\nchange s.next[0] 0\nspec s.next[0]\nrepair")
    assert "nothing to repair" in session.texts()


@pytest.mark.parametrize(("second", "said"), [("change s.free 3\nspec", 1), ("spec s.next[1]", 0)])
def test_an_assertion_that_contradicts_one_of_the_same_stop_is_told(
    second: str, said: int, play: Callable[..., Played]
) -> None:
    session = play(SLOTS)
    session(f"tbreak give\nrun\nnext 2\nspec\n{second}")
    assert session.texts().count("checkpoint 0 says otherwise of this stop") == said
    before = len(session.heard)
    session("spec drop 0\nchange s.free 2\nspec")
    told = [each.text for each in session.heard[before:] if isinstance(each, results.Note)]
    assert not any("checkpoint 0" in text and "otherwise" in text for text in told)
