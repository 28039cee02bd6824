"""A node that has become the first one and is put in once more: a `return` is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

TOURS = """\
#include <stdio.h>
#include <stdlib.h>
struct tour {{ double miles; struct tour *later; }};
static struct tour *shortest = NULL;
static void plan(struct tour *t)
{{
    struct tour *at, *before = NULL;
    if (shortest == NULL) {{
        shortest = t;
    }}
    at = shortest;
    while (at != NULL && at->miles < t->miles) {{
        before = at;
        at = at->later;
    }}
    if (at == shortest) {{
        t->later = at;
        shortest = t;
    }} else {{
        before->later = t;
        t->later = at;
    }}
}}
int main(void)
{{
    const char *read[] = {{"7.5", "2", "3.25"}};
    double sum = 0;
    for (int i = 0; i < 3; i++) {{
        struct tour *t = malloc(sizeof *t);
        t->miles = atof(read[i]);
        t->later = NULL;
        plan(t);
    }}
    for (struct tour *t = shortest; t != NULL; t = t->later)
        sum += t->miles;
    {behind}
    return 0;
}}
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "behind", ['printf("%f\\n", sum);', pytest.param("setbuf(stdout, NULL);", marks=pytest.mark.thorough)]
)
def test_who_has_put_the_first_node_in_returns(behind: str, play: Callable[..., Played]) -> None:
    session = play(TOURS.format(behind=behind), work=None)
    session("set step-budget 0.4\nrun\nrepair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert (edit.kind, edit.line, edit.after) == ("insert", 9, "return;")
