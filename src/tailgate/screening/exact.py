"""The exact screen: nothing but the loading oracle decides about a route.

Checks are lazy: cheapest routes first, with little effort. A route that stays unknown is set aside,
and comes back only when nothing else prices out: most never do, for the duals move on. Those that
do enter the master problem in doubt, and are proven only if it wants to use them: a column at value
zero does not change the optimum, whether it can be loaded or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from tailgate.loading import LoadingOracle, Verdict
from tailgate.pricing import Pricer
from tailgate.screening.screen import RoutePath, Screen, ScreenedRoutes, UndecidedLoadingError
from tailgate.time_limit import TimeLimit

GLANCE_NODES = 300
"""Of the loading search, for a route that has priced out."""
PROOF_NODES: tuple[int | None, ...] = (2_000, 10_000, 50_000, 250_000, None)
"""For a column in doubt that is in use; the last has no limit but the time."""

ROUTES_PER_PRICING = 300
COLUMNS_PER_ROUND = 20
DOUBTFUL_COLUMNS_PER_ROUND = 100


class ExactScreen(Screen):
    """Asks the loading oracle about every route of negative reduced cost."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        super().__init__(pricer, oracle)
        self._unknown: dict[RoutePath, int] = {}
        """Routes neither proven nor refuted, with the effort that was not enough."""

    def find_columns(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Price and glance in turns until some routes are proven; those in doubt come last."""
        bound = -math.inf
        nothing_else_prices_out = False
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
                nothing_else_prices_out = True
                continue
            columns = self._glance(priced.routes, time_limit)
            if not columns and nothing_else_prices_out:
                in_doubt = [route for route in priced.routes if route in self._unknown]
                columns = tuple(in_doubt[:DOUBTFUL_COLUMNS_PER_ROUND])
            if columns or time_limit.expired:
                return ScreenedRoutes(columns, complete=not time_limit.expired, bound=bound)

    def _glance(self, routes: Iterable[RoutePath], time_limit: TimeLimit) -> tuple[RoutePath, ...]:
        """Return the routes that are proven with little effort, set the unknown ones aside."""
        columns: list[RoutePath] = []
        refused: set[frozenset[int]] = set()
        for route in routes:
            # Other orders of the same customers mostly fare alike: they can wait.
            customers = frozenset(route)
            if customers in refused or self.pricer.passes_over(route):
                continue
            verdict = Verdict.UNKNOWN
            if route not in self._unknown:
                verdict = self._check(route, GLANCE_NODES, time_limit)
            if time_limit.expired or len(columns) >= COLUMNS_PER_ROUND:
                break
            if verdict is Verdict.FEASIBLE:
                columns.append(route)
                continue
            refused.add(customers)
            if verdict is Verdict.UNKNOWN:
                self._unknown.setdefault(route, GLANCE_NODES)
                self.pricer.set_aside(route)
        return tuple(columns)

    def refuted(
        self, support: Mapping[RoutePath, float], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        """Prove the columns in doubt that are in use, with growing effort; return the others."""
        for max_nodes in PROOF_NODES:
            refuted = []
            for route in sorted(support, key=lambda route: -support[route]):
                if route not in self._unknown or self._unknown[route] >= (max_nodes or math.inf):
                    continue
                verdict = self._check(route, max_nodes, time_limit)
                if time_limit.expired:
                    break
                if verdict is Verdict.UNKNOWN:
                    if max_nodes is None:
                        raise UndecidedLoadingError(f"the loading of route {route} stays undecided")
                    self._unknown[route] = max_nodes
                    continue
                del self._unknown[route]
                if verdict is Verdict.INFEASIBLE:
                    refuted.append(route)
            if refuted or time_limit.expired:
                return tuple(refuted)
        return ()

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        result = self.oracle.check(route, max_nodes=max_nodes, time_limit=time_limit.remaining)
        if result.verdict is Verdict.INFEASIBLE:
            self.pricer.forbid(result.infeasible_core)
        return result.verdict
