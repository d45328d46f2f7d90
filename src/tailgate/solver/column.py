"""A column of the master problem: a route, and the kind of vehicle that drives it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance


class Column(NamedTuple):
    """A route of one kind of vehicle."""

    kind: int
    """From 0, in the order of the instance."""
    route: RoutePath


def columns_of(kind: int, routes: Iterable[RoutePath]) -> list[Column]:
    """Return routes of one kind as columns."""
    return [Column(kind, route) for route in routes]


def views_of(instance: Instance) -> tuple[Instance, ...]:
    """Return the instance as each kind of vehicle sees it."""
    return tuple(instance.of_kind(kind) for kind in range(len(instance.vehicles)))


def route_values(support: Mapping[Column, float]) -> dict[RoutePath, float]:
    """Return how much of each route a fractional solution uses, whoever drives it."""
    values: dict[RoutePath, float] = {}
    for (_, route), value in support.items():
        values[route] = values.get(route, 0.0) + value
    return values
