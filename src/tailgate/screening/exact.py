"""The exact screen: every route is proven before it enters the master problem.

Checks are lazy: cheapest routes first, with little effort. A route that stays unknown is set aside,
and comes back with more effort only when nothing else prices out. Most never do: the duals move on.
"""

from __future__ import annotations

from collections.abc import Mapping

from tailgate.loading import LoadingOracle, Verdict
from tailgate.pricing import Pricer
from tailgate.screening.screen import RoutePath, Screen, ScreenedRoutes
from tailgate.time_limit import TimeLimit

EFFORTS: tuple[int | None, ...] = (300, 10_000, None)
"""Nodes of the loading search, tier by tier; the last has no limit but the time."""

ROUTES_PER_PRICING = 300
COLUMNS_PER_ROUND = 20


class ExactScreen(Screen):
    """Asks the loading oracle about every route of negative reduced cost."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        super().__init__(pricer, oracle)
        self._unknown_at: dict[RoutePath, int] = {}

    def find_columns(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Price and check in turns until some routes are proven, or all are refuted."""
        columns: list[RoutePath] = []
        bound = float("-inf")
        tier = 0
        while True:
            priced = self.pricer.price(
                threshold, max_routes=ROUTES_PER_PRICING, time_limit=time_limit
            )
            bound = max(bound, priced.bound)
            if not priced.complete:
                return ScreenedRoutes((), complete=False, bound=bound)
            if not priced.routes:
                if not self.pricer.has_set_aside:
                    return ScreenedRoutes((), complete=True, bound=bound)
                self.pricer.release_all()
                tier += 1
                continue
            refused: set[frozenset[int]] = set()
            for route in priced.routes:
                # Other orders of the same customers mostly fare alike: they can wait.
                customers = frozenset(route)
                if customers in refused or self.pricer.passes_over(route):
                    continue
                if self._check(route, tier, time_limit) is Verdict.FEASIBLE:
                    columns.append(route)
                else:
                    refused.add(customers)
                if time_limit.expired:
                    return ScreenedRoutes(tuple(columns), complete=False, bound=bound)
                if len(columns) >= COLUMNS_PER_ROUND:
                    break
            if columns:
                return ScreenedRoutes(tuple(columns), complete=True, bound=bound)

    def refuted(
        self, support: Mapping[RoutePath, float], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        """Return nothing: no column enters unproven."""
        return ()

    def _check(self, route: RoutePath, tier: int, time_limit: TimeLimit) -> Verdict:
        # What stayed unknown with this effort before need not be asked again.
        if self._unknown_at.get(route, -1) < tier:
            result = self.oracle.check(
                route, max_nodes=EFFORTS[tier], time_limit=time_limit.remaining
            )
            if result.verdict is Verdict.INFEASIBLE:
                self.pricer.forbid(result.infeasible_core)
            if result.verdict is not Verdict.UNKNOWN:
                return result.verdict
            self._unknown_at[route] = tier
        self.pricer.set_aside(route)
        return Verdict.UNKNOWN
