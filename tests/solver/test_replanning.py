"""Planning anew: what is locked stays, what can be kept is kept, and what changes is said."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tailgate
from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.io.solution_file import write_solution
from tailgate.model.errors import InputError
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.model.solution import Solution
from tailgate.solver.column import Column
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.search.incumbent import Incumbent


def town(*names: str) -> Instance:
    """Return customers along a road, of whom two share a truck."""
    places = {"Ann": 10, "Bob": 20, "Cleo": 30, "Dan": 40, "Eve": 50}
    return Instance(
        name="town",
        depot=(0, 0),
        customers=tuple(Customer(places[name], 0, 1, (Item(2, 4),), name=name) for name in names),
        vehicle=Vehicle(4, 4, 10, name="truck"),
        vehicle_count=2,
    )


def plan_of(instance: Instance, *routes: tuple[int, ...], **locks: Any) -> Solution:
    """Return a valid plan with these routes; locks are those of the first."""
    best = Incumbent(instance, [LoadingOracle(instance)])
    assert best.offer([Column(0, route) for route in routes])
    plan = best.solution("feasible", 0)
    assert plan is not None
    by_stops = {route.customers: route for route in plan.routes}
    ordered = [by_stops[route] for route in routes]
    return replace(plan, routes=(replace(ordered[0], **locks), *ordered[1:]))


@all_travel_kinds
@with_seeds(5, 100)
def test_locks_of_the_best_plan_cost_nothing(travel: TravelKind, seeds: range) -> None:
    """The optimum stays the optimum, and its locked routes and first stops stay."""
    for seed in seeds:
        instance = fleet_instance(f"locks-{seed}", travel)
        solution = tailgate.solve(instance).solution
        if solution is None or not solution.routes:
            continue
        dice = random.Random(seed)
        routes = tuple(
            replace(route, locked=True)
            if dice.random() < 0.5
            else replace(route, locked_stops=dice.randint(0, len(route.customers)))
            for route in solution.routes
        )
        result = tailgate.solve(instance, keep=replace(solution, routes=routes))
        assert result.status == "optimal"
        assert result.objective == pytest.approx(solution.objective)
        assert result.solution is not None
        assert tailgate.verify(instance, result.solution) == []
        for route in routes:
            kept = len(route.customers) if route.locked else route.locked_stops
            assert any(
                new.vehicle == route.vehicle
                and new.customers[:kept] == route.customers[:kept]
                and (new.locked, new.locked_stops) == (route.locked, route.locked_stops)
                and (not route.locked or new.customers == route.customers)
                for new in result.routes
            )


def test_a_locked_route_stays_though_another_is_cheaper() -> None:
    """The best plan would pair neighbours."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(instance, (1, 4), (2, 3), locked=True)
    free = tailgate.solve(instance, keep=replace(plan, routes=()), warm_start=None)
    assert free.objective == 120
    kept = tailgate.solve(instance, keep=plan)
    assert kept.status == "optimal"
    assert kept.objective == 140
    assert {route.customers for route in kept.routes if route.locked} == {(1, 4)}


def test_first_stops_that_are_locked_stay() -> None:
    """The truck is on its way to Ann; who follows is open."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(instance, (1, 4), (2, 3), locked_stops=1)
    kept = tailgate.solve(instance, keep=plan)
    assert kept.objective == 120
    (under_way,) = [route for route in kept.routes if route.locked_stops]
    assert under_way.customers[0] == 1
    assert under_way.locked_stops == 1


def test_what_changes_is_said() -> None:
    """Bob is gone, Eve is new."""
    before = town("Ann", "Bob", "Cleo", "Dan")
    now = town("Ann", "Cleo", "Dan", "Eve")
    plan = plan_of(before, (1, 2), (3, 4))
    result = tailgate.solve(now, keep=plan, keep_instance=before)
    assert result.status == "optimal"
    change = result.change
    assert change is not None
    assert change.gone == ("Bob",)
    assert [now.label(number) for number in change.added] == ["Eve"]
    assert change.dropped == ()
    moved = {now.label(move.customer) for move in change.moved}
    assert moved <= {"Cleo", "Dan"}
    assert any("Eve is new" in line for line in change.sentences(now))
    assert set(change.to_dict()) >= {"gone", "added", "moved"}


def test_an_unchanged_plan_changes_nothing() -> None:
    """All routes are as they were."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(instance, (1, 2), (3, 4), locked=True)
    change = tailgate.solve(instance, keep=plan).change
    assert change is not None
    assert change.is_empty
    assert change.unchanged == (1, 2)
    assert change.sentences(instance) == []


def test_a_file_is_kept_as_well(tmp_path: Path) -> None:
    """Locks are in the file."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    path = tmp_path / "plan.json"
    write_solution(plan_of(instance, (1, 4), (2, 3), locked=True), path)
    assert tailgate.solve(instance, keep=path).objective == 140


def test_what_is_locked_stays_where_orders_are_left_out() -> None:
    """One truck of two is gone, and the other one keeps its route."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    fewer = replace(instance, vehicle_count=1)
    plan = plan_of(instance, (1, 4), (2, 3), locked=True)
    result = tailgate.solve(fewer, keep=plan, keep_instance=instance, leave_out="number")
    assert result.status == "optimal"
    assert [route.customers for route in result.routes] == [(1, 4)]
    assert sorted(order.customer for order in result.left_out) == [2, 3]


def test_a_plan_of_other_orders_needs_its_instance() -> None:
    """Numbers alone do not say who is meant."""
    before = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(before, (1, 2), (3, 4))
    with pytest.raises(InputError, match="plan for other orders; give the instance"):
        tailgate.solve(town("Ann", "Cleo", "Dan"), keep=plan)
    with pytest.raises(InputError, match="is not a plan of keep_instance"):
        tailgate.solve(before, keep=plan, keep_instance=town("Ann", "Eve"))


def test_a_locked_route_that_breaks_a_rule_is_refused() -> None:
    """Ann must not ride with Dan by now."""
    before = town("Ann", "Bob", "Cleo", "Dan")
    customers = (replace(before.customers[0], not_with=("Dan",)), *before.customers[1:])
    now = replace(before, customers=customers)
    plan = plan_of(before, (1, 4), (2, 3), locked=True)
    with pytest.raises(InputError, match=r"route 1 cannot be kept.*unlock it"):
        tailgate.solve(now, keep=plan, keep_instance=before)


def test_more_locks_than_vehicles_are_refused() -> None:
    """A truck has broken down."""
    before = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(before, (1, 4), (2, 3))
    locked = replace(plan, routes=tuple(replace(route, locked=True) for route in plan.routes))
    now = replace(before, vehicle_count=1)
    with pytest.raises(InputError, match="keeps 2 routes of truck, of which there is 1"):
        tailgate.solve(now, keep=locked, keep_instance=before)


def test_a_truck_under_way_is_the_same_truck() -> None:
    """Most of its customers are others now, but nobody who is on it has moved."""
    before = town("Ann", "Bob", "Cleo", "Dan")
    roomy = replace(before, vehicles=(replace(before.vehicle, length=16),))
    plan = plan_of(roomy, (1,), (2, 3, 4), locked_stops=1)
    result = tailgate.solve(roomy, keep=plan)
    assert result.status == "optimal"
    (under_way,) = [number for number, one in enumerate(result.routes, 1) if one.locked_stops]
    assert len(result.routes[under_way - 1].customers) == 4
    change = result.change
    assert change is not None
    assert [move.customer for move in change.moved] == [2, 3, 4]
    assert "from route 2 of the old plan" in change.sentences(roomy)[0]


@pytest.mark.parametrize(
    "changes", [{"position": "first"}, {"not_with": ("Ann",)}, {"weight": 10}], ids=str
)
def test_first_stops_that_break_a_rule_are_refused(changes: dict[str, Any]) -> None:
    """By the number of their route, as whole routes are: nobody knows of fields inside."""
    instance = town("Ann", "Bob", "Cleo", "Dan")
    plan = plan_of(instance, (1, 2), (3, 4), locked_stops=2)
    customers = list(instance.customers)
    customers[1] = replace(customers[1], **changes)
    changed = replace(instance, customers=tuple(customers))
    with pytest.raises(InputError, match="route 1 cannot be kept: it breaks a limit or a rule"):
        tailgate.solve(changed, keep=plan, keep_instance=instance)
