"""What came of solving with another fleet, and what follows from it for the other fleets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tailgate.apps.cli.fleet_variants import Counts
from tailgate.apps.wording import TERMINAL, worded
from tailgate.io.json_instance import draft_json_text, json_instance_text
from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution, Status, relative_gap
from tailgate.solver.search.solver import solve

VariantStatus = Status | Literal["refused"]
"""Refused: not even one customer alone, or the fleet itself, can be; no search was made."""


@dataclass(frozen=True, slots=True)
class VariantResult:
    """The best plan with a fleet, and the bound."""

    counts: Counts
    status: VariantStatus
    objective: int | float | None = None
    lower_bound: int | float | None = None
    explanation: str = ""
    seconds: float = 0.0
    solution: Solution | None = None

    @property
    def gap(self) -> float | None:
        """(cost - bound) / cost, or nothing where one is missing."""
        if self.objective is None or self.lower_bound is None:
            return None
        return relative_gap(self.objective, self.lower_bound)

    @property
    def has_none(self) -> bool:
        """Whether it is proven that there is no plan."""
        return self.status in ("infeasible", "refused")

    def to_dict(self, names: tuple[str, ...]) -> dict[str, object]:
        """Return the result for programs."""
        solution = self.solution
        fleet = zip(names, self.counts, strict=True)
        return {
            "vehicles": [{"name": name, "count": count} for name, count in fleet],
            "status": self.status,
            "objective": self.objective,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "trucks": None if solution is None else len(solution.routes),
            "left_out": [] if solution is None else [one.customer for one in solution.left_out],
            "explanation": self.explanation,
            "seconds": self.seconds,
        }


def variant_arguments(instance: Instance, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what `solve_variant` takes: text, which survives the way to another machine."""
    return json_instance_text(instance), instance.name, dict(options)


def solve_variant(text: str, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Solve one variant in a process of its own."""
    instance = draft_json_text(text, name, name, {}).to_instance()
    result = worded(solve(instance, **options), TERMINAL)
    solution = result.solution
    return {
        "status": result.status,
        "objective": result.objective,
        "lower_bound": result.lower_bound,
        "explanation": result.explanation,
        "seconds": result.seconds,
        "solution": None if solution is None else solution.to_dict(),
    }


def variant_result(counts: Counts, content: Mapping[str, Any]) -> VariantResult:
    """Return what `solve_variant` returned."""
    stated = content["solution"]
    solution = None if stated is None else Solution.from_dict(stated)
    return VariantResult(counts, **{**content, "solution": solution})


def refused(counts: Counts, error: InputError) -> VariantResult:
    """Return the result of a fleet with which the orders make no sense."""
    return VariantResult(counts, "refused", explanation=error.problem)


def with_conclusions(
    results: Mapping[Counts, VariantResult], orders: Mapping[Counts, Instance]
) -> dict[Counts, VariantResult]:
    """Return what each result says about the others, where vehicles may stay at the depot.

    A bound holds for every smaller fleet, and a plan is one for every larger fleet: the judge
    sees it again.
    """
    concluded = dict(results)
    for counts, result in results.items():
        if result.status == "refused":
            continue
        for other, found in results.items():
            if found.lower_bound is not None and _covers(other, counts):
                result = _with_bound(result, found.lower_bound)
            if found.solution is not None and _covers(counts, other):
                result = _with_plan(result, found.solution, orders[counts])
        concluded[counts] = result
    return concluded


def _covers(larger: Counts, smaller: Counts) -> bool:
    return larger != smaller and all(
        more >= less for more, less in zip(larger, smaller, strict=True)
    )


def _with_bound(result: VariantResult, bound: int | float) -> VariantResult:
    if result.status == "infeasible" or bound <= (result.lower_bound or 0):
        return result
    if result.objective is not None:
        bound = min(bound, result.objective)
    return _proven(replace(result, lower_bound=bound))


def _with_plan(result: VariantResult, plan: Solution, orders: Instance) -> VariantResult:
    cost = plan.objective
    is_better = cost is not None and (result.objective is None or cost < result.objective)
    if cost is None or not is_better or result.has_none:
        return result
    bound = min(result.lower_bound or 0, cost)
    gap = relative_gap(cost, bound)
    taken = replace(plan, instance_sha256=orders.sha256, status="feasible")
    taken = replace(taken, lower_bound=bound, gap=gap)
    if verify(orders, taken):
        return result
    better = replace(result, status="feasible", objective=cost, lower_bound=bound, solution=taken)
    return _proven(better)


def _proven(result: VariantResult) -> VariantResult:
    objective, bound, solution = result.objective, result.lower_bound, result.solution
    if objective is None or bound is None or solution is None:
        return result
    status: Status = "optimal" if bound >= objective else solution.status
    gap = relative_gap(objective, bound)
    stated = replace(solution, status=status, lower_bound=bound, gap=gap)
    return replace(result, status=status, solution=stated)
