"""Arguments that are one node where a call goes round for ever, or crashes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playing import crash

from wolverine.core.patch import Repairs
from wolverine.repair.engine import search
from wolverine.repair.menus.wording import describe
from wolverine.repair.ranking.aliased import aliased

JOINED = """\
#include <stdlib.h>
struct item { int n; struct item *next; };
struct list { struct item *first; };
static int join(struct list *to, struct list *from)
{
    while (from->first->n != 0) {
        to->first = from->first->next;
        from->first = NULL;
    }
    return 0;
}
int main(void)
{
    struct item end = {0, NULL}, one = {1, &end};
    struct list all = {&one}, other = {&end};
    join(&all, OTHER);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("other", "pairs"), [("&all", {("join", frozenset({"to", "from"}))}), ("&other", set())]
)
def test_what_is_one_is_told(other: str, pairs: set[object], tmp_path: Path) -> None:
    problem = crash(JOINED.replace("OTHER", other).replace("end = {0", "end = {2"), "main", tmp_path)
    assert aliased(problem.program, problem.traces[0]) == pairs


def test_nothing_is_done_with_one_and_itself(tmp_path: Path) -> None:
    problem = crash(JOINED.replace("OTHER", "&all"), "main", tmp_path)
    answer = search(problem)
    assert isinstance(answer, Repairs)
    assert re.search(r"\bto [!=]= from\b", describe(problem.program, answer.candidates[0].patch))
