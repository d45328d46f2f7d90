"""Quantities of which no truck carries more than its capacity."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance
from tailgate.solver.search.cuts.kind_groups import kind_groups


@dataclass(frozen=True, slots=True)
class Load:
    """So much of something for each customer; on any route the sum is within the capacity."""

    capacity: int
    amounts: tuple[int, ...]
    """By customer; of the depot zero."""

    def trucks(self, customers: Collection[int]) -> int:
        """Return how many trucks these customers need at least, as an integer."""
        return -(-sum(self.amounts[stop] for stop in customers) // self.capacity)


def weight_and_area(instance: Instance) -> list[Load]:
    """Return what is carried, and the floor that it takes; then the same of some customers.

    Customers whom only some kinds of vehicles may serve fill what the largest of these hold.
    """
    loads = []
    for group in kind_groups(instance):
        weights = group.amounts(instance, lambda customer: customer.weight)
        areas = group.amounts(instance, lambda customer: customer.area)
        loads += [Load(group.capacity, weights), Load(group.area, areas)]
    return loads


def trucks_needed(loads: Sequence[Load], customers: Collection[int]) -> int:
    """Return how many trucks come to these customers at least."""
    return max(min(1, len(customers)), *(load.trucks(customers) for load in loads))


def shares(loads: Sequence[Load]) -> npt.NDArray[np.float64]:
    """Return by load and customer what part of a truck it fills, to search with, not to prove."""
    return np.array([[amount / load.capacity for amount in load.amounts] for load in loads])
