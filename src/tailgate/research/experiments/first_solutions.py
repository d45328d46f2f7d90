"""``first-solutions``: how soon the route search has a solution, and how good it is later."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import ClassVar

from tailgate.model.instance import Instance
from tailgate.model.judge import verify
from tailgate.model.solution import Solution
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import Chosen, Series, task_for_each
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table, number_text
from tailgate.solver.column import Column
from tailgate.solver.loading import LoadingOracle, planned_route
from tailgate.solver.routing import RouteSearch
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 30.0, 0.5
MARKS = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds after which the cost is shown."""
# The processor's clock is read between slices of the search; within one it is taken to have run
# evenly. Short slices would interrupt the search too often.
SLICE_SECONDS = 0.5


def measure(chosen: Chosen, seed: int, time_limit: float, commit: str) -> Row:
    """Search until the time is over, and let the judge look at the best solution."""
    instance = chosen.instance
    started = time.process_time()
    search = RouteSearch(instance, LoadingOracle(instance), seed=seed)
    steps: list[tuple[float, float]] = []
    seconds = time.process_time() - started
    while seconds < time_limit:
        seconds_before, slice_started = seconds, search.statistics["seconds"]
        search.run(time_limit=min(SLICE_SECONDS, time_limit - seconds))
        seconds = time.process_time() - started
        slice_length = search.statistics["seconds"] - slice_started
        share = (seconds - seconds_before) / slice_length if slice_length > 0 else 0.0
        for step in search.improvements[len(steps) :]:
            steps.append((seconds_before + share * (step.seconds - slice_started), step.cost))
    return {
        "instance": chosen.name,
        "customers": instance.n,
        "vehicles": instance.vehicle_count,
        "seed": seed,
        "time_limit": time_limit,
        "commit": commit,
        "status": "solved" if steps else "open",
        "steps": steps,
        "seconds": seconds,
        "iterations": int(search.statistics["iterations"]),
        "checks": int(search.statistics["checks"]),
        "pool": len(search.pool),
        "problems": _problems(instance, search.routes),
        "stopped": True,
    }


def _problems(instance: Instance, columns: Sequence[Column] | None) -> list[str]:
    """Plan every truck anew and ask the judge, who shares no code with the search."""
    if columns is None:
        return []
    routes = [column.route for column in columns]
    oracle = LoadingOracle(instance)
    solution = Solution(
        instance_name=instance.name,
        instance_sha256=instance.sha256,
        conventions=instance.conventions,
        status="feasible",
        objective=instance.costs.total(routes),
        lower_bound=None,
        gap=None,
        routes=tuple(
            planned_route(instance, route, oracle.check(route).placements or ()) for route in routes
        ),
        solver={},
    )
    return [str(violation) for violation in verify(instance, solution)]


class FirstSolutions(Experiment):
    """The route search alone."""

    name: ClassVar[str] = "first-solutions"
    title: ClassVar[str] = "First solutions of the route search"
    explanation: ClassVar[str] = (
        "The route search alone, on one core, until the time is over; the judge looks at the best "
        "solution. Seconds are those of the processor: those of the wall would count other work."
    )
    main_table: ClassVar[str] = "totals"
    series: ClassVar[Series] = Series(quick_sizes=(8,))

    def tasks(self, setting: Setting) -> list[Task]:
        """One search for each instance."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        return task_for_each(self.series, setting, measure, limit)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """List costs after a while, and seconds to the first solution."""
        del setting
        measured = list(rows.values())
        return Report(
            tables=[_totals(measured), _costs(measured)],
            rows=[row | {"steps": _text(row["steps"])} for row in measured],
            problems=[
                f"{row['instance']}: {problem}" for row in measured for problem in row["problems"]
            ],
        )


def _text(steps: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{seconds:.2f}:{cost:.10g}" for seconds, cost in steps)


def _totals(rows: Sequence[Row]) -> Table:
    first = [row["steps"][0][0] for row in rows if row["steps"]]
    seconds = median(first) if first else None, max(first, default=None)
    line = (str(len(rows)), str(len(first)), *map(number_text, seconds))
    header = ("instances", "solved", "median seconds to the first", "longest")
    return Table("totals", "Seconds to the first solution", header, (line,))


def _costs(rows: Sequence[Row]) -> Table:
    marks = [mark for mark in MARKS if any(row["time_limit"] >= mark for row in rows)]
    header = ("instance", "customers", "trucks", "first s", *(f"{mark:g} s" for mark in marks))
    header += ("at the end", "iterations", "checks", "pool")
    lines = []
    for row in rows:
        costs = [
            min((cost for when, cost in row["steps"] if when <= mark), default=None)
            for mark in (*marks, row["seconds"])
        ]
        lines.append(
            (
                *(str(row[name]) for name in ("instance", "customers", "vehicles")),
                number_text(row["steps"][0][0] if row["steps"] else None),
                *(DASH if cost is None else f"{cost:g}" for cost in costs),
                *(f"{row[name]:,}" for name in ("iterations", "checks", "pool")),
            )
        )
    return Table("costs", "Cost after seconds of one core", header, tuple(lines))
