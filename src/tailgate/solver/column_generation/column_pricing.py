"""Columns for the duals of a master problem: pricing, screening, and duals that do not leap."""

from __future__ import annotations

from collections.abc import Callable

from tailgate.solver.column import Column, columns_of, views_of
from tailgate.solver.column_generation.lagrangian import Lagrangian
from tailgate.solver.column_generation.prices import Prices
from tailgate.solver.column_generation.relaxation import Subproblem
from tailgate.solver.master import MasterSolution, RestrictedMaster
from tailgate.solver.pricing import RoutePool
from tailgate.solver.screening import FleetScreen
from tailgate.solver.stabilisation import FIRST_SHARE, Centre, ascend, lower_share
from tailgate.solver.time_limit import TimeLimit

MANY_LABELS = 10_000
"""Of one labelling, on average: below, duals that leap do no harm."""
POOL_COLUMNS = 200
"""Taken from the pool in one round, at most."""

OnBound = Callable[[Lagrangian], bool]
"""Takes a bound; returns whether that is enough."""


class ColumnPricing:
    """Finds routes of negative reduced cost: in the pool of proven routes first, then by labelling.

    The duals that it asks with lie between the best so far and those of the master, where the
    latter alone would make too many labels. Any duals give a valid bound.
    """

    def __init__(self, screen: FleetScreen, master: RestrictedMaster) -> None:
        self._screen = screen
        self._instance = screen.instance
        self._views = views_of(screen.instance)
        self._master = master
        self.pools = [RoutePool(view, []) for view in self._views]
        """By kind: proven routes."""
        self._subproblem = Subproblem()
        self.centre: Centre | None = None
        """The best duals of the root so far, where they were looked for."""
        self.lagrangian: Lagrangian | None = None
        """Of the last pricing that was complete."""

    def price_with_smoothing(
        self,
        solution: MasterSolution,
        *,
        is_unrestricted: bool,
        time_limit: TimeLimit,
        on_bound: OnBound,
    ) -> tuple[tuple[Column, ...], bool]:
        """Return columns that improve the solution, and whether the search was complete."""
        if is_unrestricted:
            fresh = self._take_from_pools(solution)
            if fresh:
                return fresh, True
        share = FIRST_SHARE if is_unrestricted and self._duals_leap else 0.0
        while True:
            centre = self.centre
            asked = solution if centre is None else centre.smoothed(solution, share)
            columns, lagrangian, complete = self._price_all_kinds(asked, time_limit)
            if complete:
                self.lagrangian = lagrangian
            is_enough = on_bound(lagrangian)
            if (
                centre is None
                or share == 0.0
                or is_enough
                or not complete
                or any(self._improves(column, solution) for column in columns)
            ):
                return columns, complete
            self._recentre(Centre(asked.duals, lagrangian.fleet_duals, lagrangian.bound))
            if columns or centre.is_near(solution.value):
                share = lower_share(share)

    def _take_from_pools(self, solution: MasterSolution) -> tuple[Column, ...]:
        """Return proven routes outside the master that improve the solution."""
        fresh: list[Column] = []
        for kind, pool in enumerate(self.pools):
            taken = pool.take(
                solution.duals,
                solution.fleet_duals[kind] - self._master.tolerance,
                max_routes=POOL_COLUMNS,
                cost_factor=self._cost_factor,
            )
            columns = columns_of(kind, taken)
            fresh += (column for column in columns if column not in self._master)
        return tuple(fresh)

    def _price_all_kinds(
        self, asked: MasterSolution, time_limit: TimeLimit
    ) -> tuple[tuple[Column, ...], Lagrangian, bool]:
        """Return columns for these duals, their bound, and whether all kinds were searched."""
        columns: list[Column] = []
        prices, complete = self._prices(asked), True
        for kind, screen in enumerate(self._screen.by_kind):
            if not prices.has_vehicles(kind):
                continue
            prices.hand_to(screen.pricer)
            screened = screen.price_and_screen(
                asked.fleet_duals[kind] - self._master.tolerance, time_limit
            )
            columns += columns_of(kind, screened.columns)
            prices.take_bound(kind, screened.bound)
            complete &= screened.complete
        return tuple(columns), prices.lagrangian, complete

    def _prices(self, asked: MasterSolution) -> Prices:
        return Prices(self._instance, self._subproblem, asked, self._cost_factor)

    def restrict(self, subproblem: Subproblem) -> None:
        """Price for a part of the solutions from now on."""
        self._subproblem = subproblem

    def find_first_duals(self, time_limit: TimeLimit, on_bound: OnBound) -> None:
        """Find duals with a good bound over walks, a relaxation that is solved within seconds."""

        def ask(solution: MasterSolution) -> tuple[list[Column], Centre]:
            columns: list[Column] = []
            prices = self._prices(solution)
            for kind, pricer in enumerate(self._screen.pricers):
                if not prices.has_vehicles(kind):
                    continue
                prices.hand_to(pricer)
                walks, least = pricer.cheapest_walks()
                columns += columns_of(kind, walks)
                prices.take_bound(kind, least)
            lagrangian = prices.lagrangian
            on_bound(lagrangian)
            return columns, Centre(solution.duals, lagrangian.fleet_duals, lagrangian.bound)

        def without_waiting(column: Column) -> float:
            return self._views[column.kind].costs.without_waiting(column.route)

        # A walk is not a route: what it waits for is left out, as in its bound.
        walks = RestrictedMaster(self._instance, cost=without_waiting)
        walks.add(self._master.columns)
        self._recentre(ascend(walks, ask, time_limit))

    @property
    def _cost_factor(self) -> float:
        return 0.0 if self._master.first_phase else 1.0

    @property
    def _duals_leap(self) -> bool:
        """Whether the master's duals alone would make too many labels."""
        if self.centre is None or self._master.first_phase:
            return False
        statistics = self._screen.pricing
        return statistics["labels"] > MANY_LABELS * statistics["labellings"]

    def _improves(self, column: Column, solution: MasterSolution) -> bool:
        reduced_cost = solution.reduced_cost(column, self._master.route_cost(column))
        return reduced_cost < -self._master.tolerance and column not in self._master

    def _recentre(self, found: Centre | None) -> None:
        if found is not None and (self.centre is None or found.bound > self.centre.bound):
            self.centre = found
