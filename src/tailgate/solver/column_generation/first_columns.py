"""The first columns: good routes, so that pricing does not start from the duals of penalties."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
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
ITERATIONS_TO_A_LOOK = 250
"""A first plan waits no longer before it is shown."""
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
SOME_CUSTOMERS = 15
"""With fewer, a mixed fleet is planned well at once."""
ITERATIONS_PER_CUSTOMER_OF_MIXED_FLEET = 15_000
"""Which vehicles leave and who stays is decided late in a search, and pricing does not help it."""
MAX_ASCENT_SECONDS = 60.0
MAX_SECONDS_WITHOUT_LIMIT = 60.0
"""For better routes at the beginning, however much they are asked for."""
SHARE_FOR_ROUTES = SHARE_FOR_ASCENT = 0.2
SHARE_FOR_MIXED_FLEET = 0.3
SLICE_SHARE = 0.05
"""Of the time so far, for one look whether plans still become cheaper."""
WORTHWHILE = 5e-4
"""By which a plan must become cheaper in that time, relatively."""


@dataclass(frozen=True, slots=True)
class RoutesFirst:
    """How long better routes are looked for, where there are many customers."""

    share: float = SHARE_FOR_ROUTES
    """Of the time that is left."""
    most_seconds: float = MAX_HEURISTIC_SECONDS
    share_while_it_pays: float = 0.0
    """Beyond that, as long as plans become cheaper; only where there is a limit of time."""


class FirstColumns:
    """Searches for routes by a heuristic, and gives them to column generation."""

    def __init__(
        self,
        generation: ColumnGeneration,
        time_limit: TimeLimit,
        *,
        seed: int = 0,
        watcher: Watcher | None = None,
        routes: RoutesFirst | None = None,
    ) -> None:
        self._generation = generation
        self._instance = generation.instance
        self._time_limit = time_limit
        self._seed = seed
        self._watcher = watcher or Watcher()
        self._routes_first = routes or RoutesFirst()
        self.route_search: RouteSearch | None = None
        """That found the first columns; it may go on."""

    def find(self, on_plan: Callable[[], None] | None = None) -> None:
        """Look for a first plan; keep every route that was proven on the way.

        `on_plan` is called as soon as there is a plan, before what takes longer.
        """
        generation, is_large = self._generation, self._instance.n >= MANY_CUSTOMERS
        with generation.stopwatch.timing("heuristic"):
            self._watcher.on_step(Step("looking for first routes"))
            self._record_queries(True)
            if not is_large:
                self._forbid_pairs()
            self._search(on_plan)
            if is_large:
                # Of many customers there are many pairs: whoever wants a plan does not wait.
                self._forbid_pairs()
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

    def _search(self, on_plan: Callable[[], None] | None) -> None:
        oracles = self._generation.oracles
        search = RouteSearch(self._instance, oracles, seed=self._seed, max_nodes=HEURISTIC_NODES)
        self.route_search = search
        for kind, screen in enumerate(self._generation.screen.by_kind):
            if screen.guide is not None and self._instance.n < MANY_CUSTOMERS:
                # In long searches of many customers, skipped routes are missed in the plans.
                search.doubt(screen.guide, below=HARDLY_LOADABLE, kind=kind)
        remaining = self._time_limit.remaining
        seconds = MAX_HEURISTIC_SECONDS if remaining is None else remaining / 2
        limit = TimeLimit(min(seconds, MAX_HEURISTIC_SECONDS))
        for _ in range(HEURISTIC_ATTEMPTS):
            self._attempt(search, limit, on_plan)
            if search.routes is not None:
                return
        # Something to begin with, where it has found nothing itself.
        columns = sweep(
            self._instance, oracles, max_nodes=HEURISTIC_NODES, time_limit=self._time_limit
        )
        if columns is not None:
            search.offer(columns, proven=True)

    def _attempt(
        self, search: RouteSearch, limit: TimeLimit, on_plan: Callable[[], None] | None
    ) -> None:
        """Search on in slices, which change nothing but when a first plan is known."""
        for _ in range(HEURISTIC_ITERATIONS // ITERATIONS_TO_A_LOOK):
            search.run(iterations=ITERATIONS_TO_A_LOOK, time_limit=limit.remaining)
            if on_plan is not None and search.routes is not None:
                # What is asked for the sake of the plan is no query of the search.
                self._record_queries(False)
                on_plan()
                self._record_queries(True)
                on_plan = None

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
        """Where customers are many: search on for better routes, and for good duals.

        For better routes also where there are kinds of vehicles or customers to choose from.
        """
        generation, search, instance = self._generation, self.route_search, self._instance
        has_choices = instance.has_kinds or bool(instance.optional)
        if search is None or instance.n < (SOME_CUSTOMERS if has_choices else MANY_CUSTOMERS):
            return
        routes = self._routes_first
        per_customer, share = ITERATIONS_PER_CUSTOMER, routes.share
        if has_choices:
            per_customer, share = (
                ITERATIONS_PER_CUSTOMER_OF_MIXED_FLEET,
                max(share, SHARE_FOR_MIXED_FLEET),
            )
        with generation.stopwatch.timing("heuristic"):
            self._watcher.on_step(Step("looking for better routes"))
            limit = self._share_of_time(share, routes.most_seconds)
            has_end = limit.remaining is not None and math.isinf(routes.most_seconds)
            search.run(
                # The other limit is enough where most of the time is for plans.
                iterations=None if has_end else per_customer * instance.n,
                time_limit=limit.remaining,
            )
            self._search_while_it_pays(search)
            generation.master.add(self.best_columns)
            pools = enumerate(generation.pricing.pools)
            waiting = [column for kind, pool in pools for column in columns_of(kind, pool.waiting)]
            self._fill_pools(chain(waiting, self._pool_of_search))
        generation.record_queries("heuristic")
        if instance.n < MANY_CUSTOMERS:
            return
        limit = self._share_of_time(SHARE_FOR_ASCENT, MAX_ASCENT_SECONDS)
        generation.find_first_duals(limit, self._watcher)

    def _search_while_it_pays(self, search: RouteSearch) -> None:
        """Search on for as long as plans become cheaper, within a share of the time."""
        share = self._routes_first.share_while_it_pays
        if not share or self._time_limit.remaining is None or self._instance.n < MANY_CUSTOMERS:
            return
        improvements = search.improvements
        if improvements and improvements[-1].seconds < 0.5 * search.statistics["seconds"]:
            return
        limit = self._share_of_time(share, math.inf)
        while not limit.expired:
            before = search.cost
            seconds = max(1.0, SLICE_SHARE * self._time_limit.elapsed)
            search.run(time_limit=limit.at_most(seconds).remaining)
            after = search.cost
            if after is None or (before is not None and after > (1 - WORTHWHILE) * before):
                return

    def _share_of_time(self, share: float, most: float) -> TimeLimit:
        """Return a limit of so much of what is left, and so many seconds at most."""
        remaining = self._time_limit.remaining
        if remaining is None:
            return self._time_limit.at_most(min(most, MAX_SECONDS_WITHOUT_LIMIT))
        return self._time_limit.at_most(min(most, share * remaining))
