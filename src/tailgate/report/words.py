"""Words that pictures, sheets, reports and notebooks share."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.model.cost_unit import CostUnit
from tailgate.model.rounding import gap_text
from tailgate.model.solution import Solution

VERIFIED = "verified"
NOT_VERIFIED = "NOT VERIFIED"


def load_step_text(load_step: int) -> str:
    """Return the mark of a loading step; its letter keeps it apart from the number of a stop."""
    return f"L{load_step}"


def share_text(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f} %"


def titled(title: str, unit: str) -> str:
    """Return the head of a column whose numbers have a unit."""
    return f"{title}, {unit}" if unit else title


def solution_values(solution: Solution, unit: CostUnit) -> Iterator[tuple[str, str]]:
    """Yield what the solution states; a bound that is reached reads like the cost."""
    objective, bound = solution.objective, solution.lower_bound
    if objective is not None:
        yield "Cost", unit.cost_text(objective)
    if bound is not None:
        yield "Lower bound", unit.bound_text(bound, objective)
    if solution.gap is not None:
        yield "Gap", gap_text(solution.gap)
