"""``sawn-floors``: the loading check on floors in millimetres that are full to the last one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.loading.answers import (
    answer_of,
    answers_of,
    counted,
    percent,
    text_of,
)
from tailgate.research.experiments.loading.sawn import TRAILER, sawn_floor
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, Table, grouped
from tailgate.research.experiments.variants import VARIANTS, Variant
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 10.0, 1.0
FLOORS, QUICK_FLOORS = 1000, 8
PART = 25
"""Floors of one task, at most."""


def measure(variant: Variant, floors: range, time_limit: float, commit: str) -> Row:
    """Ask about some floors, each a fresh oracle without a cache."""
    answers, unknown, problems = [], [], []
    for number in floors:
        floor = sawn_floor(number, variant)
        oracle = LoadingOracle(floor.instance, use_cache=False)
        started = time.perf_counter()
        result = oracle.check(range(1, floor.instance.n + 1), time_limit=time_limit)
        answer = answer_of(result.verdict.value, time.perf_counter() - started)
        answers.append(answer)
        if answer.is_undecided:
            unknown.append(f"{number}: {result.decided_by}")
            if result.decided_by != "limit":
                problems.append(f"floor {number} is unknown without a limit: {result.decided_by}")
        elif answer.verdict == "infeasible" and floor.is_loadable:
            problems.append(f"floor {number} can be loaded as it was sawn, and is refused")
    return {
        "variant": variant.name,
        "first": floors.start,
        "time_limit": time_limit,
        "commit": commit,
        "answers": text_of(answers),
        "unknown": unknown,
        "problems": problems,
        "stopped": bool(unknown),
    }


class SawnFloors(Experiment):
    """A thousand floors of a trailer in millimetres, the four variants in turns."""

    name: ClassVar[str] = "sawn-floors"
    title: ClassVar[str] = "Floors sawn in millimetres"
    explanation: ClassVar[str] = (
        f"Floors of {TRAILER[0]:,} x {TRAILER[1]:,} mm, each sawn into 13 to 18 rectangles, a "
        "quarter of each variant: full to the last square millimetre, in sizes without a common "
        "divisor. In any order all can be loaded; in order (LIFO) every second one is visited in "
        "the order in which it was sawn, and of the others nobody knows. Each is put to a fresh "
        "oracle without a cache; an undecided query counts as the limit."
    )
    options: ClassVar[frozenset[str]] = frozenset({"time_limit"})
    main_table: ClassVar[str] = "floors"

    def tasks(self, setting: Setting) -> list[Task]:
        """Some floors of one variant each."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        each = (QUICK_FLOORS if setting.quick else FLOORS) // len(VARIANTS)
        tasks = []
        for start in range(0, each, PART):
            floors = range(setting.seed + start, setting.seed + min(start + PART, each))
            for variant in VARIANTS:
                key = f"{variant.name}/{floors.start} to {floors.stop - 1}"
                tasks.append(Task(key, measure, (variant, floors, limit, setting.commit)))
        return tasks

    def line(self, row: Row) -> str:
        """Say how many are open."""
        return f"{row['variant']} from {row['first']}: {len(row['unknown'])} undecided"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Count by variant."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        return Report(
            tables=[_table(list(rows.values()), limit)],
            rows=[
                {
                    **{name: row[name] for name in ("variant", "first", "time_limit", "commit")},
                    "floors": len(row["answers"].split()),
                    "unknown": "; ".join(row["unknown"]),
                }
                for row in rows.values()
            ],
            problems=[
                f"{row['variant']}: {problem}"
                for row in rows.values()
                for problem in row["problems"]
            ],
        )


def _table(rows: Sequence[Row], limit: float) -> Table:
    header = (
        *("variant", "floors", "feasible %", "infeasible %", "undecided %"),
        *("unknown without a limit", "median ms", "mean ms", "p99 ms"),
    )
    lines = []
    for name, group in (*grouped(rows, "variant"), (ALL, list(rows))):
        answers = [answer for row in group for answer in answers_of(row["answers"])]
        milliseconds = counted(answers, limit)
        unlimited = sum(not said.endswith(": limit") for row in group for said in row["unknown"])
        lines.append(
            (
                *(name, str(len(answers))),
                *(f"{percent(answers, one):.1f}" for one in ("feasible", "infeasible", "unknown")),
                str(unlimited),
                f"{np.median(milliseconds):.3f}",
                f"{milliseconds.mean():.2f}",
                f"{np.percentile(milliseconds, 99):.1f}",
            )
        )
    return Table("floors", "Verdicts by variant", header, tuple(lines))
