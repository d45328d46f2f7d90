"""Rows on edges: a sum over the roads that a plan uses, whoever drives there.

Customers who are left out may count, too. In pricing the dual of such a row becomes a price of its
edges, so it makes no route harder to find.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tailgate.model.aliases import RoutePath
from tailgate.solver.column import Column

Edge = tuple[int, int]
"""The smaller number first; 0 is the depot."""


def edges_of(route: Sequence[int]) -> list[Edge]:
    """Return the edges in the order of travel; a single customer's edge comes twice."""
    edges = []
    before = 0
    for stop in route:
        edges.append((before, stop) if before < stop else (stop, before))
        before = stop
    edges.append((0, before))
    return edges


def edges_at(customer: int, n: int) -> set[Edge]:
    """Return all edges of one of the customers 1..n."""
    return {(min(customer, other), max(customer, other)) for other in range(n + 1)} - {
        (customer, customer)
    }


def edge_values(support: Mapping[RoutePath, float]) -> dict[Edge, float]:
    """Return how often a fractional solution uses each edge."""
    values: dict[Edge, float] = {}
    for route, value in support.items():
        for edge in edges_of(route):
            values[edge] = values.get(edge, 0.0) + value
    return values


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """The sum of coefficient * (how often a plan uses the edge), between lower and upper.

    To which each customer that a plan leaves out adds its own coefficient.
    """

    edges: frozenset[tuple[Edge, int]]
    """Edges, each once, with their coefficients."""
    lower: float = -math.inf
    upper: float = math.inf
    left_out: frozenset[tuple[int, float]] = frozenset()
    """Customers, each once, with what it counts for to leave them out."""
    _coefficients: Mapping[Edge, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make a table of the coefficients."""
        coefficients = dict(self.edges)
        assert len(coefficients) == len(self.edges)
        object.__setattr__(self, "_coefficients", coefficients)

    @classmethod
    def of(
        cls, edges: Iterable[Edge], *, lower: float = -math.inf, upper: float = math.inf
    ) -> EdgeRow:
        """Return the row that counts how often these edges are used."""
        return cls(frozenset((edge, 1) for edge in edges), lower, upper)

    @classmethod
    def trucks(cls, customers: Collection[int], n: int, at_least: int) -> EdgeRow:
        """Return the row that so many trucks come to a set of the customers 1..n, or more.

        A truck that comes crosses the border of the set at least twice. Of the edges of its
        customers, two each, those inside count for two customers. So a crossing more is half an
        edge less inside: two ways to write the row, and the one with fewer edges is taken.
        """
        inside = frozenset(customers)
        outside = [stop for stop in range(n + 1) if stop not in inside]
        if len(inside) - 1 <= 2 * len(outside):
            return cls.of(combinations(sorted(inside), 2), upper=float(len(inside) - at_least))
        border = ((min(i, o), max(i, o)) for i in inside for o in outside)
        return cls.of(border, lower=2.0 * at_least)

    def coefficient(self, route: Sequence[int]) -> int:
        """Return what one truck on this route adds; a single customer's edge is used twice."""
        coefficient = self._coefficients.get
        total = before = 0
        for stop in route:
            total += coefficient((before, stop) if before < stop else (stop, before), 0)
            before = stop
        return total + coefficient((0, before), 0)

    def coefficients(self, columns: Sequence[Column]) -> list[int]:
        """Return the coefficient of each column."""
        return [self.coefficient(route) for _, route in columns]

    def violation(
        self, support: Mapping[RoutePath, float], left_out: Mapping[int, float] | None = None
    ) -> float:
        """Return by how much a fractional solution misses the row; not positive if it keeps it."""
        total = math.fsum(self.coefficient(route) * value for route, value in support.items())
        if left_out and self.left_out:
            total += math.fsum(amount * left_out.get(one, 0.0) for one, amount in self.left_out)
        return max(self.lower - total, total - self.upper)
