"""Words that pictures, sheets, reports and notebooks share."""

from __future__ import annotations

from collections.abc import Iterator

from tailgate.model.rounding import bound_text, cost_text, gap_text
from tailgate.model.solution import Solution
from tailgate.model.units import with_unit

VERIFIED = "verified"
NOT_VERIFIED = "NOT VERIFIED"


def load_step_text(load_step: int) -> str:
    """Return the mark of a loading step; its letter keeps it apart from the number of a stop."""
    return f"L{load_step}"


def time_text(time: int | float) -> str:
    """Return a time in the unit of the orders; nobody drives to the thousandth of it."""
    return f"{time:.2f}".rstrip("0").rstrip(".")


def share_text(share: float) -> str:
    """Return a share in per cent."""
    return f"{100 * share:.1f} %"


def titled(title: str, unit: str) -> str:
    """Return the head of a column whose numbers have a unit."""
    return f"{title}, {unit}" if unit else title


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
