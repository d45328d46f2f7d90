"""Warnings about fleets and costs of leaving out: each rule, its near miss, and its silence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tailgate.model.instance import Customer, Instance, Item, Units, Vehicle
from tailgate.model.plausibility import check_plausibility

LORRY = Vehicle(240, 720, 6000, "12 t", 120, 0.9, count=2)
VAN = Vehicle(180, 320, 1200, "van", 60, 0.5, count=3)


def fleet(*vehicles: Vehicle, costs: tuple[float | None, ...] = (None, None, None)) -> Instance:
    """Return three customers ten to twenty kilometres away, with costs of leaving them out."""
    return Instance(
        "orders",
        (0, 0),
        tuple(
            Customer(10 + 5 * index, 3, 300, (Item(80, 120),) * 2, leave_out_cost=cost)
            for index, cost in enumerate(costs)
        ),
        vehicles=vehicles or (LORRY, VAN),
        units=Units(length_unit="cm", distance_unit="km", cost_unit="EUR"),
    )


def codes(instance: Instance) -> list[str]:
    """Return which rules have fired."""
    return [warning.code for warning in check_plausibility(instance)]


def test_a_fleet_as_it_should_be_raises_no_doubt() -> None:
    """What is made below differs from this by one thing."""
    assert codes(fleet()) == []
    assert codes(fleet(costs=(80, 100, None))) == []


def test_the_floor_of_each_kind_is_looked_at() -> None:
    """The kind is named, and the place is that of a fleet."""
    exchanged = replace(VAN, width=320, length=100)
    (warning,) = check_plausibility(fleet(LORRY, exchanged))
    assert warning.code == "wide_floor"
    assert warning.message.startswith("the floor of van is wider (320 cm) than long (100 cm)")
    assert warning.field == "vehicles[0].width"


@pytest.mark.parametrize(("width", "doubted"), [(30, True), (31, False)])
def test_floors_in_two_units_are_doubted(width: int, doubted: bool) -> None:
    """A cargo bike is narrow; a van in decimetres is narrower than an eighth of a lorry."""
    instance = fleet(LORRY, replace(VAN, width=width, length=400))
    instance = replace(
        instance,
        customers=tuple(replace(one, items=(Item(20, 40),) * 4) for one in instance.customers),
    )
    assert codes(instance) == ["unlike_floors"] * doubted
    for warning in check_plausibility(instance):
        assert "van 30 cm, 12 t 240 cm" in warning.message


@pytest.mark.parametrize("capacity", [6000, 100_000])
def test_the_smallest_capacity_says_whether_weights_matter(capacity: int) -> None:
    """A large lorry beside a van is no mistake."""
    assert codes(fleet(replace(LORRY, capacity=capacity), VAN)) == []
    heavy = (replace(LORRY, capacity=capacity), replace(VAN, capacity=capacity))
    assert codes(fleet(*heavy)) == ["ample_capacity"] * (capacity > 50 * 900)


def test_costs_of_leaving_out_without_rates_are_in_units_of_distance() -> None:
    """A planner who types euros must learn that a kilometre counts as one."""
    plain = (replace(LORRY, cost_per_distance=None), replace(VAN, cost_per_distance=None))
    (warning,) = check_plausibility(fleet(*plain, costs=(None, 50, 60)))
    assert warning.code == "leave_out_in_distance"
    assert "in units of distance (km)" in warning.message
    assert "cost_per_distance or cost_per_time" in warning.remedy
    assert (warning.subject, warning.field) == ("cost", "customers[1].leave_out_cost")
    assert codes(fleet(*plain)) == []
    only = Vehicle(240, 720, 6000)
    assert codes(fleet(only, costs=(30, None, None))) == ["leave_out_in_distance"]


@pytest.mark.parametrize(
    ("costs", "doubted"),
    [((0.8, 1.0, None), True), ((0.8, 5, None), False), ((0, 0, None), False)],
    ids=["thousands", "one is meant", "for nothing"],
)
def test_costs_far_below_any_route_are_doubted(
    costs: tuple[float | None, ...], doubted: bool
) -> None:
    """Thousands of euros beside euros; a route with the van costs 70 at least."""
    instance = fleet(costs=costs)
    assert codes(instance) == ["cheap_to_leave_out"] * doubted
    for warning in check_plausibility(instance):
        assert "costs 1.00 EUR at most" in warning.message


@pytest.mark.parametrize(("cost", "doubted"), [(10**6, True), (10_000, False)])
def test_a_cost_that_means_must_is_doubted(cost: int, doubted: bool) -> None:
    """Whoever must be served has no such cost."""
    instance = fleet(costs=(cost, None, None))
    assert codes(instance) == ["expensive_to_leave_out"] * doubted
    for warning in check_plausibility(instance):
        assert "1,000,000.00 EUR" in warning.message
        assert "must be served" in warning.remedy


def test_a_customer_that_no_vehicle_reaches_is_no_reason_for_a_warning() -> None:
    """It is left out in any case, whatever that costs."""
    instance = fleet()
    stranded = replace(instance.customers[0], items=(Item(999, 1),), leave_out_cost=1)
    assert codes(replace(instance, customers=(stranded, *instance.customers[1:]))) == []
