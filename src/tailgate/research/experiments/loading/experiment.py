"""``loading``: the loading check beside CP-SAT, query by query, in four variants."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_shares
from tailgate.research.experiments.instances import Chosen, Series, generated
from tailgate.research.experiments.loading.comparison import (
    Group,
    comparison,
    groups_of,
    millimetres,
    stages,
    times,
)
from tailgate.research.experiments.loading.measurement import Plan, measure
from tailgate.research.experiments.loading.random_routes import LOWEST_FILL
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import grouped
from tailgate.solver.workers import Task

TIME_LIMIT = 0.5
"""Seconds for one query."""
FILLS = (LOWEST_FILL, 0.88)
"""The lowest of each band; with turned items the hard routes are the full ones."""
ROUTES, QUICK_ROUTES = 16, 4
CP_SAT_EVERY = 2
"""CP-SAT is asked one query of so many; of a quick run, all."""
_SIZE = (11.0, 3.5)
"""Of the figure, in inches."""


class LoadingCheck(Experiment):
    """Ours and CP-SAT, items as given and turned, unloaded in order and in any."""

    name: ClassVar[str] = "loading"
    title: ClassVar[str] = "The loading check"
    explanation: ClassVar[str] = (
        "Routes at 60 to 100 % and at 88 to 100 % fill, in four variants: items as given or all of "
        "them free to be turned, unloaded in order (LIFO) or in any. Each query is put to a fresh "
        "oracle without a cache and to CP-SAT on one thread (OR-Tools, with the same time limit), "
        "in turns, one variant of one instance at a time; the routes of the first band as given "
        "also to a fresh oracle with all sizes in odd millimetres. Times are from the query to the "
        "answer in Python, for CP-SAT with the writing of its model; an undecided query counts as "
        "the limit, for both."
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
        """One task for the routes of one instance in one band."""
        limit = setting.time_limit or TIME_LIMIT
        routes = QUICK_ROUTES if setting.quick else ROUTES
        every = 0 if not _has_cp_sat() else 1 if setting.quick else CP_SAT_EVERY
        return [
            Task(
                f"{chosen.name}/from {fill:g}/{routes} routes/limit {limit:g}/seed {setting.seed}",
                measure,
                (chosen, Plan(fill, routes, every, limit, setting.seed), setting.commit),
            )
            for chosen in self._instances(setting)
            for fill in FILLS
        ]

    def _instances(self, setting: Setting) -> list[Chosen]:
        """Return the series and, beside published instances, those generated in their place."""
        chosen = self.series.choose(setting)
        if setting.published is None or setting.instances:
            return chosen
        return chosen + generated(self.series.sizes, self.series.classes, seed=setting.seed)

    def line(self, row: Row) -> str:
        """Say how many were undecided."""
        undecided = sum(len(said.get("undecided", ())) for said in row["variants"].values())
        asked = sum(len(said["ours"].split()) for said in row["variants"].values())
        return (
            f"{row['instance']} from {100 * row['lowest_fill']:.0f} %: {asked} queries, "
            f"{undecided} undecided"
        )

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare the times, and list answers that contradict each other."""
        limit = setting.time_limit or TIME_LIMIT
        tables = []
        sources = grouped(rows.values(), "source")
        for number, (source, of_source) in enumerate(sources):
            groups = groups_of(of_source)
            suffix = f"-{source}" if number else ""
            tables.append(comparison(groups, limit, source, name=f"cp-sat{suffix}"))
            tables.append(times(groups, limit, source, name=f"times{suffix}", seed=setting.seed))
        every = groups_of(list(rows.values()))
        return Report(
            tables=[*tables, millimetres(every, limit), stages(every)],
            figures=[
                Figure("decided", "Decided within a time", partial(_draw, groups=every), _SIZE)
            ],
            rows=[line for row in rows.values() for line in _flat(row)],
            problems=[
                f"{row['instance']} {problem}"
                for row in rows.values()
                for problem in row["problems"]
            ],
            facts={"seconds_per_query": limit},
        )


def _has_cp_sat() -> bool:
    return importlib.util.find_spec("ortools") is not None


def _flat(row: Row) -> list[Row]:
    """Return the lines of the CSV file: one for each variant."""
    common = ("instance", "source", "packing_class", "lowest_fill", "commit")
    return [
        {
            **{name: row[name] for name in common},
            "variant": variant,
            "queries": len(said["ours"].split()),
            "undecided": " ".join(said.get("undecided", ())),
        }
        for variant, said in row["variants"].items()
    ]


def _draw(figure: Any, *, groups: Sequence[Group]) -> None:
    """Draw axes for each variant: the routes of the first band, of all classes."""
    fill, of_all = groups[0].cells[0], groups[-1].cells[2]
    shown = [group for group in groups if (group.cells[0], group.cells[2]) == (fill, of_all)]
    for place, group in enumerate(shown, start=1):
        ours, theirs = group.both
        answers = {"ours": ours or group.ours, "CP-SAT": theirs}
        series = {
            who: [one.milliseconds for one in said if not one.is_undecided]
            for who, said in answers.items()
        }
        axes = figure.add_subplot(1, len(shown), place)
        axes.set_title(group.cells[1])
        totals = {who: len(said) for who, said in answers.items()}
        draw_shares(axes, series, totals, label="milliseconds")
