"""Loops and calls without an end of which the program tells what they lack: that is found at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

ROUND = """\
#include <stdlib.h>
struct seat {{ int guest; struct seat *right; }};
static struct seat *table(int seats)
{{
    struct seat *first = NULL, *last = NULL;
    for (int i = 0; i < seats; i++) {{
        struct seat *s = malloc(sizeof *s);
        s->guest = i;
        if (first == NULL)
            first = s;
        else
            last->right = s;
        s->right = first;
        last = s;
    }}
    return first;
}}
static int guests(struct seat *host)
{{
    int sum = 0;
    struct seat *s = host;
    if (host == NULL)
        return 0;
    {loop}
    return sum;
}}
static void leave(struct seat *host)
{{
    while (host->right != host) {{
        struct seat *gone = host->right;
        host->right = gone->right;
        free(gone);
    }}
    free(host);
}}
int main(void)
{{
    struct seat *host = table({seats});
    int sum = guests(host);
    leave(host);
    return sum != {seats} * ({seats} - 1) / 2;
}}
"""
LOOPS = {
    "do": ("do { sum += s->guest; s = s->right; } while (s != NULL);", "s != host"),
    "while": ("while (s->right != NULL) { s = s->right; sum += s->guest; }", "s->right != host"),
}


@pytest.mark.parametrize("seats", [3, 300])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_walk_round_a_ring_ends_where_it_began(loop: str, seats: int, play: Callable[..., Played]) -> None:
    text, after = LOOPS[loop]
    session = play(ROUND.format(loop=text, seats=seats), json=False)
    session("set step-budget 0.2; run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == after
    session("continue")
    assert session.last(results.Exited).code == 0


STACKED = """\
#include <stdlib.h>
struct plate { int worth; struct plate *below; };
static struct plate *stacked(int plates)
{
    struct plate *p;
    if (plates == 0)
        return NULL;
    p = malloc(sizeof *p);
    p->worth = plates;
    p->below = stacked(plates - 1);
    return p;
}
static int worth(struct plate *p, int least)
{
    if (p == NULL)
        return 0;
    return (p->worth >= least) + worth(p, least);
}
int main(void)
{
    return worth(stacked(150), 3) != 150 - 2;
}
"""


def test_a_call_with_what_was_given_goes_on_to_the_next_node(play: Callable[..., Played]) -> None:
    session = play(STACKED, json=False)
    session("run; repair --no-question")
    [edit] = session.last(results.Repaired).edits
    assert edit.after == "p->below"
    session("continue")
    assert session.last(results.Exited).code == 0
