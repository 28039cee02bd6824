"""The arms of an `if` that set links: what its condition asks for, and arms that say the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, program_of, words

from wolverine.core.patch import Edit, NewAssignment, NewValue, Repairs
from wolverine.core.program import Assign, Branch, Program
from wolverine.repair import search
from wolverine.repair.source.arms import arms, links_asked, makes_alike

UNHANG = """\
#include <stdlib.h>
struct tree { int key; struct tree *low, *high; };
struct tree *root;
void unhang(int key)
{
    struct tree *above = NULL, *it = root, *kept;
    while (it != NULL && it->key != key) {
        above = it;
        it = key < it->key ? it->low : it->high;
    }
    if (it == NULL || above == NULL || (it->low != NULL && it->high != NULL))
        return;
    kept = it->low != NULL ? it->low : it->high;
    if (ASKED)
        above->low = kept;
    else
        above->high = kept;
    free(it);
}
struct tree *grow(int key, struct tree *low, struct tree *high)
{
    struct tree *made = malloc(sizeof *made);
    made->key = key;
    made->low = low;
    made->high = high;
    return made;
}
int main()
{
    root = grow(1, NULL, NULL);
    root = grow(4, root, grow(7, NULL, NULL));
    unhang(7);
    return 0;
}
"""


def _asking(condition: str, folder: Path) -> Program:
    return program_of(UNHANG.replace("ASKED", condition), folder)


def _of_the_links(program: Program) -> int:
    """The `if` whose arms set the links of the node above."""
    code = program.functions["unhang"].code
    both = ((at, arms(code, at)) for at, step in enumerate(code) if isinstance(step, Branch))
    return next(
        at
        for at, found in both
        if found is not None and [len(arm) for arm in found] == [1, 1] and "above" in str(found)
    )


@pytest.mark.parametrize(
    ("wrong", "right"), [("kept == it->low", "it == above->low"), ("it->low == kept", "above->low == it")]
)
def test_which_link_led_to_what_is_taken_out_is_asked(wrong: str, right: str, tmp_path: Path) -> None:
    """The right subtree's only node goes; the left subtree is lost instead."""
    play = Play(_asking(wrong, tmp_path))
    play.enter_function("unhang")
    play.to(1 + UNHANG[: UNHANG.index("free(it")].count("\n"))
    play.change("n3->low", "n1")
    play.change("n3->high", "null")
    play.spec()
    answer = search(play.problem())
    assert isinstance(answer, Repairs)
    assert words(play.program, answer.candidates[0]) == right


def test_only_the_links_that_the_arms_set_are_asked_for(tmp_path: Path) -> None:
    """Neither of what is stored nor of the node that is changed."""
    program = _asking("it->low == kept", tmp_path)
    function = program.functions["unhang"]
    at = _of_the_links(program)
    scope = program.location(function.code[at].location).scope
    [asked] = links_asked(function.code, at, [v for v in scope if v.name != "root"])
    assert str(asked).count("'it'") == 1
    loop = next(i for i, s in enumerate(function.code) if isinstance(s, Branch))
    assert arms(function.code, loop) is None
    assert not list(links_asked(function.code, loop, scope))


def test_arms_that_become_the_same_statement_speak_against_an_edit(tmp_path: Path) -> None:
    """The condition between them would be for nothing."""
    program = _asking("above->low == it", tmp_path)
    code = program.functions["unhang"].code
    found = arms(code, _of_the_links(program))
    assert found is not None
    [first], [second] = found
    assert isinstance(first, Assign) and isinstance(second, Assign)
    assert makes_alike(program, Edit(second.location, NewAssignment(first.target, first.value)))
    assert makes_alike(program, Edit(first.location, NewAssignment(second.target, second.value)))
    assert not makes_alike(program, Edit(second.location, NewAssignment(second.target, second.value)))
    assert not makes_alike(program, Edit(first.location, NewValue(second.value)))
