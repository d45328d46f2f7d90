"""Which edge to decide on: the one whose two decisions raise the bound most.

Strong branching: candidates pass through phases, each more expensive and more to the point than the
one before: how far from an integer the value of an edge is, how the master problem's value rises
with the columns that are there, how the bound rises when columns are generated for a while.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tailgate.model.instance import Instance
from tailgate.solver.column import Column, route_values
from tailgate.solver.column_generation import ColumnGeneration, Subproblem
from tailgate.solver.master import Edge, Row, edge_values
from tailgate.solver.search.node import FLEET, Decision, Node
from tailgate.solver.time_limit import TimeLimit

INTEGRALITY = 1e-6
"""A value that is this near to an integer is one."""
LP_CANDIDATES = 24
GENERATION_CANDIDATES = 4
LEAST_RISE = 1e-3
"""A decision that raises nothing must not make the other one's rise worthless in the product."""


@dataclass(frozen=True, slots=True)
class Branching:
    """Two decisions of which every solution keeps one, and what is proven of each."""

    decisions: tuple[Decision, Decision]
    lower_bounds: tuple[float, float]


def fractional(
    support: Mapping[Column, float], instance: Instance
) -> list[tuple[float, Edge, float]]:
    """Return the undecided edges as (distance from an integer, edge, value), the best one first."""
    candidates = []
    for edge, value in edge_values(route_values(support)).items():
        distance = abs(value - round(value))
        if distance > INTEGRALITY:
            candidates.append((distance, edge, value))
    # Of equally undecided edges the longer one says more.
    candidates.sort(key=lambda item: (-item[0], -instance.distance(*item[1]), item[1]))
    trucks = sum(support.values())
    if instance.conventions.fleet == "at-most" and abs(trucks - round(trucks)) > INTEGRALITY:
        candidates.insert(0, (abs(trucks - round(trucks)), FLEET, trucks))
    return candidates


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
        children = {
            edge: (
                Decision(edge, "at-most", math.floor(value)),
                Decision(edge, "at-least", math.ceil(value)),
            )
            for _, edge, value in fractional(support, self.generation.instance)[:LP_CANDIDATES]
        }
        if not children:
            return None
        bound = self.node.lower_bound
        proven: dict[Edge, tuple[float, float]] = {}
        for edge in self._best_by_lp(children):
            if self.time_limit.expired:
                break
            down, up = children[edge]
            proven[edge] = (self._bound(down), self._bound(up))
            if min(proven[edge]) >= self.cutoff:
                break
        chosen = max(
            proven,
            key=lambda edge: _score(bound, [min(value, self.cutoff) for value in proven[edge]]),
            default=next(iter(children)),
        )
        return Branching(children[chosen], proven.get(chosen, (bound, bound)))

    def _best_by_lp(self, children: Mapping[Edge, tuple[Decision, Decision]]) -> list[Edge]:
        """Return the edges whose decisions raise the master problem most, without new columns."""
        if len(children) == 1:
            return list(children)
        rises = {}
        for edge, decisions in children.items():
            values = [self._lp_value(decision) for decision in decisions]
            if self.time_limit.expired:
                break
            rises[edge] = _score(self.node.lower_bound, values)
        return sorted(rises, key=lambda edge: -rises[edge])[:GENERATION_CANDIDATES]

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
        return child.subproblem(self.generation.instance.n, self.cuts, cutoff=self.cutoff)


def _score(bound: float, values: Iterable[float]) -> float:
    return math.prod(max(value - bound, LEAST_RISE) for value in values)
