"""A part of the solutions: what has been decided about edges and trucks, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from tailgate.solver.column_generation import Subproblem
from tailgate.solver.master import Edge, EdgeRow, Row

FLEET: Edge = (0, 0)
"""Stands for the number of trucks in use where a decision names an edge."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An edge is used at most, or at least, so many times; or so many trucks are."""

    edge: Edge
    sense: Literal["at-most", "at-least"]
    value: int

    @property
    def forbids(self) -> bool:
        """Whether no route may use the edge."""
        return self.sense == "at-most" and self.value == 0 and self.edge != FLEET

    def row(self, customers: int) -> EdgeRow:
        """Return the decision as a row of the master problem."""
        # Every truck leaves the depot and comes back.
        trucks = self.edge == FLEET
        edges = [(0, customer) for customer in range(1, customers + 1)] if trucks else [self.edge]
        value = 2 * self.value if trucks else self.value
        if self.sense == "at-most":
            return EdgeRow.of(edges, upper=value)
        return EdgeRow.of(edges, lower=value)


@dataclass(frozen=True, slots=True)
class Node:
    """What was decided from the root to here; no solution in it costs less than the bound."""

    decisions: tuple[Decision, ...] = ()
    lower_bound: float = 0.0
    cuts: tuple[Row, ...] = field(default=(), compare=False)
    """That were tight where this part was split off. They hold everywhere."""

    @property
    def forbidden_edges(self) -> frozenset[Edge]:
        """Edges that no route may use."""
        return frozenset(decision.edge for decision in self.decisions if decision.forbids)

    def rows(self, customers: int) -> list[Row]:
        """Return the rows of the master problem for the other decisions."""
        return [choice.row(customers) for choice in self.decisions if not choice.forbids]

    def subproblem(
        self, customers: int, cuts: Iterable[Row], *, cutoff: float = math.inf
    ) -> Subproblem:
        """Return the node as column generation takes it, with these cuts."""
        rows = (*self.rows(customers), *cuts)
        return Subproblem(rows, self.forbidden_edges, self.lower_bound, cutoff)

    def child(self, decision: Decision, lower_bound: float, cuts: Iterable[Row]) -> Node:
        """Return the part in which this holds, too."""
        return Node((*self.decisions, decision), max(lower_bound, self.lower_bound), tuple(cuts))
