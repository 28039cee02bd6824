"""Names after `up`: the selected frame may have a variable that the innermost one has too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.errors import CommandError
from wolverine.session import results

PROGRAM = """\
#include <stdlib.h>
static int total;
static void add(int age) {
    total += age;
}
static void twice(int n) {
    int age = n;
    if (n > 0)
        twice(n - 1);
    add(age + 1);
}
int main(void) {
    int age = 30, total = 1;
    twice(1);
    return age + total;
}
"""


def test_a_name_that_means_two_variables_is_not_guessed(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break add; run; up")
    with pytest.raises(CommandError, match=r"age is twice::age in the frame .*, and add::age in the picture"):
        session("change age 77")
    with pytest.raises(CommandError, match=r"age is twice::age"):
        session("change total age")
    session("up")
    with pytest.raises(CommandError, match=r"age is twice#2::age"):
        session("change age 77")
    session("change twice#2::age 77")
    assert "77" in session("print age")[0].text
    session("up")
    with pytest.raises(CommandError, match=r"total is main::total in the frame .*, and total in the picture"):
        session("change total 5")


def test_a_name_that_the_selected_frame_does_not_have_is_not_guessed(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break 8; run; up 2")
    for command in ("change n 77", "change main::age n", "spec n", "track n"):
        with pytest.raises(CommandError, match=r"the frame that is selected has no n; there is twice::n"):
            session(command)
    session("change twice::n 77")
    assert session.last(results.Changed).place == "twice::n"


def test_other_names_mean_what_they_did(play: Callable[..., Played]) -> None:
    session = play(PROGRAM, json=False)
    session("break add; run; up; change total 5; change add::age 8")
    assert session.last(results.Changed).place == "add::age"
    session("down; change age 9")
    assert session.last(results.Changed).place == "add::age"
