"""How many vehicles of each kind a solution uses, and what that means for its bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance


@dataclass(frozen=True, slots=True)
class FleetLimits:
    """By kind: the least and the most vehicles in use."""

    least: tuple[int, ...]
    most: tuple[int, ...]

    @classmethod
    def of(cls, instance: Instance) -> FleetLimits:
        """Return what an instance allows."""
        most = tuple(vehicle.count for vehicle in instance.vehicles)
        is_exact = instance.conventions.fleet == "exactly"
        return cls(most if is_exact else (0,) * len(most), most)

    def allow(self, kinds: npt.NDArray[np.int64]) -> bool:
        """Return whether these kinds of routes may be driven together."""
        used = np.bincount(kinds, minlength=len(self.most))
        return bool((used >= self.least).all() and (used <= self.most).all())

    def bounds(
        self, rows: float, least_costs: Sequence[float], unit: float
    ) -> tuple[float, npt.NDArray[np.float64]]:
        """Return the Lagrangian bound, and by kind the bound of all but one route of that kind.

        A route of a kind has at least this reduced cost, and a solution is worth what the rows pay
        and the reduced costs of its routes. All are multiples of the unit, and nothing is rounded
        up. An infinite reduced cost says that the kind has no route.
        """
        kinds = range(len(self.most))
        terms = [_fewest(self.least[k], self.most[k], least_costs[k], unit) for k in kinds]
        others = []
        for k in kinds:
            fewer = _fewest(max(0, self.least[k] - 1), self.most[k] - 1, least_costs[k], unit)
            others.append(_sum(rows, [*terms[:k], fewer, *terms[k + 1 :]], unit))
        return _sum(rows, terms, unit), np.array(others)


def _fewest(least: int, most: int, cost: float, unit: float) -> float:
    """Return the least n * cost in units, n between the least and the most."""
    if most < least:
        return math.inf
    if math.isinf(cost):
        return math.inf if least > 0 else 0
    units = int(cost / unit)
    return units * (most if units < 0 else least)


def _sum(rows: float, terms: Sequence[float], unit: float) -> float:
    """Return rows + the terms, which are in units; never rounded up."""
    if math.inf in terms:
        return math.inf
    units = int(rows / unit) + sum(map(int, terms))
    value = units * unit
    return value if abs(units) < 2**53 else math.nextafter(value, -math.inf)
