"""Column generation: the loop of the paper's Figure 1.

`_Convergence._generate_columns` is that loop: restricted master problem, duals, pricing, screening,
loading check, new columns. `Screen.price_and_screen` has its inner part: labelling, the network
and the loading check take turns until some routes may enter. Around the loop, the penalties of
artificial columns are raised until no artificial column is in use.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tailgate.model.aliases import RoutePath
from tailgate.solver.column import Column
from tailgate.solver.column_generation.column_pricing import ColumnPricing
from tailgate.solver.column_generation.lagrangian import Lagrangian
from tailgate.solver.column_generation.relaxation import Outcome, Relaxation, Subproblem
from tailgate.solver.column_generation.stopwatch import Stopwatch
from tailgate.solver.column_generation.watcher import Step, Watcher
from tailgate.solver.loading import Query, Verdict
from tailgate.solver.master import (
    MasterError,
    MasterSolution,
    RestrictedMaster,
    edges_at,
    vehicle_limits,
)
from tailgate.solver.master.tolerances import ARTIFICIAL_VALUE
from tailgate.solver.recording import QueryRecorder
from tailgate.solver.screening import FleetScreen, UndecidedLoadingError
from tailgate.solver.time_limit import TimeLimit

LATE_BOUND_SECONDS = 0.1
"""For a bound over walks, when the time is over and there is no other bound."""
PENALTY_RAISES_BEFORE_PHASE_ONE = 8
"""After so many without success the first phase asks whether there is a solution at all."""
MAX_PENALTY_RAISES = 64


class ColumnGeneration:
    """Master problem, pricing and screening of one instance, with all columns found so far."""

    def __init__(self, screen: FleetScreen, *, recorder: QueryRecorder | None = None) -> None:
        self.screen = screen
        self.pricers, self.oracles = screen.pricers, screen.oracles
        self.instance = screen.instance
        self.master = RestrictedMaster(self.instance)
        self.pricing = ColumnPricing(screen, self.master)
        self.stopwatch = Stopwatch(screen)
        self.iterations = 0
        self.recorder = recorder
        self.last_solution: MasterSolution | None = None
        """Of the master problem; queries are recorded with their reduced costs under its duals."""

    def solve(
        self,
        subproblem: Subproblem,
        time_limit: TimeLimit,
        *,
        proof_limit: int | None = None,
        watcher: Watcher | None = None,
    ) -> Relaxation:
        """Generate columns for a subproblem until none improves, or there is a reason to stop.

        `proof_limit` is that of `Screen.check_columns_in_use`, for each column in use.
        """
        self._restrict(subproblem)
        run = _Convergence(
            self,
            time_limit,
            proof_limit,
            watcher or Watcher(),
            subproblem.is_unrestricted,
            subproblem.cutoff,
            subproblem.lower_bound,
        )
        outcome = run.run()
        return Relaxation(outcome, run.lower_bound, self.last_solution, self.pricing.lagrangian)

    def lp_value(self, subproblem: Subproblem, time_limit: TimeLimit) -> float | None:
        """Return the master problem's value with the columns that are there; None: too late."""
        self._restrict(subproblem)
        solution = self.master.solve(time_limit)
        return None if solution is None else solution.value

    def find_first_duals(self, time_limit: TimeLimit, watcher: Watcher) -> float:
        """Look for good duals of the root over walks; return their bound."""
        best = 0.0

        def on_bound(lagrangian: Lagrangian) -> bool:
            nonlocal best
            best = max(best, lagrangian.bound)
            watcher.on_step(Step("looking for a first bound", best))
            return False

        with self.stopwatch.timing("pricing"):
            self.pricing.find_first_duals(time_limit, on_bound)
        return best

    @property
    def exact_checks(self) -> int:
        """Loading checks that were really made."""
        statistics = self.screen.checks
        return int(sum(statistics[f"decided_{verdict}"] for verdict in Verdict))

    def record_queries(self, phase: str) -> dict[int, list[Query]]:
        """Pass on what the oracles were asked since the last time, and return it.

        By the first kind of vehicle that an oracle is for.
        """
        queries: dict[int, list[Query]] = {}
        for oracle in self.screen.different_oracles:
            kind = self.oracles.index(oracle)
            queries[kind] = oracle.take_queries()
            if self.recorder is not None:
                self._record(queries[kind], kind, phase)
        return queries

    def _record(self, queries: list[Query], kind: int, phase: str) -> None:
        assert self.recorder is not None
        solution, factor = self.last_solution, 0.0 if self.master.first_phase else 1.0

        def reduced_cost(route: RoutePath) -> float:
            assert solution is not None
            column = Column(kind, route)
            return solution.reduced_cost(column, factor * self.master.route_cost(column))

        self.recorder.record(
            queries,
            kind=kind,
            phase=phase,
            iteration=self.iterations,
            reduced_cost=None if solution is None else reduced_cost,
        )

    def _restrict(self, subproblem: Subproblem) -> None:
        kinds = range(len(self.pricers))
        self.master.set_rows(subproblem.rows)
        self.master.set_forbidden_edges(subproblem.forbidden_edges)
        self.master.set_served(subproblem.served, subproblem.left_out)
        self.master.set_refused(
            {(stop, kind) for kind in kinds for stop in subproblem.refused_by(kind)}
        )
        self.master.set_vehicle_limits(subproblem.vehicle_limits or vehicle_limits(self.instance))
        for kind, pricer in enumerate(self.pricers):
            edges = subproblem.forbidden_edges
            for stop in subproblem.refused_by(kind):
                edges = edges.union(edges_at(stop, self.instance.n))
            pricer.set_forbidden_edges(edges)
        self.pricing.restrict(subproblem)
        self.last_solution = self.pricing.lagrangian = None


@dataclass(eq=False)
class _Convergence:
    """One call of column generation, and what it proves on the way."""

    generation: ColumnGeneration
    time_limit: TimeLimit
    proof_limit: int | None
    watcher: Watcher
    is_unrestricted: bool
    cutoff: float
    lower_bound: float
    phase_one_bound: float = -math.inf
    """A lower bound on the objective of phase one, the total violation of the rows."""

    def run(self) -> Outcome:
        """Generate columns, with penalties that grow until only routes satisfy the rows."""
        try:
            outcome = self._raise_penalties_until_feasible()
        except UndecidedLoadingError:
            return "undecided"
        if (
            outcome == "time_limit"
            and self.is_unrestricted
            and self.generation.pricing.centre is None
        ):
            limit = TimeLimit(LATE_BOUND_SECONDS)
            late_bound = self.generation.find_first_duals(limit, self.watcher)
            self.lower_bound = max(self.lower_bound, late_bound)
        return outcome

    def _raise_penalties_until_feasible(self) -> Outcome:
        penalties = self.generation.master.penalties
        for attempt in range(1, MAX_PENALTY_RAISES + 1):
            outcome = self._generate_columns()
            if outcome != "converged" or not self._uses_artificials:
                return outcome
            self.generation.master.raise_penalties()
            if attempt % PENALTY_RAISES_BEFORE_PHASE_ONE:
                continue
            # Are the penalties too small, or can the rows not be satisfied at all?
            outcome = self._first_phase()
            if outcome == "infeasible":
                self.generation.master.restore_penalties(penalties)
            if outcome != "converged":
                return outcome
        raise MasterError(
            "the master problem can be satisfied, but no penalty makes it so: its numbers are "
            "beyond what the LP solver can tell apart"
        )

    def _first_phase(self) -> Outcome:
        """Minimise the artificial columns; a positive optimum proves infeasibility."""
        self.generation.master.first_phase = True
        try:
            outcome = self._generate_columns()
        finally:
            self.generation.master.first_phase = False
        return "infeasible" if self._is_proven_infeasible else outcome

    def _generate_columns(self) -> Outcome:
        """Run the loop of the paper's Figure 1."""
        while True:
            # Restricted master problem: the best fractional solution so far, and its duals.
            solution = self._solve_master()
            if solution is None:
                return "time_limit"
            if self.generation.master.first_phase and not self._uses_artificials:
                return "converged"

            # Loading check of the columns in use: those that cannot be loaded leave again.
            refuted = self.generation.screen.check_columns_in_use(
                solution.support, self.time_limit, proof_limit=self.proof_limit
            )
            for column in refuted:
                self.generation.master.remove(column)
            if self.time_limit.expired:
                return "time_limit"
            if refuted:
                continue
            if self._is_proven(solution):
                self.watcher.on_proven(solution)

            # Pricing, screening and loading check: routes that improve the solution.
            columns, complete = self._find_columns(solution)
            self.watcher.on_step(Step("pricing", self.lower_bound))
            added = self.generation.master.add(columns)
            if self.lower_bound >= self.cutoff:
                return "cut_off"
            if not complete:
                return "time_limit"
            if not columns or (self.generation.master.first_phase and self._is_proven_infeasible):
                return "converged"
            if not added:
                # All of them are in the master already: the LP solver is less precise than it
                # should be. The bound does not rest on it.
                self.generation.master.loosen_tolerance()
            self.cutoff = self.watcher.on_round(solution, self.cutoff)

    def _solve_master(self) -> MasterSolution | None:
        with self.generation.stopwatch.timing("master"):
            solution = self.generation.master.solve(self.time_limit)
        if solution is not None:
            self.generation.last_solution = solution
            self.generation.iterations += 1
        return solution

    @property
    def _uses_artificials(self) -> bool:
        """Whether only artificial columns satisfy some row in the last solution."""
        solution = self.generation.last_solution
        return solution is not None and solution.artificial > ARTIFICIAL_VALUE

    def _is_proven(self, solution: MasterSolution) -> bool:
        """Return whether routes alone satisfy the rows, and all of them are proven."""
        return (
            not self.generation.master.first_phase
            and not self._uses_artificials
            and not any(map(self.generation.screen.is_in_doubt, solution.support))
        )

    def _find_columns(self, solution: MasterSolution) -> tuple[tuple[Column, ...], bool]:
        generation = self.generation
        with generation.stopwatch.timing("pricing"):
            found = generation.pricing.price_with_smoothing(
                solution,
                is_unrestricted=self.is_unrestricted,
                time_limit=self.time_limit,
                on_bound=self._raise_bound,
            )
        generation.record_queries("pricing")
        return found

    def _raise_bound(self, lagrangian: Lagrangian) -> bool:
        """Take a Lagrangian bound; return whether the cutoff is reached."""
        if self.generation.master.first_phase:
            # Routes cost nothing: what is left is the violation of the rows.
            self.phase_one_bound = max(self.phase_one_bound, lagrangian.bound)
        else:
            self.lower_bound = max(self.lower_bound, lagrangian.bound)
        self.watcher.on_step(Step("pricing", self.lower_bound))
        return self.lower_bound >= self.cutoff

    @property
    def _is_proven_infeasible(self) -> bool:
        return self.phase_one_bound > self.generation.master.infeasibility_tolerance
