"""The first columns: good routes, so that pricing does not start from the duals of penalties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations

from tailgate.model.aliases import RoutePath
from tailgate.solver.column import Column, columns_of, views_of
from tailgate.solver.column_generation.column_generation import ColumnGeneration
from tailgate.solver.column_generation.watcher import Step, Watcher
from tailgate.solver.loading import Verdict
from tailgate.solver.pricing import RoutePool
from tailgate.solver.routing import RouteSearch
from tailgate.solver.routing.sweep import sweep
from tailgate.solver.time_limit import TimeLimit

HEURISTIC_ITERATIONS = 4_000
HEURISTIC_NODES = 100
HEURISTIC_ATTEMPTS = 5
"""To find a plan; if there is none yet, the routes of parts must do."""
MAX_HEURISTIC_SECONDS = 10.0
HARDLY_LOADABLE = 0.05
"""Probability below which the search for first routes skips a route."""
PAIR_NODES = 60
MAX_PAIRS_SECONDS = 5.0
SHARE_FOR_PAIRS = 0.1
"""Of the time limit: of a thousand customers there are half a million pairs."""
MANY_CUSTOMERS = 60
"""With fewer, pricing is over before better routes and duals are found."""
ITERATIONS_PER_CUSTOMER = 2_500
MAX_ASCENT_SECONDS = 60.0
SHARE_FOR_ROUTES = SHARE_FOR_ASCENT = 0.2


class FirstColumns:
    """Searches for routes by a heuristic, and gives them to column generation."""

    def __init__(
        self,
        generation: ColumnGeneration,
        time_limit: TimeLimit,
        *,
        seed: int = 0,
        watcher: Watcher | None = None,
    ) -> None:
        self._generation = generation
        self._instance = generation.instance
        self._time_limit = time_limit
        self._seed = seed
        self._watcher = watcher or Watcher()
        self.route_search: RouteSearch | None = None
        """That found the first columns; it may go on."""

    def find(self) -> None:
        """Look for a first plan; keep every route that was proven on the way."""
        generation = self._generation
        with generation.stopwatch.timing("heuristic"):
            self._watcher.on_step(Step("looking for first routes"))
            self._record_queries(True)
            self._forbid_pairs()
            self.route_search = self._search()
            self._record_queries(generation.recorder is not None)
            generation.master.add(self.best_columns)
            queries = generation.record_queries("heuristic")
            # Whatever was asked and found loadable may serve, not only the best.
            proven = {
                kind: {query.route for query in own if query.verdict is Verdict.FEASIBLE}
                for kind, own in queries.items()
            }
            loadable = (
                Column(kind, route)
                for kind in range(len(self._instance.vehicles))
                for route in sorted(set[RoutePath]().union(*self._loadable_on(kind, proven)))
            )
            self._fill_pools(chain(self._pool_of_search, loadable))

    def _loadable_on(
        self, kind: int, proven: Mapping[int, set[RoutePath]]
    ) -> Iterator[set[RoutePath]]:
        """Yield routes that are proven for the floor of a kind, or for one that is no larger."""
        floor = self._instance.vehicles[kind]
        for other, routes in proven.items():
            vehicle = self._instance.vehicles[other]
            if vehicle.width <= floor.width and vehicle.length <= floor.length:
                yield routes

    def _fill_pools(self, columns: Iterable[Column]) -> None:
        """Have these columns in the pools of their kinds."""
        routes: dict[int, list[RoutePath]] = defaultdict(list)
        for kind, route in columns:
            routes[kind].append(route)
        self._generation.pricing.pools = [
            RoutePool(view, routes[kind]) for kind, view in enumerate(views_of(self._instance))
        ]

    @property
    def _pool_of_search(self) -> list[Column]:
        return [] if self.route_search is None else self.route_search.pool

    @property
    def best_columns(self) -> list[Column]:
        """The routes of the best plan of the route search; none if it has none."""
        search = self.route_search
        return [] if search is None else search.routes or []

    def _search(self) -> RouteSearch:
        oracles = self._generation.oracles
        search = RouteSearch(self._instance, oracles, seed=self._seed, max_nodes=HEURISTIC_NODES)
        for kind, screen in enumerate(self._generation.screen.by_kind):
            if screen.guide is not None and self._instance.n < MANY_CUSTOMERS:
                # In long searches of many customers, skipped routes are missed in the plans.
                search.doubt(screen.guide, below=HARDLY_LOADABLE, kind=kind)
        remaining = self._time_limit.remaining
        seconds = MAX_HEURISTIC_SECONDS if remaining is None else remaining / 2
        limit = TimeLimit(min(seconds, MAX_HEURISTIC_SECONDS))
        for _ in range(HEURISTIC_ATTEMPTS):
            search.run(iterations=HEURISTIC_ITERATIONS, time_limit=limit.remaining)
            if search.routes is not None:
                return search
        # Something to begin with, where it has found nothing itself.
        columns = sweep(
            self._instance, oracles, max_nodes=HEURISTIC_NODES, time_limit=self._time_limit
        )
        if columns is not None:
            search.offer(columns, proven=True)
        return search

    def _forbid_pairs(self) -> None:
        """Let pricing know which two customers never share a truck, as far as quick checks show."""
        limit = self._share_of_time(SHARE_FOR_PAIRS, MAX_PAIRS_SECONDS)
        # What does not fit on the largest floor need not be asked again of the others.
        for screen in sorted(
            self._generation.screen.by_kind,
            key=lambda screen: -screen.oracle.instance.vehicle.area,
        ):
            for pair in combinations(range(1, self._instance.n + 1), 2):
                if limit.expired:
                    return
                if pair in screen.pricer.forbidden:
                    continue
                result = screen.oracle.check(pair, max_nodes=PAIR_NODES)
                if result.verdict is Verdict.INFEASIBLE:
                    screen.forbid(pair)

    def _record_queries(self, on: bool) -> None:
        for oracle in self._generation.screen.different_oracles:
            oracle.record_queries(on)

    def improve(self) -> None:
        """Where customers are many: search on for better routes, and for good duals."""
        generation, search = self._generation, self.route_search
        if search is None or self._instance.n < MANY_CUSTOMERS:
            return
        with generation.stopwatch.timing("heuristic"):
            self._watcher.on_step(Step("looking for better routes"))
            search.run(
                iterations=ITERATIONS_PER_CUSTOMER * self._instance.n,
                time_limit=self._share_of_time(SHARE_FOR_ROUTES, MAX_HEURISTIC_SECONDS).remaining,
            )
            generation.master.add(self.best_columns)
            pools = enumerate(generation.pricing.pools)
            waiting = [column for kind, pool in pools for column in columns_of(kind, pool.waiting)]
            self._fill_pools(chain(waiting, self._pool_of_search))
        generation.record_queries("heuristic")
        limit = self._share_of_time(SHARE_FOR_ASCENT, MAX_ASCENT_SECONDS)
        generation.find_first_duals(limit, self._watcher)

    def _share_of_time(self, share: float, most: float) -> TimeLimit:
        """Return a limit of so much of what is left, and so many seconds at most."""
        remaining = self._time_limit.remaining
        return self._time_limit.at_most(most if remaining is None else min(most, share * remaining))
