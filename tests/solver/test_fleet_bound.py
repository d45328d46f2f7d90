"""Kinds of vehicles, optional customers and rules: the root relaxation against full enumeration."""

from __future__ import annotations

import pytest

from fleet_enumeration import FleetEnumeration
from fleet_instances import fleet_instance
from rich_instances import TravelKind, all_travel_kinds
from seeds import with_seeds
from tailgate.model.instance import Instance
from tailgate.solver.column_generation.root_relaxation import bound

SCREENS = ("exact", "neural", "lazy")


def assert_agrees(instance: Instance, screen: str = "exact") -> None:
    """See that the LP value is that over all routes, and that its solution keeps the rows."""
    expected = FleetEnumeration(instance)
    root = bound(instance, screen=screen)
    if expected.lp_value is None:
        assert root.status == "infeasible", instance
        return
    assert root.status == "converged", instance
    assert root.lp_value == pytest.approx(expected.lp_value, rel=1e-6, abs=1e-6), instance
    assert root.lower_bound == pytest.approx(expected.lp_value, rel=1e-6, abs=1e-6), instance


@all_travel_kinds
@with_seeds(24, 600)
def test_equal_to_enumeration(travel: TravelKind, seeds: range) -> None:
    """Several kinds with their own floors, limits and costs, customers left out, and all rules."""
    for seed in seeds:
        assert_agrees(fleet_instance(seed, travel), SCREENS[seed % 3])
