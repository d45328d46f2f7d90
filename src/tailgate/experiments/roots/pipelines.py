"""``root-cg``: the paper's comparison of pipelines on root relaxations, and ours."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, ClassVar

from tailgate.experiments.experiment import Experiment, Report, Setting
from tailgate.experiments.figures import Figure, draw_boxes
from tailgate.experiments.instances import ABSENT, PAPER_ROOTS, Chosen, Series
from tailgate.experiments.intervals import median_interval, sum_of_medians
from tailgate.experiments.roots.measurement import measure_root
from tailgate.experiments.roots.reference import (
    KNOWN_LP_VALUES,
    Comparison,
    PaperFigures,
    read_paper_figures,
)
from tailgate.experiments.row_store import Row
from tailgate.experiments.tables import ABSENT as DASH
from tailgate.experiments.tables import Table, by_class, number_text
from tailgate.work import Task

SCREENS = ("exact", "neural", "lazy")
TIME_LIMIT, QUICK_TIME_LIMIT = 600.0, 20.0
REPEATS, QUICK_REPEATS = 3, 2
LP_TOLERANCE = 1e-6
SLOWER = 10
"""Percent: by more than that, a pipeline is worse on an instance beyond noise."""


def measure(chosen: Chosen, screen: str, seed: int, time_limit: float, commit: str) -> Row:
    """Solve one relaxation by one pipeline."""
    started = time.process_time()
    measurement, result = measure_root(
        chosen.instance,
        name=chosen.name,
        source=chosen.source,
        packing_class=chosen.packing_class,
        screen=screen,
        seed=seed,
        time_limit=time_limit,
        commit=commit,
    )
    return {
        **asdict(measurement),
        "processor_seconds": time.process_time() - started,
        "network_calls": result.network_calls,
        "false_positive_cuts": result.false_positive_cuts,
        "stopped": result.status == "time_limit",
    }


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
    options: ClassVar[frozenset[str]] = frozenset({"instances", "time_limit", "repeats"})
    main_table: ClassVar[str] = "totals"
    series: ClassVar[Series] = PAPER_ROOTS

    def missing(self, setting: Setting) -> list[str]:
        """Without the publication there is nothing to stand beside."""
        if setting.instances or setting.quick:
            return []
        return [ABSENT] if setting.published is None else _paper(setting)[1]

    def tasks(self, setting: Setting) -> list[Task]:
        """Repeat all instances; the pipelines take turns in being the first."""
        limit = setting.time_limit or (QUICK_TIME_LIMIT if setting.quick else TIME_LIMIT)
        repeats = setting.repeats or (QUICK_REPEATS if setting.quick else REPEATS)
        tasks = []
        instances = self.series.choose(setting)
        for repeat in range(repeats):
            seed = setting.seed + repeat
            for number, chosen in enumerate(instances):
                for turn in range(len(SCREENS)):
                    screen = SCREENS[(number + repeat + turn) % len(SCREENS)]
                    arguments = (chosen, screen, seed, limit, setting.commit)
                    tasks.append(Task(f"{chosen.name}/{screen}/seed {seed}", measure, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say what one pipeline did."""
        return f"{row['instance']} {row['screen']}: {row['status']}, {row['seconds']:.2f} s"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Put the pipelines beside each other and beside the paper's."""
        paper, _ = _paper(setting)
        results = [_Instance(name, group, paper.get(name)) for name, group in _groups(rows)]
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
                _totals(complete, seed=seed),
                _processor(complete),
                _gains(complete, seed=seed),
                _runtimes(results),
                _counts(results),
            ],
            figures=_figures(complete),
            rows=list(rows.values()),
            remarks=remarks,
            problems=[problem for one in results for problem in one.problems],
            facts={"seeds": sorted({row["seed"] for row in rows.values()})},
        )


def _paper(setting: Setting) -> tuple[dict[str, PaperFigures], list[str]]:
    if setting.published is None:
        return {}, []
    try:
        return read_paper_figures(setting.published), []
    except (FileNotFoundError, ValueError):
        return {}, [
            "The paper's figures are absent: reference/ncg_paper_root_cg.csv beside the folder of "
            "the instances. Ours stand alone."
        ]


def _groups(rows: Mapping[str, Row]) -> list[tuple[str, list[Row]]]:
    groups: dict[str, list[Row]] = {}
    for row in rows.values():
        groups.setdefault(row["instance"], []).append(row)
    return sorted(groups.items(), key=lambda group: (group[1][0]["packing_class"], group[0]))


class _Instance:
    """All runs on one instance."""

    def __init__(self, name: str, rows: Sequence[Row], paper: PaperFigures | None) -> None:
        self.name = name
        self.rows = rows
        self.paper = paper
        self.packing_class: int = rows[0]["packing_class"]

    def of(self, screen: str) -> list[Row]:
        """Return the runs of one pipeline."""
        return [row for row in self.rows if row["screen"] == screen]

    @property
    def is_complete(self) -> bool:
        """Whether every pipeline has solved it every time."""
        return all(self.of(screen) for screen in SCREENS) and all(
            row["status"] == "converged" for row in self.rows
        )

    def values(self, screen: str, column: str) -> list[float]:
        """Return a column of one pipeline's runs."""
        return [float(row[column]) for row in self.of(screen)]

    def median(self, screen: str, column: str) -> float | None:
        """Return the median of a column, if the pipeline was run."""
        values = self.values(screen, column)
        return median_interval(values).middle if values else None

    def against_exact(self, screen: str) -> Comparison:
        """Return the medians of a pipeline beside those of the exact one."""
        return Comparison(
            *(
                _known(self.median(pipeline, column))
                for column in ("seconds", "iterations")
                for pipeline in ("exact", screen)
            )
        )

    @property
    def problems(self) -> list[str]:
        """Values that cannot all be true: the pipelines solve the same relaxation."""
        values = {
            row["lp_value"]
            for row in self.rows
            if row["status"] == "converged" and row["lp_value"] is not None
        }
        if self.rows[0]["source"] == "published" and self.name in KNOWN_LP_VALUES:
            values.add(KNOWN_LP_VALUES[self.name])
        if values and not math.isclose(min(values), max(values), rel_tol=LP_TOLERANCE):
            listed = ", ".join(f"{value:.6f}" for value in sorted(values))
            return [f"{self.name}: different LP values {listed}"]
        return []


def _known(value: float | None) -> float:
    assert value is not None, "the pipeline was run"
    return value


def _totals(results: Sequence[_Instance], *, seed: int) -> Table:
    header = ["class", "instances", *(f"{screen} s" for screen in SCREENS), "longest exact s"]
    header += [f"{screen} checks" for screen in SCREENS]
    with_paper = any(one.paper for one in results)
    if with_paper:
        header += ["in the paper", "paper exact s", "paper neural s", "paper neural / ours lazy"]
    rows = []
    for name, group in by_class(results, lambda one: one.packing_class):
        seconds = {
            screen: sum_of_medians([one.values(screen, "seconds") for one in group], seed=seed)
            for screen in SCREENS
        }
        longest = max(_known(one.median("exact", "seconds")) for one in group)
        cells = [name, str(len(group))]
        cells += [seconds[screen].text() for screen in SCREENS]
        cells.append(f"{longest:.2f}")
        cells += [
            f"{sum(_known(one.median(screen, 'exact_checks')) for one in group):,.0f}"
            for screen in SCREENS
        ]
        if with_paper:
            cells += _paper_totals(group)
        rows.append(tuple(cells))
    return Table(
        "totals",
        "Total seconds and loading checks",
        tuple(header),
        tuple(rows),
        note="Sums of the instances' medians. Checks are loading checks really made.",
    )


def _processor(results: Sequence[_Instance]) -> Table:
    header = ["class", "instances"]
    header += [f"{screen} {name} s" for name in ("total", "median") for screen in SCREENS]
    header += [f"{screen} over {SLOWER} % slower on" for screen in SCREENS[1:]]
    rows = []
    for name, group in by_class(results, lambda one: one.packing_class):
        seconds = {
            screen: [_known(one.median(screen, "processor_seconds")) for one in group]
            for screen in SCREENS
        }
        cells = [name, str(len(group))]
        cells += [f"{sum(seconds[screen]):.2f}" for screen in SCREENS]
        cells += [f"{statistics.median(seconds[screen]):.3f}" for screen in SCREENS]
        cells += [
            str(
                sum(
                    other > (1 + SLOWER / 100) * exact
                    for exact, other in zip(seconds["exact"], seconds[screen], strict=True)
                )
            )
            for screen in SCREENS[1:]
        ]
        rows.append(tuple(cells))
    return Table(
        "processor",
        "Seconds of the processor",
        tuple(header),
        tuple(rows),
        note="What other programs take on a busy machine is not in them.",
    )


def _paper_totals(group: Sequence[_Instance]) -> list[str]:
    compared = [(one, one.paper) for one in group if one.paper is not None]
    exact = sum(theirs.exact_seconds for _, theirs in compared)
    neural = sum(theirs.neural_seconds for _, theirs in compared)
    ours = sum(_known(one.median("lazy", "seconds")) for one, _ in compared)
    ratio = f"{neural / ours:.1f}" if compared and ours else DASH
    return [str(len(compared)), f"{exact:,.0f}", f"{neural:,.0f}", ratio]


def _runtimes(results: Sequence[_Instance]) -> Table:
    header = ("instance", "n", "K", "LP value", *(f"{screen} s" for screen in SCREENS))
    header += ("neural gain %", "lazy gain %", "paper exact s", "paper neural s", "paper gain %")
    rows = []
    for one in results:
        first = one.rows[0]
        lp_value = next((row["lp_value"] for row in one.rows if row["status"] == "converged"), None)
        cells = [one.name, str(first["customers"]), str(first["vehicles"])]
        cells.append(number_text(lp_value, 4))
        for screen in SCREENS:
            values = one.values(screen, "seconds")
            cells.append(median_interval(values).text() if values else DASH)
        cells += [
            number_text(one.against_exact(screen).gain if one.is_complete else None, 1)
            for screen in ("neural", "lazy")
        ]
        if one.paper is None:
            cells += [DASH] * 3
        else:
            cells += [
                f"{one.paper.exact_seconds:.2f}",
                f"{one.paper.neural_seconds:.2f}",
                f"{one.paper.comparison.gain:.1f}",
            ]
        rows.append(tuple(cells))
    return Table("runtimes", "Seconds of every instance", header, tuple(rows))


def _counts(results: Sequence[_Instance]) -> Table:
    header = ["instance"]
    header += [f"{screen} {name}" for name in ("iterations", "checks") for screen in SCREENS]
    header += ["neural calls", "false positive cuts", "paper exact iter.", "paper neural iter."]
    rows = []
    for one in results:
        cells = [one.name]
        for column in ("iterations", "exact_checks"):
            cells += [number_text(one.median(screen, column), 0) for screen in SCREENS]
        for column in ("network_calls", "false_positive_cuts"):
            cells.append(number_text(one.median("neural", column), 0))
        paper = one.paper
        cells += (
            [DASH, DASH]
            if paper is None
            else [str(paper.exact_iterations), str(paper.neural_iterations)]
        )
        rows.append(tuple(cells))
    return Table(
        "iterations", "Iterations and checks of every instance", tuple(header), tuple(rows)
    )


def _comparisons(one: _Instance) -> dict[str, Comparison]:
    """Return every pipeline that stands beside an exact one."""
    found = {f"ours, {screen}": one.against_exact(screen) for screen in SCREENS[1:]}
    if one.paper is not None:
        found["paper, neural"] = one.paper.comparison
    return found


def _gains(results: Sequence[_Instance], *, seed: int) -> Table:
    header = (
        *("class", "pipeline", "instances", "median gain %", "median saved %", "total saved %"),
        *("faster on", f"over {SLOWER} % slower on", "median growth %"),
    )
    rows = []
    for name, group in by_class(results, lambda one: one.packing_class):
        found = [_comparisons(one) for one in group]
        for pipeline in dict.fromkeys(pipeline for one in found for pipeline in one):
            compared = [one[pipeline] for one in found if pipeline in one]
            exact = sum(one.exact_seconds for one in compared)
            other = sum(one.seconds for one in compared)
            medians = (
                median_interval([getattr(one, figure) for one in compared], seed=seed).text(1)
                for figure in ("gain", "saved", "growth")
            )
            gain, saved, growth = medians
            rows.append(
                (
                    name,
                    pipeline,
                    str(len(compared)),
                    gain,
                    saved,
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
    return Table("gains", "Gain over the exact pipeline", header, tuple(rows), note=note)


def _figures(results: Sequence[_Instance]) -> list[Figure]:
    if not results:
        return []
    gains: dict[str, dict[str, list[float]]] = {}
    growths: dict[str, dict[str, list[float]]] = {}
    for one in results:
        group = f"class {one.packing_class}"
        for pipeline, compared in _comparisons(one).items():
            gains.setdefault(group, {}).setdefault(pipeline, []).append(compared.gain)
            growths.setdefault(group, {}).setdefault(pipeline, []).append(compared.growth)
    boxes = (
        ("gain", "Gain over the exact pipeline, by class", gains, "gain, %"),
        ("iteration-growth", "Growth of iterations, by class", growths, "more iterations, %"),
    )
    return [
        Figure(name, title, partial(_draw_boxes, groups=groups, label=label))
        for name, title, groups, label in boxes
    ]


def _draw_boxes(figure: Any, *, groups: dict[str, dict[str, list[float]]], label: str) -> None:
    draw_boxes(figure.subplots(), groups, label=label)
