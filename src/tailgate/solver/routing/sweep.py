"""A plain first solution: around the depot like the hand of a clock, one vehicle after the other.

The route search finds better ones, but where trucks hold hundreds of items it may not find any in
the time that it has. Here every customer costs one loading check for each kind of vehicle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tailgate.model.aliases import RoutePath
from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.time_limit import TimeLimit


def sweep(
    instance: Instance,
    oracles: LoadingOracle | Sequence[LoadingOracle],
    *,
    max_nodes: int,
    time_limit: TimeLimit,
) -> list[Column] | None:
    """Return proven routes that keep every rule, or None; ``max_nodes`` limits a loading check.

    Whoever is in none of them is left out.
    """
    by_kind = (oracles,) if isinstance(oracles, LoadingOracle) else tuple(oracles)
    return _Sweep(instance, by_kind, max_nodes, time_limit).run()


class _Sweep:
    """The routes so far; the last one grows."""

    def __init__(
        self,
        instance: Instance,
        oracles: Sequence[LoadingOracle],
        max_nodes: int,
        time_limit: TimeLimit,
    ) -> None:
        self._instance = instance
        self._views = views_of(instance)
        self._oracles = oracles
        self._max_nodes = max_nodes
        self._time_limit = time_limit
        self._columns: list[Column] = []
        self._used = [0] * len(self._views)

    def run(self) -> list[Column] | None:
        numbers = range(1, self._instance.n + 1)
        optional = self._instance.optional
        for customer in sorted(numbers, key=self._angle):
            if self._time_limit.expired:
                return None
            if not self._place(customer) and customer not in optional:
                return None
        return self._columns if self._is_in_order() else None

    def _angle(self, customer: int) -> float:
        place, (x, y) = self._instance.customer(customer), self._instance.depot
        return math.atan2(place.y - y, place.x - x)

    def _place(self, customer: int) -> bool:
        """Go on with the last vehicle, or else with the next."""
        if self._columns:
            kind, route = self._columns[-1]
            longer = Column(kind, (*route, customer))
            if self._is_proven(longer):
                self._columns[-1] = longer
                return True
        for kind, view in enumerate(self._views):
            column = Column(kind, (customer,))
            if self._used[kind] < view.vehicle_count and self._is_proven(column):
                self._columns.append(column)
                self._used[kind] += 1
                return True
        return False

    def _is_proven(self, column: Column) -> bool:
        view = self._views[column.kind]
        stops = [view.customer(customer) for customer in column.route]
        return (
            sum(stop.weight for stop in stops) <= view.vehicle.capacity
            and sum(stop.area for stop in stops) <= view.vehicle.area
            and view.is_allowed(column.route)
            and self._can_load(column.kind, column.route)
        )

    def _can_load(self, kind: int, route: RoutePath) -> bool:
        result = self._oracles[kind].check(route, max_nodes=self._max_nodes)
        return result.verdict is Verdict.FEASIBLE

    def _is_in_order(self) -> bool:
        """Do the routes keep the rules of the fleet?"""
        rules = self._instance.conventions
        forbids_single = rules.single_customer_routes == "forbid"
        if forbids_single and any(len(column.route) == 1 for column in self._columns):
            return False
        if rules.fleet != "exactly":
            return True
        return all(self._used[kind] == view.vehicle_count for kind, view in enumerate(self._views))
