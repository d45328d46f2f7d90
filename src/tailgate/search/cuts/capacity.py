"""Rounded capacity rows: as many trucks come to a set of customers as its weight and area take.

For customers S the number of trucks that enter S is at least the greater of weight(S) / capacity
and area(S) / floor, rounded up (Laporte, Nobert and Desrochers 1985; on the floor's area Iori,
Salazar-Gonzalez and Vigo 2007).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.master import Row
from tailgate.master.edge_row import EdgeRow
from tailgate.search.cuts.family import CutFamily, RoutePath
from tailgate.search.cuts.loads import shares, trucks_needed, weight_and_area
from tailgate.search.cuts.set_search import (
    SupportGraph,
    choose_rows,
    find_candidates,
    violated_sets,
)
from tailgate.time_limit import TimeLimit

MIN_VIOLATION = 0.02
"""In trucks."""


class CapacityRows(CutFamily):
    """Sets of customers into which too few trucks come for their weight or their area."""

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        super().__init__(instance, oracle)
        self._loads = weight_and_area(instance)

    def separate(
        self,
        support: Mapping[RoutePath, float],
        *,
        max_cuts: int,
        time_limit: TimeLimit,
        known: Collection[Row] = (),
    ) -> list[EdgeRow]:
        """Look at sets that grow from many seeds."""
        graph, share = SupportGraph(support, self.instance.n), shares(self._loads)
        candidates = find_candidates(graph, share, time_limit)
        sets = violated_sets(graph, candidates, share, min_violation=MIN_VIOLATION)
        needs = [(customers, trucks_needed(self._loads, customers)) for customers in sets]
        return choose_rows(
            graph, needs, max_cuts=max_cuts, min_violation=MIN_VIOLATION, known=known
        )
