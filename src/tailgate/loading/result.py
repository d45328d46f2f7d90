"""What the oracle answers."""

from dataclasses import dataclass
from enum import StrEnum

from tailgate.solution import Placement


class Verdict(StrEnum):
    """The three answers; running out of time is *unknown*, never *infeasible*."""

    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LoadingResult:
    """One verdict, the stage that reached it, what it cost and, for a yes, the plan."""

    verdict: Verdict
    decided_by: str
    seconds: float
    nodes: int
    placements: tuple[Placement, ...]
