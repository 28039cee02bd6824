"""How much of a node that is too long to be drawn is said to be left out."""

from __future__ import annotations

import re
from collections.abc import Callable

from played_session import Played

from wolverine.session import results

FIELDS = "".join(f"    short f{number};\n" for number in range(30))
LONG = f"""\
#include <stdlib.h>
#include <string.h>
struct form {{
{FIELDS}    char text[80];
    short last;
}};
int main(void) {{
    struct form *f = calloc(1, sizeof *f);
    strcpy(f->text, "some words");
    return f->last;
}}
"""


def test_a_text_that_is_not_drawn_counts_as_one_value(play: Callable[..., Played]) -> None:
    session = play(LONG, json=False)
    session("break 40; run")
    picture = session.last(results.Graph).picture
    drawn = len(re.findall(r"│ (?:f\d+|last) ", picture))
    assert "some words" not in picture
    assert f"… {32 - drawn} more" in picture
    assert f"{32 - drawn} values are not drawn" in picture
