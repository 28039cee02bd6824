"""Where most of the closest repairs use what was freed there is another fault of the program."""

from __future__ import annotations

from wolverine.repair.heaps.unrepaired import stale_line

AT_NINE = ("crash", "freed", 9)


def test_it_is_where_most_of_them_come_to() -> None:
    assert stale_line([(AT_NINE, {5}), (AT_NINE, {6}), (("returned", 1), {5})]) == 9
    assert stale_line([(AT_NINE, {5}), (("crash", "null", 9), {6}), (("crash", "freed", 8), {5})]) is None
    assert stale_line([]) is None


def test_what_repairs_do_where_they_edit_tells_nothing_of_the_program() -> None:
    """A statement put behind `free(p)` that goes through `p` is that repair's own fault."""
    own = (AT_NINE, {9})
    assert stale_line([own, own, own]) is None
    assert stale_line([own, own, (AT_NINE, {5})]) is None
    assert stale_line([own, (AT_NINE, {5}), (AT_NINE, {5, 6})]) == 9
