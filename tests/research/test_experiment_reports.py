"""What the experiments conclude from rows: gains, prices, fits, and values that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.learning.curves import TrainingCurves
from tailgate.research.experiments.learning.network import Network
from tailgate.research.experiments.learning.trainings import roc_curve
from tailgate.research.experiments.loading.experiment import LoadingCheck
from tailgate.research.experiments.loading.label_check import LoadingLabels
from tailgate.research.experiments.optima.experiment import Optima
from tailgate.research.experiments.optima.file import OptimaFile
from tailgate.research.experiments.optima.lifo_price import LifoPrice
from tailgate.research.experiments.optima.row import Row as OptimaRow
from tailgate.research.experiments.optima.search_screens import SearchScreens
from tailgate.research.experiments.optima.turning_price import TurningPrice
from tailgate.research.experiments.roots.pipelines import SCREENS, RootPipelines
from tailgate.research.experiments.roots.scaling import Scaling
from tailgate.research.experiments.roots.scaling_instances import points
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.variants import (
    ANY_ORDER,
    AS_GIVEN,
    TURNED,
    TURNED_ANY_ORDER,
    VARIANTS,
    Variant,
)

PAPER_HEADER = "instance,sota_seconds,ncg_seconds,speedup_percent,sota_iterations,ncg_iterations\n"


def cell(table: Any, row: str, column: str) -> str:
    """Return one cell of a table, found by the first cell of its row."""
    line = next(line for line in table.rows if line[0] == row)
    return str(line[table.header.index(column)])


def root_row(name: str, screen: str, seconds: float, **changes: Any) -> Row:
    """Return the row of a relaxation that converged."""
    return {
        "instance": name,
        "source": "published",
        "packing_class": int(name[2:]),
        "customers": 15,
        "vehicles": 3,
        "screen": screen,
        "seed": 0,
        "time_limit": 60.0,
        "status": "converged",
        "lp_value": 100.0,
        "iterations": {"exact": 10, "neural": 15, "lazy": 8}[screen],
        "exact_checks": 50,
        "network_calls": 5,
        "false_positive_cuts": 1,
        "seconds": seconds,
        "processor_seconds": seconds,
        **changes,
    }


@pytest.fixture
def published(tmp_path: Path) -> Setting:
    """Return a setting with the paper's figures for one instance."""
    reference = tmp_path / "reference" / "ncg_paper_root_cg.csv"
    reference.parent.mkdir()
    reference.write_text(f"{PAPER_HEADER}0502,18.0,9.0,100,46,69\n", encoding="utf-8")
    (tmp_path / "2l_cvrp").mkdir()
    return Setting(tmp_path / "out", benchmark=tmp_path / "2l_cvrp")


def roots(*rows: Row) -> dict[str, Row]:
    """Return rows by any key."""
    return {str(number): row for number, row in enumerate(rows)}


def test_gains_are_those_of_the_paper(published: Setting) -> None:
    """(T_exact - T) / T of the medians, ours and theirs each against its own exact pipeline."""
    rows = roots(
        *(root_row("0502", "exact", seconds) for seconds in (3.0, 4.0, 5.0)),
        *(root_row("0502", "neural", seconds) for seconds in (2.0, 2.0, 9.0)),
        *(root_row("0502", "lazy", 1.0) for _ in range(3)),
        *(root_row("0603", screen, 2.0) for screen in SCREENS),
    )
    report = RootPipelines().report(published, rows)
    totals, processor, gains, runtimes, counts = report.tables
    assert cell(runtimes, "0502", "neural gain %") == "100.0"
    assert cell(runtimes, "0502", "lazy gain %") == "300.0"
    assert cell(runtimes, "0502", "paper gain %") == "100.0"
    assert cell(runtimes, "0603", "paper gain %") == "-"
    assert cell(totals, "2", "exact s").startswith("4.00 [3.00, 5.00]")
    assert cell(totals, "all", "lazy s") == "3.00"
    assert cell(totals, "all", "paper neural s") == "9"
    assert cell(totals, "all", "paper neural / ours lazy") == "9.0"
    assert cell(processor, "all", "exact total s") == "6.00"
    assert cell(processor, "all", "lazy median s") == "1.500"
    assert cell(processor, "2", "neural over 10 % slower on") == "0"
    assert cell(counts, "0502", "neural iterations") == "15"
    assert [line[:8] for line in gains.rows if line[0] == "2"] == [
        ("2", "ours, neural", "1", "100.0", "50.0", "50.0", "1", "0"),
        ("2", "ours, lazy", "1", "300.0", "75.0", "75.0", "1", "0"),
        ("2", "paper, neural", "1", "100.0", "50.0", "50.0", "1", "0"),
    ]
    assert not report.problems
    assert [figure.name for figure in report.figures] == ["gain", "iteration-growth"]


def test_different_lp_values_are_wrong(published: Setting) -> None:
    """The pipelines solve the same relaxation, and some values are known."""
    rows = roots(
        root_row("0502", "exact", 1.0),
        root_row("0502", "neural", 1.0, lp_value=100.1),
        root_row("0402", "exact", 1.0, lp_value=434.5),
    )
    problems = RootPipelines().report(published, rows).problems
    assert [problem[:4] for problem in problems] == ["0402", "0502"]


def test_what_did_not_converge_is_in_no_total(published: Setting) -> None:
    """And is said to be missing there."""
    rows = roots(
        *(root_row("0502", screen, 1.0) for screen in SCREENS),
        *(root_row("0602", screen, 60.0, status="time_limit", lp_value=None) for screen in SCREENS),
    )
    report = RootPipelines().report(published, rows)
    assert cell(report.tables[0], "2", "instances") == "1"
    assert "1 of 2 instances did not converge" in report.remarks[0]


def test_the_pipelines_take_turns(tmp_path: Path) -> None:
    """A machine that is busy for a while must not favour one of them."""
    tasks = RootPipelines().tasks(Setting(tmp_path, quick=True))
    screens = [task.arguments[1] for task in tasks]
    assert {tuple(screens[start : start + 3]) for start in range(0, len(screens), 3)} == {
        ("exact", "neural", "lazy"),
        ("neural", "lazy", "exact"),
        ("lazy", "exact", "neural"),
    }
    assert len({task.key for task in tasks}) == len(tasks)


def test_without_the_publication_instances_are_generated(tmp_path: Path) -> None:
    """And the first remark says so."""
    setting = Setting(tmp_path, repeats=1)
    names = {task.arguments[0].name for task in RootPipelines().tasks(setting)}
    assert len(names) == 9
    assert "random-n15-c2-s1" in names
    assert "published instances are absent" in RootPipelines().missing(setting)[0]


# --- The price of LIFO ----------------------------------------------------------------------------


def price_row(name: str, lifo: bool, status: str, objective: Any, bound: Any) -> Row:
    """Return the result of a search."""
    return {
        "instance": name,
        "packing_class": 2,
        "n": 8,
        "vehicles": 3,
        "lifo": lifo,
        "status": status,
        "objective": objective,
        "lower_bound": bound,
        "seconds": 1.0,
        "problems": [],
    }


def test_a_price_is_counted_only_where_both_are_proven(tmp_path: Path) -> None:
    """Elsewhere it lies between what bounds and plans allow."""
    rows = roots(
        price_row("a", True, "optimal", 110, 110),
        price_row("a", False, "optimal", 100, 100),
        price_row("b", True, "feasible", 120, 105),
        price_row("b", False, "optimal", 100, 100),
        price_row("c", True, "infeasible", None, None),
        price_row("c", False, "optimal", 100, 100),
    )
    report = LifoPrice().report(Setting(tmp_path), rows)
    by_class, every = report.tables
    assert cell(by_class, "2", "both proven") == "1"
    assert cell(by_class, "2", "median %") == "10.00"
    assert cell(every, "b", "price %") == "5.00 to 20.00"
    assert cell(every, "c", "price %") == "no plan in order"
    assert not report.problems


def test_a_negative_price_is_wrong(tmp_path: Path) -> None:
    """A plan in order is a plan in any order."""
    rows = roots(
        price_row("a", True, "optimal", 100, 100), price_row("a", False, "optimal", 110, 110)
    )
    (problem,) = LifoPrice().report(Setting(tmp_path), rows).problems
    assert "bound 110 is above the plan 100 of the other search" in problem


# --- Optima ---------------------------------------------------------------------------------------


def test_the_instance_that_the_paper_closed_stands_beside_it(tmp_path: Path) -> None:
    """From a table that another run has made: nothing is solved for it."""
    row = OptimaRow(
        instance="2304",
        n=75,
        vehicles=16,
        conventions="benchmark",
        status="optimal",
        reason="proven",
        objective=1068,
        lower_bound=1068,
        gap=0.0,
        seconds=1234.5,
        nodes=9,
        exact_checks=10,
        columns=20,
        commit="abc",
    )
    OptimaFile(tmp_path / "optima.csv").add(row)
    report = Optima().report(Setting(tmp_path), {})
    totals, _, paper, _ = report.tables
    assert cell(totals, "4", "proven") == "1"
    assert cell(paper, "2304", "cost") == "1,068"
    assert cell(paper, "2304", "paper s") == "49,545"


# --- Growth ---------------------------------------------------------------------------------------


def test_a_power_is_found_on_its_axis(tmp_path: Path) -> None:
    """Seconds that grow with the square of n, and with nothing else."""
    rows = roots(
        *(
            {
                "axis": axis,
                "x": float(x),
                "instance": f"{axis}{x}",
                "status": "converged",
                "seconds": 0.1 * x**2 if axis == "n" else 1.0,
                **dict.fromkeys(("exact_checks", "labels", "columns", "iterations"), 10 * x),
            }
            for axis in ("n", "K")
            for x in (4, 8, 16)
        )
    )
    fits, medians = Scaling().report(Setting(tmp_path), rows).tables
    assert cell(fits, "customers", "exponent of seconds") == "2.00 (1.00)"
    assert cell(fits, "vehicles", "exponent of seconds").startswith("0.00")
    assert cell(fits, "items per customer", "exponent of seconds") == "-"
    assert cell(medians, "customers", "value") == "4"


def test_every_axis_really_grows(tmp_path: Path) -> None:
    """Each has different values, and all instances are different."""
    found = points(Setting(tmp_path, quick=True))
    for axis in ("n", "K", "items", "fill"):
        assert len({point.x for point in found if point.axis == axis}) >= 2, axis
    names = [(point.axis, point.chosen.name) for point in found]
    assert len(set(names)) == len(names)
    for point in found:
        if point.axis == "items":
            assert all(len(one.items) == point.x for one in point.chosen.instance.customers)


# --- Loading --------------------------------------------------------------------------------------


def loading_row(fill: float, ours: str, cp_sat: str, every: int) -> Row:
    """Return what was said of the routes of an instance, the same in all variants."""
    said = {"ours": ours, "cp_sat": cp_sat, "millimetres": "", "undecided": []}
    return {
        "instance": "a",
        "source": "generated",
        "packing_class": 2,
        "lowest_fill": fill,
        "time_limit": 0.5,
        "commit": "abc",
        "cp_sat_every": every,
        "variants": {variant.name: {**said, "decided_by": {"dive": 1}} for variant in VARIANTS},
        "problems": ["1-2: feasible, and another answer is infeasible"],
    }


def test_cp_sat_stands_beside_ours(tmp_path: Path) -> None:
    """On the routes that both were asked about; what neither decides counts as the limit."""
    rows = {
        "a": loading_row(0.6, "f1 f100 i1 f100", "f30 i30", 2),
        "b": loading_row(0.88, "u500 i1", "i20 u510", 1),
    }
    report = LoadingCheck().report(Setting(tmp_path), rows)
    comparison, times, _, stages = report.tables
    first, dense = comparison.rows[0], comparison.rows[4]
    assert first[:3] == ("60-100", "as given", "2")
    by_column = dict(zip(comparison.header, first, strict=True))
    assert by_column["routes asked of both"] == "2"
    assert by_column["medians, times faster"] == "30"
    by_column = dict(zip(comparison.header, dense, strict=True))
    assert by_column["ours undecided %"] == by_column["CP-SAT undecided %"] == "50.00"
    assert by_column["ours mean ms"] == "250.500"
    assert by_column["CP-SAT mean ms"] == "260.000"
    assert [line[1] for line in times.rows[:4]] == [variant.name for variant in VARIANTS]
    assert times.rows[0][3] == "4"
    assert stages.rows[0][3] == "100.0"
    assert report.problems == ["a 1-2: feasible, and another answer is infeasible"] * 2


# --- The price of turning -------------------------------------------------------------------------


def variant_row(variant: Variant, status: str, objective: Any, bound: Any, trucks: int) -> Row:
    """Return the result of a search in one variant."""
    row = price_row("a", variant.lifo, status, objective, bound)
    return {**row, "variant": variant.name, "trucks": trucks}


def test_what_turning_saves_stands_beside_what_lifo_costs(tmp_path: Path) -> None:
    """With the trucks of the proven plans; where one is open, its price is an interval."""
    rows = roots(
        variant_row(AS_GIVEN, "optimal", 110, 110, 4),
        variant_row(TURNED, "optimal", 100, 100, 3),
        variant_row(ANY_ORDER, "feasible", 105, 100, 4),
        variant_row(TURNED_ANY_ORDER, "optimal", 100, 100, 3),
    )
    report = TurningPrice().report(Setting(tmp_path), rows)
    by_class, every = report.tables
    turned, any_order, _ = by_class.rows
    assert turned == ("2", "turned", "1", "1", "0", "10.00", "10.00", "10.00", "4", "3", "25.0")
    assert any_order[3] == "0"
    assert any_order[-1] == "-"
    assert cell(every, "a", "turned") == "100 (3)"
    assert cell(every, "a", "price beside any order %") == "4.76 to 10.00"
    assert not report.problems


def test_a_freer_variant_that_costs_more_is_wrong(tmp_path: Path) -> None:
    """A plan of items as given is a plan of items that may be turned."""
    rows = roots(
        variant_row(AS_GIVEN, "optimal", 100, 100, 3),
        variant_row(TURNED, "optimal", 100, 100, 3),
        variant_row(ANY_ORDER, "optimal", 100, 100, 3),
        variant_row(TURNED_ANY_ORDER, "optimal", 101, 101, 3),
    )
    problems = TurningPrice().report(Setting(tmp_path), rows).problems
    assert problems == ["a: the bound 101 is above the plan 100 of the other search"]


# --- Verdicts of others ---------------------------------------------------------------------------


def test_a_verdict_that_is_not_the_proven_one_is_wrong(tmp_path: Path) -> None:
    """Counted by file, with the times; what is undecided neither agrees nor disagrees."""
    row = {
        "labels": "class2, any order",
        "start": 0,
        "time_limit": 10.0,
        "commit": "abc",
        "answers": "f1 i2 u10000 f3",
        "wrong": ["line 5: feasible"],
        "unknown": ["line 4"],
    }
    report = LoadingLabels().report(Setting(tmp_path), {"a": row})
    (table,) = report.tables
    assert table.rows[0][1:5] == ("4", "2", "1", "1")
    assert cell(table, "class2, any order", "longest s") == "10.00"
    assert report.problems == ["class2, any order, line 5: feasible"]


# --- Whole searches -------------------------------------------------------------------------------


def search_row(name: str, screen: str, status: str, cost: float, bound: float, s: float) -> Row:
    """Return a search that has made ten checks per second."""
    row = {"instance": name, "screen": screen, "status": status, "objective": cost, "problems": []}
    row |= {"lower_bound": bound, "gap": (cost - bound) / cost, "seconds": s, "nodes": 1, "n": 9}
    return row | {"exact_checks": round(10 * s), "packing_class": int(name[2:]), "vehicles": 2}


def test_proofs_and_plans_with_and_without_the_network(tmp_path: Path) -> None:
    """What one of the searches has not proven is compared by its plans."""
    rows = roots(
        search_row("0102", "exact", "optimal", 100, 100, 8.0),
        search_row("0102", "lazy", "optimal", 100, 100, 2.0),
        search_row("2002", "exact", "feasible", 200, 190, 30.0),
        search_row("2002", "lazy", "feasible", 198, 190, 30.0),
        search_row("2102", "exact", "feasible", 200, 190, 30.0),
        search_row("2102", "lazy", "optimal", 202, 202, 20.0),
    )
    report = SearchScreens().report(Setting(tmp_path), rows)
    proofs, plans, every = report.tables
    assert cell(proofs, "2", "total saved %") == "75.0"
    assert cell(proofs, "2", "lazy checks") == "20"
    assert [cell(plans, "2", name) for name in ("cheaper with", "equal", "worse with")] == [
        "1",
        "0",
        "1",
    ]
    assert cell(plans, "2", "mean difference %") == "0.00"
    assert cell(every, "2002", "lazy plan") == "198.00"
    assert report.problems == ["2102: the bound 202 is above the plan 200 of the other search"]


# --- The network ----------------------------------------------------------------------------------


def training_row(model: str, seed: int, tpr: float, losses: list[float]) -> Row:
    """Return a training with the same rates everywhere."""
    score = {"tpr": tpr, "tnr": 0.9, "roc_auc": 0.95, "count": 10, "feasible": 5}
    return {
        "model": model,
        "seed": seed,
        "by": "instance",
        "dataset": "d",
        "epochs": len(losses),
        "best_epoch": 1,
        "seconds": 1.0,
        "test_queries": 10,
        "groups": [{"set": "all", "group": "overall", **score}],
        "curves": [{"set": "all", "group": "overall", "tpr": [0.0, *[1.0] * 100]}],
        "published": None,
        "history": [
            {"epoch": number, "train_loss": loss, "validation_loss": loss}
            for number, loss in enumerate(losses, start=1)
        ],
    }


def test_rates_stand_beside_the_published_ones(tmp_path: Path) -> None:
    """Mean and deviation over the seeds, and the paper's line below."""
    rows = roots(
        training_row("paper", 0, 0.9, [0.5, 0.4]), training_row("paper", 1, 0.8, [0.6, 0.7])
    )
    rates, _, _ = Network().report(Setting(tmp_path), rows).tables
    assert cell(rates, "paper", "overall TPR") == "85.00 ± 7.07"
    assert cell(rates, "paper, as published", "overall TPR") == "94.08"
    assert cell(rates, "paper", "class 2 TPR") == "-"


def test_rates_are_compared_at_the_same_share_of_recognised_infeasible_ones(
    tmp_path: Path,
) -> None:
    """Read off the curve between its steps; the deviation is over the seeds."""
    rising = [min(1.0, step / 8) for step in range(101)]  # 100 % at 8 % of false positives
    steep = [min(1.0, step / 4) for step in range(101)]
    rows = roots(
        *(
            training_row("paper", seed, 0.5, [0.5])
            | {"curves": [{"set": "all", "group": "class 3", "tpr": curve}]}
            for seed, curve in enumerate((rising, steep))
        )
    )
    _, equal, _ = Network().report(Setting(tmp_path), rows).tables
    assert equal.name == "rates-at-equal-tnr"
    assert cell(equal, "paper", "class 3 at 95.83") == "76.06 ± 33.85"  # 4.17 / 8, and 1
    assert cell(equal, "paper", "class 3 at 91") == "100.00 ± 0.00"
    assert cell(equal, "paper", "class 2 at 88") == "-"
    assert cell(equal, "paper, as published", "class 3 at 95.83") == "86.79"
    assert cell(equal, "paper, prototype", "class 3 at 91") == "88"
    assert cell(equal, "paper, prototype", "class 3 at 95.83") == "-"


def test_rates_on_published_routes_and_of_a_split_by_query_have_tables(tmp_path: Path) -> None:
    """Neither is mixed with those of the split by instance."""
    here, there = training_row("paper", 0, 0.9, [0.5]), training_row("paper", 0, 0.7, [0.5])
    by_row = training_row("paper", 0, 0.99, [0.5]) | {"by": "row"}
    rows = roots(here | {"published": there}) | {"by row": by_row}
    report = Network().report(Setting(tmp_path), rows)
    found = {
        table.name: cell(table, "paper", "overall TPR")
        for table in report.tables
        if table.name != "rates-at-equal-tnr"
    }
    assert found == {
        "rates": "90.00",
        "rates-rest": "-",
        "rates-published": "70.00",
        "rates-published-rest": "-",
        "rates-by-row": "99.00",
    }
    assert [row["test"] for row in report.rows] == ["held out", "published", "held out"]


def test_curves_with_and_without_augmentation(tmp_path: Path) -> None:
    """The best loss is that of the best epoch, not the last."""
    rows = roots(
        training_row("paper", 0, 0.9, [0.5, 0.4, 0.45]),
        training_row("paper-no-augmentation", 0, 0.9, [0.6, 0.7]),
    )
    report = TrainingCurves().report(Setting(tmp_path), rows)
    (losses,) = report.tables
    assert cell(losses, "with augmentation", "best loss") == "0.4000"
    assert cell(losses, "without augmentation", "last loss") == "0.7000"
    assert len(report.rows) == 5


def test_a_curve_goes_through_its_corners() -> None:
    """A perfect order is always right; one verdict has no curve."""
    labels = np.array([True, True, False, False])
    perfect = roc_curve(np.array([0.9, 0.8, 0.3, 0.1]), labels)
    assert perfect is not None
    assert perfect[1:] == [1.0] * 100
    constant = roc_curve(np.full(4, 0.5), labels)
    assert constant is not None
    assert constant[50] == pytest.approx(0.5)
    assert roc_curve(np.array([0.5]), np.array([True])) is None
