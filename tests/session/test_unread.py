"""`spec` where temporaries hold what the wrong execution left in them, or where loops went unseen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results

LIST = """\
#include <stdlib.h>
struct item { int val; struct item *next; };
struct list { struct item *head; int size; };
void insert(struct list *l, int v)
{
    struct item *prev = NULL, *cur = l->head;
    struct item *tmp = malloc(sizeof *tmp);
    tmp->val = v;
    while (cur != NULL && cur->val < v) {
        prev = cur;
        cur = cur->next;
    }
    tmp->next = cur;
    if (prev == NULL)
        l->head = tmp;
    else
        prev->next = tmp;
    l->size++;
}
void reverse(struct list *l)
{
    struct item *prev = NULL, *cur = l->head, *next;
    while (cur != NULL) {
        next = cur->next;
        cur->next = prev;
        prev = cur;
        cur = next;
    }
    l->head = prev;
}
int main(void)
{
    struct list list = {NULL, 0};
    insert(&list, 1);
    insert(&list, 2);
    insert(&list, 3);
    reverse(&list);
    return list.size;
}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "script", "line", "after"),
    [
        (  # prev is null at the end, and must not be asserted to be
            "        prev = cur;\n        cur = cur->next;",
            "        cur = cur->next;",
            "break 17; run; continue; change l->head n1; change n1->next n2; change n2->next null; spec",
            10, "prev = cur;",
        ),
        (  # the loop has gone round once too few, and nobody has seen it
            "while (cur != NULL) {",
            "while (cur->next != NULL) {",
            "break 29; run; next; change l->head n3; change n3->next n2; spec",
            23, "cur != NULL",
        ),
    ],
)  # fmt: skip
def test_what_is_read_no_more_is_not_asserted(
    play: Callable[..., Played], right: str, wrong: str, script: str, line: int, after: str
) -> None:
    assert right in LIST
    played = play(LIST.replace(right, wrong, 1))
    played(f"{script}; repair --no-question")
    repaired = played.last(results.Repaired)
    assert [(edit.line, edit.after) for edit in repaired.edits] == [(line, after)]


def test_a_temporary_that_was_corrected_is_asserted(play: Callable[..., Played]) -> None:
    played = play(LIST)
    played("break 18; run; continue; change prev null; spec; repair --no-question")
    repaired = played.last(results.Repaired)
    assert any("prev" in edit.after for edit in repaired.edits)
