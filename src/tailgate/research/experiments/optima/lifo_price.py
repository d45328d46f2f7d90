"""``lifo-price``: what it costs that every stop unloads straight out of the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from tailgate.model.conventions import Conventions
from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_boxes
from tailgate.research.experiments.instances import Series
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.optima.pairs import (
    Pair,
    pairs_by_class,
    pairs_of,
    problems_of_pair,
)
from tailgate.research.experiments.optima.prices import price_of, price_text, value_text
from tailgate.research.experiments.optima.solving import result_text, solve_instance
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, DASH, Table
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 300.0, 10.0


class LifoPrice(Experiment):
    """Two optima of each instance: unloading in order, and in any order."""

    name: ClassVar[str] = "lifo-price"
    title: ClassVar[str] = "The price of LIFO"
    explanation: ClassVar[str] = (
        "Every instance is solved twice, in turns: as it is (last in, first out), and with items "
        "that may be moved aside at a stop. The price is what the first optimum costs more, in "
        "percent of the second. It is exact where both are proven; otherwise it lies in the "
        "interval that plans and bounds leave, and counts in no median."
    )
    main_table: ClassVar[str] = "price"
    series: ClassVar[Series] = Series(
        numbers=range(1, 20), classes=(2, 3, 4, 5), sizes=(12, 15, 18), quick_sizes=(8,)
    )

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve each under both rules, one after the other."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        tasks = []
        for number, chosen in enumerate(self.series.choose(setting)):
            for lifo in (True, False) if number % 2 == 0 else (False, True):
                order = "in order" if lifo else "any order"
                under = chosen.under(partial(_unloading, lifo=lifo))
                arguments = (under, limit, setting.seed, setting.commit)
                key = f"{chosen.name}/{order}/seed {setting.seed}"
                tasks.append(Task(key, solve_instance, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say how it ended."""
        return result_text(row)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare the two optima of each instance."""
        pairs = pairs_of(rows, "lifo", True, False)
        groups = {
            f"class {name}": {"proven pairs": _prices(group)}
            for name, group in pairs_by_class(pairs)
            if name != ALL
        }
        draw = partial(draw_boxes, groups=groups, label="price of LIFO, %")
        return Report(
            tables=[_by_class(pairs, seed=setting.seed), _every(pairs)],
            figures=[Figure("price", "The price by class", draw)],
            # Plans in any order may be cheaper, so a bound in order says nothing of them.
            problems=[
                problem
                for pair in pairs
                for problem in problems_of_pair(pair, only_second_bounds=True)
            ],
        )


def _unloading(rules: Conventions, *, lifo: bool) -> Conventions:
    return replace(rules, lifo=lifo)


def _prices(pairs: Sequence[Pair]) -> list[float]:
    return [price for pair in pairs if (price := price_of(pair)) is not None]


def _by_class(pairs: Sequence[Pair], *, seed: int) -> Table:
    header = (
        *("class", "instances", "both proven", "without a price"),
        *("median %", "mean %", "most %"),
    )
    lines = []
    for name, group in pairs_by_class(pairs):
        prices = _prices(group)
        lines.append(
            (
                *(name, str(len(group)), str(len(prices))),
                str(sum(price <= 0 for price in prices)),
                median_interval(prices, seed=seed).text() if prices else DASH,
                f"{sum(prices) / len(prices):.2f}" if prices else DASH,
                f"{max(prices):.2f}" if prices else DASH,
            )
        )
    return Table("price", "The price by class", header, tuple(lines))


def _every(pairs: Sequence[Pair]) -> Table:
    header = ("instance", "n", "K", "in order", "any order", "price %", "seconds", "any order s")
    lines = tuple(
        (
            *(str(pair.first[name]) for name in ("instance", "n", "vehicles")),
            *(value_text(row) for row in pair.both),
            price_text(pair, no_plan="no plan in order"),
            *(f"{row['seconds']:.2f}" for row in pair.both),
        )
        for pair in pairs
    )
    note = "An optimum as it is; otherwise bound and plan, as 300 to 320."
    return Table("instances", "Every instance", header, lines, note=note)
