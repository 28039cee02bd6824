"""Arrays of many pointers: what they lead to can be reached."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
struct record { int key; };
DECLARED;
int main(void) {
    MADE;
    for (int i = 0; i < 20000; i++)
        all[i] = malloc(sizeof(struct record));
    return 0;
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("declared", "made"),
    [
        ("struct record **all", "all = malloc(20000 * sizeof *all)"),
        ("struct record *all[20000]", ""),
    ],
)
def test_nothing_behind_a_large_array_of_pointers_is_lost(
    play: Callable[..., Played], declared: str, made: str
) -> None:
    session = play(PROGRAM.replace("DECLARED", declared).replace("MADE", made))
    session("break 8; run")
    nodes = session.last(results.Graph).data["nodes"]
    assert len(nodes) >= 20000
    assert {node["state"] for node in nodes} == {"live"}
