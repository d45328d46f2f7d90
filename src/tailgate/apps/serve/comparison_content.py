"""Runs side by side, for the page: the same comparison as that of ``tailgate compare``."""

from __future__ import annotations

from collections.abc import Sequence

from tailgate.apps.serve.documents import instance_of
from tailgate.apps.serve.job import Job
from tailgate.model.solution import Solution
from tailgate.report.comparison import Comparison
from tailgate.report.plan_figures import PlanFigures


def comparison_content(jobs: Sequence[Job]) -> dict[str, object]:
    """Return what differs between the plans; runs without a plan have none of it."""
    comparison = Comparison(tuple(map(_figures, jobs)))
    return {
        "rows": [
            {"name": row.name, "texts": row.texts, "differs": row.differs}
            for row in comparison.figures
        ],
        "changes": [
            {
                "title": f"{change.after.title} beside {change.before.title}",
                "texts": change.sentences,
            }
            for change in comparison.changes
        ],
    }


def _figures(job: Job) -> PlanFigures:
    instance = instance_of(job)
    solution = job.solution(instance)
    if solution is None:
        solution = Solution(
            instance_name=instance.name,
            instance_sha256=instance.sha256,
            conventions=instance.conventions,
            status="bound_only",
            objective=None,
            lower_bound=None,
            gap=None,
            routes=(),
            units=instance.units,
        )
    return PlanFigures(f"Run {job.number}", solution, instance)
