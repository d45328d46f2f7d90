"""What a row must do: keep every plan, and cut off fractional solutions.

Plans come from the list of all routes; fractional solutions are corners of the linear relaxation
under costs of any kind.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import highspy
import numpy as np

from route_enumeration import Enumeration, Stops, solved
from rules import Rule, each_rule
from tailgate.model.instance import Instance
from tiny_instances import tiny_instance

TOLERANCE = 1e-6
SOLUTIONS_PER_INSTANCE = 6
# Corners of a part of the routes are corners of all of them, and sooner found.
MOST_ROUTES = 100

rules = each_rule(distance="truncated")


class Row(Protocol):
    """As much of a row as is looked at here."""

    @property
    def lower(self) -> float:
        """At least so much."""

    @property
    def upper(self) -> float:
        """At most so much."""

    def coefficient(self, route: Stops) -> int:
        """Return what a route adds."""


def cases(
    name: str, rule: Rule, seeds: range
) -> Iterator[tuple[Instance, Enumeration, random.Random]]:
    """Yield tiny instances with their routes."""
    for seed in seeds:
        instance = tiny_instance(
            f"{name}-{rule.conventions}-{rule.time_windows}-{seed}",
            rule.conventions,
            time_windows=rule.time_windows,
            most=6 if seed % 4 else 7,
        )
        yield instance, Enumeration(instance), random.Random(seed)


class Plans:
    """Every plan of a tiny instance.

    The routes of a plan are chosen independently once it is known who rides with whom. So for each
    set of customers only the orders with the least and the greatest coefficient matter.
    """

    def __init__(self, instance: Instance, routes: Iterable[Stops]) -> None:
        by_set: dict[frozenset[int], list[Stops]] = {}
        for route in routes:
            by_set.setdefault(frozenset(route), []).append(route)
        self._routes = [route for orders in by_set.values() for route in orders]
        self._starts = np.cumsum([0, *(len(orders) for orders in by_set.values())])[:-1]
        self._n, self._count = instance.n, instance.vehicle_count
        self._exactly = instance.conventions.fleet == "exactly"
        partitions = list(self._partitions(list(by_set), frozenset(), ()))
        # Short ones are filled up with a set that does not exist and counts nothing.
        nothing = len(by_set)
        self._partitions_filled = np.full((len(partitions), self._count), nothing)
        for row, sets in enumerate(partitions):
            self._partitions_filled[row, : len(sets)] = sets

    def _partitions(
        self, sets: Sequence[frozenset[int]], served: frozenset[int], used: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if len(served) == self._n:
            if not self._exactly or len(used) == self._count:
                yield used
            return
        if len(used) == self._count:
            return
        first = min(set(range(1, self._n + 1)) - served)
        for index, customers in enumerate(sets):
            if first in customers and not customers & served:
                yield from self._partitions(sets, served | customers, (*used, index))

    def __len__(self) -> int:
        return len(self._partitions_filled)

    def assert_all_keep(self, row: Row) -> None:
        """See that no plan breaks the row."""
        if not len(self):
            return
        coefficients = np.array([row.coefficient(route) for route in self._routes])
        for reduce, sign, limit in (
            (np.maximum.reduceat, 1.0, row.upper),
            (np.minimum.reduceat, -1.0, -row.lower),
        ):
            worst = np.append(reduce(coefficients, self._starts), 0)
            totals = worst[self._partitions_filled].sum(axis=1)
            assert (sign * totals).max() <= limit + TOLERANCE


def fractional_solutions(
    instance: Instance, routes: Mapping[Stops, float], dice: random.Random
) -> Iterator[dict[Stops, float]]:
    """Yield corners of the relaxation under random costs."""
    for _ in range(SOLUTIONS_PER_INSTANCE):
        some = dice.sample(list(routes), min(len(routes), MOST_ROUTES))
        # Of a few values, and long routes expensive: where much is alike, corners are fractional.
        costs = [float(len(route) * dice.randint(1, 4)) for route in some]
        found = solve_relaxation(instance, some, costs)
        if found is not None:
            yield found[1]


def draw_fractional(dice: random.Random, n: int) -> dict[Stops, float]:
    """Draw routes with shares that visit nobody more than once in total."""
    left = [1.0] * (n + 1)
    support: dict[Stops, float] = {}
    longest = dice.randint(2, 6)
    for _ in range(dice.randint(1, 5 * n)):
        route = tuple(dice.sample(range(1, n + 1), dice.randint(1, min(n, longest))))
        share = min(dice.choice((0.25, 1 / 3, 0.5)), *(left[stop] for stop in route))
        if share > 1e-3:
            support[route] = support.get(route, 0.0) + share
            for stop in route:
                left[stop] -= share
    return support


def solve_relaxation(
    instance: Instance, routes: Sequence[Stops], costs: Sequence[float], rows: Sequence[Row] = ()
) -> tuple[float, dict[Stops, float]] | None:
    """Return value and routes in use of the best fractional solution that keeps the rows."""
    if not routes:
        return None
    n, count = instance.n, float(instance.vehicle_count)
    matrix = np.zeros((n + 1 + len(rows), len(routes)))
    for column, route in enumerate(routes):
        matrix[[0, *route], column] = 1.0
        matrix[n + 1 :, column] = [row.coefficient(route) for row in rows]
    exactly = instance.conventions.fleet == "exactly"
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(routes), len(matrix)
    lp.col_cost_ = np.array(costs, np.float64)
    lp.col_lower_ = np.zeros(len(routes))
    lp.col_upper_ = np.full(len(routes), highspy.kHighsInf)
    lp.row_lower_ = np.array([count if exactly else 0.0, *n * [1.0], *(row.lower for row in rows)])
    lp.row_upper_ = np.array([count, *n * [1.0], *(row.upper for row in rows)])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *np.count_nonzero(matrix, axis=1)])
    lp.a_matrix_.index_ = np.nonzero(matrix)[1]
    lp.a_matrix_.value_ = matrix[np.nonzero(matrix)]
    solver = solved(lp)
    if solver is None:
        return None
    values = solver.getSolution().col_value
    support = {route: value for route, value in zip(routes, values, strict=True) if value > 1e-9}
    return float(solver.getInfo().objective_function_value), support
