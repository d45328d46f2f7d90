"""``unloading-price``: what it costs that every stop unloads straight out of the door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from tailgate.experiments.experiment import Experiment, Report, Setting
from tailgate.experiments.figures import Figure, draw_boxes
from tailgate.experiments.instances import ABSENT, Chosen, Series
from tailgate.experiments.intervals import median_interval
from tailgate.experiments.optima.row import PROVEN
from tailgate.experiments.optima.solving import result_text, solve_instance
from tailgate.experiments.row_store import Row
from tailgate.experiments.tables import ABSENT as DASH
from tailgate.experiments.tables import Table, by_class, number_text
from tailgate.work import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 300.0, 10.0
_TOLERANCE = 1e-6


class UnloadingPrice(Experiment):
    """Two optima of each instance: unloading in order, and in any order."""

    name: ClassVar[str] = "unloading-price"
    title: ClassVar[str] = "The price of unloading in order"
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

    def missing(self, setting: Setting) -> list[str]:
        """Generated instances tell of the price, too, but not that of the publication."""
        is_given = setting.instances or setting.quick
        return [ABSENT] if setting.published is None and not is_given else []

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve each under both rules, one after the other."""
        limit = setting.time_limit or (QUICK_TIME_LIMIT if setting.quick else TIME_LIMIT)
        tasks = []
        for number, chosen in enumerate(self.series.choose(setting)):
            for lifo in (True, False) if number % 2 == 0 else (False, True):
                order = "in order" if lifo else "any order"
                arguments = (_under(chosen, lifo), limit, setting.seed, setting.commit)
                key = f"{chosen.name}/{order}/seed {setting.seed}"
                tasks.append(Task(key, solve_instance, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say how it ended."""
        return result_text(row)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Compare the two optima of each instance."""
        pairs = _pairs(rows)
        by_class: dict[str, list[float]] = {}
        for pair in pairs:
            prices = by_class.setdefault(f"class {pair.in_order['packing_class']}", [])
            if pair.price is not None:
                prices.append(pair.price)
        groups = {name: {"proven pairs": prices} for name, prices in by_class.items()}
        problems = [problem for pair in pairs for problem in pair.problems]
        return Report(
            tables=[_by_class(pairs, seed=setting.seed), _every(pairs)],
            figures=[Figure("price", "The price by class", partial(_draw, groups=groups))],
            rows=list(rows.values()),
            problems=problems,
            facts={"seeds": [setting.seed]},
        )


def _under(chosen: Chosen, lifo: bool) -> Chosen:
    rules = replace(chosen.instance.conventions, lifo=lifo)
    return replace(chosen, instance=replace(chosen.instance, conventions=rules))


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two results of one instance."""

    in_order: Row
    any_order: Row

    @property
    def price(self) -> float | None:
        """In percent, if both are proven."""
        if any(row["status"] != "optimal" for row in (self.in_order, self.any_order)):
            return None
        return _percent(self.in_order["objective"], self.any_order["objective"])

    @property
    def text(self) -> str:
        """The price, or between what it lies."""
        if self.price is not None:
            return f"{self.price:.2f}"
        if self.in_order["status"] == "infeasible" and self.any_order["objective"] is not None:
            return "no plan in order"
        # A price is never negative: every plan in order is one in any order.
        low = _percent(self.in_order["lower_bound"], self.any_order["objective"])
        high = _percent(self.in_order["objective"], self.any_order["lower_bound"])
        if low is None and high is None:
            return DASH
        above = "..." if high is None else f"{high:.2f}"
        return f"{max(0.0, low or 0.0):.2f} to {above}"

    @property
    def problems(self) -> list[str]:
        """What cannot be: a plan in any order that must cost more than one in order."""
        bound, cost = self.any_order["lower_bound"], self.in_order["objective"]
        found = [*self.in_order["problems"], *self.any_order["problems"]]
        if bound is not None and cost is not None and bound > cost * (1 + _TOLERANCE):
            found.append(f"the bound {bound} in any order is above the cost {cost} in order")
        return [f"{self.in_order['instance']}: {problem}" for problem in found]


def _percent(dearer: float | None, cheaper: float | None) -> float | None:
    if dearer is None or cheaper is None or cheaper <= 0:
        return None
    return 100 * (dearer - cheaper) / cheaper


def _pairs(rows: Mapping[str, Row]) -> list[_Pair]:
    found: dict[str, dict[bool, Row]] = {}
    for row in rows.values():
        found.setdefault(row["instance"], {})[row["lifo"]] = row
    pairs = [_Pair(both[True], both[False]) for both in found.values() if len(both) == 2]
    return sorted(
        pairs, key=lambda pair: (pair.in_order["packing_class"], pair.in_order["instance"])
    )


def _by_class(pairs: Sequence[_Pair], *, seed: int) -> Table:
    header = (
        "class",
        "instances",
        "both proven",
        "without a price",
        "median %",
        "mean %",
        "most %",
    )
    lines = []
    for name, group in by_class(pairs, lambda pair: int(pair.in_order["packing_class"])):
        prices = [pair.price for pair in group if pair.price is not None]
        lines.append(
            (
                name,
                str(len(group)),
                str(len(prices)),
                str(sum(price <= 0 for price in prices)),
                median_interval(prices, seed=seed).text() if prices else DASH,
                f"{sum(prices) / len(prices):.2f}" if prices else DASH,
                f"{max(prices):.2f}" if prices else DASH,
            )
        )
    return Table("price", "The price by class", header, tuple(lines))


def _every(pairs: Sequence[_Pair]) -> Table:
    header = ("instance", "n", "K", "in order", "any order", "price %", "seconds", "any order s")
    lines = tuple(
        (
            pair.in_order["instance"],
            str(pair.in_order["n"]),
            str(pair.in_order["vehicles"]),
            _value(pair.in_order),
            _value(pair.any_order),
            pair.text,
            f"{pair.in_order['seconds']:.2f}",
            f"{pair.any_order['seconds']:.2f}",
        )
        for pair in pairs
    )
    note = "An optimum as it is; otherwise bound and plan, as 300 to 320."
    return Table("instances", "Every instance", header, lines, note=note)


def _value(row: Row) -> str:
    if row["status"] in PROVEN:
        return "no plan" if row["objective"] is None else f"{row['objective']:g}"
    return f"{number_text(row['lower_bound'])} to {number_text(row['objective'])}"


def _draw(figure: Any, *, groups: dict[str, dict[str, list[float]]]) -> None:
    draw_boxes(figure.subplots(), groups, label="price of unloading in order, %")
