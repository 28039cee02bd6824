"""How much is allocated may be wrong: what else may stand there, as C text that means the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit, Patch
from wolverine.frontend import check, emit
from wolverine.repair.menus.candidates import Menus

TEXT = """\
#include <stdlib.h>
#include <string.h>
typedef struct node {{ char *name; struct node *next; }} *list;
typedef struct {{ int a; double b[3]; }} record;
void f(int n, char *s, list l)
{{
    {statement}
}}
"""


@pytest.mark.parametrize(
    ("statement", "others"),
    [
        ("list m = (list)malloc(sizeof(list));", ["list m = (list)malloc(sizeof(*m));"]),
        ("l->next = malloc(8);", ["l->next = malloc(sizeof(*l->next));"]),
        ("l->next = malloc(sizeof(int));", ["l->next = malloc(sizeof(*l->next));"]),
        ("struct node *m = calloc(1, sizeof(m));", ["struct node *m = calloc(1, sizeof(*m));"]),
        ("l->name = malloc(strlen(s));", ["l->name = malloc(strlen(s) + 1);"]),
        ("int *a = malloc(n);", ["int *a = malloc(n + 1);", "int *a = malloc(n * sizeof(*a));"]),
        ("int *a = calloc(n, sizeof(int));", ["int *a = calloc(n + 1, sizeof(int));"]),
        (
            "record *r = malloc(n * sizeof(record *));",
            ["record *r = malloc(n * sizeof(*r));", "record *r = malloc((n + 1) * sizeof(record *));"],
        ),
        ("record *r = malloc(sizeof(record));", []),
    ],
)
def test_sizes(statement: str, others: list[str], tmp_path: Path) -> None:
    """What the result leads to by its type, and room for one more; the size of its type is left alone."""
    program = program_of(TEXT.format(statement=statement), tmp_path)
    menus = Menus(program)
    found = []
    for location in program.locations:
        menu = menus.menu(location.id) if location.kind == "argument" else None
        offered = [c for n, c in enumerate(menu.choices) if menu.all >> n & 1] if menu is not None else []
        for choice in offered:
            patch = Patch((Edit(location.id, choice.replacement),))
            check(program, patch)
            found.append(emit(program, patch)[0].decode().split("\n")[6].strip())
    assert sorted(found) == sorted(others)


@pytest.mark.parametrize(
    ("statement", "cleared"),
    [
        ("list m = (list)malloc(sizeof(list));", "list m = (list)calloc(1, sizeof(list));"),
        ("l->next = malloc ( n * sizeof(*l) );", "l->next = calloc ( 1, n * sizeof(*l) );"),
        ("if ((l->next = malloc(8)) == NULL) return;", "if ((l->next = calloc(1, 8)) == NULL) return;"),
        ("list m = calloc(1, sizeof *m);", ""),
    ],
)
def test_nodes_that_nothing_fills_may_be_cleared(statement: str, cleared: str, tmp_path: Path) -> None:
    program = program_of(TEXT.format(statement=statement), tmp_path)
    menus = Menus(program, nodes=True)
    found = ""
    for location in program.locations:
        menu = menus.menu(location.id) if location.kind == "allocation" else None
        offered = [c for n, c in enumerate(menu.choices) if menu.all >> n & 1] if menu is not None else []
        for choice in offered:
            patch = Patch((Edit(location.id, choice.replacement),))
            check(program, patch)
            found += emit(program, patch)[0].decode().split("\n")[6].strip()
    assert found == cleared
