"""Better plans on the way: the route search, and plans made of proven routes."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tailgate.solver.column import Column
from tailgate.solver.column_generation import FirstColumns
from tailgate.solver.master import MasterSolution
from tailgate.solver.routing import RouteSearch
from tailgate.solver.search.background import BackgroundSearch
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.plans import is_plan
from tailgate.solver.search.recombination import recombine
from tailgate.solver.search.time_division import TimeDivision

RECOMBINATION_SHARE = 0.25
"""Of the time for plans, for those made of known routes."""
LEAST_HEURISTIC_SECONDS = 1.0
MOST_HEURISTIC_SECONDS = 30.0


@dataclass(eq=False)
class PrimalHeuristics(SearchPart):
    """Looks for plans within a share of the time, and offers them to the incumbent."""

    monitor: Monitor
    first_columns: FirstColumns
    background: BackgroundSearch | None
    known_columns: Sequence[Column] = ()
    """Known to be loadable before the search; they may be a plan."""
    seconds_used: float = 0.0
    """Of the share; what the other thread has done counts as if it had been done here."""

    def __post_init__(self) -> None:
        """Begin with the division that is asked for."""
        self.division = TimeDivision(self.options.focus, self.generation.instance.n)
        self._proof_began: tuple[float, float] | None = None
        """When the proof was given the time, and the bound then."""

    def find_first_plan(self) -> None:
        """Look for a plan, and for the first columns."""
        self.monitor.report("root", "looking for a first solution")
        self._use_known_columns()
        with self.monitor.timing("heuristic"):
            self.first_columns.find(on_plan=self._show_first_plan)
            self._offer_best_of_search()
            self.first_columns.improve()
        self.seconds_used = self.monitor.seconds["heuristic"]
        self._offer_best_of_search()
        self._begin_proof()

    def _show_first_plan(self) -> None:
        """Have the first plan judged; better ones follow soon, so the master does not get it."""
        search = self.first_columns.route_search
        assert search is not None
        assert search.routes is not None
        if self.incumbent.offer(search.routes, time_limit=self.time_limit):
            self.monitor.report("incumbent", "a first plan")

    def _use_known_columns(self) -> None:
        """Take what is known before the search: as a plan, if it is one, and as columns."""
        if is_plan(self.generation.instance, self.known_columns):
            self.offer(self.known_columns)
        self.generation.master.add(self.known_columns)

    def improve(self, solution: MasterSolution, least: float = LEAST_HEURISTIC_SECONDS) -> float:
        """Look for better plans for a while; return the cutoff from now on.

        `solution` is that of the last master problem.
        """
        self._improve(solution, least)
        return self.incumbent.cutoff

    def _improve(self, solution: MasterSolution, least: float) -> None:
        """Go on with the route search, unless another thread does; then recombine."""
        if self.background is not None:
            columns = self.background.take()
            if columns is not None:
                self.offer(columns)
        search = self.first_columns.route_search
        if search is None or self.node_is_done:
            return
        self._end_proof()
        allowed = max(least, self.division.share * self.time_limit.elapsed)
        seconds = min(allowed - self.seconds_used, MOST_HEURISTIC_SECONDS)
        if seconds < 0.5 * LEAST_HEURISTIC_SECONDS:
            return
        self.monitor.report("node", "looking for better solutions")
        started, before = time.monotonic(), self._cost
        with self.monitor.timing("heuristic"):
            if self.background is None:
                search.run(time_limit=self.time_limit.at_most(seconds).remaining)
                self._offer_best_of_search()
            if seconds >= LEAST_HEURISTIC_SECONDS:
                self._recombine(search, solution, RECOMBINATION_SHARE * seconds)
        spent = time.monotonic() - started
        self.seconds_used += spent if self.background is None else seconds
        self.division.note_plans(spent, before, self._cost)
        self._begin_proof()

    @property
    def _cost(self) -> float:
        cost = self.incumbent.cost
        return math.inf if cost is None else cost

    def _begin_proof(self) -> None:
        self._proof_began = (self.time_limit.elapsed, self.queue.lower_bound)

    def _end_proof(self) -> None:
        if self._proof_began is not None:
            began, bound = self._proof_began
            spent = self.time_limit.elapsed - began
            self.division.note_proof(spent, bound, self.queue.lower_bound)
            self._begin_proof()

    def offer(self, columns: Collection[Column]) -> None:
        """Take a plan of proven columns if it is better than the best."""
        if self.incumbent.offer(columns, time_limit=self.time_limit):
            self.generation.master.add(columns)
            self.monitor.report("incumbent", "a better plan")

    def _offer_best_of_search(self) -> None:
        search = self.first_columns.route_search
        if search is not None and search.routes is not None:
            self.offer(search.routes)

    def _recombine(self, search: RouteSearch, solution: MasterSolution, seconds: float) -> None:
        """Make a better plan of the routes that are proven, if there is one."""
        if self.incumbent.cost is None:
            return
        is_in_doubt = self.generation.screen.is_in_doubt
        proven = [one for one in self.generation.master.columns if not is_in_doubt(one)]
        columns = recombine(
            self.generation.instance,
            [*search.pool, *proven],
            solution.duals,
            limit=self.incumbent.cutoff,
            threads=self.options.threads,
            time_limit=self.time_limit.at_most(seconds),
        )
        if columns is not None:
            self.offer(columns)
            search.offer(columns, proven=True)
