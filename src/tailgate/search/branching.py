"""Which edge to decide on: the one whose two decisions raise the bound most.

Candidates pass through phases, each dearer and more to the point than the one before: how far from
whole an edge is, how the master problem's value rises with the columns that are there, how the
bound rises when columns are generated for a while.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tailgate.column_generation import ColumnGeneration
from tailgate.instance import Instance
from tailgate.master import Edge, Row, edge_values
from tailgate.screening import UndecidedLoadingError
from tailgate.search.node import FLEET, Decision, Node
from tailgate.time_limit import TimeLimit

RoutePath = tuple[int, ...]
WHOLE = 1e-6
"""A value that is this near to a whole number is one."""
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
    support: Mapping[RoutePath, float], instance: Instance
) -> list[tuple[float, Edge, float]]:
    """Return the undecided edges as (distance from whole, edge, value), the best one first."""
    candidates = []
    for edge, value in edge_values(support).items():
        distance = abs(value - round(value))
        if distance > WHOLE:
            candidates.append((distance, edge, value))
    # Of equally undecided edges the longer one says more.
    candidates.sort(key=lambda item: (-item[0], -instance.distance(*item[1]), item[1]))
    trucks = sum(support.values())
    if instance.conventions.fleet == "at-most" and abs(trucks - round(trucks)) > WHOLE:
        candidates.insert(0, (abs(trucks - round(trucks)), FLEET, trucks))
    return candidates


def choose(
    generation: ColumnGeneration,
    node: Node,
    cuts: Iterable[Row],
    *,
    seconds_per_trial: float,
    time_limit: TimeLimit,
    cutoff: float,
) -> Branching | None:
    """Return what to decide next in a node whose columns are generated; None: nothing is open.

    Leaves the generation somewhere else: the caller turns it to its next node.
    """
    assert generation.solution is not None
    instance = generation.instance
    candidates = fractional(generation.solution.support, instance)
    if not candidates:
        return None
    cuts = tuple(cuts)
    bound = generation.lower_bound
    children = {}
    for _, edge, value in candidates[:LP_CANDIDATES]:
        children[edge] = (
            Decision(edge, "at-most", math.floor(value)),
            Decision(edge, "at-least", math.ceil(value)),
        )

    if len(children) > 1:
        rises = {}
        for edge, decisions in children.items():
            values = [_lp_value(generation, node, cuts, d, time_limit) for d in decisions]
            if time_limit.expired:
                break
            rises[edge] = _score(bound, values)
        best = sorted(rises, key=lambda edge: -rises[edge])[:GENERATION_CANDIDATES]
    else:
        best = list(children)

    proven: dict[Edge, tuple[float, float]] = {}
    for edge in best:
        if time_limit.expired:
            break
        trial = _Trial(generation, node, cuts, seconds_per_trial, time_limit, cutoff)
        down, up = children[edge]
        proven[edge] = (trial.bound(down), trial.bound(up))
        if min(proven[edge]) >= cutoff:
            break
    chosen = max(
        proven,
        key=lambda edge: _score(bound, [min(value, cutoff) for value in proven[edge]]),
        default=next(iter(children)),
    )
    return Branching(children[chosen], proven.get(chosen, (bound, bound)))


def _score(bound: float, values: Iterable[float]) -> float:
    return math.prod(max(value - bound, LEAST_RISE) for value in values)


def _lp_value(
    generation: ColumnGeneration,
    node: Node,
    cuts: tuple[Row, ...],
    decision: Decision,
    time_limit: TimeLimit,
) -> float:
    """Return the master problem's value with this decision, without new columns."""
    child = node.child(decision, node.lower_bound, cuts)
    rows = [*child.rows(generation.instance.n), *cuts]
    generation.restrict(rows, child.forbidden_edges, lower_bound=child.lower_bound)
    solution = generation.master.solve(time_limit)
    return -math.inf if solution is None else solution.value


@dataclass(frozen=True, slots=True)
class _Trial:
    generation: ColumnGeneration
    node: Node
    cuts: tuple[Row, ...]
    seconds: float
    time_limit: TimeLimit
    cutoff: float

    def bound(self, decision: Decision) -> float:
        """Generate columns for a while; return the bound that this proves."""
        child = self.node.child(decision, self.node.lower_bound, self.cuts)
        generation = self.generation
        rows = [*child.rows(generation.instance.n), *self.cuts]
        generation.restrict(rows, child.forbidden_edges, lower_bound=child.lower_bound)
        generation.cutoff = self.cutoff
        generation.time_limit = self.time_limit.at_most(self.seconds)
        try:
            if generation.converge() == "infeasible":
                return math.inf
        except UndecidedLoadingError:
            pass
        finally:
            generation.time_limit = self.time_limit
        return generation.lower_bound
