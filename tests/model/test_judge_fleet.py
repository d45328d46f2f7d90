"""The judge on a fleet of several kinds, customers left out, and what customers demand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from builders import with_route
from fleet_day import (
    BAKERY,
    CHEMIST,
    DAIRY,
    ESTATE,
    FARM,
    FLEET_KINDS,
    GARAGE,
    LORRY,
    VAN,
    fleet_day,
    fleet_plan,
)
from fleet_instances import all_fleet_routes, fleet_instance
from market_day import ROAD_KINDS, STATEMENT_KINDS
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.model.instance import Conventions, Instance
from tailgate.model.judge import ViolationKind, verify
from tailgate.model.solution import LeftOut, Solution
from tailgate.solver.loading import planned_route

Kind = ViolationKind
Mutation = Callable[[Solution], Solution]


def told(instance: Instance, solution: Solution) -> list[tuple[str, str]]:
    """Return kind and message of all violations."""
    return [(one.kind, one.message) for one in verify(instance, solution)]


def leaving_out(*customers: LeftOut) -> Mutation:
    """Return a change of who is left out."""
    return lambda solution: replace(solution, left_out=customers)


GARAGE_WAITS = LeftOut(GARAGE, 25.5)

# Each row: the kind, a change of the plan, and the only message.
MUTATIONS: list[tuple[Kind, Mutation, str]] = [
    (
        Kind.WRONG_VEHICLE,
        lambda s: with_route(s, 2, vehicle="bus"),
        "names the vehicle 'bus', but those of the instance are 'lorry', 'van'",
    ),
    (
        Kind.WRONG_VEHICLE,
        lambda s: with_route(s, 2, vehicle=""),
        "names no vehicle, but those of the instance are 'lorry', 'van'",
    ),
    (
        Kind.WRONG_COST,
        # The cost of a lorry on the way of the van.
        lambda s: with_route(s, 2, cost=30),
        "the cost is stated as 30, but the tour has 13 under the convention 'exact'",
    ),
    (
        Kind.WRONG_LOCK,
        lambda s: with_route(s, 0, locked_stops=4),
        "locks its first 4 stops, but has 3",
    ),
    (
        Kind.MISSING_CUSTOMER,
        # Nobody says that it is left out.
        lambda s: replace(s, left_out=(), objective=125),
        "customer 6 (Garage) is not visited",
    ),
    (
        Kind.MISSING_CUSTOMER,
        lambda s: replace(
            s, routes=s.routes[:2], left_out=(GARAGE_WAITS, LeftOut(BAKERY, 0)), objective=137.5
        ),
        "customer 1 (Bakery) is left out, but must be served",
    ),
    (
        Kind.LEFT_OUT_TWICE,
        lambda s: replace(s, left_out=(GARAGE_WAITS, GARAGE_WAITS), objective=176),
        "customer 6 (Garage) is left out 2 times",
    ),
    (
        Kind.UNKNOWN_CUSTOMER,
        leaving_out(GARAGE_WAITS, LeftOut(7, 1)),
        "there is no customer 7 to be left out (they are numbered 1 to 6)",
    ),
    (
        Kind.WRONG_LEAVE_OUT_COST,
        leaving_out(LeftOut(GARAGE, 25)),
        "leaving out customer 6 (Garage) is stated to cost 25, but costs 25.5",
    ),
    (
        Kind.NON_FINITE,
        leaving_out(LeftOut(GARAGE, math.nan)),
        "the cost of leaving out customer 6 is nan",
    ),
    (
        Kind.WRONG_OBJECTIVE,
        # What is left out is not free of charge.
        lambda s: replace(s, objective=125),
        "the objective is 125, but the routes and the customers left out cost 150.5 under the "
        "convention 'exact'",
    ),
    (
        Kind.WRONG_STATUS,
        lambda s: replace(s, status="infeasible", routes=(), objective=None),
        "the status is infeasible, yet there are routes or an objective",
    ),
]

# Each row: the kind, what makes the plan break a rule of its instance, and the only message.
BROKEN_RULES: list[tuple[Kind, dict[str, Any], str]] = [
    (
        Kind.WRONG_VEHICLE_COUNT,
        {"vehicles": (replace(LORRY, count=1), replace(VAN, count=9))},
        "2 vehicles of the kind 'lorry' leave the depot, but at most 1 may",
    ),
    (
        Kind.OVERWEIGHT,
        {"vehicles": (LORRY, replace(VAN, capacity=9))},
        "carries 10, above the capacity 9",
    ),
    (
        Kind.OUTSIDE_FLOOR,
        # The floor of its own kind counts, not the largest.
        {"changes": {BAKERY: {"items": ()}}, "vehicles": (replace(LORRY, length=3, width=9), VAN)},
        "item 1 of customer 3 lies outside the floor",
    ),
    (
        Kind.MAX_STOPS,
        {"vehicles": (replace(LORRY, max_stops=2), VAN)},
        "visits 3 customers, more than the 2 of max_stops",
    ),
    (
        Kind.MAX_DISTANCE,
        {"vehicles": (LORRY, replace(VAN, max_distance=9.5))},
        "is 10 long, more than max_distance 9.5",
    ),
    (
        Kind.ACCESS,
        {"changes": {BAKERY: {"vehicles": ("lorry",)}}},
        "customer 1 (Bakery) accepts lorry, but not van",
    ),
    (
        Kind.NOT_WITH,
        {"changes": {FARM: {"not_with": ("Dairy",)}, DAIRY: {"not_with": ("Farm",)}}},
        "customers 3 (Dairy) and 5 (Farm) must not share a truck",
    ),
    (
        Kind.NOT_WITH,
        # Said by the second of them alone.
        {"changes": {FARM: {"not_with": ("Dairy",)}}},
        "customers 5 (Farm) and 3 (Dairy) must not share a truck",
    ),
    (
        Kind.TOGETHER,
        {"changes": {BAKERY: {"together": ("Chemist",)}}},
        "customers 1 (Bakery) and 2 (Chemist) ride together, but the first is on route 3 and the "
        "second on route 2",
    ),
    (
        Kind.TOGETHER,
        {"changes": {CHEMIST: {"together": ("Garage",), "not_with": ()}}},
        "customers 2 (Chemist) and 6 (Garage) ride together, but the first is on route 2 and the "
        "second left out",
    ),
    (
        Kind.POSITION,
        {"changes": {DAIRY: {"position": "last"}}},
        "customer 3 (Dairy) must be last, but is stop 1 of 3",
    ),
    (
        Kind.POSITION,
        {"changes": {ESTATE: {"position": "first"}}},
        "customer 4 (Estate) must be first, but is stop 2 of 3",
    ),
    (
        Kind.FIRST_STOPS,
        {"vehicles": (LORRY, replace(VAN, count=1, first_stops=("Bakery", "Garage")))},
        "does not begin with Bakery, Garage",
    ),
    (
        Kind.FIRST_STOPS,
        {"vehicles": (LORRY, VAN, replace(VAN, name="van 7", count=1, first_stops=("Bakery",)))},
        "customer 1 (Bakery) is on van 7, which is under way",
    ),
]


def test_the_plan_worked_out_by_hand_is_valid() -> None:
    """The mutations below mean something only if what they mutate is right."""
    assert told(fleet_day(), fleet_plan()) == []


def test_the_model_says_what_was_worked_out_by_hand() -> None:
    """Costs of plans are the sum over kinds and over what is left out."""
    instance, solution = fleet_day(), fleet_plan()
    kinds = [instance.kind_named(route.vehicle) for route in solution.routes]
    routes = [(kind, route.customers) for kind, route in zip(kinds, solution.routes, strict=True)]
    assert instance.total_cost(routes, [GARAGE]) == solution.objective
    for kind, route in zip(kinds, solution.routes, strict=True):
        own = planned_route(instance.of_kind(kind), route.customers, route.placements)
        full = replace(route, distance=own.distance, parts=own.parts, schedule=own.schedule)
        assert own == (route if route.schedule else full)
        assert instance.of_kind(kind).is_allowed(route.customers)


@pytest.mark.parametrize(
    ("kind", "mutate", "message"),
    MUTATIONS,
    ids=[f"{number}-{kind}" for number, (kind, _, _) in enumerate(MUTATIONS)],
)
def test_a_wrong_plan_is_named(kind: Kind, mutate: Mutation, message: str) -> None:
    """One thing is changed, and that one is named: none of the others hides it."""
    instance = fleet_day()
    assert told(instance, mutate(fleet_plan(instance))) == [(kind, message)]


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    BROKEN_RULES,
    ids=[f"{number}-{kind}" for number, (kind, _, _) in enumerate(BROKEN_RULES)],
)
def test_a_broken_rule_is_named(kind: Kind, changes: dict[str, Any], message: str) -> None:
    """The plan is right in all its numbers, but the day has another rule."""
    instance = fleet_day(**changes)
    plan = fleet_plan(instance)
    if kind == Kind.OUTSIDE_FLOOR:
        plan = with_route(plan, 2, placements=(), area=0)
    assert told(instance, plan) == [(kind, message)]


def test_a_customer_left_out_is_not_visited() -> None:
    """It would be paid for twice."""
    instance = fleet_day({BAKERY: {"leave_out_cost": 4}})
    plan = fleet_plan(instance)
    twice = replace(plan, left_out=(*plan.left_out, LeftOut(BAKERY, 4)), objective=154.5)
    message = "customer 1 (Bakery) is left out, yet route 3 visits it"
    assert told(instance, twice) == [(Kind.LEFT_OUT_AND_VISITED, message)]


def test_every_kind_of_a_fleet_is_provoked() -> None:
    """A new kind of violation must come with a plan that provokes it."""
    provoked = {kind for kind, _, _ in MUTATIONS} | {kind for kind, _, _ in BROKEN_RULES}
    assert provoked | {Kind.LEFT_OUT_AND_VISITED} >= FLEET_KINDS


def test_exactly_means_every_vehicle_of_every_kind() -> None:
    """Two vans are there, and one stays at home."""
    instance = fleet_day(conventions=Conventions.PLANNER.overridden({"fleet": "exactly"}))
    message = "1 vehicles of the kind 'van' leave the depot, but exactly 2 must"
    assert told(instance, fleet_plan(instance)) == [(Kind.WRONG_VEHICLE_COUNT, message)]


def test_all_that_ride_together_may_wait_together() -> None:
    """All of them or none."""
    waiting = {ESTATE: {"leave_out_cost": 1}, FARM: {"leave_out_cost": 2}}
    instance = fleet_day(waiting)
    plan = fleet_plan(instance)
    dairy = planned_route(instance.of_kind(0), (DAIRY,), plan.routes[0].placements[2:])
    both = replace(
        plan,
        routes=(
            replace(dairy, placements=(replace(dairy.placements[0], load_step=1),)),
            *plan.routes[1:],
        ),
        left_out=(*plan.left_out, LeftOut(ESTATE, 1), LeftOut(FARM, 2)),
        objective=121.5,
    )
    assert told(instance, both) == []


DEMANDS = {Kind.ACCESS, Kind.FIRST_STOPS, Kind.NOT_WITH, Kind.POSITION, Kind.TOGETHER}


@all_travel_kinds
@with_seeds(6, 100)
def test_judge_and_views_agree_on_every_route(travel: TravelKind, seeds: range) -> None:
    """Two implementations of kinds and rules: what a view allows, the judge does not forbid."""
    allowed = 0
    for seed in seeds:
        instance = fleet_instance(seed, travel)
        for kind, stops in all_fleet_routes(instance, 3):
            view = instance.of_kind(kind)
            route = planned_route(view, stops, ())
            solution = Solution(
                instance_name=instance.name,
                instance_sha256=instance.sha256,
                conventions=instance.conventions,
                status="feasible",
                objective=0,
                lower_bound=None,
                gap=None,
                routes=(route,),
                units=instance.units,
                left_out=tuple(
                    LeftOut(number, 0) for number in range(1, instance.n + 1) if number not in stops
                ),
            )
            found = {one.kind for one in verify(instance, solution)}
            where = (instance, kind, stops, found)
            assert not found & STATEMENT_KINDS, where
            forbidden = bool(found & (ROAD_KINDS | DEMANDS))
            if view.is_allowed(stops):
                assert not forbidden, where
                allowed += 1
            else:
                # A view need not know what cannot be loaded, but it may.
                hopeless = Kind.OVERWEIGHT in found or not _fits(view, stops)
                assert forbidden or hopeless or not view.vehicle.count, where
    assert allowed > 5 * len(seeds)


def _fits(view: Instance, stops: tuple[int, ...]) -> bool:
    """Return whether the floor of a view is large enough for each item, and for their areas."""
    items = [item for number in stops for item in view.customer(number).items]
    floor = view.vehicle
    return sum(item.area for item in items) <= floor.area and all(
        item.width <= floor.width and item.length <= floor.length for item in items
    )
