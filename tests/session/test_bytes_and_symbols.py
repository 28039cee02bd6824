"""Values that take more than their bytes to be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wolverine.session import results

SOURCE = """\
#include <string.h>
int main(void)
{
    long double third = 1.5L, less = -2e300L;
    unsigned char bytes[] = { 0, 1, 255, 'A' }, word[] = "ab";
    char nothing[4] = "";
    int (*compare)(const char *, const char *) = strcmp;
    return compare("a", "a") + bytes[0] + word[2] + nothing[0] + (third < less);
}
"""


def test_they_are_told_as_gdb_does(play: Callable[..., Any]) -> None:
    session = play(SOURCE, json=False)
    session("break 8; run")
    picture = session.last(results.Graph).picture
    for words in ("third = 1.5", "less = -2e+300", "bytes = 0 1 255 65", 'word = "ab"', 'nothing = ""'):
        assert words in picture
    assert "compare = strcmp" in picture
