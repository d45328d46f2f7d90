"""``turning-price``: what it costs that items lie as given, and that they leave in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from tailgate.research.experiments.experiment import Experiment, Report, Setting
from tailgate.research.experiments.figures import Figure, draw_boxes
from tailgate.research.experiments.instances import Chosen, Series
from tailgate.research.experiments.intervals import median_interval
from tailgate.research.experiments.optima.pairs import (
    Pair,
    pairs_by_class,
    pairs_of,
    problems_of_pair,
)
from tailgate.research.experiments.optima.prices import price_of, price_text, value_text
from tailgate.research.experiments.optima.rules import CONVENTIONS
from tailgate.research.experiments.optima.solving import result_text, solve_instance
from tailgate.research.experiments.row_store import Row
from tailgate.research.experiments.tables import ALL, DASH, Table, grouped
from tailgate.research.experiments.variants import (
    ANY_ORDER,
    AS_GIVEN,
    TURNED,
    TURNED_ANY_ORDER,
    VARIANTS,
    Variant,
)
from tailgate.solver.workers import Task

TIME_LIMIT, QUICK_TIME_LIMIT = 300.0, 10.0
FREER = (TURNED, ANY_ORDER, TURNED_ANY_ORDER)
"""Their optima stand beside that of items as given, unloaded in order."""
STRICTER = (
    *((AS_GIVEN, freer) for freer in FREER),
    *((TURNED, TURNED_ANY_ORDER), (ANY_ORDER, TURNED_ANY_ORDER)),
)
"""Every plan of the first is a plan of the second."""


def solve_variant(
    chosen: Chosen, variant: Variant, time_limit: float, seed: int, commit: str
) -> Row:
    """Search for the optimum of a variant; what is kept of its plan, once judged, is the routes."""
    under = replace(chosen, instance=variant.of(chosen.instance))
    row = solve_instance(under, time_limit, seed, commit)
    trucks = len(row["routes"].split(";")) if row["routes"] else 0
    del row["placements"]
    return {**row, "variant": variant.name, "trucks": trucks}


class TurningPrice(Experiment):
    """Four optima of each instance: as given, turned, in any order, and both."""

    name: ClassVar[str] = "turning-price"
    title: ClassVar[str] = "The price of items that may not be turned"
    explanation: ClassVar[str] = (
        "Every instance is solved four times, in turns: items as given and unloaded in order "
        "(LIFO), all items free to be turned by a quarter, unloaded in any order, and both. A "
        "price is what the optimum as given costs more, in percent of the freer one; it is exact "
        "where both are proven and counts in no median otherwise. The conventions are those of the "
        "heuristic literature: distances exact, at most the fleet, routes with one customer "
        "allowed. Were all vehicles to leave, as in the exact literature, no truck could be saved, "
        "nor the distance that one truck less saves. Trucks are those of the proven cheapest "
        "plans: distance is minimised, not their number."
    )
    main_table: ClassVar[str] = "price"
    series: ClassVar[Series] = Series(
        numbers=range(1, 20), classes=(2, 3, 4, 5), sizes=(12, 15, 18), quick_sizes=(8,)
    )

    def tasks(self, setting: Setting) -> list[Task]:
        """Solve each in all variants, one after the other; who is first changes."""
        limit = setting.seconds(TIME_LIMIT, QUICK_TIME_LIMIT)
        tasks = []
        for number, chosen in enumerate(self.series.choose(setting)):
            under = chosen.under(lambda _: CONVENTIONS["heuristic"])
            for turn in range(len(VARIANTS)):
                variant = VARIANTS[(number + turn) % len(VARIANTS)]
                arguments = (under, variant, limit, setting.seed, setting.commit)
                key = f"{chosen.name}/{variant.name}/seed {setting.seed}"
                tasks.append(Task(key, solve_variant, arguments))
        return tasks

    def line(self, row: Row) -> str:
        """Say how it ended."""
        return result_text(row)

    def report(self, setting: Setting, rows: Mapping[str, Row]) -> Report:
        """Put the optimum as given beside each of the freer ones."""
        pairs = {
            freer.name: pairs_of(rows, "variant", AS_GIVEN.name, freer.name) for freer in FREER
        }
        classes = [name for name, _ in pairs_by_class(pairs[TURNED.name]) if name != ALL]
        groups = {
            f"class {name}": {
                freer: _prices(dict(pairs_by_class(found)).get(name, []))
                for freer, found in pairs.items()
            }
            for name in classes
        }
        draw = partial(draw_boxes, groups=groups, label="price, %")
        problems = [
            problem
            for strict, free in STRICTER
            for pair in pairs_of(rows, "variant", strict.name, free.name)
            for problem in problems_of_pair(pair, only_second_bounds=True)
        ]
        return Report(
            tables=[_by_class(pairs, seed=setting.seed), _every(rows, pairs)],
            figures=[Figure("price", "The price by class", draw)],
            problems=list(dict.fromkeys(problems)),
        )


def _prices(pairs: Sequence[Pair]) -> list[float]:
    return [price for pair in pairs if (price := price_of(pair)) is not None]


def _by_class(pairs: Mapping[str, Sequence[Pair]], *, seed: int) -> Table:
    header = (
        *("class", "beside", "instances", "both proven", "without a price"),
        *("median %", "mean %", "most %", "trucks as given", "trucks", "trucks saved %"),
    )
    lines = []
    for freer, found in pairs.items():
        for name, group in pairs_by_class(found):
            proven = [pair for pair in group if price_of(pair) is not None]
            prices = _prices(proven)
            given, free = (
                sum(row["trucks"] for row in side)
                for side in ([pair.first for pair in proven], [pair.second for pair in proven])
            )
            lines.append(
                (
                    *(name, freer, str(len(group)), str(len(proven))),
                    str(sum(price <= 0 for price in prices)),
                    median_interval(prices, seed=seed).text() if prices else DASH,
                    f"{sum(prices) / len(prices):.2f}" if prices else DASH,
                    f"{max(prices):.2f}" if prices else DASH,
                    *((str(given), str(free)) if proven else (DASH, DASH)),
                    f"{100 * (given - free) / given:.1f}" if given else DASH,
                )
            )
    return Table("price", "The price by class", header, tuple(sorted(lines, key=_class_first)))


def _class_first(line: Sequence[str]) -> tuple[bool, str]:
    return line[0] == ALL, line[0]


def _every(rows: Mapping[str, Row], pairs: Mapping[str, Sequence[Pair]]) -> Table:
    header = (
        *("instance", "n", "K", *(variant.name for variant in VARIANTS)),
        *(f"price beside {freer} %" for freer in pairs),
        *(f"{variant.name} s" for variant in VARIANTS),
    )
    texts = {
        (freer, pair.first["instance"]): price_text(pair, no_plan="no plan as given")
        for freer, found in pairs.items()
        for pair in found
    }
    lines = []
    by_instance = grouped(rows.values(), "instance")
    for name, group in sorted(
        by_instance, key=lambda entry: (entry[1][0]["packing_class"], entry[0])
    ):
        said = {row["variant"]: row for row in group}
        lines.append(
            (
                *(name, str(group[0]["n"]), str(group[0]["vehicles"])),
                *(_value(said.get(variant.name)) for variant in VARIANTS),
                *(texts.get((freer, name), DASH) for freer in pairs),
                *(_seconds(said.get(variant.name)) for variant in VARIANTS),
            )
        )
    note = "An optimum as it is, with its trucks; otherwise bound and plan, as 300 to 320."
    return Table("instances", "Every instance", header, tuple(lines), note=note)


def _value(row: Row | None) -> str:
    if row is None:
        return DASH
    return f"{value_text(row)} ({row['trucks']})" if row["trucks"] else value_text(row)


def _seconds(row: Row | None) -> str:
    return DASH if row is None else f"{row['seconds']:.2f}"
