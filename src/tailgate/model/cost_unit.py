"""What costs are counted in, and how people read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tailgate.model.rounding import bound_text, cost_text
from tailgate.model.units import with_unit

if TYPE_CHECKING:
    from tailgate.model.instance import Instance
    from tailgate.model.route import Route
    from tailgate.model.solution import Solution

_CENTS = 2


@dataclass(frozen=True, slots=True)
class CostUnit:
    """The unit of costs and bounds: money, distance, or nothing that has a name.

    Money has cents and thousands: 1,234.50 EUR. Distances keep the digits that they have as legs.
    """

    name: str = ""
    is_money: bool = False

    @classmethod
    def of_instance(cls, instance: Instance) -> CostUnit:
        """Return the unit in which the routes of an instance cost."""
        return cls(instance.cost_unit, is_money=bool(instance.units.cost_unit))

    @classmethod
    def of_solution(cls, solution: Solution) -> CostUnit:
        """Return the unit of a solution whose instance is not at hand."""
        units = solution.units
        if units.cost_unit:
            return cls(units.cost_unit, is_money=True)
        return cls(units.distance_unit if all(map(_costs_its_distance, solution.routes)) else "")

    def cost_text(self, cost: int | float) -> str:
        """Return a cost with its unit, rounded up: no plan is cheaper than it is."""
        return with_unit(self.cost_number(cost), self.name)

    def bound_text(self, bound: int | float, objective: int | float | None = None) -> str:
        """Return a lower bound with its unit; one that an objective reaches reads like it."""
        return with_unit(self.bound_number(bound, objective), self.name)

    def cost_number(self, cost: int | float) -> str:
        """Return a cost without its unit."""
        return cost_text(cost, decimals=_CENTS) if self.is_money else cost_text(cost)

    def bound_number(self, bound: int | float, objective: int | float | None = None) -> str:
        """Return a lower bound without its unit; decimals are cut off, never rounded up."""
        if objective is not None and bound >= objective and math.isclose(bound, objective):
            # The two are equal: different rounding must not make them look different.
            return self.cost_number(objective)
        return bound_text(bound, decimals=_CENTS) if self.is_money else bound_text(bound)


def _costs_its_distance(route: Route) -> bool:
    return route.parts is None or route.cost == route.distance == route.parts.distance
