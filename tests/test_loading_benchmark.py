"""The benchmark script itself: it must run anywhere, and complain when answers contradict."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builders import REPOSITORY

pytestmark = pytest.mark.programs

SCRIPT = REPOSITORY / "benchmarks" / "loading.py"


def run_script(tmp_path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it where there is no benchmark folder, so that only generated routes are asked."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"TAILGATE_BENCHMARK_DIR": str(tmp_path / "absent")},
        check=False,
    )


def test_a_small_run_reports_every_group_and_no_disagreement(tmp_path: Path) -> None:
    """Generated routes of two classes, ours in units and millimetres, and CP-SAT for some."""
    table = tmp_path / "answers.csv"
    finished = run_script(
        tmp_path,
        *("--classes", "2-3", "--generated", "1", "--routes-per-instance", "4"),
        *("--cp-sat-routes", "2", "--out", str(table), "--json"),
    )
    assert finished.returncode == 0, finished.stderr
    content = json.loads(finished.stdout)
    assert content["disagreements"] == []
    assert {"processor", "commit", "python", "ortools", "core"} <= set(content["machine"])
    assert [summary["packing_class"] for summary in content["summaries"]] == [2, 3]
    for summary in content["summaries"]:
        assert summary["call"]["count"] == 4
        assert summary["millimetres"]["count"] == 4
        assert summary["comparison"]["cp_sat"]["count"] == 2
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert all(0.6 <= float(row["fill"]) <= 1 for row in rows)


def test_the_memory_run_reports_resident_memory(tmp_path: Path) -> None:
    """The figure that must stay where it is over a million queries."""
    finished = run_script(tmp_path, "--memory", "50", "--cache-megabytes", "1", "--json")
    assert finished.returncode == 0, finished.stderr
    (line,) = json.loads(finished.stdout)["memory"]
    assert line["queries"] == 50
    assert line["resident_megabytes"] > 1
