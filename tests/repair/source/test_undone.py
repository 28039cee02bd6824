"""What stands in front of the last `return`, and is left out in front of an earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, unseen
from test_widening_demand import text_of

from wolverine.core.program import Gap
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.source.undone import LeftUndone

STRIP = """\
#include <stdlib.h>
struct field { int kind; struct field *next; };
struct strip { struct field *first; int busy; };
static struct field *turned(struct field *f)
{
    struct field *done = NULL;
    while (f != NULL) {
        struct field *rest = f->next;
        f->next = done;
        done = f;
        f = rest;
    }
    return done;
}
static void put(struct strip *s, int kind)
{
    struct field *f = malloc(sizeof *f);
    f->kind = kind;
    f->next = s->first;
    s->first = f;
}
int probe(struct strip *s, int kind)
{
    BODY
}
int main(void)
{
    struct strip s = { NULL, 0 };
    put(&s, 3);
    put(&s, 2);
    put(&s, 2);
    int result = probe(&s, 2);
    return result + (s.first != NULL);
}
"""
BACK = "s->first = turned(s->first)"
LEFT_OUT = {
    "s->busy = 1; if (kind < 0) return 0; s->busy = 0; return 1;": ["s->busy = 0"],
    f"{BACK}; if (kind < 0) return 0; {BACK}; return 1;": [BACK],
    "s->busy = 1; if (kind < 0) return 0; put(s, kind + 1); return 1;": ["put(s, kind + 1)"],
    "while (s->first) { if (kind < s->first->kind) return 2; kind--; } s->busy = 0; return 1;": [
        "s->busy = 0"
    ],
    "if (kind < 0) { s->busy = 0; return 0; } s->busy = 0; return 1;": [],
    "if (kind < 0) return 0; if (kind > 3) s->busy = 0; return 1;": [],
    "if (kind < 0) return 0; if (kind > 3) kind--; else s->busy = 0; return 1;": [],
    "if (kind < 0) return 0; while (kind > 3) kind--; return 1;": [],
    "if (kind < 0) return 0; free(s->first); return 1;": [],
    "s->busy = 0; return 1;": [],
}


@pytest.mark.parametrize("body", LEFT_OUT)
def test_an_earlier_return_leaves_it_out(body: str, tmp_path: Path) -> None:
    program = program_of(STRIP.replace("BODY", body), tmp_path)
    undone, code = LeftUndone(program), program.functions["probe"].code
    gaps = (index for index, step in enumerate(code) if isinstance(step, Gap) and step.location >= 0)
    found = [made for index in gaps if (made := undone.at("probe", index)) is not None]
    assert [*map(replacement_text, found)] == LEFT_OUT[body]
    assert undone.calls("probe") == any("(" in each for each in LEFT_OUT[body])


def test_it_is_done_there_as_well(tmp_path: Path) -> None:
    body = """if (s->first == NULL) return 1;
    struct field *cut = s->first;
    struct field *back = turned(cut->next);
    cut->next = NULL;
    for (struct field *f = back, *g = cut; f != NULL; f = f->next)
        if (f->kind != g->kind) return 0;
    cut->next = turned(back);
    return 1;"""
    text = STRIP.replace("BODY", body)
    play = Play(program_of(text, tmp_path))
    play.enter_function("probe")
    play.to(text[: text.index("return result")].count("\n") + 1, "main")
    play.change("n3->next", "n2")
    play.change("n2->next", "n1")
    play.change("n1->next", "null")
    play.spec()
    problem = unseen(play.problem())
    written = "".join(text_of(problem, best(problem).patch).split())
    assert "if(f->kind!=g->kind){cut->next=turned(back);return0;}" in written
