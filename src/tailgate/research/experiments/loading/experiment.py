"""``loading``: the loading check beside CP-SAT, query by query."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_shares
from tailgate.research.experiments.instances import Chosen, Series, generated
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.loading.measurement import measure
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, DASH, Table
from tailgate.solver.workers import Task

TIME_LIMIT = 0.5
"""Seconds for one query."""
ROUTES, QUICK_ROUTES = 40, 6
CP_SAT_EVERY = 4
"""CP-SAT is asked one query of so many; of a quick run, all."""
OURS, MILLIMETRES, CP_SAT = ASKED = ("ours", "millimetres", "cp_sat")
Group = tuple[str, int, list[Row]]
"""A source, a packing class, and the answers there."""


class LoadingCheck(Experiment):
    """Ours, ours in millimetres, and CP-SAT."""

    name: ClassVar[str] = "loading"
    title: ClassVar[str] = "The loading check"
    explanation: ClassVar[str] = (
        "Routes at 60 to 100 % fill. Each query is put to a fresh oracle without a cache, to "
        "CP-SAT on one thread (OR-Tools, with the same time limit), and again to a fresh oracle "
        "with all sizes in odd millimetres, the three in turns, one instance at a time. Times are "
        "from the query to the answer in Python, for CP-SAT with the writing of its model; an "
        "undecided query counts as the limit."
    )
    main_table: ClassVar[str] = "cp-sat"
    series: ClassVar[Series] = Series(
        numbers=range(1, 25), classes=(2, 3, 4, 5), sizes=(20, 30, 40), quick_sizes=(15,)
    )

    def missing(self, setting: Setting) -> list[str]:
        """CP-SAT is optional, and so are the published instances."""
        remarks = super().missing(setting)
        if not _has_cp_sat():
            remarks.append(
                "OR-Tools is not installed: CP-SAT is not asked. To have it: "
                "pip install 'tailgate[compare]'"
            )
        return remarks

    def tasks(self, setting: Setting) -> list[Task]:
        """One task for the routes of one instance."""
        limit = setting.time_limit or TIME_LIMIT
        routes = QUICK_ROUTES if setting.quick else ROUTES
        every = 0 if not _has_cp_sat() else 1 if setting.quick else CP_SAT_EVERY
        return [
            Task(
                f"{chosen.name}/{routes} routes/limit {limit:g}/seed {setting.seed}",
                measure,
                (chosen, routes, every, limit, setting.seed, setting.commit),
            )
            for chosen in self._instances(setting)
        ]

    def _instances(self, setting: Setting) -> list[Chosen]:
        """Return the series and, beside published instances, those generated in their place."""
        chosen = self.series.choose(setting)
        if setting.published is None or setting.instances:
            return chosen
        return chosen + generated(self.series.sizes, self.series.classes, seed=setting.seed)

    def line(self, row: Row) -> str:
        """Say how many were asked."""
        return f"{row['instance']}: {len(row['answers'])} queries"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare the times, and list answers that contradict each other."""
        common = ("instance", "source", "packing_class", "commit")
        answers = [
            {**{name: row[name] for name in common}, **answer}
            for row in rows.values()
            for answer in row["answers"]
        ]
        limit = setting.time_limit or TIME_LIMIT
        groups = _groups(answers)
        draw = partial(_draw, answers=answers)
        return Report(
            tables=[
                _times(groups, limit, seed=setting.seed),
                _comparison(groups, limit),
                _stages(groups),
            ],
            figures=[Figure("decided", "Decided within a time", draw, size=(11, 3.5))],
            rows=[_flat(answer) for answer in answers],
            problems=[
                f"{answer['instance']} {answer['route']}: two answers contradict each other"
                for answer in answers
                if len({answer[who]["verdict"] for who in _asked(answer)} - {"unknown"}) > 1
            ],
            facts={"seconds_per_query": limit},
        )


def _has_cp_sat() -> bool:
    return importlib.util.find_spec("ortools") is not None


def _asked(answer: Row) -> list[str]:
    return [who for who in ASKED if answer[who] is not None]


def _flat(answer: Row) -> Row:
    """Return a line of the CSV file: what one of them said is named after it."""
    line = {name: value for name, value in answer.items() if name not in ASKED}
    for who in _asked(answer):
        line |= {f"{who}_{name}": value for name, value in answer[who].items()}
    return line


def _groups(answers: Sequence[Row]) -> list[Group]:
    """Return a group for each source and class; where there are several sources, all come last."""
    keys = dict.fromkeys((answer["source"], answer["packing_class"]) for answer in answers)
    if len({source for source, _ in keys}) > 1:
        keys |= dict.fromkeys((ALL, number) for _, number in keys)
    return [
        (
            source,
            number,
            [
                answer
                for answer in answers
                if answer["packing_class"] == number and source in (answer["source"], ALL)
            ],
        )
        for source, number in keys
    ]


def _milliseconds(said: Row) -> float:
    """Return the time from the query to the answer; CP-SAT has to write its model first."""
    if "call_seconds" in said:
        return float(1e3 * said["call_seconds"])
    return float(1e3 * (said["writing_seconds"] + said["seconds"]))


def _counted(answers: Sequence[Row], who: str, limit: float) -> NDArray[np.float64]:
    """Return the milliseconds of all answers; an undecided one counts as the limit."""
    said = [answer[who] for answer in answers]
    return np.array(
        [1e3 * limit if one["verdict"] == "unknown" else _milliseconds(one) for one in said]
    )


def _percent(answers: Sequence[Row], who: str, verdict: str) -> float:
    count = sum(bool(answer[who]["verdict"] == verdict) for answer in answers)
    return 100 * count / len(answers)


def _times(groups: Sequence[Group], limit: float, *, seed: int) -> Table:
    header = (
        *("source", "class", "routes", "feasible %", "median ms", "mean ms", "p90 ms", "p99 ms"),
        *("undecided %", "mean ms in millimetres"),
    )
    lines = []
    for source, number, answers in groups:
        times = _counted(answers, OURS, limit)
        tails = (times.mean(), *np.percentile(times, [90, 99]))
        lines.append(
            (
                *(source, str(number), str(len(answers))),
                f"{_percent(answers, OURS, 'feasible'):.0f}",
                median_interval(times.tolist(), seed=seed).text(3),
                *(f"{value:.2f}" for value in tails),
                f"{_percent(answers, OURS, 'unknown'):.2f}",
                f"{_counted(answers, MILLIMETRES, limit).mean():,.2f}",
            )
        )
    return Table("times", "Ours", header, tuple(lines))


def _comparison(groups: Sequence[Group], limit: float) -> Table:
    header = (
        *("source", "class", "routes asked of both", "ours median ms", "CP-SAT median ms"),
        *("ours mean ms", "CP-SAT mean ms", "ours undecided %", "CP-SAT undecided %"),
        *("medians, times faster", "means, times faster"),
    )
    lines = []
    for source, number, answers in groups:
        both = [answer for answer in answers if answer[CP_SAT] is not None]
        cells = [DASH] * 8
        if both:
            times = [_counted(both, who, limit) for who in (OURS, CP_SAT)]
            medians, means = ([figure(one) for one in times] for figure in (np.median, np.mean))
            cells = [f"{value:.3f}" for value in (*medians, *means)]
            cells += [f"{_percent(both, who, 'unknown'):.2f}" for who in (OURS, CP_SAT)]
            cells += [f"{medians[1] / medians[0]:,.0f}", f"{means[1] / means[0]:,.1f}"]
        lines.append((source, str(number), str(len(both)), *cells))
    return Table("cp-sat", "Ours beside CP-SAT", header, tuple(lines))


def _stages(groups: Sequence[Group]) -> Table:
    counts = [Counter(answer[OURS]["decided_by"] for answer in group) for *_, group in groups]
    names = list(dict.fromkeys(name for count in counts for name, _ in count.most_common()))
    lines = tuple(
        (
            *(source, str(number)),
            *(f"{100 * count[name] / len(answers):.1f}" for name in names),
        )
        for (source, number, answers), count in zip(groups, counts, strict=True)
    )
    return Table("stages", "What decides, in percent", ("source", "class", *names), lines)


def _draw(figure: Any, *, answers: Sequence[Row]) -> None:
    answers = [one for one in answers if one[CP_SAT] is not None] or answers
    classes = sorted({answer["packing_class"] for answer in answers})
    for place, number in enumerate(classes, start=1):
        group = [answer for answer in answers if answer["packing_class"] == number]
        series = {
            label: [
                _milliseconds(answer[who])
                for answer in group
                if who in _asked(answer) and answer[who]["verdict"] != "unknown"
            ]
            for label, who in (("ours", OURS), ("CP-SAT", CP_SAT))
        }
        axes = figure.add_subplot(1, len(classes), place)
        axes.set_title(f"class {number}")
        draw_shares(axes, series, dict.fromkeys(series, len(group)), label="milliseconds")
