"""What a fractional solution leaves open: what branching may decide, the most open first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, route_values
from tailgate.solver.master import Edge, edge_values
from tailgate.solver.search.decisions import FLEET, Decision, EdgeUse, KindUse, Ride, Service

INTEGRALITY = 1e-6
"""A value that is this near to an integer is one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two decisions of which every solution keeps one, and the value between them."""

    value: float
    down: Decision
    up: Decision

    @property
    def distance(self) -> float:
        """How far the value is from an integer."""
        return _distance(self.value)

    @property
    def decisions(self) -> tuple[Decision, Decision]:
        """Both."""
        return self.down, self.up


def candidates(support: Mapping[Column, float], instance: Instance) -> list[Candidate]:
    """Return what is undecided, the best to decide first; nothing: the solution is integral.

    Where every customer rides with one kind of vehicle or is left out, and every edge is used an
    integer number of times, the routes of each kind are integral, too.
    """
    edges = _edges(support, instance)
    if not instance.has_kinds and not instance.optional:
        return _fleet(support, instance) + edges
    # A decision on a customer says more than one on an edge that is as open.
    rest = sorted([*_customers(support, instance), *edges], key=lambda one: -one.distance)
    return [*_fleet(support, instance), *_kinds(support, instance), *rest]


def _fleet(support: Mapping[Column, float], instance: Instance) -> list[Candidate]:
    trucks = sum(support.values())
    if instance.conventions.fleet != "at-most" or _distance(trucks) <= INTEGRALITY:
        return []
    return [_edge_use(FLEET, trucks)]


def _kinds(support: Mapping[Column, float], instance: Instance) -> list[Candidate]:
    """Return the kinds of which no integer number of vehicles is in use."""
    if not instance.has_kinds or instance.conventions.fleet != "at-most":
        return []
    used = [0.0] * len(instance.vehicles)
    for column, value in support.items():
        used[column.kind] += value
    return [
        Candidate(
            value, KindUse(kind, "at-most", floor(value)), KindUse(kind, "at-least", ceil(value))
        )
        for kind, value in enumerate(used)
        if _distance(value) > INTEGRALITY
    ]


def _customers(support: Mapping[Column, float], instance: Instance) -> list[Candidate]:
    """Return the customers who are served in part, or by several kinds of vehicles."""
    by_kind: dict[tuple[int, int], float] = {}
    for (kind, route), value in support.items():
        for customer in route:
            by_kind[customer, kind] = by_kind.get((customer, kind), 0.0) + value
    served = dict.fromkeys(instance.optional, 0.0)
    for (customer, _), value in by_kind.items():
        if customer in served:
            served[customer] += value
    found = [
        Candidate(value, Service(customer, False), Service(customer, True))
        for customer, value in sorted(served.items())
        if _distance(value) > INTEGRALITY
    ]
    if instance.has_kinds:
        found += (
            Candidate(value, Ride(customer, kind, False), Ride(customer, kind, True))
            for (customer, kind), value in sorted(by_kind.items())
            if _distance(value) > INTEGRALITY
        )
    return found


def _edges(support: Mapping[Column, float], instance: Instance) -> list[Candidate]:
    undecided = [
        (edge, value)
        for edge, value in edge_values(route_values(support)).items()
        if _distance(value) > INTEGRALITY
    ]
    # Of equally undecided edges the longer one says more.
    undecided.sort(key=lambda one: (-_distance(one[1]), -instance.distance(*one[0]), one[0]))
    return [_edge_use(edge, value) for edge, value in undecided]


def _edge_use(edge: Edge, value: float) -> Candidate:
    return Candidate(
        value, EdgeUse(edge, "at-most", floor(value)), EdgeUse(edge, "at-least", ceil(value))
    )


def _distance(value: float) -> float:
    return abs(value - round(value))
