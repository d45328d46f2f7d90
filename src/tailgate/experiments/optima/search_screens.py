"""``search-screens``: whole searches with and without the network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tailgate.experiments.experiment import Experiment, Report, Setting
from tailgate.experiments.instances import ABSENT, PAPER_ROOTS, Chosen, Series
from tailgate.experiments.intervals import median_interval
from tailgate.experiments.optima.row import PROVEN
from tailgate.experiments.optima.solving import result_text, solve_instance
from tailgate.experiments.row_store import Row
from tailgate.experiments.tables import ABSENT as DASH
from tailgate.experiments.tables import Table, by_class, number_text
from tailgate.work import Task

WITHOUT, WITH = "exact", "lazy"
PROOF_SECONDS, PLAN_SECONDS = 300.0, 30.0
QUICK_SECONDS = 5.0
PLANS = Series(numbers=range(20, 37), classes=(2, 3, 4), sizes=(60,), quick_sizes=(12,))
"""Too large for a proof within the time: how good are the plans?"""


class SearchScreens(Experiment):
    """Time to the proof, and plans after a while, with both screens in turns."""

    name: ClassVar[str] = "search-screens"
    title: ClassVar[str] = "Whole searches with and without the network"
    explanation: ClassVar[str] = (
        f"`tailgate solve` on one thread with the screens {WITHOUT} and {WITH}, in turns. The "
        "smaller instances are solved until the optimum is proven; on the larger ones the search "
        "is stopped early, and plans and bounds are compared."
    )
    main_table: ClassVar[str] = "proofs"

    def missing(self, setting: Setting) -> list[str]:
        """Generated instances take the place of the publication's."""
        is_given = setting.instances or setting.quick
        return [ABSENT] if setting.published is None and not is_given else []

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
        pairs = _pairs(rows)
        proofs = [pair for pair in pairs if pair.is_proven]
        plans = [pair for pair in pairs if not pair.is_proven]
        return Report(
            tables=[_proofs(proofs, seed=setting.seed), _plans(plans), _every(pairs)],
            figures=[],
            rows=list(rows.values()),
            problems=[problem for pair in pairs for problem in pair.problems],
            facts={"seeds": [setting.seed]},
        )


def _limits(setting: Setting) -> Iterator[tuple[Chosen, float]]:
    if setting.instances:
        for chosen in PAPER_ROOTS.choose(setting):
            yield chosen, setting.time_limit or PROOF_SECONDS
        return
    for series, seconds in ((PAPER_ROOTS, PROOF_SECONDS), (PLANS, PLAN_SECONDS)):
        for chosen in series.choose(setting):
            yield chosen, setting.time_limit or (QUICK_SECONDS if setting.quick else seconds)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two searches of one instance."""

    without: Row
    with_network: Row

    @property
    def both(self) -> tuple[Row, Row]:
        """Without, and with the network."""
        return self.without, self.with_network

    @property
    def is_proven(self) -> bool:
        """Whether both have come to the end."""
        return all(row["status"] in PROVEN for row in self.both)

    def saved(self, column: str) -> float | None:
        """Return which share of a column the network saves, in percent."""
        before, after = (row[column] for row in self.both)
        return 100 * (before - after) / before if before else None

    @property
    def dearer(self) -> float | None:
        """How much more the plan with the network costs, in percent."""
        before, after = (row["objective"] for row in self.both)
        return None if before is None or after is None else 100 * (after - before) / before

    @property
    def problems(self) -> list[str]:
        """What cannot be: a bound of one above the plan of the other."""
        found = [problem for row in self.both for problem in row["problems"]]
        for one, other in (self.both, self.both[::-1]):
            bound, cost = one["lower_bound"], other["objective"]
            if bound is not None and cost is not None and bound > cost * (1 + 1e-6):
                found.append(f"the bound {bound} is above the plan {cost} of the other search")
        return [f"{self.without['instance']}: {problem}" for problem in found]


def _pairs(rows: Mapping[str, Row]) -> list[_Pair]:
    found: dict[str, dict[str, Row]] = {}
    for row in rows.values():
        found.setdefault(row["instance"], {})[row["screen"]] = row
    pairs = [_Pair(both[WITHOUT], both[WITH]) for both in found.values() if len(both) == 2]
    return sorted(pairs, key=lambda pair: (pair.without["packing_class"], pair.without["instance"]))


def _groups(pairs: Sequence[_Pair]) -> list[tuple[str, list[_Pair]]]:
    return by_class(pairs, lambda pair: int(pair.without["packing_class"]))


def _proofs(pairs: Sequence[_Pair], *, seed: int) -> Table:
    header = (
        *("class", "instances", f"{WITHOUT} s", f"{WITH} s", "total saved %", "median saved %"),
        *("faster on", f"{WITHOUT} checks", f"{WITH} checks", "checks saved %"),
    )
    lines = []
    for name, group in _groups(pairs):
        cells = [name, str(len(group))]
        seconds, other_seconds = _totals(group, "seconds")
        shares = [share for pair in group if (share := pair.saved("seconds")) is not None]
        cells += [f"{seconds:,.1f}", f"{other_seconds:,.1f}", _share(seconds, other_seconds)]
        cells.append(median_interval(shares, seed=seed).text(1) if shares else DASH)
        cells.append(str(sum(share > 0 for share in shares)))
        checks, other_checks = _totals(group, "exact_checks")
        cells += [f"{checks:,.0f}", f"{other_checks:,.0f}", _share(checks, other_checks)]
        lines.append(tuple(cells))
    note = "Instances that both searches have solved to the end. Saved is 1 - with / without."
    return Table("proofs", "To the proven optimum", header, tuple(lines), note=note)


def _totals(group: Sequence[_Pair], column: str) -> tuple[float, float]:
    before, after = (
        sum(rows) for rows in zip(*((r[column] for r in pair.both) for pair in group), strict=True)
    )
    return before, after


def _share(before: float, after: float) -> str:
    return f"{100 * (before - after) / before:.1f}" if before else DASH


def _plans(pairs: Sequence[_Pair]) -> Table:
    header = (
        *("class", "instances", "cheaper with", "equal", "dearer with", "mean difference %"),
        *(f"mean gap % {WITHOUT}", f"mean gap % {WITH}", f"{WITHOUT} checks", f"{WITH} checks"),
    )
    lines = []
    for name, group in _groups(pairs):
        dearer = [share for pair in group if (share := pair.dearer) is not None]
        gaps = [
            [100 * row["gap"] for row in rows if row["gap"] is not None]
            for rows in zip(*(pair.both for pair in group), strict=True)
        ]
        checks = _totals(group, "exact_checks")
        lines.append(
            (
                name,
                str(len(group)),
                str(sum(share < 0 for share in dearer)),
                str(sum(share == 0 for share in dearer)),
                str(sum(share > 0 for share in dearer)),
                *(_mean(values) for values in (dearer, *gaps)),
                *(f"{count:,.0f}" for count in checks),
            )
        )
    note = "Instances that were stopped before both proofs. Cheaper, equal, dearer: the plans."
    return Table("plans", "Plans after a while", header, tuple(lines), note=note)


def _mean(values: Sequence[float]) -> str:
    return f"{sum(values) / len(values):.2f}" if values else DASH


def _every(pairs: Sequence[_Pair]) -> Table:
    figures = ("plan", "bound", "s", "checks", "nodes")
    header = [f"{screen} {figure}" for figure in figures for screen in (WITHOUT, WITH)]
    lines = []
    for pair in pairs:
        cells = [str(pair.without[name]) for name in ("instance", "n", "vehicles")]
        for column, decimals in (
            ("objective", 2),
            ("lower_bound", 2),
            ("seconds", 2),
            ("exact_checks", 0),
            ("nodes", 0),
        ):
            cells += [number_text(row[column], decimals) for row in pair.both]
        lines.append(tuple(cells))
    return Table("instances", "Every instance", ("instance", "n", "K", *header), tuple(lines))
