"""Of what a program writes in one command so much is shown, and how much more it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from played_session import Played

from wolverine.session import results
from wolverine.session.outlet import Outlet

PROGRAM = """\
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 6000; i++)
        printf("%d\\n", i);
    printf("end\\n");
    return 0;
}
"""


def test_a_flood_is_cut_in_each_command(play: Callable[..., Played]) -> None:
    session = play(PROGRAM)
    session("break 6; run")
    assert session.output().splitlines() == [str(number) for number in range(5000)]
    assert "the program wrote more than is shown: 1,000 more lines, 5,000 bytes" in session.texts()
    session("next")
    assert session.output().endswith("4999\nend\n")


def test_so_is_what_has_no_lines() -> None:
    heard: list[results.Result] = []
    outlet = Outlet(heard.append)
    for _ in range(3):
        outlet.write(b"x" * 100_000)
    outlet.tell()
    *shown, note = heard
    assert sum(len(each.text) for each in shown if isinstance(each, results.Output)) == 1 << 18
    assert note == results.Note(f"the program wrote more than is shown: {300_000 - (1 << 18):,} bytes")


@pytest.mark.parametrize("size", [1, 2, 5, 7, 1 << 16])
def test_how_the_output_is_parted_makes_no_difference(size: int) -> None:
    heard: list[results.Result] = []
    outlet = Outlet(heard.append)
    data = "".join(f"{number} €\n" for number in range(5_003)).encode()
    for start in range(0, len(data), size):
        outlet.write(data[start : start + size])
    outlet.tell()
    *shown, note = heard
    text = "".join(each.text for each in shown if isinstance(each, results.Output))
    assert text == "".join(f"{number} €\n" for number in range(5_000))
    assert note == results.Note("the program wrote more than is shown: 3 more lines, 27 bytes")
