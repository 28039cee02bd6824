"""Runs on gdb give the answers of runs in the model, for a sample of each class of faults."""

from dataclasses import replace
from pathlib import Path

import pytest
from thorough import usual

from wolverine.campaign.debugged import trace_on_gdb
from wolverine.campaign.programs import find, holdout, subject
from wolverine.campaign.records import Key
from wolverine.campaign.runs import Task, run
from wolverine.core.trace import Assertion

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"
WORK = 300_000  # steps of the machine


@pytest.mark.parametrize(
    ("program", "klass", "kind"),
    usual(
        [
            ("l16_quicksort", "1,0", "ends"),
            ("b02_reverse_dll", "1,0", "ends"),
            ("b02_reverse_dll", "1,0", "dense"),
            ("l01_delete_middle", "2,1", "dense"),
            ("l13_pairwise_swap", "1,1", "dense"),
            ("b10_length_sll", "1,0", "free"),
            ("b12_split_circular", "2,0", "dense"),
        ],
        ("l16_quicksort", "1,0", "ends"),
        ("b02_reverse_dll", "1,0", "dense"),
        ("l13_pairwise_swap", "1,1", "dense"),
        ("b12_split_circular", "2,0", "dense"),
    ),
)
def test_gdb_gives_the_same_answers(program, klass, kind):
    path = SAMPLES / f"{program}.c"
    kept = program in holdout(find([str(path)]))
    answers = []
    for gdb in (False, True):
        key = Key(program, klass, 0, 1, "search", kind, 1, gdb)
        record = run(Task(path, key, kind, ("exact", "gradient"), 60.0, kept, WORK))
        assert not record.error and record.gdb == gdb
        answers.append(
            replace(
                record,
                gdb=False,
                seconds=0.0,
                processor_seconds=0.0,
                ranking_seconds=0.0,
                localize_seconds={},
            )
        )
    assert answers[0] == answers[1]
    assert answers[0].repaired


def test_gdb_sees_what_the_model_records():
    about = subject(SAMPLES / "l20_constrained_delete.c")
    recording = about.recording("skipMdeleteN", 4)
    model = recording.traces[-1]
    real = trace_on_gdb(about, "skipMdeleteN", 4, model, recording.calls[-1])
    assert [(type(e), e.position) for e in real.events] == [(type(e), e.position) for e in model.events]
    for seen, told in zip(real.events, model.events, strict=True):
        if isinstance(seen, Assertion):
            assert isinstance(told, Assertion)
            assert (dict(seen.cells), seen.states) == (dict(told.cells), told.states)
    assert real.start_stack == model.start_stack
