"""What counts as cheaper, and how far bounds round up: where costs have a step, and where not."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from tailgate.model.instance import Customer, Instance, Item, Travel, Vehicle
from tailgate.solver.search.cost_rounding import CostRounding


def with_rate(rate: float) -> Instance:
    """Return an instance over whole kilometres at some rate."""
    return Instance(
        name="rate",
        depot=(0, 0),
        customers=tuple(Customer(0, 0, 1, (Item(1, 1),)) for _ in range(2)),
        vehicle=Vehicle(4, 4, 9, cost_per_distance=rate),
        vehicle_count=2,
        travel=Travel.from_matrix([[0, 7, 9], [8, 0, 3], [5, 4, 0]]),
    )


@pytest.mark.parametrize("rate", [1, 3, 13, 0.9, 2.5, 0.25])
def test_no_possible_cost_lies_between_a_number_and_what_is_below_it(rate: float) -> None:
    """A search for solutions below a target must see the last possible cost below it.

    Targets are no possible costs in general. One step below such a target, a possible cost was
    missed, and a plan that was one step too expensive was called optimal.
    """
    rounding = CostRounding(with_rate(rate))
    step = Fraction(str(rate))
    assert rounding.step == step
    for hundredths in range(1, 20_000, 37):
        target = hundredths / 100
        largest = (math.ceil(Fraction(hundredths, 100) / step) - 1) * step
        assert rounding.below(target) == pytest.approx(float(largest), abs=1e-5 * rate)
        assert rounding.below(target) >= float(largest)
        limit = rounding.largest_below(target)
        assert limit == pytest.approx(float(largest), abs=1e-5 * rate)
        least = rounding.rounded_up(target)
        assert least == pytest.approx(float(largest + step))
        assert rounding.next_above(target) == pytest.approx(float(largest + 2 * step))


def test_a_step_that_floats_cannot_tell_apart_is_none() -> None:
    """Its sums would be rounded to another possible cost."""
    instance = with_rate(1)
    assert instance.costs.step == 1
    vehicle = replace(instance.vehicle, cost_per_distance=1, fixed_cost=0.000000001)
    assert replace(instance, vehicle=replace(vehicle, cost_per_distance=100_000)).costs.step is None


def test_real_costs_have_a_tolerance() -> None:
    """Straight lines are no multiples of anything."""
    rounding = CostRounding(replace(with_rate(1), travel=Travel.euclidean()))
    assert rounding.step is None
    assert rounding.below(1000) == pytest.approx(1000 - 1e-4)
    assert rounding.rounded_up(1.5) == 1.5
    assert rounding.largest_below(10) is None
