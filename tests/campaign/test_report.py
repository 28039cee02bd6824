"""Tables and figures from recorded lines, whose numbers are computed by hand here."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from wolverine.campaign.command import main
from wolverine.campaign.records import FILE, Record, append
from wolverine.campaign.report import series, tables, write


def record(program, klass="1,0", variant=0, engine="search", **more):
    return Record(program, klass, variant, 1, engine, more.pop("specs", "dense"), 1, **more)


def fixed(program, seconds, klass="1,0", variant=0, engine="search", **more):
    return record(program, klass, variant, engine, repaired=True, seconds=seconds, **more)


RECORDS = [
    fixed("b1_one", 1.0, effort={"exact": 0.05, "tarantula": 0.3}, tests=20, failing_tests=5,
          line_coverage=1.0, branch_coverage=0.5),
    fixed("b1_one", 3.0, variant=1, effort={"exact": 0.1, "tarantula": 0.1}, tests=10, failing_tests=5,
          line_coverage=0.5, branch_coverage=0.5),
    record("b2_two", timeout=True, seconds=60.0, reason="budget", effort={"tarantula": 0.25}, tests=16,
           failing_tests=16, line_coverage=0.9, branch_coverage=0.8),
    record("b3_three", missing="no room"),
    fixed("b1_one", 8.0, klass="1,1", effort={"exact": 0.01}),
]  # fmt: skip


def compared():
    """Localized 1 s and 3 s; section-wise 4 s and a time-out; unconfined 20 s, then not in time either."""
    yield fixed("b1_one", 1.0, engine="localized")
    yield fixed("b1_one", 3.0, engine="localized", variant=1)
    yield fixed("b1_one", 4.0, engine="section-wise")
    yield record("b1_one", variant=1, engine="section-wise", timeout=True, seconds=60.0)
    yield fixed("l1_long", 2.0, engine="localized")
    yield fixed("l1_long", 1.0, engine="localized", variant=1)
    yield fixed("l1_long", 20.0, engine="unconfined")
    yield record("l1_long", variant=1, engine="unconfined", reason="unsatisfiable", seconds=0.5)
    yield fixed("l2_other", 2.0, engine="localized")
    yield fixed("l2_other", 10.0, engine="unconfined")


def cells(text, title):
    """The rows below a title, split at two spaces or more."""
    lines = text.split(title, 1)[1].splitlines()[2:]
    rows = lines[: lines.index("")] if "" in lines else lines
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in rows]


def test_repair_times_and_success():
    assert series.repair_times(RECORDS, "search") == {"1,0": {"b1_one": 2.0}, "1,1": {"b1_one": 8.0}}
    assert series.success_rates(RECORDS, "search") == {
        "1,0": {"b1_one": 1.0, "b2_two": 0.0},
        "1,1": {"b1_one": 1.0},
    }
    assert series.times_by_faults(RECORDS, "search") == {"b1_one": {1: 2.0, 2: 8.0}}


def test_efforts_count_single_faults_and_missing_answers_as_all():
    found = series.efforts(RECORDS)
    assert found == {"exact": [0.05, 0.1, 1.0], "tarantula": [0.1, 0.25, 0.3]}
    assert [series.within(found["exact"], share) for share in (0.04, 0.05, 0.1, 1.0)] == [0, 1, 2, 3]


def test_table_3_and_figure_13_in_text():
    text = tables.text(RECORDS)
    assert cells(text, "Table 3")[1:] == [
        ["b1_one", "2", "15.0", "5.0", "75.0", "50.0"],
        ["b2_two", "1", "16.0", "16.0", "90.0", "80.0"],
    ]
    head, *rows = cells(text, "Figure 13")
    at = head.index("10%")
    assert {row[0]: row[at] for row in rows} == {"exact": "2", "tarantula": "1"}
    assert "Table 4" not in text and "Figure 14" not in text


def test_speedups_take_the_same_faults_and_time_outs_at_their_time():
    records = list(compared())
    sections = series.speedups(records, "localized", "section-wise")
    assert sections == {("b", "1,0"): series.Speedup(16.0, 16.0, 1, 2)}
    free = series.speedups(records, "localized", "unconfined")
    assert free == {("l", "1,0"): series.Speedup(7.5, 10.0, 2, 2)}
    text = tables.text(records)
    assert ["l", "unconfined", "7.5 (10.0), 2 faults"] in cells(text, "Table 4")
    assert ["b1_one", "2.0000", "32.0000", "-", "-"] in cells(text, "Figure 14")


def test_sets_are_told_by_the_letters_of_names():
    assert [series.benchmark_set(name) for name in ("b01_x", "l20", "list", "")] == ["b", "l", "", ""]


def test_figures_are_the_same_each_time(tmp_path):
    pytest.importorskip("matplotlib")
    records = [*RECORDS, *compared(), fixed("b1_one", 1.0, specs="free")]
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        files = write.write(records, tmp_path / name)
        made.append({file.name: file.read_bytes() for file in files})
    assert made[0] == made[1]
    assert {"report.txt", "figure13.svg", "figure14-1-0.svg", "figure12-time-search.svg",
            "figure12-success-search.svg", "figure12-faults-search.svg",
            "figure12-time-search-free-1.svg"} <= set(made[0])  # fmt: skip
    drawn = ElementTree.fromstring(made[0]["figure13.svg"])
    words = {each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"exact", "tarantula", "faults"} <= words


def test_without_matplotlib_there_is_the_text(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "wolverine.campaign.report.charts", raising=False)
    files = write.write(RECORDS, tmp_path)
    assert [file.name for file in files] == ["report.txt"]
    text = files[0].read_text()
    assert "Table 3" in text and "wolverine-debugger[campaign]" in text


def test_the_command_reports_what_is_there(tmp_path, capsys):
    append(tmp_path / FILE, RECORDS)
    assert main(["--report", str(tmp_path)]) == 0
    assert (tmp_path / "report.txt").read_text() in capsys.readouterr().out
    assert not (tmp_path / "summary.txt").exists()
    assert main(["--report", str(tmp_path / "nowhere")]) == 2
    assert "holds no runs" in capsys.readouterr().err


def test_all_localizers_of_a_campaign(tmp_path, capsys):
    names = ["exact", "gradient", "slice", "tarantula", "ochiai", "liblit", "sober"]
    samples = Path(__file__).parents[2] / "samples" / "table2"
    status = main(
        ["--programs", str(samples / "b03*.c"), "--classes", "1,0", "--variants", "1", "--jobs", "1",
         "--out", str(tmp_path), "--quiet", "--localizers", *names]
    )  # fmt: skip
    assert status == 0
    rows = cells((tmp_path / "report.txt").read_text(), "Figure 13")
    assert [row[:2] for row in rows[1:]] == [[name, "1"] for name in names]
    assert "b03_delete_sll" in (tmp_path / "report.txt").read_text().split("Table 3")[1]
