"""A solution that consists of one route, for the judge to look at."""

from __future__ import annotations

from collections.abc import Iterable

from tailgate.model.instance import Instance
from tailgate.model.solution import Placement, Route, Solution


def solution_of_route(
    instance: Instance,
    customers: tuple[int, ...],
    cost: int | float,
    placements: Iterable[Placement] = (),
) -> Solution:
    """Return it as a file would have it: whoever is not on the route is missing."""
    stops = [instance.customer(number) for number in customers]
    weight, area = sum(stop.weight for stop in stops), sum(stop.area for stop in stops)
    return Solution(
        instance.name,
        instance.sha256,
        instance.conventions,
        "feasible",
        cost,
        lower_bound=None,
        gap=None,
        routes=(Route(customers, cost, weight, area, tuple(placements)),),
        solver={},
    )
