"""What counts as a cheaper plan, and how far a bound may be rounded up."""

from __future__ import annotations

import math

from tailgate.model.instance import Instance

INTEGER_TOLERANCE = 1e-6
"""A bound that is above an integer by less may be above it by rounding only."""
RELATIVE_TOLERANCE = 1e-7
"""Real costs that differ by less, relatively, count as the same."""


class CostRounding:
    """Integer distances make integer costs; real costs are compared with a tolerance."""

    def __init__(self, instance: Instance) -> None:
        self.is_integer = instance.conventions.distance != "exact"

    def below(self, cost: float) -> float:
        """Return what solutions that cost less than this cost at most."""
        if self.is_integer:
            return cost - 1 + INTEGER_TOLERANCE
        return cost - RELATIVE_TOLERANCE * abs(cost)

    def rounded_up(self, bound: float) -> float:
        """Return the least cost that a solution not below the bound can have."""
        if self.is_integer and math.isfinite(bound):
            return math.ceil(bound - INTEGER_TOLERANCE)
        return bound
