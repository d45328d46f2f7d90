"""``tailgate solve`` with several kinds of vehicles, orders left out, and plans that are kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from command_runs import printed, refused
from tailgate.apps.cli.keeping import with_locks
from tailgate.io import read_solution, write_json
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Units, Vehicle
from tailgate.model.judge import verify
from tailgate.solver.loading import read


def three_stops(*, lorries: int = 1, vans: int = 1) -> Instance:
    """Return three customers in a row: a lorry takes two of them, a van takes one."""
    return Instance(
        name="three",
        depot=(0, 0),
        customers=tuple(
            Customer(3 * i, 4 * i, 1, (Item(10, 10),), name=f"C{i}") for i in range(1, 4)
        ),
        vehicles=(
            Vehicle(10, 20, 9, name="lorry", fixed_cost=100, cost_per_distance=1, count=lorries),
            Vehicle(10, 10, 9, name="van", fixed_cost=20, cost_per_distance=1, count=vans),
        ),
        units=Units(distance_unit="km", cost_unit="EUR"),
    )


@pytest.fixture
def orders(tmp_path: Path) -> str:
    """Write the three customers with a lorry and a van."""
    path = str(tmp_path / "orders.json")
    write_json(three_stops(), path)
    return path


def test_a_plan_of_a_fleet_names_the_kinds(orders: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Lorry to the two far ones (100 + 30) and van to the near one (20 + 10)."""
    text = printed(capsys, "solve", orders)
    assert "160.00 EUR" in text
    assert 'trucks       1 of 1 "lorry", 1 of 1 "van"' in text
    assert "vehicle" in text


def test_an_order_with_a_cost_is_left_out_and_the_reason_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To serve the far ones costs more than to leave them."""
    instance = three_stops()
    customers = tuple(replace(one, leave_out_cost=15) for one in instance.customers)
    path = str(tmp_path / "orders.json")
    write_json(replace(instance, customers=customers), path)
    text = printed(capsys, "solve", path)
    assert "45.00 EUR" in text
    assert "left out" in text
    content = json.loads(printed(capsys, "solve", path, "--json"))
    assert [one["cost"] for one in content["left_out"]] == [15, 15, 15]
    assert all(one["reason"] for one in content["left_out"])


def test_what_does_not_fit_is_left_out_by_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the van alone two orders stay; the plan is one of the orders that are written."""
    path, out = str(tmp_path / "orders.json"), tmp_path / "plan.json"
    write_json(three_stops(lorries=0), path)
    assert printed(capsys, "solve", path, "--quiet", code=3) == "infeasible\n"
    text = printed(capsys, "solve", path, "--leave-out", "number", "--out", str(out))
    assert "left out     2 orders: proven that no plan leaves out less" in text
    plan, relaxed = read_solution(out), read(tmp_path / "plan.orders.json")
    assert verify(relaxed, plan) == []
    assert verify(read(path), plan) != []
    content = json.loads(printed(capsys, "solve", path, "--leave-out", "number", "--json"))
    assert content["least_left_out"] == {"by": "number", "left_out": 2, "at_least": 2}


def test_leaving_out_by_cost_needs_costs(orders: str, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to weigh otherwise."""
    message = refused(capsys, "solve", orders, "--leave-out")
    assert "--leave-out: no order has a leave-out cost" in message
    assert "choose --leave-out number" in message


@pytest.fixture
def too_wide(tmp_path: Path) -> str:
    """Write the three customers, of whom the second has an item that fits no vehicle."""
    path = tmp_path / "too-wide.json"
    write_json(three_stops(), path)
    content = json.loads(path.read_text("utf-8"))
    content["customers"][1]["items"][0]["width"] = 26
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def test_an_order_that_fits_no_vehicle_is_left_out_by_number(
    too_wide: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be refused otherwise; the orders beside the plan are for all other commands."""
    plan, orders = str(tmp_path / "least.json"), str(tmp_path / "least.orders.json")
    message = refused(capsys, "solve", too_wide)
    assert "customer C2 fits no vehicle: item 1 has width 26 on floors of 10; correct it" in message
    text = printed(capsys, "solve", too_wide, "--leave-out", "number", "--out", plan)
    assert "left out     1 order: proven that no plan leaves out less" in text
    assert "fits no vehicle: item 1 has width 26 on floors of 10" in text
    assert "valid" in printed(capsys, "verify", orders, plan)
    assert printed(capsys, "show", orders, plan, "--out", str(tmp_path / "shown"))
    assert "no change" in printed(capsys, "compare", orders, plan, plan)
    # Its trucks can be kept without a word about the orders.
    options = ("--leave-out", "number", "--keep", plan, "--keep-trucks", "1")
    assert "no change" in printed(capsys, "solve", too_wide, *options)


def test_what_if_leaves_out_what_fits_no_vehicle(
    too_wide: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where a fleet has none of the vehicles that it would fit."""
    out = tmp_path / "variants"
    ranges = ("--vehicles", "lorry=0..1", "--vehicles", "van=1")
    options = (*ranges, "--leave-out", "number", "--json", "--out", str(out))
    content = json.loads(printed(capsys, "what-if", too_wide, *options))
    assert [len(one["left_out"]) for one in content["variants"]] == [2, 1]
    assert [one["status"] for one in content["variants"]] == ["optimal", "optimal"]


@pytest.mark.parametrize("option", ["--checkpoint", "--resume"])
def test_two_searches_have_no_checkpoint(
    option: str, orders: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both options are named, as they are typed."""
    path = tmp_path / "search"
    path.touch()
    message = refused(capsys, "solve", orders, "--leave-out", "number", option, str(path))
    assert f"{option}: is for one search, and --leave-out takes two" in message


def test_orders_that_are_solved_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The orders beside the plan would take their place."""
    path = tmp_path / "plan.orders.json"
    write_json(three_stops(), path)
    content = path.read_bytes()
    out = str(tmp_path / "plan.json")
    assert "is the instance" in refused(
        capsys, "solve", str(path), "--leave-out", "number", "--out", out
    )
    assert path.read_bytes() == content


def test_a_truck_that_is_kept_stays_as_it_is(
    orders: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where another plan would be cheaper now; what changed is printed."""
    plan, again = str(tmp_path / "plan.json"), tmp_path / "again.json"
    assert printed(capsys, "solve", orders, "--out", plan)
    larger = str(tmp_path / "larger.json")
    write_json(three_stops(vans=3), larger)
    # Three vans: 60 + 10 + 20 + 30.
    assert printed(capsys, "solve", larger, "--quiet") == "120\n"
    options = ("--keep", plan, "--keep-orders", orders)
    text = printed(capsys, "solve", larger, *options)
    assert "120.00 EUR" in text
    assert "beside the plan before:" in text
    routes = read_solution(plan).routes
    lorry = next(n for n, route in enumerate(routes, start=1) if route.vehicle == "lorry")
    locked = (*options, "--keep-trucks", str(lorry), "--out", str(again))
    assert "160.00 EUR" in printed(capsys, "solve", larger, *locked)
    (kept,) = (route for route in read_solution(again).routes if route.vehicle == "lorry")
    assert kept.locked
    assert kept.customers == routes[lorry - 1].customers
    stops = (*options, "--keep-stops", f"{lorry}=1", "--json")
    content = json.loads(printed(capsys, "solve", larger, *stops))
    assert content["change"] is not None
    assert any(route.get("locked_stops") == 1 for route in content["routes"])


def test_a_plan_of_other_orders_needs_them(
    orders: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers of customers mean nothing in another file."""
    plan, other = str(tmp_path / "plan.json"), str(tmp_path / "other.json")
    assert printed(capsys, "solve", orders, "--out", plan)
    instance = three_stops(lorries=2)
    write_json(replace(instance, customers=instance.customers[1:]), other)
    message = refused(capsys, "solve", other, "--keep", plan)
    assert "is a plan for other orders; name these with --keep-orders" in message
    text = printed(capsys, "solve", other, "--keep", plan, "--keep-orders", orders)
    assert "C1 is gone" in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--keep-trucks", "1"), "add --keep PLAN.json"),
        (("--keep-stops", "1=1"), "add --keep PLAN.json"),
        (("--keep-orders", "x.json"), "add --keep PLAN.json"),
    ],
)
def test_locks_without_a_plan_are_refused(
    orders: str, options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """They would be ignored otherwise."""
    assert message in refused(capsys, "solve", orders, *options)


@pytest.mark.parametrize("value", ["1", "1=", "x=1", "1=0", "0=1", "1=1;2=1", "1=1,1=2"])
def test_what_is_no_number_of_stops_is_refused(
    orders: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the words of the option."""
    assert "--keep-stops" in refused(capsys, "solve", orders, "--keep", "p", "--keep-stops", value)


def test_trucks_and_stops_that_there_are_not_are_refused(
    orders: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With how many there are."""
    path = tmp_path / "plan.json"
    assert printed(capsys, "solve", orders, "--out", str(path))
    plan = read_solution(path)
    with pytest.raises(InputError, match="the plan has 2 trucks"):
        with_locks(plan, (3,), {})
    with pytest.raises(InputError, match="cannot keep 9"):
        with_locks(plan, (), {1: 9})


def test_a_relaxation_that_is_a_plan_says_so(
    orders: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With several kinds, and where orders are left out."""
    text = printed(capsys, "bound", orders)
    assert "is itself a plan, and 160.00 EUR is the optimum" in text
    instance = three_stops()
    customers = tuple(replace(one, leave_out_cost=15) for one in instance.customers)
    path = str(tmp_path / "optional.json")
    write_json(replace(instance, customers=customers), path)
    assert "is itself a plan, and 45.00 EUR is the optimum" in printed(capsys, "bound", path)


def test_pack_loads_the_kind_that_is_asked_for(
    orders: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two fit into the lorry and not into the van; without a kind nobody knows."""
    words = ("pack", orders, "--route", "C1,C2", "--quiet")
    assert printed(capsys, *words, "--vehicle", "lorry") == "feasible\n"
    assert printed(capsys, *words, "--vehicle", "van") == "infeasible\n"
    assert "name one of 'lorry', 'van'" in refused(capsys, *words)
    assert "did you mean" in refused(capsys, *words, "--vehicle", "vam")
