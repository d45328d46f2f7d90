"""Columns for the duals of a master problem: pricing, screening, and duals that do not leap."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

from tailgate.model.aliases import RoutePath
from tailgate.solver.column_generation.lagrangian import Lagrangian
from tailgate.solver.master import Edge, EdgeRow, MasterSolution, RestrictedMaster
from tailgate.solver.pricing import RoutePool, SubsetRow
from tailgate.solver.screening import Screen
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

    def __init__(self, screen: Screen, master: RestrictedMaster) -> None:
        self._screen = screen
        self._pricer = screen.pricer
        self._instance = screen.oracle.instance
        self._master = master
        self.pool = RoutePool(self._instance, [])
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
    ) -> tuple[tuple[RoutePath, ...], bool]:
        """Return columns that improve the solution, and whether the search was complete."""
        master = self._master
        if is_unrestricted:
            from_pool = self.pool.take(
                solution.duals,
                solution.fleet_dual - master.tolerance,
                max_routes=POOL_COLUMNS,
                cost_factor=self._cost_factor,
            )
            fresh = tuple(route for route in from_pool if route not in master)
            if fresh:
                return fresh, True
        share = FIRST_SHARE if is_unrestricted and self._duals_leap else 0.0
        while True:
            centre = self.centre
            asked = solution if centre is None else centre.smoothed(solution, share)
            constant = self._set_duals(asked)
            screened = self._screen.price_and_screen(
                asked.fleet_dual - master.tolerance, time_limit
            )
            lagrangian = Lagrangian.of(self._instance, constant, screened.bound)
            if screened.complete:
                self.lagrangian = lagrangian
            is_enough = on_bound(lagrangian)
            if (
                centre is None
                or share == 0.0
                or is_enough
                or not screened.complete
                or any(self._improves(route, solution) for route in screened.columns)
            ):
                return screened.columns, screened.complete
            self._recentre(_centre(asked, lagrangian))
            if screened.columns or centre.is_near(solution.value):
                share = lower_share(share)

    def find_first_duals(self, time_limit: TimeLimit, on_bound: OnBound) -> None:
        """Find duals with a good bound over walks, a relaxation that is solved within seconds."""

        def ask(solution: MasterSolution) -> tuple[list[RoutePath], Centre]:
            constant = self._set_duals(solution)
            walks, least = self._pricer.cheapest_walks()
            lagrangian = Lagrangian.of(self._instance, constant, least)
            on_bound(lagrangian)
            return walks, _centre(solution, lagrangian)

        # A walk is not a route: what it waits for is left out, as in its bound.
        walks = RestrictedMaster(self._instance, cost=self._instance.costs.without_waiting)
        walks.add(self._master.routes)
        self._recentre(ascend(walks, ask, time_limit))

    @property
    def _cost_factor(self) -> float:
        return 0.0 if self._master.first_phase else 1.0

    @property
    def _duals_leap(self) -> bool:
        """Whether the master's duals alone would make too many labels."""
        if self.centre is None or self._master.first_phase:
            return False
        statistics = self._pricer.statistics
        return statistics["labels"] > MANY_LABELS * statistics["labellings"]

    def _improves(self, route: RoutePath, solution: MasterSolution) -> bool:
        reduced_cost = solution.reduced_cost(route, self._instance.route_cost(route))
        return reduced_cost < -self._master.tolerance and route not in self._master

    def _recentre(self, found: Centre | None) -> None:
        if found is not None and (self.centre is None or found.bound > self.centre.bound):
            self.centre = found

    def _set_duals(self, solution: MasterSolution) -> float:
        """Hand the duals to the pricer; return what all rows pay under them, as it rounds them."""
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
        duals = self._pricer.set_duals(
            solution.duals,
            cost_factor=self._cost_factor,
            edge_prices=edge_prices,
            subset_rows=subset_rows,
        )
        return math.fsum((*duals, *constant))


def _centre(asked: MasterSolution, lagrangian: Lagrangian) -> Centre:
    return Centre(asked.duals, lagrangian.least_reduced_cost, lagrangian.bound)
