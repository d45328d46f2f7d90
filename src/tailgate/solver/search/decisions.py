"""What a branch of the search tree decides: edges, vehicles in use, who rides with what, or not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypedDict

from tailgate.model.instance import Instance
from tailgate.solver.master import Edge, EdgeRow, Row, vehicle_limits

FLEET: Edge = (0, 0)
"""Stands for the number of trucks in use where a decision names an edge."""

Sense = Literal["at-most", "at-least"]


@dataclass(frozen=True, slots=True)
class EdgeUse:
    """An edge is used at most, or at least, so many times; or so many trucks are."""

    edge: Edge
    sense: Sense
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
class KindUse:
    """At most, or at least, so many vehicles of a kind are used."""

    kind: int
    sense: Sense
    value: int


@dataclass(frozen=True, slots=True)
class Service:
    """A customer who may be left out is served, or is left out."""

    customer: int
    is_served: bool


@dataclass(frozen=True, slots=True)
class Ride:
    """A customer rides with a kind of vehicle, or with another one or none."""

    customer: int
    kind: int
    is_taken: bool


Decision = EdgeUse | KindUse | Service | Ride


def rows_of(decisions: Iterable[Decision], customers: int) -> list[Row]:
    """Return the rows of the master problem that decisions make."""
    return [one.row(customers) for one in decisions if isinstance(one, EdgeUse) and not one.forbids]


class PartDict(TypedDict, total=False):
    """What decisions forbid, as a subproblem of column generation takes it."""

    forbidden_edges: frozenset[Edge]
    served: frozenset[int]
    left_out: frozenset[int]
    refused: frozenset[tuple[int, int]]
    vehicle_limits: tuple[tuple[int, int], ...] | None


def part_of(decisions: Iterable[Decision], instance: Instance) -> PartDict:
    """Return what decisions forbid: pricing needs no dual for it."""
    kinds = range(len(instance.vehicles))
    edges: set[Edge] = set()
    served: set[int] = set()
    left_out: set[int] = set()
    refused: set[tuple[int, int]] = set()
    limits = list(vehicle_limits(instance))
    for one in decisions:
        match one:
            case EdgeUse():
                if one.forbids:
                    edges.add(one.edge)
            case KindUse(kind, sense, value):
                fewest, most = limits[kind]
                is_most = sense == "at-most"
                limits[kind] = (fewest, min(most, value)) if is_most else (max(fewest, value), most)
            case Service(customer, is_served):
                (served if is_served else left_out).add(customer)
            case Ride(customer, kind, False):
                refused.add((customer, kind))
            case Ride(customer, kind, True):
                served.add(customer)
                refused.update((customer, other) for other in kinds if other != kind)
    is_limited = tuple(limits) != vehicle_limits(instance)
    return {
        "forbidden_edges": frozenset(edges),
        # The others are served in any case.
        "served": frozenset(served & instance.optional),
        "left_out": frozenset(left_out),
        "refused": frozenset(refused),
        "vehicle_limits": tuple(limits) if is_limited else None,
    }
