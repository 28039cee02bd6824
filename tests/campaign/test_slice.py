"""A slice of 100 faults, drawn with a seed of its own: its figures may not fall.

The bounds are in machine steps, so that the figures do not depend on how fast this machine is.  Who makes
repairs better raises the floors.
"""

from pathlib import Path

import pytest

from wolverine.campaign.campaign import Plan, conduct
from wolverine.campaign.summary import table

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"
EVEN = (str(SAMPLES / "*[02468]_*.c"),)

WORK = 300_000

# faults, repaired, exposed, exposed and right at first, exposed and right after a question
FLOORS = {
    "1,0": (40, 40, 40, 34, 39),
    "1,1": (20, 16, 11, 10, 11),
    "2,0": (20, 16, 11, 11, 11),
    "2,1": (20, 12, 5, 5, 4),
}


@pytest.mark.timeout(3600)
def test_the_figures_of_the_slice_do_not_fall(tmp_path):
    records = []
    for classes, programs in ((("1,0",), (str(SAMPLES / "*.c"),)), (("1,1", "2,0", "2,1"), EVEN)):
        plan = Plan(
            programs, tmp_path, classes, variants=1, seed=2026, jobs=2, timeout=600.0, work=WORK,
            localizers=("exact",),
        )  # fmt: skip
        records += conduct(plan, lambda *_: None)
    assert len(records) == 100
    assert [r.error for r in records if r.error] == []
    reached = {}
    for klass in FLOORS:
        found = [r for r in records if r.klass == klass and not r.missing]
        shown = [r for r in found if r.repaired and r.exposed]
        reached[klass] = (
            len(found), sum(r.repaired for r in found), len(shown),
            sum(r.right_first for r in shown), sum(r.right_after_question for r in shown),
        )  # fmt: skip
    below = {
        k: (reached[k], floor) for k, floor in FLOORS.items() if any(a < b for a, b in zip(reached[k], floor))
    }
    assert not below, table(records)
