"""Who may be on one truck, as far as quick checks show."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cached_property
from itertools import combinations, permutations

from tailgate.model.instance import Instance
from tailgate.solver.column import views_of
from tailgate.solver.loading import LoadingOracle, Verdict

QUICK_CHECK_NODES = 1_000
MOST_IN_EVERY_ORDER = 4
"""Of so many customers every order is checked."""


class Sharing:
    """Says which customers may be on one truck; what it refuses, no plan has."""

    def __init__(self, instance: Instance, oracle: LoadingOracle) -> None:
        self._instance = instance
        self._oracle = oracle
        self._kinds = [_KindSharing(view) for view in views_of(instance)]

    def is_possible(self, first: int, second: int) -> bool:
        """Return whether two customers may be on one truck, unless the contrary is proven."""
        pair = (min(first, second), max(first, second))
        if pair in self._instance.rules.apart or not any(
            kind.is_possible(first, second) for kind in self._kinds
        ):
            return False
        result = self._oracle.check((first, second), max_nodes=QUICK_CHECK_NODES)
        return result.verdict is not Verdict.INFEASIBLE

    def is_possible_for_all(self, group: Collection[int]) -> bool:
        """Return whether customers may all be on one truck, unless the contrary is proven.

        What else is on board does not help: every part of what is loaded can be loaded alone.
        """
        if not all(self.is_possible(*pair) for pair in combinations(sorted(group), 2)):
            return False
        if len(group) > MOST_IN_EVERY_ORDER:
            return True
        return any(
            all(view.accepts(number, 0) for number in group)
            and any(
                oracle.check(order, max_nodes=QUICK_CHECK_NODES).verdict is not Verdict.INFEASIBLE
                for order in permutations(sorted(group))
            )
            for view, oracle in self._loading_by_kind
        )

    @cached_property
    def _loading_by_kind(self) -> list[tuple[Instance, LoadingOracle]]:
        return [(view, LoadingOracle(view)) for view in views_of(self._instance)]


class _KindSharing:
    """Says which two customers one kind of vehicle may serve on one route, their loading aside."""

    def __init__(self, view: Instance) -> None:
        self._view = view
        self._arrivals: dict[int, list[int | float]] = {}
        """By place: when a truck that has served it as early as it can is at all others."""

    def is_possible(self, first: int, second: int) -> bool:
        view = self._view
        if not (view.accepts(first, 0) and view.accepts(second, 0)):
            return False
        a, b = view.customer(first), view.customer(second)
        if a.weight + b.weight > view.vehicle.capacity:
            return False
        return self._is_in_time(first, second) or self._is_in_time(second, first)

    def _is_in_time(self, first: int, second: int) -> bool:
        """Return whether the second may follow the first in time, directly or by any detour."""
        view = self._view
        if view.is_allowed((first, second)):
            return True
        clock = view.clock
        if first not in self._arrivals:
            leaves = max(self._arrivals_from_depot[first], clock.ready[first])
            leaves += clock.service[first]
            self._arrivals[first] = clock.earliest_arrivals(first, leaves)
        arrival = self._arrivals[first][second]
        return arrival < math.inf and not clock.is_late(second, arrival)

    @cached_property
    def _arrivals_from_depot(self) -> list[int | float]:
        clock = self._view.clock
        return clock.earliest_arrivals(0, clock.ready[0])
