"""Instances of more customers than tables are made for: a plan first, part by part, and a bound.

Everything here looks at time and memory between steps that are short, from the first moment on. The
exact search, whose tables grow with the square of the customers, follows where both allow it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.model.limits import MOST_PLACES_IN_TABLES
from tailgate.model.solution import relative_gap
from tailgate.solver.column import Column, views_of
from tailgate.solver.column_generation import is_trivially_infeasible
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.routing.search_by_parts import SearchByParts
from tailgate.solver.search.cost_rounding import CostRounding
from tailgate.solver.search.incumbent import Incumbent
from tailgate.solver.search.memory import MemoryLimit, used_bytes
from tailgate.solver.search.options import Focus, Options
from tailgate.solver.search.radial_bound import radial_bound
from tailgate.solver.search.result import Event, Reason, SolveProgress
from tailgate.solver.search.stop_signal import StopSignal
from tailgate.solver.search.variant import kind_of
from tailgate.solver.time_limit import TimeLimit

BYTES_PER_ARC = 100
"""Of the exact search, for each kind of vehicle; measured at its beginning, 2,000 customers."""
SECONDS_PER_ARC = 2e-5
"""With less time, for each kind of vehicle, the exact search would not come to anything."""
SHARES_FOR_PLANS: dict[Focus, float] = {"plans": 0.8, "balanced": 0.3, "proof": 0.1}
"""Of the time, where the exact search follows."""
STEPS_PER_PART = 5
"""Where no limit ends the search for plans."""
SHARE_FOR_BOUND = 0.1
SHARE_FOR_OFFERS = 0.1
"""Of the time, for having better plans judged on the way."""
END_FACTOR = 1.5
"""So much longer than last time the judgement of the last plan may take."""
FIRST_OFFER_SECONDS = 1e-4
"""Per customer, expected before it is known."""


def is_large(instance: Instance) -> bool:
    """Return whether an instance has more places than tables are made for without asking."""
    return instance.n + 1 > MOST_PLACES_IN_TABLES


@dataclass(eq=False)
class LargeSearch:
    """Finds a plan and a bound of a large instance."""

    instance: Instance
    options: Options
    signal: StopSignal
    time_limit: TimeLimit
    on_progress: Callable[[SolveProgress], None] | None
    earlier_seconds: float = 0.0

    def __post_init__(self) -> None:
        """Prepare; only what grows with the customers is made."""
        self.oracles = [LoadingOracle(view) for view in views_of(self.instance)]
        self.incumbent = Incumbent(self.instance, self.oracles)
        self.lower_bound: int | float = 0
        self.columns: Sequence[Column] = ()
        """Of the best plan, or of what there is of one."""
        self.seconds_of_plans = self.seconds_of_bound = 0.0
        self._offer_seconds = FIRST_OFFER_SECONDS * self.instance.n
        self._seconds_of_offers = 0.0
        self._reported_cost: int | float | None = None

    @property
    def columns_of_incumbent(self) -> list[Column]:
        """The routes of the best plan."""
        plan = self.incumbent.solution("feasible", self.lower_bound)
        routes = () if plan is None else plan.routes
        return [Column(kind_of(self.instance, route), route.customers) for route in routes]

    def run(self, columns: Sequence[Column] = ()) -> Reason | None:
        """Search, from some proven routes or none; None: the exact search can go on.

        ``proven`` is the reason where the instance is infeasible, or the plan's cost the bound.
        """
        if is_trivially_infeasible(self.instance):
            return "proven"
        self.columns = columns
        started = time.monotonic()
        try:
            return self._search()
        except KeyboardInterrupt:
            return "interrupted"
        except MemoryError:
            return "memory_limit"
        finally:
            self.seconds_of_plans = time.monotonic() - started - self.seconds_of_bound

    def _search(self) -> Reason | None:
        may_go_on = self._may_go_on
        limit = self.time_limit
        if may_go_on and limit.remaining is not None:
            limit = limit.at_most(SHARES_FOR_PLANS[self.options.focus] * limit.remaining)
        self._report("root", "looking for a first solution")
        search = SearchByParts(self.instance, seed=self.options.seed, columns=self.columns)
        steps = STEPS_PER_PART * search.parts
        while steps > 0 and not limit.expired and not self._must_end:
            # What the judge needs at the end is not there for the search.
            remaining = limit.remaining
            step_limit = limit
            if remaining is not None:
                step_limit = limit.at_most(max(0.0, remaining - END_FACTOR * self._offer_seconds))
                if step_limit.expired:
                    break
            search.step(step_limit)
            if not search.is_first_pass_over:
                continue
            if self.lower_bound == 0:
                self._find_bound()
            if may_go_on or limit.remaining is None:
                steps -= 1
            if self._is_worth_an_offer:
                self._offer(search)
            self._report("root", "looking for better routes")
        if self.lower_bound == 0:
            self._find_bound()
        self._offer(search)
        return self._reason(may_go_on)

    def _find_bound(self) -> None:
        remaining = self.time_limit.remaining
        limit = self.time_limit
        if remaining is not None:
            limit = limit.at_most(SHARE_FOR_BOUND * remaining)
        started = time.monotonic()
        bound = radial_bound(self.instance, limit)
        self.seconds_of_bound += time.monotonic() - started
        self.lower_bound = max(self.lower_bound, CostRounding(self.instance).rounded_up(bound))

    def _offer(self, search: SearchByParts) -> None:
        """Have the plan judged, if it is one; it is the next search's beginning in any case."""
        self.columns = search.columns
        if not search.is_whole:
            return
        started = time.monotonic()
        self.incumbent.offer(self.columns, time_limit=self._limit_of_offer)
        self._offer_seconds = time.monotonic() - started
        self._seconds_of_offers += self._offer_seconds
        self._report("incumbent", "a better plan")

    @property
    def _limit_of_offer(self) -> TimeLimit | None:
        """What is expected, at least: a plan that is found must not be lost for a moment."""
        remaining = self.time_limit.remaining
        if remaining is None:
            return None
        return TimeLimit(max(remaining, END_FACTOR * self._offer_seconds))

    @property
    def _is_worth_an_offer(self) -> bool:
        if self.incumbent.cost is None:
            return True
        spent = self._seconds_of_offers + self._offer_seconds
        return spent < SHARE_FOR_OFFERS * self.time_limit.elapsed

    @property
    def _must_end(self) -> bool:
        return self.signal.is_set() or self._is_proven or self._gap_is_reached

    @property
    def _is_proven(self) -> bool:
        return self.lower_bound >= self.incumbent.cutoff

    @property
    def _gap_is_reached(self) -> bool:
        cost = self.incumbent.cost
        if cost is None or self.options.gap == 0:
            return False
        return relative_gap(cost, self.lower_bound) <= self.options.gap

    def _reason(self, may_go_on: bool) -> Reason | None:
        if self.signal.is_interrupted:
            return "interrupted"
        if self.signal.is_out_of_memory:
            return "memory_limit"
        if self._is_proven:
            return "proven"
        if self._gap_is_reached:
            return "gap"
        if may_go_on and not self.time_limit.expired:
            return None
        # Without a time limit it is memory that the exact search lacks.
        return "memory_limit" if self.time_limit.remaining is None else "time_limit"

    @property
    def _may_go_on(self) -> bool:
        """Whether time and memory are such that the exact search is worth its tables."""
        arcs = len(self.instance.vehicles) * (self.instance.n + 1) ** 2
        remaining = self.time_limit.remaining
        if remaining is not None and remaining < SECONDS_PER_ARC * arcs:
            return False
        memory = MemoryLimit(self.options.memory_limit).limit_bytes - used_bytes()
        return BYTES_PER_ARC * arcs < memory

    def _report(self, event: Event, doing: str) -> None:
        if self.on_progress is None:
            return
        cost = self.incumbent.cost
        is_new = cost != self._reported_cost
        self._reported_cost = cost
        self.on_progress(
            SolveProgress(
                seconds=self.earlier_seconds + self.time_limit.elapsed,
                nodes=0,
                open_nodes=1,
                lower_bound=self.lower_bound,
                objective=cost,
                columns=len(self.columns),
                exact_checks=0,
                doing=doing,
                event=event,
                new_plan=self.incumbent.solution("feasible", self.lower_bound) if is_new else None,
            )
        )
