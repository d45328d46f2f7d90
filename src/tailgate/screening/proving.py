"""What all screens have in common: doubt, and the proofs that end it.

Checks are lazy: cheapest routes first, with little effort. A route that stays unknown is set aside,
and comes back only when nothing else prices out: most never do, for the duals move on. Those that
do enter the master problem in doubt, and are proven only if it wants to use them: a column at value
zero does not change the optimum, whether it can be loaded or not.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from enum import Enum

from tailgate.loading import LoadingOracle, Verdict
from tailgate.pricing import Pricer
from tailgate.screening.screen import RoutePath, Screen, ScreenedRoutes, UndecidedLoadingError
from tailgate.time_limit import TimeLimit

GLANCE_NODES = 300
"""Of the loading search, for a route that has priced out."""
DEAR_NODES = 1_000_000
"""From here on one refuted column at a time is enough: without it, others may not be in use."""
PROOF_NODES: tuple[int | None, ...] = (
    *(2_000, 10_000, 50_000, 250_000),
    *(DEAR_NODES * 4**level for level in range(5)),
    None,
)
"""For a column in doubt that is in use; the last has no limit but the time. Nearly full trucks may
take hours, and another column of the same mixture a minute, so no question gets it all at once."""

ROUTES_PER_PRICING = 300
COLUMNS_PER_ROUND = 20
DOUBTFUL_COLUMNS_PER_ROUND = 100


class Look(Enum):
    """What comes of a first look at a route."""

    COLUMN = "column"
    """It enters the master problem, proven or in doubt."""
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    """A little effort was not enough: it is set aside."""
    POSTPONED = "postponed"
    """It is set aside without any effort."""


class ProvingScreen(Screen):
    """Leaves it to others what a first look at a route is, and keeps the promises of a screen."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        super().__init__(pricer, oracle)
        self._unproven: dict[RoutePath, int] = {}
        """Routes neither proven nor refuted, with the effort that was not enough."""
        self._nothing_else_prices_out = False
        self._vain_glances = 0
        self._vain_nodes = 0
        """Glances that did not prove a route, and what they cost."""

    @abstractmethod
    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        """Decide about a route that has priced out.

        A column that enters without proof must be `_doubt`ed. Nothing may be postponed when nothing
        else prices out.
        """

    def find_columns(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Price and look in turns until some routes may enter; those in doubt come last."""
        bound = -math.inf
        self._nothing_else_prices_out = False
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
                self._nothing_else_prices_out = True
                continue
            columns = self._glance(priced.routes, time_limit)
            if not columns and self._nothing_else_prices_out:
                in_doubt = [route for route in priced.routes if route in self._unproven]
                columns = tuple(in_doubt[:DOUBTFUL_COLUMNS_PER_ROUND])
            if columns or time_limit.expired:
                return ScreenedRoutes(columns, complete=not time_limit.expired, bound=bound)

    def _glance(self, routes: Iterable[RoutePath], time_limit: TimeLimit) -> tuple[RoutePath, ...]:
        """Return the routes that may enter, set aside those that may not yet."""
        columns: list[RoutePath] = []
        refused: set[frozenset[int]] = set()
        for route in routes:
            if len(columns) >= COLUMNS_PER_ROUND:
                break
            # Other orders of the same customers mostly fare alike: they can wait.
            customers = frozenset(route)
            if customers in refused or self.pricer.passes_over(route):
                continue
            look = self._look_at(route, time_limit)
            if time_limit.expired:
                break
            match look:
                case Look.COLUMN:
                    columns.append(route)
                case Look.REFUTED:
                    refused.add(customers)
                case Look.UNKNOWN:
                    refused.add(customers)
                    self.pricer.set_aside(route)
                case Look.POSTPONED:
                    self.pricer.set_aside(route)
        return tuple(columns)

    def refuted(
        self, support: Mapping[RoutePath, float], time_limit: TimeLimit
    ) -> tuple[RoutePath, ...]:
        """Prove the columns in doubt that are in use, with growing effort; return the others."""
        for max_nodes in (GLANCE_NODES, *PROOF_NODES):
            limit = math.inf if max_nodes is None else max_nodes
            if self.proof_limit is not None and limit > self.proof_limit:
                break
            in_doubt = [route for route in support if self._unproven.get(route, limit) < limit]
            if not in_doubt:
                continue
            refuted = []
            for route in sorted(in_doubt, key=lambda route: -support[route]):
                verdict = self._check(route, max_nodes, time_limit)
                if time_limit.expired:
                    break
                if verdict is Verdict.UNKNOWN:
                    if max_nodes is None:
                        raise UndecidedLoadingError(f"the loading of route {route} stays undecided")
                    self._unproven[route] = max_nodes
                    continue
                del self._unproven[route]
                if verdict is Verdict.INFEASIBLE:
                    refuted.append(route)
                    if limit >= DEAR_NODES:
                        break
            if refuted or time_limit.expired:
                return tuple(refuted)
        return ()

    def is_in_doubt(self, route: RoutePath) -> bool:
        """Tell whether a route is neither proven nor refuted yet."""
        return route in self._unproven

    def _doubt(self, route: RoutePath) -> None:
        """Remember that a route must be proven before it is used, if it is not proven yet."""
        self._unproven.setdefault(route, 0)

    def _glance_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        """Look at a route with little effort; not twice, where it was in vain."""
        if self._unproven.get(route, -1) >= GLANCE_NODES:
            return Look.UNKNOWN
        verdict = self._check(route, GLANCE_NODES, time_limit)
        if verdict is Verdict.UNKNOWN:
            if not time_limit.expired:
                self._unproven[route] = GLANCE_NODES
            return Look.UNKNOWN
        self._unproven.pop(route, None)
        return Look.COLUMN if verdict is Verdict.FEASIBLE else Look.REFUTED

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        """Ask the loading oracle, and let pricing know what can never be loaded."""
        result = self.oracle.check(route, max_nodes=max_nodes, time_limit=time_limit.remaining)
        if result.verdict is not Verdict.FEASIBLE and max_nodes == GLANCE_NODES:
            self._vain_glances += 1
            self._vain_nodes += result.nodes
        if result.verdict is Verdict.INFEASIBLE:
            self.pricer.forbid(result.infeasible_core)
        return result.verdict
