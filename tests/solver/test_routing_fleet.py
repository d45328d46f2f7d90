"""The route search on fleets: kinds of vehicles, orders that may be left out, and rules.

Tiny instances are compared with full enumeration, larger ones go to the judge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TRAVEL_KINDS
from seeds import with_seeds
from tailgate.model.errors import InputError
from tailgate.model.instance import (
    Conventions,
    Customer,
    FleetConvention,
    Instance,
    Item,
    Vehicle,
)
from tailgate.model.judge import verify
from tailgate.model.route import LeftOut
from tailgate.model.solution import Solution
from tailgate.research.generate import generate_instance
from tailgate.research.generate.fleet_options import FleetOptions
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict, planned_route
from tailgate.solver.routing import RouteSearch
from tailgate.solver.routing.sweep import sweep
from tailgate.solver.time_limit import TimeLimit

FREE = Conventions("truncated", "at-most", "allow", lifo=True)


def oracles_of(instance: Instance) -> list[LoadingOracle]:
    """Return an oracle for every kind."""
    return [LoadingOracle(view) for view in views_of(instance)]


def search_of(instance: Instance, *, iterations: int = 2000, seed: int = 1) -> RouteSearch:
    """Return a search that has run for a while."""
    search = RouteSearch(instance, oracles_of(instance), seed=seed)
    search.run(iterations=iterations)
    return search


def assert_judge_agrees(instance: Instance, search: RouteSearch) -> None:
    """Hand the plan to the judge, who shares no code with the search."""
    assert search.routes is not None
    oracles, views = oracles_of(instance), views_of(instance)
    solution = Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=search.cost,
        lower_bound=None,
        gap=None,
        routes=tuple(
            planned_route(views[kind], route, oracles[kind].check(route).placements)
            for kind, route in search.routes
        ),
        left_out=tuple(
            LeftOut(number, instance.leave_out_cost(number)) for number in search.left_out
        ),
        solver={"version": "0", "seed": 0, "options": {}, "seconds": 0.0},
        units=instance.units,
    )
    assert verify(instance, solution) == []


@with_seeds(some=12, many=150)
def test_tiny_fleets_are_planned_at_the_least_cost(seeds: range) -> None:
    """It proves nothing, but it seldom misses what is so small; and no route breaks a rule."""
    missed = solved = without_plan = 0
    for seed in seeds:
        for travel in TRAVEL_KINDS:
            instance = fleet_instance(seed, travel)
            possible = FleetEnumeration(instance)
            search = search_of(instance, seed=seed)
            assert all(column in possible.routes for column in search.pool)
            if possible.optimum is None:
                assert search.routes is None
                without_plan += 1
            elif search.routes is None or search.cost is None:
                missed += 1
            else:
                assert_judge_agrees(instance, search)
                assert search.improvements[-1].cost == pytest.approx(search.cost)
                assert search.cost >= possible.optimum - 1e-6 * max(1, possible.optimum)
                is_best = search.cost <= possible.optimum + 1e-6 * max(1, possible.optimum)
                solved += is_best
                missed += not is_best
    assert missed <= 1 + len(seeds) // 50
    assert solved > 4 * len(seeds)
    assert without_plan > len(seeds)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("fleet", ["at-most", "exactly"])
def test_generated_fleets_keep_every_rule(fleet: FleetConvention, seed: int) -> None:
    """Plans and pools are columns of the master problem: a wrong one spoils the bound."""
    options = FleetOptions(kinds=3, optional_percent=30, rules_percent=30)
    instance = generate_instance(24, 2 + seed % 3, fleet=options, time_windows=True, seed=seed)
    instance = replace(
        instance,
        conventions=replace(instance.conventions, fleet=fleet, single_customer_routes="allow"),
    )
    search = search_of(instance, iterations=3000)
    assert_judge_agrees(instance, search)
    views, oracles = views_of(instance), oracles_of(instance)
    assert {kind for kind, _ in search.pool} == {0, 1, 2}
    for kind, route in search.pool:
        assert views[kind].is_allowed(route)
        assert oracles[kind].check(route).verdict is Verdict.FEASIBLE


def test_the_same_seed_gives_the_same_search() -> None:
    """Results must be repeatable; in two runs as in one."""
    instance = generate_instance(16, 3, fleet=FleetOptions(3, 40, 30), seed=5)
    outcomes = []
    for parts in (1, 1, 3):
        search = RouteSearch(instance, oracles_of(instance), seed=7)
        for _ in range(parts):
            search.run(iterations=900 // parts)
        outcomes.append((search.routes, search.left_out, search.pool))
    assert outcomes[0] == outcomes[1] == outcomes[2]


def fleet_of(*customers: Customer, **changes: Any) -> Instance:
    """Return a lorry and two vans; the lorry costs more and holds more."""
    arguments: dict[str, Any] = {
        "name": "by hand",
        "depot": (0, 0),
        "customers": customers,
        "vehicles": (
            Vehicle(6, 10, 100, name="lorry", fixed_cost=50, cost_per_distance=2),
            Vehicle(4, 5, 30, name="van", fixed_cost=10, cost_per_distance=1, count=2),
        ),
        "conventions": FREE,
    }
    return Instance(**(arguments | changes))


BOX = (Item(2, 2),)


def test_the_cheapest_kind_drives_and_a_larger_one_where_it_must() -> None:
    """A tour changes to another kind when that is cheaper, and not when it cannot."""
    small = fleet_of(Customer(10, 0, 5, BOX), Customer(20, 0, 5, BOX))
    assert search_of(small).routes == [Column(1, (1, 2))] or search_of(small).routes == [
        Column(1, (2, 1))
    ]
    heavy = replace(small, customers=tuple(replace(one, weight=20) for one in small.customers))
    assert Counter(kind for kind, _ in search_of(heavy).routes or ()) == {1: 2}
    for one in ({"weight": 40}, {"items": (Item(5, 5),)}):
        large = replace(small, customers=tuple(replace(c, **one) for c in small.customers))
        routes = search_of(large).routes
        assert routes is not None
        assert [kind for kind, _ in routes] == [0]


def test_orders_are_left_out_where_that_is_cheaper() -> None:
    """Alone each is too far away for its cost, together they are worth the way."""
    near, far = Customer(1, 0, 5, BOX), Customer(100, 0, 5, BOX, leave_out_cost=120)
    assert search_of(fleet_of(near, far)).left_out == (2,)
    assert search_of(fleet_of(near, far)).cost == 10 + 2 + 120
    both = search_of(fleet_of(near, far, replace(far, x=101)))
    assert both.left_out == ()
    assert both.cost == 10 + 202
    nobody = search_of(fleet_of(far))
    assert nobody.routes == []
    assert nobody.left_out == (1,)
    assert nobody.cost == 120


def test_who_fits_no_vehicle_is_left_out() -> None:
    """It need not be served, so that it is no reason to give up."""
    giant = Customer(1, 0, 5, (Item(9, 9),), leave_out_cost=1000)
    search = search_of(fleet_of(giant, Customer(2, 0, 5, BOX)))
    assert search.left_out == (1,)
    assert search.cost == 1000 + 10 + 4


def test_company_and_positions_are_kept() -> None:
    """Rules that cost something are kept all the same."""
    a, b, c = (Customer(x, 0, 5, BOX, name=name) for x, name in ((10, "a"), (11, "b"), (-90, "c")))
    apart = search_of(fleet_of(replace(a, not_with=("b",)), b))
    assert len(apart.routes or ()) == 2
    together = search_of(fleet_of(replace(a, together=("c",)), b, c))
    assert next(sorted(route) for _, route in together.routes or () if 1 in route)[-1] == 3
    last = search_of(fleet_of(replace(a, position="last"), b, replace(c, x=30)))
    assert [route[-1] for _, route in last.routes or () if 1 in route] == [1]
    only_lorry = search_of(fleet_of(replace(a, vehicles=("lorry",)), b))
    assert [kind for kind, route in only_lorry.routes or () if 1 in route] == [0]


def test_a_truck_under_way_goes_on_from_its_first_stops() -> None:
    """Its first stops stay, however expensive they are; others may follow."""
    customers = [Customer(x, 0, 5, BOX, name=str(x)) for x in (10, 20, 30, 40, 50)]
    van = Vehicle(4, 5, 30, name="under way", first_stops=("50", "10", "30"))
    instance = fleet_of(*customers, vehicles=(Vehicle(6, 10, 100, name="lorry"), van))
    search = search_of(instance)
    assert_judge_agrees(instance, search)
    (route,) = (route for kind, route in search.routes or () if kind == 1)
    assert route[:3] == (5, 1, 3)


def test_a_plan_from_elsewhere_says_its_kinds() -> None:
    """A warm start and an incumbent are offered as columns; broken rules are named."""
    far = Customer(100, 0, 5, BOX, leave_out_cost=500)
    apart = Customer(12, 0, 5, BOX, not_with=("1",))
    instance = fleet_of(Customer(10, 0, 5, BOX), far, apart)
    search = RouteSearch(instance, oracles_of(instance))
    plan = [Column(0, (1,)), Column(1, (3,))]
    assert search.offer(plan)
    assert (search.routes, search.left_out) == (plan, (2,))
    assert search.cost == instance.total_cost(plan, (2,))
    for wrong, fault in (
        ([Column(0, (1,)), Column(0, (3,))], "fleet"),
        ([Column(2, (1,)), Column(1, (3,))], "no such kind"),
        ([Column(1, (1, 3))], "must not share"),
        ([Column(1, (1,))], "not visited"),
    ):
        with pytest.raises(InputError, match=f"routes: .*{fault}"):
            search.offer(wrong)
    search.run(iterations=500)
    assert (search.cost or 0) < instance.total_cost(plan, (2,))


def test_a_sweep_uses_all_kinds() -> None:
    """Proven, within the rules, or none; who may be left out is no reason for none."""
    instance = generate_instance(20, 2, fleet=FleetOptions(3, 40, 30), seed=2)
    roomy = replace(
        instance,
        vehicles=tuple(replace(vehicle, count=12) for vehicle in instance.vehicles),
        conventions=FREE,
        customers=tuple(
            replace(one, leave_out_cost=9, together=(), position=None) for one in instance.customers
        ),
    )
    columns = sweep(roomy, oracles_of(roomy), max_nodes=300, time_limit=TimeLimit())
    assert columns
    views = views_of(roomy)
    assert all(views[kind].is_allowed(route) for kind, route in columns)
    search = RouteSearch(roomy, oracles_of(roomy))
    assert search.offer(columns)
    assert_judge_agrees(roomy, search)
