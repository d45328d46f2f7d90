"""A cut on three customers: no two routes share a solution that both visit two of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tailgate.solver.column import Column


@dataclass(frozen=True, slots=True)
class SubsetRow:
    """Of three customers every second visit counts: a solution may have one such visit in all.

    A route that has visited one of them carries half a visit along, and forgets it where it leaves
    the memory. A smaller memory is cheaper to price and makes a weaker, but still valid, cut.
    """

    members: tuple[int, int, int]
    """Sorted."""
    memory: frozenset[int]
    """Customers at whom half a visit is kept, the members among them."""

    def __post_init__(self) -> None:
        """Refuse what is none."""
        if list(self.members) != sorted(set(self.members)) or len(self.members) != 3:
            raise ValueError("the members must be three different customers, sorted")
        if not self.memory.issuperset(self.members):
            raise ValueError("the memory must contain the members")

    @property
    def lower(self) -> float:
        """There is no lower limit."""
        return -math.inf

    @property
    def upper(self) -> float:
        """One such visit."""
        return 1.0

    @property
    def left_out(self) -> frozenset[tuple[int, float]]:
        """Customers who are left out do not count."""
        return frozenset()

    def coefficient(self, route: Iterable[int]) -> int:
        """Return how often one route counts; its direction does not matter."""
        visits = pending = 0
        for customer in route:
            if customer not in self.memory:
                pending = 0
            elif customer in self.members:
                visits += pending
                pending = 1 - pending
        return visits

    def coefficients(self, columns: Sequence[Column]) -> list[int]:
        """Return how often each column counts."""
        first, second, third = self.members
        return [
            self.coefficient(route)
            if (first in route) + (second in route) + (third in route) > 1
            else 0
            for _, route in columns
        ]
