"""Comparisons of texts that an edit writes: the text that is emitted is read again as what the edit means."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.expressions import BY_TEXT, Binary, Constant, Expression, Logical, text
from wolverine.core.patch import Edit, NewValue, Patch
from wolverine.core.program import Assign, Branch, Program
from wolverine.core.types import INT, is_text
from wolverine.frontend import check, emit
from wolverine.frontend.signature import signature

TEXTS = """\
#include <string.h>
struct word { const char *text; char kind[4]; struct word *next; };
struct word *found(struct word *w, const char *t) {
    while (w && w->text != t)
        w = w->next;
    if (!(w->kind == t) && w->next)
        return 0;
    if (w && w->text > t && w->next)
        return w;
    if (w->next && (w->text == t || w->kind == t))
        return w;
    return w;
}
int same(char *one, char *two) {
    int r = one && one == two;
    if (r)
        return one == two;
    return !r || (one && one != two && *one);
}
int main(void) { return strlen("a") == 0; }
"""


def _by_text(value: Expression) -> Expression:
    """The value with the first pair of texts compared as such."""
    match value:
        case Binary(operator, left, right) if is_text(left.type) and is_text(right.type):
            if not isinstance(right, Constant):
                return Binary(operator, Binary(BY_TEXT, left, right, INT), Constant(0, INT), INT)
        case Logical(operator, left, right):
            first = _by_text(left)
            return Logical(operator, first, right if first != left else _by_text(right))
    return type(value)(value.operator, _by_text(value.operand), INT) if hasattr(value, "operand") else value


def _edits(program: Program) -> list[tuple[int, Expression]]:
    found = []
    for function in program.functions.values():
        for step in function.code:
            if isinstance(step, Assign | Branch) and step.location >= 0:
                value = step.value if isinstance(step, Assign) else step.condition
                if (made := _by_text(value)) != value:
                    found.append((step.location, made))
    return found


@pytest.mark.parametrize("number", range(7))
def test_they_are_read_as_what_is_meant(number: int, tmp_path: Path) -> None:
    program = program_of(TEXTS, tmp_path)
    edits = _edits(program)
    assert len(edits) == 7
    location, value = edits[number]
    patch = Patch((Edit(location, NewValue(value)),))
    assert text(value) in emit(program, patch)[0].decode()
    check(program, patch)


def test_other_texts_are_another_meaning(tmp_path: Path) -> None:
    program = program_of(TEXTS, tmp_path)
    location, value = _edits(program)[0]
    written = emit(program, Patch((Edit(location, NewValue(value)),)))[0].decode()
    meanings = set()
    for number, compared in enumerate(("w->text, t", "t, w->text", "w->kind, t")):
        (folder := tmp_path / str(number)).mkdir()
        other = program_of(written.replace("strcmp(w->text, t)", f"strcmp({compared})"), folder)
        meanings.add(signature(other.functions["found"]))
    assert len(meanings) == 3
