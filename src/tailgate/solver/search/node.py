"""A part of the solutions: what has been decided from the root to here, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from tailgate.model.instance import Instance
from tailgate.solver.column_generation import Subproblem
from tailgate.solver.master import Row
from tailgate.solver.search.decisions import Decision, part_of, rows_of


@dataclass(frozen=True, slots=True)
class Node:
    """What was decided from the root to here; no solution in it costs less than the bound."""

    decisions: tuple[Decision, ...] = ()
    lower_bound: float = 0.0
    cuts: tuple[Row, ...] = field(default=(), compare=False)
    """That were tight where this part was split off. They hold everywhere."""

    def rows(self, instance: Instance) -> list[Row]:
        """Return the rows of the master problem that the decisions make."""
        return rows_of(self.decisions, instance.n)

    def subproblem(
        self, instance: Instance, cuts: Iterable[Row], *, cutoff: float = math.inf
    ) -> Subproblem:
        """Return the node as column generation takes it, with these cuts."""
        return Subproblem(
            rows=(*self.rows(instance), *cuts),
            lower_bound=self.lower_bound,
            cutoff=cutoff,
            **part_of(self.decisions, instance),
        )

    def child(self, decision: Decision, lower_bound: float, cuts: Iterable[Row]) -> Node:
        """Return the part in which this holds, too."""
        return Node((*self.decisions, decision), max(lower_bound, self.lower_bound), tuple(cuts))
