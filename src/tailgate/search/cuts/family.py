"""What the search asks of a family of cuts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence

from tailgate.instance import Instance
from tailgate.loading import LoadingOracle
from tailgate.master import Row
from tailgate.master.edge_row import EdgeRow
from tailgate.pricing.subset_row import SubsetRow
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]
Cut = SubsetRow | EdgeRow


class CutFamily(ABC):
    """Finds rows of one kind that every plan keeps and a mixture of routes does not.

    It knows nothing of the tree: its rows hold everywhere, whatever edges are forbidden.
    """

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        self.instance = instance
        self.oracle = oracle

    @abstractmethod
    def separate(
        self,
        support: Mapping[RoutePath, float],
        *,
        max_cuts: int,
        time_limit: TimeLimit,
        known: Collection[Row] = (),
    ) -> Sequence[Cut]:
        """Return violated rows, the worst first; `known` are in the master problem already."""
