"""The linear relaxation over a pool of routes, on HiGHS.

Most columns of a large pool are never wanted, so the solver sees a part of them, and the others are
priced by inspection. Artificial columns let every row be missed for a penalty that rises as long
as they are in use and the value says nothing yet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailgate.model.instance import Instance
from tailgate.solver.highs import highspy
from tailgate.solver.master.lp_run import DUAL_SIMPLEX, PRIMAL_SIMPLEX, MasterError, prepare, run_lp
from tailgate.solver.master.tolerances import POSITIVE_VALUE, REDUCED_COST_TOLERANCE, cost_scale
from tailgate.solver.search.finishing.columns import (
    Columns,
    Floats,
    Indices,
    PricedColumns,
    column_wise,
)
from tailgate.solver.search.finishing.cost_sizes import largest_cost, most_expensive_round_trips
from tailgate.solver.search.finishing.fleet_limits import FleetLimits
from tailgate.solver.search.finishing.rank_one_cut import RankOneCut
from tailgate.solver.time_limit import TimeLimit

FIRST_COLUMNS_PER_CUSTOMER = 30
COLUMNS_PER_ROUND = 500
ALL_AT_ONCE = 2_000
"""A pool of so few columns is given to the solver at once."""
MOST_COLUMNS = 4_000
KEPT_COLUMNS = 1_500
"""When the solver has more than the most, it goes on with these."""

INTEGRALITY = 1e-6
"""So near to one is one, but for rounding."""


@dataclass(frozen=True, slots=True)
class PoolSolution:
    """An optimal fractional solution over the columns, and all columns under its duals."""

    value: float
    columns: Indices
    """In use."""
    values: Floats
    """How much of each."""
    artificial: float
    cut_duals: Floats
    priced: PricedColumns

    @property
    def is_integral(self) -> bool:
        """Whether it uses each route once or not at all, up to rounding."""
        return bool((self.values > 1 - INTEGRALITY).all())


class PoolLp:
    """Follows the changes of its columns from one solution to the next."""

    def __init__(self, instance: Instance, columns: Columns) -> None:
        self._instance = instance
        self._columns = columns
        self._fleet = FleetLimits.of(instance)
        self._kinds = len(instance.vehicles)
        self._scale = cost_scale(largest_cost(instance))
        round_trips = most_expensive_round_trips(instance)
        longest = max(1.0 / self._scale, *round_trips)
        self._penalties: Floats = np.array([*round_trips, *[longest] * self._kinds])
        self._penalties = self._penalties.clip(0.1 * longest)
        self._highs = highspy.Highs()
        self._artificial_count = 2 * self._fixed_rows
        self._optional = sorted(instance.optional)
        """Customers who may be left out; each has a column for that behind the artificial ones."""
        self._first_route = self._artificial_count + len(self._optional)
        self._reduced: Floats = np.zeros(0)
        """Of all columns in the last solution."""
        self._build(self._first_columns())

    @property
    def _fixed_rows(self) -> int:
        """The rows of customers and kinds; those of cuts follow."""
        return self._instance.n + self._kinds

    @property
    def tolerance(self) -> float:
        """How negative a reduced cost must be to count."""
        return REDUCED_COST_TOLERANCE / self._scale

    def raise_penalties(self, factor: float) -> None:
        """Make it more expensive to miss a row."""
        self._penalties *= factor
        artificial = np.repeat(self._penalties * self._scale, 2)
        self._highs.changeColsCost(
            len(artificial), np.arange(len(artificial), dtype=np.int32), artificial
        )

    def solve(self, time_limit: TimeLimit) -> PoolSolution | None:
        """Return an optimal solution over the entire pool; None if the time is over or HiGHS fails.

        A failure of the solver costs the bound that this solution would have given, no more.
        """
        self._follow()
        tolerance = self.tolerance
        while True:
            try:
                found = run_lp(self._highs, self._strategy, time_limit)
            except MasterError:
                return None
            if found is None:
                return None
            values, duals = found[0], found[1] / self._scale
            n, first_cut = self._instance.n, self._fixed_rows
            priced = self._columns.price(duals[:n], duals[first_cut:])
            fleet_duals = duals[n:first_cut][self._columns.kinds]
            improving = np.flatnonzero(
                self._columns.alive & ~self._is_held & (priced.reduced < fleet_duals - tolerance)
            )
            if not len(improving):
                break
            if len(improving) > COLUMNS_PER_ROUND:
                order = np.argpartition(priced.reduced[improving], COLUMNS_PER_ROUND)
                improving = improving[order[:COLUMNS_PER_ROUND]]
            self._add_columns(improving)
        self._reduced = priced.reduced
        used = np.flatnonzero(values[self._first_route :] > POSITIVE_VALUE)
        return PoolSolution(
            value=float(self._highs.getInfo().objective_function_value) / self._scale,
            columns=self._held[used],
            values=values[self._first_route + used],
            artificial=float(np.abs(values[: self._artificial_count]).sum()),
            cut_duals=duals[first_cut:],
            priced=priced,
        )

    def renumber(self, renumbered: Indices) -> None:
        """Follow a compaction of the pool."""
        held = renumbered[self._held]
        self._start_anew(held[held >= 0], np.flatnonzero(held >= 0))

    def rebuild(self, *, most: int | None = None) -> None:
        """Leave out the columns that are gone, and follow a change of the cuts.

        If there are more than the most, those that are far from being used are left out, too.
        """
        kept = np.flatnonzero(self._columns.alive[self._held])
        if most is not None and len(kept) > most:
            reduced = self._reduced[self._held[kept]]
            kept = np.sort(kept[np.argpartition(reduced, most)[:most]])
        self._start_anew(self._held[kept], kept)

    def _start_anew(self, held: Indices, positions: Indices) -> None:
        """Build the problem with some of its columns, and begin where the last one ended."""
        basis = self._highs.getBasis()
        valid, columns, rows = basis.valid, basis.col_status, basis.row_status
        of_cuts = dict(zip(self._row_cuts, rows[self._fixed_rows :], strict=False))
        first = self._first_route
        self._build(held)
        if not valid:
            return
        start = highspy.HighsBasis()
        start.col_status = [
            *columns[:first],
            *(columns[first + position] for position in positions.tolist()),
        ]
        start.row_status = [
            *rows[: self._fixed_rows],
            *(of_cuts.get(cut, highspy.HighsBasisStatus.kBasic) for cut in self._row_cuts),
        ]
        # What it lacks without the columns left out, HiGHS makes up for.
        start.valid = True
        self._highs.setBasis(start)

    # Columns and rows of the solver.

    def _first_columns(self) -> Indices:
        pool = self._columns
        if len(pool) <= ALL_AT_ONCE:
            return np.flatnonzero(pool.alive)
        lengths = np.diff(pool.starts)
        per_customer = np.where(pool.alive, pool.costs / lengths, np.inf)
        chosen: set[int] = set()
        for visits in pool.visits:
            own = np.flatnonzero(visits)
            few = min(len(own), FIRST_COLUMNS_PER_CUSTOMER)
            if few:
                chosen.update(own[np.argpartition(per_customer[own], few - 1)[:few]].tolist())
        return np.array(sorted(chosen), np.int64)

    def _build(self, held: Indices) -> None:
        """Give the solver rows, artificial columns and these columns from scratch."""
        highs, instance = self._highs, self._instance
        highs.clear()
        prepare(highs)
        lower = np.array([*[1.0] * instance.n, *self._fleet.least])
        upper = np.array([*[1.0] * instance.n, *self._fleet.most])
        none = np.zeros(0, np.int32)
        highs.addRows(
            len(lower), lower, upper, 0, np.zeros(len(lower), np.int32), none, np.zeros(0)
        )
        self._row_cuts: list[RankOneCut] = []
        artificial = np.repeat(self._penalties * self._scale, 2)
        size = len(artificial)
        highs.addCols(
            size,
            artificial,
            np.zeros(size),
            np.full(size, highspy.kHighsInf),
            size,
            np.arange(size, dtype=np.int32),
            np.repeat(np.arange(len(lower), dtype=np.int32), 2),
            np.tile([1.0, -1.0], len(lower)),
        )
        self._add_left_out()
        self._held: Indices = np.zeros(0, np.int64)
        """By column of the solver behind the artificial ones: the column of the pool."""
        self._is_held = np.zeros(len(self._columns), bool)
        self._held_costs: Floats = np.zeros(0)
        self._held_alive: npt.NDArray[np.bool_] = np.zeros(0, bool)
        self._add_columns(held)
        self._add_rows()
        self._strategy = DUAL_SIMPLEX

    def _add_left_out(self) -> None:
        """Let customers be left out who may be."""
        size = len(self._optional)
        if not size:
            return
        costs = [self._instance.leave_out_cost(number) for number in self._optional]
        self._highs.addCols(
            size,
            np.array(costs, float) * self._scale,
            np.zeros(size),
            np.ones(size),
            size,
            np.arange(size, dtype=np.int32),
            np.array(self._optional, np.int32) - 1,
            np.ones(size),
        )

    def _follow(self) -> None:
        """Take over what has changed in the pool since the last solution."""
        pool = self._columns
        alive = pool.alive[self._held]
        if len(alive) > MOST_COLUMNS:
            self.rebuild(most=KEPT_COLUMNS)
            return
        gone = np.flatnonzero(self._held_alive & ~alive)
        if len(gone):
            zeros = np.zeros(len(gone))
            indices = (gone + self._first_route).astype(np.int32)
            self._highs.changeColsBounds(len(gone), indices, zeros, zeros)
            self._held_alive = alive
            self._strategy = DUAL_SIMPLEX
        costs = pool.costs[self._held]
        changed = np.flatnonzero(costs != self._held_costs)
        if len(changed):
            indices = (changed + self._first_route).astype(np.int32)
            self._highs.changeColsCost(len(changed), indices, costs[changed] * self._scale)
            self._held_costs = costs
            self._strategy = PRIMAL_SIMPLEX
        self._add_rows()

    def _add_columns(self, columns: Indices) -> None:
        """Add columns with their entries in customers, fleet and cuts."""
        pool, n = self._columns, self._instance.n
        position = np.full(len(pool), -1, np.int64)
        position[columns] = np.arange(len(columns))
        visitors, customers = pool.visits_of(columns)
        owners = [visitors, np.arange(len(columns))]
        rows = [customers, n + pool.kinds[columns]]
        entries: list[Floats] = [np.ones(len(owner)) for owner in owners]
        for cut in range(len(self._row_cuts)):
            owner, coefficients = self._entries_at(position, cut)
            owners.append(owner)
            rows.append(np.full(len(owner), self._fixed_rows + cut))
            entries.append(coefficients)
        starts, row, entry = column_wise(len(columns), owners, rows, entries)
        self._highs.addCols(
            len(columns),
            pool.costs[columns] * self._scale,
            np.zeros(len(columns)),
            np.full(len(columns), highspy.kHighsInf),
            len(row),
            starts[:-1].astype(np.int32),
            row.astype(np.int32),
            entry,
        )
        self._held = np.concatenate((self._held, columns))
        self._is_held[columns] = True
        self._held_costs = np.concatenate((self._held_costs, pool.costs[columns]))
        self._held_alive = np.concatenate((self._held_alive, np.ones(len(columns), bool)))
        self._strategy = PRIMAL_SIMPLEX

    def _add_rows(self) -> None:
        """Add the cuts that are new."""
        pool = self._columns
        new = range(len(self._row_cuts), len(pool.cuts))
        if not new:
            return
        position = np.full(len(pool), -1, np.int64)
        position[self._held] = np.arange(len(self._held)) + self._first_route
        starts, indices, entries = [0], [], []
        for cut in new:
            columns, coefficients = self._entries_at(position, cut)
            indices.append(columns)
            entries.append(coefficients)
            starts.append(starts[-1] + len(columns))
        self._highs.addRows(
            len(new),
            np.full(len(new), -highspy.kHighsInf),
            np.array([pool.cuts[cut].upper for cut in new], float),
            starts[-1],
            np.array(starts[:-1], np.int32),
            np.concatenate(indices).astype(np.int32),
            np.concatenate(entries),
        )
        self._row_cuts = list(pool.cuts)
        self._strategy = DUAL_SIMPLEX

    def _entries_at(self, position: Indices, cut: int) -> tuple[Indices, Floats]:
        """Return a cut's columns by their position, and their coefficients; -1 are left out."""
        concerned, coefficients = self._columns.cut_entries[cut]
        here = position[concerned]
        return here[here >= 0], coefficients[here >= 0]
