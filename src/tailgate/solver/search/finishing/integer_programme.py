"""The best choice of columns, by the mixed-integer solver of HiGHS.

It runs in a thread of its own: so Ctrl-C is noticed at once, and its number of threads does not
depend on that of the linear programmes.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tailgate.model.instance import Instance
from tailgate.solver.highs import HighsCallbackEvent, highspy, run_highs
from tailgate.solver.master.tolerances import cost_scale
from tailgate.solver.search.finishing.columns import Columns, Indices, column_wise
from tailgate.solver.search.finishing.cost_sizes import largest_cost
from tailgate.solver.search.finishing.fleet_limits import FleetLimits
from tailgate.solver.time_limit import TimeLimit

Status = Literal["optimal", "infeasible", "stopped", "failed"]
"""Failed: HiGHS has given up, or its solution is none."""

MARGIN_IN_STEPS = 0.5
"""Where costs have a step, the solver may use so much above the limit: no rounding of its own can
cut off a solution that counts."""
GAP_IN_STEPS = 0.9
"""A bound that is closer than a step to a solution proves it optimal."""
IMPROVEMENT_TOLERANCE = 1e-5
"""With other costs, scaled: a solution must be so much cheaper to count."""
LEAST_MARGIN = 2e-6
"""Scaled. Where one step of cost is so little, HiGHS cannot be trusted to see it."""
INTEGRALITY = 1e-9
LOOK_UP_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Choice:
    """What the solver says of the columns that are left."""

    status: Status
    columns: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    """A solution: the best one if optimal, if stopped perhaps some. Empty if there is none."""


def choose_columns(
    instance: Instance, columns: Columns, *, limit: float, threads: int, time_limit: TimeLimit
) -> Choice:
    """Find the cheapest solution that costs at most `limit`."""
    for presolve in ("choose", "off"):
        choice = _Programme(instance, columns, limit, threads, presolve).run(time_limit)
        if choice.status != "failed" or time_limit.expired:
            break
    return choice


class _Programme:
    def __init__(
        self, instance: Instance, columns: Columns, limit: float, threads: int, presolve: str
    ) -> None:
        self._instance = instance
        self._columns = columns
        self._limit = limit
        self._offered = np.flatnonzero(columns.alive)
        self._scale = cost_scale(largest_cost(instance))
        self._margin, gap = IMPROVEMENT_TOLERANCE / 2, IMPROVEMENT_TOLERANCE / 10
        if instance.cost_step is not None:
            # Integers stay integers.
            self._scale = min(1.0, self._scale) if instance.cost_step == 1 else self._scale
            step = self._scale * float(instance.cost_step)
            self._margin, gap = step * MARGIN_IN_STEPS, GAP_IN_STEPS * step
        self._highs = highspy.Highs()
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": threads,
            "presolve": presolve,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": gap,
            "mip_feasibility_tolerance": INTEGRALITY,
        }
        for name, value in options.items():
            self._highs.setOptionValue(name, value)
        self._stop = threading.Event()
        self._ended = threading.Event()
        for callback in (self._highs.cbMipInterrupt, self._highs.cbSimplexInterrupt):
            callback.subscribe(self._look_up)
        self._highs.passModel(self._model())

    def _model(self) -> highspy.HighsLp:
        """One row per customer, one per kind of vehicle, and one for the cost.

        The cuts have done their work when columns were dropped: as rows they only slow the solver
        down, and by much.
        """
        pool, offered, n = self._columns, self._offered, self._instance.n
        fleet = FleetLimits.of(self._instance)
        cost_row = n + len(fleet.most)
        optional = sorted(self._instance.optional)
        # Behind the routes: customers who are left out.
        left_out = np.arange(len(optional)) + len(offered)
        left_out_costs = [self._instance.leave_out_cost(number) for number in optional]
        costs = np.concatenate((pool.costs[offered], np.array(left_out_costs, float))) * self._scale
        owners, customers = pool.visits_of(offered)
        each = np.arange(len(offered))
        starts, rows, entries = column_wise(
            len(costs),
            [owners, left_out, each, np.arange(len(costs))],
            [
                customers,
                np.array(optional, np.int64) - 1,
                n + pool.kinds[offered],
                np.full(len(costs), cost_row),
            ],
            [np.ones(len(customers)), np.ones(len(optional)), np.ones(len(offered)), costs],
        )
        inf = highspy.kHighsInf
        lp = highspy.HighsLp()
        lp.num_col_ = len(costs)
        lp.num_row_ = cost_row + 1
        lp.col_cost_ = costs
        lp.col_lower_ = np.zeros(len(costs))
        lp.col_upper_ = np.ones(len(costs))
        lp.row_lower_ = np.array([*[1.0] * n, *fleet.least, -inf])
        lp.row_upper_ = np.array(
            [*[1.0] * n, *fleet.most, self._limit * self._scale + self._margin], float
        )
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = starts, rows, entries
        lp.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
        return lp

    def run(self, time_limit: TimeLimit) -> Choice:
        """Solve it, and look at what comes out."""
        if self._margin < LEAST_MARGIN:
            return Choice("failed")
        outcome = run_highs(self._highs, time_limit, lambda: self._run_in_thread(time_limit))
        found = self._solution()
        if self._stop.is_set() or outcome is None:
            return Choice("stopped", found)
        if outcome == highspy.HighsModelStatus.kInfeasible:
            return Choice("infeasible")
        is_optimal = outcome == highspy.HighsModelStatus.kOptimal and len(found) > 0
        return Choice("optimal" if is_optimal else "failed", found)

    def _run_in_thread(self, time_limit: TimeLimit) -> None:
        """Run the solver; Ctrl-C ends it, too.

        The threads that highspy offers share one lock between all solvers, and an interruption
        while one starts would leave it locked.
        """
        thread = threading.Thread(target=self._work, name="mixed-integer solver")
        try:
            _start(thread)
            # Not by join: where an exception interrupts that, Python takes the thread for ended.
            while not self._ended.wait(LOOK_UP_SECONDS):
                if time_limit.expired:
                    self._stop.set()
            thread.join()
        except BaseException:
            # The solver must not go on in the background.
            self._stop.set()
            if thread.ident is not None:
                self._ended.wait()
            raise

    def _work(self) -> None:
        try:
            if not self._stop.is_set():
                self._highs.run()
                # The helpers of this thread end with it.
                self._highs.resetGlobalScheduler(False)
        finally:
            self._ended.set()

    def _look_up(self, event: HighsCallbackEvent) -> None:
        if self._stop.is_set():
            event.interrupt()

    def _solution(self) -> Indices:
        """Return the columns chosen, if they really are a solution; else none."""
        solution = self._highs.getSolution()
        values = np.asarray(solution.col_value)
        if solution.value_valid and len(values) >= len(self._offered):
            chosen = self._offered[values[: len(self._offered)] > 0.5]
            if self._columns.is_solution(chosen):
                return chosen
        return self._offered[:0]


def _start(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:
        # What Python says when the system has no room for it.
        raise MemoryError(str(error)) from error
