"""A picture in a file has the room of a file, however narrow the terminal is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

TEAM = """\
#include <stdlib.h>
struct player { char name[24]; struct player *next, *best; };
int main(void)
{
    struct player *team = NULL;
    for (int i = 0; i < 4; i++) {
        struct player *p = calloc(1, sizeof *p);
        p->name[0] = 'a' + i;
        p->next = team;
        p->best = team != NULL ? team : p;
        team = p;
    }
    return team == NULL;
}
"""


def test_a_list_that_a_narrow_terminal_folds_is_a_row_in_a_file(
    play: Callable[..., Any], tmp_path: Path
) -> None:
    session = play(TEAM, width=50, json=False)
    file = tmp_path / "team.dot"
    session(f"break 11\nrun\ncontinue 3\nsave {file}")
    heights = re.findall(r'^\tn\d .* pos="[-\d.]+,([-\d.]+)!"', file.read_text(), re.MULTILINE)
    assert len(heights) == 4
    assert len(set(heights)) == 1
