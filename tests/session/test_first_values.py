"""Variables of blocks that are entered on the way: their first values are changes."""

from __future__ import annotations

from collections.abc import Callable

from played_session import Played

from wolverine.session import results

ROUNDS = """\
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        int twice = 2 * i;
        int *into = &sum;
        *into += twice;
    }
    return sum;
}
"""


def test_first_values_are_told_and_old_ones_are_none(play: Callable[..., Played]) -> None:
    session = play(ROUNDS, json=False)
    session("start; next; next 3")
    text = session.last(results.Graph).picture
    assert "twice: ? → 0" in text and "into: ? → &sum" in text
    session("next; next")
    assert session.line() == 5
    text = session.last(results.Graph).picture
    assert "into = ?" in text and "into:" not in text
