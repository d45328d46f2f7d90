"""Closing against brute force: the best solution of a pool, or the proof that there is none."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import get_args

import pytest

from route_enumeration import Enumeration, Stops
from tailgate.instance import (
    Conventions,
    DistanceConvention,
    FleetConvention,
    Instance,
    SingleCustomerConvention,
)
from tailgate.loading import LoadingOracle, Verdict
from tailgate.pricing import Pricer
from tailgate.search.closing import Closing, ClosingResult
from tailgate.time_limit import TimeLimit
from tiny_instances import tiny_instance

INSTANCES_PER_CONVENTION = 12
MANY_INSTANCES_PER_CONVENTION = 150
PATIENCE_SECONDS = 120
TOLERANCE = 1e-6

all_conventions = pytest.mark.parametrize(
    ("conventions", "time_windows"),
    [
        pytest.param(
            Conventions(distance, fleet, single, lifo),
            time_windows,
            id="-".join(
                (
                    distance,
                    fleet,
                    single,
                    "lifo" if lifo else "any_order",
                    "windows" if time_windows else "any_time",
                )
            ),
        )
        for distance, fleet, single, lifo, time_windows in product(
            get_args(DistanceConvention),
            get_args(FleetConvention),
            get_args(SingleCustomerConvention),
            (True, False),
            (False, True),
        )
    ],
)


def full_pool(instance: Instance, pricer: Pricer) -> tuple[Stops, ...]:
    """Return all sets of customers with their cheapest orders, as if anything could be loaded."""
    pricer.set_duals([0.0] * instance.n)
    listed = pricer.enumerate(
        math.inf, max_sets=10**6, max_paths=10**9, time_limit=TimeLimit(PATIENCE_SECONDS)
    )
    assert listed.complete
    return listed.routes


def close(instance: Instance, cutoff: float = math.inf) -> ClosingResult:
    """Close over all routes of a tiny instance."""
    pricer = Pricer(instance)
    pool = full_pool(instance, pricer)
    closing = Closing(instance, LoadingOracle(instance), pricer, pool, cutoff=cutoff)
    return closing.run(TimeLimit(PATIENCE_SECONDS))


def assert_is_solution(instance: Instance, result: ClosingResult) -> None:
    """See that the routes serve everybody with the fleet, in time, loaded, at the cost stated."""
    assert result.routes is not None
    served = sorted(customer for route in result.routes for customer in route)
    assert served == list(range(1, instance.n + 1))
    trucks = len(result.routes)
    assert trucks <= instance.vehicle_count
    if instance.conventions.fleet == "exactly":
        assert trucks == instance.vehicle_count
    oracle = LoadingOracle(instance, use_cache=False)
    for route in result.routes:
        assert oracle.check(route).verdict is Verdict.FEASIBLE
        assert instance.is_in_time(route)
    assert result.cost == sum(instance.route_cost(route) for route in result.routes)


def compare_with_enumeration(instance: Instance) -> None:
    """See that closing finds what the list of all routes says, for cutoffs of every kind."""
    optimum = Enumeration(instance).optimum
    result = close(instance)
    assert result.status == "solved", instance.name
    if optimum is None:
        assert result.routes is None, instance.name
        assert result.lower_bound == math.inf, instance.name
        return
    assert_is_solution(instance, result)
    assert result.cost == pytest.approx(optimum, rel=TOLERANCE), instance.name
    assert result.lower_bound <= result.cost
    assert result.lower_bound >= result.cost - TOLERANCE * max(1, result.cost)
    # The optimum itself is not below a cutoff of the same value; anything above it is.
    at = close(instance, cutoff=optimum)
    assert (at.status, at.routes) == ("solved", None), instance.name
    assert optimum * (1 - TOLERANCE) - TOLERANCE <= at.lower_bound <= optimum, instance.name
    above = close(instance, cutoff=optimum + 1)
    assert above.status == "solved", instance.name
    assert above.cost == pytest.approx(optimum, rel=TOLERANCE), instance.name
    below = close(instance, cutoff=optimum - random.Random(instance.name).choice((1, 3)))
    assert (below.status, below.routes) == ("solved", None), instance.name
    assert below.lower_bound <= optimum


@all_conventions
def test_equal_to_enumeration(conventions: Conventions, time_windows: bool) -> None:
    """The only proof of an exact method is another one."""
    for seed in range(INSTANCES_PER_CONVENTION):
        compare_with_enumeration(
            tiny_instance(f"closing-{seed}", conventions, time_windows=time_windows)
        )


@pytest.mark.long
@all_conventions
def test_equal_to_enumeration_on_many(conventions: Conventions, time_windows: bool) -> None:
    """The same on thousands."""
    for seed in range(MANY_INSTANCES_PER_CONVENTION):
        compare_with_enumeration(
            tiny_instance(f"closing-many-{seed}", conventions, time_windows=time_windows)
        )
