"""Calls under the test whether what has just been set is 0 or null."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import Play, best, program_of, words

from wolverine.core.patch import NewCall
from wolverine.core.program import Gap
from wolverine.repair.menus.calling import Callables, Calling
from wolverine.repair.menus.exhausted import when_exhausted
from wolverine.repair.menus.vocabulary import Vocabulary
from wolverine.repair.menus.wording import replacement_text
from wolverine.semantics.address import node_address

PAGES = """\
#include <stdlib.h>
struct page { int users; struct page *next; };
static struct page *pages;
static int count;
static void drop(struct page *page) {
    struct page **at = &pages;
    while (*at != page) at = &(*at)->next;
    *at = page->next;
    count--;
    free(page);
}
static struct page *add(int users) {
    struct page *page = malloc(sizeof *page);
    page->users = users;
    page->next = pages;
    pages = page;
    count++;
    return page;
}
static void leave(struct page *page) {
    int all = count;
    LEAVE
}
static void work(struct page *page) {
    leave(page);
    leave(page);
}
int main(void) {
    add(3);
    work(add(2));
    return 0;
}
"""
CALL = "if (page->users == 0) drop(page)"


def test_who_is_the_last_to_leave_drops_it(tmp_path: Path) -> None:
    """It is not dropped where others are left: the call alone does not do."""
    play = Play(program_of(PAGES.replace("LEAVE", "page->users--;"), tmp_path))
    play.enter_function("work")
    play.to(23, "leave")
    play.to(23, "leave")
    play.change("pages", "n1")
    play.change("count", "1")
    play.machine.memory.release(node_address(2))
    play.spec()
    problem = play.problem()
    assert words(problem.program, best(problem)) == CALL


@pytest.mark.parametrize(
    ("leave", "offered"),
    [
        ("page->users = all - 1;", True),
        ("page->users = all - 1; count = 2;", True),
        ("page->users = all - 1; if (all) count = 2;", False),  # it may be left to another case
        ("page->users = 5;", False),  # which is known
        ("page->users = all - 1; page = page->next;", False),  # it is another one's by now
        ("all = 0;", False),  # which is gone as the function returns
    ],
)
def test_asked_is_what_was_set_just_before(leave: str, offered: bool, tmp_path: Path) -> None:
    program = program_of(PAGES.replace("LEAVE", leave), tmp_path)
    function = program.functions["leave"]
    calling = Calling(program, "leave", Vocabulary(program, "leave"), Callables(program))
    scope = (*function.parameters, *function.locals, *program.globals)
    last = max(at for at, step in enumerate(function.code) if isinstance(step, Gap))
    found = [replacement_text(each.replacement) for each in calling.choices(scope, last)]
    assert (CALL in found) == offered
    assert "drop(page)" in found


def test_the_likeliest_calls_are_put_under_tests(tmp_path: Path) -> None:
    program = program_of(PAGES.replace("LEAVE", "page->users = all - 1;"), tmp_path)
    function = program.functions["leave"]
    calling = Calling(program, "leave", Vocabulary(program, "leave"), Callables(program))
    scope = (*function.parameters, *function.locals, *program.globals)
    last = max(at for at, step in enumerate(function.code) if isinstance(step, Gap))
    calls = [c.replacement for c in calling.choices(scope, last) if isinstance(c.replacement, NewCall)]
    made = [replacement_text(each) for each in when_exhausted(function, last, calls)]
    assert len([each for each in made if "drop(" in each]) <= 3
    assert not [each for each in made if " = " in each]
