"""The benchmark of root relaxations: tables, fits, resuming, and the script as a whole."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from builders import REPOSITORY

sys.path.append(str(REPOSITORY / "benchmarks"))

from root_instances import growth_tasks, instance_names, published_tasks
from root_profile import Profile, profile_markdown
from root_summary import totals_by_class
from root_tables import fit_table, growth_table, instance_table, share_table, totals_table
from tailgate.experiments.roots.growth import QUANTITIES, fit_class, fit_power, summarise_sizes
from tailgate.experiments.roots.measurement import COLUMNS, MeasurementFile, RootMeasurement
from tailgate.experiments.roots.reference import PaperFigures, read_paper_figures, wrong_values

pytestmark = pytest.mark.programs

SCRIPT = REPOSITORY / "benchmarks" / "root.py"
PAPER = {"0102": PaperFigures(18.0, 9.0, 46, 47)}
PAPER_HEADER = "instance,sota_seconds,ncg_seconds,speedup_percent,sota_iterations,ncg_iterations\n"


@pytest.fixture
def measurement() -> RootMeasurement:
    """Return a run of 4 seconds, 3 of which are accounted for."""
    return RootMeasurement(
        instance="0102",
        source="published",
        packing_class=2,
        customers=15,
        vehicles=3,
        screen="exact",
        seed=0,
        time_limit=60.0,
        commit="abc",
        status="converged",
        lp_value=283.25,
        lower_bound=283.25,
        iterations=20,
        columns=300,
        exact_checks=100,
        checks_feasible=60,
        checks_infeasible=39,
        checks_unknown=1,
        labels=5000,
        seconds=4.0,
        heuristic_seconds=0.5,
        master_seconds=0.25,
        pricing_seconds=0.25,
        packing_seconds=2.0,
        network_seconds=0.0,
    )


def run_script(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run it with this folder in the place of the published instances."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), *options],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"TAILGATE_BENCHMARK_DIR": str(folder)},
        check=False,
    )


def text_of(table: Table) -> str:
    """Return a table as it is printed."""
    console = Console(width=200)
    with console.capture() as captured:
        console.print(table)
    return captured.get()


def test_instances_are_chosen_by_name_number_and_class() -> None:
    """A name is one instance, a number one of every class, and nothing comes twice."""
    assert instance_names(None, range(1, 3), [2, 4]) == ["0102", "0202", "0104", "0204"]
    assert instance_names(["0102", "1203"], range(1, 20), [2]) == ["0102", "1203"]
    assert instance_names(["0302", "3-4"], range(1, 20), [2, 3]) == [
        *("0302", "0402"),
        *("0303", "0403"),
    ]


def test_the_paper_has_57_instances() -> None:
    """01 to 19 in classes 2 to 4."""
    assert len(set(instance_names(None, range(1, 20), [2, 3, 4]))) == 57


def test_an_absent_instance_is_named(tmp_path: Path) -> None:
    """A run of hours must not end in the middle for it."""
    (tmp_path / "2l_cvrp0102.txt").touch()
    with pytest.raises(FileNotFoundError, match="no instance 9902"):
        published_tasks(tmp_path, ["0102", "9902"])


def test_generated_instances_differ_and_grow() -> None:
    """The name is the key of resuming, so no two may share one."""
    tasks = growth_tasks([15, 25], [2, 3], seeds=4)
    assert len({task.name for task in tasks}) == len(tasks) == 16
    assert [task.make().n for task in (tasks[0], tasks[-1])] == [15, 25]


def test_the_papers_figures_are_found_beside_the_instances(tmp_path: Path) -> None:
    """And where they are not, the message says where they belong."""
    instances = tmp_path / "2l_cvrp"
    with pytest.raises(FileNotFoundError, match="beside the folder of the instances"):
        read_paper_figures(instances)
    path = tmp_path / "reference" / "ncg_paper_root_cg.csv"
    path.parent.mkdir()
    path.write_text("instance,seconds\n0102,1\n", encoding="utf-8")
    with pytest.raises(ValueError, match="lacks one of the columns"):
        read_paper_figures(instances)
    path.write_text(f"{PAPER_HEADER}0102,18.0,9.0,100,46,47\n", encoding="utf-8")
    assert read_paper_figures(instances) == PAPER


def test_a_row_survives_the_file(measurement: RootMeasurement, tmp_path: Path) -> None:
    """Numbers, words and absent values come back as they were."""
    path = tmp_path / "roots.csv"
    rows = [measurement, replace(measurement, status="time_limit", lp_value=None)]
    file = MeasurementFile(path, resume=False)
    for row in rows:
        file.append(row)
    assert MeasurementFile(path, resume=True).rows == rows


def test_only_what_has_an_answer_is_skipped(measurement: RootMeasurement, tmp_path: Path) -> None:
    """Other options, or a longer time limit than one that was hit, need a new run."""
    path = tmp_path / "roots.csv"
    file = MeasurementFile(path, resume=True)
    file.append(measurement)
    file.append(replace(measurement, instance="0202", status="time_limit"))

    def found(instance: str, screen: str = "exact", seed: int = 0, limit: float = 60.0) -> bool:
        return file.find(instance, screen=screen, seed=seed, time_limit=limit) is not None

    assert found("0102")
    assert found("0102", limit=900.0)
    assert not found("0102", seed=1)
    assert not found("0102", screen="lazy")
    assert not found("0302")
    assert found("0202")
    assert not found("0202", limit=61.0)


def test_a_table_is_never_overwritten_or_misread(
    measurement: RootMeasurement, tmp_path: Path
) -> None:
    """Hours of results are in it, and half a row says that the disk was full."""
    path = tmp_path / "roots.csv"
    MeasurementFile(path, resume=False).append(measurement)
    with pytest.raises(ValueError, match="go on with --resume"):
        MeasurementFile(path, resume=False)
    with path.open("a", encoding="utf-8") as file:
        file.write("0202,published\n")
    with pytest.raises(ValueError, match=r"roots\.csv:3: has 2 fields"):
        MeasurementFile(path, resume=True)
    path.write_text("route,verdict\n", encoding="utf-8")
    with pytest.raises(ValueError, match="other columns"):
        MeasurementFile(path, resume=True)


def test_totals_compare_the_same_instances(measurement: RootMeasurement) -> None:
    """What the paper has no figures of must not count for or against it."""
    rows = [
        measurement,
        replace(measurement, instance="2002", status="time_limit", seconds=8.0),
        replace(measurement, instance="0103", packing_class=3, seconds=6.0),
    ]
    two, three, everything = totals_by_class(rows, PAPER)
    assert [total.group for total in (two, three, everything)] == ["2", "3", "all"]
    assert (two.instances, two.converged, two.seconds, two.longest_instance) == (2, 1, 12, "2002")
    assert (two.compared, two.compared_seconds, two.paper_exact_seconds) == (1, 4, 18)
    assert (three.compared, everything.paper_neural_seconds) == (0, 9)
    assert everything.exact_checks == 300


def test_time_shares_sum_up(measurement: RootMeasurement) -> None:
    """What no part accounts for is shown, not hidden."""
    (total,) = totals_by_class([measurement], {})
    assert total.part_percent["packing"] == 50
    assert total.part_percent["other"] == 25
    assert sum(total.part_percent.values()) == pytest.approx(100)


def test_tables_stand_beside_the_paper(measurement: RootMeasurement) -> None:
    """Every figure in its column, and a dash where the paper has none."""
    rows = [measurement, replace(measurement, instance="2002", status="time_limit", lp_value=None)]
    first, second = text_of(instance_table(rows, PAPER)).strip().splitlines()[-2:]
    assert first.split() == [
        *("0102", "15", "3", "converged", "283.2500", "4.00", "20", "300"),
        *("100", "60", "39", "1", "18.00", "9.00", "46", "47", "2.2"),
    ]
    assert second.split() == [
        *("2002", "15", "3", "time_limit", "-", "4.00", "20", "300"),
        *("100", "60", "39", "1", "-", "-", "-", "-", "-"),
    ]
    totals = totals_by_class(rows, PAPER)
    assert text_of(totals_table(totals)).split()[-2:] == ["4.5", "2.2"]
    assert "paper" not in text_of(totals_table(totals_by_class(rows, {})))
    assert "50.0 %" in text_of(share_table(totals))


def test_a_power_is_found_again() -> None:
    """Points of 2 n^3 lie on a line of slope 3, whatever their order."""
    fit = fit_power([(n, 2.0 * n**3) for n in (40, 15, 100, 25)])
    assert fit is not None
    assert fit.exponent == pytest.approx(3)
    assert fit.factor == pytest.approx(2)
    assert fit.r_squared == pytest.approx(1)
    assert fit.points == 4


@pytest.mark.parametrize("points", [[], [(15, 1.0)], [(15, 1.0), (15, 2.0)], [(15, 0), (25, 0)]])
def test_a_power_needs_two_sizes(points: list[tuple[float, float]]) -> None:
    """One size says nothing about growth, and zero has no logarithm."""
    assert fit_power(points) is None


def test_growth_leaves_out_what_hit_the_limit(measurement: RootMeasurement) -> None:
    """Its seconds are the limit's, not its own; but it is counted."""
    rows = [
        replace(measurement, customers=n, seconds=n**2 / 100, exact_checks=n) for n in (10, 20, 40)
    ]
    rows.append(replace(measurement, customers=40, seconds=60.0, status="time_limit"))
    rows.append(replace(measurement, customers=80, seconds=60.0, status="time_limit"))
    sizes = summarise_sizes(rows)
    assert [(size.customers, size.instances, size.converged) for size in sizes] == [
        *((10, 1, 1), (20, 1, 1)),
        *((40, 2, 1), (80, 1, 0)),
    ]
    assert sizes[2].medians["seconds"] == 16
    fits = {name: fit_class(rows, 2, name) for name in ("seconds", "checks", "iterations")}
    seconds, checks, iterations = fits["seconds"], fits["checks"], fits["iterations"]
    assert seconds is not None
    assert checks is not None
    assert iterations is not None
    assert seconds.exponent == pytest.approx(2)
    assert seconds.points == 3
    assert checks.exponent == pytest.approx(1)
    assert iterations.exponent == pytest.approx(0)
    growth = text_of(growth_table(sizes)).strip().splitlines()
    assert growth[-1].split() == ["2", "80", "1", "0", *"-----", "60.00"]
    fitted = text_of(fit_table({2: dict.fromkeys(QUANTITIES) | fits}))
    assert "2.00 (1.00)" in fitted


def test_values_are_held_against_known_ones(measurement: RootMeasurement) -> None:
    """A fast wrong answer is worth nothing, and neither is a bound above the truth."""
    right = [
        measurement,
        replace(measurement, instance="0202", lp_value=331 + 1 / 3, lower_bound=331.3333),
        replace(measurement, status="time_limit", lp_value=290.0, lower_bound=280.0),
        replace(measurement, source="generated", lp_value=1.0),
    ]
    assert wrong_values(right) == []
    wrong = [
        replace(measurement, lp_value=283.26),
        replace(measurement, status="time_limit", lower_bound=284.0),
        replace(measurement, status="infeasible", lp_value=None, lower_bound=None),
    ]
    assert len(wrong_values(wrong)) == 3


def test_a_profile_splits_queries_by_class_phase_and_stage(measurement: RootMeasurement) -> None:
    """The page that goes into the docs, with how it was made."""
    profile = Profile()
    profile.add_queries(2, [("pricing", "dive", "feasible", 0.25)] * 3)
    profile.add_queries(2, [("pricing", "search", "infeasible", 0.25)])
    profile.add_queries(3, [("heuristic", "limit", "unknown", 1.0)])
    totals = totals_by_class([measurement, replace(measurement, packing_class=3)], {})
    page = profile_markdown(totals, profile, {"commit": "abc"}, "python benchmarks/root.py")
    assert page.startswith("# Where the time of the roots goes\n")
    assert "Made by `python benchmarks/root.py` (commit abc)." in page
    assert "| dive | 3 | 75.0 % | 3 | 0 | 0 | 0.75 | 75.0 % |" in page
    assert "Class 3, heuristic phase: 1 loading queries in 1.00 s" in page
    assert "Class 2, heuristic phase" not in page
    assert "All classes, pricing phase: 4 loading queries in 1.00 s" in page
    assert profile.stages("all", "heuristic")["limit"].unknown == 1
    assert profile.to_dict()[0]["class"] == "2"


def test_a_small_run_can_be_resumed(tmp_path: Path) -> None:
    """Generated instances need no benchmark folder; the second run makes only what is new."""
    table, summary = tmp_path / "roots.csv", tmp_path / "roots.json"
    options = ["--growth", "--classes", "2", "--seeds", "1", "--csv", str(table)]
    finished = run_script(tmp_path / "absent", *options, "--sizes", "8,12")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    again = run_script(
        tmp_path / "absent", *options, "--sizes", "8,12,15", "--resume", "--json", str(summary)
    )
    assert again.returncode == 0, again.stdout + again.stderr
    assert again.stdout.count(f" from {table}") == 2
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 4
    content = json.loads(summary.read_text(encoding="utf-8"))
    assert [row["customers"] for row in content["measurements"]] == [8, 12, 15]
    assert all(row["status"] == "converged" for row in content["measurements"])
    assert {"processor", "commit", "highspy", "core"} <= set(content["machine"])
    assert set(content["fits"]["2"]) == set(QUANTITIES)


def test_a_profile_is_written(tmp_path: Path) -> None:
    """Recording, counting and the page, in one run; no path of this machine gets into the page."""
    pytest.importorskip("pyarrow")
    page = tmp_path / "profile.md"
    options = ["--growth", "--classes", "2", "--sizes", "8", "--seeds", "1"]
    finished = run_script(tmp_path / "absent", *options, "--profile", str(page))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    text = page.read_text(encoding="utf-8")
    assert "by deciding stage:" in text
    assert "--profile profile.md`" in text
    assert str(tmp_path) not in text


def test_what_is_missing_is_explained(tmp_path: Path) -> None:
    """Someone without the published instances must learn what to do."""
    finished = run_script(tmp_path / "absent")
    assert finished.returncode == 2
    assert "name their folder in TAILGATE_BENCHMARK_DIR" in finished.stdout
    assert run_script(tmp_path, "--instances", "9902").returncode == 2
    assert "--resume needs --csv" in run_script(tmp_path, "--resume").stderr
