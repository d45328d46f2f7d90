"""What costs are counted in, and how people read them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from builders import small_instance, small_solution
from report_cases import furniture_day
from tailgate.model.cost_unit import CostUnit
from tailgate.model.instance import Units, Vehicle

EURO = CostUnit("EUR", is_money=True)


def test_money_has_cents_and_thousands() -> None:
    """A cost is rounded up and a bound down: neither says more than is proven."""
    assert EURO.cost_text(1234.5) == "1,234.50 EUR"
    assert EURO.cost_text(1234.501) == "1,234.51 EUR"
    assert EURO.bound_text(1234.509) == "1,234.50 EUR"
    assert EURO.cost_text(7) == "7.00 EUR"
    assert EURO.cost_number(0.1) == "0.10"


def test_a_bound_that_is_reached_reads_like_the_objective() -> None:
    """Different rounding must not make them look different; a bound that is too high shows it."""
    assert EURO.bound_text(1234.501, 1234.501) == "1,234.51 EUR"
    assert EURO.bound_text(1234.5, 1234.501) == "1,234.50 EUR"
    assert EURO.bound_text(50, 40) == "50.00 EUR"


def test_a_distance_keeps_its_digits() -> None:
    """Nothing changes where the plan costs its distance."""
    assert CostUnit("km").cost_text(119.87401) == "119.8741 km"
    assert CostUnit("km").bound_text(119.87409) == "119.8740 km"
    assert CostUnit("km").cost_text(285) == "285 km"
    assert CostUnit().cost_text(1234.5) == "1234.5000"


@pytest.mark.parametrize(
    ("units", "rates", "expected"),
    [
        (Units(distance_unit="km"), {}, CostUnit("km")),
        (Units(distance_unit="km", cost_unit="EUR"), {}, EURO),
        (Units(distance_unit="km", cost_unit="EUR"), {"cost_per_distance": 2}, EURO),
        (Units(distance_unit="km"), {"cost_per_distance": 2}, CostUnit("")),
        (Units(distance_unit="km"), {"fixed_cost": 1}, CostUnit("")),
    ],
)
def test_kilometres_are_the_unit_of_distances_alone(
    units: Units, rates: dict[str, Any], expected: CostUnit
) -> None:
    """Twice the distance is not a distance."""
    vehicle = Vehicle(4, 6, 70, **rates)
    assert CostUnit.of_instance(small_instance(units=units, vehicle=vehicle)) == expected


def test_a_solution_alone_knows_its_unit() -> None:
    """It does not hold its instance."""
    plain = replace(small_solution(), units=Units(distance_unit="km"))
    assert CostUnit.of_solution(plain) == CostUnit("km")
    _, solution = furniture_day()
    assert CostUnit.of_solution(solution) == EURO
    unnamed = replace(solution, units=replace(solution.units, cost_unit=""))
    assert CostUnit.of_solution(unnamed) == CostUnit("")
