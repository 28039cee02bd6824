"""A node that leads to itself: rather not, unless it does so the other way as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import program_of

from wolverine.core.patch import Edit
from wolverine.repair.menus.candidates import Menus
from wolverine.repair.menus.wording import replacement_text
from wolverine.repair.ranking.score import Scores

DANCE = """\
struct dancer {{ int n; struct dancer *left, *right; }};
struct round {{ struct dancer *first; }};
void join(struct round *r, struct dancer *d)
{{
    if (r->first == 0) {{
        r->first = d;
        d->right = {right};
    }} else {{
        d->right = r->first;
        d->left = r->first->left;
        d->left->right = d;
        r->first->left = d;
    }}
}}
int main(void) {{ struct round r = {{0}}; struct dancer d = {{0}}; join(&r, &d); return 0; }}
"""


@pytest.mark.parametrize(("right", "closer"), [("d", True), ("0", False)])
def test_a_ring_of_one_leads_both_ways_to_itself(right: str, closer: bool, tmp_path: Path) -> None:
    program = program_of(DANCE.format(right=right), tmp_path)
    scores, menus = Scores(program), Menus(program)
    gaps = [each for each in program.locations if each.kind == "gap" and each.line == 7]
    found = {
        replacement_text(choice.replacement): scores.edit(Edit(gap.id, choice.replacement))
        for gap in gaps
        if (menu := menus.menu(gap.id)) is not None
        for choice in menu.choices
    }
    assert (found["d->left = d"] < found["d->left = r->first"]) == closer
