"""``tailgate experiment`` as a whole: files, resuming after a kill, what is missing."""

from __future__ import annotations

import csv
import importlib.util
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from query_sets import make_small_dataset
from tailgate.apps.cli.main import main
from tailgate.io import write, write_benchmark
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.research.experiments.learning.network import Network
from tailgate.research.experiments.optima.file import OptimaFile
from tailgate.research.experiments.published import FOLDER_VARIABLE
from tailgate.research.experiments.variants import VARIANTS
from tailgate.research.generate import generate_instance

pytestmark = pytest.mark.programs

Run = Callable[..., dict[str, Any]]


@pytest.fixture
def instances(tmp_path: Path) -> list[str]:
    """Return two files with instances that are solved at once."""
    paths = []
    for seed in (1, 2):
        path = tmp_path / f"day{seed}.json"
        write(generate_instance(7, 2, seed=seed), path)
        paths.append(str(path))
    return paths


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return the command, which must succeed, with the folder of its results."""

    def command(*argv: str, code: int = 0) -> dict[str, Any]:
        assert main(["experiment", *argv, "--out", str(tmp_path / "out"), "--json"]) == code
        content: dict[str, Any] = json.loads(capsys.readouterr().out)
        return content["experiments"][0] if code in (0, 4) else {}

    return command


def table_of(path: Path) -> list[dict[str, str]]:
    """Return the lines of a table of results, by column."""
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_a_batch_of_instances_is_solved_and_judged(
    instances: list[str], run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over files, ``optima`` is ``solve`` for many: a solution file each, which the judge takes."""
    result = run("optima", "--instances", *instances, "--time-limit", "20")
    assert (result["tasks"], result["measured"], result["problems"]) == (2, 2, [])
    folder = tmp_path / "out" / "optima"
    rows = OptimaFile(tmp_path / "out" / "optima.csv").rows
    assert [row.instance for row in rows] == ["day1", "day2"]
    assert all(row.is_proven for row in rows)
    for path, row in zip(instances, rows, strict=True):
        assert main(["verify", path, str(folder / "solutions" / f"{row.instance}.json")]) == 0
    capsys.readouterr()
    expected = {"README.md", "instances.csv", "instances.md", "proven.png", "proven.svg"}
    assert expected <= set(result["files"])
    assert all((folder / name).stat().st_size for name in result["files"])
    assert main(["experiment", "optima", "--out", str(tmp_path / "out")]) == 2
    assert "go on with --resume" in capsys.readouterr().err
    again = run("optima", "--instances", *instances, "--resume")
    assert (again["tasks"], again["measured"]) == (0, 0)


def test_what_was_tried_long_enough_is_not_tried_again(
    instances: list[str], run: Run, tmp_path: Path
) -> None:
    """An open row of the table is solved again only if there is more time than it has had."""
    run("optima", "--instances", instances[0], "--time-limit", "20")
    path = tmp_path / "out" / "optima.csv"
    (row,) = OptimaFile(path).rows
    path.unlink()
    tried = replace(row, status="feasible", reason="time_limit", lower_bound=0, gap=1.0, seconds=30)
    OptimaFile(path).add(tried)
    for limit, tasks in (("25", 0), ("35", 1)):
        result = run("optima", "--instances", instances[0], "--time-limit", limit, "--resume")
        assert result["tasks"] == tasks
    assert OptimaFile(path).rows[0].is_proven


def test_rows_under_other_rules_are_in_no_table(
    instances: list[str], run: Run, tmp_path: Path
) -> None:
    """The file may hold the same instance under several conventions."""
    run("optima", "--instances", instances[0], "--time-limit", "20")
    path = tmp_path / "out" / "optima.csv"
    (row,) = OptimaFile(path).rows
    OptimaFile(path).add(replace(row, conventions="heuristic"))
    run("optima", "--instances", instances[0], "--resume")
    text = (tmp_path / "out" / "optima" / "instances.csv").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 2


def test_a_proof_that_is_contradicted_is_reported(
    instances: list[str], run: Run, tmp_path: Path
) -> None:
    """A cheaper plan than a proven optimum means that something is badly wrong."""
    run("optima", "--instances", instances[0], "--time-limit", "20")
    path = tmp_path / "out" / "optima.csv"
    (row,) = OptimaFile(path).rows
    assert row.objective is not None
    lines = path.read_text(encoding="utf-8").splitlines()
    cells = lines[1].split(",")
    # An open row with a bound above the optimum: not proven, so it is solved again.
    cells[4:8] = ["bound_only", "time_limit", "", str(row.objective + 5)]
    path.write_text("\n".join((lines[0], ",".join([*cells[:14], "", ""]))) + "\n", encoding="utf-8")
    result = run("optima", "--instances", instances[0], "--resume", code=4)
    assert f"the lower bound {row.objective + 5} is above the cost" in result["problems"][0]


def test_a_killed_run_goes_on(instances: list[str], tmp_path: Path, run: Run) -> None:
    """Whatever is in the file when the power fails is not measured again."""
    argv = ["experiment", "root-cg", "--out", str(tmp_path / "out"), "--instances", *instances]
    rows = tmp_path / "out" / "root-cg" / "rows.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "tailgate", *argv, "--repeats", "40"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as program:
        limit = time.monotonic() + 60
        while time.monotonic() < limit and (not rows.exists() or rows.stat().st_size == 0):
            time.sleep(0.01)
        program.send_signal(signal.SIGKILL)
    before = rows.read_bytes().rpartition(b"\n")[0].splitlines()
    assert before
    result = run("root-cg", "--instances", *instances, "--repeats", "1", "--resume")
    assert result["tasks"] == 6
    assert result["measured"] == 6 - sum(b"/seed 0" in line for line in before)
    assert rows.read_bytes().splitlines()[: len(before)] == before
    assert result["problems"] == []


def test_the_loading_check_beside_cp_sat(run: Run, tmp_path: Path) -> None:
    """Every query in all variants with all answers, in few bytes, and no benchmark data in them."""
    path = tmp_path / "town.json"
    write(generate_instance(15, 3, seed=1), path)
    result = run("loading", "--instances", str(path), "--quick")
    assert (result["tasks"], result["problems"]) == (2, [])
    folder = tmp_path / "out" / "loading"
    lines = table_of(folder / "cp-sat.csv")
    assert [(line["fill %"], line["variant"]) for line in lines] == [
        (fill, variant.name) for fill in ("60-100", "88-100") for variant in VARIANTS
    ]
    assert {line["routes asked of both"] for line in lines} == {"4"}
    assert not any("-" in line["means, times faster"] for line in lines)
    rows = (folder / "rows.jsonl").read_text(encoding="utf-8")
    assert "stops" not in rows
    # 8 routes in 4 variants: thousands of such answers are committed.
    assert len(rows) < 4_000
    again = run("loading", "--instances", str(path), "--quick", "--resume")
    assert again["measured"] == 0


def test_verdicts_of_others_are_compared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Routes with two verdicts, floors with one; a wrong one is named and fails the command.

    Where nothing was proven, the cell is empty, and nothing is asked.
    """
    folder = tmp_path / "2l_cvrp"
    for name in ("2l_cvrp", "reference", "packing_labels"):
        (tmp_path / name).mkdir()
    instance = Instance("bars", (0, 0), (Customer(1, 1, 1, (Item(3, 4),)),) * 2, Vehicle(4, 6, 9))
    write_benchmark(instance, folder / "2l_cvrp0102.txt")
    turned = tmp_path / "reference" / "packing_verdicts_turned.csv"
    turned.write_text(
        "instance,route,feasible_as_given,feasible_turned\n0102,1-2,0,1\n0102,1,,1\n", "utf-8"
    )
    floors = tmp_path / "packing_labels" / "class2.csv"
    floors.write_text(
        "feasible,floor_width,floor_length,items\n1,4,3,4x1 2x2 2x2\n0,4,3,3x2 3x2\n", "utf-8"
    )
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    result = run("loading-labels")
    assert (result["tasks"], result["problems"], result["remarks"]) == (3, [], [])
    table = table_of(tmp_path / "out/loading-labels/labels.csv")
    assert [(line["labels"], line["agree"]) for line in table] == [
        ("packing_verdicts_turned, as given", "1"),
        ("packing_verdicts_turned, turned", "2"),
        ("class2, any order", "2"),
    ]
    floors.write_text("feasible,floor_width,floor_length,items\n1,4,3,3x2 3x2\n", "utf-8")
    shutil.rmtree(tmp_path / "out")
    wrong = run("loading-labels", code=4)
    assert wrong["problems"] == ["class2, any order, line 2: infeasible"]


def test_the_roots_and_optima_of_turned_items(run: Run, tmp_path: Path) -> None:
    """Two boxes that share a truck only when they are turned."""
    customers = tuple(Customer(*place, 1, (Item(3, 4),)) for place in ((3, 0), (0, 4)))
    rules = Conventions(fleet="at-most", single_customer_routes="allow")
    path = tmp_path / "bars.json"
    write(Instance("bars", (0, 0), customers, Vehicle(4, 6, 9), 2, rules), path)
    argv = ("--instances", str(path), "--turn", "--time-limit", "20")
    assert run("optima", *argv)["problems"] == []
    (row,) = OptimaFile(tmp_path / "out" / "optima.csv").rows
    assert (row.status, row.objective, row.conventions) == ("optimal", 12, "heuristic/turn-all")
    assert "t" in row.placements
    assert run("root-cg", *argv, "--screen", "exact", "--repeats", "1")["problems"] == []
    (line,) = table_of(tmp_path / "out/root-cg/rows.csv")
    assert (line["variant"], line["status"]) == ("turned", "converged")
    page = (tmp_path / "out" / "root-cg" / "README.md").read_text(encoding="utf-8")
    assert "--turn --screen exact" in page


def test_what_items_cost_that_may_not_be_turned(
    run: Run, tmp_path: Path, instances: list[str]
) -> None:
    """Four optima of each instance, and no freer one costs more."""
    result = run("turning-price", "--instances", *instances, "--time-limit", "20")
    assert (result["tasks"], result["problems"]) == (8, [])
    table = table_of(tmp_path / "out/turning-price/price.csv")
    assert [(line["class"], line["beside"], line["both proven"]) for line in table] == [
        ("0", variant.name, "2") for variant in VARIANTS[1:]
    ]


@pytest.mark.parametrize(
    ("name", "table", "lines"),
    [
        ("first-solutions", "costs.csv", 5),
        ("loading-memory", "memory.csv", 10),
        ("sawn-floors", "floors.csv", 5),
        ("network-speed", "microseconds.csv", 4),
        ("vrptw", "instances.csv", 3),
        ("fleet", "instances.csv", 2),
    ],
)
def test_small_experiments_write_their_table(
    name: str, table: str, lines: int, run: Run, tmp_path: Path
) -> None:
    """In their quick form, without anything published."""
    assert run(name, "--quick")["problems"] == []
    text = (tmp_path / "out" / name / table).read_text(encoding="utf-8")
    assert len(text.splitlines()) == 1 + lines


def test_what_unloading_in_order_costs(run: Run, tmp_path: Path, instances: list[str]) -> None:
    """Both optima are proven, and the price is not negative."""
    result = run("lifo-price", "--instances", *instances, "--time-limit", "20")
    assert (result["tasks"], result["problems"]) == (4, [])
    table = (tmp_path / "out" / "lifo-price" / "price.csv").read_text(encoding="utf-8")
    assert table.splitlines()[1].startswith("0,2,2,")


@pytest.mark.long
def test_networks_are_trained_once_for_two_experiments(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rates and curves are of the same runs."""
    make_small_dataset(tmp_path / "data", queries=40)
    monkeypatch.setattr(Network, "models", ("paper", "paper-no-augmentation", "logistic"))
    monkeypatch.setattr(Network, "models_by_row", ("paper",))
    argv = ("--quick", "--data", str(tmp_path / "data"))
    assert run("network", *argv)["measured"] == 4
    assert run("training-curves", *argv, "--resume")["measured"] == 0
    curves = (tmp_path / "out" / "training-curves" / "rows.csv").read_text(encoding="utf-8")
    assert len(curves.splitlines()) == 1 + 2 * 3


def test_the_published_instances_take_part(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By name or number; without their folder, the message says how to get them."""
    folder = tmp_path / "2l_cvrp"
    folder.mkdir()
    for name in ("0502", "0503"):
        instance = generate_instance(7, int(name[3:]), seed=3)
        write_benchmark(instance, folder / f"2l_cvrp{name}.txt")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
    result = run("root-cg", "--instances", "0502", "--repeats", "1")
    assert result["tasks"] == 3
    assert "The paper's figures are absent" not in "".join(result["remarks"])
    argv = ["experiment", "root-cg", "--out", str(tmp_path / "more"), "--instances"]
    assert main([*argv, "6"]) == 2
    assert "instance 0602: is absent" in capsys.readouterr().err
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "nowhere"))
    assert main([*argv, "0502"]) == 2
    message = capsys.readouterr().err
    assert FOLDER_VARIABLE in message
    assert "tailgate benchmark-instances" in message


@pytest.mark.parametrize(
    ("name", "absent", "extra"), [("scaling", "matplotlib", "plot"), ("network", "torch", "train")]
)
def test_a_missing_extra_is_named_before_anything_is_measured(
    name: str,
    absent: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Not after hours."""
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda module: None if module == absent else real(module)
    )
    assert main(["experiment", name, "--quick", "--out", str(tmp_path / "out")]) == 2
    assert f"pip install 'tailgate[{extra}]'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "argv",
    [
        ["painting"],
        ["all", "--time-limit", "5"],
        ["all", "--instances", "0102"],
        ["root-cg", "--jobs", "0"],
        ["scaling", "--instances", "0102"],
        ["loading", "--repeats", "3"],
    ],
)
def test_bad_options_are_refused(
    argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one message, before any work."""
    assert main(["experiment", *argv, "--out", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
