"""The tables of ``loading``: ours and CP-SAT by fill, variant and packing class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.loading.answers import Answer, answers_of, counted, percent
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, DASH, Table
from tailgate.research.experiments.variants import VARIANTS

_FIGURES = ("median ms", "mean ms", "p99 ms", "undecided %")
_GROUP = ("fill %", "variant", "class")


@dataclass(frozen=True, slots=True)
class Group:
    """All answers about one variant at one fill, of one packing class or of all."""

    cells: tuple[str, str, str]
    """Fill, variant and class."""
    rows: Sequence[Row]
    """What was said of each instance."""

    @property
    def ours(self) -> list[Answer]:
        """What our oracle answered."""
        return [one for row in self.rows for one in answers_of(row["ours"])]

    @property
    def both(self) -> tuple[list[Answer], list[Answer]]:
        """What ours and CP-SAT answered to the same queries."""
        ours: list[Answer] = []
        theirs: list[Answer] = []
        for row in self.rows:
            theirs += answers_of(row.get("cp_sat", ""))
            if row.get("cp_sat"):
                ours += answers_of(row["ours"])[:: row["cp_sat_every"]]
        return ours, theirs


def groups_of(rows: Sequence[Row]) -> list[Group]:
    """Return a group by fill, variant and class, and one of all classes where there are several."""
    return list(_groups(rows))


def _groups(rows: Sequence[Row]) -> Iterator[Group]:
    classes = sorted({row["packing_class"] for row in rows})
    for fill in sorted({row["lowest_fill"] for row in rows}):
        fill_cell = f"{100 * fill:.0f}-100"
        of_fill = [row for row in rows if row["lowest_fill"] == fill]
        for variant in VARIANTS:
            for number in (*classes, ALL) if len(classes) > 1 else classes:
                said = [
                    {**row["variants"][variant.name], "cp_sat_every": row["cp_sat_every"]}
                    for row in of_fill
                    if number in (row["packing_class"], ALL)
                ]
                group = Group((fill_cell, variant.name, str(number)), said)
                if group.ours:
                    yield group


def comparison(groups: Sequence[Group], limit: float, source: str, *, name: str) -> Table:
    """Return both beside each other, on the routes that both were asked about."""
    header = (
        *(*_GROUP, "routes asked of both"),
        *(f"{who} {what}" for who in ("ours", "CP-SAT") for what in _FIGURES),
        *("medians, times faster", "means, times faster"),
    )
    lines = []
    for group in groups:
        ours, theirs = group.both
        cells = [DASH] * (2 * len(_FIGURES) + 2)
        if ours:
            times = [counted(answers, limit) for answers in (ours, theirs)]
            medians, means = ([figure(one) for one in times] for figure in (np.median, np.mean))
            cells = [
                *_figures(ours, limit),
                *_figures(theirs, limit),
                f"{medians[1] / medians[0]:,.0f}",
                f"{means[1] / means[0]:,.1f}",
            ]
        lines.append((*group.cells, str(len(ours)), *cells))
    title = f"Ours beside CP-SAT, {source} instances"
    return Table(name, title, header, tuple(lines))


def _figures(answers: Sequence[Answer], limit: float) -> tuple[str, ...]:
    times = counted(answers, limit)
    return (
        f"{np.median(times):.3f}",
        f"{times.mean():.3f}",
        f"{np.percentile(times, 99):.2f}",
        f"{percent(answers, 'unknown'):.2f}",
    )


def times(groups: Sequence[Group], limit: float, source: str, *, name: str, seed: int) -> Table:
    """Return ours on all routes."""
    header = (*_GROUP, "routes", "feasible %", "median ms", *_FIGURES[1:])
    lines = []
    for group in groups:
        ours = group.ours
        lines.append(
            (
                *(*group.cells, str(len(ours)), f"{percent(ours, 'feasible'):.0f}"),
                median_interval(counted(ours, limit).tolist(), seed=seed).text(3),
                *_figures(ours, limit)[1:],
            )
        )
    return Table(name, f"Ours, {source} instances", header, tuple(lines))


def millimetres(groups: Sequence[Group], limit: float) -> Table:
    """Return ours on the same routes in odd millimetres, where that was asked."""
    header = (*_GROUP, "routes", "median ms", "mean ms", "in millimetres median ms", "mean in mm")
    lines = []
    for group in groups:
        said = [one for row in group.rows for one in answers_of(row.get("millimetres", ""))]
        if said:
            units, blown_up = (counted(answers, limit) for answers in (group.ours, said))
            figures = (figure(one) for one in (units, blown_up) for figure in (np.median, np.mean))
            lines.append((*group.cells, str(len(said)), *(f"{value:.3f}" for value in figures)))
    return Table("millimetres", "The same in odd millimetres", header, tuple(lines))


def stages(groups: Sequence[Group]) -> Table:
    """Return what has decided, in percent of the routes."""
    counts: list[Counter[str]] = [
        sum((Counter(row["decided_by"]) for row in group.rows), Counter()) for group in groups
    ]
    names = list(dict.fromkeys(name for count in counts for name, _ in count.most_common()))
    lines = tuple(
        (*group.cells, *(f"{100 * count[name] / count.total():.1f}" for name in names))
        for group, count in zip(groups, counts, strict=True)
    )
    return Table("stages", "What decides, in percent", (*_GROUP, *names), lines)
