"""Variables that are led on before they have been used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.program import Assign, Call
from wolverine.repair.source.premature import SENSELESS, behind_its_test, led_on_too_early

STATEMENTS = ("assignment", "call")
QUEUE = """\
#include <stdlib.h>
struct job { int n; struct job *next; } *root; struct job *noted(int a, int b) { return a < b ? root : 0; }
void f(struct job *at, struct job **link, struct job *made)
{
    struct job *before = NULL, *last = root;
    int n = 0;
    BODY
}
int main(void) { struct job *root = NULL; f(root, &root, NULL); return 0; }
"""


@pytest.mark.parametrize(
    ("body", "speaks"),
    [
        ("at = at->next; before = at;", SENSELESS),
        ("last = made; last->next = made;", SENSELESS),
        ("link = &(*link)->next; *link = made;", 0.3),
        ("at = at->next; n = at->n;", 0.3),
        ("root = root->next; n = root->n;", 0.3),
        ("root = made; made->next = root;", SENSELESS),
        ("*link = made; made->next = *link;", SENSELESS),
        ("root->next = made; made->next = root->next;", SENSELESS),
        ("if (root == NULL) { root = made; made->next = root; }", 0.0),  # a ring begins
        ("if (root == NULL || n) { root = made; made->next = root; }", 0.0),
        ("if (root != NULL) n = 2; else { root = made; made->next = root; }", 0.0),
        ("if (root != NULL) { root = made; made->next = root; }", SENSELESS),
        ("if (root == NULL) n = 2; else if (root == at) { root = made; made->next = root; }", SENSELESS),
        ("root = made; made->next = made;", 0.0),
        ("made->next = root; root = made;", 0.0),
        ("before = at; at = at->next;", 0.0),  # the right way round
        ("last->next = made; last = made;", 0.0),
        ("last = made; last->next = NULL;", 0.0),  # that ends a list
        ("at = made; before = at;", 0.0),
        ("n = n + 1; made->n = n;", 0.0),  # a number
        ("at->n = n; made->n = at->n - n;", SENSELESS),
        ("at->n = n; made->n = n % at->n;", SENSELESS),
        ("at->n = n; made->n = at->n + n;", 0.0),
        ("made->n = at->n - n; at->n = n;", 0.0),
        ("at->n = n; noted(at->n, n);", SENSELESS),
        ("at->n = n; made = noted(at->n, noted(n, 2)->n);", 0.0),  # another call
        ("at->n = n; noted(made->n, n);", 0.0),
        ("at->n = 7; noted(at->n, 7);", 0.0),  # a constant says nothing of what was there
        ("noted(at->n, n); at->n = n;", 0.0),
    ],
)
def test_two_statements_in_the_wrong_order(body: str, speaks: float, tmp_path: Path) -> None:
    program = program_of(QUEUE.replace("BODY", body), tmp_path)
    function = program.functions["f"]
    *_, first, second = (
        step.location
        for step in function.code
        if isinstance(step, Assign | Call) and program.location(step.location).kind in STATEMENTS
    )
    assert led_on_too_early(function, first, second) == speaks


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("int k = at->n; if (at == NULL) return;\nn = k;", 8),
        ("n = at->n; if (!at) { n = 0; return; }\nroot = at;", None),  # it is set where it leaves
        ("n = at->n; if (!at) return;\nroot = at;", 8),
        ("at = root; n = at->n; if (root == NULL) return;\nlast = at;", 8),
        ("at = root; root = made; n = at->n; if (root == NULL) return;\nlast = at;", None),
        ("n = at->n; if (at != NULL) {\nroot = at; }", 8),
        ("n = at->n; if (at != NULL) { root = at; }\nroot->n = n;", None),  # it is read in any case
        ("n = at->n; if (made == NULL) return;\nroot = at;", None),  # another pointer
        ("n = at->n; if (n > 3) return; if (at == NULL) return;\nroot = at;", None),  # it is asked before
        ("n = at->n; while (at == NULL) return;\nroot = at;", None),
        ("at->n = 3; if (at == NULL) return;\nroot = at;", 8),
    ],
)
def test_what_goes_through_a_pointer_before_its_test(body: str, line: int | None, tmp_path: Path) -> None:
    program = program_of(QUEUE.replace("BODY", body), tmp_path)
    function = program.functions["f"]
    index = next(
        at
        for at, step in enumerate(function.code)
        if isinstance(step, Assign)
        and re.fullmatch(r"(int )?(n|k) = at->n|at->n = 3", program.location(step.location).text)
    )
    gap = behind_its_test(program, function, index)
    assert (program.location(gap).line if gap is not None else None) == line
