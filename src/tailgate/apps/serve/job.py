"""One search that was asked for: what it is about, how far it is, and what it has found."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

from tailgate.model.cost_unit import CostUnit
from tailgate.model.errors import TailgateError
from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.rounding import gap_text
from tailgate.model.solution import Solution, relative_gap
from tailgate.solver.search.result import LeaveOut

JobStatus = Literal["waiting", "running", "done", "interrupted", "failed"]
"""Interrupted: the server ended before the search. Failed: the search's process broke down."""

ACTIVE: tuple[JobStatus, ...] = ("waiting", "running")

HistoryPoint = tuple[float, float, float | None]
"""Seconds, lower bound, cost of the best plan."""


class DamagedJobError(TailgateError):
    """What is stored of a job cannot be what was stored."""


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How a job is to be solved."""

    time_limit: float
    """Seconds of search, over all its runs."""
    gap: float = 0.0
    leave_out: LeaveOut | None = None
    """Whether what does not fit may be left out: as little as can be by cost, or by number."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it is stored."""

    number: int
    name: str
    created: float
    instance_text: str
    options: JobOptions
    status: JobStatus
    starts: int = 0
    """How often its process was started since somebody asked for it."""
    seconds: float = 0.0
    lower_bound: float | None = None
    objective: float | None = None
    nodes: int = 0
    doing: str = ""
    message: str = ""
    """For people: how it ended, or why it broke down."""
    result_status: str = ""
    """Of a finished search: optimal, feasible, infeasible or bound_only."""
    reason: str = ""
    solution_text: str | None = None

    @property
    def gap(self) -> float | None:
        """(cost - bound) / cost, or ``None`` without a plan or a bound."""
        if self.objective is None or self.lower_bound is None:
            return None
        if self.lower_bound == 0 and self.objective > 0:
            return None
        return relative_gap(self.objective, self.lower_bound)

    @property
    def is_active(self) -> bool:
        """Whether it runs, or will without being asked."""
        return self.status in ACTIVE

    @property
    def is_proven(self) -> bool:
        """Whether there is nothing left to search for."""
        return self.result_status in ("optimal", "infeasible")

    def solution(self, instance: Instance) -> Solution | None:
        """Return the best plan with the newest bound; the judge has just seen it."""
        if self.solution_text is None:
            return None
        solution = Solution.from_dict(json.loads(self.solution_text))
        if not self.result_status and self.lower_bound is not None and solution.objective:
            bound = min(self.lower_bound, solution.objective)
            gap = relative_gap(solution.objective, bound)
            solution = replace(solution, lower_bound=bound, gap=gap)
        violations = verify(instance, solution)
        if violations:
            raise DamagedJobError(
                f"the stored plan of run {self.number} is not valid ({violations[0]}); solve again"
            )
        return solution

    def _bound_text(self, unit: CostUnit) -> str:
        """Return the bound for people; one of zero is none, unless the plan costs nothing."""
        if self.lower_bound is None or (not self.lower_bound and self.objective != 0):
            return ""
        return unit.bound_text(self.lower_bound, self.objective)

    def to_dict(self, unit: CostUnit) -> dict[str, object]:
        """Return what the list of runs shows; ``unit`` is that of the costs."""
        shown = asdict(self)
        for hidden in ("instance_text", "solution_text", "options", "starts"):
            del shown[hidden]
        return shown | {
            "is_proven": self.is_proven,
            "time_limit": self.options.time_limit,
            "gap_limit": self.options.gap,
            "leave_out": self.options.leave_out,
            "gap": self.gap,
            "texts": {
                "lower_bound": self._bound_text(unit),
                "objective": "" if self.objective is None else unit.cost_text(self.objective),
                "gap": "" if self.gap is None else gap_text(self.gap),
            },
            "has_plan": self.solution_text is not None,
        }
