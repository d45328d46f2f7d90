"""The row that so much is left out at least: proven before the search that uses it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from tailgate.solver.master.edge_row import EdgeRow
from tailgate.solver.search.cuts.family import CutQuery

MIN_VIOLATION = 1e-4


class LeastLeftOut:
    """Every plan leaves out so much, whatever a fractional solution says."""

    max_cuts_per_round = 1

    def __init__(self, weights: Mapping[int, float], least: float) -> None:
        """Take what each customer counts for, and the least sum of those left out."""
        self._weights = weights
        self._row = EdgeRow(frozenset(), lower=least, left_out=frozenset(weights.items()))

    def separate(self, query: CutQuery) -> list[EdgeRow]:
        """Return the row, unless it is there or kept."""
        served = dict.fromkeys(self._weights, 0.0)
        for route, value in query.support.items():
            for stop in route:
                if stop in served:
                    served[stop] += value
        left_out = math.fsum(self._weights[one] * (1.0 - part) for one, part in served.items())
        is_kept = left_out >= self._row.lower - MIN_VIOLATION * max(1.0, self._row.lower)
        return [] if is_kept or self._row in query.known else [self._row]
