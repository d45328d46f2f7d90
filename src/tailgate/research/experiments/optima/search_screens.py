"""``search-screens``: complete searches with and without the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.instances import PAPER_ROOTS, Chosen, Series
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.optima.pairs import (
    Pair,
    pairs_by_class,
    pairs_of,
    problems_of_pair,
)
from tailgate.research.experiments.optima.solving import result_text, solve_instance
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import DASH, Table, number_text
from tailgate.solver.workers import Task

WITHOUT, WITH = "exact", "lazy"
PROOF_SECONDS, PLAN_SECONDS = 300.0, 30.0
QUICK_SECONDS = 5.0
PLANS = Series(numbers=range(20, 37), classes=(2, 3, 4), sizes=(60,), quick_sizes=(12,))
"""Too large for a proof within the time: how good are the plans?"""


class SearchScreens(Experiment):
    """Time to the proof, and plans after a while, with both screens in turns."""

    name: ClassVar[str] = "search-screens"
    title: ClassVar[str] = "Complete searches with and without the network"
    explanation: ClassVar[str] = (
        f"`tailgate solve` on one thread with the screens {WITHOUT} and {WITH}, in turns. The "
        "smaller instances are solved until the optimum is proven; on the larger ones the search "
        "is stopped early, and plans and bounds are compared."
    )
    main_table: ClassVar[str] = "proofs"

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve each instance with both screens, one after the other."""
        tasks = []
        for number, (chosen, limit) in enumerate(_limits(setting)):
            for screen in (WITHOUT, WITH) if number % 2 == 0 else (WITH, WITHOUT):
                arguments = (chosen, limit, setting.seed, setting.commit, screen)
                key = f"{chosen.name}/{screen}/{limit:g} s/seed {setting.seed}"
                tasks.append(Task(key, solve_instance, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say how it ended."""
        return f"{row['screen']}: {result_text(row)}"

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Put proofs beside proofs, and plans beside plans."""
        pairs = pairs_of(rows, "screen", WITHOUT, WITH)
        proofs = [pair for pair in pairs if pair.is_proven]
        plans = [pair for pair in pairs if not pair.is_proven]
        return Report(
            tables=[_proofs(proofs, seed=setting.seed), _plans(plans), _every(pairs)],
            problems=[problem for pair in pairs for problem in problems_of_pair(pair)],
        )


def _limits(setting: Setting) -> Iterator[tuple[Chosen, float]]:
    if setting.instances:
        for chosen in PAPER_ROOTS.choose(setting):
            yield chosen, setting.time_limit or PROOF_SECONDS
        return
    for series, seconds in ((PAPER_ROOTS, PROOF_SECONDS), (PLANS, PLAN_SECONDS)):
        for chosen in series.choose(setting):
            yield chosen, setting.seconds(seconds, QUICK_SECONDS)


def _saved(pair: Pair, column: str) -> float | None:
    """Return which share of a column the network saves, in percent."""
    before, after = (row[column] for row in pair.both)
    return 100 * (before - after) / before if before else None


def _more_expensive(pair: Pair) -> float | None:
    """Return how much more the plan with the network costs, in percent."""
    before, after = (row["objective"] for row in pair.both)
    return None if before is None or after is None else 100 * (after - before) / before


def _proofs(pairs: Sequence[Pair], *, seed: int) -> Table:
    header = (
        *("class", "instances", f"{WITHOUT} s", f"{WITH} s", "total saved %", "median saved %"),
        *("faster on", f"{WITHOUT} checks", f"{WITH} checks", "checks saved %"),
    )
    lines = []
    for name, group in pairs_by_class(pairs):
        cells = [name, str(len(group))]
        seconds, other_seconds = _totals(group, "seconds")
        shares = [share for pair in group if (share := _saved(pair, "seconds")) is not None]
        cells += [f"{seconds:,.1f}", f"{other_seconds:,.1f}", _share(seconds, other_seconds)]
        cells.append(median_interval(shares, seed=seed).text(1) if shares else DASH)
        cells.append(str(sum(share > 0 for share in shares)))
        checks, other_checks = _totals(group, "exact_checks")
        cells += [f"{checks:,.0f}", f"{other_checks:,.0f}", _share(checks, other_checks)]
        lines.append(tuple(cells))
    note = "Instances that both searches have solved to the end. Saved is 1 - with / without."
    return Table("proofs", "To the proven optimum", header, tuple(lines), note=note)


def _totals(group: Sequence[Pair], column: str) -> tuple[float, float]:
    before, after = (
        sum(rows) for rows in zip(*((r[column] for r in pair.both) for pair in group), strict=True)
    )
    return before, after


def _share(before: float, after: float) -> str:
    return f"{100 * (before - after) / before:.1f}" if before else DASH


def _plans(pairs: Sequence[Pair]) -> Table:
    header = (
        *("class", "instances", "cheaper with", "equal", "worse with", "mean difference %"),
        *(f"mean gap % {WITHOUT}", f"mean gap % {WITH}", f"{WITHOUT} checks", f"{WITH} checks"),
    )
    lines = []
    for name, group in pairs_by_class(pairs):
        differences = [share for pair in group if (share := _more_expensive(pair)) is not None]
        gaps = [
            [100 * row["gap"] for row in rows if row["gap"] is not None]
            for rows in zip(*(pair.both for pair in group), strict=True)
        ]
        checks = _totals(group, "exact_checks")
        lines.append(
            (
                *(name, str(len(group))),
                str(sum(share < 0 for share in differences)),
                str(sum(share == 0 for share in differences)),
                str(sum(share > 0 for share in differences)),
                *(_mean(values) for values in (differences, *gaps)),
                *(f"{count:,.0f}" for count in checks),
            )
        )
    note = "Instances that were stopped before both proofs. Cheaper, equal, worse: the plans."
    return Table("plans", "Plans after a while", header, tuple(lines), note=note)


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else DASH


def _every(pairs: Sequence[Pair]) -> Table:
    figures = {
        **{"plan": ("objective", 2), "bound": ("lower_bound", 2), "s": ("seconds", 2)},
        **{"checks": ("exact_checks", 0), "nodes": ("nodes", 0)},
    }
    header = (f"{screen} {figure}" for figure in figures for screen in (WITHOUT, WITH))
    lines = tuple(
        (
            *(str(pair.first[name]) for name in ("instance", "n", "vehicles")),
            *(
                number_text(row[name], places)
                for name, places in figures.values()
                for row in pair.both
            ),
        )
        for pair in pairs
    )
    return Table("instances", "Every instance", ("instance", "n", "K", *header), lines)
