"""Lists of all cheap sets of customers, and cheapest orders, against all routes."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import pytest
from test_pricing_cuts import Question, allowed_routes, cases, draw_threshold
from test_pricing_enumeration import TOLERANCE, ByArea, draw_sequence, rules

from route_enumeration import Cost, Stops
from rules import Rule
from seeds import with_seeds
from tailgate.model.instance import Conventions, Customer, Instance, Item, Vehicle
from tailgate.solver.pricing import Pricer
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

# Two sums of the same floats in another order.
SAME_COST = 1e-9


def cheapest_orders(routes: Mapping[Stops, Cost]) -> dict[frozenset[int], Cost]:
    """Return the least cost of each set of customers."""
    least: dict[frozenset[int], Cost] = {}
    for route, cost in routes.items():
        customers = frozenset(route)
        least[customers] = min(cost, least.get(customers, math.inf))
    return least


def assert_enumeration(
    pricer: Pricer, routes: Mapping[Stops, Cost], reduced: Mapping[Stops, float], threshold: float
) -> None:
    """See that every set is there once, with its cheapest order below the threshold."""
    surely = {route: routes[route] for route in reduced if reduced[route] < threshold - TOLERANCE}
    perhaps = {route: routes[route] for route in reduced if reduced[route] < threshold + TOLERANCE}
    listed = pricer.enumerate(
        threshold, max_sets=10_000, max_paths=1_000_000, time_limit=TimeLimit()
    )
    assert listed.complete
    found = {frozenset(route): route for route in listed.routes}
    assert len(found) == len(listed.routes)
    least_surely, least_perhaps = cheapest_orders(surely), cheapest_orders(perhaps)
    assert least_surely.keys() <= found.keys() <= least_perhaps.keys()
    for customers, route in found.items():
        assert routes[route] >= least_perhaps[customers] - SAME_COST
        assert routes[route] <= least_surely.get(customers, math.inf) + SAME_COST
        assert route in perhaps
    costs = [routes[route] for route in listed.routes]
    assert costs == pytest.approx(sorted(costs))


@rules
@with_seeds(6, 12)
def test_every_set_of_customers_is_found_with_its_cheapest_order(rule: Rule, seeds: range) -> None:
    """A set that is missing would be missing from the last step of a search, and its proof."""
    for dice, instance, pricer in cases("listing", rule, seeds):
        routes: dict[Stops, Cost] = ByArea(instance).routes
        forbidden: list[Stops] = []
        for _ in range(4):
            question = Question(dice, instance.n)
            question.put_to(pricer)
            if instance.n > 1 and dice.random() < 0.7:
                forbidden.append(draw_sequence(dice, instance))
                pricer.forbid(forbidden[-1])
                # What is deferred may turn out to be possible: it is enumerated all the same.
                pricer.defer(draw_sequence(dice, instance))
            left = allowed_routes(routes, forbidden, lifo=rule.conventions.lifo)
            reduced = question.reduced_costs(left)
            for _ in range(3):
                threshold = draw_threshold(dice, list(reduced.values()))
                assert_enumeration(pricer, left, reduced, threshold)
            assert_enumeration(pricer, left, reduced, math.inf)
            pricer.release_all()


@rules
@with_seeds(6, 12)
def test_the_cheapest_order_is_the_cheapest(rule: Rule, seeds: range) -> None:
    """A more expensive order would make the last step of a search miss the optimum."""
    for dice, instance, pricer in cases("orders", rule, seeds):
        routes: dict[Stops, Cost] = ByArea(instance).routes
        everybody = range(1, instance.n + 1)
        forbidden: list[Stops] = []
        Question(dice, instance.n).put_to(pricer)
        for _ in range(4):
            if instance.n > 1:
                forbidden += [draw_sequence(dice, instance) for _ in range(2)]
                for sequence in forbidden[-2:]:
                    pricer.forbid(sequence)
                pricer.defer(draw_sequence(dice, instance))
            left = allowed_routes(routes, forbidden, lifo=rule.conventions.lifo)
            least = cheapest_orders(left)
            for _ in range(20):
                customers = dice.sample(everybody, dice.randint(1, instance.n))
                order = pricer.cheapest_order(customers, time_limit=TimeLimit())
                expected = least.get(frozenset(customers))
                if expected is None:
                    assert order is None
                    continue
                assert order in left
                assert frozenset(order) == frozenset(customers)
                assert left[order] == pytest.approx(expected, abs=SAME_COST)
                if rule.conventions.distance == "truncated":
                    ties = [
                        route
                        for route, cost in left.items()
                        if cost == expected and frozenset(route) == frozenset(customers)
                    ]
                    assert order == min(ties)


def test_a_list_that_is_not_complete_says_so() -> None:
    """A proof must not rest on a list from which something is missing."""
    instance = tiny_instance("limits", Conventions(), time_windows=False)
    while instance.n < 8:
        instance = tiny_instance(f"{instance.name}-again", Conventions(), time_windows=False)
    pricer = Pricer(instance)
    pricer.set_duals([30.0] * instance.n)
    plenty = 10**9
    everything = pricer.enumerate(
        math.inf, max_sets=plenty, max_paths=plenty, time_limit=TimeLimit()
    )
    assert everything.complete
    count = len(everything.routes)
    assert count > 20
    exactly = pricer.enumerate(math.inf, max_sets=count, max_paths=plenty, time_limit=TimeLimit())
    assert exactly == everything
    for max_sets, max_paths in ((count - 1, plenty), (count, 20), (0, plenty)):
        listed = pricer.enumerate(
            math.inf, max_sets=max_sets, max_paths=max_paths, time_limit=TimeLimit()
        )
        assert not listed.complete
    nothing = pricer.enumerate(-math.inf, max_sets=0, max_paths=0, time_limit=TimeLimit())
    assert nothing.complete
    assert nothing.routes == ()


def test_an_order_that_takes_too_long_is_no_answer() -> None:
    """None means that there is no order; a limit that was met must not look like it."""
    rng = random.Random(1)
    n = 14
    instance = Instance(
        name="long",
        depot=(0, 0),
        customers=tuple(
            Customer(rng.randint(0, 99), rng.randint(0, 99), 1, (Item(1, 1),)) for _ in range(n)
        ),
        vehicle=Vehicle(width=20, length=20, capacity=100),
        vehicle_count=1,
    )
    pricer = Pricer(instance)
    order = pricer.cheapest_order(range(1, n + 1), time_limit=TimeLimit())
    assert order is not None
    # Nothing may be put between, before or after the first two: what is left takes for ever.
    for other in range(3, n + 1):
        for sequence in ((1, other, 2), (other, 1, 2), (1, 2, other)):
            pricer.forbid(sequence)
    with pytest.raises(TimeoutError):
        pricer.cheapest_order(range(1, n + 1), time_limit=TimeLimit(0.2))
    assert pricer.cheapest_order((1, 2), time_limit=TimeLimit()) == (1, 2)
    assert pricer.cheapest_order((1, 2, 3), time_limit=TimeLimit()) is None
