"""The Lagrangian bound: valid whatever the duals are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tailgate.model.instance import Instance


@dataclass(frozen=True, slots=True)
class Lagrangian:
    """The rows priced by some duals, as pricing has rounded them.

    A solution with k routes costs at least what all rows pay, plus k times the least reduced cost
    of a route. Where fewer routes than the fleet has vehicles will do, a positive reduced cost
    counts as zero.
    """

    constant: float
    """What all rows together pay, without the fleet's."""
    least_reduced_cost: float
    """No route costs less beyond what its rows pay for it."""
    vehicle_count: int

    @classmethod
    def of(cls, instance: Instance, constant: float, least_reduced_cost: float) -> Lagrangian:
        """Return the bound of an instance, by its rule for the fleet."""
        if instance.conventions.fleet == "at-most":
            least_reduced_cost = min(0.0, least_reduced_cost)
        return cls(constant, least_reduced_cost, instance.vehicle_count)

    @property
    def bound(self) -> float:
        """No solution costs less."""
        return self._with_routes(self.vehicle_count)

    @property
    def bound_without_one_route(self) -> float:
        """What a solution costs at least, apart from the reduced cost of one of its routes."""
        return self._with_routes(self.vehicle_count - 1)

    def _with_routes(self, routes: int) -> float:
        return math.fsum((self.constant, routes * self.least_reduced_cost))
