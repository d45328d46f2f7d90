"""What counts as a cheaper plan, and how far a bound may be rounded up."""

from __future__ import annotations

import math
from fractions import Fraction

from tailgate.model.instance import Instance
from tailgate.model.matrix import plain

STEP_TOLERANCE = 1e-6
"""Of a step: a bound that is above a possible cost by less may be above it by rounding only."""
RELATIVE_TOLERANCE = 1e-7
"""Real costs that differ by less, relatively, count as the same."""


class CostRounding:
    """Where all costs are multiples of a step, bounds round up to one.

    Integer distances make integer costs; a matrix in metres and a rate in cents have a step, too.
    Real costs have none, and are compared with a tolerance.
    """

    def __init__(self, instance: Instance) -> None:
        self.step: Fraction | None = instance.cost_step

    def below(self, cost: float) -> float:
        """Return what solutions that cost less than this cost at most, with some grace.

        Any number will do, a possible cost or not: a target of a search is none.
        """
        if self.step is not None and math.isfinite(cost):
            return (self._steps_below(cost) + STEP_TOLERANCE) * self._size
        return cost - RELATIVE_TOLERANCE * abs(cost)

    def rounded_up(self, bound: float) -> float:
        """Return the least cost that a solution not below the bound can have."""
        if self.step is not None and math.isfinite(bound):
            return plain(math.ceil(bound / self._size - STEP_TOLERANCE) * self.step)
        return bound

    def next_above(self, bound: float) -> float:
        """Return the least possible cost above the least that is not below the bound."""
        if self.step is None:
            return bound
        return plain((math.ceil(bound / self._size - STEP_TOLERANCE) + 1) * self.step)

    def largest_below(self, cutoff: float) -> float | None:
        """Return the largest possible cost below a cutoff, where costs have a step.

        What is no integer may be off by the rounding of floats, so that there is some grace.
        """
        if self.step is None:
            return None
        steps = self._steps_below(cutoff)
        if self.step.denominator == 1:
            return steps * self.step.numerator
        return (steps + STEP_TOLERANCE) * self._size

    def _steps_below(self, cost: float) -> int:
        return math.ceil(cost / self._size - STEP_TOLERANCE) - 1

    @property
    def _size(self) -> float:
        assert self.step is not None
        return float(self.step)
