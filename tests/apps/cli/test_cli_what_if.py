"""``tailgate what-if``: the same orders with other fleets."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from builders import four_in_a_row
from command_runs import printed, refused
from tailgate.apps.cli import what_if
from tailgate.apps.cli.fleet_variants import CountRange, Counts, count_range, with_counts
from tailgate.apps.cli.main import main
from tailgate.apps.cli.variant_result import VariantResult, with_conclusions
from tailgate.apps.cli.what_if_table import Saving
from tailgate.io import read_solution, write_json
from tailgate.model.instance import Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import verify
from tailgate.solver.loading import read
from tailgate.solver.search.solver import solve
from tailgate.solver.workers import ThisProcess


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write four customers of which two fill a truck; trucks may stay, and all is done here."""
    monkeypatch.setattr(what_if, "choose_workers", lambda _jobs, _ray: ThisProcess())
    path = str(tmp_path / "row.json")
    instance = four_in_a_row().with_conventions(fleet="at-most", single_customer_routes="allow")
    write_json(instance, path)
    return path


def two_kinds() -> Instance:
    """Return three customers: a lorry takes all of them, a van takes one."""
    return Instance(
        name="kinds",
        depot=(0, 0),
        customers=tuple(
            Customer(3 * i, 4 * i, 1, (Item(10, 10),), name=f"C{i}") for i in range(1, 4)
        ),
        vehicles=(
            Vehicle(10, 30, 9, name="12 t", fixed_cost=100, cost_per_distance=1, count=1),
            Vehicle(10, 10, 9, name="van", fixed_cost=20, cost_per_distance=1, count=3),
        ),
        units=Units(distance_unit="km", cost_unit="EUR"),
    )


def variants(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[Any]:
    """Return the variants of a run."""
    content = json.loads(printed(capsys, "what-if", *words, "--json", code=code))
    found: list[Any] = content["variants"]
    return found


def test_every_number_of_trucks_is_solved(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two trucks are needed, and a third one saves nothing."""
    found = variants(capsys, row, "--vehicles", "1..3")
    assert [one["status"] for one in found] == ["infeasible", "optimal", "optimal"]
    assert [one["objective"] for one in found] == [None, 60, 60]
    assert [one["as_it_is"] for one in found] == [False, True, False]
    assert [one["one_more_saves"] for one in found] == [
        [],
        [{"name": "", "least": 0, "most": 0}],
        [],
    ]
    assert found[0]["explanation"]


def test_the_table_says_why_a_fleet_has_no_plan(
    row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One truck less is a question, too."""
    text = printed(capsys, "what-if", row, "--vehicles", "1..2")
    lines = text.splitlines()
    assert lines[0].split() == [
        *("vehicles", "status", "cost", "lower", "bound", "gap", "trucks", "one", "more", "saves"),
    ]
    assert "as it is" in lines[2]
    assert "no plan" in lines[1]
    assert any(line.startswith("  1 x vehicle: ") for line in lines)


def test_no_fleet_with_a_plan_ends_with_the_code_of_an_infeasible_instance(
    row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A script must not take it for an answer."""
    (one,) = variants(capsys, row, "--vehicles", "1", code=3)
    assert one["status"] == "infeasible"


def test_several_kinds_make_a_grid(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kinds that are not named stay as they are."""
    assert row
    path = str(tmp_path / "kinds.json")
    write_json(two_kinds(), path)
    options = ("--vehicles", "12 t=0..1", "--vehicles", "van=2..3")
    found = variants(capsys, path, *options)
    fleets = [[kind["count"] for kind in one["vehicles"]] for one in found]
    assert fleets == [[0, 2], [0, 3], [1, 2], [1, 3]]
    # A lorry alone: 100 + 30. Vans alone: 60 + 10 + 20 + 30.
    assert [one["objective"] for one in found] == [None, 120, 130, 120]
    assert found[2]["one_more_saves"] == [{"name": "van", "least": 10, "most": 10}]
    found = variants(capsys, path, "--vehicles", "12 t=0")
    assert [kind["count"] for kind in found[0]["vehicles"]] == [0, 3]


def test_plans_and_orders_of_the_variants_are_written(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To be compared, drawn and verified."""
    folder = tmp_path / "variants"
    assert printed(capsys, "what-if", row, "--vehicles", "1..3", "--out", str(folder))
    written = sorted(path.name for path in folder.iterdir())
    assert written == [
        *("2-x-vehicle.json", "2-x-vehicle.orders.json"),
        *("3-x-vehicle.json", "3-x-vehicle.orders.json"),
    ]
    for count in (2, 3):
        orders = read(folder / f"{count}-x-vehicle.orders.json")
        assert orders.vehicle_count == count
        assert verify(orders, read_solution(folder / f"{count}-x-vehicle.json")) == []
    assert "is not empty" in refused(
        capsys, "what-if", row, "--vehicles", "1..3", "--out", str(folder)
    )


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("lorry=2..3", "there is no kind 'lorry'"),
        ("0..2000", "2,001 variants"),
    ],
)
def test_a_fleet_that_makes_no_sense_is_refused(
    row: str, option: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the remedy, before anything is solved."""
    assert message in refused(capsys, "what-if", row, "--vehicles", option)


def test_several_kinds_must_be_named(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody knows which one 2..4 is about."""
    assert row
    path = str(tmp_path / "kinds.json")
    write_json(two_kinds(), path)
    assert '"12 t=2..4" or "van=2..4"' in refused(capsys, "what-if", path, "--vehicles", "2..4")
    line = refused(capsys, "what-if", path, "--vehicles", "vam=2")
    assert "did you mean" in line
    line = refused(capsys, "what-if", path, "--vehicles", "van=2", "--vehicles", "van=3")
    assert "twice" in line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2..4", CountRange("", 2, 4)),
        ("12 t=2..4", CountRange("12 t", 2, 4)),
        ("a=b = 3", CountRange("a=b", 3, 3)),
        ("van=0", CountRange("van", 0, 0)),
    ],
)
def test_numbers_of_vehicles_are_read(text: str, expected: CountRange) -> None:
    """A name may have spaces, digits and the sign itself."""
    assert count_range(text) == expected


@pytest.mark.parametrize("text", ["", "van", "van=", "4..2", "2...4", "van=-1", "2..x", "1e9"])
def test_what_is_no_number_of_vehicles_is_refused(text: str) -> None:
    """In the words of the option."""
    with pytest.raises(argparse.ArgumentTypeError):
        count_range(text)


def test_bounds_hold_for_smaller_fleets_and_plans_for_larger_ones() -> None:
    """A search that was stopped profits from the others; every plan passes the judge again."""
    base = four_in_a_row().with_conventions(fleet="at-most", single_customer_routes="allow")
    orders: dict[Counts, Instance] = {(count,): with_counts(base, (count,)) for count in (2, 3, 4)}
    solution = solve(orders[(2,)]).solution
    assert solution is not None
    results: dict[Counts, VariantResult] = {
        (2,): VariantResult((2,), "feasible", 60, 30, solution=solution),
        (3,): VariantResult((3,), "bound_only", None, 20),
        (4,): VariantResult((4,), "bound_only", None, 60),
    }
    found = with_conclusions(results, orders)
    assert [(one.status, one.objective, one.lower_bound) for one in found.values()] == [
        ("optimal", 60, 60)
    ] * 3
    for counts, one in found.items():
        assert one.solution is not None
        assert verify(orders[counts], one.solution) == []


@pytest.mark.parametrize(
    ("fewer", "more", "expected"),
    [
        ((60, 60), (50, 50), Saving(10, 10)),
        ((60, 40), (50, 45), Saving(0, 15)),
        ((None, 40), (30, 20), Saving(10, None)),
        ((60, None), (50, None), Saving(None, None)),
    ],
)
def test_what_one_more_saves_is_no_more_than_is_proven(
    fewer: tuple[int | None, int | None],
    more: tuple[int | None, int | None],
    expected: Saving,
) -> None:
    """The optimum of each fleet lies between its bound and its plan."""
    results = [VariantResult((n,), "feasible", *pair) for n, pair in enumerate((fewer, more))]
    assert Saving.between(results[0], results[1], may_stay=True) == expected


def test_one_more_that_must_leave_may_cost_more() -> None:
    """Only a vehicle that may stay at the depot is never a loss."""
    results = [VariantResult((n,), "optimal", cost, cost) for n, cost in enumerate((50, 70))]
    assert Saving.between(results[0], results[1], may_stay=False) == Saving(-20, -20)
    assert Saving.between(results[0], results[1], may_stay=True) == Saving(0, 0)


def test_to_serve_more_orders_is_not_compared_by_cost(
    row: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One truck leaves out more than two; two leave out as much as three."""
    options = ("--vehicles", "1..3", "--leave-out", "number", "--json")
    found = json.loads(printed(capsys, "what-if", row, *options))["variants"]
    assert [bool(one["left_out"]) for one in found] == [True, False, False]
    savings = [{"name": "", "least": 0, "most": 0}]
    assert [one["one_more_saves"] for one in found] == [[], savings, []]


def test_an_interrupt_prints_what_is_there(
    row: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hours of searching must not be lost to Ctrl-C."""

    class Interrupted(ThisProcess):
        def run(self, tasks: Any) -> Any:
            yield next(super().run(list(tasks)[1:]))
            raise KeyboardInterrupt

    monkeypatch.setattr(what_if, "choose_workers", lambda _jobs, _ray: Interrupted())
    assert main(["what-if", row, "--vehicles", "1..3"]) == 130
    captured = capsys.readouterr()
    assert "60" in captured.out
    assert "interrupted; 1 of 3 variants are solved" in captured.err
