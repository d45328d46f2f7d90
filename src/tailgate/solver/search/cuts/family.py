"""What the search asks of a family of cuts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.master import Row
from tailgate.solver.master.edge_row import EdgeRow
from tailgate.solver.pricing.subset_row import SubsetRow
from tailgate.solver.time_limit import TimeLimit

Cut = SubsetRow | EdgeRow
C = TypeVar("C", bound=Cut, covariant=True)


@dataclass(frozen=True, slots=True)
class CutQuery:
    """A fractional solution, and how many rows that it violates are wanted."""

    support: Mapping[RoutePath, float]
    max_cuts: int
    time_limit: TimeLimit
    known: Collection[Row] = ()
    """In the master problem already."""


class CutFamily(ABC, Generic[C]):
    """Finds rows of one kind that every plan keeps and a fractional solution does not.

    It knows nothing of the tree: its rows hold everywhere, whatever edges are forbidden.
    """

    max_cuts_per_round: ClassVar[int]

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        self.instance = instance
        self.oracle = oracle

    @abstractmethod
    def separate(self, query: CutQuery) -> Sequence[C]:
        """Return violated rows, the worst first."""
