"""The set-partitioning problem by brute force: every feasible route, then the LP and the optimum.

Nothing here comes from the solver: distances, times and loading are worked out again, and HiGHS is
called directly. Good for eight customers at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

import highspy
import numpy as np

from brute_force import Size, can_load
from tailgate.model.instance import Instance, Item

Stops = tuple[int, ...]
Sizes = tuple[Size, ...]
Cost = int | float

# The judge's own: travel times are rounded floats, so a window may be missed by this much.
TIME_TOLERANCE = 1e-9


class Enumeration:
    """All feasible routes of a tiny instance, and what can be made of them."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._items: list[Sizes] = [
            tuple(
                sorted((item.width, item.length, self._may_turn(item)) for item in customer.items)
            )
            for customer in instance.customers
        ]
        self._loadable: dict[tuple[Sizes, ...], bool] = {(): True}
        self.routes: dict[Stops, Cost] = {
            route: self.cost(route) for route in self._feasible_routes()
        }

    def _may_turn(self, item: Item) -> bool:
        match self._instance.conventions.turn:
            case "all":
                return True
            case "none":
                return False
            case "as-given":
                return item.turn

    # Single routes.

    def distance(self, start: int, end: int) -> Cost:
        """Return the distance between two of the numbers 0..n."""
        return self._distances[start][end]

    @cached_property
    def _distances(self) -> list[list[Cost]]:
        points = [self._instance.depot, *((c.x, c.y) for c in self._instance.customers)]
        return [[self._measured(start, end) for end in points] for start in points]

    def _measured(self, start: tuple[int, int], end: tuple[int, int]) -> Cost:
        scale = self._instance.units.coordinate_scale
        # For coordinates this small the float root of a square is exact.
        distance = math.sqrt((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) / scale
        match self._instance.conventions.distance:
            case "truncated":
                return math.floor(distance)
            case "rounded":
                return math.floor(distance + 0.5)
            case "exact":
                return distance

    def cost(self, route: Stops) -> Cost:
        """Return the length of the tour from the depot to the depot."""
        return sum(self.distance(start, end) for start, end in pairwise((0, *route, 0)))

    def _feasible_routes(self) -> Iterator[Stops]:
        shortest = 2 if self._instance.conventions.single_customer_routes == "forbid" else 1
        for route, departure in self._beginnings((), 0, self._instance.depot_ready):
            # Not every beginning of a route gets home in time: a detour may be shorter than the
            # direct way, where distances are truncated.
            if len(route) >= shortest and self._is_home_in_time(route, departure):
                yield route

    def _beginnings(
        self, route: Stops, weight: int, departure: Cost
    ) -> Iterator[tuple[Stops, Cost]]:
        """Yield routes that keep all limits up to their last customer, and when they leave it."""
        for number, customer in enumerate(self._instance.customers, start=1):
            if number in route:
                continue
            if weight + customer.weight > self._instance.vehicle.capacity:
                continue
            arrival = departure + self.distance(route[-1] if route else 0, number)
            if customer.due is not None and _is_late(arrival, customer.due):
                continue
            longer = (*route, number)
            if not self.is_loadable(longer):
                continue
            left = max(arrival, customer.ready) + customer.service
            yield longer, left
            yield from self._beginnings(longer, weight + customer.weight, left)

    def _is_home_in_time(self, route: Stops, departure: Cost) -> bool:
        due = self._instance.depot_due
        return due is None or not _is_late(departure + self.distance(route[-1], 0), due)

    def is_loadable(self, route: Stops) -> bool:
        """Say whether a route can be loaded."""
        return self._can_load(
            tuple(self._items[number - 1] for number in route if self._items[number - 1])
        )

    def _can_load(self, stops: tuple[Sizes, ...]) -> bool:
        """Try it out, unless it follows from what is known.

        Three things follow from the definition: without LIFO the order means nothing; a loading
        seen in a mirror between cab and door is one of the reversed route; and what is left of a
        loading when a customer is taken out of it is a loading.
        """
        lifo = self._instance.conventions.lifo
        key = min(stops, stops[::-1]) if lifo else tuple(sorted(stops))
        known = self._loadable.get(key)
        if known is None:
            parts = (key[:i] + key[i + 1 :] for i in range(len(key)))
            vehicle = self._instance.vehicle
            known = all(self._can_load(part) for part in parts) and can_load(
                vehicle.width, vehicle.length, key, lifo=lifo
            )
            self._loadable[key] = known
        return known

    # All of them.

    @cached_property
    def cheapest(self) -> Mapping[frozenset[int], Cost]:
        """The least cost of each set of customers that some route can serve."""
        costs: dict[frozenset[int], Cost] = {}
        for route, cost in self.routes.items():
            customers = frozenset(route)
            costs[customers] = min(cost, costs.get(customers, math.inf))
        return costs

    @cached_property
    def lp_value(self) -> float | None:
        """The least cost of covering every customer once by shares of routes; None if impossible.

        Only the cheapest route of each set is in it: the others have the same column.
        """
        n, count = self._instance.n, self._instance.vehicle_count
        if not self.cheapest:
            return None
        at_least = count if self._instance.conventions.fleet == "exactly" else 0
        columns = [sorted(customers) for customers in self.cheapest]
        rows = [row for customers in columns for row in (0, *customers)]
        lp = highspy.HighsLp()
        lp.num_col_ = len(columns)
        lp.num_row_ = n + 1
        lp.col_cost_ = np.array(list(self.cheapest.values()), dtype=np.float64)
        lp.col_lower_ = np.zeros(len(columns))
        lp.col_upper_ = np.full(len(columns), highspy.kHighsInf)
        lp.row_lower_ = np.array([at_least] + n * [1], dtype=np.float64)
        lp.row_upper_ = np.array([count] + n * [1], dtype=np.float64)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.cumsum([0] + [len(column) + 1 for column in columns])
        lp.a_matrix_.index_ = np.array(rows)
        lp.a_matrix_.value_ = np.ones(len(rows))
        solver = solved(lp)
        return None if solver is None else float(solver.getInfo().objective_function_value)

    @cached_property
    def optimum(self) -> Cost | None:
        """The least cost of covering every customer by whole routes; None if impossible."""
        count = self._instance.vehicle_count
        everybody = frozenset(range(1, self._instance.n + 1))
        best: dict[frozenset[int], Cost] = {frozenset(): 0}
        finished: list[Cost] = []
        for routes_used in range(1, count + 1):
            # The next route serves the first customer who is still waiting.
            following: dict[frozenset[int], Cost] = {}
            for served, cost in best.items():
                first = min(everybody - served)
                for customers, more in self.cheapest.items():
                    if first in customers and not customers & served:
                        union = served | customers
                        following[union] = min(cost + more, following.get(union, math.inf))
            complete = following.pop(everybody, None)
            if complete is not None and (
                routes_used == count or self._instance.conventions.fleet == "at-most"
            ):
                finished.append(complete)
            best = following
        return min(finished, default=None)


def _is_late(clock: Cost, due: Cost) -> bool:
    return clock - due > TIME_TOLERANCE * max(1, due)


def solved(lp: highspy.HighsLp) -> highspy.Highs | None:
    """Solve an LP; return nothing where it has no solution."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(lp)
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return None
    assert status == highspy.HighsModelStatus.kOptimal, status
    return solver
