"""What a part of the search tree forbids: no dual comes of it, so pricing stays as it is."""

from __future__ import annotations

from dataclasses import dataclass

from tailgate.solver.column import Column
from tailgate.solver.master.edge_row import Edge, edges_of

Barred = tuple[int, int]
"""A kind of vehicle, and a customer to whom it does not come."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """Edges nobody drives, customers some kinds do not serve, and limits of vehicles in use."""

    forbidden_edges: frozenset[Edge] = frozenset()
    """Of all kinds."""
    barred: frozenset[Barred] = frozenset()
    served: frozenset[int] = frozenset()
    """Customers who might be left out, and are not."""
    left_out: frozenset[int] = frozenset()
    """Customers who are left out; they are barred from all kinds."""
    fewest: tuple[tuple[int, int], ...] = ()
    most: tuple[tuple[int, int], ...] = ()
    """By kind, where fewer vehicles are allowed than the instance allows: kind and number."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is forbidden."""
        return self == _NOTHING

    def allows(self, column: Column) -> bool:
        """Return whether a column may be used."""
        if not self.forbidden_edges.isdisjoint(edges_of(column.route)):
            return False
        kind = column.kind
        return not self.barred or not any((kind, stop) in self.barred for stop in column.route)

    def edges_forbidden_to(self, kind: int, customers: int) -> frozenset[Edge]:
        """Return the edges that no route of a kind uses: all that lead to customers barred."""
        barred = [stop for other, stop in self.barred if other == kind]
        if not barred:
            return self.forbidden_edges
        own = {
            (min(place, stop), max(place, stop))
            for stop in barred
            for place in range(customers + 1)
            if place != stop
        }
        return self.forbidden_edges | own

    def limits(self, kind: int, fewest: int, most: int) -> tuple[int, int]:
        """Return how many vehicles of a kind are used, where the instance allows so many."""
        return max(fewest, dict(self.fewest).get(kind, fewest)), min(
            most, dict(self.most).get(kind, most)
        )


_NOTHING = Restriction()
