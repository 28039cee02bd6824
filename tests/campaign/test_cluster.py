"""Runs that a Dask cluster makes are those of this machine."""

from dataclasses import replace
from pathlib import Path

import pytest

from wolverine.campaign import cluster
from wolverine.campaign.campaign import Plan, conduct
from wolverine.campaign.command import main

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
SAMPLES = Path(__file__).parents[2] / "samples" / "table2"


@pytest.mark.filterwarnings("default")
def test_a_local_cluster_gives_the_same_records(tmp_path):
    def plan(name: str, address: str = "") -> Plan:
        return Plan(
            (str(SAMPLES / "b02*.c"),), tmp_path / name, ("1,0",), variants=2, jobs=1, cluster=address
        )  # fmt: skip

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        there = conduct(plan("there", cluster.scheduler_address), lambda *_: None)
    here = conduct(plan("here"), lambda *_: None)
    assert [
        replace(r, seconds=0.0, processor_seconds=0.0, ranking_seconds=0.0, localize_seconds={})
        for r in there
    ] == [
        replace(r, seconds=0.0, processor_seconds=0.0, ranking_seconds=0.0, localize_seconds={}) for r in here
    ]
    assert all(record.repaired for record in there)


def test_no_scheduler_is_wrong_usage(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cluster, "_PATIENCE", "1s")
    programs = str(SAMPLES / "b02*.c")
    nobody = "tcp://127.0.0.1:9"
    status = main(["--programs", programs, "--out", str(tmp_path), "--cluster", nobody, "--quiet"])
    assert status == 2
    assert "127.0.0.1:9" in capsys.readouterr().err
