"""``tailgate experiment beside``: two installations on the same instances."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tailgate.apps.cli.main import main
from tailgate.io import write
from tailgate.research.experiments.beside.experiment import Beside, differing
from tailgate.research.experiments.experiment import Setting
from tailgate.research.generate import generate_instance


def side(seconds: float, **figures: Any) -> dict[str, Any]:
    """Return what a worker prints."""
    figures = {"status": "optimal", "objective": 300, "lower_bound": 300, "nodes": 3} | figures
    return {"processor_seconds": seconds, "seconds": seconds, "figures": figures}


def row(instance: str, repeat: int, this: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a stored row."""
    names = {"kind": "proof", "instance": instance, "packing_class": 2, "repeat": repeat}
    return {**names, "stopped": False, "this": this, "other": other}


def test_seconds_are_medians_and_the_total_ratio_is_of_sums(tmp_path: Path) -> None:
    """One slow repetition must not decide, nor a small instance as much as a large one."""
    rows = {
        f"{name}/{repeat}": row(name, repeat, side(this), side(other))
        for name, pairs in {
            "0102": ((1.0, 1.0), (9.0, 1.0), (1.0, 1.0)),
            "0202": ((4.0, 8.0), (4.0, 8.0), (4.0, 8.0)),
        }.items()
        for repeat, (this, other) in enumerate(pairs)
    }
    report = Beside().report(Setting(tmp_path), rows)
    (total,) = report.tables[0].rows
    assert total == ("proof", "2", "2", "5.00", "9.00", "0.556", "0.750", "1.00 (0102)", "2")
    assert not report.problems


def test_other_counts_are_named_and_other_values_are_wrong(tmp_path: Path) -> None:
    """A refactoring must leave counts alone; no change may alter a value."""
    counts = row("0102", 0, side(1, nodes=5), side(1, columns=7))
    assert differing(counts) == ["nodes 5 / 3"]
    values = row("0202", 0, side(1, objective=301), side(1))
    report = Beside().report(Setting(tmp_path), {"a": counts, "b": values})
    assert report.problems == ["proof 0202: objective 301 / 300"]
    assert [line[-1] for line in report.tables[1].rows] == ["nodes 5 / 3", "objective 301 / 300"]


def test_rows_of_another_commit_are_measured_again(tmp_path: Path) -> None:
    """After a commit, what the old one needed says nothing."""
    stored = {"commit": "a", "other_commit": "unknown", "stopped": False}
    assert Beside().answers(Setting(tmp_path, commit="a"), stored)
    assert not Beside().answers(Setting(tmp_path, commit="b"), stored)


@pytest.mark.programs
def test_an_installation_beside_itself_agrees(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both sides are fresh processes that the same script runs; a second run finds all done."""
    path = tmp_path / "day.json"
    write(generate_instance(7, 2, seed=1), path)
    command = ["experiment", "beside", "--out", str(tmp_path / "out"), "--instances", str(path)]
    command += ["--repeats", "2", "--python", sys.executable, "--json"]
    assert main(command) == 0
    (result,) = json.loads(capsys.readouterr().out)["experiments"]
    assert (result["tasks"], result["measured"], result["problems"]) == (4, 4, [])
    lines = (tmp_path / "out" / "beside" / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line)["row"] for line in lines]
    assert [one["first"] for one in rows] == ["this", "other", "other", "this"]
    assert not any(differing(one) for one in rows)
    assert main([*command, "--resume"]) == 0
    assert json.loads(capsys.readouterr().out)["experiments"][0]["measured"] == 0


@pytest.mark.programs
def test_an_interpreter_without_tailgate_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Now, and not after the first hour."""
    wrong = str(tmp_path / "python")
    assert main(["experiment", "beside", "--out", str(tmp_path), "--python", wrong]) == 2
    assert "--python: has no Tailgate" in capsys.readouterr().err
