"""What a search for the optimum reports: while it runs, and at its end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from tailgate.model import validation
from tailgate.model.conventions import Conventions
from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import TailgateError
from tailgate.model.instance import Instance
from tailgate.model.notebook_display import NotebookDisplay
from tailgate.model.rounding import gap_text
from tailgate.model.solution import LeftOut, Route, Solution, Status, relative_gap
from tailgate.model.units import with_unit
from tailgate.solver.search.infeasibility import Infeasibility
from tailgate.solver.search.plan_change import PlanChange

Reason = Literal[
    "proven",
    "gap",
    "time_limit",
    "node_limit",
    "memory_limit",
    "interrupted",
    "undecided",
    "precision",
    "lp_failure",
]
"""Why the search has ended. Undecided: a loading query is beyond the memory of the check.
Precision: a bound is below the cost of its plan by less than numbers can tell apart."""

Event = Literal["root", "node", "cuts", "incumbent", "enumeration", "checkpoint", "end"]
"""What has just happened. Checkpoint: it could not be written, though earlier ones could."""

LeaveOut = Literal["cost", "number"]
"""Of what is left out as little as possible: its cost, or the number of orders."""

SECONDS_PREFIX = "seconds_"
"""Of the statistics that say where the time went: ``seconds_pricing`` and so on."""

# As the judge has it: costs of the exact convention carry the rounding of a long sum.
_RELATIVE_TOLERANCE = 1e-9
_GAP_TOLERANCE = 1e-6

_ROUTES_SHOWN = 12
_JSON_KEYS = (
    *("status", "reason", "objective", "lower_bound", "gap", "nodes", "seconds", "routes"),
    *("conventions", "exact_checks", "explanation", "statistics", "checkpoint_failure"),
)


class ContradictoryResultError(TailgateError):
    """A result that contradicts itself: a bug in the search, not to be shown as a result."""


@dataclass(frozen=True, slots=True)
class SolveProgress:
    """How far the search has come.

    Parameters
    ----------
    seconds : float
        Seconds since the start.
    nodes : int
        Nodes of the search tree that are finished.
    open_nodes : int
        Nodes that are waiting.
    lower_bound : float
        No plan costs less.
    objective : int or float, optional
        The cost of the best plan so far, which has passed the judge.
    columns : int
        Routes in the master problem.
    exact_checks : int
        Loading checks that were made.
    doing : str
        What it is doing, in a few words.
    event : str
        What has just happened.
    new_plan : Solution, optional
        The best plan, where it is new since the last report.
    """

    seconds: float
    nodes: int
    open_nodes: int
    lower_bound: float
    objective: int | float | None
    columns: int
    exact_checks: int
    doing: str
    event: Event
    new_plan: Solution | None = field(default=None, repr=False, compare=False)

    @property
    def gap(self) -> float | None:
        """(objective - lower bound) / objective, or ``None`` without a plan."""
        if self.objective is None:
            return None
        return relative_gap(self.objective, self.lower_bound)


@dataclass(frozen=True, slots=True)
class LeastLeftOutBound:
    """How much a plan leaves out, and how much every plan leaves out at least.

    Parameters
    ----------
    by : {"cost", "number"}
        Whether costs of leaving orders out count, or orders.
    left_out : int or float
        By the plan.
    at_least : int or float
        By every plan, as far as that is proven.
    """

    by: LeaveOut
    left_out: int | float
    at_least: int | float

    @property
    def is_proven(self) -> bool:
        """Whether no plan leaves out less."""
        return self.at_least >= self.left_out


@dataclass(frozen=True, slots=True)
class SolveResult(NotebookDisplay):
    """The proven optimum, or the best plan and bound, and what they rest on.

    Parameters
    ----------
    status : {"optimal", "feasible", "infeasible", "bound_only"}
        Proven optimal; a plan whose bound does not reach it; proven that there is no plan; or
        no plan found so far.
    reason : str
        Why the search has ended: ``proven``, ``gap``, ``time_limit`` and so on.
    lower_bound : int or float, optional
        No plan costs less, whatever the status; ``None`` if it is proven that there is no plan.
    nodes : int
        Nodes of the search tree.
    seconds : float
        How long the search took.
    conventions : Conventions
        The rules under which it was solved.
    exact_checks : int
        Loading checks that were made.
    solution : Solution, optional
        The best plan with its loading plans, which has passed the judge; ``None`` if there is
        none.
    explanation : str
        Why there is no plan, where that is proven.
    statistics : dict
        Counts and seconds in detail; ``seconds_...`` say where the time went.
    checkpoint_failure : str
        Why the last checkpoint could not be written.
    instance : Instance, optional
        What was solved, so that a notebook can draw the plan.
    infeasibility : Infeasibility, optional
        The explanation as data.
    least_left_out : LeastLeftOutBound, optional
        What is proven of what is left out, where as little as possible was to be left out. The
        lower bound then is one of the plans that leave out as much.
    change : PlanChange, optional
        What the plan does otherwise than the one that was to be kept.

    Examples
    --------
    >>> import tailgate
    >>> instance = tailgate.generate_instance(6, 2, seed=1)
    >>> result = tailgate.solve(instance)
    >>> [sorted(route.customers) for route in result.routes]
    [[1, 2, 3, 4, 5, 6]]
    """

    status: Status
    reason: Reason
    lower_bound: int | float | None
    nodes: int
    seconds: float
    conventions: Conventions
    exact_checks: int
    solution: Solution | None = None
    explanation: str = ""
    statistics: Mapping[str, float] = field(default_factory=dict, hash=False)
    checkpoint_failure: str = ""
    instance: Instance | None = field(default=None, repr=False, compare=False)
    infeasibility: Infeasibility | None = None
    least_left_out: LeastLeftOutBound | None = None
    change: PlanChange | None = None

    def __post_init__(self) -> None:
        """Refuse a result that contradicts itself: whoever reads it must be able to trust it."""
        if self.lower_bound is not None:
            bound = validation.finite_or_not(self.lower_bound, "lower_bound")
            object.__setattr__(self, "lower_bound", bound)
        object.__setattr__(self, "statistics", dict(self.statistics))
        problem = self._contradiction()
        if problem:
            raise ContradictoryResultError(f"{problem}; this is a bug in Tailgate, please report")

    def _contradiction(self) -> str:
        """Return what is wrong, or nothing."""
        if self.status not in get_args(Status) or self.reason not in get_args(Reason):
            return f"there is no status {self.status!r} with the reason {self.reason!r}"
        if (self.status in ("optimal", "infeasible")) != (self.reason == "proven"):
            return f"the status {self.status} cannot have the reason {self.reason}"
        if (self.status in ("optimal", "feasible")) != (self.solution is not None):
            return f"the status {self.status} does not go with the solution"
        if (self.status == "infeasible") != (self.lower_bound is None):
            return f"the status {self.status} does not go with the lower bound {self.lower_bound}"
        if self.lower_bound is not None and not math.isfinite(self.lower_bound):
            return f"the lower bound is {self.lower_bound}"
        if self.solution is None:
            return ""
        for name in ("status", "lower_bound", "conventions"):
            if getattr(self.solution, name) != getattr(self, name):
                return f"the solution states another {name} than the result"
        return self._contradiction_of_values()

    def _contradiction_of_values(self) -> str:
        objective, bound = self.objective, self.lower_bound
        if objective is None or bound is None:
            return "there is a solution without an objective"
        if bound > objective + _RELATIVE_TOLERANCE * max(1.0, abs(objective)):
            return f"the lower bound {bound} is above the objective {objective}"
        if self.status != "optimal":
            return ""
        reached = relative_gap(objective, bound) <= _GAP_TOLERANCE
        step = self._cost_step
        if step is not None:
            # A large cost gives no more room then.
            reached = reached and bound > objective - step
        return "" if reached else f"the bound {bound} does not prove that {objective} is optimal"

    @property
    def _cost_step(self) -> Fraction | int | None:
        """What all costs are multiples of; integer distances make integer costs."""
        if self.instance is not None:
            return self.instance.cost_step
        return None if self.conventions.distance == "exact" else 1

    @property
    def objective(self) -> int | float | None:
        """The cost of the best plan."""
        return None if self.solution is None else self.solution.objective

    @property
    def gap(self) -> float | None:
        """(objective - lower bound) / objective; ``None`` without a plan, 0 for a cost of 0."""
        if self.objective is None or self.lower_bound is None:
            return None
        return relative_gap(self.objective, self.lower_bound)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes of the best plan, with their loading plans; empty if there is none."""
        return () if self.solution is None else self.solution.routes

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The orders that the best plan leaves out, each with its cost and the reason."""
        return () if self.solution is None else self.solution.left_out

    @property
    def seconds_by_part(self) -> dict[str, float]:
        """Where the time went, as far as it was counted."""
        return {
            name.removeprefix(SECONDS_PREFIX): seconds
            for name, seconds in self.statistics.items()
            if name.startswith(SECONDS_PREFIX)
        }

    def to_dict(self) -> dict[str, object]:
        """Return what ``tailgate solve --json`` prints."""
        return {name: getattr(self, name) for name in _JSON_KEYS} | {
            "routes": [route.to_dict() for route in self.routes],
            "conventions": self.conventions.to_dict(),
            "statistics": dict(self.statistics),
        }

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        nodes = f"{self.nodes:,} node" if self.nodes == 1 else f"{self.nodes:,} nodes"
        effort = f"after {_seconds_text(self.seconds)} and {nodes}"
        match self.status:
            case "optimal":
                return f"optimal: proven {effort} that no plan is cheaper"
            case "infeasible":
                why = f": {self.explanation}" if self.explanation else ""
                return f"infeasible: proven {effort} that there is no plan{why}"
            case "feasible":
                return (
                    f"feasible: {_STOPPED[self.reason]} {effort}; the plan is valid, and "
                    f"{self._what_is_proven}"
                )
            case "bound_only":
                link = "but" if self.lower_bound else "and"
                return (
                    f"no plan found: {_STOPPED[self.reason]} {effort}; that there is none is not "
                    f"proven, {link} {self._what_is_proven}"
                )

    @property
    def _what_is_proven(self) -> str:
        if not self.lower_bound:
            return "no bound above zero is proven yet"
        return f"no plan costs less than {self._cost_unit.bound_text(self.lower_bound)}"

    @property
    def _cost_unit(self) -> CostUnit:
        """There also where there is no plan."""
        if self.instance is not None:
            return CostUnit.of_instance(self.instance)
        return CostUnit() if self.solution is None else CostUnit.of_solution(self.solution)

    def __str__(self) -> str:
        """Return the result for people: a sentence, the values, and the routes."""
        unit = self._cost_unit
        lines = [self.headline]
        if self.objective is not None:
            lines.append(f"  objective    {unit.cost_text(self.objective)}")
        if self.lower_bound is not None:
            lines.append(f"  lower bound  {with_unit(self.bound_text, unit.name)}")
        if self.gap is not None:
            lines.append(f"  gap          {gap_text(self.gap)}")
        lines.append(f"  conventions  {self.conventions.text}")
        lines.append(f"  time         {_seconds_text(self.seconds)}")
        if self.routes:
            lines.append(f"  routes       {len(self.routes)}")
        for route in self.routes[:_ROUTES_SHOWN]:
            stops = "-".join(map(str, route.customers))
            kind = f"{route.vehicle}: " if self._has_kinds else ""
            lines.append(f"    {kind}{stops}  cost {unit.cost_text(route.cost)}")
        if len(self.routes) > _ROUTES_SHOWN:
            lines.append(f"    and {len(self.routes) - _ROUTES_SHOWN} more")
        if self.left_out:
            lines.append(f"  left out     {len(self.left_out)}")
        for order in self.left_out[:_ROUTES_SHOWN]:
            why = f": {order.reason}" if order.reason else ""
            lines.append(f"    {order.customer}{why}")
        return "\n".join(lines)

    @property
    def _has_kinds(self) -> bool:
        return self.instance is not None and self.instance.has_kinds

    @property
    def bound_text(self) -> str:
        """The lower bound for people; one that is reached reads like the objective."""
        if self.lower_bound is None:
            return "none"
        return self._cost_unit.bound_number(self.lower_bound, self.objective)


_STOPPED: dict[Reason, str] = {
    "proven": "ended",
    "gap": "the gap that was asked for is reached",
    "time_limit": "stopped by the time limit",
    "node_limit": "stopped by the limit on nodes",
    "memory_limit": "stopped for want of memory",
    "interrupted": "interrupted",
    "undecided": "stopped by a loading query beyond the memory of the check",
    "precision": "stopped where a bound and a cost differ by less than numbers can tell apart",
    "lp_failure": "stopped by the LP solver, which failed in every way it was asked",
}


def _seconds_text(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.1f} s"
