"""The Lagrangian bound: valid whatever the duals are."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KindTerm:
    """What one kind of vehicle adds to the bound: n times the least reduced cost of its routes."""

    least_reduced_cost: float
    """No route of the kind costs less beyond what its rows pay for it."""
    fewest: int
    most: int
    """So many vehicles of the kind are used, at least and at most."""
    rounding: float = 0.0
    """A route may cost so much less under the duals of the bound than under those of its pricer."""

    @property
    def dual(self) -> float:
        """The best dual of the kind's row: what one vehicle more adds.

        Where none need be used, a positive reduced cost counts as zero.
        """
        return self.least_reduced_cost if self.fewest else min(0.0, self.least_reduced_cost)

    @property
    def least(self) -> float:
        """What the routes of the kind cost at least beyond what their rows pay."""
        return self._at_least(self.fewest, self.most)

    @property
    def least_without_one_route(self) -> float:
        """The same of a solution that uses the kind, apart from one of its routes."""
        if not self.most:
            return math.inf
        return self._at_least(max(self.fewest - 1, 0), self.most - 1)

    def _at_least(self, fewest: int, most: int) -> float:
        routes = most if self.dual < 0 else fewest
        return routes * self.dual if routes else 0.0


@dataclass(frozen=True, slots=True)
class Lagrangian:
    """The rows priced by some duals, as pricing has rounded them.

    A solution costs at least what all rows pay, plus, for each kind of vehicle, the number of its
    routes times the least reduced cost of one.
    """

    constant: float
    """What all rows together pay, without those of the kinds."""
    kinds: tuple[KindTerm, ...]

    @property
    def bound(self) -> float:
        """No solution costs less."""
        return math.fsum((self.constant, *(term.least for term in self.kinds)))

    def bound_without_one_route(self, kind: int) -> float:
        """What a solution that uses a kind costs at least, apart from one route of the kind."""
        terms = (
            term.least_without_one_route if other == kind else term.least
            for other, term in enumerate(self.kinds)
        )
        return math.fsum((self.constant, *terms))

    @property
    def fleet_duals(self) -> tuple[float, ...]:
        """The best duals of the rows of the kinds."""
        return tuple(term.dual for term in self.kinds)
