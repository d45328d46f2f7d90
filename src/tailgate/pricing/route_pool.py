"""Routes that are known to be feasible, priced before any search for new ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tailgate.instance import Instance

RoutePath = tuple[int, ...]


class RoutePool:
    """Proven routes outside the master problem; each leaves the pool when it enters there."""

    def __init__(self, instance: Instance, routes: Sequence[RoutePath]) -> None:
        self._routes = list(routes)
        self._costs = np.array([instance.route_cost(route) for route in routes], float)
        self._waiting = np.ones(len(routes), bool)
        lengths = np.array([len(route) for route in routes], np.int64)
        self._starts = np.concatenate(([0], np.cumsum(lengths)))[:-1].astype(np.int64)
        self._stops = np.array([customer for route in routes for customer in route], np.int64)

    def take(
        self,
        duals: Sequence[float],
        threshold: float,
        *,
        max_routes: int,
        cost_factor: float = 1.0,
    ) -> tuple[RoutePath, ...]:
        """Remove and return the cheapest routes below the threshold, as `Pricer.price` finds."""
        if not self._waiting.any():
            return ()
        prices = np.array([0.0, *duals])[self._stops]
        reduced = cost_factor * self._costs - np.add.reduceat(prices, self._starts)
        found = np.flatnonzero(self._waiting & (reduced < threshold))
        cheapest = found[np.argsort(reduced[found], kind="stable")][:max_routes]
        self._waiting[cheapest] = False
        return tuple(self._routes[index] for index in cheapest)
