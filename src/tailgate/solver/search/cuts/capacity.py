"""Rounded capacity rows: as many trucks come to a set of customers as its weight and area take.

For customers S the number of trucks that enter S is at least the greater of weight(S) / capacity
and area(S) / floor, rounded up (Laporte, Nobert and Desrochers 1985; on the floor's area Iori,
Salazar-Gonzalez and Vigo 2007). Of several kinds of vehicles the largest that may come counts.
"""

from __future__ import annotations

from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.master.edge_row import EdgeRow
from tailgate.solver.search.cuts.family import CutFamily, CutQuery
from tailgate.solver.search.cuts.loads import weight_and_area
from tailgate.solver.search.cuts.set_search import SetSearch


class CapacityRows(CutFamily[EdgeRow]):
    """Sets of customers into which too few trucks come for their weight or their area."""

    max_cuts_per_round = 20

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        super().__init__(instance, oracle)
        self._loads = weight_and_area(instance)

    def separate(self, query: CutQuery) -> list[EdgeRow]:
        """Look at sets that grow from many seeds."""
        search = SetSearch(query, self.instance, self._loads)
        return search.choose_rows(search.violated_sets())
