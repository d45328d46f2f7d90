"""Routes that are known to be feasible, priced before any search for new ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance


class RoutePool:
    """Proven routes outside the master problem; each leaves the pool when it enters there."""

    def __init__(self, instance: Instance, loadable: Iterable[RoutePath]) -> None:
        """Take those of the loadable routes that keep all the other rules, too."""
        shortest = 2 if instance.conventions.single_customer_routes == "forbid" else 1
        weights = (0, *(customer.weight for customer in instance.customers))
        capacity, allows_all = instance.vehicle.capacity, instance.allows_every_route
        self._routes = [
            route
            for route in dict.fromkeys(loadable)
            if len(route) >= shortest
            and sum(map(weights.__getitem__, route)) <= capacity
            and (allows_all or instance.is_allowed(route))
        ]
        self._costs = instance.costs.of_routes(self._routes)
        self._waiting = np.ones(len(self._routes), bool)
        lengths = np.array([len(route) for route in self._routes], np.int64)
        self._starts = np.concatenate(([0], np.cumsum(lengths)))[:-1].astype(np.int64)
        stops = [customer for route in self._routes for customer in route]
        self._stops = np.array(stops, np.int64)

    @property
    def waiting(self) -> list[RoutePath]:
        """Those that have not left it."""
        return [self._routes[index] for index in np.flatnonzero(self._waiting)]

    def take(
        self, duals: Sequence[float], threshold: float, *, max_routes: int, cost_factor: float = 1.0
    ) -> tuple[RoutePath, ...]:
        """Remove and return the cheapest routes below the threshold, as `Pricer.price` finds."""
        if not self._waiting.any():
            return ()
        paid = np.array([0.0, *duals])[self._stops]
        reduced = cost_factor * self._costs - np.add.reduceat(paid, self._starts)
        found = np.flatnonzero(self._waiting & (reduced < threshold))
        cheapest = found[np.argsort(reduced[found], kind="stable")][:max_routes]
        self._waiting[cheapest] = False
        return tuple(self._routes[index] for index in cheapest)
