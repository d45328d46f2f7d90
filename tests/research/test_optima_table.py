"""The table of optima: rows that give back complete plans, and only get better."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from builders import small_instance, small_solution
from tailgate.model.conventions import TurnConvention
from tailgate.model.instance import Customer, Item, Vehicle
from tailgate.model.judge import verify
from tailgate.research.experiments.experiment import Setting
from tailgate.research.experiments.instances import Chosen, Series
from tailgate.research.experiments.optima.experiment import Optima
from tailgate.research.experiments.optima.file import (
    ContradictionError,
    OptimaFile,
    merge,
    refuse_wrong_value,
)
from tailgate.research.experiments.optima.row import (
    Row,
    csv_text,
    failed_row,
    problems_of,
    row_from_cells,
    row_of,
    solution_of,
)
from tailgate.research.experiments.optima.rules import (
    CONVENTIONS,
    conventions_name,
    conventions_of,
    instance_names,
)
from tailgate.research.experiments.optima.solving import solve_instance
from tailgate.research.generate import generate_instance
from tailgate.solver.search.result import SolveResult
from tailgate.solver.search.solver import solve

SEED = 3


@pytest.fixture
def row() -> Row:
    """Return a result with a gap of a quarter."""
    return Row(
        instance="0502",
        n=4,
        vehicles=2,
        conventions="benchmark",
        status="feasible",
        reason="time_limit",
        objective=400,
        lower_bound=300,
        gap=0.25,
        seconds=60.0,
        nodes=10,
        exact_checks=1000,
        columns=500,
        commit="abc",
        routes="1-2;3-4",
        placements="0:2 2:2/0:0;0:3/0:0 3:0",
    )


def proven(row: Row, objective: int) -> Row:
    """Return the same with a proof."""
    return replace(
        row, status="optimal", reason="proven", objective=objective, lower_bound=objective, gap=0.0
    )


# Which instances.


def test_all_are_180() -> None:
    """Small ones first."""
    assert len(set(Series().names)) == 180
    names = instance_names(["1-36"], range(1, 6))
    assert names == sorted(Series().names)
    assert names[:6] == ["0101", "0102", "0103", "0104", "0105", "0201"]
    assert len(instance_names(["01-19"], [2, 3, 4])) == 57


def test_instances_are_chosen_by_name_range_and_number() -> None:
    """Classes narrow down ranges, not what is called by its name."""
    assert instance_names(["0105", "0103-0104", "2"], [3, 4]) == [
        *("0103", "0104", "0105"),
        *("0203", "0204"),
    ]
    assert instance_names(["0104-0202"], range(1, 6)) == ["0104", "0105", "0201", "0202"]
    for wrong in ("0102-7", "40-50"):
        with pytest.raises(ValueError, match=wrong):
            instance_names([wrong], [2])


# Rows.


def read_again(row: Row) -> Row:
    """Return what comes back from the file."""
    _, cells = csv.reader(csv_text([row]).splitlines())
    return row_from_cells(cells)


@pytest.mark.parametrize("conventions", sorted(CONVENTIONS))
@pytest.mark.parametrize("packing_class", [1, 2, 5])
def test_a_row_gives_back_the_whole_plan(conventions: str, packing_class: int) -> None:
    """Through the file and back, to the last placement."""
    instance = generate_instance(6, packing_class, seed=SEED, conventions=CONVENTIONS[conventions])
    result = solve(instance, time_limit=20)
    row = row_of(result, "0502", instance, conventions, "abc")
    again = read_again(row)
    assert again == row
    assert problems_of(again, instance) == []
    rebuilt = solution_of(again, instance)
    assert result.solution is not None
    assert rebuilt is not None
    assert rebuilt.routes == result.solution.routes
    assert rebuilt.objective == result.objective
    assert verify(instance, rebuilt) == []


def test_a_turned_item_lies_turned_when_it_comes_back() -> None:
    """The place says so, and the rules of the row that it may."""
    rules = replace(CONVENTIONS["heuristic"], turn="all")
    instance = small_instance(
        customers=(Customer(3, 4, 1, (Item(3, 4), Item(3, 4))),),
        vehicle=Vehicle(4, 6, 10),
        vehicle_count=1,
        conventions=rules,
    )
    name = conventions_name(rules)
    row = read_again(row_of(solve(instance, time_limit=5), "0502", instance, name, "abc"))
    assert (name, row.placements) == ("heuristic/turn-all", "0:0t 0:3t")
    assert problems_of(row, instance) == []
    rebuilt = solution_of(row, instance)
    assert rebuilt is not None
    assert rebuilt.routes[0].placements[0].turned
    as_given = replace(row, conventions="heuristic")
    given = replace(instance, conventions=CONVENTIONS["heuristic"])
    assert any("turn" in problem for problem in problems_of(as_given, given))


def test_rules_have_a_name_of_their_own() -> None:
    """Two problems must never share a row of the table."""
    names = set()
    for base in CONVENTIONS.values():
        for lifo in (True, False):
            for turn in get_args(TurnConvention):
                rules = replace(base, lifo=lifo, turn=turn)
                names.add(conventions_name(rules))
                assert conventions_of(conventions_name(rules)) == rules
    assert len(names) == 2 * 2 * 3
    with pytest.raises(ValueError, match="turn"):
        conventions_of("benchmark/turn-sideways")


def test_a_plan_without_items_is_rebuilt() -> None:
    """A stop may have nothing on the floor."""
    instance = small_instance(
        customers=(Customer(3, 4, 1, ()), Customer(6, 8, 1, ())),
        vehicle=Vehicle(4, 6, 10),
        vehicle_count=1,
    )
    result = solve(instance, time_limit=5)
    row = row_of(result, "0502", instance, "benchmark", "abc")
    assert row.placements == "/"
    assert problems_of(row, instance) == []


def test_the_judge_sees_what_is_wrong(row: Row) -> None:
    """A row cannot claim what its plan does not hold."""
    instance = small_instance()
    right = proven(row, 44)
    assert problems_of(right, instance) == []
    rebuilt = solution_of(right, instance)
    assert rebuilt is not None
    assert rebuilt.routes == small_solution().routes
    wrong = {
        "objective": replace(right, objective=43, lower_bound=43),
        "overlap": replace(right, placements="0:2 1:2/0:0;0:3/0:0 3:0"),
        "prove": replace(right, lower_bound=43, gap=1 / 44),
        "gap": replace(right, gap=0.5),
        "there is no plan": replace(right, routes=""),
        "there is no customer 9": replace(right, routes="1-2;3-9"),
        "1 loading plans": replace(right, placements="0:0"),
        "has 1 stops": replace(right, placements="0:2;0:3/0:0 3:0"),
        "has 1 items": replace(right, placements="0:2/0:0;0:3/0:0 3:0"),
        "5 customers": replace(right, n=5),
        "invalid literal": replace(right, placements="0:2 2:2/0:0;0:3/0:0 x:0"),
    }
    for word, bad in wrong.items():
        assert any(word in problem for problem in problems_of(bad, instance)), word


def test_a_result_without_a_plan_is_a_row_too() -> None:
    """Infeasible, or nothing found."""
    instance = small_instance()
    result = SolveResult("infeasible", "proven", None, 1, 0.5, instance.conventions, 7)
    row = row_of(result, "0502", instance, "benchmark", "abc")
    assert row.is_proven
    assert (row.objective, row.routes) == (None, "")
    assert read_again(row) == row
    assert problems_of(row, instance) == []


# The table.


def test_the_better_result_stays(row: Row) -> None:
    """A proof, a cheaper plan, a higher bound: nothing of it is ever lost."""
    optimum = proven(row, 350)
    assert merge(row, optimum) == optimum
    assert merge(optimum, row) == optimum
    better = replace(row, objective=390, lower_bound=310, seconds=80.0)
    assert merge(row, better) == better
    assert merge(better, row) == better
    # As good, and newer.
    again = replace(optimum, seconds=1.0, commit="def")
    assert merge(optimum, again) == again


def test_plan_and_bound_may_be_of_two_runs(row: Row) -> None:
    """Then the row counts the effort of both, and they may even meet."""
    new = replace(row, objective=380, lower_bound=200, routes="1-3;2-4", commit="def")
    for merged in (merge(row, new), merge(new, row)):
        assert (merged.objective, merged.lower_bound, merged.routes) == (380, 300, "1-3;2-4")
        assert (merged.seconds, merged.nodes, merged.status) == (120, 20, "feasible")
        assert merged.gap == pytest.approx(80 / 380)
    assert merge(row, new).commit == "abc + def"
    met = merge(row, replace(new, objective=300))
    assert (met.status, met.reason, met.gap) == ("optimal", "proven", 0)
    bound_only = replace(
        row, status="bound_only", objective=None, gap=None, lower_bound=320, routes=""
    )
    assert merge(row, bound_only).lower_bound == 320
    assert merge(row, bound_only).routes == row.routes


def test_a_failure_replaces_nothing(row: Row) -> None:
    """And anything replaces a failure."""
    failure = failed_row("0502", "benchmark", "crash", seconds=1, commit="abc", size=(0, 0))
    assert merge(row, failure) == row
    assert merge(failure, row) == row
    assert not failure.is_complete


@pytest.mark.parametrize(
    "changes",
    [
        {"objective": 299, "lower_bound": 250},
        {"objective": None, "lower_bound": 401, "status": "bound_only"},
        {"objective": None, "lower_bound": None, "status": "infeasible", "reason": "proven"},
        {"n": 5},
    ],
)
def test_a_contradiction_names_both(row: Row, changes: dict[str, Any], tmp_path: Path) -> None:
    """One of the two is wrong, which nobody may overlook; the file stays as it is."""
    new = replace(row, commit="def", **changes)
    path = tmp_path / "optima.csv"
    file = OptimaFile(path)
    file.add(row)
    before = path.read_text(encoding="utf-8")
    with pytest.raises(ContradictionError, match=r"(?s)commit abc.*commit def"):
        file.add(new)
    with pytest.raises(ContradictionError):
        merge(new, row)
    assert path.read_text(encoding="utf-8") == before
    assert OptimaFile(path).rows == [row]


def test_real_costs_have_some_room(row: Row) -> None:
    """Their sums are rounded; integer costs are not."""
    real = replace(row, conventions="heuristic", objective=400.0)
    bound = replace(real, objective=None, status="bound_only", lower_bound=400.0001)
    assert merge(real, bound).status == "optimal"
    with pytest.raises(ContradictionError):
        merge(real, replace(bound, lower_bound=400.001))


def test_published_optima_are_held_against_ours(row: Row) -> None:
    """Too cheap, too expensive, or a bound above them."""
    known = replace(row, instance="0102")
    refuse_wrong_value(replace(known, objective=290, lower_bound=285))
    refuse_wrong_value(proven(known, 285))
    refuse_wrong_value(proven(replace(known, conventions="heuristic"), 281))
    for wrong in (
        proven(known, 286),
        proven(known, 284),
        replace(known, lower_bound=286),
        replace(known, status="infeasible", objective=None, lower_bound=None),
    ):
        with pytest.raises(ContradictionError, match="published optimum is 285"):
            refuse_wrong_value(wrong)


def test_two_runs_share_a_table(row: Row, tmp_path: Path) -> None:
    """Each adds to what the other has written meanwhile; rows are in order."""
    path = tmp_path / "optima.csv"
    one, other = OptimaFile(path), OptimaFile(path)
    one.add(row)
    other.add(replace(row, instance="0103"))
    one.add(replace(row, conventions="heuristic"))
    keys = [("benchmark", "0103"), ("benchmark", "0502"), ("heuristic", "0502")]
    assert [entry.key for entry in OptimaFile(path).rows] == keys
    assert [entry.name for entry in tmp_path.iterdir()] == ["optima.csv"]


def test_a_table_is_never_misread(row: Row, tmp_path: Path) -> None:
    """The line is named."""
    path = tmp_path / "optima.csv"
    for content, complaint in (
        ("route,verdict\n", "other columns"),
        (csv_text([row]) + "0502,4\n", r"optima\.csv:3: has 2 fields"),
        (csv_text([row, row]), r"optima\.csv:3: 0502 .* twice"),
        (csv_text([row]).replace(",4,", ",four,"), r"optima\.csv:2: invalid literal"),
        (csv_text([row]).replace("benchmark", "mine"), "no conventions 'mine'"),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(ValueError, match=complaint):
            OptimaFile(path)


# Solving.


def test_a_plan_that_the_judge_refuses_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the search says about it."""
    monkeypatch.setattr(
        "tailgate.research.experiments.optima.solving.problems_of", lambda *_: ["overlap"]
    )
    chosen = Chosen("0502", "published", 2, generate_instance(6, 2, seed=SEED))
    stored = solve_instance(chosen, 20.0, 0, "abc")
    assert (stored["status"], stored["reason"]) == ("failed", "refused by the judge")
    assert (stored["objective"], stored["problems"]) == (None, ["overlap"])


def test_an_open_one_is_resumed_from_its_checkpoint(tmp_path: Path) -> None:
    """Long searches are made of several runs."""
    checkpoint = tmp_path / "0502.checkpoint"
    chosen = Chosen("0502", "published", 2, generate_instance(7, 2, seed=SEED))
    stopped = solve_instance(chosen, 1e-6, 0, "abc", "exact", checkpoint)
    assert (stopped["reason"], stopped["stopped"]) == ("time_limit", True)
    assert checkpoint.exists()
    proof = solve_instance(chosen, 20.0, 0, "abc", "exact", checkpoint)
    assert (proof["status"], proof["problems"]) == ("optimal", [])


def test_the_conventions_go_before_those_of_the_file(tmp_path: Path) -> None:
    """The same file is two problems, with a row, a checkpoint and a solution file each."""
    folder = tmp_path / "searches"
    setting = Setting(tmp_path, conventions="heuristic", quick=True, checkpoints=folder)
    for task in Optima().tasks(setting):
        chosen, *_, checkpoint = task.arguments
        assert chosen.instance.conventions == CONVENTIONS["heuristic"]
        assert task.key == f"{chosen.name}-heuristic/seed 0"
        assert checkpoint == folder / f"{chosen.name}-heuristic.checkpoint"


def test_turned_items_and_any_order_are_problems_of_their_own(tmp_path: Path) -> None:
    """The same file, with a row, a checkpoint and a solution file each."""
    setting = Setting(tmp_path, turn=True, lifo=False, quick=True)
    for task in Optima().tasks(setting):
        chosen, *_ = task.arguments
        rules = chosen.instance.conventions
        assert (rules.turn, rules.lifo) == ("all", False)
        assert task.key == f"{chosen.name}-any-order-turned/seed 0"
    plain = {task.key for task in Optima().tasks(Setting(tmp_path, quick=True))}
    assert not any("turned" in key or "any-order" in key for key in plain)


# Summary.


def test_totals_count_what_is_proven_and_how_fast(row: Row, tmp_path: Path) -> None:
    """By size and class."""
    rows = [
        row,
        replace(proven(row, 350), instance="0102", seconds=60.0),
        replace(proven(row, 350), instance="0103", seconds=61.0),
        replace(row, instance="2002", seconds=5.0),
    ]
    file = OptimaFile(tmp_path / "optima.csv")
    for one in rows:
        file.add(one)
    tables = {table.name: table for table in Optima().report(Setting(tmp_path), {}).tables}
    assert tables["parts"].rows == (
        ("01-19", "2", "2", "1", "1", "120", "60.00 (0102)"),
        ("01-19", "3", "1", "1", "0", "61.00", "61.00 (0103)"),
        ("01-19", "all", "3", "2", "1", "181", "61.00 (0103)"),
        ("20-36", "2", "1", "0", "0", "5.00", "5.00 (2002)"),
    )
    assert [line[0] for line in tables["open"].rows] == ["0502", "2002"]
    assert {"25.00 %", "400", "300"} <= set(tables["open"].rows[0])
