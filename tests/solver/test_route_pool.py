"""Known routes, priced before any search for new ones."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest

from builders import small_instance
from tailgate.model.instance import Conventions, Customer, Instance, Vehicle
from tailgate.solver.pricing import RoutePool
from tiny_instances import tiny_instance

Stops = tuple[int, ...]


def all_orders(n: int, longest: int) -> list[Stops]:
    """Return every order of up to so many customers."""
    return [
        route for size in range(1, longest + 1) for route in permutations(range(1, n + 1), size)
    ]


def reduced_cost(instance: Instance, route: Stops, duals: list[float], factor: float) -> float:
    """Work out what a route costs less the duals of its visits."""
    return factor * instance.route_cost(route) - sum(duals[stop - 1] for stop in route)


@pytest.mark.parametrize("seed", range(12))
def test_the_cheapest_routes_are_taken_and_each_only_once(seed: int) -> None:
    """What is taken is what a look at every single route would have found."""
    dice = random.Random(seed)
    instance = tiny_instance(f"pool-{seed}", Conventions(), time_windows=False, most=5)
    roomy = replace(instance, vehicle=replace(instance.vehicle, capacity=10**6))
    routes = dice.sample(all_orders(roomy.n, 3), min(40, len(all_orders(roomy.n, 3))))
    pool = RoutePool(roomy, [*routes, *routes[:3]])
    waiting = set(routes)
    for _ in range(6):
        # Duals that are no sums of others: no two routes cost alike, but the reverse of one.
        duals = [dice.uniform(-2, 30) for _ in range(roomy.n)]
        factor = dice.choice((0.0, 1.0, 1.0))
        threshold = dice.uniform(-20, 15)
        below = sorted(
            cost
            for cost in (reduced_cost(roomy, route, duals, factor) for route in waiting)
            if cost < threshold
        )
        max_routes = dice.choice((1, 5, 100))
        taken = pool.take(duals, threshold, max_routes=max_routes, cost_factor=factor)
        costs = [reduced_cost(roomy, route, duals, factor) for route in taken]
        assert costs == pytest.approx(below[:max_routes])
        assert set(taken) <= waiting
        assert len(set(taken)) == len(taken)
        waiting -= set(taken)
    cheap = [1e6] * roomy.n
    assert set(pool.take(cheap, 0.0, max_routes=10**6)) == waiting
    assert pool.take(cheap, 0.0, max_routes=10**6) == ()


def test_an_empty_pool_gives_nothing() -> None:
    """Every run begins with one."""
    assert RoutePool(small_instance(), []).take([9.0] * 4, 0.0, max_routes=5) == ()


def test_only_routes_that_keep_the_rules_get_in() -> None:
    """The heuristic asks the oracle about loading alone, also for routes too heavy or too late."""
    instance = Instance(
        name="rules",
        depot=(0, 0),
        customers=(
            Customer(10, 0, 3, ()),
            Customer(20, 0, 3, (), due=25),
            Customer(30, 0, 4, ()),
        ),
        vehicle=Vehicle(width=1, length=1, capacity=7),
        vehicle_count=3,
        conventions=Conventions(single_customer_routes="allow"),
    )
    kept = {
        route
        for route in all_orders(3, 3)
        if sum(instance.customer(stop).weight for stop in route) <= 7
        and (2 not in route or route in ((2,), (1, 2), (2, 1), (2, 3)))
    }
    assert (3, 2) not in kept
    pool = RoutePool(instance, all_orders(3, 3))
    assert set(pool.take([1e6] * 3, 0.0, max_routes=99)) == kept
    single = {route for route in kept if len(route) == 1}
    forbidding = instance.with_conventions(single_customer_routes="forbid")
    pool = RoutePool(forbidding, all_orders(3, 3))
    assert set(pool.take([1e6] * 3, 0.0, max_routes=99)) == kept - single
    assert len(single) == 3
