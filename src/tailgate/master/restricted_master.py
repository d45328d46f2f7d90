"""The set-partitioning LP over the routes known so far, on HiGHS.

One row per customer (visited once) and one for the fleet (exactly or at most K routes). Artificial
columns let every row be missed by some amount, either way, for a penalty. They keep the problem
feasible, and the prices of customers within reason while there are few routes: so penalties start
low, and rise where a row is still missed in the end. In the first phase routes are free and a miss
costs one: it asks only whether the rows can be satisfied at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from tailgate.errors import TailgateError
from tailgate.instance import Instance
from tailgate.master.tolerances import (
    ARTIFICIAL_VALUE,
    POSITIVE_VALUE,
    REDUCED_COST_TOLERANCE,
    SOLVER_FEASIBILITY,
    SOLVER_FEASIBILITY_AT_LEAST,
    cost_scale,
)
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]

_PENALTY_IN_ROUND_TRIPS = 1.0
_PENALTY_GROWTH = 2.0
_TOLERANCE_GROWTH = 10.0


class MasterError(TailgateError):
    """HiGHS did not solve a master problem, also after several other attempts."""


@dataclass(frozen=True, slots=True)
class MasterSolution:
    """An optimal mixture of routes and the prices that go with it."""

    value: float
    duals: tuple[float, ...]
    """By customer 1..n."""
    fleet_dual: float
    support: Mapping[RoutePath, float]
    """The routes in use and how much of each."""
    artificial: float
    """How much of the rows only artificial columns satisfy."""


class RestrictedMaster:
    """Columns are routes; they are added warm and removed by fixing them at zero."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._symmetric = not instance.has_time_windows
        self._fleet_row = instance.n
        self._index: dict[RoutePath, int] = {}
        self._routes: list[RoutePath | None] = []
        self._costs: list[float] = []
        self._scale = cost_scale(float(instance.distance_matrix().max()))
        self._tolerance = REDUCED_COST_TOLERANCE
        self._first_phase = False
        self._highs = self._new_solver()
        self._add_rows()
        self._add_artificial_columns()

    @property
    def tolerance(self) -> float:
        """How negative a reduced cost must be to count."""
        return self._tolerance / self._scale

    def loosen(self) -> None:
        """Take larger reduced costs for zero: the solver's duals are not as good as asked for."""
        self._tolerance *= _TOLERANCE_GROWTH

    @property
    def infeasibility_tolerance(self) -> float:
        """How much the first phase must cost at least to prove that the rows contradict."""
        return ARTIFICIAL_VALUE / self._scale

    @property
    def column_count(self) -> int:
        """Number of routes."""
        return len(self._index)

    def __contains__(self, route: RoutePath) -> bool:
        return self.canonical(route) in self._index

    def canonical(self, route: RoutePath) -> RoutePath:
        """Return the one of a route and its reverse that stands for both, where both cost alike."""
        return min(route, route[::-1]) if self._symmetric else route

    def add(self, routes: Iterable[RoutePath]) -> int:
        """Add the routes that are not there yet; return how many were new."""
        added = 0
        for route in routes:
            column = self.canonical(route)
            if column in self._index:
                continue
            cost = self._scale * self._instance.route_cost(column)
            rows = np.array([*(customer - 1 for customer in column), self._fleet_row], np.int32)
            self._add_column(0.0 if self._first_phase else cost, rows, np.ones(len(rows)))
            self._index[column] = len(self._routes)
            self._routes.append(column)
            self._costs.append(cost)
            added += 1
        return added

    def remove(self, route: RoutePath) -> None:
        """Take a route out for good."""
        column = self._index.pop(self.canonical(route))
        self._routes[column] = None
        self._highs.changeColBounds(column, 0.0, 0.0)

    @property
    def first_phase(self) -> bool:
        """Whether routes are free and only artificial columns cost."""
        return self._first_phase

    @first_phase.setter
    def first_phase(self, on: bool) -> None:
        self._first_phase = on
        for column, cost in enumerate(self._costs):
            if column < self._artificial_count:
                self._highs.changeColCost(column, 1.0 if on else cost)
            else:
                self._highs.changeColCost(column, 0.0 if on else cost)

    def raise_penalties(self) -> None:
        """Make those artificial columns dearer that are in use in the last solution."""
        values = self._highs.getSolution().col_value
        for column in range(self._artificial_count):
            if values[column] > POSITIVE_VALUE:
                self._costs[column] *= _PENALTY_GROWTH
                self._highs.changeColCost(column, self._costs[column])

    def solve(self, time_limit: TimeLimit) -> MasterSolution | None:
        """Return an optimal solution, or None if the time is over before."""
        for prepare in (
            self._as_it_is,
            self._from_scratch,
            self._less_precisely,
            self._by_interior_point,
        ):
            prepare()
            remaining = time_limit.remaining
            self._highs.setOptionValue(
                "time_limit",
                highspy.kHighsInf if remaining is None else self._highs.getRunTime() + remaining,
            )
            self._highs.run()
            status = self._highs.getModelStatus()
            if status == highspy.HighsModelStatus.kOptimal:
                solution = self._solution()
                if solution is not None:
                    return solution
            if time_limit.expired or status == highspy.HighsModelStatus.kInterrupt:
                return None
        name = self._highs.modelStatusToString(self._highs.getModelStatus())
        raise MasterError(
            f"the LP solver HiGHS gave up on a master problem of {self.column_count} routes "
            f"({name}), also from scratch, less precisely and by interior points"
        )

    def _solution(self) -> MasterSolution | None:
        solution = self._highs.getSolution()
        if not (solution.value_valid and solution.dual_valid):
            return None
        values = np.asarray(solution.col_value)
        duals = np.asarray(solution.row_dual)
        if not (np.isfinite(values).all() and np.isfinite(duals).all()):
            return None
        support = {}
        for column in np.flatnonzero(values > POSITIVE_VALUE):
            route = self._routes[column]
            if route is not None:
                support[route] = float(values[column])
        scale = self._scale
        return MasterSolution(
            value=float(self._highs.getInfo().objective_function_value) / scale,
            duals=tuple((duals[: self._fleet_row] / scale).tolist()),
            fleet_dual=float(duals[self._fleet_row]) / scale,
            support=support,
            artificial=float(np.abs(values[: self._artificial_count]).sum()),
        )

    def _new_solver(self) -> highspy.Highs:
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        # Presolve would throw away the basis of the solution before.
        highs.setOptionValue("presolve", "off")
        # New columns leave a basis primal feasible.
        highs.setOptionValue("simplex_strategy", 4)
        return highs

    def _set(self, solver: str, tolerance: float) -> None:
        self._highs.setOptionValue("solver", solver)
        self._highs.setOptionValue("primal_feasibility_tolerance", tolerance)
        self._highs.setOptionValue("dual_feasibility_tolerance", tolerance)

    def _as_it_is(self) -> None:
        self._set("simplex", SOLVER_FEASIBILITY)

    def _from_scratch(self) -> None:
        self._highs.clearSolver()

    def _less_precisely(self) -> None:
        self._highs.clearSolver()
        self._set("simplex", SOLVER_FEASIBILITY_AT_LEAST)

    def _by_interior_point(self) -> None:
        self._highs.clearSolver()
        self._set("ipm", SOLVER_FEASIBILITY_AT_LEAST)

    def _add_rows(self) -> None:
        empty = np.array([], np.int32), np.array([], np.float64)
        for _ in range(self._instance.n):
            self._highs.addRow(1.0, 1.0, 0, *empty)
        count = float(self._instance.vehicle_count)
        exactly = self._instance.conventions.fleet == "exactly"
        self._highs.addRow(count if exactly else 0.0, count, 0, *empty)

    def _add_artificial_columns(self) -> None:
        round_trips = [
            2.0 * self._scale * self._instance.distance(0, customer)
            for customer in range(1, self._instance.n + 1)
        ]
        longest = max(1.0, *round_trips)
        # A fleet row of K routes weighs as much as K customers.
        for row, round_trip in enumerate([*round_trips, longest]):
            penalty = _PENALTY_IN_ROUND_TRIPS * max(round_trip, 0.1 * longest)
            for coefficient in (1.0, -1.0):
                self._add_column(penalty, np.array([row], np.int32), np.array([coefficient]))
                self._routes.append(None)
                self._costs.append(penalty)
        self._artificial_count = len(self._routes)

    def _add_column(
        self, cost: float, rows: npt.NDArray[np.int32], values: npt.NDArray[np.float64]
    ) -> None:
        self._highs.addCol(cost, 0.0, highspy.kHighsInf, len(rows), rows, values)
