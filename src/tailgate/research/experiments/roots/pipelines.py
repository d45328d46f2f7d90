"""``root-cg``: the paper's comparison of pipelines on root relaxations, and ours."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_boxes
from tailgate.research.experiments.instances import PAPER_ROOTS, Series
from tailgate.research.experiments.intervals import median_interval, sum_of_medians
from tailgate.research.experiments.roots.measurement import measure
from tailgate.research.experiments.roots.reference import (
    Comparison,
    read_paper_figures,
    wrong_values,
)
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table, by_class, grouped, number_text
from tailgate.solver.workers import Task

SCREENS = ("exact", "neural", "lazy")
TIME_LIMIT, QUICK_TIME_LIMIT = 600.0, 20.0
REPEATS, QUICK_REPEATS = 3, 2
SLOWER = 10
"""Percent: by more than that, a pipeline is worse on an instance beyond noise."""


class RootPipelines(Experiment):
    """Exact, neural and lazy screens in turns."""

    name: ClassVar[str] = "root-cg"
    title: ClassVar[str] = "Root relaxations: exact, neural and lazy"
    explanation: ClassVar[str] = (
        "Every root relaxation is solved by the three pipelines in turns, several times with "
        "different seeds, one thread each; seconds are medians over the repetitions. Gain is "
        "(T_exact - T) / T and growth (I - I_exact) / I_exact, as in the paper, each side against "
        "its own exact pipeline. The paper's seconds are of another machine (i5-10600KF, 4.1 GHz) "
        "and of other software (C++ and CPLEX)."
    )
    options: ClassVar[frozenset[str]] = frozenset(
        {"instances", "time_limit", "repeats", "screen", "lifo", "turn"}
    )
    main_table: ClassVar[str] = "totals"
    series: ClassVar[Series] = PAPER_ROOTS
    screens: ClassVar[Sequence[str]] = SCREENS
    measure: ClassVar[Callable[..., Row]] = staticmethod(measure)

    def missing(self, setting: Setting) -> list[str]:
        """Without the publication there is nothing to stand beside."""
        is_given = setting.instances or setting.quick
        return super().missing(setting) or ([] if is_given else _paper(setting)[1])

    def tasks(self, setting: Setting) -> list[Task]:
        """Repeat all instances; the pipelines take turns in being the first."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        repeats = setting.repeats or (QUICK_REPEATS if setting.quick else REPEATS)
        screens = [setting.screen] if setting.screen else self.screens
        tasks = []
        instances = [chosen.under(setting.loading_rules) for chosen in self.series.choose(setting)]
        for repeat in range(repeats):
            seed = setting.seed + repeat
            for number, chosen in enumerate(instances):
                for turn in range(len(screens)):
                    screen = screens[(number + repeat + turn) % len(screens)]
                    arguments = (chosen, screen, seed, limit, setting.commit)
                    words = (chosen.name, chosen.variant, screen, f"seed {seed}")
                    key = "/".join(word for word in words if word)
                    tasks.append(Task(key, self.measure, arguments))
        return tasks

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Put the pipelines beside each other and beside the paper's."""
        paper, _ = _paper(setting)
        found = {row["screen"] for row in rows.values()}
        screens = [screen for screen in self.screens if screen in found]
        results = [
            _Instance(name, group, paper.get(name), screens)
            for name, group in grouped(rows.values(), "instance")
        ]
        results.sort(key=lambda one: (one.packing_class, one.name))
        complete = [one for one in results if one.is_complete]
        left_out = len(results) - len(complete)
        remarks = []
        if left_out:
            remarks.append(
                f"{left_out} of {len(results)} instances did not converge with every pipeline and "
                "are in no total and no figure."
            )
        seed = setting.seed
        return Report(
            tables=[
                _totals(complete, screens, seed=seed),
                _processor(complete, screens),
                _gains(complete, seed=seed),
                _runtimes(results, screens),
                _counts(results, screens),
            ],
            figures=_figures(complete),
            remarks=remarks,
            problems=[problem for one in results for problem in wrong_values(one.rows)],
        )


def _paper(setting: Setting) -> tuple[dict[str, Comparison], list[str]]:
    if setting.published is None:
        return {}, []
    if setting.turn or setting.lifo is False:
        return {}, [
            "The paper's figures are of items as given, unloaded in order. Ours stand alone."
        ]
    try:
        return read_paper_figures(setting.published), []
    except (FileNotFoundError, ValueError):
        return {}, [
            "The paper's figures are absent: reference/ncg_paper_root_cg.csv beside the folder of "
            "the instances. Ours stand alone."
        ]


class _Instance:
    """All runs on one instance."""

    def __init__(
        self, name: str, rows: Sequence[Row], paper: Comparison | None, screens: Sequence[str]
    ) -> None:
        self.name = name
        self.rows = rows
        self.paper = paper
        self.screens = screens
        self.packing_class: int = rows[0]["packing_class"]
        self.is_complete = {row["screen"] for row in rows} >= set(screens) and all(
            row["status"] == "converged" for row in rows
        )
        """Whether every pipeline has solved it every time."""

    def values(self, screen: str, column: str) -> list[float]:
        """Return a column of one pipeline's runs."""
        return [float(row[column]) for row in self.rows if row["screen"] == screen]

    def median(self, screen: str, column: str) -> float:
        """Return the median of a column of a pipeline that was run."""
        return statistics.median(self.values(screen, column))

    def median_text(self, screen: str, column: str) -> str:
        """Return the median, or a dash where the pipeline was not run."""
        return number_text(self.median(screen, column), 0) if self.values(screen, column) else DASH

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """Every pipeline that stands beside an exact one, ours by their medians."""
        exact, *others = self.screens
        found = {
            f"ours, {screen}": Comparison(
                *(
                    self.median(pipeline, column)
                    for column in ("seconds", "iterations")
                    for pipeline in (exact, screen)
                )
            )
            for screen in others
        }
        return found if self.paper is None else {**found, "paper, neural": self.paper}


def _classes(results: Sequence[_Instance]) -> list[tuple[str, list[_Instance]]]:
    return by_class(results, lambda one: one.packing_class)


def _totals(results: Sequence[_Instance], screens: Sequence[str], *, seed: int) -> Table:
    header = (
        *("class", "instances", *(f"{screen} s" for screen in screens), f"longest {screens[0]} s"),
        *(f"{screen} checks" for screen in screens),
    )
    with_paper = any(one.paper for one in results)
    if with_paper:
        header += ("in the paper", "paper exact s", "paper neural s")
        header += (f"paper neural / ours {screens[-1]}",)
    lines = []
    for name, group in _classes(results):
        cells = [name, str(len(group))]
        for screen in screens:
            seconds = [one.values(screen, "seconds") for one in group]
            cells.append(sum_of_medians(seconds, seed=seed).text())
        cells.append(f"{max(one.median(screens[0], 'seconds') for one in group):.2f}")
        for screen in screens:
            cells.append(f"{sum(one.median(screen, 'exact_checks') for one in group):,.0f}")
        lines.append((*cells, *(_paper_totals(group, screens[-1]) if with_paper else ())))
    title = "Total seconds and loading checks"
    note = "Sums of the instances' medians. Checks are loading checks really made."
    return Table("totals", title, header, tuple(lines), note=note)


def _processor(results: Sequence[_Instance], screens: Sequence[str]) -> Table:
    header = (
        *("class", "instances"),
        *(f"{screen} {name} s" for name in ("total", "median") for screen in screens),
        *(f"{screen} over {SLOWER} % slower on" for screen in screens[1:]),
    )
    lines = []
    for name, group in _classes(results):
        seconds = [[one.median(screen, "processor_seconds") for one in group] for screen in screens]
        slower = [
            sum(b > (1 + SLOWER / 100) * a for a, b in zip(seconds[0], other, strict=True))
            for other in seconds[1:]
        ]
        lines.append(
            (
                *(name, str(len(group))),
                *(f"{sum(values):.2f}" for values in seconds),
                *(f"{statistics.median(values):.3f}" for values in seconds),
                *map(str, slower),
            )
        )
    note = "What other programs take on a busy machine is not in them."
    return Table("processor", "Seconds of the processor", header, tuple(lines), note=note)


def _paper_totals(group: Sequence[_Instance], screen: str) -> list[str]:
    compared = [(one, one.paper) for one in group if one.paper is not None]
    exact = sum(theirs.exact_seconds for _, theirs in compared)
    neural = sum(theirs.seconds for _, theirs in compared)
    ours = sum(one.median(screen, "seconds") for one, _ in compared)
    ratio = f"{neural / ours:.1f}" if compared and ours else DASH
    return [str(len(compared)), f"{exact:,.0f}", f"{neural:,.0f}", ratio]


def _runtimes(results: Sequence[_Instance], screens: Sequence[str]) -> Table:
    header = (
        *("instance", "n", "K", "LP value", *(f"{screen} s" for screen in screens)),
        *(f"{screen} gain %" for screen in screens[1:]),
        *("paper exact s", "paper neural s", "paper gain %"),
    )
    lines = []
    for one in results:
        first, paper = one.rows[0], one.paper
        lp_value = next((row["lp_value"] for row in one.rows if row["status"] == "converged"), None)
        cells = [one.name, str(first["customers"]), str(first["vehicles"])]
        cells.append(number_text(lp_value, 4))
        for screen in screens:
            values = one.values(screen, "seconds")
            cells.append(median_interval(values).text() if values else DASH)
        for screen in screens[1:]:
            gain = one.comparisons[f"ours, {screen}"].gain if one.is_complete else None
            cells.append(number_text(gain, 1))
        if paper is None:
            lines.append((*cells, *[DASH] * 3))
        else:
            theirs = f"{paper.exact_seconds:.2f}", f"{paper.seconds:.2f}", f"{paper.gain:.1f}"
            lines.append((*cells, *theirs))
    return Table("runtimes", "Seconds of every instance", header, tuple(lines))


def _counts(results: Sequence[_Instance], screens: Sequence[str]) -> Table:
    header = (
        "instance",
        *(f"{screen} {name}" for name in ("iterations", "checks") for screen in screens),
        *("neural calls", "false positive cuts", "paper exact iter.", "paper neural iter."),
    )
    columns = [(screen, name) for name in ("iterations", "exact_checks") for screen in screens]
    columns += [("neural", "network_calls"), ("neural", "false_positive_cuts")]
    lines = []
    for one in results:
        theirs = [DASH, DASH]
        if one.paper is not None:
            theirs = [f"{one.paper.exact_iterations:g}", f"{one.paper.iterations:g}"]
        lines.append((one.name, *(one.median_text(*column) for column in columns), *theirs))
    title = "Iterations and checks of every instance"
    return Table("iterations", title, header, tuple(lines))


def _gains(results: Sequence[_Instance], *, seed: int) -> Table:
    header = (
        *("class", "pipeline", "instances", "median gain %", "median saved %", "total saved %"),
        *("faster on", f"over {SLOWER} % slower on", "median growth %"),
    )
    lines = []
    for name, group in _classes(results):
        found = [one.comparisons for one in group]
        for pipeline in dict.fromkeys(pipeline for one in found for pipeline in one):
            compared = [one[pipeline] for one in found if pipeline in one]
            exact = sum(one.exact_seconds for one in compared)
            other = sum(one.seconds for one in compared)
            gain, saved, growth = (
                median_interval([getattr(one, figure) for one in compared], seed=seed).text(1)
                for figure in ("gain", "saved", "growth")
            )
            lines.append(
                (
                    *(name, pipeline, str(len(compared)), gain, saved),
                    f"{100 * (exact - other) / exact:.1f}",
                    str(sum(one.gain > 0 for one in compared)),
                    str(sum(one.saved < -SLOWER for one in compared)),
                    growth,
                )
            )
    note = (
        "Gain is T_exact / T - 1, as in the paper. Saved is 1 - T / T_exact: the share of the "
        "exact pipeline's time."
    )
    return Table("gains", "Gain over the exact pipeline", header, tuple(lines), note=note)


def _figures(results: Sequence[_Instance]) -> list[Figure]:
    if not any(one.comparisons for one in results):
        # One pipeline alone, and no paper's beside it.
        return []
    figures = []
    for name, title, value, label in (
        ("gain", "Gain over the exact pipeline, by class", "gain", "gain, %"),
        ("iteration-growth", "Growth of iterations, by class", "growth", "more iterations, %"),
    ):
        groups: dict[str, dict[str, list[float]]] = {}
        for one in results:
            group = groups.setdefault(f"class {one.packing_class}", {})
            for pipeline, compared in one.comparisons.items():
                group.setdefault(pipeline, []).append(getattr(compared, value))
        figures.append(Figure(name, title, partial(draw_boxes, groups=groups, label=label)))
    return figures
