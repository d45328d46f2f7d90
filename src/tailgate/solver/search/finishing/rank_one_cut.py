"""Chvatal-Gomory cuts of rank one over the rows of a few customers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class RankOneCut:
    """The rows of some customers, weighted, added up and rounded down.

    With an integer number of each route, the sum over all routes of floor(weights of their visits)
    is at most floor(sum of weights). With three weights of one half it is a subset row: of the
    routes that visit two of three customers, at most one is driven.
    """

    members: tuple[int, ...]
    numerators: tuple[int, ...]
    """One for each member; the weight is numerator / denominator, and below one."""
    denominator: int

    @property
    def upper(self) -> int:
        """What the routes add up to at most."""
        return sum(self.numerators) // self.denominator

    def coefficients(self, visits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return the coefficient of every route; `visits` has a row per customer, from 0."""
        total = np.zeros(visits.shape[1], np.uint8)
        for customer, numerator in zip(self.members, self.numerators, strict=True):
            total += np.uint8(numerator) * visits[customer - 1]
        return total // np.uint8(self.denominator)


def subset_row(members: tuple[int, int, int]) -> RankOneCut:
    """Return the cut of three customers with weights of one half."""
    return RankOneCut(members, (1, 1, 1), 2)
