"""Kinds of vehicles, orders that may be left out, and rules: the search beside all plans."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import tailgate
from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from search_parts import leave_out_enumeration, leave_out_heuristics, treat_as_large
from seeds import with_seeds
from tailgate.model.conventions import FleetConvention
from tailgate.model.customer import Position
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.search.result import LeaveOut, SolveProgress, SolveResult

SCREENS = ("exact", "neural", "lazy")
TOLERANCE = 1e-7


def assert_is_optimal(instance: Instance, result: SolveResult) -> None:
    """See that a result is the optimum of all plans, or that there is none."""
    expected = FleetEnumeration(instance).optimum
    if expected is None:
        assert result.status == "infeasible", instance.name
        assert result.explanation
        return
    assert result.status == "optimal", instance.name
    assert result.objective == pytest.approx(expected, rel=TOLERANCE, abs=1e-9), instance.name
    assert result.solution is not None
    assert tailgate.verify(instance, result.solution) == []


@all_travel_kinds
@with_seeds(20, 400)
def test_equal_to_enumeration(travel: TravelKind, seeds: range) -> None:
    """All conventions, one to three kinds, orders left out and rules, on roads of every sort."""
    for seed in seeds:
        instance = fleet_instance(f"search-{seed}", travel)
        assert_is_optimal(instance, tailgate.solve(instance, screen=SCREENS[seed % 3]))


@all_travel_kinds
@with_seeds(6, 200)
def test_branching_alone_is_enough(
    travel: TravelKind, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kinds, customers by kind and customers served are decided until nothing is open."""
    leave_out_heuristics(monkeypatch)
    leave_out_enumeration(monkeypatch)
    for seed in seeds:
        instance = fleet_instance(f"branching-{seed}", travel, most=6)
        result = tailgate.solve(instance, cuts=[])
        expected = FleetEnumeration(instance).optimum
        if expected is None:
            assert result.status == "infeasible"
            continue
        # Without enumeration the bound of real costs is as good as pricing rounds.
        assert result.objective == pytest.approx(expected, rel=1e-6, abs=1e-6)
        assert result.lower_bound == pytest.approx(expected, rel=1e-5, abs=1e-3)


@all_travel_kinds
@with_seeds(6, 100)
def test_cuts_keep_the_optimum(
    travel: TravelKind, seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows count orders left out, and the largest vehicle that may come."""
    leave_out_enumeration(monkeypatch)
    treat_as_large(monkeypatch)
    for seed in seeds:
        instance = fleet_instance(f"cuts-{seed}", travel, most=6)
        result = tailgate.solve(instance)
        expected = FleetEnumeration(instance).optimum
        assert (result.objective is None) == (expected is None)
        if expected is not None:
            assert result.objective == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("by", ["number", "cost"])
@all_travel_kinds
@with_seeds(6, 150)
def test_as_little_as_possible_is_left_out(travel: TravelKind, by: LeaveOut, seeds: range) -> None:
    """First what is left out, then what the rest costs."""
    for seed in seeds:
        instance = fleet_instance(f"least-{seed}", travel)
        if by == "cost" and not instance.optional:
            continue
        result = tailgate.solve(instance, leave_out=by, screen=SCREENS[seed % 3])
        relaxed = result.instance
        assert relaxed is not None
        plans = FleetEnumeration(relaxed)
        weights = {
            number: 1.0 if by == "number" else relaxed.leave_out_cost(number)
            for number in relaxed.optional
        }
        least = plans.least_left_out(weights)
        if least is None:
            assert result.status == "infeasible"
            continue
        assert result.status == "optimal", instance.name
        assert result.least_left_out is not None
        assert result.least_left_out.left_out == pytest.approx(least)
        assert result.least_left_out.is_proven
        cost = plans.optimum_with(weights, least)
        assert result.objective == pytest.approx(cost, rel=TOLERANCE, abs=1e-7), instance.name
        assert result.solution is not None
        assert tailgate.verify(relaxed, result.solution) == []
        assert all(order.reason for order in result.left_out)


def solvable(name: str, travel: TravelKind = "matrices") -> tuple[Instance, float]:
    """Return an instance that has a plan, and what the best one costs."""
    for attempt in range(50):
        instance = fleet_instance(f"{name}-{attempt}", travel)
        objective = tailgate.solve(instance).objective
        if objective is not None:
            return instance, objective
    raise AssertionError(name)


@with_seeds(15, 150)
def test_a_further_vehicle_never_costs_more(seeds: range) -> None:
    """Where the fleet is at most what there is, it may stay at the depot."""
    for seed in seeds:
        instance, before = solvable(f"further-{seed}")
        at_most = instance.with_conventions(fleet="at-most")
        cost = tailgate.solve(at_most).objective
        assert cost is not None
        assert cost <= before + 1e-7 * abs(before)
        vehicles = list(at_most.vehicles)
        kind = seed % len(vehicles)
        vehicles[kind] = replace(vehicles[kind], count=vehicles[kind].count + 1)
        more = tailgate.solve(replace(at_most, vehicles=tuple(vehicles))).objective
        assert more is not None
        assert more <= cost + 1e-7 * abs(cost)


@with_seeds(15, 150)
def test_who_costs_more_to_leave_out_is_not_dropped_for_it(seeds: range) -> None:
    """Raising the cost of leaving out one order never drops that order."""
    for seed in seeds:
        instance, cost = solvable(f"raised-{seed}")
        if not instance.optional:
            continue
        number = random.Random(seed).choice(sorted(instance.optional))
        before = tailgate.solve(instance)
        dropped = {order.customer for order in before.left_out}
        customers = list(instance.customers)
        own = instance.leave_out_cost(number)
        customers[number - 1] = replace(customers[number - 1], leave_out_cost=own + 7)
        raised = tailgate.solve(replace(instance, customers=tuple(customers)))
        assert raised.objective is not None
        assert cost - 1e-6 <= raised.objective <= cost + 7 + 1e-6
        if number not in dropped:
            assert raised.objective == pytest.approx(cost)


@with_seeds(12, 120)
def test_the_order_of_kinds_does_not_matter(seeds: range) -> None:
    """Kinds in another order, and a kind split in two equal ones: the same optimum."""
    for seed in seeds:
        instance, cost = solvable(f"order-{seed}")
        for vehicles in list(permutations(instance.vehicles))[1:3]:
            shuffled = replace(instance, vehicles=vehicles)
            assert tailgate.solve(shuffled).objective == pytest.approx(cost)
        split = halved(instance)
        if split is not None:
            result = tailgate.solve(split)
            assert result.objective == pytest.approx(cost)
            assert result.solution is not None
            assert tailgate.verify(split, result.solution) == []


def halved(instance: Instance) -> Instance | None:
    """Return an instance whose first kind of several vehicles is two kinds; None if none is."""
    for kind, vehicle in enumerate(instance.vehicles):
        if vehicle.count < 2:
            continue
        parts = (
            replace(vehicle, name="half", count=1),
            replace(vehicle, count=vehicle.count - 1),
        )
        customers = tuple(
            one
            if one.vehicles is None or vehicle.name not in one.vehicles
            else replace(one, vehicles=(*one.vehicles, "half"))
            for one in instance.customers
        )
        kinds = (*instance.vehicles[:kind], *parts, *instance.vehicles[kind + 1 :])
        return replace(instance, vehicles=kinds, customers=customers)
    return None


@with_seeds(6, 60)
def test_a_search_that_was_stopped_goes_on(seeds: range, tmp_path: Path) -> None:
    """Kinds, customers left out and what is known of routes are in the checkpoint."""
    for seed in seeds:
        instance, cost = solvable(f"resumed-{seed}")
        path = tmp_path / f"{seed}.checkpoint"
        tailgate.solve(instance, checkpoint=path, node_limit=0)
        resumed = tailgate.solve(instance, resume=path)
        assert resumed.status == "optimal"
        assert resumed.objective == pytest.approx(cost)
        again = tailgate.solve(instance, resume=path)
        assert again.objective == pytest.approx(cost)


@with_seeds(8, 80)
def test_a_warm_start_with_kinds_is_taken(seeds: range) -> None:
    """Also where equal kinds are one to the search."""
    for seed in seeds:
        instance, cost = solvable(f"warm-{seed}")
        split = halved(instance) or instance
        plan = tailgate.solve(split).solution
        assert plan is not None
        result = tailgate.solve(split, warm_start=plan, time_limit=0)
        assert result.objective == pytest.approx(cost)


def test_everything_may_be_left_out() -> None:
    """A plan without any route is one where nobody must be served."""
    instance = Instance(
        name="nothing is worth it",
        depot=(0, 0),
        customers=(Customer(50, 0, 1, (Item(1, 1),), leave_out_cost=3),),
        vehicle=Vehicle(4, 4, 10),
        vehicle_count=1,
        conventions=Conventions(fleet="at-most"),
    )
    result = tailgate.solve(instance)
    assert (result.status, result.objective, result.routes) == ("optimal", 3, ())
    assert [order.customer for order in result.left_out] == [1]
    assert "no plan that serves it is cheaper" in result.left_out[0].reason


@pytest.mark.parametrize(("seed", "travel"), [(1282, "globe-speed"), (2262, "globe")])
def test_who_is_far_away_is_left_out_proven(seed: int, travel: TravelKind) -> None:
    """Roads that cost thousands of times as much make bounds coarse: of a kind a little is missing.

    But no route is left that a cheaper plan could use.
    """
    instance = fleet_instance(f"review-{seed}", travel, most=6)
    result = tailgate.solve(instance)
    assert result.routes == ()
    assert_is_optimal(instance, result)


def test_a_route_that_costs_more_than_to_leave_out_everybody_is_in_no_cheaper_plan() -> None:
    """Bounds are coarse where roads cost thousands of times as much, and a route was left."""
    result = tailgate.solve(instance := fleet_instance("audres-100642", "globe-speed"))
    assert result.routes == ()
    assert_is_optimal(instance, result)


def test_equal_kinds_are_not_one_to_who_tells_them_apart() -> None:
    """Two ride together, and no kind suits both: they are left out, though the kinds are equal."""
    orders = (
        Customer(3, 4, 1, (Item(1, 1),), "a", leave_out_cost=30, vehicles=("van",)),
        Customer(
            3, 5, 1, (Item(1, 1),), "b", leave_out_cost=30, vehicles=("car",), together=("a",)
        ),
        Customer(4, 3, 1, (Item(1, 1),), "c"),
    )
    kinds = (Vehicle(4, 4, 10, name="van"), Vehicle(4, 4, 10, name="car"))
    instance = Instance("told apart", (0, 0), orders, vehicles=kinds)
    result = tailgate.solve(instance)
    assert_is_optimal(instance, result)
    assert [order.customer for order in result.left_out] == [1, 2]
    assert tailgate.bound(instance).lower_bound == pytest.approx(70)


def test_who_fits_no_vehicle_is_left_out_with_that_reason() -> None:
    """It need not be served, so it is not refused."""
    instance = Instance(
        name="too wide",
        depot=(0, 0),
        customers=(
            Customer(3, 4, 1, (Item(5, 1),), leave_out_cost=3),
            Customer(3, 4, 1, (Item(2, 1),)),
        ),
        vehicle=Vehicle(4, 4, 10),
        vehicle_count=1,
    )
    result = tailgate.solve(instance)
    assert result.status == "optimal"
    (order,) = result.left_out
    assert order.customer == 1
    assert "5" in order.reason
    assert "4" in order.reason


def test_leaving_out_by_cost_needs_costs() -> None:
    """There is nothing to choose from, and the other question is named."""
    instance = tailgate.generate_instance(5, 2, seed=1)
    with pytest.raises(tailgate.InputError, match='leave_out="number"'):
        tailgate.solve(instance, leave_out="cost")


def test_two_searches_have_no_checkpoint(tmp_path: Path) -> None:
    """It would be that of neither of them."""
    instance = tailgate.generate_instance(5, 2, seed=1)
    with pytest.raises(tailgate.InputError, match="checkpoint: is for one search"):
        tailgate.solve(instance, leave_out="number", checkpoint=tmp_path / "search")


def test_a_plan_that_leaves_nothing_out_is_a_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first search is over at once, without a node."""
    instance = tailgate.generate_instance(6, 2, seed=1)
    plan = tailgate.solve(instance).solution
    leave_out_heuristics(monkeypatch)
    result = tailgate.solve(instance, leave_out="number", warm_start=plan)
    assert (result.status, result.objective, result.left_out) == ("optimal", 291, ())
    assert result.nodes <= 1


@pytest.mark.parametrize("fleet", ["at-most", "exactly"])
def test_the_plan_of_the_first_search_needs_no_more_time(fleet: FleetConvention) -> None:
    """It is the result where nothing is left for the second one, not even to load it again."""
    instance = tailgate.generate_instance(25, 4, seed=3).with_conventions(fleet=fleet)
    is_found = threading.Event()

    def stop_at_a_plan(progress: SolveProgress) -> None:
        if progress.new_plan is not None:
            is_found.set()

    result = tailgate.solve(
        instance, leave_out="number", cancel=is_found, on_progress=stop_at_a_plan
    )
    assert (result.status, result.reason) == ("feasible", "interrupted")
    assert result.instance is not None
    assert result.solution is not None
    assert tailgate.verify(result.instance, result.solution) == []


def test_too_few_trucks_leave_orders_out() -> None:
    """What stays is counted, and proven."""
    orders = tuple(Customer(10 * i, 0, 1, (Item(4, 3),)) for i in range(1, 5))
    instance = Instance(
        name="two trucks",
        depot=(0, 0),
        customers=orders,
        vehicle=Vehicle(4, 4, 10),
        vehicle_count=2,
    )
    assert tailgate.solve(instance).status == "infeasible"
    result = tailgate.solve(instance, leave_out="number")
    assert result.status == "optimal"
    assert sorted(order.customer for order in result.left_out) == [3, 4]
    assert result.objective == 60
    assert "with the 2 trucks there are, at least 2 orders stay" in result.left_out[0].reason


@pytest.mark.parametrize("position", ["first", "last"])
def test_more_first_stops_than_trucks_are_explained_at_once(position: Position) -> None:
    """Each of them takes a truck of its own: nobody needs a search to see that, nor hours."""
    orders = tuple(
        Customer(10 * i, 0, 1, (Item(1, 1),), position=position if i < 4 else None)
        for i in range(1, 9)
    )
    instance = Instance(
        name="early birds",
        depot=(0, 0),
        customers=orders,
        vehicle=Vehicle(10, 10, 100),
        vehicle_count=2,
    )
    result = tailgate.solve(instance)
    assert (result.status, result.nodes) == ("infeasible", 0)
    words = (
        f"3 customers (1, 2, 3) must each be the {position} stop of a truck, and there are only 2"
    )
    assert words in result.explanation
    may_wait = tuple(replace(order, leave_out_cost=1000) for order in orders[:1])
    fewer = tailgate.solve(replace(instance, customers=(*may_wait, *orders[1:])))
    assert fewer.status == "optimal"
    assert [order.customer for order in fewer.left_out] == [1]
