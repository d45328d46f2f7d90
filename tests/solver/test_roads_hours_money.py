"""Roads, hours and money: the solver against full enumeration on tiny instances."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import tailgate
from rich_enumeration import RichEnumeration, in_a_mirror
from rich_instances import MATRIX_KINDS, TravelKind, all_travel_kinds, rich_instance
from seeds import with_seeds
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance, Travel
from tailgate.model.matrix import Matrix
from tailgate.solver.column_generation.root_relaxation import bound

SCREENS = ("exact", "neural", "lazy")


def assert_agrees(instance: Instance, screen: str = "exact") -> None:
    """See that the solver finds the optimum, or that there is none, and the LP value."""
    expected = RichEnumeration(instance)
    root = bound(instance, screen=screen)
    if expected.lp_value is None:
        assert root.status == "infeasible", instance
    else:
        assert root.status == "converged", instance
        assert root.lp_value == pytest.approx(expected.lp_value, rel=1e-6, abs=1e-6), instance
    result = tailgate.solve(instance, screen=screen)
    if expected.optimum is None:
        assert result.status == "infeasible", instance
        return
    assert result.status == "optimal", instance
    assert result.objective == pytest.approx(expected.optimum, rel=1e-7, abs=1e-9), instance
    assert result.solution is not None
    assert tailgate.verify(instance, result.solution) == []


@all_travel_kinds
@with_seeds(24, 600)
def test_equal_to_enumeration(travel: TravelKind, seeds: range) -> None:
    """Asymmetric roads, missing ones, windows, shifts, durations, limits and costs, all at once."""
    for seed in seeds:
        assert_agrees(rich_instance(seed, travel, most=5), SCREENS[seed % 3])


@pytest.mark.parametrize("travel", MATRIX_KINDS)
@with_seeds(10, 200)
def test_a_day_driven_backwards_costs_the_same(travel: TravelKind, seeds: range) -> None:
    """Loading may be reversed, and so may roads and hours, if all of them are."""
    for seed in seeds:
        compare_with_mirror(travel, seed)


def compare_with_mirror(travel: TravelKind, seed: int) -> None:
    """Solve a day forwards and backwards."""
    instance = rich_instance(f"mirror-{seed}", travel, most=5)
    result = tailgate.solve(instance)
    try:
        mirrored = in_a_mirror(instance)
    except InputError:
        # Nobody can be served in time either way; only one of the two shows it in a customer.
        assert result.status == "infeasible"
        return
    backwards = tailgate.solve(mirrored)
    assert backwards.status == result.status
    if result.objective is not None:
        assert backwards.objective == pytest.approx(result.objective, rel=1e-9)


@with_seeds(10, 200)
def test_units_change_nothing(seeds: range) -> None:
    """Smaller units of distance and time, with rates that fit."""
    for seed in seeds:
        compare_units(seed)


def compare_units(seed: int) -> None:
    """Solve a day in two sets of units."""
    instance = rich_instance(f"units-{seed}", "matrices", most=5)
    vehicle, travel = instance.vehicle, instance.travel
    assert travel.distances is not None
    assert travel.durations is not None
    per_distance, per_time = vehicle.rates

    def finer(matrix: Matrix, factor: int) -> Matrix:
        return Matrix(matrix.stored.copy(), matrix.step * factor)

    def times(owner: object, *names: str, factor: int = 64) -> dict[str, Any]:
        stated = {name: getattr(owner, name) for name in names}
        return {name: value * factor for name, value in stated.items() if value is not None}

    limits = ("shift_start", "shift_end", "max_duration")
    same = replace(
        instance,
        travel=Travel(
            "matrix",
            travel.coordinates,
            distances=finer(travel.distances, 1024),
            durations=finer(travel.durations, 64),
        ),
        vehicle=replace(
            vehicle,
            cost_per_distance=per_distance / 1024,
            cost_per_time=per_time / 64,
            **times(vehicle, *limits),
            **times(vehicle, "max_distance", factor=1024),
        ),
        customers=tuple(
            replace(customer, **times(customer, "ready", "due", "service"))
            for customer in instance.customers
        ),
        units=replace(instance.units, clock=False, time_unit=""),
        **times(instance, "depot_ready", "depot_due"),
    )
    expected, result = tailgate.solve(instance), tailgate.solve(same)
    assert result.status == expected.status
    if expected.objective is not None:
        assert result.objective == pytest.approx(expected.objective, rel=1e-9)


def test_costs_have_a_step_that_rounds_bounds_up() -> None:
    """Metres at 90 cents a kilometre and seconds at 24 EUR an hour: a third of a hundredth."""
    instance = rich_instance("step", "matrices")
    stored = Travel(
        "matrix",
        "none",
        distances=Matrix.of([[0, 1.234], [2.5, 0]], "distances"),
        durations=Matrix.of([[0, 100], [80, 0]], "durations", step=Fraction(1, 60)),
    )
    vehicle = replace(
        instance.vehicle,
        fixed_cost=120,
        cost_per_distance=0.9,
        cost_per_time=0.4,
        shift_start=None,
        shift_end=None,
        max_duration=None,
        max_distance=None,
        max_stops=None,
    )
    customer = replace(instance.customers[0], ready=0, due=None, service=0)
    small = replace(
        instance,
        customers=(customer,),
        travel=stored,
        vehicle=vehicle,
        vehicle_count=1,
        depot_ready=0,
        depot_due=None,
        conventions=tailgate.Conventions.PLANNER,
        units=replace(instance.units, clock=False, time_unit="min"),
    )
    assert small.costs.step == Fraction(1, 30000)
    result = tailgate.solve(small)
    cost = 120 + Fraction(9, 10) * Fraction(3734, 1000) + Fraction(4, 10) * 3
    assert result.objective == float(cost)
    assert result.lower_bound == float(cost)
