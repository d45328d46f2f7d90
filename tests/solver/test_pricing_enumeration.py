"""The pricer against the list of all routes, for duals and prohibitions of any kind."""

from __future__ import annotations

import math
import random

import pytest

from route_enumeration import Cost, Enumeration, Stops
from rules import Rule, each_rule
from seeds import with_seeds
from tailgate.model.instance import Conventions, Instance
from tailgate.solver.pricing import Pricer
from tailgate.solver.time_limit import TimeLimit
from tiny_instances import tiny_instance

# The pricer's fixed point.
TOLERANCE = 1e-6
PRICES_PER_INSTANCE = 4

rules = each_rule(fleet=Conventions().fleet)


class ByArea(Enumeration):
    """All routes, as far as the pricer knows loading by itself: the floor's area."""

    def is_loadable(self, route: Stops) -> bool:
        """Compare areas."""
        customers = self._instance.customers
        area = sum(customers[number - 1].area for number in route)
        return area <= self._instance.vehicle.area


def draw_duals(dice: random.Random, n: int) -> list[float]:
    """Draw duals of visits: high and low, some of them negative, some alike."""
    scale = dice.choice((1, 10, 100))
    if dice.random() < 0.3:
        return [float(dice.choice((-4, 0, 0, 2, 9))) for _ in range(n)]
    return [dice.uniform(-0.3, 1.5) * scale for _ in range(n)]


def contains(route: Stops, sequence: Stops, *, lifo: bool) -> bool:
    """Say whether a route visits these customers, with LIFO in this or the reverse order."""
    met = tuple(customer for customer in route if customer in sequence)
    if not lifo:
        return len(met) == len(sequence)
    return met in (sequence, sequence[::-1])


def reduced_costs(routes: dict[Stops, Cost], duals: list[float]) -> dict[Stops, float]:
    """Return what routes cost less the duals of their visits."""
    return {
        route: cost - sum(duals[number - 1] for number in route) for route, cost in routes.items()
    }


def assert_pricing(
    pricer: Pricer,
    duals: list[float],
    threshold: float,
    *,
    allowed: dict[Stops, Cost],
    deferred: dict[Stops, Cost] | None = None,
) -> None:
    """See that what is found is allowed, that nothing cheaper is missing, and the bound holds."""
    expected = reduced_costs(allowed, duals)
    least = min(expected.values(), default=math.inf)
    priced = pricer.price(threshold, max_routes=10_000, time_limit=TimeLimit())
    assert priced.complete
    for route, reduced_cost in zip(priced.routes, priced.reduced_costs, strict=True):
        assert route in allowed
        assert reduced_cost == pytest.approx(expected[route], abs=TOLERANCE)
        assert reduced_cost < threshold
    assert list(priced.reduced_costs) == sorted(priced.reduced_costs)
    if least < threshold - TOLERANCE:
        assert priced.routes
        assert priced.reduced_costs[0] == pytest.approx(least, abs=TOLERANCE)
    elif deferred is None:
        assert priced.bound >= threshold - TOLERANCE
    # A deferred route may turn out to be possible.
    unrefuted = [*expected.values(), *reduced_costs(deferred or {}, duals).values()]
    assert priced.bound <= min(unrefuted, default=math.inf) + TOLERANCE


def thresholds(dice: random.Random, routes: dict[Stops, Cost], duals: list[float]) -> list[float]:
    """Return zero, and thresholds below, above and amid the reduced costs."""
    reduced = sorted(reduced_costs(routes, duals).values())
    if not reduced:
        return [0.0, 50.0]
    return [0.0, reduced[0] + 0.5, dice.choice(reduced), reduced[-1] + 5, reduced[0] - 1]


@rules
@with_seeds(6, 15)
def test_pricing_finds_the_cheapest_route_whatever_the_prices(rule: Rule, seeds: range) -> None:
    """A route that pricing overlooks makes a bound that is too high, and nobody notices."""
    for seed in seeds:
        dice = random.Random(seed)
        name = f"pricing-{rule.conventions}-{rule.time_windows}-{seed}"
        instance = tiny_instance(name, **rule._asdict(), most=6)
        routes = ByArea(instance).routes
        pricer = Pricer(instance)
        for _ in range(PRICES_PER_INSTANCE):
            duals = draw_duals(dice, instance.n)
            pricer.set_duals(duals)
            for threshold in thresholds(dice, routes, duals):
                assert_pricing(pricer, duals, threshold, allowed=routes)


def draw_sequence(dice: random.Random, instance: Instance) -> Stops:
    """Draw two to four customers in some order."""
    size = min(instance.n, dice.choice((2, 3, 3, 4)))
    return tuple(dice.sample(range(1, instance.n + 1), size))


@rules
@with_seeds(6, 15)
def test_pricing_skips_what_is_forbidden_and_nothing_else(rule: Rule, seeds: range) -> None:
    """A sequence that cannot be loaded rules out what contains it; a deferred one comes back."""
    lifo = rule.conventions.lifo
    for seed in seeds:
        dice = random.Random(seed)
        name = f"forbidding-{rule.conventions}-{rule.time_windows}-{seed}"
        instance = tiny_instance(name, **rule._asdict(), most=6)
        if instance.n < 2:
            continue
        routes = ByArea(instance).routes
        pricer = Pricer(instance)
        forbidden: list[Stops] = []
        for _ in range(PRICES_PER_INSTANCE):
            duals = draw_duals(dice, instance.n)
            pricer.set_duals(duals)
            forbidden += [draw_sequence(dice, instance) for _ in range(2)]
            for sequence in forbidden[-2:]:
                pricer.forbid(sequence)
            left = {
                route: cost
                for route, cost in routes.items()
                if not any(contains(route, sequence, lifo=lifo) for sequence in forbidden)
            }
            for threshold in thresholds(dice, left, duals):
                assert_pricing(pricer, duals, threshold, allowed=left)
            aside = draw_sequence(dice, instance)
            pricer.defer(aside)
            assert pricer.has_deferred
            skipped = {
                route: cost for route, cost in left.items() if contains(route, aside, lifo=lifo)
            }
            allowed = {route: cost for route, cost in left.items() if route not in skipped}
            for threshold in thresholds(dice, left, duals):
                assert_pricing(pricer, duals, threshold, allowed=allowed, deferred=skipped)
            pricer.release_all()
            assert not pricer.has_deferred
            assert_pricing(pricer, duals, 0.0, allowed=left)
