"""The assertions of a campaign: the correct program meets them, and they say what their kind says."""

from pathlib import Path

import pytest

from wolverine import frontend
from wolverine.campaign.programs import find, subject
from wolverine.campaign.specs import KINDS, loops, record, select
from wolverine.core.graph import Place
from wolverine.core.patch import Patch
from wolverine.core.trace import Assertion, Decision, End
from wolverine.semantics.replay import replay

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"

SUM = """struct node { int v; struct node *next; };
int sum(struct node *p)
{
    int s = 0, i;
    while (p) {
        s = s + p->v;
        p = p->next;
    }
    for (i = 0; i < 2; i++)
        s = s + 1;
    return s;
}
int main(void) { struct node b = {2, 0}, a = {1, &b}; return sum(&a); }
"""


@pytest.fixture
def recorded(tmp_path):
    path = tmp_path / "sum.c"
    path.write_text(SUM)
    program = frontend.load([path]).program
    return program, record(program, "sum", ())


def test_dense_asserts_every_iteration_where_gdb_stops(recorded):
    program, recording = recorded
    [trace] = recording.traces
    lines = []
    for event in trace.events:
        if isinstance(event, Assertion):
            code = program.functions["sum"]
            lines.append(code.units[code.unit_of[event.position.instruction]].span.line)
    assert lines == [5, 5, 9, 9, 12]
    assert [e.taken for e in trace.events if isinstance(e, Decision)] == [
        True,
        True,
        False,
        True,
        True,
        False,
    ]
    increment = loops(program, "sum")[1].end
    assert program.location(program.functions["sum"].code[increment].location).text == "i++"


def test_the_end_holds_the_result(recorded):
    [trace] = recorded[1].traces
    end = [e for e in trace.events if isinstance(e, Assertion)][-1]
    values = {p.object.name: v for p, v in end.cells.items() if isinstance(p, Place) and p.object.depth == 1}
    assert values["$return"] == values["s"] == 5


def test_kinds_differ_in_what_they_keep(recorded):
    counts = {}
    for kind in KINDS:
        events = select(recorded[1].traces[0], kind).events
        counts[kind] = tuple(sum(isinstance(e, c) for e in events) for c in (Assertion, Decision, End))
    assert counts == {"dense": (5, 6, 1), "ends": (1, 6, 1), "free": (1, 0, 1)}


@pytest.mark.parametrize("path", find([str(SAMPLES / "*.c")])[2::8], ids=lambda path: path.stem)
def test_the_correct_program_meets_its_own_assertions(path):
    about = subject(path)
    met = 0
    for function in about.sites:
        for trace in about.recording(function, len(about.inputs) - 1).traces:
            for kind in KINDS:
                assert replay(about.program, Patch(), select(trace, kind)).met
                met += 1
    assert met
