"""The best choice of whole columns, by the mixed-integer solver of HiGHS.

It runs in a thread of its own: so Ctrl-C is noticed at once, and its number of threads does not
depend on that of the linear programmes.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import Literal

import highspy
import numpy as np
from highspy.highs import HighsCallbackEvent

from tailgate.instance import Instance
from tailgate.master.tolerances import cost_scale
from tailgate.search.closing.columns import Columns, Indices
from tailgate.time_limit import TimeLimit

Status = Literal["optimal", "infeasible", "stopped", "failed"]
"""Failed: HiGHS has given up, or its solution is none."""

WHOLE_MARGIN = 0.5
"""With whole costs, the solver may use so much above the limit: no rounding of its own can cut off
a solution that counts."""
WHOLE_GAP = 0.9
"""A bound that is closer than one to a solution of whole cost proves it optimal."""
IMPROVEMENT_TOLERANCE = 1e-5
"""With other costs, scaled: a solution must be so much cheaper to count."""
LEAST_MARGIN = 2e-6
"""Scaled. Where one unit of cost is so little, HiGHS cannot be trusted to tell it."""
INTEGRALITY = 1e-9
LOOK_UP_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Choice:
    """What the solver says of the columns that are left."""

    status: Status
    columns: Indices
    """A solution: the best one if optimal, if stopped perhaps some. Empty if there is none."""


def choose_columns(
    instance: Instance, columns: Columns, *, limit: float, threads: int, time_limit: TimeLimit
) -> Choice:
    """Find the cheapest solution that costs at most `limit`."""
    choice = Choice("failed", np.zeros(0, np.int64))
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
        self._whole = instance.conventions.distance != "exact"
        self._offered = np.flatnonzero(columns.alive)
        self._scale = cost_scale(float(instance.distance_matrix().max()))
        self._margin = (
            min(1.0, self._scale) * WHOLE_MARGIN if self._whole else IMPROVEMENT_TOLERANCE / 2
        )
        if self._whole:
            self._scale = min(1.0, self._scale)
        self._highs = highspy.Highs()
        options: dict[str, bool | int | float | str] = {
            "output_flag": False,
            "threads": threads,
            "presolve": presolve,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": WHOLE_GAP * self._scale if self._whole else IMPROVEMENT_TOLERANCE / 10,
            "mip_feasibility_tolerance": INTEGRALITY,
        }
        for name, value in options.items():
            self._highs.setOptionValue(name, value)
        self._stop = threading.Event()
        for callback in (self._highs.cbMipInterrupt, self._highs.cbSimplexInterrupt):
            callback.subscribe(self._look_up)
        self._highs.passModel(self._model())

    def _model(self) -> highspy.HighsLp:
        """One row per customer, one for the fleet, and one for the cost.

        The cuts have done their work when columns were dropped: as rows they only slow the solver
        down, and by much.
        """
        pool, offered, n = self._columns, self._offered, self._instance.n
        position = np.full(len(pool), -1, np.int64)
        position[offered] = np.arange(len(offered))
        lengths = np.diff(pool.starts)
        of_customers = np.arange(len(pool)).repeat(lengths)
        owners = [position[of_customers], np.arange(len(offered)), np.arange(len(offered))]
        rows = [
            pool.customers - 1,
            np.full(len(offered), n),
            np.full(len(offered), n + 1),
        ]
        costs = pool.costs[offered] * self._scale
        entries = [np.ones(len(pool.customers)), np.ones(len(offered)), costs]
        owner, row, entry = (np.concatenate(part) for part in (owners, rows, entries))
        mine = owner >= 0
        order = np.argsort(owner[mine], kind="stable")
        trucks = float(self._instance.vehicle_count)
        exactly = self._instance.conventions.fleet == "exactly"
        inf = highspy.kHighsInf
        lp = highspy.HighsLp()
        lp.num_col_ = len(offered)
        lp.num_row_ = n + 2
        lp.col_cost_ = costs
        lp.col_lower_ = np.zeros(len(offered))
        lp.col_upper_ = np.ones(len(offered))
        lp.row_lower_ = np.array([*[1.0] * n, trucks if exactly else 0.0, -inf])
        lp.row_upper_ = np.array(
            [
                *[1.0] * n,
                trucks,
                self._limit * self._scale + self._margin,
            ]
        )
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.searchsorted(owner[mine][order], np.arange(len(offered) + 1))
        lp.a_matrix_.index_ = row[mine][order]
        lp.a_matrix_.value_ = entry[mine][order]
        lp.integrality_ = [highspy.HighsVarType.kInteger] * len(offered)
        return lp

    def run(self, time_limit: TimeLimit) -> Choice:
        """Solve it, and look at what comes out."""
        if self._margin < LEAST_MARGIN:
            return Choice("failed", np.zeros(0, np.int64))
        remaining = time_limit.remaining
        self._highs.setOptionValue("time_limit", math.inf if remaining is None else remaining)
        self._run_in_thread(time_limit)
        outcome = self._highs.getModelStatus()
        found = self._solution()
        status: Status = "failed"
        if self._stop.is_set() or outcome == highspy.HighsModelStatus.kTimeLimit:
            # Whatever it says of a search that was broken off.
            status = "stopped"
        elif outcome == highspy.HighsModelStatus.kInfeasible:
            status, found = "infeasible", None
        elif outcome == highspy.HighsModelStatus.kOptimal and found is not None:
            status = "optimal"
        return Choice(status, np.zeros(0, np.int64) if found is None else found)

    def _run_in_thread(self, time_limit: TimeLimit) -> None:
        """Run the solver; Ctrl-C ends it, too.

        The threads that highspy offers share one lock between all solvers, and an interruption
        while one starts would leave it locked.
        """
        thread = threading.Thread(target=self._work, name="mixed-integer solver")
        try:
            _start(thread)
            while thread.is_alive():
                thread.join(LOOK_UP_SECONDS)
                if time_limit.expired:
                    self._stop.set()
        except BaseException:
            # The solver must not go on in the background.
            self._stop.set()
            if thread.is_alive():
                thread.join()
            raise

    def _work(self) -> None:
        if self._stop.is_set():
            return
        self._highs.run()
        # The helpers of this thread end with it.
        self._highs.resetGlobalScheduler(False)

    def _look_up(self, event: HighsCallbackEvent) -> None:
        if self._stop.is_set():
            event.interrupt()

    def _solution(self) -> Indices | None:
        """Return the columns chosen, if they really are a solution."""
        solution = self._highs.getSolution()
        if not solution.value_valid:
            return None
        values = np.asarray(solution.col_value)
        if len(values) != len(self._offered):
            return None
        chosen = self._offered[values > 0.5]
        return chosen if self._columns.is_solution(chosen) else None


def _start(thread: threading.Thread) -> None:
    try:
        thread.start()
    except RuntimeError as error:
        # What Python says when the system has no room for it.
        raise MemoryError(str(error)) from error
