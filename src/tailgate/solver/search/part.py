"""What the parts of a search have in common."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.solver.column_generation import ColumnGeneration
from tailgate.solver.search.incumbent import Incumbent
from tailgate.solver.search.node_queue import NodeQueue
from tailgate.solver.search.options import Options
from tailgate.solver.time_limit import TimeLimit


@dataclass(eq=False)
class SearchPart:
    """One part of the search: what all of them work on."""

    options: Options
    time_limit: TimeLimit
    generation: ColumnGeneration
    incumbent: Incumbent
    queue: NodeQueue

    @property
    def node_is_done(self) -> bool:
        """Whether the node at work holds nothing better than the best plan."""
        return self.queue.current.lower_bound >= self.incumbent.cutoff
