"""Column generation: the root relaxation over all routes that can be loaded.

The loop is Figure 1 of the paper: restricted master problem, pricing, screening, loading check.
"""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Literal

from tailgate import validation
from tailgate.conventions import Conventions
from tailgate.instance import Instance
from tailgate.loading import LoadingOracle, Query, Verdict
from tailgate.master import Edge, EdgeRow, MasterError, MasterSolution, RestrictedMaster, Row
from tailgate.master.tolerances import ARTIFICIAL_VALUE
from tailgate.notebooks import InNotebooks
from tailgate.pricing import Pricer, RoutePool, SubsetRow
from tailgate.recording import QueryRecorder
from tailgate.routing import RouteSearch
from tailgate.routing.sweep import sweep
from tailgate.screening import Screen, UndecidedLoadingError, make_screen
from tailgate.stabilisation import FIRST_SHARE, Centre, ascend, lower_share
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]
Status = Literal[
    "converged",
    "time_limit",
    "interrupted",
    "undecided",
    "memory_limit",
    "lp_failure",
    "infeasible",
]
"""Undecided: a loading question that had to be answered is beyond the oracle's memory."""
Outcome = Literal["converged", "time_limit", "infeasible", "cut_off"]
"""Cut off: the bound has reached the cutoff, and the rest is of no interest."""

MAX_SECONDS = 1e9
HEURISTIC_ITERATIONS = 4_000
HEURISTIC_NODES = 100
HEURISTIC_ATTEMPTS = 5
"""To find a whole solution; if there is none yet, the routes of parts must do."""
MAX_HEURISTIC_SECONDS = 10.0
HARDLY_LOADABLE = 0.05
"""Probability below which the search for first routes passes over a route."""
MAX_PAIRS_SECONDS = 5.0
SHARE_FOR_PAIRS = 0.1
"""Of the time limit: of a thousand customers there are half a million pairs."""
MANY_CUSTOMERS = 60
"""With fewer, pricing is over before better routes and prices are found."""
ITERATIONS_PER_CUSTOMER = 2_500
MAX_ASCENT_SECONDS = 60.0
SHARE_FOR_ROUTES = SHARE_FOR_ASCENT = 0.2
MOMENT = 0.1
"""Seconds, when the time is over and there is no other bound."""
MANY_LABELS = 10_000
"""Of one labelling, on average: below, wild prices do no harm."""
POOL_COLUMNS = 200
"""Taken from the pool in one round, at most."""

GLANCE_NODES = 60
PENALTY_RAISES_BEFORE_DOUBT = 8
"""After so many in vain the first phase asks whether there is a solution at all."""
MAX_PENALTY_RAISES = 64


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come."""

    iteration: int
    lp_value: float | None
    lower_bound: float
    columns: int
    exact_checks: int
    seconds: float
    doing: str


@dataclass(frozen=True, slots=True)
class BoundResult(InNotebooks):
    """The root relaxation, or what is known of it.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> for customers, value in tailgate.bound(instance).support:
    ...     print(sorted(customers), round(value, 3))
    [1, 2, 3, 4, 5, 6] 1.0
    """

    status: Status
    lp_value: float | None
    """Of the last master problem that uses proven routes only: a bound only if converged."""
    lower_bound: float | None
    """No solution costs less, whatever the status; None if there is none."""
    iterations: int
    columns: int
    exact_checks: int
    checks_feasible: int
    checks_infeasible: int
    checks_unknown: int
    network_calls: int
    false_positive_cuts: int
    seconds: dict[str, float]
    support: tuple[tuple[RoutePath, float], ...]
    """The routes in use where there is an LP value, and how much of each."""
    conventions: Conventions
    statistics: dict[str, float]
    """Counts and seconds of pricing, loading and screening in detail."""

    def to_dict(self) -> dict[str, object]:
        """Return what ``tailgate bound --json`` prints."""
        return {
            "status": self.status,
            "lp_value": self.lp_value,
            "lower_bound": self.lower_bound,
            "iterations": self.iterations,
            "columns": self.columns,
            "exact_checks": self.exact_checks,
            "checks_feasible": self.checks_feasible,
            "checks_infeasible": self.checks_infeasible,
            "checks_unknown": self.checks_unknown,
            "network_calls": self.network_calls,
            "false_positive_cuts": self.false_positive_cuts,
            "seconds": self.seconds,
            "conventions": self.conventions.to_dict(),
            "support": [
                {"customers": list(route), "value": value} for route, value in self.support
            ],
            "statistics": self.statistics,
        }


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of all rows, as pricing has taken them."""

    constant: float
    """What all rows together pay, without the fleet's."""
    least_reduced_cost: float
    """No route costs less beyond what its rows pay for it."""

    def bound(self, instance: Instance, routes: int) -> float:
        """Return what no solution goes below if so many of its routes are unknown."""
        least = self.least_reduced_cost
        if instance.conventions.fleet == "at-most":
            least = min(0.0, least)
        return math.fsum((self.constant, routes * least))


def bound(
    instance: Instance,
    *,
    screen: str = "exact",
    weights: str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    record: str | os.PathLike[str] | None = None,
) -> BoundResult:
    """Solve the root relaxation; Ctrl-C ends it early with the best bound so far.

    Weights are for the screens that ask a network: a file, or the name of one in the package.

    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.bound(instance)
    >>> result.status, round(result.lower_bound, 3)
    ('converged', 291.0)
    """
    if time_limit is not None:
        validation.number(time_limit, "time_limit", low=0, high=MAX_SECONDS)
    generation = ColumnGeneration(
        instance,
        screen=screen,
        weights=weights,
        time_limit=TimeLimit(time_limit),
        seed=seed,
        record=record,
    )
    return generation.run(on_progress)


class ColumnGeneration:
    """One run: master problem, pricer, screen and oracle of one instance, and what they found."""

    def __init__(
        self,
        instance: Instance,
        *,
        screen: str,
        time_limit: TimeLimit,
        weights: str | os.PathLike[str] | None = None,
        seed: int = 0,
        record: str | os.PathLike[str] | None = None,
    ) -> None:
        self.instance = instance
        self.time_limit = time_limit
        self.seed = seed
        self.oracle = LoadingOracle(instance)
        self.pricer = self._make_pricer()
        self.pool = RoutePool(instance, [])
        self.route_search: RouteSearch | None = None
        """That found the first columns; it may go on."""
        self.master = RestrictedMaster(instance)
        self.screen: Screen = make_screen(screen, self.pricer, self.oracle, weights=weights)
        self.iteration = 0
        self.lower_bound = 0.0  # no distance is negative
        self.cutoff = math.inf
        """Stop when the bound is there."""
        self.solution: MasterSolution | None = None
        self.prices: Prices | None = None
        """Those of the last complete pricing, and what it proved."""
        self.centre: Centre | None = None
        """The best prices of the whole problem so far, where they were looked for."""
        self._proven: MasterSolution | None = None
        """The last whose rows are satisfied by routes alone, all of them proven."""
        self._infeasibility = -math.inf
        self._forbidden_edges: frozenset[Edge] = frozenset()
        self._record = record
        self._recorder: QueryRecorder | None = None
        self._seconds = dict.fromkeys(("heuristic", "master", "pricing"), 0.0)
        self._on_progress: Callable[[Progress], None] | None = None
        self.on_round: Callable[[], None] | None = None
        """Called between two rounds."""

    def _make_pricer(self) -> Pricer:
        return Pricer(self.instance)

    def run(self, on_progress: Callable[[Progress], None] | None = None) -> BoundResult:
        """Generate columns until no route improves, the time is over, or someone interrupts."""
        self._on_progress = on_progress
        with ExitStack() as stack:
            if self._record is not None:
                self._recorder = stack.enter_context(
                    QueryRecorder(self._record, self.instance, lifo=self.oracle.lifo)
                )
            status: Status
            try:
                status = "infeasible"
                if not self.fleet_is_plainly_wrong:
                    self.find_first_columns()
                    self.improve_first_columns()
                    outcome = self.converge()
                    assert outcome != "cut_off", "there is no cutoff here"
                    status = outcome
            except KeyboardInterrupt:
                status = "interrupted"
            except UndecidedLoadingError:
                status = "undecided"
            except MemoryError:
                status = "memory_limit"
            except MasterError:
                status = "lp_failure"
            phase = "pricing" if self.iteration else "heuristic"
            self._record_queries(self.oracle.take_queries(), phase=phase)
        return self._result(status)

    @property
    def fleet_is_plainly_wrong(self) -> bool:
        """Whether sums alone show that no such number of trucks will do."""
        instance, conventions = self.instance, self.instance.conventions
        trucks = instance.vehicle_count
        shortest = 2 if conventions.single_customer_routes == "forbid" else 1
        return (
            sum(customer.weight for customer in instance.customers)
            > trucks * instance.vehicle.capacity
            or sum(customer.area for customer in instance.customers)
            > trucks * instance.vehicle.area
            or (conventions.fleet == "exactly" and shortest * trucks > instance.n)
        )

    def find_first_columns(self) -> None:
        """Search for good routes, so that pricing does not start from the duals of penalties."""
        with self._timed("heuristic"):
            self._report("looking for first routes")
            self.oracle.record_queries(True)
            self._look_at_pairs()
            search = self.route_search = RouteSearch(
                self.instance, self.oracle, seed=self.seed, max_nodes=HEURISTIC_NODES
            )
            if self.screen.guide is not None and self.instance.n < MANY_CUSTOMERS:
                # In long searches of many customers, routes passed over are missed in the plans.
                search.doubt(self.screen.guide, below=HARDLY_LOADABLE)
            remaining = self.time_limit.remaining
            seconds = MAX_HEURISTIC_SECONDS if remaining is None else remaining / 2
            limit = TimeLimit(min(seconds, MAX_HEURISTIC_SECONDS))
            for _ in range(HEURISTIC_ATTEMPTS):
                search.run(iterations=HEURISTIC_ITERATIONS, time_limit=limit.remaining)
                if search.routes is not None:
                    break
            else:
                self._sweep(search)
            self.oracle.record_queries(self._recorder is not None)
            queries = self.oracle.take_queries()
            self.master.add(search.routes or ())
            # Whatever was asked and found loadable may serve, not only the best.
            proven = {query.route for query in queries if query.verdict is Verdict.FEASIBLE}
            self.pool = RoutePool(self.instance, [*search.pool, *sorted(proven)])
        self._record_queries(queries, phase="heuristic")

    def improve_first_columns(self) -> None:
        """Where customers are many: search on for better routes, and look for good prices."""
        search = self.route_search
        if search is None or self.instance.n < MANY_CUSTOMERS:
            return
        with self._timed("heuristic"):
            self._report("looking for better routes")
            search.run(
                iterations=ITERATIONS_PER_CUSTOMER * self.instance.n,
                time_limit=self._share_of_time(SHARE_FOR_ROUTES, MAX_HEURISTIC_SECONDS).remaining,
            )
            self.master.add(search.routes or ())
            self.pool = RoutePool(self.instance, [*self.pool.waiting, *search.pool])
        self._record_queries(self.oracle.take_queries(), phase="heuristic")
        self._ascend(self._share_of_time(SHARE_FOR_ASCENT, MAX_ASCENT_SECONDS))

    def _share_of_time(self, share: float, most: float) -> TimeLimit:
        """Return a limit of so much of what is left, and so many seconds at most."""
        remaining = self.time_limit.remaining
        return self.time_limit.at_most(most if remaining is None else min(most, share * remaining))

    def _sweep(self, search: RouteSearch) -> None:
        """Give the route search something to begin with, where it has found nothing itself."""
        routes = sweep(
            self.instance, self.oracle, max_nodes=HEURISTIC_NODES, time_limit=self.time_limit
        )
        if routes is not None:
            search.offer(routes, proven=True)

    def _look_at_pairs(self) -> None:
        """Tell pricing which two customers never share a truck, as far as a glance shows."""
        limit = self._share_of_time(SHARE_FOR_PAIRS, MAX_PAIRS_SECONDS)
        for first in range(1, self.instance.n + 1):
            for second in range(first + 1, self.instance.n + 1):
                if limit.expired:
                    return
                result = self.oracle.check((first, second), max_nodes=GLANCE_NODES)
                if result.verdict is Verdict.INFEASIBLE:
                    self.pricer.forbid((first, second))

    def restrict(
        self, rows: Iterable[Row], forbidden_edges: Iterable[Edge], *, lower_bound: float
    ) -> None:
        """Turn to a part of the solutions: those that keep these rows and avoid these edges."""
        self._forbidden_edges = frozenset(forbidden_edges)
        self.master.set_rows(rows)
        self.master.set_forbidden_edges(self._forbidden_edges)
        self.pricer.set_forbidden_edges(self._forbidden_edges)
        self.lower_bound = lower_bound
        self.solution = self._proven = self.prices = None
        self._infeasibility = -math.inf

    def converge(self) -> Outcome:
        """Generate columns, with penalties that grow until only routes satisfy the rows."""
        for attempt in range(1, MAX_PENALTY_RAISES + 1):
            status = self._generate_columns()
            if status == "time_limit" and self.centre is None and not self._is_restricted:
                self._ascend(TimeLimit(MOMENT))
            if status != "converged" or self.solution is None:
                return status
            if self.solution.artificial <= ARTIFICIAL_VALUE:
                return "converged"
            self.master.raise_penalties()
            if attempt % PENALTY_RAISES_BEFORE_DOUBT:
                continue
            # Are the penalties too small, or can the rows not be satisfied at all?
            self.master.first_phase = True
            status = self._generate_columns()
            self.master.first_phase = False
            if self._is_proven_infeasible:
                return "infeasible"
            if status != "converged":
                return status
        raise MasterError(
            "the master problem can be satisfied, but no penalty makes it so: its numbers are "
            "beyond what the LP solver can tell apart"
        )

    def _generate_columns(self) -> Outcome:
        """Run the loop of the paper's Figure 1."""
        while True:
            # Restricted master problem: the best mixture of the routes so far, and its prices.
            with self._timed("master"):
                solution = self.master.solve(self.time_limit)
            if solution is None:
                return "time_limit"
            self.solution = solution
            self.iteration += 1
            if self.master.first_phase and solution.artificial <= ARTIFICIAL_VALUE:
                return "converged"

            # False positives: columns in use that cannot be loaded after all.
            refuted = self.screen.refuted(solution.support, self.time_limit)
            for route in refuted:
                self.master.remove(route)
            if self.time_limit.expired:
                return "time_limit"
            if refuted:
                continue
            if (
                not self.master.first_phase
                and solution.artificial <= ARTIFICIAL_VALUE
                and not any(map(self.screen.is_in_doubt, solution.support))
            ):
                self._proven = solution

            # Pricing, screening and loading check: routes that improve the mixture.
            with self._timed("pricing"):
                columns, complete = self._price(solution)
            self._record_queries(self.oracle.take_queries(), phase="pricing")
            self._report("pricing")
            added = self.master.add(columns)
            if self.lower_bound >= self.cutoff:
                return "cut_off"
            if not complete:
                return "time_limit"
            if not columns or (self.master.first_phase and self._is_proven_infeasible):
                return "converged"
            if not added:
                # The LP solver is less precise than it should be; the bound does not rest on it.
                self.master.loosen()
            if self.on_round is not None:
                self.on_round()

    def _price(self, solution: MasterSolution) -> tuple[tuple[RoutePath, ...], bool]:
        """Return improving columns, and whether the search for them was complete."""
        cost_factor = 0.0 if self.master.first_phase else 1.0
        threshold = solution.fleet_dual - self.master.tolerance
        if not self._is_restricted:
            from_pool = self.pool.take(
                solution.duals, threshold, max_routes=POOL_COLUMNS, cost_factor=cost_factor
            )
            fresh = tuple(route for route in from_pool if route not in self.master)
            if fresh:
                return fresh, True
        share = FIRST_SHARE if self._leaps else 0.0
        while True:
            # Prices between the best so far and those of the master; at last those alone.
            centre = self.centre
            asked = solution if centre is None else centre.mix(solution, share)
            prices = self._set_prices(asked, cost_factor)
            screened = self.screen.find_columns(
                asked.fleet_dual - self.master.tolerance, self.time_limit
            )
            prices = replace(prices, least_reduced_cost=screened.bound)
            if screened.complete:
                self.prices = prices
            self._raise_bound(prices)
            is_over = not screened.complete or self.lower_bound >= self.cutoff
            if (
                centre is None
                or share == 0.0
                or is_over
                or any(self._improves(route, solution) for route in screened.columns)
            ):
                return screened.columns, screened.complete
            self._recentre(self._centre_of(asked, prices))
            if screened.columns or centre.is_near(solution.value):
                share = lower_share(share)

    @property
    def _is_restricted(self) -> bool:
        return bool(self.master.rows or self._forbidden_edges)

    @property
    def _leaps(self) -> bool:
        """Whether the master's prices alone would make too many labels."""
        if self.centre is None or self.master.first_phase or self._is_restricted:
            return False
        statistics = self.pricer.statistics
        return statistics["labels"] > MANY_LABELS * statistics["labellings"]

    def _improves(self, route: RoutePath, solution: MasterSolution) -> bool:
        prices = math.fsum(solution.duals[customer - 1] for customer in route)
        reduced_cost = self.instance.route_cost(route) - prices - solution.fleet_dual
        return reduced_cost < -self.master.tolerance and route not in self.master

    def _centre_of(self, asked: MasterSolution, prices: Prices) -> Centre:
        fleet_dual = prices.least_reduced_cost
        if self.instance.conventions.fleet == "at-most":
            fleet_dual = min(0.0, fleet_dual)
        bound = prices.bound(self.instance, self.instance.vehicle_count)
        return Centre(asked.duals, fleet_dual, bound)

    def _recentre(self, found: Centre | None) -> None:
        if found is not None and (self.centre is None or found.bound > self.centre.bound):
            self.centre = found

    def _ascend(self, time_limit: TimeLimit) -> None:
        """Find prices with a good bound over walks, and take the bound."""

        def ask(solution: MasterSolution) -> tuple[list[RoutePath], Centre]:
            prices = self._set_prices(solution, 1.0)
            walks, least = self.pricer.cheapest_walks()
            prices = replace(prices, least_reduced_cost=least)
            self._raise_bound(prices)
            return walks, self._centre_of(solution, prices)

        with self._timed("pricing"):
            self._report("looking for first prices")
            walks = RestrictedMaster(self.instance)
            walks.add(self.master.routes)
            self._recentre(ascend(walks, ask, time_limit))

    def _set_prices(self, solution: MasterSolution, cost_factor: float) -> Prices:
        """Hand the duals to the pricer; return them as it understands them."""
        edge_prices: defaultdict[Edge, float] = defaultdict(float)
        subset_rows: list[tuple[SubsetRow, float]] = []
        constant: list[float] = []
        for row, dual in solution.row_duals.items():
            constant.append(dual * (row.lower if dual > 0 else row.upper))
            if isinstance(row, SubsetRow):
                subset_rows.append((row, -dual))
            else:
                assert isinstance(row, EdgeRow)
                for edge, coefficient in row.edges:
                    edge_prices[edge] += coefficient * dual
        duals = self.pricer.set_duals(
            solution.duals,
            cost_factor=cost_factor,
            edge_prices=edge_prices,
            subset_rows=subset_rows,
        )
        return Prices(constant=math.fsum((*duals, *constant)), least_reduced_cost=-math.inf)

    def _raise_bound(self, prices: Prices) -> None:
        """Take the Lagrangian bound of these prices: valid whatever they are."""
        lagrangian = prices.bound(self.instance, self.instance.vehicle_count)
        if self.master.first_phase:
            # Routes are free: where they must cost something, there are none.
            self._infeasibility = max(self._infeasibility, lagrangian)
        else:
            self.lower_bound = max(self.lower_bound, lagrangian)

    @property
    def _is_proven_infeasible(self) -> bool:
        return self._infeasibility > self.master.infeasibility_tolerance

    @contextmanager
    def _timed(self, part: str) -> Iterator[None]:
        """Count the time of a part, without that of the network and the loading checks in it."""
        started, checking = time.monotonic(), self._checking_seconds
        try:
            yield
        finally:
            spent = time.monotonic() - started
            self._seconds[part] += max(0.0, spent - (self._checking_seconds - checking))

    @property
    def _checking_seconds(self) -> float:
        return self.oracle.statistics["seconds"] + self.screen.network_seconds

    def _record_queries(self, queries: Sequence[Query], *, phase: str) -> None:
        if self._recorder is None:
            return
        solution, factor = self.solution, 0.0 if self.master.first_phase else 1.0

        def reduced_cost(route: RoutePath) -> float:
            assert solution is not None
            prices = sum(solution.duals[customer - 1] for customer in route)
            return factor * self.instance.route_cost(route) - prices - solution.fleet_dual

        self._recorder.record(
            queries,
            phase=phase,
            iteration=self.iteration,
            reduced_cost=None if solution is None else reduced_cost,
        )

    @property
    def _lp_value(self) -> float | None:
        return None if self._proven is None else self._proven.value

    def _report(self, doing: str) -> None:
        if self._on_progress is None:
            return
        checks = self.oracle.statistics
        self._on_progress(
            Progress(
                iteration=self.iteration,
                lp_value=self._lp_value,
                lower_bound=self.lower_bound,
                columns=self.master.column_count,
                exact_checks=_exact_checks(checks),
                seconds=self.time_limit.elapsed,
                doing=doing,
            )
        )

    def _result(self, status: Status) -> BoundResult:
        checks, pricing = self.oracle.statistics, self.pricer.statistics
        proven = None if status == "infeasible" else self._proven
        support = {} if proven is None else proven.support
        return BoundResult(
            status=status,
            lp_value=None if proven is None else proven.value,
            lower_bound=None if status == "infeasible" else self.lower_bound,
            iterations=self.iteration,
            columns=self.master.column_count,
            exact_checks=_exact_checks(checks),
            checks_feasible=int(checks["decided_feasible"]),
            checks_infeasible=int(checks["decided_infeasible"]),
            checks_unknown=int(checks["decided_unknown"]),
            network_calls=self.screen.network_calls,
            false_positive_cuts=self.screen.false_positive_cuts,
            seconds={
                "total": self.time_limit.elapsed,
                **self._seconds,
                "packing": checks["seconds"],
                "network": self.screen.network_seconds,
            },
            support=tuple(sorted(support.items())),
            conventions=self.instance.conventions,
            statistics={
                **{f"pricing_{name}": value for name, value in pricing.items()},
                **{f"loading_{name}": value for name, value in checks.items()},
                **{f"screen_{name}": value for name, value in self.screen.statistics.items()},
            },
        )


def _exact_checks(checks: Mapping[str, float]) -> int:
    return int(sum(checks[f"decided_{verdict}"] for verdict in Verdict))
