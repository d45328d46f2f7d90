"""The set-partitioning LP over the routes known so far, on HiGHS.

One row per customer (visited once) and one per kind of vehicle (exactly or at most K routes of the
kind). Artificial columns let every row be missed by some amount, either way, for a penalty. They
keep the problem feasible, and the duals of customers within reason while there are few routes: so
penalties start low, and rise where a row is still missed in the end. In the first phase routes are
free and a miss costs one: it asks only whether the rows can be satisfied at all.

A customer that may be left out has a slack column at its cost of leaving it out.

The search adds what it knows of a part of its tree: further rows, edges that no route may use, who
is left out, which kinds do not come to whom, and how many vehicles of each kind are used.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, views_of
from tailgate.solver.highs import highspy
from tailgate.solver.master.edge_row import Edge, edges_of
from tailgate.solver.master.lp_run import DUAL_SIMPLEX, PRIMAL_SIMPLEX, prepare, run_lp
from tailgate.solver.master.tolerances import (
    ARTIFICIAL_VALUE,
    POSITIVE_VALUE,
    REDUCED_COST_TOLERANCE,
    cost_scale,
)
from tailgate.solver.time_limit import TimeLimit

_PENALTY_IN_ROUND_TRIPS = 1.0
_PENALTY_GROWTH = 2.0
_TOLERANCE_GROWTH = 10.0


class Row(Protocol):
    """A further row; hashable. The sum of coefficient * value lies between lower and upper."""

    @property
    def lower(self) -> float:
        """At least so much; minus infinity where there is no limit."""

    @property
    def upper(self) -> float:
        """At most so much; infinity where there is no limit."""

    @property
    def left_out(self) -> frozenset[tuple[int, float]]:
        """Customers that count if they are left out, and for how much."""

    def coefficients(self, columns: Sequence[Column]) -> Sequence[int]:
        """Return the coefficient of each column."""


@dataclass(frozen=True, slots=True)
class MasterSolution:
    """An optimal fractional solution, and its duals."""

    value: float
    duals: tuple[float, ...]
    """By customer 1..n."""
    fleet_duals: tuple[float, ...]
    """By kind of vehicle."""
    support: Mapping[Column, float]
    """The columns in use and how much of each."""
    artificial: float
    """How much of the rows only artificial columns satisfy."""
    left_out: Mapping[int, float] = field(default_factory=dict)
    """By customer: how much of it is left out, where that is anything."""
    row_duals: Mapping[Row, float] = field(default_factory=dict)
    """Of the further rows, where not zero; positive only where there is a lower limit, negative
    only where there is an upper one."""

    def reduced_cost(self, column: Column, cost: float) -> float:
        """Return what a route of this cost has beyond the duals of its customers and its kind."""
        kind, route = column
        return cost - math.fsum(self.duals[stop - 1] for stop in route) - self.fleet_duals[kind]


@dataclass(frozen=True, slots=True)
class Penalties:
    """The costs of artificial columns, scaled, and the tolerance of reduced costs."""

    costs: Mapping[int, float]
    tolerance: float


class RestrictedMaster:
    """Columns are routes; they are added warm and removed by fixing them at zero."""

    def __init__(
        self, instance: Instance, *, cost: Callable[[Column], float] | None = None
    ) -> None:
        """Make a master without columns; ``cost`` is that of a route unless something else is."""
        self._instance = instance
        self._views = views_of(instance)
        self._cost = self.route_cost if cost is None else cost
        self._symmetric = tuple(view.is_symmetric for view in self._views)
        self._first_further_row = instance.n + len(self._views)
        self._rows: list[Row] = []
        self._row_artificials: dict[Row, list[int]] = {}
        self._forbidden_edges: frozenset[Edge] = frozenset()
        self._refused: frozenset[tuple[int, int]] = frozenset()
        self._vehicle_limits = vehicle_limits(instance)
        self._slacks: dict[int, int] = {}
        """By customer: the column that leaves it out."""
        self._slack_limits: dict[int, tuple[float, float]] = {}
        """By customer: the limits of its slack column that are not the usual ones."""
        self._columns_by_edge: defaultdict[Edge, set[int]] = defaultdict(set)
        self._index: dict[Column, int] = {}
        self._columns: list[Column | None] = []
        self._costs: list[float] = []
        self._scale = cost_scale(_largest_cost(instance, self._views))
        self._tolerance = REDUCED_COST_TOLERANCE
        self._first_phase = False
        self._artificials: set[int] = set()
        self._is_restricted = False
        self._highs = highspy.Highs()
        prepare(self._highs)
        self._add_rows()
        self._add_artificial_columns()
        self._add_slack_columns()

    @property
    def tolerance(self) -> float:
        """How negative a reduced cost must be to count."""
        return self._tolerance / self._scale

    def loosen_tolerance(self) -> None:
        """Take larger reduced costs for zero: the solver's duals are not as good as asked for."""
        self._tolerance *= _TOLERANCE_GROWTH

    @property
    def infeasibility_tolerance(self) -> float:
        """How much the first phase must cost at least to prove that the rows contradict."""
        return ARTIFICIAL_VALUE / self._scale

    @property
    def column_count(self) -> int:
        """Number of columns, without artificial ones."""
        return len(self._index)

    def __contains__(self, column: Column) -> bool:
        return self.canonical(column) in self._index

    def canonical(self, column: Column) -> Column:
        """Return the one of a route and its reverse that stands for both, where both cost alike."""
        kind, route = column
        if not self._symmetric[kind]:
            return column
        reverse = route[::-1]
        return Column(kind, reverse) if reverse < route else column

    def route_cost(self, column: Column) -> float:
        """Return what a vehicle of its kind costs on a route."""
        return self._views[column.kind].route_cost(column.route)

    @property
    def columns(self) -> list[Column]:
        """All of them, whether the forbidden edges allow them or not."""
        return list(self._index)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The further rows."""
        return tuple(self._rows)

    def add(self, columns: Iterable[Column]) -> int:
        """Add the columns that are not there yet; return how many were new."""
        fresh: list[Column] = []
        for column in map(self.canonical, columns):
            if column not in self._index:
                self._index[column] = len(self._columns) + len(fresh)
                fresh.append(column)
        coefficients = [row.coefficients(fresh) for row in self._rows] if fresh else []
        for position, column in enumerate(fresh):
            kind, route = column
            cost = self._scale * self._cost(column)
            # A walk may visit a customer more than once.
            entries = Counter(stop - 1 for stop in route)
            entries[self._instance.n + kind] = 1
            for row, of_columns in enumerate(coefficients, self._first_further_row):
                if of_columns[position]:
                    entries[row] = of_columns[position]
            edges = set(edges_of(route))
            self._highs.addCol(
                0.0 if self._first_phase else cost,
                0.0,
                self._upper_limit(column, edges),
                len(entries),
                np.array(list(entries), np.int32),
                np.array(list(entries.values()), np.float64),
            )
            for edge in edges:
                self._columns_by_edge[edge].add(len(self._columns))
            self._columns.append(column)
            self._costs.append(cost)
        return len(fresh)

    def remove(self, column: Column) -> None:
        """Take a column out for good."""
        canonical = self.canonical(column)
        index = self._index.pop(canonical)
        self._columns[index] = None
        for edge in set(edges_of(canonical.route)):
            self._columns_by_edge[edge].discard(index)
        self._highs.changeColBounds(index, 0.0, 0.0)

    def set_forbidden_edges(self, edges: Collection[Edge]) -> None:
        """Let no route use one of these edges; those before are free again."""
        changed = self._forbidden_edges.symmetric_difference(edges)
        self._forbidden_edges = frozenset(edges)
        self._is_restricted |= bool(changed)
        for index in sorted({c for edge in changed for c in self._columns_by_edge[edge]}):
            column = self._columns[index]
            assert column is not None
            upper = self._upper_limit(column, edges_of(column.route))
            self._highs.changeColBounds(index, 0.0, upper)

    def _upper_limit(self, column: Column, edges: Iterable[Edge]) -> float:
        """Return zero for a column that may not be used now, and infinity for others."""
        kind, route = column
        allowed = self._forbidden_edges.isdisjoint(edges) and not (
            self._refused and any((stop, kind) in self._refused for stop in route)
        )
        return highspy.kHighsInf if allowed else 0.0

    def set_refused(self, refused: Collection[tuple[int, int]]) -> None:
        """Let no vehicle of a kind come to a customer, for these (customer, kind) alone."""
        if self._refused == refused:
            return
        self._refused = frozenset(refused)
        self._is_restricted = True
        for column, index in self._index.items():
            upper = self._upper_limit(column, edges_of(column.route))
            self._highs.changeColBounds(index, 0.0, upper)

    def set_served(self, served: Collection[int], left_out: Collection[int]) -> None:
        """Serve some optional customers and leave others out; all others are free to choose.

        Who is left out must be `set_refused` for all kinds.
        """
        limits = dict.fromkeys(served, (0.0, 0.0)) | dict.fromkeys(left_out, (1.0, 1.0))
        if limits == self._slack_limits:
            return
        for customer in {*limits, *self._slack_limits}:
            if customer in self._slacks:
                lower, upper = limits.get(customer, (0.0, 1.0))
                self._highs.changeColBounds(self._slacks[customer], lower, upper)
            else:
                assert limits.get(customer) != (1.0, 1.0), "only optional customers are left out"
        self._slack_limits = limits
        self._is_restricted = True

    def set_vehicle_limits(self, limits: tuple[tuple[int, int], ...]) -> None:
        """Use so many vehicles of each kind, at least and at most."""
        for kind, (fewest, most) in enumerate(limits):
            if limits[kind] != self._vehicle_limits[kind]:
                row = self._instance.n + kind
                self._highs.changeRowBounds(row, float(fewest), float(most))
                self._is_restricted = True
        self._vehicle_limits = limits

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Have exactly these further rows; those that stay keep their place in the basis."""
        wanted = dict.fromkeys(rows)
        self._is_restricted |= wanted.keys() != set(self._rows)
        gone = [index for index, row in enumerate(self._rows) if row not in wanted]
        if gone:
            for index in gone:
                for artificial in self._row_artificials.pop(self._rows[index], ()):
                    self._artificials.remove(artificial)
                    self._highs.changeColBounds(artificial, 0.0, 0.0)
            first = self._first_further_row
            self._highs.deleteRows(len(gone), np.array(gone, np.int32) + first)
            self._rows = [row for row in self._rows if row in wanted]
        present = set(self._rows)
        for row in wanted:
            if row not in present:
                self._add_row(row)

    def _add_row(self, row: Row) -> None:
        columns = list(self._index.values())
        values = np.array(row.coefficients(list(self._index)), np.float64)
        used = np.flatnonzero(values)
        indices = np.array(columns, np.int32)[used] if columns else np.array([], np.int32)
        values = values[used]
        slacks = [
            (self._slacks[one], amount) for one, amount in row.left_out if one in self._slacks
        ]
        if slacks:
            indices = np.append(indices, np.array([index for index, _ in slacks], np.int32))
            values = np.append(values, [amount for _, amount in slacks])
        self._highs.addRow(row.lower, row.upper, len(indices), indices, values)
        self._rows.append(row)
        last = self._first_further_row + len(self._rows) - 1
        # Who must be left out may exceed an upper limit; routes alone need not be used.
        misses = [1.0] * (row.lower > 0) + [-1.0] * (bool(slacks) and math.isfinite(row.upper))
        for miss in misses:
            artificial = self._add_artificial(self._largest_penalty, last, miss)
            self._row_artificials.setdefault(row, []).append(artificial)

    @property
    def first_phase(self) -> bool:
        """Whether routes are free and only artificial columns cost."""
        return self._first_phase

    @first_phase.setter
    def first_phase(self, on: bool) -> None:
        self._first_phase = on
        for column, cost in enumerate(self._costs):
            free = 1.0 if column in self._artificials else 0.0
            self._highs.changeColCost(column, free if on else cost)

    def raise_penalties(self) -> None:
        """Raise the cost of those artificial columns that are in use in the last solution."""
        values = self._highs.getSolution().col_value
        for column in self._artificials:
            if values[column] > POSITIVE_VALUE:
                self._costs[column] *= _PENALTY_GROWTH
                self._highs.changeColCost(column, self._costs[column])

    @property
    def penalties(self) -> Penalties:
        """What misses cost now, and how negative a reduced cost must be to count."""
        return Penalties({one: self._costs[one] for one in self._artificials}, self._tolerance)

    def restore_penalties(self, earlier: Penalties) -> None:
        """Take back raises that were of no use: they would make all later duals leap."""
        for column in self._artificials & earlier.costs.keys():
            self._costs[column] = earlier.costs[column]
            self._highs.changeColCost(column, self._costs[column])
        self._tolerance = earlier.tolerance

    def solve(self, time_limit: TimeLimit) -> MasterSolution | None:
        """Return an optimal solution, or None if the time is over before."""
        strategy = DUAL_SIMPLEX if self._is_restricted else PRIMAL_SIMPLEX
        self._is_restricted = False
        found = run_lp(self._highs, strategy, time_limit)
        if found is None:
            return None
        values, duals = found
        support = {}
        for column in np.flatnonzero(values > POSITIVE_VALUE):
            used = self._columns[column]
            if used is not None:
                support[used] = float(values[column])
        scale, n = self._scale, self._instance.n
        return MasterSolution(
            value=float(self._highs.getInfo().objective_function_value) / scale,
            duals=tuple((duals[:n] / scale).tolist()),
            fleet_duals=tuple((duals[n : self._first_further_row] / scale).tolist()),
            support=support,
            artificial=float(np.abs(values[list(self._artificials)]).sum()),
            left_out={
                customer: float(values[column])
                for customer, column in self._slacks.items()
                if values[column] > POSITIVE_VALUE
            },
            row_duals=self._row_duals(duals),
        )

    def _row_duals(self, duals: npt.NDArray[np.float64]) -> dict[Row, float]:
        return {
            row: dual / self._scale
            for row, dual in zip(self._rows, duals[self._first_further_row :].tolist(), strict=True)
            if (dual > 0 and np.isfinite(row.lower)) or (dual < 0 and np.isfinite(row.upper))
        }

    def _add_rows(self) -> None:
        empty = np.array([], np.int32), np.array([], np.float64)
        for _ in range(self._instance.n):
            self._highs.addRow(1.0, 1.0, 0, *empty)
        for fewest, most in self._vehicle_limits:
            self._highs.addRow(float(fewest), float(most), 0, *empty)

    def _add_artificial_columns(self) -> None:
        trips = zip(*(view.costs.round_trips() for view in self._views), strict=True)
        round_trips = [self._scale * max(by_kind) for by_kind in trips]
        for customer in self._instance.optional:
            # To leave it out is cheaper than to miss its row: so penalties need not rise for it.
            left_out = self._scale * self._instance.leave_out_cost(customer)
            round_trips[customer - 1] = max(round_trips[customer - 1], left_out)
        longest = max(1.0, *round_trips)
        self._largest_penalty = _PENALTY_IN_ROUND_TRIPS * longest
        # A fleet row of K routes weighs as much as K customers.
        for row, round_trip in enumerate([*round_trips, *([longest] * len(self._views))]):
            penalty = _PENALTY_IN_ROUND_TRIPS * max(round_trip, 0.1 * longest)
            for coefficient in (1.0, -1.0):
                self._add_artificial(penalty, row, coefficient)

    def _add_slack_columns(self) -> None:
        for customer in sorted(self._instance.optional):
            cost = self._scale * self._instance.leave_out_cost(customer)
            self._slacks[customer] = len(self._columns)
            entry = np.array([customer - 1], np.int32), np.array([1.0])
            self._highs.addCol(cost, 0.0, 1.0, 1, *entry)
            self._columns.append(None)
            self._costs.append(cost)

    def _add_artificial(self, penalty: float, row: int, coefficient: float) -> int:
        column = len(self._columns)
        cost = 1.0 if self._first_phase else penalty
        entry = np.array([row], np.int32), np.array([coefficient])
        self._highs.addCol(cost, 0.0, highspy.kHighsInf, 1, *entry)
        self._columns.append(None)
        self._costs.append(penalty)
        self._artificials.add(column)
        return column


def vehicle_limits(instance: Instance) -> tuple[tuple[int, int], ...]:
    """Return how many vehicles of each kind a plan uses, at least and at most."""
    exactly = instance.conventions.fleet == "exactly"
    counts = [vehicle.count for vehicle in instance.vehicles]
    return tuple((count if exactly else 0, count) for count in counts)


def _largest_cost(instance: Instance, views: Sequence[Instance]) -> float:
    """Return the largest cost of an arc; where roads cost nothing, of leaving somebody out."""
    arcs = max(view.costs.largest_arc for view in views)
    return arcs or float(max(map(instance.leave_out_cost, instance.optional), default=0.0))
