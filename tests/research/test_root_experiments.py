"""Experiments on root relaxations: what stands beside them, and where their time goes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.instances import PAPER_ROOTS
from tailgate.research.experiments.roots.growth import fit_power
from tailgate.research.experiments.roots.measurement import measure
from tailgate.research.experiments.roots.perfect_network import PerfectNetwork
from tailgate.research.experiments.roots.pipelines import RootPipelines
from tailgate.research.experiments.roots.profile import RootProfile
from tailgate.research.experiments.roots.prunings import VARIANTS, RootPrunings
from tailgate.research.experiments.roots.reference import (
    Comparison,
    read_paper_figures,
    wrong_values,
)
from tailgate.research.experiments.roots.scaling import RootGrowth
from tailgate.research.experiments.row_store import Row
from tailgate.solver.column_generation import FirstColumns
from tailgate.solver.screening import ExactScreen

PAPER_HEADER = "instance,sota_seconds,ncg_seconds,speedup_percent,sota_iterations,ncg_iterations\n"


def root_row(**changes: Any) -> Row:
    """Return a run of 4 seconds, 3 of which are accounted for."""
    return {
        "instance": "0102",
        "source": "published",
        "packing_class": 2,
        "customers": 15,
        "screen": "exact",
        "status": "converged",
        "lp_value": 283.25,
        "lower_bound": 283.25,
        "iterations": 20,
        "columns": 300,
        "exact_checks": 100,
        "checks_feasible": 60,
        "checks_infeasible": 39,
        "checks_unknown": 1,
        "labels": 5000,
        "seconds": 4.0,
        "heuristic_seconds": 0.5,
        "master_seconds": 0.25,
        "pricing_seconds": 0.25,
        "packing_seconds": 2.0,
        "network_seconds": 0.0,
        **changes,
    }


def test_the_paper_has_57_instances() -> None:
    """01 to 19 in classes 2 to 4."""
    assert len(set(PAPER_ROOTS.names)) == 57


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
    assert read_paper_figures(instances) == {"0102": Comparison(18.0, 9.0, 46, 47)}


def test_a_power_is_found_again() -> None:
    """Points of 2 n^3 lie on a line of slope 3, whatever their order."""
    fit = fit_power([(n, 2.0 * n**3) for n in (40, 15, 100, 25)])
    assert fit is not None
    assert fit.exponent == pytest.approx(3)
    assert fit.factor == pytest.approx(2)
    assert fit.r_squared == pytest.approx(1)


@pytest.mark.parametrize("points", [[], [(15, 1.0)], [(15, 1.0), (15, 2.0)], [(15, 0), (25, 0)]])
def test_a_power_needs_two_sizes(points: list[tuple[float, float]]) -> None:
    """One size says nothing about growth, and zero has no logarithm."""
    assert fit_power(points) is None


def test_growth_leaves_out_what_hit_the_limit(tmp_path: Path) -> None:
    """Its seconds are the limit's, not its own; but it is mentioned."""
    rows = [root_row(axis="class 2", x=n, seconds=n**2 / 100, exact_checks=n) for n in (10, 20, 40)]
    rows += [root_row(axis="class 2", x=n, seconds=60.0, status="time_limit") for n in (40, 80)]
    report = RootGrowth().report(Setting(tmp_path), {str(i): row for i, row in enumerate(rows)})
    fits, medians = report.tables
    assert fits.rows[0][:4] == ("customers, class 2", "3", "2.00 (1.00)", "1.00 (1.00)")
    assert fits.rows[1][1:] == ("0", *"-----")
    assert [line[1:4] for line in medians.rows] == [
        *(("10", "1", "1.000"), ("20", "1", "4.000"), ("40", "1", "16.000")),
    ]
    assert report.remarks == ["2 of 5 did not converge and are in no median, fit or figure."]


def test_generated_instances_differ_and_grow(tmp_path: Path) -> None:
    """The name is the key of resuming, so no two may share one."""
    tasks = RootGrowth().tasks(Setting(tmp_path, quick=True))
    assert len({task.key for task in tasks}) == len(tasks) == 18
    sizes = [task.arguments[0].chosen.instance.n for task in tasks]
    assert sizes == [8] * 9 + [11] * 9


def test_values_are_held_against_known_ones() -> None:
    """A fast wrong answer is worth nothing, and neither is a bound above the truth."""
    for right in (
        root_row(),
        root_row(instance="0202", lp_value=331 + 1 / 3, lower_bound=331.3333),
        root_row(status="time_limit", lp_value=290.0, lower_bound=280.0),
        root_row(source="generated", lp_value=1.0),
    ):
        assert wrong_values([right]) == []
    for wrong in (
        root_row(lp_value=283.26),
        root_row(status="time_limit", lower_bound=284.0),
        root_row(status="infeasible", lp_value=None, lower_bound=None),
    ):
        assert len(wrong_values([wrong])) == 1
    assert wrong_values([root_row(instance="0103"), root_row(instance="0103", lp_value=1.0)])


def test_one_pipeline_alone_is_reported(tmp_path: Path) -> None:
    """As for larger instances, where three would take too long."""
    setting = Setting(tmp_path, quick=True, screen="exact", repeats=1)
    tasks = RootPipelines().tasks(setting)
    assert {task.arguments[1] for task in tasks} == {"exact"}
    report = RootPipelines().report(setting, {task.key: task.run() for task in tasks[:1]})
    assert report.tables[0].header[:4] == ("class", "instances", "exact s", "longest exact s")
    assert not report.problems


def test_a_profile_splits_time_and_queries(tmp_path: Path) -> None:
    """By class, phase, deciding stage and verdict."""
    pricing = {"dive": {"feasible": 3, "seconds": 0.75}, "search": {"infeasible": 1, "seconds": 1}}
    rows = {
        "a": root_row(queries={"pricing": pricing}),
        "b": root_row(packing_class=3, queries={"heuristic": {"limit": {"unknown": 1}}}),
    }
    parts, stages = RootProfile().report(Setting(tmp_path), rows).tables
    assert parts.rows[2][:4] == ("all", "2", "2", "8.0")
    assert parts.rows[0][4:10] == ("12.5 %", "6.2 %", "6.2 %", "50.0 %", "0.0 %", "25.0 %")
    assert parts.rows[0][10:] == ("60", "39", "1")
    assert stages.rows[0] == ("2", "pricing", "dive", "3", "75.0 %", "3", "0", "0", "0.75")
    assert stages.rows[2] == ("3", "heuristic", "limit", "1", "100.0 %", "0", "0", "1", "0.00")
    assert [line[:3] for line in stages.rows[3:]] == [
        *(("all", "heuristic", "limit"), ("all", "pricing", "dive"), ("all", "pricing", "search")),
    ]


def test_the_queries_of_a_run_are_counted(tmp_path: Path) -> None:
    """Every check that the run has made is among them."""
    pytest.importorskip("pyarrow")
    task = RootProfile().tasks(Setting(tmp_path, quick=True))[0]
    row = task.run()
    counted = sum(
        count
        for stages in row["queries"].values()
        for count_by in stages.values()
        for verdict, count in count_by.items()
        if verdict != "seconds"
    )
    assert set(row["queries"]) == {"heuristic", "pricing"}
    assert counted >= row["exact_checks"] > 0


def test_every_variant_leaves_something_out() -> None:
    """A method that is called otherwise by now would make it equal to the full program."""
    full = VARIANTS["everything"]
    for variant in list(VARIANTS.values())[1:]:
        assert variant != full
        kinds = ((variant.first_columns, FirstColumns), (variant.screen, ExactScreen))
        for kind, base in kinds:
            changed = {name for name in vars(kind) if callable(getattr(kind, name))}
            if kind is not base:
                assert changed
                assert all(hasattr(base, name) for name in changed), kind


def test_all_variants_find_the_same_value(tmp_path: Path) -> None:
    """Prunings save work, and change nothing else."""
    setting = Setting(tmp_path, quick=True)
    tasks = RootPrunings().tasks(setting)[: len(VARIANTS)]
    report = RootPrunings().report(setting, {task.key: task.run() for task in tasks})
    assert not report.problems
    (table,) = report.tables
    assert [line[:2] for line in table.rows] == [(variant, "1 of 1") for variant in VARIANTS]
    labels = {line[0]: line[table.header.index("labels")] for line in table.rows}
    assert labels["without walk bounds"] > labels["everything"]


def test_a_network_that_is_never_wrong_makes_no_mistake(tmp_path: Path) -> None:
    """And its oracle's time is not counted."""
    tasks = PerfectNetwork().tasks(Setting(tmp_path, quick=True, repeats=1))[:3]
    rows = {task.key: task.run() for task in tasks}
    by_screen = {row["screen"]: row for row in rows.values()}
    assert set(by_screen) == {"exact", "lazy", "never wrong"}
    assert by_screen["never wrong"]["network_calls"] > 0
    assert by_screen["never wrong"]["processor_seconds"] > 0
    report = PerfectNetwork().report(Setting(tmp_path, quick=True), rows)
    assert not report.problems
    assert "never wrong total s" in report.tables[1].header


def test_a_row_has_what_the_committed_tables_have(tmp_path: Path) -> None:
    """Their columns are those of ``docs/results/root.csv``, and more."""
    chosen = RootPipelines().series.choose(Setting(tmp_path, quick=True))[0]
    row = measure(chosen, "exact", 0, 20.0, "abc")
    assert {"labels", "columns", "packing_seconds", "processor_seconds"} <= set(row)
    assert (row["status"], row["stopped"]) == ("converged", False)
