"""Finishing a node by enumeration: list all routes of better solutions, and solve over them.

Let c be what all rows pay under some duals, m a number that no route's reduced cost goes below, and
K the number of vehicles. A solution that uses route r costs at least c + (K - 1) m + (reduced cost
of r). So a route whose reduced cost is not below `target - c - (K - 1) m` is in no solution cheaper
than the target: the enumeration of all others is complete for these solutions. With several kinds
of vehicles each has its m and K, and so a threshold of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tailgate.solver.column import Column, columns_of
from tailgate.solver.column_generation import Relaxation
from tailgate.solver.pricing import SubsetRow
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.finishing import PoolFinish
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.persistence import Persistence
from tailgate.solver.search.plans import is_plan, plan_cost
from tailgate.solver.search.primal_heuristics import PrimalHeuristics

FIRST_GAPS = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
"""Routes are enumerated for solutions within so much of the bound first, then within more."""
FIRST_PATHS, FIRST_SETS = 1_000_000, 30_000
MORE_PATHS, MORE_SETS = 150_000, 1_500
"""Limits of an enumeration: at first, and more for every second so far."""
LAST_CHANCE = 4.0
"""Times the limits, before a node is split."""
LEAST_FINISH_SECONDS = 5.0
FINISH_SHARE = 0.5
"""Of the time so far: a finish that takes longer is given up, for cuts or branching may do more."""


@dataclass(eq=False)
class EnumerationFinish(SearchPart):
    """Tries to solve the node at work over an enumeration of its routes."""

    monitor: Monitor
    persistence: Persistence
    heuristics: PrimalHeuristics
    rounding: CostRounding

    def run(self, relaxation: Relaxation, *, effort: float = 1.0) -> bool:
        """Return whether the node is done: no better solution is left in it.

        Solutions near to the bound come first. If there is none so cheap, the bound has risen.
        The pricer must still have the duals of the relaxation.
        """
        for share in (*FIRST_GAPS, math.inf):
            if self.node_is_done:
                return True
            target = self._target(share)
            if math.isinf(target) or not self._finish_below(target, relaxation, effort):
                return False
        return self.node_is_done

    def _target(self, share: float) -> float:
        """Return the cost below which to look for solutions: so much above the bound."""
        bound, cost = self.queue.current.lower_bound, self.incumbent.cost
        target = math.ceil(bound * (1 + share)) if math.isfinite(share) else math.inf
        if self.rounding.step is not None:
            target = max(target, self.rounding.next_above(bound))
        return target if cost is None else min(target, cost)

    def _finish_below(self, target: float, relaxation: Relaxation, effort: float) -> bool:
        """Look for solutions cheaper than the target; False: that takes too long."""
        columns = self._enumerate(target, relaxation, effort)
        if columns is None:
            return False
        if is_plan(self.generation.instance, ()):
            # A route that alone costs as much is in no cheaper plan: no cost is below 0.
            cost = self.generation.master.route_cost
            columns = [column for column in columns if cost(column) < target]
            if not columns:
                self._leave_out_everybody(target)
                return True
        monitor, generation = self.monitor, self.generation
        monitor.report("enumeration", f"finishing over {len(columns):,} routes")
        with monitor.timing("closing"):
            finish = PoolFinish(
                generation.instance,
                generation.oracles,
                generation.pricers,
                columns,
                cutoff=target,
                threads=self.options.threads,
                cuts=[row.members for row in generation.master.rows if isinstance(row, SubsetRow)],
            )
            seconds = max(LEAST_FINISH_SECONDS, FINISH_SHARE * monitor.elapsed)
            result = finish.run(self.time_limit.at_most(seconds))
        if result.columns is not None:
            self.heuristics.offer(result.columns)
        proven = result.lower_bound
        if result.status == "solved" and result.columns is not None:
            # Of these routes, and not of the incumbent: where the time is over, they may not have
            # got there.
            proven = plan_cost(generation.instance, result.columns)
        self.queue.raise_current(min(target, proven))
        return result.status == "solved"

    def _leave_out_everybody(self, target: float) -> None:
        """Take the plan without any route: no other is cheaper than the target.

        Where roads cost much more than it does, a pool of routes proves that less exactly.
        """
        self.heuristics.offer(())
        below = target if self.rounding.step is not None else self.rounding.below(target)
        self.queue.raise_current(min(below, plan_cost(self.generation.instance, ())))

    def _enumerate(
        self, target: float, relaxation: Relaxation, effort: float
    ) -> list[Column] | None:
        """Return all columns of solutions cheaper than the target; None: there are too many."""
        monitor, lagrangian = self.monitor, relaxation.lagrangian
        if lagrangian is None or self.time_limit.expired:
            return None
        self.persistence.save_if_due()
        monitor.report("enumeration", "enumerating routes")
        columns: list[Column] = []
        for kind, pricer in enumerate(self.generation.pricers):
            if not lagrangian.kinds[kind].most:
                continue
            threshold = self.rounding.below(target) - lagrangian.bound_without_one_route(kind)
            threshold += lagrangian.kinds[kind].rounding
            with monitor.timing("listing"):
                found = pricer.enumerate(
                    threshold,
                    max_sets=int(effort * (FIRST_SETS + MORE_SETS * monitor.elapsed)),
                    max_paths=int(effort * (FIRST_PATHS + MORE_PATHS * monitor.elapsed)),
                    time_limit=self.time_limit,
                )
            if not found.complete:
                return None
            columns += columns_of(kind, found.routes)
        return columns
