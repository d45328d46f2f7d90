"""``loading-labels``: the loading check against verdicts that others have proven."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.loading.answers import (
    answer_of,
    answers_of,
    counted,
    text_of,
)
from tailgate.research.experiments.loading.labels import (
    LabelSet,
    count_labels,
    label_sets,
    read_labels,
)
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import Table, grouped
from tailgate.solver.loading import LoadingOracle
from tailgate.solver.workers import Task

TIME_LIMIT = 10.0
PART = 500
"""Labels of one task."""
ABSENT = (
    "There are no labels: packing_labels/class*.csv and reference/packing_verdicts*.csv belong "
    "beside the folder of the published instances. Nothing was compared."
)


def measure(
    benchmark: Path, labels: LabelSet, start: int, time_limit: float, seed: int, commit: str
) -> Row:
    """Ask about some labels of a set, each a fresh oracle without a cache."""
    answers = []
    wrong, unknown = [], []
    for label in read_labels(benchmark, labels, slice(start, start + PART)):
        oracle = LoadingOracle(label.instance, use_cache=False)
        started = time.perf_counter()
        result = oracle.check(label.route, time_limit=time_limit)
        answer = answer_of(result.verdict.value, time.perf_counter() - started)
        answers.append(answer)
        if answer.is_undecided:
            unknown.append(label.name)
        elif (answer.verdict == "feasible") != label.is_feasible:
            wrong.append(f"{label.name}: {answer.verdict}")
    return {
        "labels": labels.name,
        "start": start,
        "time_limit": time_limit,
        "seed": seed,
        "commit": commit,
        "answers": text_of(answers),
        "wrong": wrong,
        "unknown": unknown,
        "stopped": bool(unknown),
    }


class LoadingLabels(Experiment):
    """Agreement with every file of labels, and the times."""

    name: ClassVar[str] = "loading-labels"
    title: ClassVar[str] = "The loading check against proven verdicts"
    explanation: ClassVar[str] = (
        "Loading queries whose verdicts were proven by other programs, each put to a fresh oracle "
        "without a cache. Milliseconds are from the query to the answer in Python; an undecided "
        "query counts as the limit."
    )
    options: ClassVar[frozenset[str]] = frozenset({"time_limit"})
    main_table: ClassVar[str] = "labels"

    def missing(self, setting: Setting) -> list[str]:
        """Without files of labels there is nothing to compare with."""
        return [] if _sets(setting) else [ABSENT]

    def tasks(self, setting: Setting) -> list[Task]:
        """Some hundred labels each; of a quick run, there are none."""
        limit = setting.time_limit or TIME_LIMIT
        tasks = []
        for labels in _sets(setting):
            assert setting.published is not None
            for start in range(0, count_labels(setting.published, labels), PART):
                key = f"{labels.name}/from {start}"
                arguments = (setting.published, labels, start, limit, setting.seed, setting.commit)
                tasks.append(Task(key, measure, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say what is not as it should be."""
        return (
            f"{row['labels']} from {row['start']}: {len(row['wrong'])} wrong, "
            f"{len(row['unknown'])} undecided"
        )

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Count by file."""
        limit = setting.time_limit or TIME_LIMIT
        return Report(
            tables=[_table(list(rows.values()), limit)],
            rows=[
                {**row, "wrong": "; ".join(row["wrong"]), "unknown": "; ".join(row["unknown"])}
                for row in (
                    {**row, "answers": len(row["answers"].split())} for row in rows.values()
                )
            ],
            problems=[
                f"{row['labels']}, {problem}" for row in rows.values() for problem in row["wrong"]
            ],
        )


def _sets(setting: Setting) -> list[LabelSet]:
    return [] if setting.published is None else label_sets(setting.published)


def _table(rows: Sequence[Row], limit: float) -> Table:
    header = (
        *("labels", "queries", "agree", "disagree", "undecided"),
        *("median ms", "mean ms", "p99 ms", "longest s"),
    )
    lines = []
    for name, group in grouped(rows, "labels"):
        answers = [answer for row in group for answer in answers_of(row["answers"])]
        wrong, unknown = (sum(len(row[word]) for row in group) for word in ("wrong", "unknown"))
        milliseconds = counted(answers, limit)
        lines.append(
            (
                *(name, str(len(answers)), str(len(answers) - wrong - unknown)),
                *(str(wrong), str(unknown)),
                f"{np.median(milliseconds):.3f}",
                f"{milliseconds.mean():.3f}",
                f"{np.percentile(milliseconds, 99):.2f}",
                f"{milliseconds.max() / 1e3:.2f}",
            )
        )
    return Table("labels", "Agreement by file", header, tuple(lines))
