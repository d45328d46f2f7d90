"""The solutions that Zhang et al. (2022) have published, to stand beside ours."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tailgate.model.errors import InputError
from tailgate.model.instance import Instance
from tailgate.solver.loading import LoadingOracle, Verdict

REFERENCE_FILE = Path("reference", "zhang2022_vrptw_khebbache.csv")
COLUMNS = ("instance", "method", "objective", "routes")
EXACT, APPROXIMATE = "BP-ED", "BP-AD"
METHODS = (EXACT, APPROXIMATE)
"""Their branch-and-price with exact checks of loading, and with the network alone."""

_COST_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class PublishedPlan:
    """What one method has found for one instance."""

    method: str
    objective: float
    routes: tuple[tuple[int, ...], ...]


def read_published_plans(benchmark: Path) -> dict[str, list[PublishedPlan]]:
    """Read the plans from beside the benchmark's folder, by instance; none if they are absent."""
    path = benchmark.parent / REFERENCE_FILE
    if not path.is_file():
        return {}
    plans: dict[str, list[PublishedPlan]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                name, method, objective, routes = (row[column] for column in COLUMNS)
                plan = PublishedPlan(method, float(objective), _routes(routes))
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    f"must have the columns {', '.join(COLUMNS)}, and routes such as 3-7 12",
                    source=str(path),
                    line=number,
                ) from error
            plans.setdefault(name, []).append(plan)
    return plans


def _routes(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(number) for number in word.split("-")) for word in text.split())


def problem_of(plan: PublishedPlan, instance: Instance, *, time_limit: float) -> str:
    """Return what is wrong with a published plan, or nothing; a loading may stay undecided."""
    customers = sorted(number for route in plan.routes for number in route)
    if customers != list(range(1, instance.n + 1)):
        return "does not serve every customer once"
    late = [route for route in plan.routes if not instance.is_allowed(route)]
    if late:
        return f"{_text(late[0])} is late"
    cost = instance.costs.total(plan.routes)
    if abs(cost - plan.objective) > _COST_TOLERANCE:
        return f"costs {cost:g}"
    oracle = LoadingOracle(instance)
    undecided = ""
    for route in plan.routes:
        verdict = oracle.check(route, time_limit=time_limit).verdict
        if verdict is Verdict.INFEASIBLE:
            return f"{_text(route)} cannot be loaded"
        if verdict is Verdict.UNKNOWN:
            undecided = f"{_text(route)} is undecided"
    return undecided


def _text(route: Sequence[int]) -> str:
    return "-".join(map(str, route))
