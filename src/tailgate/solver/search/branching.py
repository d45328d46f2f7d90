"""What to decide: that whose two decisions raise the bound most.

Strong branching: candidates pass through phases, each more expensive and more to the point than the
one before: how far from an integer a value is, how the master problem's value rises with the
columns that are there, how the bound rises when columns are generated for a while.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tailgate.solver.column import Column
from tailgate.solver.column_generation import ColumnGeneration, Subproblem
from tailgate.solver.master import Row
from tailgate.solver.search.decisions import Decision
from tailgate.solver.search.fractionality import Candidate, candidates
from tailgate.solver.search.node import Node
from tailgate.solver.time_limit import TimeLimit

LP_CANDIDATES = 24
GENERATION_CANDIDATES = 4
LEAST_RISE = 1e-3
"""A decision that raises nothing must not make the other one's rise worthless in the product."""


@dataclass(frozen=True, slots=True)
class Branching:
    """Two decisions of which every solution keeps one, and what is proven of each."""

    decisions: tuple[Decision, Decision]
    lower_bounds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Trials:
    """Tries decisions at a node whose columns are generated.

    Leaves column generation somewhere else: the caller goes on with another node.
    """

    generation: ColumnGeneration
    node: Node
    cuts: tuple[Row, ...]
    cutoff: float
    seconds_per_trial: float
    proof_limit: int | None
    time_limit: TimeLimit

    def choose(self, support: Mapping[Column, float]) -> Branching | None:
        """Return what to decide next where these columns are in use; None: nothing is open."""
        tried = candidates(support, self.generation.instance)[:LP_CANDIDATES]
        if not tried:
            return None
        bound = self.node.lower_bound
        proven: dict[Candidate, tuple[float, float]] = {}
        for candidate in self._best_by_lp(tried):
            if self.time_limit.expired:
                break
            proven[candidate] = (self._bound(candidate.down), self._bound(candidate.up))
            if min(proven[candidate]) >= self.cutoff:
                break
        chosen = max(
            proven,
            key=lambda one: _score(bound, [min(value, self.cutoff) for value in proven[one]]),
            default=tried[0],
        )
        return Branching(chosen.decisions, proven.get(chosen, (bound, bound)))

    def _best_by_lp(self, tried: Sequence[Candidate]) -> list[Candidate]:
        """Return those whose decisions raise the master problem most, without new columns."""
        if len(tried) == 1:
            return list(tried)
        rises = {}
        for candidate in tried:
            values = [self._lp_value(decision) for decision in candidate.decisions]
            if self.time_limit.expired:
                break
            rises[candidate] = _score(self.node.lower_bound, values)
        return sorted(rises, key=lambda one: -rises[one])[:GENERATION_CANDIDATES]

    def _lp_value(self, decision: Decision) -> float:
        value = self.generation.lp_value(self._child(decision), self.time_limit)
        return -math.inf if value is None else value

    def _bound(self, decision: Decision) -> float:
        """Generate columns for a while; return the bound that this proves."""
        limit = self.time_limit.at_most(self.seconds_per_trial)
        child = self._child(decision)
        relaxation = self.generation.solve(child, limit, proof_limit=self.proof_limit)
        return math.inf if relaxation.outcome == "infeasible" else relaxation.lower_bound

    def _child(self, decision: Decision) -> Subproblem:
        child = self.node.child(decision, self.node.lower_bound, self.cuts)
        return child.subproblem(self.generation.instance, self.cuts, cutoff=self.cutoff)


def _score(bound: float, values: Iterable[float]) -> float:
    return math.prod(max(value - bound, LEAST_RISE) for value in values)
