"""Cost, bound and gap of a solution in words; one source for report and notebook."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.rounding import bound_text, cost_text, gap_text
from tailgate.solution import Solution
from tailgate.units import with_unit


def solution_values(solution: Solution, distance_unit: str) -> Iterator[tuple[str, str]]:
    """Yield what the solution states; a bound that is reached reads like the cost."""
    objective, bound = solution.objective, solution.lower_bound
    if objective is not None:
        yield "Cost", with_unit(cost_text(objective), distance_unit)
    if bound is not None:
        write = cost_text if objective is not None and bound >= objective else bound_text
        yield "Lower bound", with_unit(write(bound), distance_unit)
    if solution.gap is not None:
        yield "Gap", gap_text(solution.gap)
