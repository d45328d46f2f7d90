"""The bound that needs no table, beside the optimum."""

from __future__ import annotations

import pytest

import tailgate
from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.model.instance import Customer, Instance, Item, Vehicle
from tailgate.solver.search.radial_bound import radial_bound
from tailgate.solver.time_limit import TimeLimit

NO_LIMIT = TimeLimit()


@all_travel_kinds
@with_seeds(25, 500)
def test_no_plan_costs_less(travel: TravelKind, seeds: range) -> None:
    """Roads without triangle inequality, kinds, waiting, orders left out: none breaks it."""
    bounds = []
    for seed in seeds:
        instance = fleet_instance(f"radial-{seed}", travel)
        optimum = FleetEnumeration(instance).optimum
        bound = radial_bound(instance, NO_LIMIT)
        assert bound >= 0
        if optimum is not None:
            assert bound <= optimum + 1e-9 * max(1, abs(optimum)), instance.name
            bounds.append(bound)
    assert any(bound > 0 for bound in bounds)


def test_full_trucks_to_one_place_cost_what_the_bound_says() -> None:
    """Each order fills half a truck: the bound is the optimum, not merely below it."""
    instance = Instance(
        "halves",
        (0, 0),
        tuple(Customer(30, 40, 1, (Item(2, 2),)) for _ in range(4)),
        Vehicle(width=2, length=4, capacity=100),
        2,
    )
    result = tailgate.solve(instance)
    assert result.objective == 200
    assert radial_bound(instance, NO_LIMIT) == pytest.approx(200)


def test_too_little_time_gives_no_bound() -> None:
    """Ways that are not known to be the cheapest prove nothing."""
    instance = tailgate.generate_instance(8, 2, seed=1)
    assert radial_bound(instance, TimeLimit(0)) == 0
