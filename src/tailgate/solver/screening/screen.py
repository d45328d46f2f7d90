"""The border between pricing and the master problem: doubt, and the proofs that end it.

Checks are lazy: cheapest routes first, with little effort. A route that stays unknown is deferred,
and comes back only when nothing else prices out: most never do, for the duals move on. Those that
do enter the master problem in doubt, and are proven only if it wants to use them: a column at value
zero does not change the optimum, whether it can be loaded or not.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from tailgate.model.aliases import RoutePath
from tailgate.model.errors import TailgateError
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.network import Predictor
from tailgate.solver.pricing import Pricer
from tailgate.solver.time_limit import TimeLimit

QUICK_CHECK_NODES = 300
"""Of the loading search, for a route that has priced out."""
EXPENSIVE_NODES = 1_000_000
"""From here on one refuted column at a time is enough: without it, others may not be in use."""
PROOF_EFFORTS: tuple[int | None, ...] = (
    *(2_000, 10_000, 50_000, 250_000),
    *(EXPENSIVE_NODES * 4**level for level in range(5)),
    None,
)
"""Nodes, for a column in doubt that is in use; the last has no limit but the time. A nearly full
truck may take hours, and another column of the same solution a minute, so no query gets it all at
once."""

ROUTES_PER_PRICING = 30
"""The search for routes goes on where it was left, and what is learned from these may rule out the
next."""
ROUTES_PER_ROUND = 300
COLUMNS_PER_ROUND = 20
DOUBTFUL_COLUMNS_PER_ROUND = 100


class UndecidedLoadingError(TailgateError):
    """A route must be proven or refuted, and the oracle can do neither, however long it takes."""


@dataclass(frozen=True, slots=True)
class ScreenedRoutes:
    """What one round of pricing and screening gives the master problem."""

    columns: tuple[RoutePath, ...]
    complete: bool
    """False: the round was cut short, and no columns does not mean that there are none."""
    bound: float
    """No route that can be loaded has a lower cost, reduced by the duals of its customers."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What came of looking at the cheapest routes once."""

    columns: tuple[RoutePath, ...]
    complete: bool
    bound: float
    any_routes: bool


class Look(Enum):
    """What comes of a first look at a route."""

    COLUMN = "column"
    """It enters the master problem, proven or in doubt."""
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    """A little effort was not enough: it is deferred."""
    POSTPONED = "postponed"
    """It is deferred without any effort."""


class RouteGuess(Protocol):
    """Guesses whether a route can be loaded. It may be wrong, and it may change its mind."""

    @property
    def calls(self) -> int:
        """How many routes it was asked about."""

    @property
    def seconds(self) -> float:
        """How long that took."""

    def predicts_feasible(self, route: Sequence[int]) -> bool:
        """Return whether it takes a route for feasible."""


class Screen(ABC):
    """Decides what is checked, and when; `_look_at` says what a first look at a route is.

    Whatever that does, two things hold: `price_and_screen` says that there are none only if every
    route below the threshold is proven infeasible, and `check_columns_in_use` leaves no column in
    use unproven, unless its effort is limited.
    """

    predictor: RouteGuess | None = None
    """The network that is asked, if any."""
    guide: Predictor | None = None
    """A network by which the search for first routes may save checks."""

    def __init__(self, pricer: Pricer, oracle: LoadingOracle) -> None:
        self.pricer = pricer
        self.oracle = oracle
        self.pricers_of_smaller_floors: tuple[Pricer, ...] = ()
        """Of other kinds of vehicles: what cannot be loaded here cannot be loaded there."""
        self.false_positive_cuts = 0
        """How many columns that a network has let in were taken out again."""
        self._false_positives: set[RoutePath] = set()
        self._unproven: dict[RoutePath, int] = {}
        """Routes neither proven nor refuted, with the effort that was not enough."""
        self._nothing_else_prices_out = False
        self._failed_checks = 0
        self._failed_check_nodes = 0
        """Quick checks that did not prove a route, and what they cost."""

    @abstractmethod
    def _look_at(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        """Decide about a route that has priced out.

        A column that enters without proof must be `_doubt`ed. Nothing may be postponed when nothing
        else prices out.
        """

    def price_and_screen(self, threshold: float, time_limit: TimeLimit) -> ScreenedRoutes:
        """Price and look in turns until some routes may enter; those in doubt come last."""
        bound = -math.inf
        self._nothing_else_prices_out = False
        while True:
            found = self._price_once(threshold, time_limit)
            bound = max(bound, found.bound)
            if found.columns or not found.complete:
                return ScreenedRoutes(found.columns, complete=found.complete, bound=bound)
            if found.any_routes:
                continue
            if not self.pricer.has_deferred:
                return ScreenedRoutes((), complete=True, bound=bound)
            self.pricer.release_all()
            self._nothing_else_prices_out = True

    def _price_once(self, threshold: float, time_limit: TimeLimit) -> _Round:
        """Look at the cheapest routes, some at a time, until enough of them may enter."""
        bound = -math.inf
        columns: list[RoutePath] = []
        in_doubt: list[RoutePath] = []
        refused: set[frozenset[int]] = set()
        count = 0
        while len(columns) < COLUMNS_PER_ROUND and count < ROUTES_PER_ROUND:
            if count:
                priced = self.pricer.price_more(
                    max_routes=ROUTES_PER_PRICING, time_limit=time_limit
                )
            else:
                priced = self.pricer.price(
                    threshold, max_routes=ROUTES_PER_PRICING, time_limit=time_limit
                )
            bound = max(bound, priced.bound)
            if not priced.complete:
                return _Round((), complete=False, bound=bound, any_routes=count > 0)
            if not priced.routes:
                break
            count += len(priced.routes)
            self._look_at_all(priced.routes, columns, refused, time_limit)
            if time_limit.expired:
                return _Round(tuple(columns), complete=False, bound=bound, any_routes=True)
            in_doubt += (route for route in priced.routes if route in self._unproven)
        if not columns and self._nothing_else_prices_out:
            columns = in_doubt[:DOUBTFUL_COLUMNS_PER_ROUND]
        return _Round(tuple(columns), complete=True, bound=bound, any_routes=count > 0)

    def _look_at_all(
        self,
        routes: Iterable[RoutePath],
        columns: list[RoutePath],
        refused: set[frozenset[int]],
        time_limit: TimeLimit,
    ) -> None:
        """Add the routes that may enter to the columns, defer those that may not yet."""
        for route in routes:
            if len(columns) >= COLUMNS_PER_ROUND:
                break
            # Other orders of the same customers mostly fare alike: they can wait.
            customers = frozenset(route)
            if customers in refused or self.pricer.skips(route):
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
                    self.pricer.defer(route)
                case Look.POSTPONED:
                    self.pricer.defer(route)

    def check_columns_in_use(
        self,
        support: Mapping[RoutePath, float],
        time_limit: TimeLimit,
        *,
        proof_limit: int | None = None,
    ) -> tuple[RoutePath, ...]:
        """Prove the columns in doubt that are in use, with growing effort; return the others.

        `proof_limit` limits the nodes of the loading search for one column; None: as many as it
        takes. What is beyond the limit stays in use, in doubt: a bound remains a bound, for it
        counts as loadable.
        """
        for max_nodes in (QUICK_CHECK_NODES, *PROOF_EFFORTS):
            limit = math.inf if max_nodes is None else max_nodes
            if proof_limit is not None and limit > proof_limit:
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
                    self.false_positive_cuts += route in self._false_positives
                    if limit >= EXPENSIVE_NODES:
                        break
            if refuted or time_limit.expired:
                return tuple(refuted)
        return ()

    def is_in_doubt(self, route: RoutePath) -> bool:
        """Return whether a route is neither proven nor refuted yet."""
        return route in self._unproven

    def _doubt(self, route: RoutePath) -> None:
        """Remember that a route must be proven before it is used, if it is not proven yet."""
        self._unproven.setdefault(route, 0)

    def _check_quickly(self, route: RoutePath, time_limit: TimeLimit) -> Look:
        """Look at a route with little effort; not twice, where it was without success."""
        if self._unproven.get(route, -1) >= QUICK_CHECK_NODES:
            return Look.UNKNOWN
        verdict = self._check(route, QUICK_CHECK_NODES, time_limit)
        if verdict is Verdict.UNKNOWN:
            if not time_limit.expired:
                self._unproven[route] = QUICK_CHECK_NODES
            return Look.UNKNOWN
        self._unproven.pop(route, None)
        return Look.COLUMN if verdict is Verdict.FEASIBLE else Look.REFUTED

    def _check(self, route: RoutePath, max_nodes: int | None, time_limit: TimeLimit) -> Verdict:
        """Ask the loading oracle, and let pricing know what can never be loaded."""
        result = self.oracle.check(route, max_nodes=max_nodes, time_limit=time_limit.remaining)
        if result.verdict is not Verdict.FEASIBLE and max_nodes == QUICK_CHECK_NODES:
            self._failed_checks += 1
            self._failed_check_nodes += result.nodes
        if result.verdict is Verdict.INFEASIBLE:
            self.forbid(result.infeasible_core, in_any_order=result.in_any_order)
        return result.verdict

    def forbid(self, core: RoutePath, *, in_any_order: bool = False) -> None:
        """Let pricing know that a sequence can never be loaded, in this order or in any."""
        self.pricer.forbid(core, in_any_order=in_any_order)
        for pricer in self.pricers_of_smaller_floors:
            if core not in pricer.forbidden:
                pricer.forbid(core, in_any_order=in_any_order)

    @property
    def network_calls(self) -> int:
        """How often a network was asked."""
        return 0 if self.predictor is None else self.predictor.calls

    @property
    def network_seconds(self) -> float:
        """How long the network took."""
        return 0.0 if self.predictor is None else self.predictor.seconds

    @property
    def statistics(self) -> dict[str, float]:
        """What else it has counted."""
        return {}
