"""``scaling``: how the effort of a root relaxation grows, with fitted powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import COLOURS, MARKERS, Figure
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.roots.growth import fit_power
from tailgate.research.experiments.roots.measurement import measure
from tailgate.research.experiments.roots.scaling_instances import (
    AXES,
    CLASS_AXES,
    Point,
    class_points,
    points,
)
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 120.0, 10.0
QUANTITIES = {
    "seconds": "seconds",
    "checks": "exact_checks",
    "labels": "labels",
    "columns": "columns",
    "iterations": "iterations",
}


def measure_point(point: Point, screen: str, seed: int, time_limit: float, commit: str) -> Row:
    """Solve the relaxation of one instance."""
    row = measure(point.chosen, screen, seed, time_limit, commit)
    return {**row, "axis": point.axis, "x": point.x}


class Scaling(Experiment):
    """One thing grows at a time."""

    name: ClassVar[str] = "scaling"
    title: ClassVar[str] = "How the effort grows"
    explanation: ClassVar[str] = (
        "Root relaxations of generated instances, screen `lazy`, one thread. Four series, in "
        "each of which one thing grows: the number of customers n (class 3); the number of trucks "
        "K, by trucks that are shorter and carry less; the items per customer, with the small "
        "items of class 5; and the fill of all floors, which falls with every truck that is not "
        "needed. The growth is fitted as a power of that thing, by least squares on logarithms, "
        "over the instances that converged; where some did not, the true growth is steeper."
    )

    options: ClassVar[frozenset[str]] = frozenset({"time_limit"})
    main_table: ClassVar[str] = "growth"
    screen: ClassVar[str] = "lazy"
    axes: ClassVar[Mapping[str, str]] = AXES

    def points(self, setting: Setting) -> list[Point]:
        """Return the instances, each with its place on an axis."""
        return points(setting)

    def tasks(self, setting: Setting) -> list[Task]:
        """One seed after the other, all series in each: a busy moment of the machine hits all."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        return [
            Task(
                f"{point.axis}/{point.chosen.name}/seed {setting.seed}",
                measure_point,
                (point, self.screen, setting.seed, limit, setting.commit),
            )
            for point in self.points(setting)
        ]

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Take medians and fit powers."""
        measured = list(rows.values())
        converged = [row for row in measured if row["status"] == "converged"]
        remarks = []
        if len(converged) < len(measured):
            remarks.append(
                f"{len(measured) - len(converged)} of {len(measured)} did not converge and are in "
                "no median, fit or figure."
            )
        draw = partial(_draw, rows=converged, names=self.axes)
        return Report(
            tables=[
                _fits(converged, self.axes),
                _medians(converged, self.axes, seed=setting.seed),
            ],
            figures=[Figure("growth", "Growth", draw, size=(10, 7))],
            remarks=remarks,
            facts={"screen": self.screen},
        )


class RootGrowth(Scaling):
    """The number of customers grows, in every class."""

    name: ClassVar[str] = "root-growth"
    title: ClassVar[str] = "How root relaxations grow, by class"
    explanation: ClassVar[str] = (
        "Root relaxations of generated instances, screen `exact`, one thread: three of each size "
        "and class, with customers at random, in clusters and mixed. The growth is fitted as a "
        "power of the number of customers, over the instances that converged; where some did not, "
        "the true growth is steeper."
    )
    screen: ClassVar[str] = "exact"
    axes: ClassVar[Mapping[str, str]] = CLASS_AXES

    def points(self, setting: Setting) -> list[Point]:
        """Return every size in every class."""
        return class_points(setting)


def _on_axis(rows: Sequence[Row], axis: str) -> list[Row]:
    return [row for row in rows if row["axis"] == axis]


def _fits(rows: Sequence[Row], axes: Mapping[str, str]) -> Table:
    header = ("series", "instances", *(f"exponent of {name}" for name in QUANTITIES))
    lines = []
    for axis, meaning in axes.items():
        group = _on_axis(rows, axis)
        cells = [meaning, str(len(group))]
        for column in QUANTITIES.values():
            fit = fit_power([(row["x"], row[column]) for row in group])
            cells.append(DASH if fit is None else f"{fit.exponent:.2f} ({fit.r_squared:.2f})")
        lines.append(tuple(cells))
    note = "In brackets R², the share of the variance of logarithms that the power explains."
    return Table("growth", "Fitted powers", header, tuple(lines), note=note)


def _medians(rows: Sequence[Row], axes: Mapping[str, str], *, seed: int) -> Table:
    header = ("series", "value", "instances", *QUANTITIES)
    lines = []
    for axis, meaning in axes.items():
        group = _on_axis(rows, axis)
        for low, members in _binned(group):
            cells = [meaning, low, str(len(members))]
            for name, column in QUANTITIES.items():
                interval = median_interval([row[column] for row in members], seed=seed)
                cells.append(interval.text(3 if name == "seconds" else 0))
            lines.append(tuple(cells))
    return Table("medians", "Medians", header, tuple(lines))


def _binned(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Group by the value, rounded to ten percent where it is a fill."""
    groups: dict[float, list[Row]] = {}
    for row in rows:
        x = 10 * round(row["x"] / 10) if row["axis"] == "fill" else row["x"]
        groups.setdefault(x, []).append(row)
    return [(f"{x:g}", group) for x, group in sorted(groups.items())]


def _draw(figure: Any, *, rows: Sequence[Row], names: Mapping[str, str]) -> None:
    for place, (axis, meaning) in enumerate(names.items(), start=1):
        axes = figure.add_subplot(2, 2, place)
        group = _on_axis(rows, axis)
        for number, (name, column) in enumerate(QUANTITIES.items()):
            found = [(row["x"], row[column]) for row in group if row[column] > 0]
            if not found:
                continue
            colour = COLOURS[number]
            axes.plot(*zip(*found, strict=True), MARKERS[number], color=colour, markersize=3)
            fit = fit_power(found)
            label = name
            if fit is not None:
                ends = [min(x for x, _ in found), max(x for x, _ in found)]
                line = [fit.factor * x**fit.exponent for x in ends]
                axes.plot(ends, line, color=colour, linewidth=1)
                label = f"{name}: power {fit.exponent:.1f}"
            axes.plot([], [], MARKERS[number], color=colour, label=label)
        axes.set(xscale="log", yscale="log", xlabel=meaning)
        values = [float(value) for value, _ in _binned(group)]
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.set_xticks([], minor=True)
        axes.legend(fontsize=7)
