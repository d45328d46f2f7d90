"""The end of an enumeration: the best solution of a pool of routes, whose loading is proven late.

The pool has every set of customers that a better solution can use, each with the cheapest order
that is not refuted. Cuts and reduced costs shrink it; what is left goes to a mixed-integer solver.
A route is proven only when it is wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tailgate.model.instance import Instance
from tailgate.solver.column import Column
from tailgate.solver.loading import LoadingOracle, Verdict
from tailgate.solver.master.tolerances import ARTIFICIAL_VALUE, cost_scale
from tailgate.solver.pricing import Pricer
from tailgate.solver.screening.screen import EXPENSIVE_NODES, PROOF_EFFORTS, QUICK_CHECK_NODES
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.finishing.columns import PROVEN, Columns, Indices
from tailgate.solver.search.finishing.cost_sizes import largest_cost, most_a_plan_costs
from tailgate.solver.search.finishing.integer_programme import IMPROVEMENT_TOLERANCE, choose_columns
from tailgate.solver.search.finishing.pool_lp import PoolLp, PoolSolution
from tailgate.solver.search.finishing.rank_one_cut import RankOneCut, subset_row
from tailgate.solver.search.finishing.rank_one_separation import Separator
from tailgate.solver.search.plans import plan_cost
from tailgate.solver.time_limit import TimeLimit

Status = Literal["solved", "time_limit", "undecided"]

EFFORTS: tuple[int | None, ...] = (QUICK_CHECK_NODES, *PROOF_EFFORTS)
"""Nodes of a loading check, from a quick check to a proof without limit."""
EFFORTS_WHEN_SLOW = 2
EFFORTS_WHEN_STALLED = 3
"""So many of them for the columns in use, when cuts raise the bound slowly or not at all."""

FIRST_ATTEMPT = 800
ROUNDS_BEFORE_ATTEMPT = 4
"""With so few columns the mixed-integer solver is tried after some cuts, before they stall."""
SMALLER_ATTEMPT = 0.7
LEAST_ATTEMPT_SECONDS = 1.0
MAX_PROGRAMME_COLUMNS = 20_000
MAX_EXAMINED = 5_000
LOOK_AHEAD = 300
ENOUGH_STANDING = 20
COMPACT_SHARE = 0.5
MAX_CUTS = 400
IDLE_ROUNDS_OF_A_CUT = 5
ROUNDS_WITHOUT_PROGRESS = 4
FAST_PROGRESS = 0.1
LEAST_PROGRESS = 0.01
"""Of the gap that is left, or of the columns."""
PENALTY_GROWTH = 8.0
MAX_PENALTY_RAISES = 10


class _TimeIsOverError(Exception):
    """Ends the work from wherever it is."""


@dataclass(frozen=True, slots=True)
class PoolFinishResult:
    """What is known of the solutions that can be made of the pool."""

    status: Status
    """Undecided: a route that must be proven or refuted is beyond the loading oracle."""
    columns: tuple[Column, ...] | None
    """A proven solution cheaper than the cutoff; if solved, the cheapest."""
    cost: float | None
    lower_bound: float
    """No solution made of the pool costs less."""


class PoolFinish:
    """Finds the cheapest solution below a cutoff that a pool of columns can make.

    `columns` are customer sets of a kind, each with its cheapest order that is not refuted; oracles
    and pricers are by kind. `cuts` are the members of subset rows to begin with.
    """

    def __init__(
        self,
        instance: Instance,
        oracles: Sequence[LoadingOracle],
        pricers: Sequence[Pricer],
        columns: Iterable[Column],
        *,
        cutoff: float = math.inf,
        threads: int = 1,
        cuts: Iterable[tuple[int, int, int]] = (),
    ) -> None:
        self._instance = instance
        self._oracles = oracles
        self._pricers = pricers
        self._threads = threads
        self._rounding = CostRounding(instance)
        self._scale = cost_scale(largest_cost(instance))
        self.best: tuple[Column, ...] | None = None
        """The best solution so far: there also after an interruption."""
        self.best_cost: float | None = None
        self._cutoff = cutoff
        self._bound = 0.0  # no cost is negative
        self._limit = self._limit_below(cutoff)
        self._columns = Columns(instance, columns)
        self._columns.add_cuts(list(dict.fromkeys(subset_row(members) for members in cuts)))
        self._lp = PoolLp(instance, self._columns)
        self._idle: dict[RankOneCut, int] = {}
        self._undecided_bound = math.inf
        """What was known when a column was taken out that is neither proven nor refuted."""
        self._time_limit = TimeLimit()
        self._elapsed = TimeLimit()
        self._penalty_raises = 0
        self._small = FIRST_ATTEMPT
        self._last: PoolSolution | None = None

    def run(self, time_limit: TimeLimit) -> PoolFinishResult:
        """Look for the best solution, or for the proof that there is none."""
        self._time_limit, self._elapsed = time_limit, TimeLimit()
        # What is only deferred is not refuted, and must not be skipped here.
        for pricer in self._pricers:
            pricer.release_all()
        status: Status
        try:
            self._leave_out_everybody()
            status = self._solve()
        except (_TimeIsOverError, TimeoutError):
            status = "time_limit"
        return PoolFinishResult(
            status=status, columns=self.best, cost=self.best_cost, lower_bound=self.lower_bound
        )

    @property
    def lower_bound(self) -> float:
        """No solution made of the pool costs less; what is cut off counts with the cutoff."""
        exact = self._rounding.step is not None or math.isinf(self._cutoff)
        return min(self._bound, self._undecided_bound, self._cutoff if exact else self._limit)

    def _leave_out_everybody(self) -> None:
        """Try the solution without any route, where it is one: no column stands for it."""
        nobody = np.zeros(0, np.int64)
        if self.best is None and self._columns.is_solution(nobody):
            self._take(nobody)

    # The way to the end.

    def _solve(self) -> Status:
        while (outcome := self._tighten()) != "over":
            if self._examine_columns():
                continue
            if self._columns.count > MAX_PROGRAMME_COLUMNS:
                raise _TimeIsOverError
            if self._choose(patiently=outcome == "stalled"):
                break
        return self._end()

    def _end(self) -> Status:
        """All better solutions are ruled out: is the best one proven to be it?"""
        self._bound = math.inf
        if math.isinf(self._undecided_bound):
            return "solved"
        bound = self._rounding.rounded_up(self._undecided_bound)
        return "solved" if bound > self._limit else "undecided"

    def _tighten(self) -> Literal["over", "small", "stalled"]:
        """Solve the relaxation, cut and drop columns.

        Over: no better solution is left. Small: an attempt at an integral solution may be
        worthwhile. Stalled: cuts do not help any more.
        """
        rounds = without_progress = 0
        bound, count = -math.inf, self._columns.count
        while True:
            solution = self._relax()
            if solution is None:
                return "over" if self._is_over else "stalled"
            if solution.artificial > ARTIFICIAL_VALUE:
                if self._penalty_raises >= MAX_PENALTY_RAISES:
                    return "stalled"
                self._penalty_raises += 1
                self._lp.raise_penalties(PENALTY_GROWTH)
                continue
            if solution.is_integral and self._columns.is_solution(solution.columns):
                if not self._try(solution.columns):
                    continue
                # The bound is the cost, but for rounding.
                self._drop(solution)
                return "over" if self._is_over else "stalled"
            if rounds >= ROUNDS_BEFORE_ATTEMPT and self._columns.count <= self._small:
                return "small"
            rounds += 1
            gap = max(self._limit - solution.priced.bound, self._lp.tolerance)
            rise = (solution.priced.bound - bound) / gap
            bound = max(bound, solution.priced.bound)
            if (
                rise < FAST_PROGRESS
                and self._prove(solution.columns, EFFORTS[:EFFORTS_WHEN_SLOW]) == "refuted"
            ):
                continue
            shrunk = self._columns.count < (1 - LEAST_PROGRESS) * count
            count = self._columns.count
            without_progress = 0 if rise > LEAST_PROGRESS or shrunk else without_progress + 1
            if without_progress < ROUNDS_WITHOUT_PROGRESS and self._cut(solution):
                continue
            if self._prove(solution.columns, EFFORTS[:EFFORTS_WHEN_STALLED]) == "refuted":
                without_progress = 0
                continue
            return "stalled"

    def _relax(self) -> PoolSolution | None:
        """Solve the linear relaxation until a quick check refutes nothing in use.

        None: it is over, or HiGHS cannot solve it.
        """
        while True:
            self._check_time()
            self._compact()
            solution = self._lp.solve(self._time_limit)
            self._check_time()
            if solution is None:
                return None
            self._drop(solution)
            self._last = solution
            if self._is_over:
                return None
            if self._prove(solution.columns, EFFORTS[:1]) != "refuted":
                return solution
            self._look_ahead(solution)

    def _look_ahead(self, solution: PoolSolution) -> None:
        """Check quickly the columns that are likely to take the place of refuted ones."""
        columns, reduced = self._columns, solution.priced.reduced
        waiting = np.flatnonzero(columns.alive & (columns.effort == 0))
        if len(waiting) > LOOK_AHEAD:
            waiting = waiting[np.argpartition(reduced[waiting], LOOK_AHEAD)[:LOOK_AHEAD]]
        standing = 0
        for column in waiting[np.argsort(reduced[waiting], kind="stable")].tolist():
            standing += not self._examine(column, 1, EFFORTS[0])
            if standing >= ENOUGH_STANDING:
                return

    def _drop(self, solution: PoolSolution) -> None:
        """Take over the bound, and drop the columns that are too expensive for it."""
        self._bound = max(self._bound, solution.priced.bound)
        self._columns.drop_above(solution.priced, self._limit)

    @property
    def _is_over(self) -> bool:
        return self._bound > self._limit or self._columns.count == 0

    def _compact(self) -> None:
        if self._columns.count < COMPACT_SHARE * len(self._columns):
            self._lp.renumber(self._columns.compact())
            self._last = None

    # Cuts.

    def _cut(self, solution: PoolSolution) -> bool:
        """Add cuts that the solution violates; False if there are none."""
        columns = self._columns
        self._drop_idle_cuts(solution)
        separator = Separator(columns.visits[:, solution.columns], solution.values)
        known = set(columns.cuts)
        cuts = separator.subset_rows(known)
        if len(cuts) < 10:
            cuts += separator.four_customers(known)
        if len(cuts) < 10:
            cuts += separator.five_customers(known)
        columns.add_cuts(cuts)
        return bool(cuts)

    def _drop_idle_cuts(self, solution: PoolSolution) -> None:
        """Forget cuts that have not counted for a while, when there are many."""
        cuts = self._columns.cuts
        for cut, dual in zip(cuts, solution.cut_duals.tolist(), strict=True):
            self._idle[cut] = 0 if dual < -self._lp.tolerance else self._idle.get(cut, 0) + 1
        if len(cuts) <= MAX_CUTS:
            return
        kept = [i for i, cut in enumerate(cuts) if self._idle[cut] < IDLE_ROUNDS_OF_A_CUT]
        if len(kept) < len(cuts):
            self._columns.keep_cuts(kept)
            self._lp.rebuild()

    # Loading.

    def _prove(
        self, chosen: Indices, efforts: Sequence[int | None]
    ) -> Literal["proven", "unknown", "refuted"]:
        """Ask the oracle about columns with growing effort, until one effort refutes some."""
        effort = self._columns.effort
        for level, max_nodes in enumerate(efforts, start=1):
            refuted = False
            for column in chosen.tolist():
                if effort[column] < level and self._examine(column, level, max_nodes):
                    refuted = True
                    if max_nodes is None or max_nodes >= EXPENSIVE_NODES:
                        break
            if refuted:
                return "refuted"
        return "proven" if (effort[chosen] == PROVEN).all() else "unknown"

    def _examine(self, column: int, level: int, max_nodes: int | None) -> bool:
        """Ask about one column with one effort; True if its order is refuted and replaced."""
        columns = self._columns
        kind, route = columns.column(column)
        if self._pricers[kind].skips(route):
            self._replace(column)
            return True
        result = self._oracles[kind].check(
            route, max_nodes=max_nodes, time_limit=self._time_limit.remaining
        )
        if result.verdict is Verdict.FEASIBLE:
            columns.effort[column] = PROVEN
            return False
        if result.verdict is Verdict.INFEASIBLE:
            self._pricers[kind].forbid(result.infeasible_core, in_any_order=result.in_any_order)
            self._replace(column)
            return True
        self._check_time()
        columns.effort[column] = level
        return False

    def _replace(self, column: int) -> None:
        """Give a column the next order of its customers."""
        self._check_time()
        kind, route = self._columns.column(column)
        order = self._pricers[kind].cheapest_order(route, time_limit=self._time_limit)
        priced = None if self._last is None else self._last.priced
        self._columns.replace(column, order, priced, self._limit)

    def _examine_columns(self) -> bool:
        """Check quickly the columns that are left, the best first; True if some were refuted."""
        columns, last = self._columns, self._last
        left = np.flatnonzero(columns.alive)
        if last is not None:
            left = left[np.argsort(last.priced.reduced[left], kind="stable")]
        refuted = False
        for column in left[:MAX_EXAMINED].tolist():
            if columns.effort[column] <= 1:
                while columns.alive[column] and self._is_refuted_now(column):
                    refuted = True
        return refuted

    def _is_refuted_now(self, column: int) -> bool:
        """Look at a column in the light of what is known by now, with a quick check if need be."""
        columns = self._columns
        if columns.effort[column] == 0:
            return self._examine(column, 1, EFFORTS[0])
        kind, route = columns.column(column)
        if columns.effort[column] != PROVEN and self._pricers[kind].skips(route):
            self._replace(column)
            return True
        return False

    # Integral solutions.

    def _choose(self, *, patiently: bool) -> bool:
        """Ask for the best integral solution, and prove it; True if no better one is left.

        If there is another way, for no longer than the work so far has taken.
        """
        limit = self._time_limit
        if not patiently:
            limit = limit.at_most(max(LEAST_ATTEMPT_SECONDS, self._elapsed.elapsed))
        choice = choose_columns(
            self._instance,
            self._columns,
            limit=self._limit,
            threads=self._threads,
            time_limit=limit,
        )
        if choice.status == "infeasible":
            return True
        if len(choice.columns):
            proven = self._try(choice.columns)
            if choice.status == "optimal":
                return proven
        if patiently or choice.status == "failed":
            raise _TimeIsOverError
        self._small = int(SMALLER_ATTEMPT * self._columns.count)
        return False

    def _try(self, chosen: Indices) -> bool:
        """Prove a solution, whatever it takes; True if it is the best so far, and proven."""
        outcome = self._prove(chosen, EFFORTS)
        if outcome == "refuted":
            return False
        if outcome == "unknown":
            # The bound must allow for this solution, and nothing else may use these columns.
            self._undecided_bound = self.lower_bound
            for column in chosen.tolist():
                if self._columns.effort[column] != PROVEN:
                    self._columns.alive[column] = False
            return False
        self._take(chosen)
        return True

    def _take(self, chosen: Indices) -> None:
        """Take a proven solution, if it is better than the best so far."""
        columns = tuple(sorted(self._columns.column(column) for column in chosen.tolist()))
        cost = plan_cost(self._instance, columns)
        if cost <= self._limit:
            self.best, self.best_cost = columns, cost
            self._cutoff = cost
            self._limit = self._limit_below(cost)

    def _limit_below(self, cutoff: float) -> float:
        """Return the largest cost that is an improvement."""
        if math.isinf(cutoff):
            return math.ceil(most_a_plan_costs(self._instance))
        limit = self._rounding.largest_below(cutoff)
        return cutoff - IMPROVEMENT_TOLERANCE / self._scale if limit is None else limit

    def _check_time(self) -> None:
        if self._time_limit.expired:
            raise _TimeIsOverError
