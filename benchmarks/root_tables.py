"""The tables that the root benchmark prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table

from root_summary import Totals
from tailgate.experiments.roots.growth import QUANTITIES, PowerFit, SizeSummary
from tailgate.experiments.roots.measurement import PARTS, RootMeasurement
from tailgate.experiments.roots.reference import PaperFigures

ABSENT = "-"


def instance_table(
    measurements: Sequence[RootMeasurement], paper: Mapping[str, PaperFigures]
) -> Table:
    """One line per instance, with the paper's two pipelines where it has figures."""
    headings = ["instance", "n", "K", "status", "LP value", "seconds", "iterations", "columns"]
    headings += ["checks", "feasible", "infeasible", "unknown"]
    if paper:
        headings += ["paper exact s", "neural s", "paper iter.", "neural iter.", "neural / ours"]
    table = _table("Root relaxations", headings, left=("instance", "status"))
    for measurement in measurements:
        cells = [
            measurement.instance,
            str(measurement.customers),
            str(measurement.vehicles),
            measurement.status,
            ABSENT if measurement.lp_value is None else f"{measurement.lp_value:.4f}",
            seconds_text(measurement.seconds),
            *(
                f"{count:,}"
                for count in (
                    measurement.iterations,
                    measurement.columns,
                    measurement.exact_checks,
                    measurement.checks_feasible,
                    measurement.checks_infeasible,
                    measurement.checks_unknown,
                )
            ),
        ]
        if paper:
            cells += _paper_cells(measurement, paper.get(measurement.instance))
        table.add_row(*cells)
    return table


def _paper_cells(measurement: RootMeasurement, theirs: PaperFigures | None) -> list[str]:
    if theirs is None:
        return [ABSENT] * 5
    return [
        f"{theirs.exact_seconds:.2f}",
        f"{theirs.neural_seconds:.2f}",
        str(theirs.exact_iterations),
        str(theirs.neural_iterations),
        ratio_text(theirs.neural_seconds, measurement.seconds),
    ]


def totals_table(totals: Sequence[Totals]) -> Table:
    """Sums by class, and the paper's sums on the same instances."""
    headings = ["class", "instances", "converged", "seconds", "longest", "iterations", "checks"]
    headings += ["feasible", "infeasible", "unknown"]
    with_paper = any(total.compared for total in totals)
    if with_paper:
        headings += ["in paper", "ours s", "exact s", "neural s", "exact / ours", "neural / ours"]
    table = _table("Totals", headings, left=("class", "longest"))
    for total in totals:
        cells = [
            total.group,
            str(total.instances),
            str(total.converged),
            seconds_text(total.seconds),
            f"{seconds_text(total.longest_seconds)} ({total.longest_instance})",
            *(
                f"{count:,}"
                for count in (
                    total.iterations,
                    total.exact_checks,
                    total.checks_feasible,
                    total.checks_infeasible,
                    total.checks_unknown,
                )
            ),
        ]
        if with_paper:
            cells += [
                str(total.compared),
                seconds_text(total.compared_seconds),
                f"{total.paper_exact_seconds:.1f}",
                f"{total.paper_neural_seconds:.1f}",
                ratio_text(total.paper_exact_seconds, total.compared_seconds),
                ratio_text(total.paper_neural_seconds, total.compared_seconds),
            ]
        table.add_row(*cells)
    return table


def share_table(totals: Sequence[Totals]) -> Table:
    """Where the time goes."""
    parts = (*PARTS, "other")
    table = _table("Share of the time", ["class", *parts], left=("class",))
    for total in totals:
        table.add_row(total.group, *(f"{total.part_percent[part]:.1f} %" for part in parts))
    return table


def growth_table(sizes: Sequence[SizeSummary]) -> Table:
    """Medians by class and size."""
    headings = ["class", "n", "instances", "converged", *QUANTITIES, "longest s"]
    table = _table("Growth: medians of those that converged", headings, left=())
    for size in sizes:
        table.add_row(
            str(size.packing_class),
            str(size.customers),
            str(size.instances),
            str(size.converged),
            *(_median_text(size, name) for name in QUANTITIES),
            seconds_text(size.longest_seconds),
        )
    return table


def _median_text(size: SizeSummary, name: str) -> str:
    if name not in size.medians:
        return ABSENT
    value = size.medians[name]
    return seconds_text(value) if name == "seconds" else f"{value:,.0f}"


def fit_table(fits: Mapping[int, Mapping[str, PowerFit | None]]) -> Table:
    """The exponent of n per class and quantity, with the share of the variance it explains."""
    table = _table("Fitted exponent of n (R²)", ["class", *QUANTITIES, "points"], left=())
    for packing_class, fitted in fits.items():
        cells = []
        for name in QUANTITIES:
            fit = fitted[name]
            cells.append(ABSENT if fit is None else f"{fit.exponent:.2f} ({fit.r_squared:.2f})")
        seconds = fitted["seconds"]
        table.add_row(
            str(packing_class), *cells, ABSENT if seconds is None else str(seconds.points)
        )
    return table


def seconds_text(seconds: float) -> str:
    """Return seconds with as many decimals as can be meant."""
    return f"{seconds:.2f}" if seconds < 100 else f"{seconds:,.0f}"


def ratio_text(theirs: float, ours: float) -> str:
    """Return how many times longer they take."""
    if ours <= 0 or theirs <= 0:
        return ABSENT
    ratio = theirs / ours
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def _table(title: str, headings: Sequence[str], *, left: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading in left else "right", no_wrap=True)
    return table
