"""Campaigns from one end to the other, stopped and resumed; what they write and what they measure."""

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from wolverine.campaign import command
from wolverine.campaign.campaign import Plan, conduct
from wolverine.campaign.command import main
from wolverine.campaign.records import FILE, Record, read
from wolverine.campaign.summary import table

SAMPLES = Path(__file__).parents[2] / "samples" / "table2"


def plan(out: Path, **more) -> Plan:
    programs = (str(SAMPLES / "b02*.c"), str(SAMPLES / "b10*.c"))
    chosen = {"classes": ("1,0",), "variants": 2, "jobs": 1, "timeout": 60.0, **more}
    return Plan(programs, out, **chosen)


def silent(*_):
    pass


def without_clock(record: Record) -> Record:
    return replace(record, seconds=0.0, processor_seconds=0.0, ranking_seconds=0.0, localize_seconds={})


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> list[Record]:
    """The records of the campaign in one go, in one process."""
    return conduct(plan(tmp_path_factory.mktemp("whole")), silent)


def test_a_stopped_campaign_goes_on_with_what_is_missing(whole, tmp_path):

    def stop(done, *_):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        conduct(plan(tmp_path / "parts"), stop)
    file = tmp_path / "parts" / FILE
    assert len(list(read(file))) == 2
    with file.open("a") as half:
        half.write('{"program": "b02_rev')  # cut short
    begun = []
    again = conduct(plan(tmp_path / "parts"), lambda done, *_: begun.append(done))
    assert begun[0] == 2
    assert [without_clock(r) for r in again] == [without_clock(r) for r in whole]
    assert len(list(read(tmp_path / "parts"))) == 4


def test_sigterm_ends_a_campaign_as_ctrl_c_does(tmp_path, monkeypatch, capsys):
    """Else its processes would wait for work for ever."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(command, "conduct", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    assert main(["--programs", "x.c", "--out", str(tmp_path)]) == 1
    assert "goes on from here" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGTERM) is before


def test_processes_give_the_same_answers(whole, tmp_path):
    two = conduct(plan(tmp_path / "two", jobs=2), silent)
    assert [without_clock(r) for r in whole] == [without_clock(r) for r in two]


def test_records_tell_all(tmp_path):
    record = conduct(plan(tmp_path, variants=1, localizers=("exact", "gradient", "slice")), silent)[0]
    told = json.loads((tmp_path / FILE).read_text().splitlines()[0])
    assert told["class"] == "1,0"
    assert record.repaired and record.exposed and record.minimal_edits == record.edits == 1
    assert record.rank_of_right is not None and record.right_first == (record.rank_of_right == 1)
    assert 0 < record.ranking_seconds < record.processor_seconds
    assert record.suspects_contain_fault["exact"]
    assert 0 < record.suspects["exact"] <= 1
    assert record.fault_lines[0] in record.suspect_lines["exact"]
    assert set(record.suspects) == {"exact", "gradient", "slice"}
    assert record.difference.count("\n-") == len(record.fault_lines)
    assert "b02_reverse_dll" in table([record]) or "search" in table([record])


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    assert main(["--programs", str(tmp_path / "*.c")]) == 2
    assert main(["--engines", "magic"]) == 2
    assert main(["--classes", "one"]) == 2
    told = capsys.readouterr().err
    assert "no C files" in told and "magic" in told and "one is no class" in told


def test_the_command_writes_its_summary(tmp_path, capsys):
    status = main(
        ["--programs", str(SAMPLES / "b10*.c"), "--classes", "1,0", "--variants", "1", "--jobs", "1",
         "--out", str(tmp_path), "--quiet"]
    )  # fmt: skip
    assert status == 0
    text = capsys.readouterr().out
    assert (tmp_path / "summary.txt").read_text() == text
    assert "1/1 100.0 %" in text
