"""One node of the tree: converge, try the integral solution, enumerate if few, cut, branch."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from tailgate.solver.column import Column
from tailgate.solver.column_generation import MANY_CUSTOMERS, Relaxation, Step, Watcher
from tailgate.solver.master import EdgeRow, MasterSolution, Row
from tailgate.solver.pricing import SubsetRow
from tailgate.solver.screening import UndecidedLoadingError
from tailgate.solver.search import branching
from tailgate.solver.search.cuts import Cut
from tailgate.solver.search.cutting import CutRounds, Separation
from tailgate.solver.search.enumeration_finish import FIRST_GAPS, LAST_CHANCE, EnumerationFinish
from tailgate.solver.search.fractionality import candidates
from tailgate.solver.search.monitor import Monitor
from tailgate.solver.search.node import Node
from tailgate.solver.search.part import SearchPart
from tailgate.solver.search.persistence import Persistence
from tailgate.solver.search.primal_heuristics import PrimalHeuristics

RELAXATION_PROOF_NODES = 10_000
"""For a route that the relaxation uses; more only for one that a plan uses."""
INTEGRAL_PROOF_NODES = 1_000_000
"""For a route of an integral solution, as long as there are other ways to go on."""
SHRINK_BEFORE_NEXT_ENUMERATION = 0.75
"""Routes are enumerated again once the gap is below this share of what it was."""
SLOW_ROUND = 10.0
"""A round of cuts may take so many times the first convergence of its node."""
LEAST_ROUND_SECONDS = 20.0
TRIAL_SECONDS = 10.0
"""Of strong branching, for one candidate."""


@dataclass(eq=False)
class NodeSolver(SearchPart):
    """Solves the current node of the queue as far as it gets; what it proves goes to the queue."""

    monitor: Monitor
    persistence: Persistence
    heuristics: PrimalHeuristics
    finish: EnumerationFinish
    separation: Separation
    idle_rounds: dict[Cut, int] = field(default_factory=dict)
    """By cut: for how many rounds it has had no dual."""

    def solve(self, node: Node) -> list[Node] | None:
        """Return its children: none if it is fathomed, None if a limit was hit."""
        cuts: tuple[Row, ...] = node.cuts
        rounds = CutRounds(self.separation, self.idle_rounds, at_root=not node.decisions)
        enumerated_gap, seconds_before = math.inf, self.monitor.seconds["generation"]
        # On large instances, primal heuristics run between the rounds of pricing.
        relaxation = self._converge(cuts, improve=self.generation.instance.n >= MANY_CUSTOMERS)
        first_seconds = self.monitor.seconds["generation"] - seconds_before
        while True:
            relaxation = self._try_integral(relaxation, cuts, INTEGRAL_PROOF_NODES)
            if relaxation.outcome != "converged" or self.node_is_done:
                return self._end(relaxation)
            if self.monitor.reason_to_stop is not None:
                return None
            assert relaxation.lagrangian is not None
            bound = relaxation.lagrangian.bound

            # Few routes fit into the gap: enumerate them all.
            gap = min(self.incumbent.cutoff - bound, FIRST_GAPS[-1] * bound)
            if gap < SHRINK_BEFORE_NEXT_ENUMERATION * enumerated_gap:
                enumerated_gap = gap
                if self.finish.run(relaxation):
                    return []
            self.heuristics.improve(_solution(relaxation))
            if self.monitor.reason_to_stop is not None:
                return None
            self.persistence.save_if_due()

            # Cuts, as long as they raise the bound well.
            if not rounds.is_worthwhile(bound, self.incumbent.cutoff):
                break
            active_cuts = self._cuts_in_master(node)
            next_cuts = rounds.next_cuts(active_cuts, _solution(relaxation), self.time_limit)
            if not next_cuts:
                break
            self.queue.set_cuts_of_current(next_cuts)
            self.monitor.report("cuts", "adding cuts")
            round_seconds = max(LEAST_ROUND_SECONDS, SLOW_ROUND * first_seconds)
            relaxation = self._converge(next_cuts, seconds=round_seconds)
            if relaxation.outcome == "time_limit" and not self.time_limit.expired:
                # Too expensive: without these cuts, then; a resumed search does without them, too.
                self.queue.set_cuts_of_current(cuts)
                relaxation = self._converge(cuts)
                if relaxation.outcome != "converged":
                    return self._end(relaxation)
                break
            cuts = next_cuts
        return self._last_attempts_then_branch(node, relaxation, cuts)

    def _last_attempts_then_branch(
        self, node: Node, relaxation: Relaxation, cuts: tuple[Row, ...]
    ) -> list[Node] | None:
        """Try everything with all the effort it takes; then branch."""
        if self.finish.run(relaxation, effort=LAST_CHANCE):
            return []
        # An integral solution that is still in doubt must be proven now, whatever it takes.
        relaxation = self._try_integral(relaxation, cuts, None)
        if relaxation.outcome != "converged" or self.node_is_done:
            return self._end(relaxation)
        return None if self.time_limit.expired else self._branch(node, relaxation)

    def _end(self, relaxation: Relaxation) -> list[Node] | None:
        """End a node that is infeasible, cut off, undecided or out of time."""
        if relaxation.outcome == "undecided":
            self.queue.defer_current("undecided")
        return None if relaxation.outcome == "time_limit" else []

    # Converge.

    def _converge(
        self, cuts: tuple[Row, ...], *, seconds: float | None = None, improve: bool = False
    ) -> Relaxation:
        """Generate columns for the current node with these cuts, for some seconds at most."""
        limit = self.time_limit if seconds is None else self.time_limit.at_most(seconds)
        subproblem = self.queue.current.subproblem(
            self.generation.instance, cuts, cutoff=self.incumbent.cutoff
        )
        watcher = _NodeWatcher(self, improve)
        with self.monitor.timing("generation"):
            relaxation = self.generation.solve(
                subproblem, limit, proof_limit=RELAXATION_PROOF_NODES, watcher=watcher
            )
        self.queue.raise_current(relaxation.lower_bound)
        return relaxation

    # Try the integral solution.

    def _try_integral(
        self, relaxation: Relaxation, cuts: tuple[Row, ...], proof_limit: int | None
    ) -> Relaxation:
        """Offer the master's solution if it leaves nothing to branching.

        Only then must all of it be proven, with so much effort for each column; where some is
        refuted, columns are generated again.
        """
        screen, master = self.generation.screen, self.generation.master
        while relaxation.outcome == "converged":
            support = _solution(relaxation).support
            if candidates(support, self.generation.instance):
                break
            try:
                refuted = screen.check_columns_in_use(
                    support, self.time_limit, proof_limit=proof_limit
                )
            except UndecidedLoadingError:
                return replace(relaxation, outcome="undecided")
            if not refuted:
                if not any(map(screen.is_in_doubt, support)):
                    self.heuristics.offer(self._one_direction_each(support))
                break
            for column in refuted:
                master.remove(column)
            relaxation = self._converge(cuts)
        return relaxation

    def _one_direction_each(self, support: Iterable[Column]) -> Collection[Column]:
        """Return the cheaper one where a route and its reverse share the value 1."""
        cost = self.generation.master.route_cost
        cheapest: dict[frozenset[int], Column] = {}
        for column in support:
            customers = frozenset(column.route)
            if customers not in cheapest or cost(column) < cost(cheapest[customers]):
                cheapest[customers] = column
        return cheapest.values()

    # Cut.

    def _cuts_in_master(self, node: Node) -> list[Cut]:
        decided = set(node.rows(self.generation.instance))
        rows = self.generation.master.rows
        return [row for row in rows if isinstance(row, SubsetRow | EdgeRow) and row not in decided]

    # Branch.

    def _branch(self, node: Node, relaxation: Relaxation) -> list[Node]:
        solution = _solution(relaxation)
        self.monitor.report("node", "choosing what to branch on")
        cuts = [row for row in self._cuts_in_master(node) if row in solution.row_duals]
        here = replace(node, lower_bound=self.queue.current.lower_bound)
        trials = branching.Trials(
            self.generation,
            here,
            tuple(cuts),
            cutoff=self.incumbent.cutoff,
            seconds_per_trial=TRIAL_SECONDS,
            proof_limit=RELAXATION_PROOF_NODES,
            time_limit=self.time_limit,
        )
        chosen = trials.choose(solution.support)
        if chosen is None:
            # Integral edges make integral routes, and these were offered. They cost more than the
            # bound by less than numbers can tell apart, so the node is left undecided.
            self.queue.defer_current("precision")
            return []
        return [
            here.child(decision, bound, cuts)
            for decision, bound in zip(chosen.decisions, chosen.lower_bounds, strict=True)
        ]


@dataclass(eq=False)
class _NodeWatcher(Watcher):
    """Keeps what is proven: a root may take hours, and a search may be killed at any moment."""

    solver: NodeSolver
    improve: bool

    def on_step(self, step: Step) -> None:
        """Keep the bound, and report it."""
        queue = self.solver.queue
        queue.raise_current(step.lower_bound)
        self.solver.monitor.report("node" if queue.current.decisions else "root", step.doing)

    def on_round(self, solution: MasterSolution, cutoff: float) -> float:
        """Look for better plans, if that is wanted, and save the state."""
        if self.improve:
            cutoff = self.solver.heuristics.improve(solution, least=0.0)
        self.solver.persistence.save_if_due()
        return cutoff


def _solution(relaxation: Relaxation) -> MasterSolution:
    assert relaxation.solution is not None
    return relaxation.solution
